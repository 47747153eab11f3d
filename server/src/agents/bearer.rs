//! What a request shows of credentials: one bearer token in one `Authorization` header (RFC 6750, section 2.1), and no other way.

use http::{HeaderMap, header::AUTHORIZATION};

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

/// What these headers show.
pub fn shown(headers: &HeaderMap) -> Shown<'_> {
    let mut all = headers.get_all(AUTHORIZATION).iter();
    let (Some(one), more) = (all.next(), all.next()) else { return Shown::Nothing };
    if more.is_some() {
        return Shown::TwoThings;
    }
    // Something that is no text is no scheme of anybody.
    let (scheme, token) = one.to_str().unwrap_or_default().split_once(' ').unwrap_or_default();
    if scheme.eq_ignore_ascii_case("bearer") {
        Shown::Bearer(token.trim_matches(' '))
    } else {
        Shown::Nothing
    }
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
