//! Writes that are done together with all others of their kind in a group.

use super::{Job, Queue};
use crate::store::StoreError;
use std::sync::Arc;
use tokio::sync::oneshot;

/// One of them: what is to be written, and what became of it.
pub(super) struct Alike<W, O> {
    pub(super) write: W,
    pub(super) outcome: Option<Result<O, StoreError>>,
    answer: oneshot::Sender<Result<O, StoreError>>,
}

impl Queue {
    /// Has it written together with its kind, and comes back when that is committed.
    pub(super) async fn together<W, O>(
        &self,
        kind: fn(Box<Alike<W, O>>) -> Job,
        write: W,
    ) -> Result<O, StoreError> {
        let (answer, answered) = oneshot::channel();
        self.send(kind(Box::new(Alike { write, outcome: None, answer }))).await?;
        answered.await.unwrap_or_else(|_| Err(sqlx::Error::PoolClosed.into()))
    }
}

impl<W, O> Alike<W, O> {
    /// Whether somebody still waits for it.
    pub(super) fn is_awaited(&self) -> bool {
        !self.answer.is_closed()
    }

    /// Keeps what became of it where it was done alone; whether it may stay.
    pub(super) fn alone(&mut self, outcome: Result<O, sqlx::Error>) -> bool {
        let done = outcome.is_ok();
        self.outcome = Some(outcome.map_err(StoreError::from));
        done
    }

    /// Tells whoever waits what became of it.
    pub(super) fn answer(self, not_committed: Option<&Arc<sqlx::Error>>) {
        let answer = match (self.outcome, not_committed) {
            (Some(Ok(_)) | None, Some(error)) => Err(StoreError::NotCommitted(Arc::clone(error))),
            (Some(outcome), _) => outcome,
            (None, None) => Err(sqlx::Error::PoolClosed.into()),
        };
        // Nobody hears it who has gone away.
        let _ = self.answer.send(answer);
    }
}
