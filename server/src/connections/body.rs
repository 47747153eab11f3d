//! The body of a request has to come in time. Whoever reads it only learns that it broke off; the answer says why.

use crate::config::Patience;
use axum::{
    body::{Body, Bytes, HttpBody},
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use http::{StatusCode, header};
use http_body::{Frame, SizeHint};
use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
};
use tokio::time::Sleep;

/// Answers `408` where the body of a request takes longer than it may.
pub async fn in_time(State(patience): State<Patience>, request: Request, next: Next) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    let late = Arc::new(AtomicBool::new(false));
    let request = request.map(|body| {
        let end = Box::pin(tokio::time::sleep(patience.body));
        Body::new(InTime { body, end, late: Arc::clone(&late) })
    });
    let response = next.run(request).await;
    if !late.load(Ordering::Relaxed) {
        return response;
    }
    let words = "The request took too long to arrive. Nothing was changed; send it again.\n";
    // What is still to come of it is not waited for.
    (StatusCode::REQUEST_TIMEOUT, [(header::CONNECTION, "close")], words).into_response()
}

/// A body, until its end.
struct InTime {
    body: Body,
    end: Pin<Box<Sleep>>,
    late: Arc<AtomicBool>,
}

impl HttpBody for InTime {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) {
            return Poll::Ready(frame);
        }
        ready!(self.end.as_mut().poll(context));
        self.late.store(true, Ordering::Relaxed);
        Poll::Ready(Some(Err(axum::Error::new(io::Error::from(io::ErrorKind::TimedOut)))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
