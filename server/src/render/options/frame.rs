//! `GET` and `POST /frame/selection`: the options of a request, and the one decision on them.

use super::{
    document::{self, Form},
    kept::Kept,
    post::{BYTES, Sent, Verb, token_in},
};
use crate::{
    digest, guard,
    render::{
        Renderer,
        frame::{status_of, status_of_trouble},
        policy,
    },
    reviewers::{Caller, People, holder},
    reviews::{Reviews, Sight},
    store::StoreError,
    token::{Honour, Purpose, Tokens},
};
use axum::{
    body::{Body, to_bytes},
    extract::{Query, Request, State},
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use sayso_domain::{
    Ask, Draft, Review, ReviewId, Status,
    audit::Door,
    people::Denied,
    review::Open,
    selection::{self, Selection},
    sheet::{self, Submitted},
};
use serde::Deserialize;
use std::collections::BTreeSet;

/// What the document of the options stands on.
#[derive(Clone)]
pub struct Options {
    reviews: Reviews,
    renderer: Renderer,
    tokens: Tokens,
    people: People,
    kept: Kept,
    prefix: String,
}

impl Options {
    /// Puts the pieces together; addresses are below `prefix`.
    pub fn new(reviews: Reviews, renderer: Renderer, tokens: Tokens, people: People, prefix: &str) -> Self {
        Self { reviews, renderer, tokens, people, kept: Kept::default(), prefix: prefix.to_owned() }
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

/// The options of a request, for whom may decide it. Looking changes nothing.
pub async fn show(
    State(options): State<Options>,
    Query(address): Query<Address>,
    headers: HeaderMap,
) -> Response {
    let Some(id) = address.id.and_then(|id| id.parse().ok()) else { return missing() };
    let shown = async {
        let caller = options.people.caller(&headers).await?;
        Ok(match options.find(id, &caller).await? {
            Found::Open(open) => {
                let at = At { open: &open, caller: &caller };
                let words = "You had been signed out when you sent this, so nothing was decided. Your choice is here again: look \
                             at it, and send it.";
                let kept = holder(&caller.bearer)
                    .and_then(|holder| options.kept.of(id, holder, options.reviews.now()));
                let words = kept.is_some().then_some(words);
                options.table(&at, &kept.unwrap_or_default(), words, StatusCode::OK).await
            }
            Found::Over(status) => over(status),
            Found::Denied(denied) => not_theirs(&denied, false),
            Found::Nothing => missing(),
        })
    };
    shown.await.unwrap_or_else(|error| trouble(&error))
}

/// A person decides, or filters. The token is the only authority: the document's origin is nobody's, so no cookie comes
/// along. It says who the person is.
pub async fn decide(
    State(options): State<Options>,
    Query(address): Query<Address>,
    request: Request,
) -> Response {
    let Some(id) = address.id.and_then(|id| id.parse().ok()) else { return missing() };
    let via = guard::via(Door::Options, request.extensions());
    let options = Options { reviews: options.reviews.by(via), ..options };
    let (head, body) = request.into_parts();
    let body = read(&head.headers, body).await;
    options.answer(id, body).await.unwrap_or_else(|error| trouble(&error))
}

/// What was sent, or why that cannot be.
type Given = Result<axum::body::Bytes, (StatusCode, &'static str)>;

async fn read(headers: &HeaderMap, body: Body) -> Given {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !kind.to_ascii_lowercase().starts_with("application/x-www-form-urlencoded") {
        let words = "This is not what the form of this page sends. Nothing was decided.";
        return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, words));
    }
    to_bytes(body, BYTES).await.map_err(|_| {
        let words = "This is more than the form of this page can hold. Nothing was decided.";
        (StatusCode::PAYLOAD_TOO_LARGE, words)
    })
}

enum Found {
    Open(Box<Open>),
    Over(Status),
    Denied(Denied),
    Nothing,
}

/// An open selection before somebody who may decide it.
struct At<'a> {
    open: &'a Open,
    caller: &'a Caller,
}

impl Options {
    async fn find(&self, id: ReviewId, caller: &Caller) -> Result<Found, StoreError> {
        Ok(match self.reviews.show(id, &caller.visitor).await? {
            Sight::Denied(denied) => Found::Denied(denied),
            Sight::Unknown => Found::Nothing,
            Sight::Review(review) if !matches!(review.request().ask, Ask::Selection(_)) => Found::Nothing,
            Sight::Review(review) => match *review {
                Review::Open(open) => Found::Open(Box::new(open)),
                Review::Closed(closed) => Found::Over(closed.outcome()),
            },
        })
    }

    async fn answer(&self, id: ReviewId, body: Given) -> Result<Response, StoreError> {
        let token = body.as_ref().map(|body| token_in(body)).unwrap_or_default();
        let honour = self.tokens.honours(&token, Purpose::Select, id, self.reviews.now()).await?;
        let bearer = match &honour {
            Honour::Good { bearer } | Honour::TooOld { bearer } => bearer,
            Honour::None => "",
        };
        let caller = self.people.caller_by(bearer).await?;
        let open = match self.find(id, &caller).await? {
            Found::Open(open) => open,
            Found::Over(status) => return Ok(late(status)),
            Found::Denied(denied) => {
                let kept = denied == Denied::SignIn && self.keep(id, bearer, &body);
                return Ok(not_theirs(&denied, kept));
            }
            Found::Nothing => return Ok(missing()),
        };
        if let Some(holder) = holder(bearer) {
            self.kept.forget(id, holder);
        }
        let at = At { open: &open, caller: &caller };
        let body = match body {
            Ok(body) => body,
            Err((status, words)) => return Ok(self.table(&at, &Sent::default(), Some(words), status).await),
        };
        let Ask::Selection(selection) = &open.ask else { return Ok(missing()) };
        match Sent::parse(&body, selection.options.len()) {
            Ok(sent) => self.take(&at, selection, sent, &honour).await,
            Err(why) => {
                let words = format!("This holds {why}. Nothing was decided.");
                Ok(self.table(&at, &Sent::default(), Some(&words), StatusCode::BAD_REQUEST).await)
            }
        }
    }

    /// Keeps what somebody had chosen whose session is over; whether there was anything to keep.
    fn keep(&self, id: ReviewId, bearer: &str, body: &Given) -> bool {
        let sent = body.as_ref().ok().and_then(|body| Sent::parse(body, selection::OPTIONS).ok());
        let (Some(holder), Some(sent)) = (holder(bearer), sent) else { return false };
        self.kept.keep(id, holder, sent, self.reviews.now());
        true
    }

    async fn take(
        &self,
        at: &At<'_>,
        selection: &Selection,
        sent: Sent,
        honour: &Honour,
    ) -> Result<Response, StoreError> {
        if sent.verb == Verb::Filter {
            return Ok(self.table(at, &sent, None, StatusCode::OK).await);
        }
        if !matches!(honour, Honour::Good { .. }) {
            let words = "This page had become too old to decide. Your choice is still here: send it again.";
            return Ok(self.table(at, &sent, Some(words), StatusCode::FORBIDDEN).await);
        }
        if let Some(stranger) = &sent.stranger {
            let words = format!("“{stranger}” is none of the options. Nothing was decided.");
            return Ok(self.table(at, &sent, Some(&words), StatusCode::UNPROCESSABLE_ENTITY).await);
        }
        let draft = match sent.verb {
            Verb::Choose => {
                let ids = sent.chosen.iter().map(|row| selection.options[*row].id.clone());
                selection::Draft::Choose(ids.collect())
            }
            Verb::Reject | Verb::Filter => selection::Draft::Reject,
        };
        let (draft, by) = (Draft::Selection(draft), at.caller.visitor.clone());
        let whole = sheet::Sent { draft, comment: sent.comment.clone(), digest: sent.digest.clone() };
        Ok(match self.reviews.submit(at.open.id, &whole, by).await? {
            Submitted::Decided(outcome) => over(outcome.status),
            Submitted::TooLate(outcome) => late(outcome.status),
            Submitted::Faulty(faults) => {
                let words = faults.iter().map(|fault| fault.message.as_str()).collect::<Vec<_>>().join(". ");
                self.table(at, &sent, Some(&words), StatusCode::UNPROCESSABLE_ENTITY).await
            }
            Submitted::Refused(words) => {
                self.table(at, &sent, Some(&words), StatusCode::UNPROCESSABLE_ENTITY).await
            }
            Submitted::Unknown => missing(),
        })
    }

    /// The table, with what was chosen so far and a fresh token.
    async fn table(&self, at: &At<'_>, sent: &Sent, reason: Option<&str>, status: StatusCode) -> Response {
        let At { open, caller } = *at;
        let Ask::Selection(selection) = &open.ask else { return missing() };
        let now = self.reviews.now();
        let token = match self.tokens.mint(Purpose::Select, open.id, &caller.bearer, open.deadline, now).await
        {
            Ok(token) => token,
            Err(error) => return trouble(&error),
        };
        let Ok(drawn) = self.renderer.drawn(open).await else {
            return answer(
                StatusCode::SERVICE_UNAVAILABLE,
                &document::said("The server is busy. Reload the page."),
            );
        };
        // What was kept of somebody without looking at the request may hold rows that are none.
        let chosen: BTreeSet<usize> =
            sent.chosen.iter().copied().filter(|row| *row < selection.options.len()).collect();
        let (action, digest) = (address(&self.prefix, open.id), digest::of_request(open));
        let form = Form {
            selection,
            drawn: &drawn,
            action: &action,
            token: &token,
            chosen: &chosen,
            filter: &sent.filter,
            digest: &digest,
            comment: &sent.comment,
            reason,
        };
        answer(status, &form.write())
    }
}

/// Somebody may not decide this, or is no longer who they were; what they had chosen was kept, or not.
fn not_theirs(denied: &Denied, kept: bool) -> Response {
    let words = match denied {
        Denied::SignIn if kept => {
            "You are not signed in any more. Nothing was decided. Your choice is kept for ten minutes: reload this page and sign \
             in again, then look at it and send it."
        }
        Denied::SignIn => {
            "You are not signed in any more. Nothing was decided. Sign in again, then reload this page."
        }
        Denied::NotYours(_) => "This is not yours to decide.",
    };
    answer(status_of(denied), &document::said(words))
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
    let words = if error.is_damage() {
        "What is stored of this request cannot be read. Nothing was decided; tell whoever runs this server."
    } else {
        "Not available just now. Nothing was decided; try again."
    };
    answer(status_of_trouble(error), &document::said(words))
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
