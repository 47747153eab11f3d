//! How agents come in: whether they must show credentials, whose access tokens are taken, how often they may come, and which
//! proxies are believed.

use std::{fmt, net::IpAddr, num::NonZeroU32, time::Duration};

/// How agents come in.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// Whether `/mcp` wants credentials even where none were made yet.
    pub require_tokens: bool,
    /// Whose access tokens are taken beside our own tokens.
    pub oauth: Option<Oauth>,
    /// How often somebody may come.
    pub rates: Rates,
    /// Whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<Network>,
    /// How long somebody slow is waited for.
    pub patience: Patience,
}

/// How long somebody is waited for. Nobody has to set it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For the head of a request, and for the next one on the same connection.
    pub head: Duration,
    /// For the body of a request, from its head on.
    pub body: Duration,
    /// For whoever takes nothing of what is sent.
    pub reader: Duration,
    /// Until it is seen that the credentials have ended by which an answer is open.
    pub look_again: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { head: seconds(30), body: seconds(60), reader: seconds(60), look_again: seconds(5) }
    }
}

impl Access {
    /// Whether `/mcp` wants credentials whatever tokens were made.
    pub fn wants_credentials(&self) -> bool {
        self.require_tokens || self.oauth.is_some()
    }
}

/// An issuer of access tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Oauth {
    /// As tokens and metadata spell it.
    pub issuer: Issuer,
    /// For whom tokens have to be; `None` for the public URL of `/mcp`.
    pub audience: Option<String>,
}

/// A setting of these that cannot be.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// The issuer is no URL that can be trusted.
    #[error(
        "the issuer `{0}` must be https:// (or http:// on a loopback address) with a host, without query and fragment, spelt as \
         the issuer spells itself"
    )]
    Issuer(String),
    /// An audience alone does nothing.
    #[error("--oauth-audience is `{0}`, and there is no issuer: set --oauth-issuer too, or leave out both")]
    AudienceAlone(String),
    /// A limit that is none.
    #[error(
        "the rate limit `{0}` must be NAME=PER_SECOND/BURST or NAME=off, with a NAME of creations, calls, session, \
         refusals, pages, decisions, sign-ins and person, and whole numbers from 1 to 1000000"
    )]
    Rate(String),
    /// No address.
    #[error("the trusted proxy `{0}` must be an IP address, or a network such as 10.0.0.0/8")]
    Proxy(String),
}

/// Somebody who issues access tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issuer(String);

impl Issuer {
    /// The issuer that `text` names.
    ///
    /// # Errors
    /// What it says could be read or changed on the way.
    pub fn parse(text: &str) -> Result<Self, AccessError> {
        match super::PublicUrl::parse(text) {
            Ok(url) if url.is_https() || url.is_loopback() => Ok(Self(text.to_owned())),
            _ => Err(AccessError::Issuer(text.to_owned())),
        }
    }

    /// As tokens spell it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// So many a second, and so many at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// How many a second, for ever.
    pub per_second: NonZeroU32,
    /// How many at once, after a pause.
    pub burst: NonZeroU32,
}

impl Rate {
    const fn of(per_second: u32, burst: u32) -> Option<Self> {
        match (NonZeroU32::new(per_second), NonZeroU32::new(burst)) {
            (Some(per_second), Some(burst)) => Some(Self { per_second, burst }),
            _ => None,
        }
    }

    /// `PER_SECOND/BURST`, or `off`.
    pub fn parse(text: &str) -> Option<Option<Self>> {
        const MOST: u32 = 1_000_000;
        if text == "off" {
            return Some(None);
        }
        let (per_second, burst) = text.split_once('/')?;
        let number = |text: &str| text.trim().parse().ok().filter(|number| *number <= MOST);
        Self::of(number(per_second)?, number(burst)?).map(Some)
    }

    /// How long one takes.
    pub fn every(self) -> Duration {
        Duration::from_secs(1) / self.per_second.get()
    }
}

/// How often somebody may come; `None` as often as they like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rates {
    /// Requests that one principal makes.
    pub creations: Option<Rate>,
    /// Messages of one principal.
    pub calls: Option<Rate>,
    /// Messages in one session.
    pub session: Option<Rate>,
    /// Answers to one address that it has shown no good credentials.
    pub refusals: Option<Rate>,
    /// Looks at pages, frames and events from one address.
    pub pages: Option<Rate>,
    /// What pages send from one address.
    pub decisions: Option<Rate>,
    /// Beginnings and ends of sign-ins from one address.
    pub sign_ins: Option<Rate>,
    /// Requests of one person's session.
    pub person: Option<Rate>,
}

