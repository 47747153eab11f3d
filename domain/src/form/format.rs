//! The formats of a text: `uri`, `email`, `date`, `date-time`.

use crate::{
    calendar::{Date, DateTime},
    wire::wire_enum,
};
use serde::Serialize;
use std::net::Ipv6Addr;

/// What a text must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// An absolute URI (RFC 3986).
    Uri,
    /// An e-mail address in its plain form: a dotted local part, `@`, a host name.
    Email,
    /// A day, `YYYY-MM-DD`.
    Date,
    /// An instant with its offset (RFC 3339).
    DateTime,
}

wire_enum!(Format { "uri" => Uri, "email" => Email, "date" => Date, "date-time" => DateTime });

impl Format {
    /// All of them, by the names that JSON Schema gives them.
    pub const ALL: [(&'static str, Self); 4] =
        [("uri", Self::Uri), ("email", Self::Email), ("date", Self::Date), ("date-time", Self::DateTime)];

    /// Whether `text` is in this format.
    pub fn admits(self, text: &str) -> bool {
        match self {
            Self::Uri => is_uri(text),
            Self::Email => is_email(text),
            Self::Date => Date::parse(text).is_some(),
            Self::DateTime => DateTime::parse(text).is_some(),
        }
    }

    /// What a text in this format is, with an example.
    pub fn words(self) -> &'static str {
        match self {
            Self::Uri => "a full web address such as https://example.com/page",
            Self::Email => "an e-mail address such as name@example.com",
            Self::Date => "a date such as 2026-07-16",
            Self::DateTime => "a date and time with its offset such as 2026-07-16T12:00:00Z",
        }
    }
}

/// RFC 3986, `URI = scheme ":" hier-part [ "?" query ] [ "#" fragment ]`.
fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else {
        return false;
    };
    let named = scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
    if !scheme.starts_with(|c: char| c.is_ascii_alphabetic()) || !named {
        return false;
    }
    let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let (hier, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (authority, path) = match hier.strip_prefix("//") {
        Some(after) => after.split_at(after.find('/').unwrap_or(after.len())),
        None => ("", hier),
    };
    is_authority(authority) && made_of(path, b":@/") && made_of(query, b":@/?") && made_of(fragment, b":@/?")
}

fn is_authority(text: &str) -> bool {
    let (user, host_port) = text.split_once('@').unwrap_or(("", text));
    let (host, port) = match host_port.strip_prefix('[') {
        Some(literal) => match literal.split_once(']') {
            Some((address, port)) if address.parse::<Ipv6Addr>().is_ok() => ("", port),
            _ => return false,
        },
        None => host_port.split_at(host_port.find(':').unwrap_or(host_port.len())),
    };
    let port = port.is_empty()
        || port.strip_prefix(':').is_some_and(|port| port.bytes().all(|b| b.is_ascii_digit()));
    made_of(user, b":") && made_of(host, b"") && port
}

/// Whether a text holds unreserved characters, sub-delimiters, whole percent-encodings, and `more` alone.
fn made_of(text: &str, more: &[u8]) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().all(|(at, b)| match b {
        b'%' => bytes.get(at + 1..at + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)),
        _ => b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(b) || more.contains(b),
    })
}

/// A dot-atom of at most 64 characters, `@`, and a host name of at most 253.
fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else {
        return false;
    };
    let atom = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&b))
    };
    let label = |part: &str| {
        let bytes = part.as_bytes();
        matches!(bytes.len(), 1..=63)
            && bytes.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'-')
            && bytes[0] != b'-'
            && bytes[bytes.len() - 1] != b'-'
            && bytes.get(2..4) != Some(b"--")
    };
    local.len() <= 64 && local.split('.').all(atom) && domain.len() <= 253 && domain.split('.').all(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for uri in [
            "https://www.northmarkstrategies.com/",
            "mailto:a@b.example",
            "urn:isbn:0451450523",
            "http://[::1]:3000/a?b#c",
            "ftp://u:p@h:/%7Ea",
            "a:",
        ] {
            assert!(Format::Uri.admits(uri), "{uri}");
        }
        for wrong in [
            "",
            "www.example.com",
            "/path",
            "http://a b",
            "1a:b",
            "http://[::1",
            "http://h:x/",
            "a:%zz",
            "a:b#c#d",
            "http://é.example/",
        ] {
            assert!(!Format::Uri.admits(wrong), "{wrong}");
        }
        for email in ["a@b", "first.last+tag@mail.example.com", "o'neill@x-y.example"] {
            assert!(Format::Email.admits(email), "{email}");
        }
        for wrong in ["", "a", "@b", "a@", "a@b@c", ".a@b", "a..b@c", "a@-b", "a@b..c", "A <a@b>", "a b@c"] {
            assert!(!Format::Email.admits(wrong), "{wrong}");
        }
    }
}
