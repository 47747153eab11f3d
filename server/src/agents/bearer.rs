//! What a request shows of credentials: one bearer token in one `Authorization` header (RFC 6750, section 2.1), and no other way.

use http::{HeaderMap, HeaderValue, header::AUTHORIZATION};

/// What is shown.
#[derive(Debug, PartialEq, Eq)]
pub enum Shown<'a> {
    /// Nothing that is meant for us.
    Nothing,
    /// More than one thing: which one is meant?
    TwoThings,
    /// This.
    Bearer(&'a str),
}

/// Every bearer token that these headers show, whether that is allowed or not.
pub fn all(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    headers.get_all(AUTHORIZATION).iter().filter_map(bearer)
}

/// The token of one header.
fn bearer(header: &HeaderValue) -> Option<&str> {
    // Something that is no text is no scheme of anybody.
    let (scheme, token) = header.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim_matches(' '))
}

/// What these headers show.
pub fn shown(headers: &HeaderMap) -> Shown<'_> {
    let mut all = headers.get_all(AUTHORIZATION).iter();
    let (Some(one), more) = (all.next(), all.next()) else { return Shown::Nothing };
    if more.is_some() {
        return Shown::TwoThings;
    }
    bearer(one).map_or(Shown::Nothing, Shown::Bearer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(values: &[&str]) -> HeaderMap {
        values.iter().map(|value| (AUTHORIZATION, value.parse().unwrap())).collect()
    }

    #[test]
    fn one_bearer_in_one_header() {
        for text in ["Bearer x", "bearer x", "BEARER  x ", "bEaReR x"] {
            assert_eq!(shown(&headers(&[text])), Shown::Bearer("x"), "{text}");
        }
        for text in ["", "x", "Bearer", "Basic x", "Bearerx", "Bearer\tx"] {
            assert_eq!(shown(&headers(&[text])), Shown::Nothing, "{text}");
        }
        assert_eq!(shown(&headers(&[])), Shown::Nothing);
        assert_eq!(shown(&headers(&["Bearer x", "Bearer x"])), Shown::TwoThings);
        assert_eq!(shown(&headers(&["Bearer x y"])), Shown::Bearer("x y"));
    }
}
