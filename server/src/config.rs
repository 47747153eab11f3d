//! How the server is set up: by flag, by environment, by file, in this order of strength.

mod access;
mod command;
mod file;
mod origin;
mod public_url;
mod sign_in;
mod tokens;

pub use access::{Access, AccessError, Issuer, Network, Oauth, Patience, Rate, Rates};
use clap::Args;
pub use command::{Audit, Cli, Command, Keys, PeopleCommand};
use file::File;
pub use origin::Origin;
pub use public_url::PublicUrl;
pub use sign_in::{Secret, SignIn, SignInSettings};
use std::{net::SocketAddr, path::PathBuf};
pub use tokens::{Create, List, Revoke, Scope, Seconds, TokenCommand};

/// How to serve.
#[derive(Args, Clone, Default)]
pub struct Settings {
    /// The address to listen on [default: 127.0.0.1:3000]
    #[arg(long, env = "SAYSO_LISTEN", value_name = "ADDRESS:PORT")]
    listen: Option<SocketAddr>,
    /// Where requests are kept: sqlite:PATH or postgres://… [default: a SQLite file in the user's data folder]
    #[arg(long, env = "SAYSO_DATABASE_URL", value_name = "URL", hide_env_values = true)]
    database_url: Option<String>,
    /// What reviewers' browsers reach this server by; may carry a path prefix [default: the listen address]
    #[arg(long, env = "SAYSO_PUBLIC_URL", value_name = "URL")]
    public_url: Option<String>,
    /// An origin whose pages may call /mcp, beyond this server's own; more than once, or several with commas [default: none]
    #[arg(long = "allow-origin", env = "SAYSO_ALLOW_ORIGINS", value_name = "ORIGIN", value_delimiter = ',')]
    allow_origins: Vec<String>,
    #[command(flatten)]
    access: AccessSettings,
    /// How people sign in.
    #[command(flatten)]
    sign_in: SignInSettings,
    /// A TOML file with the same keys, with underscores: listen, database_url, public_url, allow_origins, require_tokens,
    /// oauth_issuer, oauth_audience, rate_limits, trusted_proxies, oidc_issuer, oidc_client_id, …
    #[arg(long, env = "SAYSO_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// Mount what the MCP conformance suite asks for; a test build has this, and no other
    #[cfg(feature = "conformance")]
    #[arg(long)]
    conformance: bool,
}

/// How agents come in.
#[derive(Args, Clone, Default)]
struct AccessSettings {
    /// Want credentials at /mcp even before a token was made [default: once the first one was]
    #[arg(long, env = "SAYSO_REQUIRE_TOKENS")]
    require_tokens: bool,
    /// An issuer whose access tokens (OAuth 2.1) are taken at /mcp beside our own tokens [default: none]
    #[arg(long, env = "SAYSO_OAUTH_ISSUER", value_name = "URL")]
    oauth_issuer: Option<String>,
    /// For whom its access tokens have to be [default: the public URL of /mcp]
    #[arg(long, env = "SAYSO_OAUTH_AUDIENCE", value_name = "AUDIENCE")]
    oauth_audience: Option<String>,
    /// How often somebody may come: NAME=PER_SECOND/BURST or NAME=off [default: creations=50/200 calls=500/1000 session=200/400 refusals=5/50 pages=100/1000 decisions=100/1000 sign-ins=5/50 person=20/200]
    #[arg(long = "rate-limit", env = "SAYSO_RATE_LIMITS", value_name = "NAME=RATE", value_delimiter = ',')]
    rate_limits: Vec<String>,
    /// A proxy, or a network of them, whose X-Forwarded-For is believed; more than once, or several with commas [default: none]
    #[arg(
        long = "trusted-proxy",
        env = "SAYSO_TRUSTED_PROXIES",
        value_name = "ADDRESS",
        value_delimiter = ','
    )]
    trusted_proxies: Vec<String>,
}

/// The variables of the environment that are read.
const KNOWN: [&str; 15] = [
    "SAYSO_LISTEN",
    "SAYSO_DATABASE_URL",
    "SAYSO_PUBLIC_URL",
    "SAYSO_ALLOW_ORIGINS",
    "SAYSO_CONFIG",
    "SAYSO_REQUIRE_TOKENS",
    "SAYSO_OAUTH_ISSUER",
    "SAYSO_OAUTH_AUDIENCE",
    "SAYSO_RATE_LIMITS",
    "SAYSO_TRUSTED_PROXIES",
    "SAYSO_OIDC_ISSUER",
    "SAYSO_OIDC_CLIENT_ID",
    "SAYSO_OIDC_CLIENT_SECRET",
    "SAYSO_OIDC_GROUPS_CLAIM",
    "SAYSO_REVIEWER_GROUPS",
];

