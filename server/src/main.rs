//! The `sayso` binary: reads its settings, listens, serves until it is told to stop.

use clap::Parser;
use sayso::{
    agents::command,
    audit::{Heads, verify::verify},
    chance::Chance,
    clock::SystemClock,
    config::{Audit, Cli, Command, Config, Keys, PeopleCommand, Settings, TokenCommand},
    signing::Signer,
    store::{Store, backup::backup},
    telemetry,
    token::Tokens,
};
use sayso_domain::{
    Clock, ReviewId,
    audit::{Actor, Door, Entry, Event, Via},
};
use std::{process::ExitCode, sync::Arc};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
};
use tokio_util::sync::CancellationToken;

/// What one thread allocates is often freed by another, where the C library's allocator has them wait for each other.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

#[tokio::main]
async fn main() -> ExitCode {
    let cli = Cli::parse();
    telemetry::start();
    // What speaks TLS asks for it by itself; that there is one already is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    match run(cli).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sayso: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(cli: Cli) -> Result<(), Box<dyn std::error::Error>> {
    let settings = match cli.command {
        Some(Command::Serve(settings)) => settings,
        Some(Command::Keys(Keys::Rotate(settings))) => return rotate(settings).await,
        Some(Command::Keys(Keys::RotateSigning(settings))) => return rotate_signing(settings).await,
        Some(Command::Audit(Audit::Export { review, settings })) => return export(review, *settings).await,
        Some(Command::Audit(Audit::Verify { file, head, keys })) => {
            println!("{}", verify(&file, head.as_deref(), keys.as_deref())?);
            return Ok(());
        }
        Some(Command::Backup { file, settings }) => {
            let database_url = Config::database_url(*settings, environment())?;
            backup(&database_url, &file).await?;
            println!(
                "the database is in {}, its signing key included: keep it as private as the database",
                file.display()
            );
            return Ok(());
        }
        Some(Command::Token(command)) => return tokens(&command).await,
        Some(Command::People(PeopleCommand::SignOutAll(settings))) => return sign_out_all(settings).await,
        None => cli.settings,
    };
    let config = Config::resolve(settings, environment())?;
    let listener = TcpListener::bind(config.listen)
        .await
        .map_err(|error| format!("listening on {}: {error}", config.listen))?;
    let stopping = CancellationToken::new();
    tokio::spawn(stop_on_signal(stopping.clone())?);
    sayso::serve(config, Arc::new(SystemClock), Arc::new(Chance::from_system()), listener, stopping).await?;
    Ok(())
}

/// Makes a new key for receipts and heads in the database of the settings.
async fn rotate_signing(settings: Settings) -> Result<(), Box<dyn std::error::Error>> {
    let database_url = Config::database_url(settings, environment())?;
    let chance = Arc::new(Chance::from_system());
    let store = Store::open(&database_url, Arc::clone(&chance)).await?;
    let kid = Signer::rotate(&store, &chance, SystemClock.now()).await?;
    store.shut().await;
    println!("receipts and the audit trail are signed with key {kid} by servers that start from now on");
    Ok(())
}

/// Makes a new signing key in the database of the settings.
async fn rotate(settings: Settings) -> Result<(), Box<dyn std::error::Error>> {
    let database_url = Config::database_url(settings, environment())?;
    let chance = Arc::new(Chance::from_system());
    let store = Store::open(&database_url, Arc::clone(&chance)).await?;
    let key = Tokens::new(store.clone(), chance).rotate(SystemClock.now()).await?;
    store.shut().await;
    println!("signing with key {}", key.id);
    Ok(())
}

/// Writes the audit trail of the database of the settings to standard output.
async fn export(review: Option<ReviewId>, settings: Settings) -> Result<(), Box<dyn std::error::Error>> {
    let database_url = Config::database_url(settings, environment())?;
    if let Some(path) = database_url.strip_prefix("sqlite:")
        && !std::path::Path::new(path.strip_prefix("//").unwrap_or(path)).exists()
    {
        return Err(format!("there is no database {path}").into());
    }
    let chance = Arc::new(Chance::from_system());
    let store = Store::open(&database_url, Arc::clone(&chance)).await?;
    let signer = Signer::open(&store, &chance, SystemClock.now()).await?;
    let heads = Heads::new(store.clone(), signer, Arc::new(SystemClock));
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    match review {
        Some(id) => heads.export_one(id, &mut out).await?,
        None => heads.export(&mut out).await?,
    }
    store.shut().await;
    Ok(())
}

/// Makes, lists or revokes agents' tokens in the database of the settings.
async fn tokens(command: &TokenCommand) -> Result<(), Box<dyn std::error::Error>> {
    let database_url = Config::database_url(command.settings().clone(), environment())?;
    let chance = Arc::new(Chance::from_system());
    let (store, now) = (Store::open(&database_url, Arc::clone(&chance)).await?, SystemClock.now());
    let done = match command {
        TokenCommand::Create(what) => command::create(&store, &chance, what, now).await.map(|made| {
            // What is to be kept goes one way and what is to be read the other, so that a script can take the token.
            println!("{}", made.secret.reveal());
            eprintln!("{}", command::told(&made));
        }),
        TokenCommand::List(what) => command::list(&store, what, now).await.map(|told| print!("{told}")),
        TokenCommand::Revoke(what) => command::revoke(&store, what, now).await.map(|revoked| {
            for token in revoked {
                println!("revoked {} of {}", token.id, token.name);
            }
        }),
    };
    store.shut().await;
    Ok(done?)
}

/// Ends every person's session in the database of the settings.
async fn sign_out_all(settings: Settings) -> Result<(), Box<dyn std::error::Error>> {
    let database_url = Config::database_url(settings, environment())?;
    let chance = Arc::new(Chance::from_system());
    let store = Store::open(&database_url, Arc::clone(&chance)).await?;
    let ended = store.end_all_person_sessions().await?;
    let entry = Entry {
        review: None,
        at: SystemClock.now(),
        actor: Actor::System,
        via: Via { door: Door::Command, address: None },
        event: Event::EverybodySignedOut,
    };
    store.record(&entry).await?;
    store.shut().await;
    println!("{ended} sessions ended");
    Ok(())
}

/// The variables that can be read; one that is no text can be none of ours.
fn environment() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
}

/// Cancels the token at the first SIGTERM or SIGINT.
fn stop_on_signal(stopping: CancellationToken) -> std::io::Result<impl Future<Output = ()>> {
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        stopping.cancel();
    })
}