impl Default for Rates {
    fn default() -> Self {
        Self {
            creations: Rate::of(50, 200),
            calls: Rate::of(500, 1_000),
            session: Rate::of(200, 400),
            refusals: Rate::of(5, 50),
            pages: Rate::of(100, 1_000),
            decisions: Rate::of(100, 1_000),
            sign_ins: Rate::of(5, 50),
            person: Rate::of(20, 200),
        }
    }
}

impl Rates {
    /// The defaults, but where `settings` say otherwise.
    ///
    /// # Errors
    /// One of them is no limit.
    pub fn parse(settings: &[String]) -> Result<Self, AccessError> {
        let mut rates = Self::default();
        for setting in settings {
            let wrong = || AccessError::Rate(setting.clone());
            let (name, rate) = setting.split_once('=').ok_or_else(wrong)?;
            let rate = Rate::parse(rate.trim()).ok_or_else(wrong)?;
            match name.trim() {
                "creations" => rates.creations = rate,
                "calls" => rates.calls = rate,
                "session" => rates.session = rate,
                "refusals" => rates.refusals = rate,
                "pages" => rates.pages = rate,
                "decisions" => rates.decisions = rate,
                "sign-ins" => rates.sign_ins = rate,
                "person" => rates.person = rate,
                _ => return Err(wrong()),
            }
        }
        Ok(rates)
    }
}

/// Addresses that begin alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    length: u32,
}

impl Network {
    /// An address, or `ADDRESS/LENGTH`.
    ///
    /// # Errors
    /// It is neither.
    pub fn parse(text: &str) -> Result<Self, AccessError> {
        let wrong = || AccessError::Proxy(text.to_owned());
        let (address, length) = text.split_once('/').map_or((text, None), |(a, length)| (a, Some(length)));
        let address = address.trim().parse::<IpAddr>().map_err(|_| wrong())?.to_canonical();
        let most = if address.is_ipv4() { 32 } else { 128 };
        let length = length.map_or(Ok(most), |length| length.trim().parse().map_err(|_| wrong()))?;
        if length > most { Err(wrong()) } else { Ok(Self { address, length }) }
    }

    /// Whether an address is one of these.
    pub fn has(&self, address: IpAddr) -> bool {
        let same = |ours: u128, theirs: u128, bits: u32| {
            let left = bits - self.length;
            ours.checked_shr(left).unwrap_or(0) == theirs.checked_shr(left).unwrap_or(0)
        };
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(ours), IpAddr::V4(theirs)) => {
                same(ours.to_bits().into(), theirs.to_bits().into(), 32)
            }
            (IpAddr::V6(ours), IpAddr::V6(theirs)) => same(ours.to_bits(), theirs.to_bits(), 128),
            _ => false,
        }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_changed_by_name() {
        let parse = |settings: &[&str]| {
            Rates::parse(&settings.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(parse(&[]).unwrap(), Rates::default());
        let rates = parse(&["creations=1/5", "refusals=off"]).unwrap();
        assert_eq!((rates.creations, rates.refusals), (Rate::of(1, 5), None));
        assert_eq!(rates.calls, Rates::default().calls);
        for wrong in [
            "creations",
            "creations=1",
            "creations=0/1",
            "creations=1/0",
            "x=1/1",
            "calls=1/9999999",
            "calls=-1/1",
        ] {
            assert!(parse(&[wrong]).unwrap_err().to_string().contains(wrong), "{wrong}");
        }
    }

    #[test]
    fn networks_hold_what_begins_alike() {
        let has =
            |network: &str, address: &str| Network::parse(network).unwrap().has(address.parse().unwrap());
        assert!(has("127.0.0.1", "127.0.0.1") && has("127.0.0.1", "::ffff:127.0.0.1"));
        assert!(!has("127.0.0.1", "127.0.0.2") && !has("127.0.0.1", "::1"));
        assert!(has("10.0.0.0/8", "10.9.8.7") && !has("10.0.0.0/8", "11.0.0.1"));
        assert!(has("0.0.0.0/0", "1.2.3.4") && has("::/0", "2001:db8::1") && !has("::/0", "1.2.3.4"));
        assert!(has("2001:db8::/32", "2001:db8:1::") && !has("2001:db8::/32", "2001:db9::"));
        for wrong in ["", "proxy", "10.0.0.0/33", "::1/129", "10.0.0.0/x", "10.0.0/8"] {
            assert!(Network::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_issuer_is_one_that_nobody_can_imitate() {
        for good in [
            "https://login.example.com",
            "https://login.example.com/realms/x/",
            "http://127.0.0.1:9",
            "http://localhost:9",
        ] {
            assert_eq!(Issuer::parse(good).unwrap().as_str(), good);
        }
        for bad in
            ["http://login.example.com", "login.example.com", "https://x/?q", "https://x/#f", "ftp://x", ""]
        {
            assert!(Issuer::parse(bad).is_err(), "{bad}");
        }
    }
}