/// A setting that cannot be.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("the configuration file {}: {error}", path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The file says something else than settings.
    #[error("the configuration file {}: {error}", path.display())]
    Unparsable {
        /// Which file.
        path: PathBuf,
        /// Where and why.
        error: Box<toml::de::Error>,
    },
    /// An environment variable that nobody reads, most likely misspelt.
    #[error(
        "the environment variable {0} is not known; there are {known}", known = KNOWN.join(", ")
    )]
    UnknownVariable(String),
    /// The public URL is none.
    #[error("the public URL `{0}` must be http:// or https:// with a host, without query and fragment")]
    PublicUrl(String),
    /// The origin is none.
    #[error(
        "the allowed origin `{0}` must be http:// or https:// with a host, and a port where it is not the scheme's own; \
         there are no wildcards"
    )]
    Origin(String),
    /// How agents come in cannot be like that.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// Sign-in is set up in part.
    #[error(
        "sign-in is set up in part: {0} is missing; there are --oidc-issuer and --oidc-client-id, and they go together"
    )]
    SignInInPart(&'static str),
    /// The provider is none, or secrets would travel in the clear.
    #[error(
        "the issuer `{0}` must be https:// with a host, without query and fragment; http:// only on a loopback address"
    )]
    Issuer(String),
    /// Cookies would travel in the clear.
    #[error(
        "the public URL {0} is not https://: with sign-in, people's cookies would travel where others can read them; \
         set --public-url to an https:// URL, or to a loopback address"
    )]
    PlainHttp(String),
    /// There is no place to keep a database.
    #[error("no folder for the database: set HOME or XDG_DATA_HOME, or pass --database-url")]
    NoDataFolder,
}

/// The settings as they are in force.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// Where requests are kept.
    pub database_url: String,
    /// What browsers reach this server by; `None` for the address that it really listens on.
    pub public_url: Option<PublicUrl>,
    /// Whether the fixtures of the MCP conformance suite are mounted.
    #[cfg(feature = "conformance")]
    pub conformance: bool,
    /// Whose pages may call `/mcp`, beyond this server's own.
    pub allow_origins: Vec<Origin>,
    /// How agents come in.
    pub access: Access,
    /// By whose word people are known; `None` where the server runs open for one person's own use.
    pub sign_in: Option<SignIn>,
}

impl Config {
    /// Where requests are kept, for commands that need no more than that: what else is set up in part is no concern of theirs.
    ///
    /// # Errors
    /// The file cannot be read, something is unknown, or there is no place for a database.
    pub fn database_url(
        settings: Settings,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<String, ConfigError> {
        let (environment, file) = sources(&settings, environment)?;
        database(settings.database_url.or(file.database_url), &environment)
    }

    /// Puts flags, environment and file together. `environment` is what variables there are.
    ///
    /// # Errors
    /// A setting is wrong, unknown, or unsafe.
    pub fn resolve(
        settings: Settings,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        let (environment, mut file) = sources(&settings, environment)?;
        let sign_in_file = file.sign_in();
        let listen =
            settings.listen.or(file.listen).unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 3000)));
        let access = file.access(settings.access)?;
        let database_url = database(settings.database_url.or(file.database_url), &environment)?;
        let public_url =
            settings.public_url.or(file.public_url).map(|url| PublicUrl::parse(&url)).transpose()?;
        let sign_in = SignIn::resolve(settings.sign_in, sign_in_file, public_url.as_ref())?;
        let origins =
            if settings.allow_origins.is_empty() { file.allow_origins } else { settings.allow_origins };
        let origins = origins.iter().map(|origin| origin.trim()).filter(|origin| !origin.is_empty());
        let allow_origins = origins.map(Origin::parse).collect::<Result<_, _>>()?;
        Ok(Self {
            listen,
            database_url,
            public_url,
            allow_origins,
            access,
            sign_in,
            #[cfg(feature = "conformance")]
            conformance: settings.conformance,
        })
    }
}

/// What is said beside flags: variables, none of them misspelt, and the file.
fn sources(
    settings: &Settings,
    environment: impl IntoIterator<Item = (String, String)>,
) -> Result<(Vec<(String, String)>, File), ConfigError> {
    let environment: Vec<_> = environment.into_iter().collect();
    let misspelt = |name: &str| name.starts_with("SAYSO_") && !KNOWN.contains(&name) && !of_kubernetes(name);
    if let Some((name, _)) = environment.iter().find(|(name, _)| misspelt(name)) {
        return Err(ConfigError::UnknownVariable(name.clone()));
    }
    let file = settings.config.as_deref().map_or_else(|| Ok(File::default()), File::read)?;
    Ok((environment, file))
}

