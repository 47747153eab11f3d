//! Keeps trying whether the database can be written, so that `/readyz` knows it while nobody writes, and again after trouble.

use crate::store::Store;
use sayso_domain::Clock;
use std::{sync::Arc, time::Duration};
use tokio_util::sync::CancellationToken;

/// Beats until the server stops.
pub async fn run(store: Store, clock: Arc<dyn Clock>, stopping: CancellationToken) {
    const EVERY: Duration = Duration::from_secs(30);
    const IN_TROUBLE: Duration = Duration::from_secs(1);
    let mut trouble = store.trouble();
    let mut told = None;
    loop {
        // Before the beat, so that nothing that is told meanwhile is missed.
        trouble.mark_unchanged();
        let now = store.beat(clock.now()).await.err();
        if now != told {
            match now {
                Some(trouble) => tracing::error!(reason = trouble.word(), "{}", trouble.told()),
                None => tracing::info!("the database can be written again"),
            }
            told = now;
        }
        let pause = if now.is_some() { IN_TROUBLE } else { EVERY };
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            // Somebody's write has failed, or has succeeded again.
            _ = trouble.changed() => {}
            () = stopping.cancelled() => return,
        }
    }
}
