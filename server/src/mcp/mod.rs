//! MCP at `POST /mcp`: what agents may call. The only module that knows rmcp.

mod args;
pub mod catalogue;
mod outline;
mod page;
mod preview;
mod reply;
mod tools;
mod warnings;

use crate::{config::PublicUrl, render::Renderer, reviews::Reviews};
use axum::{
    Json,
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use http::StatusCode;
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};
use serde_json::json;
use std::{sync::Arc, time::Duration};
use tokio_util::sync::CancellationToken;

/// At most so many bytes in one request of an agent.
pub const BODY_BYTES: usize = 1 << 20;

/// How long a session of the handshake revisions may be silent: people take longer than the five minutes that rmcp
/// gives, and clients that have lost their session do not recover.
const SESSION_IDLE: Duration = Duration::from_secs(30 * 60);

/// What answers at `/mcp`.
pub type Mcp = StreamableHttpService<tools::Tools, LocalSessionManager>;

/// The service behind `/mcp`: both eras of the protocol on one address. `hosts` are the names this server answers to;
/// cancelling `sessions` ends all of them.
pub fn service(
    reviews: Reviews,
    renderer: Renderer,
    public_url: PublicUrl,
    hosts: &[String],
    sessions: CancellationToken,
) -> Mcp {
    // The door in front has checked both already, in the same words; this is the second lock.
    let origins =
        [public_url.origin_with_port()].into_iter().chain(hosts.iter().map(|host| format!("http://{host}")));
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(hosts)
        .with_allowed_origins(origins)
        .enforce_origin_validation()
        .with_max_request_body_bytes(BODY_BYTES)
        .with_cancellation_token(sessions);
    let tools = tools::Tools::new(reviews, renderer, public_url);
    let mut manager = LocalSessionManager::default();
    manager.session_config.keep_alive = Some(SESSION_IDLE);
    StreamableHttpService::new(move || Ok(tools.clone()), Arc::new(manager), config)
}

/// rmcp answers a body that is no JSON, or no message, as an unsupported media type. It is neither: says what JSON-RPC
/// says of it.
pub async fn parse_errors(request: Request, next: Next) -> Response {
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
