//! How many calls wait for a decision: for whoever watches the server.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// The calls that wait.
#[derive(Clone, Debug, Default)]
pub struct Waiters(Arc<AtomicUsize>);

/// A call that waits, for as long as this is kept.
pub(super) struct Waiter(Waiters);

impl Waiters {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// One more.
    pub(super) fn join(&self) -> Waiter {
        self.0.fetch_add(1, Ordering::Relaxed);
        Waiter(self.clone())
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}
