//! Settings are the same wherever they are said: in the file, in the environment, by flags, and in this order of strength.

use clap::Parser;
use sayso::config::{Cli, Config};
use std::{
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

fn file(folder: &TempDir, text: &str) -> PathBuf {
    let path = folder.path().join("sayso.toml");
    std::fs::write(&path, text).unwrap();
    path
}

fn resolve(arguments: &[&str]) -> Result<Config, String> {
    let cli = Cli::try_parse_from([&["sayso"], arguments].concat()).map_err(|error| error.to_string())?;
    let home = [("HOME".to_owned(), "/home/ann".to_owned())];
    Config::resolve(cli.settings, home).map_err(|error| error.to_string())
}

#[test]
fn a_file_says_what_flags_say() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(
        &folder,
        r#"
        listen = "127.0.0.1:4000"
        database_url = "sqlite:/x.db"
        public_url = "https://review.example.com/sayso"
        allow_origins = ["https://inspector.example", "http://localhost:6274"]
        require_tokens = true
        oauth_issuer = "https://login.example.com/realms/office"
        oauth_audience = "urn:sayso"
        rate_limits = ["creations=1/5", "session=off"]
        trusted_proxies = ["10.0.0.0/8", "::1"]
        oidc_issuer = "https://id.example.com/"
        oidc_client_id = "sayso"
        oidc_client_secret = "hush"
        oidc_groups_claim = "roles"
        reviewer_groups = ["approvers", "finance"]
        "#,
    );
    let by_flags = resolve(&[
        "--listen=127.0.0.1:4000",
        "--database-url=sqlite:/x.db",
        "--public-url=https://review.example.com/sayso",
        "--allow-origin=https://inspector.example,http://localhost:6274",
        "--require-tokens",
        "--oauth-issuer=https://login.example.com/realms/office",
        "--oauth-audience=urn:sayso",
        "--rate-limit=creations=1/5",
        "--rate-limit=session=off",
        "--trusted-proxy=10.0.0.0/8,::1",
        "--oidc-issuer=https://id.example.com/",
        "--oidc-client-id=sayso",
        "--oidc-client-secret=hush",
        "--oidc-groups-claim=roles",
        "--reviewer-group=approvers,finance",
    ])
    .unwrap();
    let by_file = resolve(&["--config", file.to_str().unwrap()]).unwrap();
    // A secret does not show there, so it is compared by itself.
    assert_eq!(format!("{by_file:#?}"), format!("{by_flags:#?}"));
    assert_eq!(by_file.sign_in, by_flags.sign_in);

    let access = by_file.access;
    let oauth = access.oauth.unwrap();
    assert_eq!(oauth.issuer.as_str(), "https://login.example.com/realms/office");
    assert_eq!(oauth.audience.as_deref(), Some("urn:sayso"));
    assert!(access.require_tokens && access.rates.session.is_none());
    assert_eq!(access.rates.creations.unwrap().burst.get(), 5);
    let proxies: Vec<String> = access.trusted_proxies.iter().map(ToString::to_string).collect();
    assert_eq!(proxies, ["10.0.0.0/8", "::1/128"]);
    let sign_in = by_file.sign_in.unwrap();
    assert_eq!(sign_in.client_secret.unwrap().told(), "hush");
    assert_eq!((sign_in.groups_claim.as_str(), sign_in.groups.len()), ("roles", 2));
}

