//! `GET /metrics`: a few numbers in the text format of Prometheus; no names, and nothing of any request.

use crate::{
    crowd::Crowd,
    mcp::{sessions::Sessions, waiters::Waiters},
    reviews::Reviews,
};
use axum::{extract::State, response::IntoResponse};
use http::header::CONTENT_TYPE;

/// What is counted.
#[derive(Clone)]
pub struct Metrics {
    reviews: Reviews,
    sessions: Sessions,
    waiters: Waiters,
    crowd: Crowd,
}

impl Metrics {
    /// Puts the pieces together.
    pub fn new(reviews: Reviews, sessions: Sessions, waiters: Waiters, crowd: Crowd) -> Self {
        Self { reviews, sessions, waiters, crowd }
    }

    fn write(&self) -> String {
        let gauges = [
            ("sayso_waiting_calls", "Calls of elicit_await that wait for a decision", self.waiters.count()),
            (
                "sayso_watched_reviews",
                "Requests that a call, a page or a prompt waits for",
                self.reviews.waited_for(),
            ),
            ("sayso_live_sessions", "MCP sessions in memory", self.sessions.living()),
            (
                "sayso_database_writable",
                "Whether the last write to the database was one",
                usize::from(self.reviews.store().trouble().borrow().is_none()),
            ),
            ("sayso_open_event_streams", "Pages that listen for the end of a request", self.crowd.streams()),
        ];
        let line =
            |(name, help, value)| format!("# HELP {name} {help}.\n# TYPE {name} gauge\n{name} {value}\n");
        gauges.into_iter().map(line).collect()
    }
}

/// The numbers as they are.
pub async fn metrics(State(metrics): State<Metrics>) -> impl IntoResponse {
    ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], metrics.write())
}
