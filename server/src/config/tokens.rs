//! `sayso token …`: what may be said on the command line.

use super::Settings;
use clap::{Args, Subcommand, ValueEnum};

/// What to do with agents' tokens. Each takes the options of `serve` that say where the database is.
#[derive(Subcommand)]
pub enum TokenCommand {
    /// Make a token for an agent, and tell it once, on standard output.
    Create(Create),
    /// List all tokens that were ever made, without their secrets.
    List(List),
    /// Revoke a token, on all servers at once.
    Revoke(Revoke),
}

impl TokenCommand {
    /// The settings that were given with it.
    pub fn settings(&self) -> &Settings {
        match self {
            Self::Create(Create { settings, .. })
            | Self::List(List { settings, .. })
            | Self::Revoke(Revoke { settings, .. }) => settings,
        }
    }
}

/// A token to make.
#[derive(Args, Default)]
pub struct Create {
    /// Whose it is; requests belong to this name: small letters, digits, `.`, `-` and `_`
    #[arg(long)]
    pub name: String,
    /// What it is good for; more than once [default: both]
    #[arg(long, value_enum, value_delimiter = ',')]
    pub scope: Vec<Scope>,
    /// How long it is good, such as 90d, 12h or 30m [default: until it is revoked]
    #[arg(long, value_name = "DURATION", value_parser = Seconds::parse)]
    pub expires_in: Option<Seconds>,
    /// Make it though the name has one already, which ends then
    #[arg(long)]
    pub rotate: bool,
    /// How long the old one goes on beside it; 0s for not at all
    #[arg(long, value_name = "DURATION", value_parser = Seconds::parse, default_value = "1h", requires = "rotate")]
    pub overlap: Seconds,
    /// Where the database is.
    #[command(flatten)]
    pub settings: Settings,
}

/// How to list tokens.
#[derive(Args, Default)]
pub struct List {
    /// As JSON
    #[arg(long)]
    pub json: bool,
    /// Where the database is.
    #[command(flatten)]
    pub settings: Settings,
}

/// Tokens to revoke.
#[derive(Args, Default)]
pub struct Revoke {
    /// All tokens of this name, or the one of this id
    #[arg(value_name = "NAME|ID")]
    pub which: String,
    /// Where the database is.
    #[command(flatten)]
    pub settings: Settings,
}

/// What a token is good for. There is nothing by which an agent could decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Scope {
    /// To make requests, and to take them back
    Ask,
    /// To wait for its requests, to see how they stand and to fetch what was decided
    Read,
}

impl Scope {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Ask, Self::Read];

    /// As a token's scopes name it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Read => "read",
        }
    }

    /// As the scopes of an access token name it.
    pub fn of_issuer(self) -> &'static str {
        match self {
            Self::Ask => "sayso:ask",
            Self::Read => "sayso:read",
        }
    }
}

/// A number of seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seconds(pub u64);

impl Seconds {
    /// What `90d`, `12h`, `30m` or `45s` is; at most a hundred years.
    ///
    /// # Errors
    /// It is none of these.
    pub fn parse(text: &str) -> Result<Self, String> {
        const MOST: u64 = 36_500 * 86_400;
        let wrong =
            || format!("`{text}` must be a whole number and d, h, m or s, such as 90d; at most 36500d");
        let unit = match text.chars().last() {
            Some('d') => 86_400,
            Some('h') => 3_600,
            Some('m') => 60,
            Some('s') => 1,
            _ => return Err(wrong()),
        };
        let number: u64 = text[..text.len() - 1].parse().map_err(|_| wrong())?;
        number.checked_mul(unit).filter(|seconds| *seconds <= MOST).map(Self).ok_or_else(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        for (text, seconds) in [("90d", 7_776_000), ("12h", 43_200), ("30m", 1_800), ("0s", 0)] {
            assert_eq!(Seconds::parse(text), Ok(Seconds(seconds)));
        }
        for wrong in ["", "d", "90", "-1d", "1.5h", "90 d", "1w", "99999999d", "18446744073709551615d", "1é"]
        {
            assert!(Seconds::parse(wrong).unwrap_err().contains("90d"), "{wrong}");
        }
    }
}
