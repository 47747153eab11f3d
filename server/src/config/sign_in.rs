//! `SignIn`: by whose word the server knows people, and which of them review.

use super::{ConfigError, PublicUrl};
use clap::Args;
use http::Uri;
use std::fmt;

/// How people sign in, as flags and variables say it.
#[derive(Args, Clone, Default)]
pub struct SignInSettings {
    /// The OpenID Connect provider that people sign in with [default: none, the server runs open]
    #[arg(long = "oidc-issuer", env = "SAYSO_OIDC_ISSUER", value_name = "URL")]
    issuer: Option<String>,
    /// What the provider knows this server by
    #[arg(long = "oidc-client-id", env = "SAYSO_OIDC_CLIENT_ID", value_name = "ID")]
    client_id: Option<String>,
    /// What this server shows the provider; none for a public client. Better set by the variable than by the flag
    #[arg(
        long = "oidc-client-secret",
        env = "SAYSO_OIDC_CLIENT_SECRET",
        value_name = "SECRET",
        hide_env_values = true
    )]
    client_secret: Option<String>,
    /// The claim that holds a person's groups [default: groups]
    #[arg(long = "oidc-groups-claim", env = "SAYSO_OIDC_GROUPS_CLAIM", value_name = "CLAIM")]
    groups_claim: Option<String>,
    /// A group whose people review; more than once, or several with commas [default: everybody who can sign in]
    #[arg(
        long = "reviewer-group",
        env = "SAYSO_REVIEWER_GROUPS",
        value_name = "GROUP",
        value_delimiter = ','
    )]
    groups: Vec<String>,
}

/// The same, as a file says it.
#[derive(Default)]
pub(super) struct SignInFile {
    pub(super) issuer: Option<String>,
    pub(super) client_id: Option<String>,
    pub(super) client_secret: Option<String>,
    pub(super) groups_claim: Option<String>,
    pub(super) groups: Vec<String>,
}

/// Something that is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// It, for whom it is meant.
    pub fn told(&self) -> &str {
        &self.0
    }
}

impl From<String> for Secret {
    fn from(secret: String) -> Self {
        Self(secret)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// By whose word people are known, and which of them review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignIn {
    /// The provider, as it spells itself.
    pub issuer: String,
    /// What it knows this server by.
    pub client_id: String,
    /// What this server shows it; none for a public client.
    pub client_secret: Option<Secret>,
    /// The claim that holds a person's groups.
    pub groups_claim: String,
    /// The groups whose people review; none for everybody who can sign in.
    pub groups: Vec<String>,
}

impl SignIn {
    /// Puts flags, variables and file together; `None` where nothing is said of it.
    ///
    /// # Errors
    /// It is said in part only, or a URL would send secrets in the clear.
    pub(super) fn resolve(
        settings: SignInSettings,
        file: SignInFile,
        public_url: Option<&PublicUrl>,
    ) -> Result<Option<Self>, ConfigError> {
        let said = |text: &String| !text.trim().is_empty();
        let issuer = settings.issuer.or(file.issuer).filter(said);
        let client_id = settings.client_id.or(file.client_id).filter(said);
        let secret = settings.client_secret.or(file.client_secret).filter(said);
        let claim = settings.groups_claim.or(file.groups_claim).filter(said);
        let groups = if settings.groups.is_empty() { file.groups } else { settings.groups };
        let groups: Vec<String> =
            groups.iter().map(|group| group.trim().to_owned()).filter(|group| !group.is_empty()).collect();
        let (issuer, client_id) = match (issuer, client_id) {
            (Some(issuer), Some(client_id)) => (issuer, client_id),
            (None, None) if secret.is_none() && claim.is_none() && groups.is_empty() => return Ok(None),
            (None, _) => return Err(ConfigError::SignInInPart("--oidc-issuer")),
            (Some(_), None) => return Err(ConfigError::SignInInPart("--oidc-client-id")),
        };
        let uri: Uri = issuer.parse().map_err(|_| ConfigError::Issuer(issuer.clone()))?;
        let safe = match (uri.scheme_str(), uri.host()) {
            (Some("https"), Some(host)) => !host.is_empty(),
            (Some("http"), Some(host)) => is_loopback(host),
            _ => false,
        };
        if !safe || uri.query().is_some() || issuer.contains(['#', '@']) {
            return Err(ConfigError::Issuer(issuer));
        }
        if let Some(url) = public_url
            && !url.is_https()
            && !is_loopback(url.host())
        {
            return Err(ConfigError::PlainHttp(url.to_string()));
        }
        Ok(Some(Self {
            issuer,
            client_id,
            client_secret: secret.map(Secret),
            groups_claim: claim.unwrap_or_else(|| "groups".to_owned()),
            groups,
        }))
    }
}

/// Whether a host of a URL is this machine.
fn is_loopback(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(issuer: &str, client_id: &str) -> SignInSettings {
        SignInSettings {
            issuer: Some(issuer.to_owned()),
            client_id: Some(client_id.to_owned()),
            client_secret: Some("hush".to_owned()),
            ..SignInSettings::default()
        }
    }

    fn resolve(settings: SignInSettings, public_url: Option<&str>) -> Result<Option<SignIn>, String> {
        let url = public_url.map(|url| PublicUrl::parse(url).unwrap());
        SignIn::resolve(settings, SignInFile::default(), url.as_ref()).map_err(|error| error.to_string())
    }

    #[test]
    fn nothing_said_is_no_sign_in_and_half_of_it_is_refused() {
        assert_eq!(resolve(SignInSettings::default(), None), Ok(None));
        let empty = SignInSettings { issuer: Some(" ".to_owned()), ..SignInSettings::default() };
        assert_eq!(resolve(empty, None), Ok(None));
        let half = SignInSettings { client_id: None, ..settings("https://id.example", "x") };
        assert!(resolve(half, None).unwrap_err().contains("--oidc-client-id"));
        let groups = SignInSettings { groups: vec!["finance".to_owned()], ..SignInSettings::default() };
        assert!(resolve(groups, None).unwrap_err().contains("--oidc-issuer"));
    }

    #[test]
    fn secrets_travel_encrypted_or_not_at_all() {
        for issuer in
            ["https://id.example/realms/a", "http://127.0.0.1:9000", "http://localhost", "http://[::1]:1"]
        {
            assert!(resolve(settings(issuer, "x"), None).unwrap().is_some(), "{issuer}");
        }
        for issuer in
            ["http://id.example", "id.example", "ftp://id.example", "https://id.example?x", "https://a@b"]
        {
            assert!(resolve(settings(issuer, "x"), None).unwrap_err().contains(issuer), "{issuer}");
        }
        let sign_in = |url| resolve(settings("https://id.example", "x"), Some(url));
        assert!(sign_in("http://review.example").unwrap_err().contains("http://review.example"));
        assert!(sign_in("https://review.example").is_ok() && sign_in("http://127.0.0.1:3000").is_ok());
    }

    #[test]
    fn the_secret_is_not_shown() {
        let sign_in = resolve(settings("https://id.example", "x"), None).unwrap().unwrap();
        assert_eq!(sign_in.client_secret.as_ref().unwrap().told(), "hush");
        assert!(!format!("{sign_in:?}").contains("hush"));
    }
}
