//! The server of Sayso: agents' tools over MCP, reviewers' pages, and the store between them.
//!
//! `main → lib → router → agents → {mcp, pages} → render → reviewers → reviews → {store, bell} → domain`; arrows never
//! point up.

pub mod agents;
pub mod armour;
pub mod audit;
pub mod bell;
pub mod chance;
pub mod clock;
pub mod config;
pub mod connections;
pub mod crowd;
pub mod digest;
pub mod guard;
pub mod limits;
pub mod mcp;
pub mod metrics;
pub mod pages;
pub mod proof;
pub mod pulse;
pub mod render;
pub mod reviewers;
pub mod reviews;
pub mod router;
pub mod signing;
pub mod site;
pub mod store;
pub mod streams;
pub mod sweeper;
pub mod telemetry;
pub mod token;

use agents::{
    Agents,
    alone::{OpenToOthers, Setup},
};
use audit::Heads;
use chance::Chance;
use config::{Config, PublicUrl};
use crowd::Crowd;
use guard::Ours;
use mcp::{Tools, sessions::Sessions};
use metrics::Metrics;
use pages::Pages;
use proof::Proofs;
use render::{Renderer, frame::Frames, options::frame::Options};
use reviewers::People;
use reviews::Reviews;
use router::Doors;
use sayso_domain::Clock;
use signing::Signer;
use std::{sync::Arc, time::Duration};
use store::{Store, StoreError};
use token::Tokens;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Why the server stopped, other than being told to.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The store could not be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The threads that render templates could not be started.
    #[error("starting the threads that render templates: {0}")]
    Rendering(std::io::Error),
    /// There is an issuer of access tokens, and nothing can be fetched from it.
    #[error("setting up to fetch the keys of --oauth-issuer: {0}")]
    Fetching(reqwest::Error),
    /// Others than whoever sits at this machine would be let in by nobody's leave.
    #[error(transparent)]
    OpenToOthers(#[from] OpenToOthers),
    /// The listener failed.
    #[error("listening: {0}")]
    Listening(#[from] std::io::Error),
}

/// Serves on `listener` until `stopping` is cancelled, then ends what is running: waiters are answered `pending` at
/// once, everything else gets a few seconds.
///
/// # Errors
/// The store cannot be opened, or the listener fails.
pub async fn serve(
    config: Config,
    clock: Arc<dyn Clock>,
    chance: Arc<Chance>,
    listener: TcpListener,
    stopping: CancellationToken,
) -> Result<(), ServeError> {
    const GRACE: Duration = Duration::from_secs(8);
    let address = listener.local_addr()?;
    let public_url = config.public_url.clone().unwrap_or_else(|| PublicUrl::of(address));
    let hosts = public_url.hosts(address);
    let store = Store::open(&config.database_url, Arc::clone(&chance)).await?;
    let signer = Signer::open(&store, &chance, clock.now()).await?;
    let proofs = Proofs::new(signer.clone(), &public_url);
    let heads = Heads::new(store.clone(), signer, Arc::clone(&clock));
    let setup = Setup {
        listen: address,
        public_url: public_url.clone(),
        has_agents: config.access.wants_credentials() || store.has_live_tokens(clock.now()).await?,
        has_sign_in: config.sign_in.is_some(),
    };
    setup.check()?;
    let reviews = Reviews::new(store.clone(), Arc::clone(&clock), Arc::clone(&chance), stopping.clone());
    let renderer = Renderer::start().map_err(ServeError::Rendering)?;
    let sweeper = tokio::spawn(sweeper::run(reviews.clone(), stopping.clone()));
    let pulse = tokio::spawn(pulse::run(store.clone(), Arc::clone(&clock), stopping.clone()));
    let signing = tokio::spawn(heads.clone().run(stopping.clone()));

    if !site::is_built() {
        tracing::warn!("this build has no site inside: pages can be read, but nothing can be decided");
    }
    tracing::info!(url = %public_url, mcp = %format!("{public_url}/mcp"), "listening");
    for told in setup.told() {
        tracing::info!("{told}");
    }

    let ending = CancellationToken::new();
    let farewell = tokio::spawn(say_farewell(reviews.clone(), stopping.clone(), ending.clone()));
    let tokens = Tokens::new(store.clone(), Arc::clone(&chance));
    tokens.ready(clock.now()).await?;
    let people = People::new(
        reviews.clone(),
        tokens.clone(),
        Arc::clone(&chance),
        &public_url,
        config.sign_in.clone(),
    );
    let frames = Frames::new(reviews.clone(), renderer.clone(), people.clone());
    let tools =
        Tools::new(reviews.clone(), renderer.clone(), tokens.clone(), proofs.clone(), public_url.clone())
            .telling_people_apart(people.sign_in());
    let sessions = Sessions::new(store.clone(), Arc::clone(&clock), Arc::clone(&chance));
    let crowd = Crowd::new(people.clone(), &config.access);
    let metrics = Metrics::new(reviews.clone(), sessions.clone(), tools.waiters(), crowd.clone());
    let mcp = mcp::service(
        tools,
        sessions,
        &public_url,
        &hosts,
        &config.allow_origins,
        ending.clone(),
        #[cfg(feature = "conformance")]
        config.conformance,
    );
    let options =
        Options::new(reviews.clone(), renderer.clone(), tokens, people.clone(), public_url.prefix());
    let pages = Pages::new(reviews.clone(), renderer, people, public_url.clone(), chance);
    let agents = Agents::new(reviews.clone(), Arc::clone(&clock), &config.access, &public_url)
        .map_err(ServeError::Fetching)?;
    let doors = Doors {
        agents,
        crowd,
        patience: config.access.patience,
        proofs,
        reviews,
        pages,
        frames,
        options,
        mcp,
        metrics,
    };
    let ours = Ours::new(&hosts).with_guests(&config.allow_origins).behind(&config.access.trusted_proxies);
    let router = router::router(doors, ours, &public_url);
    let serving = connections::serve(listener, router, config.access.patience, stopping.clone());
    let out_of_patience = async {
        stopping.cancelled().await;
        tokio::time::sleep(GRACE).await;
    };
    tokio::select! {
        () = serving => {}
        () = out_of_patience => tracing::warn!("some connections did not end in time"),
    }
    stopping.cancel();
    ending.cancel();
    let _ = tokio::join!(sweeper, pulse, farewell, signing);
    heads.try_sign().await;
    store.shut().await;
    tracing::info!("stopped");
    Ok(())
}

/// Once the server stops: lets the waiters' answers reach their agents, then ends the agents' sessions, whose open
/// streams would otherwise never end by themselves.
async fn say_farewell(reviews: Reviews, stopping: CancellationToken, sessions: CancellationToken) {
    const AT_MOST: Duration = Duration::from_secs(3);
    const TO_ARRIVE: Duration = Duration::from_millis(300);
    stopping.cancelled().await;
    let answered = async {
        while reviews.waited_for() > 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        tokio::time::sleep(TO_ARRIVE).await;
    };
    let _ = tokio::time::timeout(AT_MOST, answered).await;
    sessions.cancel();
}
