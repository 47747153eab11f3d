//! Records expiries soon after they happen, so that waiters are woken and the trail is whole; forgets old sessions.

use crate::{
    reviewers::{IDLE, LIFE},
    reviews::Reviews,
    store::StoreError,
};
use std::{collections::HashSet, time::Duration};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Sweeps at every deadline until the server stops.
pub async fn run(reviews: Reviews, stopping: CancellationToken) {
    const LONGEST: Duration = Duration::from_secs(30);
    const AFTER_TROUBLE: Duration = Duration::from_secs(5);
    let mut deadlines = reviews.deadlines();
    let mut unreadable = Unreadable::default();
    loop {
        deadlines.forget();
        let pause = match sweep(&reviews, &mut unreadable).await {
            Ok(pause) => pause.min(LONGEST),
            Err(error) => {
                tracing::error!(%error, "sweeping");
                AFTER_TROUBLE
            }
        };
        let mut at = Instant::now() + pause;
        loop {
            tokio::select! {
                () = tokio::time::sleep_until(at) => break,
                sooner = deadlines.next() => {
                    at = at.min(Instant::now() + Duration::from_millis(reviews.now().until(sooner)));
                }
                () = stopping.cancelled() => return,
            }
        }
    }
}

async fn sweep(reviews: &Reviews, unreadable: &mut Unreadable) -> Result<Duration, StoreError> {
    let now = reviews.now();
    unreadable.tell(&reviews.close_overdue(now).await?.unreadable);
    reviews.forget_silent_sessions().await?;
    reviews.forget_people(IDLE, LIFE).await?;
    let next = reviews.next_deadline(now).await?;
    Ok(next.map_or(Duration::MAX, |deadline| Duration::from_millis(reviews.now().until(deadline))))
}

/// Rows that make no sense, each told once: they are met at every sweep.
#[derive(Default)]
struct Unreadable(HashSet<String>);

impl Unreadable {
    fn tell(&mut self, found: &[StoreError]) {
        let found: HashSet<String> = found.iter().map(ToString::to_string).collect();
        for error in found.difference(&self.0) {
            tracing::error!(error, "a request that cannot be read cannot expire");
        }
        self.0 = found;
    }
}
