//! Signs how far the audit trail has come, so that what was cut off or rewritten later can be told.

pub mod export;
pub mod verify;

use crate::{
    signing::Signer,
    store::{Store, StoreError},
};
use sayso_domain::{Clock, chain::Head};
use std::{sync::Arc, time::Duration};
use tokio_util::sync::CancellationToken;

/// How long a server waits until it signs again.
pub const EVERY: Duration = Duration::from_secs(300);

/// Why the trail was not signed or not exported.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What was signed is not there any more.
    #[error(
        "the audit trail ends at entry {now}, and a head was signed at entry {signed}: the trail was cut off or rewritten, \
         or the database is an older copy of itself"
    )]
    Shortened {
        /// The last entry.
        now: i64,
        /// The entry of the last head.
        signed: i64,
    },
    /// There is no such request.
    #[error("there is no request {0} in this database")]
    NoSuchReview(sayso_domain::ReviewId),
    /// Nobody reads the export.
    #[error("writing the export: {0}")]
    Output(#[from] std::io::Error),
}

/// Signs heads.
#[derive(Clone)]
pub struct Heads {
    store: Store,
    signer: Signer,
    clock: Arc<dyn Clock>,
}

impl Heads {
    /// Puts the pieces together.
    pub fn new(store: Store, signer: Signer, clock: Arc<dyn Clock>) -> Self {
        Self { store, signer, clock }
    }

    /// Signs the last entry, unless it is signed already; which one that is.
    ///
    /// # Errors
    /// The store, or the trail is not what was signed before.
    pub async fn sign(&self) -> Result<i64, AuditError> {
        // In this order: meanwhile another server may sign what follows.
        let signed = self.store.last_head().await?;
        let (chain, seq, hash) = self.store.chain().await?;
        match signed {
            Some((at, signed)) if at == seq && signed == hash => return Ok(seq),
            Some((signed, _)) if signed >= seq => return Err(AuditError::Shortened { now: seq, signed }),
            None if seq == 0 => return Ok(seq),
            _ => {}
        }
        let head = Head { chain, seq, hash, at: self.clock.now().0, kid: self.signer.kid().to_owned() };
        let signature = self.signer.sign_text(head.text().as_bytes());
        tracing::info!(seq, hash = head.hash, "signed the head of the audit trail");
        self.store.keep_head(head, signature).await?;
        Ok(seq)
    }

    /// Signs again and again, until the server stops; the last time is the caller's, when nothing is written any more.
    pub async fn run(self, stopping: CancellationToken) {
        self.run_by(|| tokio::time::sleep(EVERY), stopping).await;
    }

    /// The same, each time that a pause is over.
    pub async fn run_by<P: Future<Output = ()>>(
        self,
        mut pause: impl FnMut() -> P,
        stopping: CancellationToken,
    ) {
        loop {
            self.try_sign().await;
            tokio::select! {
                () = pause() => {}
                () = stopping.cancelled() => return,
            }
        }
    }

    /// Signs, and says so in the log where that fails.
    pub async fn try_sign(&self) {
        if let Err(error) = self.sign().await {
            tracing::error!(%error, "signing the head of the audit trail");
        }
    }
}
