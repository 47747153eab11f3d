//! `sayso://requests/{id}`: how a request stands, for the agent that made it. Reading it is no fetch of the decision,
//! and it holds nothing of what was asked or answered.

use crate::config::PublicUrl;
use rmcp::model::{ResourceContents, ResourceTemplate};
use sayso_domain::{Review, ReviewId};
use serde_json::json;

const START: &str = "sayso://requests/";
const KIND: &str = "application/json";

/// What all of their URIs have in common.
pub(super) fn template() -> ResourceTemplate {
    ResourceTemplate::new(format!("{START}{{id}}"), "request")
        .with_title("How a request stands")
        .with_description(
            "The status of a request of yours, by its elicitationId: kind, status, reviewUrl, expiresAt. \
             To wait for the person, call elicit_await; for the decision, elicit_result.",
        )
        .with_mime_type(KIND)
}

/// The id in a URI, if it is one of these.
pub(super) fn id(uri: &str) -> Option<ReviewId> {
    uri.strip_prefix(START)?.parse().ok()
}

/// What stands there.
pub(super) fn contents(uri: &str, review: &Review, public_url: &PublicUrl) -> ResourceContents {
    let open = review.request();
    let status = json!({
        "elicitationId": open.id, "kind": open.ask.kind(), "status": review.status(),
        "reviewUrl": public_url.review(open.id), "expiresAt": open.deadline.to_string()
    });
    ResourceContents::text(status.to_string(), uri).with_mime_type(KIND)
}