fn database(said: Option<String>, environment: &[(String, String)]) -> Result<String, ConfigError> {
    match said {
        Some(url) => Ok(url),
        None => Ok(format!("sqlite:{}", data_folder(environment)?.join("sayso.db").display())),
    }
}

/// Kubernetes sets variables of these names for a service that is called `sayso`.
fn of_kubernetes(name: &str) -> bool {
    name.starts_with("SAYSO_SERVICE_") || name == "SAYSO_PORT" || name.starts_with("SAYSO_PORT_")
}

fn data_folder(environment: &[(String, String)]) -> Result<PathBuf, ConfigError> {
    let variable = |wanted: &str| {
        environment
            .iter()
            .find(|(name, value)| name == wanted && !value.is_empty())
            .map(|(_, value)| PathBuf::from(value))
    };
    let folder = variable("XDG_DATA_HOME").or_else(|| variable("HOME").map(|home| home.join(".local/share")));
    folder.map(|folder| folder.join("sayso")).ok_or(ConfigError::NoDataFolder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn resolve(settings: Settings, environment: &[(&str, &str)]) -> Result<Config, String> {
        let environment = environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Config::resolve(settings, environment).map_err(|error| error.to_string())
    }

    #[test]
    fn defaults_serve_one_person_on_this_machine() {
        let config = resolve(Settings::default(), &[("HOME", "/home/ann")]).unwrap();
        assert_eq!(config.listen.to_string(), "127.0.0.1:3000");
        assert_eq!(config.database_url, "sqlite:/home/ann/.local/share/sayso/sayso.db");
        assert!(resolve(Settings::default(), &[]).unwrap_err().contains("--database-url"));
    }

    #[test]
    fn what_is_unknown_or_unsafe_is_refused_by_name() {
        assert!(
            resolve(Settings::default(), &[("SAYSO_DATABSE_URL", "x")])
                .unwrap_err()
                .contains("SAYSO_DATABSE_URL")
        );
        let kubernetes =
            [("HOME", "/"), ("SAYSO_PORT", "tcp://10.0.0.1:80"), ("SAYSO_SERVICE_HOST", "10.0.0.1")];
        assert!(resolve(Settings::default(), &kubernetes).is_ok());
        assert!(
            Cli::try_parse_from(["sayso", "--listen", "127.0.0.1:1", "serve"]).is_err(),
            "not dropped in silence"
        );
        let file = std::env::temp_dir().join(format!("sayso-config-{}.toml", std::process::id()));
        std::fs::write(&file, "listen = \"127.0.0.1:4000\"\nlissten = 1").unwrap();
        let settings = Settings { config: Some(file.clone()), ..Settings::default() };
        assert!(resolve(settings.clone(), &[("HOME", "/")]).unwrap_err().contains("lissten"));
        std::fs::write(&file, "listen = \"127.0.0.1:4000\"").unwrap();
        assert_eq!(resolve(settings.clone(), &[("HOME", "/")]).unwrap().listen.port(), 4000);
        let flag = Settings { listen: Some("127.0.0.1:5000".parse().unwrap()), ..settings };
        assert_eq!(resolve(flag, &[("HOME", "/")]).unwrap().listen.port(), 5000);
        std::fs::remove_file(file).unwrap();
    }

    #[test]
    fn the_strongest_list_of_allowed_origins_holds() {
        let home = [("HOME", "/")];
        let file = std::env::temp_dir().join(format!("sayso-origins-{}.toml", std::process::id()));
        std::fs::write(&file, "allow_origins = [\"https://a.example\"]").unwrap();
        let settings = Settings { config: Some(file.clone()), ..Settings::default() };
        let told = |config: Config| config.allow_origins.iter().map(Origin::to_string).collect::<Vec<_>>();
        assert_eq!(told(resolve(settings.clone(), &home).unwrap()), ["https://a.example"]);
        let flags = ["sayso", "--allow-origin", "https://b.example, http://localhost:6274"];
        let flags =
            Cli::try_parse_from(flags.into_iter().chain(["--allow-origin", "https://c.example"])).unwrap();
        let stronger = Settings { allow_origins: flags.settings.allow_origins, ..settings };
        assert_eq!(
            told(resolve(stronger, &home).unwrap()),
            ["https://b.example", "http://localhost:6274", "https://c.example"]
        );
        assert!(resolve(Settings::default(), &home).unwrap().allow_origins.is_empty());
        let wildcard = Settings { allow_origins: vec!["*".to_owned()], ..Settings::default() };
        assert!(resolve(wildcard, &home).unwrap_err().contains("`*`"));
        std::fs::remove_file(file).unwrap();
    }
}
