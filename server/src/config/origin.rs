//! An origin whose pages may speak to `/mcp`: a scheme and a host, and a port where that is not the scheme's own.

use super::ConfigError;
use http::Uri;
use std::fmt;

/// An origin as a browser names it, in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    scheme: &'static str,
    host: String,
    port: u16,
}

impl Origin {
    /// The origin that `text` is.
    ///
    /// # Errors
    /// It is none, or more than one: there are no wildcards, and `null` is everybody.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        let wrong = || ConfigError::Origin(text.to_owned());
        let uri: Uri = text.parse().map_err(|_| wrong())?;
        let (scheme, own_port) = match uri.scheme_str() {
            Some("http") => ("http", 80),
            Some("https") => ("https", 443),
            _ => return Err(wrong()),
        };
        let authority = uri.authority().ok_or_else(wrong)?;
        let (host, rest) = (authority.host(), &authority.as_str()[authority.host().len()..]);
        let port = match (rest, authority.port_u16()) {
            ("", _) => own_port,
            (_, Some(port)) => port,
            _ => return Err(wrong()),
        };
        if text.contains(['#', '*', '@']) || host.is_empty() || uri.query().is_some() || uri.path() != "/" {
            return Err(wrong());
        }
        Ok(Self { scheme, host: host.to_ascii_lowercase(), port })
    }

    /// Whether an `Origin` header names this origin.
    pub fn is(&self, header: &str) -> bool {
        Self::parse(header).is_ok_and(|origin| origin == *self)
    }

    /// The origin with its port, written out where it is the scheme's own.
    pub fn with_port(&self) -> String {
        format!("{}://{}:{}", self.scheme, self.host, self.port)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.scheme, self.port) {
            ("http", 80) | ("https", 443) => write!(f, "{}://{}", self.scheme, self.host),
            (scheme, port) => write!(f, "{scheme}://{}:{port}", self.host),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_told_as_browsers_tell_it() {
        for (written, told, with_port) in [
            ("https://App.Example.com", "https://app.example.com", "https://app.example.com:443"),
            ("https://app.example.com:443/", "https://app.example.com", "https://app.example.com:443"),
            ("http://localhost:6274", "http://localhost:6274", "http://localhost:6274"),
            ("http://[::1]:6274", "http://[::1]:6274", "http://[::1]:6274"),
        ] {
            let origin = Origin::parse(written).unwrap();
            assert_eq!((origin.to_string().as_str(), origin.with_port().as_str()), (told, with_port));
            assert!(origin.is(told) && origin.is(with_port));
        }
        let origin = Origin::parse("https://app.example.com").unwrap();
        for other in [
            "http://app.example.com",
            "https://app.example.com:444",
            "https://app.example.com.evil.test",
            "https://evil.test/?https://app.example.com",
            "null",
            "unreadable",
        ] {
            assert!(!origin.is(other), "{other}");
        }
    }

    #[test]
    fn what_is_no_origin_or_more_than_one_is_refused() {
        for wrong in [
            "",
            "*",
            "null",
            "app.example.com",
            "ftp://x",
            "https://*.example.com",
            "https://x/path",
            "https://x/?q",
            "https://x/#f",
            "https://a@x",
            "https://x:",
            "https://x:99999",
            "https://",
        ] {
            assert!(Origin::parse(wrong).is_err(), "{wrong}");
        }
    }
}
