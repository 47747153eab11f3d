//! What a client can read of whose access tokens are taken here (RFC 9728).

use crate::config::{Oauth, PublicUrl, Scope};
use axum::{Router, response::IntoResponse, routing::get};
use http::header;
use serde_json::json;

/// Below every prefix, and with the path of `/mcp` or without.
const PLACE: &str = "/.well-known/oauth-protected-resource";

/// Where the metadata of the server are that is reached at `public_url`; below its prefix, which a proxy passes on in any case.
pub fn place(public_url: &PublicUrl) -> String {
    format!("{public_url}{PLACE}/mcp")
}

/// The addresses at which clients look.
pub fn routes<S: Clone + Send + Sync + 'static>(oauth: &Oauth, public_url: &PublicUrl) -> Router<S> {
    let metadata = json!({
        "resource": format!("{public_url}/mcp"),
        "resource_name": "Sayso",
        "authorization_servers": [oauth.issuer.as_str()],
        "scopes_supported": Scope::ALL.map(Scope::of_issuer),
        "bearer_methods_supported": ["header"]
    });
    let metadata = metadata.to_string();
    let answer = get(move || {
        let headers =
            [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "public, max-age=3600")];
        std::future::ready((headers, metadata.clone()).into_response())
    });
    let routes = Router::new().route(PLACE, answer.clone()).route(&format!("{PLACE}/mcp"), answer.clone());
    match public_url.prefix() {
        "" => routes,
        prefix => routes.route(&format!("{PLACE}{prefix}/mcp"), answer),
    }
}
