//! Whether a server is one person's own, or others can reach it: then nobody may come in by nobody's leave.

use crate::config::PublicUrl;
use std::net::SocketAddr;

/// Who can reach the server, and who is known there.
pub struct Setup {
    /// The address that it listens on.
    pub listen: SocketAddr,
    /// What it is reached by, behind a proxy perhaps.
    pub public_url: PublicUrl,
    /// Whether agents have to show credentials.
    pub has_agents: bool,
    /// Whether reviewers have to sign in.
    pub has_sign_in: bool,
}

/// What is missing where others can reach the server.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("refusing to start: {reach}, and so others than you; {missing}; or {alone}")]
pub struct OpenToOthers {
    reach: String,
    missing: String,
    alone: &'static str,
}

impl Setup {
    /// Whether it is reached from this machine only.
    fn is_alone(&self) -> bool {
        self.listen.ip().to_canonical().is_loopback() && self.public_url.is_loopback()
    }

    /// Holds that others are let in only where it is known who they are.
    ///
    /// # Errors
    /// Something is missing for that.
    pub fn check(&self) -> Result<(), OpenToOthers> {
        const AGENTS: &str = "agents have no credentials: make a token with `sayso token create --name NAME`, or set --oauth-issuer";
        const REVIEWERS: &str =
            "reviewers cannot sign in: set up sign-in, without which everybody could decide";
        let missing = match (self.has_agents, self.has_sign_in) {
            _ if self.is_alone() => return Ok(()),
            (true, true) => return Ok(()),
            (false, true) => AGENTS.to_owned(),
            (true, false) => REVIEWERS.to_owned(),
            (false, false) => format!("{AGENTS}; {REVIEWERS}"),
        };
        let (reach, alone) = if self.listen.ip().to_canonical().is_loopback() {
            let reach = format!("the public URL {} is not of this machine alone", self.public_url);
            (reach, "leave out --public-url")
        } else {
            let reach = format!("{} can be reached from other machines", self.listen);
            (reach, "listen on a loopback address such as 127.0.0.1:3000")
        };
        Err(OpenToOthers { reach, missing, alone })
    }

    /// What is said at the start of who may do what.
    pub fn told(&self) -> Vec<&'static str> {
        match (self.has_agents, self.has_sign_in) {
            (false, false) => {
                vec!["running open for one person's own use: everybody on this machine can ask and decide"]
            }
            (true, false) => vec![
                "agents have to show credentials",
                "running without sign-in for one person's own use: everybody on this machine can decide",
            ],
            (false, true) => {
                vec!["everybody on this machine can ask: no token was made yet", "reviewers have to sign in"]
            }
            (true, true) => vec!["agents have to show credentials, and reviewers to sign in"],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(listen: &str, url: Option<&str>, has_agents: bool, has_sign_in: bool) -> Result<(), String> {
        let listen = listen.parse().unwrap();
        let public_url = url.map_or_else(|| PublicUrl::of(listen), |url| PublicUrl::parse(url).unwrap());
        Setup { listen, public_url, has_agents, has_sign_in }.check().map_err(|error| error.to_string())
    }

    #[test]
    fn one_person_alone_needs_nothing() {
        for listen in ["127.0.0.1:3000", "[::1]:3000", "127.9.9.9:1"] {
            assert_eq!(check(listen, None, false, false), Ok(()));
        }
        for url in
            ["http://localhost:3000/x", "http://sayso.localhost", "https://[::1]:3000", "http://127.0.0.1"]
        {
            assert_eq!(check("127.0.0.1:3000", Some(url), false, false), Ok(()), "{url}");
        }
    }

    #[test]
    fn where_others_come_it_is_said_what_is_missing() {
        for (listen, url, named) in [
            ("0.0.0.0:80", None, "0.0.0.0:80"),
            ("[::]:80", Some("http://localhost"), "[::]:80"),
            ("192.0.2.1:80", None, "192.0.2.1:80"),
            ("127.0.0.1:3000", Some("https://review.example.com/x"), "https://review.example.com/x"),
            ("127.0.0.1:3000", Some("http://localhost.example.com"), "--public-url"),
        ] {
            let both = check(listen, url, false, false).unwrap_err();
            assert!(
                both.contains(named) && both.contains("sayso token create") && both.contains("sign-in"),
                "{both}"
            );
            let agents = check(listen, url, false, true).unwrap_err();
            assert!(agents.contains("sayso token create") && !agents.contains("sign-in"), "{agents}");
            let reviewers = check(listen, url, true, false).unwrap_err();
            assert!(
                !reviewers.contains("sayso token create") && reviewers.contains("sign-in"),
                "{reviewers}"
            );
            assert_eq!(check(listen, url, true, true), Ok(()));
        }
    }
}
