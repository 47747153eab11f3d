//! `GET` and `POST /frame/selection`: the options of a request, and the one decision on them.

use super::{
    document::{self, Form},
    post::{BYTES, Sent, Verb},
};
use crate::{
    render::{Renderer, policy},
    reviews::Reviews,
    store::StoreError,
    token::{Purpose, Tokens},
};
use axum::{
    body::{Body, to_bytes},
    extract::{Query, State},
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use sayso_domain::{
    Ask, Draft, Review, ReviewId, Status,
    review::{Open, Reviewer},
    selection::{self, Selection},
    sheet::Submitted,
};
use serde::Deserialize;
use std::collections::BTreeSet;

/// What the document of the options stands on.
#[derive(Clone)]
pub struct Options {
    reviews: Reviews,
    renderer: Renderer,
    tokens: Tokens,
    prefix: String,
}

impl Options {
    /// Puts the pieces together; addresses are below `prefix`.
    pub fn new(reviews: Reviews, renderer: Renderer, tokens: Tokens, prefix: &str) -> Self {
        Self { reviews, renderer, tokens, prefix: prefix.to_owned() }
    }
}

/// Which request.
#[derive(Deserialize)]
pub struct Address {
    #[serde(rename = "elicitationId")]
    id: Option<String>,
}

/// Where the options of a request are.
pub(crate) fn address(base: &str, id: ReviewId) -> String {
    format!("{base}/frame/selection?elicitationId={id}")
}

/// The options of a request. Looking changes nothing.
pub async fn show(State(options): State<Options>, Query(address): Query<Address>) -> Response {
    match options.find(&address).await {
        Ok(Found::Open(open)) => options.table(&open, &Sent::default(), None, StatusCode::OK).await,
        Ok(Found::Over(status)) => over(status),
        Ok(Found::Nothing) => missing(),
        Err(error) => trouble(&error),
    }
}

/// A person decides, or filters. The token is the only authority: the document's origin is nobody's.
pub async fn decide(
    State(options): State<Options>,
    Query(address): Query<Address>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let open = match options.find(&address).await {
        Ok(Found::Open(open)) => open,
        Ok(Found::Over(status)) => return late(status),
        Ok(Found::Nothing) => return missing(),
        Err(error) => return trouble(&error),
    };
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !kind.to_ascii_lowercase().starts_with("application/x-www-form-urlencoded") {
        let words = "This is not what the form of this page sends. Nothing was decided.";
        return options.table(&open, &Sent::default(), Some(words), StatusCode::UNSUPPORTED_MEDIA_TYPE).await;
    }
    let Ok(body) = to_bytes(body, BYTES).await else {
        let words = "This is more than the form of this page can hold. Nothing was decided.";
        return options.table(&open, &Sent::default(), Some(words), StatusCode::PAYLOAD_TOO_LARGE).await;
    };
    let Ask::Selection(selection) = &open.ask else { return missing() };
    let sent = match Sent::parse(&body, selection.options.len()) {
        Ok(sent) => sent,
        Err(why) => {
            let words = format!("This holds {why}. Nothing was decided.");
            return options.table(&open, &Sent::default(), Some(&words), StatusCode::BAD_REQUEST).await;
        }
    };
    options.take(&open, selection, sent).await.unwrap_or_else(|error| trouble(&error))
}

enum Found {
    Open(Box<Open>),
    Over(Status),
    Nothing,
}

impl Options {
    async fn find(&self, address: &Address) -> Result<Found, StoreError> {
        let Some(id) = address.id.as_ref().and_then(|id| id.parse().ok()) else { return Ok(Found::Nothing) };
        let review = self.reviews.look(id).await?;
        Ok(match review {
            Some(review) if !matches!(review.request().ask, Ask::Selection(_)) => Found::Nothing,
            Some(Review::Open(open)) => Found::Open(Box::new(open)),
            Some(Review::Closed(closed)) => Found::Over(closed.outcome()),
            None => Found::Nothing,
        })
    }

    async fn take(&self, open: &Open, selection: &Selection, sent: Sent) -> Result<Response, StoreError> {
        if sent.verb == Verb::Filter {
            return Ok(self.table(open, &sent, None, StatusCode::OK).await);
        }
        let now = self.reviews.now();
        if !self.tokens.honours(&sent.token, Purpose::Select, open.id, now).await? {
            let words = "This page had become too old to decide. Your choice is still here: send it again.";
            return Ok(self.table(open, &sent, Some(words), StatusCode::FORBIDDEN).await);
        }
        if let Some(stranger) = &sent.stranger {
            let words = format!("“{stranger}” is none of the options. Nothing was decided.");
            return Ok(self.table(open, &sent, Some(&words), StatusCode::UNPROCESSABLE_ENTITY).await);
        }
        let draft = match sent.verb {
            Verb::Choose => {
                let ids = sent.chosen.iter().map(|row| selection.options[*row].id.clone());
                selection::Draft::Choose(ids.collect())
            }
            Verb::Reject | Verb::Filter => selection::Draft::Reject,
        };
        let by = Reviewer { name: "local".to_owned() };
        Ok(match self.reviews.submit(open.id, &Draft::Selection(draft), by).await? {
            Submitted::Decided(outcome) => over(outcome.status),
            Submitted::TooLate(outcome) => late(outcome.status),
            Submitted::Faulty(faults) => {
                let words = faults.iter().map(|fault| fault.message.as_str()).collect::<Vec<_>>().join(". ");
                self.table(open, &sent, Some(&words), StatusCode::UNPROCESSABLE_ENTITY).await
            }
            Submitted::Unknown => missing(),
        })
    }

    /// The table, with what was chosen so far and a fresh token.
    async fn table(&self, open: &Open, sent: &Sent, reason: Option<&str>, status: StatusCode) -> Response {
        let Ask::Selection(selection) = &open.ask else { return missing() };
        let now = self.reviews.now();
        let token = match self.tokens.mint(Purpose::Select, open.id, open.deadline, now).await {
            Ok(token) => token,
            Err(error) => return trouble(&error),
        };
        let Ok(drawn) = self.renderer.drawn(open).await else {
            return answer(
                StatusCode::SERVICE_UNAVAILABLE,
                &document::said("The server is busy. Reload the page."),
            );
        };
        let chosen: BTreeSet<usize> = sent.chosen.clone();
        let action = address(&self.prefix, open.id);
        let form = Form {
            selection,
            drawn: &drawn,
            action: &action,
            token: &token,
            chosen: &chosen,
            filter: &sent.filter,
            reason,
        };
        answer(status, &form.write())
    }
}

fn over(status: Status) -> Response {
    let words = match status {
        Status::Approved | Status::Consumed => "Your choice was made.",
        Status::Rejected => "All options were refused.",
        Status::Expired => "Nobody chose in time: this request has expired.",
        Status::Canceled => "The agent took this request back.",
        Status::Pending => "This request is waiting.",
    };
    answer(StatusCode::OK, &document::said(words))
}

/// Something was sent after the end: by a second tab, or by the second of two clicks.
fn late(status: Status) -> Response {
    let words = match status {
        Status::Approved | Status::Consumed => "A choice had been made already.",
        Status::Rejected => "All options had been refused already.",
        Status::Expired => "This request had expired already.",
        Status::Canceled => "The agent had taken this request back already.",
        Status::Pending => "This request is waiting.",
    };
    answer(StatusCode::OK, &document::said(&format!("{words} What you sent changed nothing.")))
}

fn missing() -> Response {
    answer(StatusCode::NOT_FOUND, &document::said("There is nothing here."))
}

fn trouble(error: &StoreError) -> Response {
    tracing::error!(%error, "serving the options of a selection");
    answer(
        StatusCode::SERVICE_UNAVAILABLE,
        &document::said("Not available just now. Nothing was decided; try again."),
    )
}

fn answer(status: StatusCode, document: &str) -> Response {
    let mut response = (status, policy::DISPLAY_HEADERS, document.to_owned()).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy::OPTIONS_POLICY));
    headers.insert("connection-allowlist", HeaderValue::from_static(policy::OPTIONS_CONNECTIONS));
    // It holds a token.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
