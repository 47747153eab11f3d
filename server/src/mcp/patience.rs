//! The head of an answer that takes long: sent at once, so that clients and proxies know that the call lives.
//!
//! Since 2026-07-28 rmcp sends nothing before the first message of an answer, which for a waiting call without a progress token is
//! the answer itself. Clients were seen to break when the server went away before the head of its response.

use axum::{
    body::{Body, Bytes},
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use futures_util::{Stream, StreamExt, stream};
use http::{StatusCode, header};
use serde_json::json;
use std::{pin::Pin, time::Duration};

/// What is answered as soon as this is answered as it is, with its own status.
const SOON: Duration = Duration::from_millis(200);

/// A line that says nothing, as often as rmcp sends one.
const EVERY: Duration = Duration::from_secs(15);
const COMMENT: &str = ":\n\n";

/// An answer that is read whole may be so long.
const WHOLE: usize = 4 << 20;

type Answering = Pin<Box<dyn Future<Output = Response> + Send>>;

/// Where a long answer stands.
enum Stage {
    Begun(Answering),
    Waiting(Answering),
    Answering(Pin<Box<dyn Stream<Item = Result<Bytes, axum::Error>> + Send>>),
}

/// Answers calls of `elicit_await` with an event stream where they take longer than a moment.
pub(super) async fn head_at_once(request: Request, next: Next) -> Response {
    let waits = request.headers().get("mcp-name").is_some_and(|name| name == "elicit_await");
    if waits { soon(next.run(request)).await } else { next.run(request).await }
}

/// An answer, with an event stream for it where it takes longer than a moment. Everything around it has ended by then, and
/// takes no memory while it waits.
pub(super) async fn soon(answering: impl Future<Output = Response> + Send + 'static) -> Response {
    let mut answering: Answering = Box::pin(answering);
    tokio::select! {
        response = &mut answering => return response,
        () = tokio::time::sleep(SOON) => {}
    }
    // Dropped with the connection, and the call with it.
    let body = Body::from_stream(stream::unfold(Stage::Begun(answering), step));
    let head = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-cache"),
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    (head, body).into_response()
}

async fn step(stage: Stage) -> Option<(Result<Bytes, axum::Error>, Stage)> {
    let mut answering = match stage {
        Stage::Begun(answering) => return Some((Ok(COMMENT.into()), Stage::Waiting(answering))),
        Stage::Answering(mut events) => {
            let event = events.next().await?;
            return Some((event, Stage::Answering(events)));
        }
        Stage::Waiting(answering) => answering,
    };
    let response = tokio::select! {
        response = &mut answering => response,
        () = tokio::time::sleep(EVERY) => return Some((Ok(COMMENT.into()), Stage::Waiting(answering))),
    };
    let mut events = events(response).await;
    let event = events.next().await?;
    Some((event, Stage::Answering(events)))
}

/// The events of a response: its own, or its one message as an event.
async fn events(response: Response) -> Pin<Box<dyn Stream<Item = Result<Bytes, axum::Error>> + Send>> {
    let (parts, body) = response.into_parts();
    let is = |kind: &str| {
        let found = parts.headers.get(header::CONTENT_TYPE);
        found.is_some_and(|found| found.as_bytes().starts_with(kind.as_bytes()))
    };
    if is("text/event-stream") {
        return Box::pin(body.into_data_stream());
    }
    let message = match axum::body::to_bytes(body, WHOLE).await {
        Ok(bytes) if is("application/json") => String::from_utf8_lossy(&bytes).replace(['\n', '\r'], " "),
        Ok(bytes) => refusal(parts.status, &String::from_utf8_lossy(&bytes)),
        Err(_) => refusal(parts.status, "the answer could not be read"),
    };
    let event = Bytes::from(format!("data: {message}\n\n"));
    Box::pin(stream::once(async move { Ok(event) }))
}

fn refusal(status: StatusCode, words: &str) -> String {
    let message = format!("{status}: {}", sayso_domain::fault::excerpt(words));
    json!({ "jsonrpc": "2.0", "id": null, "error": { "code": -32603, "message": message } }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn told(response: Response) -> String {
        let parts: Vec<_> = events(response).await.map(|part| part.unwrap()).collect().await;
        String::from_utf8(parts.concat()).unwrap()
    }

    #[tokio::test]
    async fn whatever_comes_late_is_an_event() {
        let stream =
            ([(header::CONTENT_TYPE, "text/event-stream")], "data: 1\n\ndata: 2\n\n").into_response();
        assert_eq!(told(stream).await, "data: 1\n\ndata: 2\n\n");
        let whole = ([(header::CONTENT_TYPE, "application/json")], "{\"a\":\n1}").into_response();
        assert_eq!(told(whole).await, "data: {\"a\": 1}\n\n");
        let refused = (StatusCode::BAD_REQUEST, "what?").into_response();
        let refused = told(refused).await;
        assert!(refused.contains("400 Bad Request: what?") && refused.contains("-32603"), "{refused}");
    }
}
