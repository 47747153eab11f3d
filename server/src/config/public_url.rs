//! `PublicUrl`: what browsers and agents reach this server by, and what follows from it.

use super::ConfigError;
use http::{Uri, uri::Authority};
use sayso_domain::ReviewId;
use std::{
    fmt,
    net::{IpAddr, SocketAddr},
};

/// What reviewers' browsers reach this server by, without a slash at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    scheme: String,
    authority: String,
    path: String,
}

impl PublicUrl {
    /// The URL that `text` is.
    ///
    /// # Errors
    /// It is none that a browser could use.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        let wrong = || ConfigError::PublicUrl(text.to_owned());
        let uri: Uri = text.parse().map_err(|_| wrong())?;
        let (Some(scheme @ ("http" | "https")), Some(authority), None) =
            (uri.scheme_str(), uri.authority(), uri.query())
        else {
            return Err(wrong());
        };
        if text.contains('#') || authority.as_str().contains('@') || authority.host().is_empty() {
            return Err(wrong());
        }
        Ok(Self {
            scheme: scheme.to_owned(),
            authority: authority.to_string(),
            path: uri.path().trim_end_matches('/').to_owned(),
        })
    }

    /// The URL of a server that listens on this address and that nobody named otherwise.
    pub fn of(address: SocketAddr) -> Self {
        Self { scheme: "http".to_owned(), authority: address.to_string(), path: String::new() }
    }

    /// The page on which a request is decided.
    pub fn review(&self, id: ReviewId) -> String {
        format!("{self}/review?elicitationId={id}")
    }

    /// What stands between the host and every path of this server: empty, or `/prefix`.
    pub fn prefix(&self) -> &str {
        &self.path
    }

    /// Whether what travels there is encrypted.
    pub fn is_https(&self) -> bool {
        self.scheme == "https"
    }

    /// The host, without its port.
    pub fn host(&self) -> &str {
        match self.authority.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
            _ => &self.authority,
        }
    }

    /// Scheme and host, as a browser names an origin.
    pub fn origin(&self) -> String {
        format!("{}://{}", self.scheme, self.authority)
    }

    /// The origin with its port, written out where it is the scheme's own.
    pub fn origin_with_port(&self) -> String {
        match self.authority.rsplit_once(':') {
            Some((_, port)) if port.bytes().all(|b| b.is_ascii_digit()) => self.origin(),
            _ => format!("{}:{}", self.origin(), if self.scheme == "https" { 443 } else { 80 }),
        }
    }

    /// Whether only programs on this machine can mean this server by it.
    pub fn is_loopback(&self) -> bool {
        let uri: Option<Authority> = self.authority.parse().ok();
        let host = uri.as_ref().map_or("", Authority::host).trim_end_matches('.');
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        match host.parse::<IpAddr>() {
            Ok(address) => address.to_canonical().is_loopback(),
            Err(_) => {
                let host = host.to_ascii_lowercase();
                host == "localhost" || host.ends_with(".localhost")
            }
        }
    }

    /// The host names by which this server answers: its public one, and the loopback ones of its port.
    pub fn hosts(&self, listen: SocketAddr) -> Vec<String> {
        let port = listen.port();
        let ip = match listen.ip() {
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        };
        vec![
            self.authority.clone(),
            format!("{ip}:{port}"),
            format!("localhost:{port}"),
            format!("127.0.0.1:{port}"),
            format!("[::1]:{port}"),
        ]
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}{}", self.scheme, self.authority, self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_urls() {
        let url = PublicUrl::parse("https://review.example.com/sayso/").unwrap();
        assert_eq!(
            url.review(ReviewId::from_bits(1)),
            "https://review.example.com/sayso/review?elicitationId=00000000000000000000000000000001"
        );
        assert_eq!((url.prefix(), url.origin().as_str()), ("/sayso", "https://review.example.com"));
        assert_eq!(url.origin_with_port(), "https://review.example.com:443");
        for wrong in
            ["review.example.com", "ftp://x", "https://a@b", "https://x/?q", "https://x/#f", "", "https://"]
        {
            assert!(PublicUrl::parse(wrong).is_err(), "{wrong}");
        }
    }
}
