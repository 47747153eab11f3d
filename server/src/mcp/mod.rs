//! MCP at `POST /mcp`: what agents may call. The only module that knows rmcp.

mod args;
pub mod catalogue;
#[cfg(feature = "conformance")]
mod conformance;
mod dialog;
mod doctor;
mod host;
pub mod offers;
mod outline;
mod page;
mod patience;
mod preview;
mod reply;
mod sealed;
pub mod sessions;
mod shortcut;
mod tools;
pub mod waiters;
mod warnings;

use crate::config::{Origin, PublicUrl};
use axum::{
    Json,
    extract::Request,
    middleware::{Next, from_fn, from_fn_with_state},
    response::{IntoResponse, Response},
    routing::{MethodRouter, any, any_service},
};
use http::StatusCode;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::json;
use sessions::Sessions;
use shortcut::Shortcut;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
pub use tools::Tools;

/// At most so many bytes in one request of an agent.
pub const BODY_BYTES: usize = 1 << 20;

/// What answers at `/mcp`.
pub struct Mcp {
    shortcut: Shortcut,
    rmcp: StreamableHttpService<Handler, Sessions>,
    sessions: Sessions,
}

#[cfg(not(feature = "conformance"))]
type Handler = Tools;
#[cfg(feature = "conformance")]
type Handler = conformance::Fixtures<Tools>;

impl Mcp {
    /// Its one route, whatever the path.
    pub fn route<S>(self) -> MethodRouter<S> {
        let rmcp = any_service(self.rmcp)
            .layer(from_fn_with_state(self.sessions, sessions::belong))
            .layer(from_fn(parse_errors))
            .layer(from_fn(patience::head_at_once));
        any(shortcut::take).with_state(Arc::new(shortcut::Ways { short: self.shortcut, long: rmcp }))
    }
}

/// The service behind `/mcp`: both eras of the protocol on one address. `hosts` are the names this server answers to,
/// `guests` the other origins whose pages may call it; cancelling `ending` ends all sessions.
pub fn service(
    tools: Tools,
    sessions: Sessions,
    public_url: &PublicUrl,
    hosts: &[String],
    guests: &[Origin],
    ending: CancellationToken,
    #[cfg(feature = "conformance")] conformance: bool,
) -> Mcp {
    // The door in front has checked both already, in the same words; this is the second lock.
    let origins = [public_url.origin_with_port()]
        .into_iter()
        .chain(hosts.iter().map(|host| format!("http://{host}")))
        .chain(guests.iter().map(Origin::with_port));
    let mut config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(hosts)
        .with_allowed_origins(origins)
        .enforce_origin_validation()
        .with_max_request_body_bytes(BODY_BYTES)
        // A stateless call that says nothing before its answer is answered by one JSON document, not by a stream of one event.
        .with_json_response(true)
        .with_cancellation_token(ending);
    config.session_store = Some(Arc::new(sessions.clone()));
    let shortcut = Shortcut::new(tools.clone());
    #[cfg(feature = "conformance")]
    let tools = conformance::Fixtures::beside(tools, conformance);
    let rmcp = StreamableHttpService::new(move || Ok(tools.clone()), Arc::new(sessions.clone()), config);
    Mcp { shortcut, rmcp, sessions }
}

/// rmcp answers a body that is no JSON, or no message, as an unsupported media type. It is neither: says what JSON-RPC
/// says of it.
async fn parse_errors(request: Request, next: Next) -> Response {
    let kind = request.headers().get(http::header::CONTENT_TYPE);
    let is_json = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    let response = next.run(request).await;
    if !is_json || response.status() != StatusCode::UNSUPPORTED_MEDIA_TYPE {
        return response;
    }
    let message = "The body is not one JSON-RPC message in UTF-8. Send one JSON object with jsonrpc, id, method and params.";
    let error = json!({ "jsonrpc": "2.0", "id": null, "error": { "code": -32700, "message": message } });
    (StatusCode::BAD_REQUEST, Json(error)).into_response()
}
