//! What the configuration file says, where nothing stronger does.

use super::{
    Access, AccessError, AccessSettings, ConfigError, Issuer, Network, Oauth, Patience, Rates,
    sign_in::SignInFile,
};
use serde::Deserialize;
use std::{net::SocketAddr, path::Path};

/// What a configuration file may say.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) listen: Option<SocketAddr>,
    pub(super) database_url: Option<String>,
    pub(super) public_url: Option<String>,
    #[serde(default)]
    pub(super) allow_origins: Vec<String>,
    #[serde(default)]
    require_tokens: bool,
    oauth_issuer: Option<String>,
    oauth_audience: Option<String>,
    #[serde(default)]
    rate_limits: Vec<String>,
    #[serde(default)]
    trusted_proxies: Vec<String>,
    oidc_issuer: Option<String>,
    oidc_client_id: Option<String>,
    oidc_client_secret: Option<String>,
    oidc_groups_claim: Option<String>,
    #[serde(default)]
    reviewer_groups: Vec<String>,
}

impl File {
    pub(super) fn read(path: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| ConfigError::Unreadable { path: path.to_owned(), error })?;
        toml::from_str(&text)
            .map_err(|error| ConfigError::Unparsable { path: path.to_owned(), error: Box::new(error) })
    }

    /// How people sign in.
    pub(super) fn sign_in(&mut self) -> SignInFile {
        SignInFile {
            issuer: self.oidc_issuer.take(),
            client_id: self.oidc_client_id.take(),
            client_secret: self.oidc_client_secret.take(),
            groups_claim: self.oidc_groups_claim.take(),
            groups: std::mem::take(&mut self.reviewer_groups),
        }
    }

    /// How agents come in, by these settings and where they say nothing by the file.
    pub(super) fn access(&mut self, settings: AccessSettings) -> Result<Access, AccessError> {
        let stronger = |flags: Vec<String>, file: &mut Vec<String>| {
            let said = if flags.is_empty() { std::mem::take(file) } else { flags };
            said.into_iter()
                .map(|text| text.trim().to_owned())
                .filter(|text| !text.is_empty())
                .collect::<Vec<_>>()
        };
        let rates = stronger(settings.rate_limits, &mut self.rate_limits);
        let proxies = stronger(settings.trusted_proxies, &mut self.trusted_proxies);
        let audience = settings.oauth_audience.or(self.oauth_audience.take());
        let oauth = match (settings.oauth_issuer.or(self.oauth_issuer.take()), audience) {
            (None, None) => None,
            (None, Some(audience)) => return Err(AccessError::AudienceAlone(audience)),
            (Some(issuer), audience) => Some(Oauth { issuer: Issuer::parse(&issuer)?, audience }),
        };
        Ok(Access {
            require_tokens: settings.require_tokens || self.require_tokens,
            oauth,
            rates: Rates::parse(&rates)?,
            patience: Patience::default(),
            trusted_proxies: proxies.iter().map(|text| Network::parse(text)).collect::<Result<_, _>>()?,
        })
    }
}