/// What the real program says last, which does not start like this.
fn refused(folder: &Path, variables: &[(&str, &str)], arguments: &[&str]) -> String {
    let mut program = Command::new(env!("CARGO_BIN_EXE_sayso"));
    program.env_clear().env("HOME", folder).envs(variables.iter().copied());
    let output = program.args(["serve", "--listen", "0.0.0.0:0"]).args(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    let last = told.lines().last().unwrap_or_default();
    // Which port it was is chance.
    last.split_once(" can be reached ").map_or(last, |(_, rest)| rest).to_owned()
}

#[test]
fn every_key_has_its_flag_and_its_variable() {
    let folder = tempfile::tempdir().unwrap();
    // What is said alone, or wrongly, is minded alike wherever it stands.
    for (key, toml, flag, value, why) in [
        ("oauth_issuer", "'http://a.example'", "--oauth-issuer", "http://a.example", "`http://a.example`"),
        ("oauth_audience", "'urn:x'", "--oauth-audience", "urn:x", "--oauth-audience is `urn:x`"),
        ("rate_limits", "['calls=many']", "--rate-limit", "calls=many", "`calls=many`"),
        ("trusted_proxies", "['proxy']", "--trusted-proxy", "proxy", "`proxy`"),
        ("allow_origins", "['*']", "--allow-origin", "*", "`*`"),
        ("public_url", "'ftp://x'", "--public-url", "ftp://x", "`ftp://x`"),
        ("database_url", "'mysql://x'", "--database-url", "mysql://x", "mysql://x"),
        (
            "oidc_issuer",
            "'https://id.example'",
            "--oidc-issuer",
            "https://id.example",
            "--oidc-client-id is missing",
        ),
        ("oidc_client_id", "'sayso'", "--oidc-client-id", "sayso", "--oidc-issuer is missing"),
        ("oidc_client_secret", "'hush'", "--oidc-client-secret", "hush", "--oidc-issuer is missing"),
        ("oidc_groups_claim", "'roles'", "--oidc-groups-claim", "roles", "--oidc-issuer is missing"),
        ("reviewer_groups", "['a']", "--reviewer-group", "a", "--oidc-issuer is missing"),
    ] {
        let file = file(&folder, &format!("{key} = {toml}"));
        let by_file = refused(folder.path(), &[], &["--config", file.to_str().unwrap()]);
        assert!(by_file.contains(why), "{key}: {by_file}");
        assert_eq!(refused(folder.path(), &[], &[flag, value]), by_file, "{key}, by flag");
        let variable = format!("SAYSO_{}", key.to_uppercase());
        assert_eq!(refused(folder.path(), &[(&variable, value)], &[]), by_file, "{key}, by variable");
    }
    // Set up, this is missing no longer.
    let file = file(&folder, "require_tokens = true");
    let without = refused(folder.path(), &[], &[]);
    let by_file = refused(folder.path(), &[], &["--config", file.to_str().unwrap()]);
    assert!(without.contains("sayso token create") && !by_file.contains("sayso token create"), "{by_file}");
    assert_eq!(refused(folder.path(), &[], &["--require-tokens"]), by_file);
    assert_eq!(refused(folder.path(), &[("SAYSO_REQUIRE_TOKENS", "true")], &[]), by_file);
    let misspelt = folder.path().join("misspelt.toml");
    std::fs::write(&misspelt, "oauth_isuer = 'https://a.example'").unwrap();
    let told = resolve(&["--config", misspelt.to_str().unwrap()]).unwrap_err();
    assert!(told.contains("oauth_isuer") && told.contains("misspelt.toml"), "{told}");
}

#[test]
fn a_flag_is_stronger_than_a_variable_and_that_than_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(&folder, "oauth_issuer = 'http://file.example'\nrate_limits = ['file=1/1']");
    let (config, flag) = (["--config", file.to_str().unwrap()], ["--oauth-issuer", "http://flag.example"]);
    let variable = [("SAYSO_OAUTH_ISSUER", "http://variable.example")];
    assert!(refused(folder.path(), &[], &config).contains("http://file.example"));
    assert!(refused(folder.path(), &variable, &config).contains("http://variable.example"));
    assert!(refused(folder.path(), &variable, &[config, flag].concat()).contains("http://flag.example"));
    let good = ["--oauth-issuer", "https://flag.example"];
    let told = refused(folder.path(), &[], &[config, good].concat());
    assert!(told.contains("`file=1/1`"), "what no flag says is the file's: {told}");
    let limit = ["--rate-limit", "flag=1/1"];
    let told = refused(folder.path(), &[], &[&config[..], &good, &limit].concat());
    assert!(told.contains("`flag=1/1`"), "{told}");
}

#[test]
fn commands_want_the_database_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let list = |variables: &[(&str, &str)]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_sayso"));
        program.env_clear().env("HOME", folder.path()).envs(variables.iter().copied());
        let output = program.args(["token", "list"]).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    // As in the shell in which the server is started with the rest by flags.
    let (code, told) =
        list(&[("SAYSO_OIDC_CLIENT_SECRET", "hush"), ("SAYSO_PUBLIC_URL", "http://x.example")]);
    assert_eq!(code, Some(0), "{told}");
    let (code, told) = list(&[("SAYSO_DATABSE_URL", "x")]);
    assert!(code == Some(1) && told.contains("SAYSO_DATABSE_URL"), "{told}");
    let (code, told) = list(&[("SAYSO_DATABASE_URL", "mysql://x")]);
    assert!(code == Some(1) && told.contains("mysql://x"), "{told}");
}
