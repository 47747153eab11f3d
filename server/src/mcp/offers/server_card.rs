//! The server card: what somebody can know of this server before they connect. It says who we are and where `/mcp` is,
//! and never who may come in; the tools are listed by MCP itself.
//!
//! After the draft of SEP-2127, which reserves `<the address of MCP>/server-card`; its forerunner SEP-1649 had
//! `/.well-known/mcp/server-card.json`, where scanners look.

use super::icon;
use crate::config::PublicUrl;
use axum::{
    Router,
    response::{IntoResponse, Response},
    routing::{any, get},
};
use http::{StatusCode, header};
use rmcp::model::ProtocolVersion;
use serde_json::{Value, json};

/// What registries are told of this server; the card says the same.
pub const REGISTRY: &str = include_str!("../../../server.json");

const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";
const KIND: &str = "application/mcp-server-card+json";

/// The card of the server that is reached at `public_url`.
pub fn card(public_url: &PublicUrl) -> Value {
    let registry: Value = serde_json::from_str(REGISTRY).expect("server.json is JSON");
    let versions: Vec<&str> = ProtocolVersion::KNOWN_VERSIONS.iter().map(ProtocolVersion::as_str).collect();
    json!({
        "$schema": SCHEMA,
        "name": registry["name"], "title": registry["title"],
        "description": registry["description"], "version": registry["version"],
        "icons": [icon(public_url)],
        "remotes": [{
            "type": "streamable-http", "url": format!("{public_url}/mcp"), "supportedProtocolVersions": versions
        }]
    })
}

/// The addresses that clients try before they connect. There is no OAuth here, so its metadata are a plain 404, which
/// tells a client to come without; a page for people would tell it nothing.
pub fn routes<S: Clone + Send + Sync + 'static>(public_url: &PublicUrl) -> Router<S> {
    let card = card(public_url).to_string();
    let card = get(move || std::future::ready(served(card.clone())));
    Router::new()
        .route("/.well-known/mcp/server-card.json", card.clone())
        .route("/mcp/server-card", card)
        .route("/.well-known/{*path}", any(nothing))
        .route("/mcp/{*path}", any(nothing))
}

fn served(card: String) -> Response {
    let headers = [(header::CONTENT_TYPE, KIND), (header::CACHE_CONTROL, "public, max-age=3600")];
    (headers, card).into_response()
}

async fn nothing() -> (StatusCode, &'static str) {
    (StatusCode::NOT_FOUND, "there is nothing here\n")
}
