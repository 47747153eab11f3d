//! Writes that are done together with all others of their kind in a group.

use super::{Job, Queue};
use crate::store::StoreError;
use std::sync::Arc;
use tokio::sync::oneshot;

/// One of them: what is to be written, and what became of it.
pub(super) struct Alike<W, O> {
    write: Option<W>,
    outcome: Option<O>,
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
        self.send(kind(Box::new(Alike { write: Some(write), outcome: None, answer }))).await?;
        answered.await.unwrap_or_else(|_| Err(sqlx::Error::PoolClosed.into()))
    }
}

impl<W, O> Alike<W, O> {
    /// Whether somebody still waits for it.
    pub(super) fn is_awaited(&self) -> bool {
        !self.answer.is_closed()
    }

    /// Tells whoever waits what became of it.
    pub(super) fn answer(self, not_committed: Option<&Arc<sqlx::Error>>) {
        let answer = match (self.outcome, not_committed) {
            (_, Some(error)) => Err(StoreError::NotCommitted(Arc::clone(error))),
            (Some(outcome), None) => Ok(outcome),
            (None, None) => Err(sqlx::Error::PoolClosed.into()),
        };
        // Nobody hears it who has gone away.
        let _ = self.answer.send(answer);
    }
}

/// Takes out what they are to write.
pub(super) fn take<W, O>(alike: &mut [&mut Alike<W, O>]) -> Vec<W> {
    alike.iter_mut().filter_map(|one| one.write.take()).collect()
}

/// Gives each what became of it, in their order.
pub(super) fn give<W, O>(alike: Vec<&mut Alike<W, O>>, outcomes: Vec<O>) {
    for (one, outcome) in alike.into_iter().zip(outcomes) {
        one.outcome = Some(outcome);
    }
}
