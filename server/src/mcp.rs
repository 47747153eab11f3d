//! MCP at `POST /mcp`: what agents may call. The only module that knows rmcp.

mod args;
pub mod catalogue;
mod reply;
mod tools;

use crate::{config::PublicUrl, reviews::Reviews};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// At most so many bytes in one request of an agent.
pub const BODY_BYTES: usize = 1 << 20;

/// What answers at `/mcp`.
pub type Mcp = StreamableHttpService<tools::Tools, LocalSessionManager>;

/// The service behind `/mcp`: both eras of the protocol on one address. `hosts` are the names this server answers to.
pub fn service(
    reviews: Reviews,
    public_url: PublicUrl,
    hosts: &[String],
    stopping: &CancellationToken,
) -> Mcp {
    // The door in front has checked both already, in the same words; this is the second lock.
    let origins = [public_url.origin_with_port()]
        .into_iter()
        .chain(hosts.iter().map(|host| format!("http://{host}")));
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(hosts)
        .with_allowed_origins(origins)
        .enforce_origin_validation()
        .with_max_request_body_bytes(BODY_BYTES)
        .with_cancellation_token(stopping.child_token());
    let tools = tools::Tools::new(reviews, public_url);
    StreamableHttpService::new(
        move || Ok(tools.clone()),
        Arc::new(LocalSessionManager::default()),
        config,
    )
}
