//! Records expiries soon after they happen, so that waiters are woken and the trail is whole.

use crate::{
    reviewers::{IDLE, LIFE},
    reviews::Reviews,
};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Sweeps at every deadline until the server stops.
pub async fn run(reviews: Reviews, stopping: CancellationToken) {
    const LONGEST: Duration = Duration::from_secs(30);
    const AFTER_TROUBLE: Duration = Duration::from_secs(5);
    loop {
        let pause = match sweep(&reviews).await {
            Ok(pause) => pause.min(LONGEST),
            Err(error) => {
                tracing::error!(%error, "sweeping");
                AFTER_TROUBLE
            }
        };
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = reviews.new_deadline() => {}
            () = stopping.cancelled() => return,
        }
    }
}

async fn sweep(reviews: &Reviews) -> Result<Duration, crate::store::StoreError> {
    while reviews.close_overdue().await? > 0 {}
    reviews.forget_silent_sessions().await?;
    reviews.forget_people(IDLE, LIFE).await?;
    let next = reviews.next_deadline().await?;
    Ok(next.map_or(Duration::MAX, |deadline| Duration::from_millis(reviews.now().until(deadline))))
}
