//! The card of a request (SEP-1865, MCP Apps): a small document that a host shows beside the call that asked. It shows
//! how the request stands and links to its page. It can never decide: it knows one tool, and that only reads.

use crate::config::PublicUrl;
use rmcp::model::{CallToolResult, ClientCapabilities, MetaObject, Resource, ResourceContents, Tool};
use sayso_domain::{Moment, Review, reveal};
use serde_json::{Value, json};
use std::sync::LazyLock;

/// What hosts that can show a card advertise.
pub const EXTENSION: &str = "io.modelcontextprotocol/ui";
/// What the card is, to such a host.
pub const KIND: &str = "text/html;profile=mcp-app";
/// Where the card is.
pub const URI: &str = "ui://sayso/request";
/// The tool by which the card looks how its request stands; no model sees it.
pub const TOOL: &str = "sayso_card";
/// The card: one document that loads nothing.
pub const HTML: &str = include_str!("app.html");

static READER: LazyLock<Tool> = LazyLock::new(|| {
    serde_json::from_str(include_str!("sayso_card.json")).expect("the tool's file is a tool")
});

/// The card's tool.
pub fn tool() -> &'static Tool {
    &READER
}

/// Whether this client says that it can show a card.
pub(super) fn shown_by(client: Option<&ClientCapabilities>) -> bool {
    let settings = client.and_then(|client| client.extensions.as_ref()?.get(EXTENSION));
    let kinds = settings.and_then(|settings| settings.get("mimeTypes")?.as_array());
    kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind == KIND))
}

/// Gives a tool that creates a request its card; leaves every other tool as it is.
pub(super) fn link(tool: &mut Tool) {
    if super::super::args::creates(&tool.name) {
        // The second key is the older spelling; hosts of that time know no other.
        let link = json!({ "ui": { "resourceUri": URI }, "ui/resourceUri": URI });
        tool.meta = link.as_object().cloned().map(MetaObject);
    }
}

/// The card, for whoever lists resources.
pub(super) fn resource() -> Resource {
    Resource::new(URI, "request-card")
        .with_title("Card of a request")
        .with_description("Shows how a request stands and links to the page on which a person decides it.")
        .with_mime_type(KIND)
        .with_size(HTML.len() as u64)
        .with_meta(meta())
}

/// The card itself.
pub(super) fn contents() -> ResourceContents {
    ResourceContents::text(HTML, URI).with_mime_type(KIND).with_meta(meta())
}

/// It connects nowhere, loads nothing, and draws its own border.
fn meta() -> MetaObject {
    let none: [&str; 0] = [];
    let csp = json!({ "connectDomains": none, "resourceDomains": none, "frameDomains": none });
    let meta = json!({ "ui": { "csp": csp, "prefersBorder": false } });
    MetaObject(meta.as_object().cloned().unwrap_or_default())
}

/// What the card shows.
pub(in crate::mcp) fn answer(review: &Review, public_url: &PublicUrl, now: Moment) -> CallToolResult {
    let open = review.request();
    let mut shown = json!({
        "elicitationId": open.id, "kind": open.ask.kind(), "message": reveal::to_text(open.ask.message()),
        "status": review.status(), "reviewUrl": public_url.review(open.id),
        "expiresAt": open.deadline.to_string(), "remainingMs": now.until(open.deadline)
    });
    if let Review::Closed(closed) = review {
        shown["outcome"] = Value::from(closed.outcome().word());
    }
    CallToolResult::structured(shown)
}
