//! Answers to agents: structured content, the same JSON as text, and words for the model where it must act on them.

use super::warnings::Warning;
use crate::{config::PublicUrl, proof::Proofs};
use rmcp::model::{CallToolResult, ContentBlock, Resource};
use sayso_domain::{Answer, Closed, Decision, Ending, Faults, ReviewId, Status, review::Open};
use serde_json::{Value, json};

/// What there is to say of a request that was created.
pub(super) struct Made<'a> {
    pub(super) open: &'a Open,
    pub(super) warnings: &'a [Warning],
    /// Whether the host was asked to show the link.
    pub(super) delivered: bool,
    /// Whether it had been created before, by the same call.
    pub(super) replayed: bool,
}

/// A request was created.
pub(super) fn opened(made: &Made<'_>, public_url: &PublicUrl) -> CallToolResult {
    let Made { open, warnings, delivered, replayed } = *made;
    let url = public_url.review(open.id);
    let mut answer = json!({
        "elicitationId": open.id, "status": Status::Pending, "reviewUrl": url, "expiresAt": open.deadline.to_string(),
        "elicitationDelivered": delivered
    });
    if replayed {
        answer["replayed"] = json!(true);
    }
    if !warnings.is_empty() {
        answer["warnings"] = json!(warnings);
    }
    let words = format!(
        "Nothing is decided yet. Show this link to the person, on a line of its own, and ask them to review and submit:\n\n{url}\n\n\
         Then call elicit_await with this elicitationId, and again while it answers `pending`."
    );
    let mut result = structured(answer);
    result.content.extend([ContentBlock::text(words), link(url)]);
    result
}

/// A waiting call came to its bound, and nobody has decided.
pub(super) fn still_pending(id: ReviewId, public_url: &PublicUrl) -> CallToolResult {
    let url = public_url.review(id);
    let words = format!(
        "Nobody has decided yet. If you cannot be sure that the person has this link, show it to them, on a line of its own:\n\n{url}\n\n\
         Then call elicit_await again. A dialog that the host closed is no decision."
    );
    let mut result = status(id, Status::Pending);
    result.content.extend([ContentBlock::text(words), link(url)]);
    result
}

fn link(url: String) -> ContentBlock {
    let link = Resource::new(url, "review")
        .with_title("Review page")
        .with_description("Where the person decides")
        .with_mime_type("text/html");
    ContentBlock::resource_link(link)
}

/// How a request stands.
pub(super) fn status(id: ReviewId, status: Status) -> CallToolResult {
    structured(json!({ "elicitationId": id, "status": status }))
}

/// What was decided, and what proves it; a refusal where nothing was.
pub(super) fn settled(closed: &Closed, proofs: &Proofs) -> CallToolResult {
    let Ending::Answered { answer, comment, .. } = closed.ending() else {
        return undecided(closed.outcome());
    };
    let decision = answer.decision();
    let mut envelope = json!({
        "status": Status::Consumed, "decision": decision,
        "context": closed.open().ask.context(), "comment": comment,
        "decidedAt": closed.at().to_string(), "review": proofs.of(closed)
    });
    match answer {
        Answer::Approval(approval) => envelope["formSubmission"] = json!(approval.submission()),
        Answer::Selection(selection) => {
            if let Some(chosen) = selection.chosen() {
                envelope["selectedIds"] = json!(chosen);
            }
        }
        Answer::Proposal(proposal) => {
            envelope["action"] = json!(match decision {
                Decision::Approved => "submit",
                Decision::Rejected => "cancel",
            });
            if let Some(values) = proposal.values() {
                envelope["values"] = Value::Object(values.clone());
            }
        }
    }
    structured(envelope)
}

/// What a host and its prompts are like.
pub(super) fn examined(answer: Value) -> CallToolResult {
    structured(answer)
}

/// What would become of a request.
pub(super) fn previewed(answer: Value) -> CallToolResult {
    structured(answer)
}

/// There is no decision to fetch.
pub(super) fn undecided(status: Status) -> CallToolResult {
    let message = match status {
        Status::Pending => {
            "The person has not decided yet. Call elicit_await to wait for them; show them the review link again if they have not seen it."
        }
        Status::Expired => {
            "Nobody decided in time, so there is no decision; this is no rejection. Ask again with a new request if it still matters."
        }
        Status::Canceled => "You took this request back, so there is no decision.",
        Status::Approved | Status::Rejected | Status::Consumed => "There is a decision.",
    };
    refusal(status.word(), message)
}

/// A withdrawal came too late.
pub(super) fn already(status: Status) -> CallToolResult {
    let message = match status {
        Status::Canceled => "The request was canceled already.".to_owned(),
        Status::Expired => "The request has expired already: there is nothing to take back.".to_owned(),
        _ => format!(
            "The request was decided already: it is {}. Call elicit_result for the decision.",
            status.word()
        ),
    };
    let mut result = refusal("already_decided", &message);
    if let Some(content) = result.structured_content.as_mut() {
        content["status"] = json!(status);
    }
    result
}

/// No such request, or none of this agent's: both are told alike.
pub(super) fn not_found() -> CallToolResult {
    refusal(
        "not_found",
        "There is no request of yours with this elicitationId. Use the id that the creating call returned, as it was returned.",
    )
}

/// Arguments with faults: every one of them, with where it stands and how to mend it.
pub(super) fn faulty(faults: &Faults) -> CallToolResult {
    let count = faults.iter().count();
    let mut words = format!(
        "{count} {} in the arguments; nothing was stored:",
        if count == 1 { "fault" } else { "faults" }
    );
    for fault in faults.iter() {
        words.push_str(&format!("\n{}: {}", fault.pointer, fault.message));
        let more = [("found", &fault.found), ("allowed", &fault.allowed), ("fix", &fault.fix)];
        for (name, text) in more.into_iter().filter_map(|(name, text)| Some((name, text.as_ref()?))) {
            words.push_str(&format!("; {name}: {text}"));
        }
    }
    let message = format!(
        "{count} {} in the arguments; nothing was stored",
        if count == 1 { "fault" } else { "faults" }
    );
    let mut result = error(json!({ "code": "invalid_arguments", "message": message, "faults": faults }));
    result.content.push(ContentBlock::text(words));
    result
}

/// The server could not do it; what exactly is in its log.
pub(super) fn trouble() -> CallToolResult {
    refusal(
        "unavailable",
        "The server could not do this just now. Nothing was changed by this call as far as the server knows; call again.",
    )
}

/// What is stored of the request makes no sense; what exactly is in the server's log.
pub(super) fn damaged() -> CallToolResult {
    refusal(
        "damaged",
        "What the server has stored of this request cannot be read. It cannot be decided or fetched, and calling again does \
         not help. Nothing was changed by this call. Ask anew if it is still wanted, and tell the person who runs the server.",
    )
}

fn refusal(code: &str, message: &str) -> CallToolResult {
    error(json!({ "code": code, "message": message }))
}

fn structured(value: Value) -> CallToolResult {
    CallToolResult::structured(value)
}

fn error(value: Value) -> CallToolResult {
    CallToolResult::structured_error(value)
}
