//! The two cookies: a person's session, and a sign-in that is under way.
//!
//! Over https their names begin with `__Host-`, which browsers take from this host only, encrypted, for every path. Over plain
//! http, on this machine only, browsers would not take such names.

use crate::config::PublicUrl;
use http::{HeaderMap, HeaderValue, header};

/// What the cookies are called here.
pub(super) struct Cookies {
    session: &'static str,
    pending: &'static str,
    secure: &'static str,
}

impl Cookies {
    pub(super) fn of(public_url: &PublicUrl) -> Self {
        if public_url.is_https() {
            Self { session: "__Host-sayso", pending: "__Host-sayso-sign-in", secure: "; Secure" }
        } else {
            Self { session: "sayso", pending: "sayso-sign-in", secure: "" }
        }
    }

    /// What names the session that a browser carries: 64 hexadecimal digits, or it is none.
    pub(super) fn session(&self, headers: &HeaderMap) -> Option<String> {
        let carried = carried(headers, self.session)?;
        (carried.len() == 64 && carried.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .then(|| carried.to_owned())
    }

    /// The sign-in that a browser carries.
    pub(super) fn carried_pending(&self, headers: &HeaderMap) -> Option<String> {
        carried(headers, self.pending).map(str::to_owned)
    }

    pub(super) fn new_session(&self, value: &str, life: i64) -> HeaderValue {
        self.set(self.session, value, life)
    }

    pub(super) fn pending(&self, value: &str, life: i64) -> HeaderValue {
        self.set(self.pending, value, life)
    }

    fn set(&self, name: &str, value: &str, life: i64) -> HeaderValue {
        let (secure, seconds) = (self.secure, life / 1000);
        // Lax: it travels with a link from a chat or from the provider, and with nothing that another site sends.
        format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}")
            .parse()
            .expect("names and values are of ASCII letters, digits and a few signs")
    }
}

fn carried<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(found, _)| *found == name)
        .map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_flags_depend_on_whether_it_is_encrypted() {
        let of = |url: &str| Cookies::of(&PublicUrl::parse(url).unwrap());
        let set = |cookies: Cookies| cookies.new_session("v", 86_400_000);
        assert_eq!(
            set(of("https://review.example/sayso")),
            "__Host-sayso=v; Path=/; Max-Age=86400; HttpOnly; SameSite=Lax; Secure"
        );
        assert_eq!(
            set(of("http://127.0.0.1:3000")),
            "sayso=v; Path=/; Max-Age=86400; HttpOnly; SameSite=Lax"
        );
    }

    #[test]
    fn a_session_is_read_among_others_and_nothing_else_is_one() {
        let cookies = Cookies::of(&PublicUrl::parse("https://review.example").unwrap());
        let carried = |cookie: &str| {
            let headers = [(header::COOKIE, cookie.parse().unwrap())].into_iter().collect();
            cookies.session(&headers)
        };
        let good = "a1".repeat(32);
        assert_eq!(carried(&format!("x=y; __Host-sayso={good}; z")), Some(good.clone()));
        assert_eq!(carried(&format!("sayso={good}")), None, "it could come from another host");
        assert_eq!(carried(&format!("__Host-sayso={}", &good[1..])), None);
        assert_eq!(carried(&format!("__Host-sayso={}g", &good[1..])), None);
    }
}
