//! Wakes who waits for a review in this process. What it says is never trusted: who wakes looks into the store.
//!
//! Nothing is kept for a review that nobody waits for.

use sayso_domain::ReviewId;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard},
};
use tokio::sync::watch;

/// One rope a review that somebody waits for.
#[derive(Clone, Default)]
pub struct Bell(Arc<Mutex<HashMap<ReviewId, watch::Sender<()>>>>);

/// A hold on a review's rope. Take it before looking into the store: a ring between the look and the wait is kept.
pub struct Rope {
    id: ReviewId,
    ring: watch::Receiver<()>,
    bell: Bell,
}

impl Bell {
    /// Waits for this review from now on.
    pub fn hold(&self, id: ReviewId) -> Rope {
        let ring = self.ropes().entry(id).or_insert_with(|| watch::channel(()).0).subscribe();
        Rope { id, ring, bell: self.clone() }
    }

    /// Wakes everybody who waits for this review.
    pub fn ring(&self, id: ReviewId) {
        if let Some(rope) = self.ropes().get(&id) {
            rope.send_replace(());
        }
    }

    /// How many reviews are waited for.
    pub fn waited_for(&self) -> usize {
        self.ropes().len()
    }

    fn ropes(&self) -> MutexGuard<'_, HashMap<ReviewId, watch::Sender<()>>> {
        self.0.lock().expect("no panic happens under this lock")
    }
}

impl Rope {
    /// Comes back once the bell has been rung since this rope was taken, or since the last time it came back.
    pub async fn rung(&mut self) {
        // The sender lives as long as this rope does.
        let _ = self.ring.changed().await;
    }
}

impl Drop for Rope {
    fn drop(&mut self) {
        let mut ropes = self.bell.ropes();
        // This rope still counts as one receiver here.
        if ropes.get(&self.id).is_some_and(|rope| rope.receiver_count() <= 1) {
            ropes.remove(&self.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_ring_before_the_wait_is_not_lost_and_nothing_is_kept() {
        let (bell, id) = (Bell::default(), ReviewId::from_bits(7));
        bell.ring(id);
        let (mut one, mut two) = (bell.hold(id), bell.hold(id));
        bell.ring(id);
        one.rung().await;
        two.rung().await;
        drop(one);
        assert_eq!(bell.waited_for(), 1);
        drop(two);
        assert_eq!(bell.waited_for(), 0);
    }
}
