//! Every route on one page.

use crate::{
    agents::{self, Agents},
    armour::{self, Armour},
    config::{Patience, PublicUrl},
    connections,
    crowd::{self, Crowd},
    guard::{self, Ours},
    mcp::{self, Mcp, offers::server_card},
    metrics::{self, Metrics},
    pages::{self, Pages},
    proof::Proofs,
    render::{
        frame::{self, Frames},
        options::frame::{Options, decide, show},
    },
    reviews::Reviews,
};
use axum::{
    Router,
    extract::{DefaultBodyLimit, State},
    middleware,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use http::StatusCode;
use tower_http::{compression::CompressionLayer, limit::RequestBodyLimitLayer};

/// What stands behind the routes.
pub struct Doors {
    /// Who may ask.
    pub agents: Agents,
    /// How often people come.
    pub crowd: Crowd,
    /// How long a request may take to arrive.
    pub patience: Patience,
    /// Whether the store answers.
    pub reviews: Reviews,
    /// Reviewers' pages.
    pub pages: Pages,
    /// The documents that templates make.
    pub frames: Frames,
    /// The documents in which options are chosen.
    pub options: Options,
    /// Agents' tools.
    pub mcp: Mcp,
    /// The keys by which decisions are proven.
    pub proofs: Proofs,
    /// What is counted.
    pub metrics: Metrics,
}

/// The routes, below the public URL's prefix as well as at the root: a proxy may take the prefix off, or not.
pub fn router(
    Doors { agents, crowd, patience, reviews, pages, frames, options, mcp, proofs, metrics }: Doors,
    ours: Ours,
    public_url: &PublicUrl,
) -> Router {
    let metadata = agents.metadata().with_state(());
    let mcp = Router::new()
        .route(guard::MCP, mcp.route().layer(middleware::from_fn_with_state(agents.clone(), agents::admit)))
        .merge(server_card::routes(public_url))
        .merge(metadata)
        .layer(ours.cors());
    let api = post(pages::api).layer(RequestBodyLimitLayer::new(pages::DRAFT_BYTES));
    let not_often = middleware::from_fn_with_state(crowd.clone(), crowd::admit);
    let sign_in = Router::new()
        .route("/sign-in", get(pages::sign_in::begin))
        .route("/sign-in/callback", get(pages::sign_in::finish))
        .layer(middleware::from_fn_with_state(crowd.clone(), crowd::admit_sign_in));
    let few = middleware::from_fn_with_state(crowd, crowd::hold);
    let people = Router::new()
        .route("/", get(pages::home))
        // A grid of two hundred rows is 360 KB of HTML, and 14 when packed.
        .route("/review", get(pages::review).layer(CompressionLayer::new()))
        .route("/review/trail", get(pages::trail::trail))
        .route("/events", get(pages::events).layer(few))
        .route("/api/submit", api.clone())
        .route("/api/standing", api)
        .route("/sign-out", get(pages::sign_in::signed_out).post(pages::sign_in::sign_out))
        .with_state(pages.clone())
        .route("/frame/display", get(frame::display).layer(CompressionLayer::new()).with_state(frames))
        .route(guard::BY_TOKEN, get(show).post(decide).layer(CompressionLayer::new()).with_state(options))
        .layer(not_often);
    let routes = Router::new()
        .merge(people)
        .merge(sign_in.with_state(pages.clone()))
        .route("/pkg/{*file}", get(pages::asset))
        .route("/icon.svg", get(pages::icon))
        .merge(mcp)
        .merge(proofs.routes())
        .route("/metrics", get(metrics::metrics).with_state(metrics))
        .route("/healthz", get(|| async { "alive\n" }))
        .route("/readyz", get(ready).with_state(reviews));
    let routes = match public_url.prefix() {
        "" => routes,
        prefix => routes
            .clone()
            .nest(prefix, routes)
            .route(&format!("{prefix}/"), get(pages::home).with_state(pages.clone())),
    };
    routes
        .fallback(pages::missing)
        .with_state(pages)
        .layer(DefaultBodyLimit::max(mcp::BODY_BYTES))
        .layer(middleware::from_fn_with_state(patience, connections::in_time))
        .layer(middleware::from_fn_with_state(agents, agents::never_decides))
        .layer(middleware::from_fn_with_state(ours, guard::check))
        .layer(middleware::from_fn_with_state(Armour::of(public_url), armour::put_on))
}

async fn ready(State(reviews): State<Reviews>) -> Response {
    match reviews.store().readiness().await {
        Ok(()) => "ready\n".into_response(),
        Err(trouble) => {
            let told = format!("{}: {}\n", trouble.word(), trouble.told());
            (StatusCode::SERVICE_UNAVAILABLE, told).into_response()
        }
    }
}
