//! Rows, and the one way from a row to the domain. No row leaves the store.

use super::{Glance, StoreError};
use sayso_domain::{
    Answer, Closed, Decision, Ending, Moment, Review, Status,
    audit::Entry,
    review::{Agent, Open, Reviewer},
};
use serde::{Serialize, de::DeserializeOwned};
use sqlx::FromRow;

pub(super) const SELECT: &str = "SELECT id, ask, principal, client, opened_at, deadline, state, closed_at, answer, reviewer, comment, reason, fetched_at \
     FROM reviews WHERE id = $1";
pub(super) const SELECT_OWN: &str = "SELECT id, ask, principal, client, opened_at, deadline, state, closed_at, answer, reviewer, comment, reason, fetched_at \
     FROM reviews WHERE id = $1 AND principal = $2";
pub(super) const SELECT_OVERDUE: &str = "SELECT id, ask, principal, client, opened_at, deadline, state, closed_at, answer, reviewer, comment, reason, fetched_at \
     FROM reviews WHERE state = 'open' AND deadline <= $1 AND (deadline > $2 OR (deadline = $2 AND id > $3)) ORDER BY deadline, id LIMIT $4";

#[derive(FromRow)]
pub(super) struct Row {
    pub(super) id: String,
    ask: String,
    principal: String,
    client: Option<String>,
    opened_at: i64,
    pub(super) deadline: i64,
    state: String,
    closed_at: Option<i64>,
    answer: Option<String>,
    reviewer: Option<String>,
    comment: Option<String>,
    reason: Option<String>,
    fetched_at: Option<i64>,
}

impl TryFrom<Row> for Review {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let wrong = |what| StoreError::InconsistentRow { id: row.id.clone(), what };
        let open = Open {
            id: row.id.parse().map_err(|_| wrong("its id"))?,
            ask: parse(&row.ask).ok_or_else(|| wrong("what is asked"))?,
            by: Agent { principal: row.principal, client: row.client },
            at: Moment(row.opened_at),
            deadline: Moment(row.deadline),
        };
        let wrong = |open: &Open, what| StoreError::InconsistentRow { id: open.id.to_string(), what };
        let closed = |at, ending, fetched: Option<i64>| {
            Self::Closed(Closed::recorded(open.clone(), Moment(at), ending, fetched.map(Moment)))
        };
        let answered = (row.answer, row.reviewer, row.comment);
        match (row.state.as_str(), row.closed_at, answered, row.reason, row.fetched_at) {
            ("open", None, (None, None, None), None, None) => Ok(Self::Open(open)),
            ("answered", Some(at), (Some(answer), Some(name), comment), None, fetched) => {
                let answer = parse(&answer).filter(|answer: &Answer| answer.answers(&open.ask));
                let answer = answer.ok_or_else(|| wrong(&open, "its answer"))?;
                let comment =
                    comment.map(|comment| parse(&comment).ok_or_else(|| wrong(&open, "its comment")));
                let ending =
                    Ending::Answered { answer, by: Reviewer { name }, comment: comment.transpose()? };
                Ok(closed(at, ending, fetched))
            }
            ("expired", Some(at), (None, None, None), None, None) => Ok(closed(at, Ending::Expired, None)),
            ("withdrawn", Some(at), (None, None, None), reason, None) => {
                Ok(closed(at, Ending::Withdrawn { reason }, None))
            }
            _ => Err(wrong(&open, "its state and columns")),
        }
    }
}

pub(super) const SELECT_GLANCE: &str =
    "SELECT id, principal, deadline, state, answer, fetched_at FROM reviews WHERE id = $1";
pub(super) const SELECT_GLANCE_OWN: &str =
    "SELECT id, principal, deadline, state, answer, fetched_at FROM reviews WHERE id = $1 AND principal = $2";

#[derive(Clone, FromRow)]
pub(super) struct GlanceRow {
    pub(super) id: String,
    pub(super) principal: String,
    deadline: i64,
    state: String,
    answer: Option<String>,
    fetched_at: Option<i64>,
}

impl TryFrom<GlanceRow> for Glance {
    type Error = StoreError;

    fn try_from(row: GlanceRow) -> Result<Self, StoreError> {
        let wrong = |what| StoreError::InconsistentRow { id: row.id.clone(), what };
        let status = match (row.state.as_str(), row.answer, row.fetched_at) {
            ("open", None, None) => Status::Pending,
            ("answered", Some(_), Some(_)) => Status::Consumed,
            ("answered", Some(answer), None) => {
                match parse::<Answer>(&answer).map(|answer| answer.decision()) {
                    Some(Decision::Approved) => Status::Approved,
                    Some(Decision::Rejected) => Status::Rejected,
                    None => return Err(wrong("its answer")),
                }
            }
            ("expired", None, None) => Status::Expired,
            ("withdrawn", None, None) => Status::Canceled,
            _ => return Err(wrong("its state and columns")),
        };
        Ok(Self { principal: row.principal, deadline: Moment(row.deadline), status })
    }
}

#[derive(FromRow)]
pub(super) struct EntryRow {
    review: Option<String>,
    at: i64,
    actor: String,
    via: String,
    event: String,
}

impl TryFrom<EntryRow> for Entry {
    type Error = StoreError;

    fn try_from(row: EntryRow) -> Result<Self, StoreError> {
        let wrong = |what| StoreError::InconsistentRow { id: row.review.clone().unwrap_or_default(), what };
        let review = row.review.as_deref().map(str::parse).transpose();
        Ok(Self {
            review: review.map_err(|_| wrong("an audit entry's review"))?,
            at: Moment(row.at),
            actor: parse(&row.actor).ok_or_else(|| wrong("an audit entry's actor"))?,
            via: parse(&row.via).ok_or_else(|| wrong("an audit entry's door"))?,
            event: parse(&row.event).ok_or_else(|| wrong("an audit entry's event"))?,
        })
    }
}

/// A value of the domain as a column holds it. JSON escapes NUL, which a Postgres text cannot hold.
pub(super) fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("the domain's values are plain JSON")
}

/// The same, before it is text.
pub(super) fn value<T: Serialize>(value: &T) -> serde_json::Value {
    serde_json::to_value(value).expect("the domain's values are plain JSON")
}

pub(super) fn parse<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_str(text).ok()
}
