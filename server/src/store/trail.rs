//! The audit trail.

use super::{Store, StoreError, row};
use crate::chance::Chance;
use futures_util::FutureExt;
use sayso_domain::{
    Moment, ReviewId,
    audit::{Actor, Entry},
};
use sqlx::AnyConnection;
use std::sync::Arc;

impl Store {
    /// Writes an entry that tells of no change.
    ///
    /// # Errors
    /// The database.
    pub async fn record(&self, entry: &Entry) -> Result<(), StoreError> {
        let note = self.note(entry);
        self.write(move |connection| note.write(connection).boxed()).await
    }

    /// The audit trail of a review, in order.
    ///
    /// # Errors
    /// The database, or a row that this version did not write.
    pub async fn trail(&self, id: ReviewId) -> Result<Vec<Entry>, StoreError> {
        let rows: Vec<row::EntryRow> =
            sqlx::query_as("SELECT review, at, actor, via, event FROM audit WHERE review = $1 ORDER BY id")
                .bind(id.to_string())
                .fetch_all(&self.reader)
                .await?;
        rows.into_iter().map(Entry::try_from).collect()
    }

    pub(super) fn note(&self, entry: &Entry) -> Note {
        Note {
            review: entry.review.map(|id| id.to_string()),
            at: entry.at,
            actor: row::json::<Actor>(&entry.actor),
            via: row::json(&entry.via),
            event: row::json(&entry.event),
            chance: Arc::clone(&self.chance),
        }
    }
}

/// An audit entry on its way into the trail.
pub(super) struct Note {
    review: Option<String>,
    at: Moment,
    actor: String,
    via: String,
    event: String,
    chance: Arc<Chance>,
}

impl Note {
    /// Writes it, as part of the change that it tells of.
    pub(super) async fn write(self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        sqlx::query("INSERT INTO audit (id, review, at, actor, via, event) VALUES ($1, $2, $3, $4, $5, $6)")
            // Named only now, so that the order of the names is the order of writing.
            .bind(self.chance.entry_id(self.at))
            .bind(self.review)
            .bind(self.at.0)
            .bind(self.actor)
            .bind(self.via)
            .bind(self.event)
            .execute(connection)
            .await?;
        Ok(())
    }
}
