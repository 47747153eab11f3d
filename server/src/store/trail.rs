//! The audit trail, which grows and never changes.

use super::{
    Store, StoreError,
    chain::{self, Place},
    row,
    rows::Columns,
    writer::Turn,
};
use crate::chance::Chance;
use futures_util::FutureExt;
use sayso_domain::{
    Moment, ReviewId,
    audit::{Actor, Entry},
    chain::{Link, Told},
};
use serde_json::Value;
use sqlx::AssertSqlSafe;
use std::{collections::HashSet, sync::Arc};

impl Store {
    /// Writes an entry that tells of no change.
    ///
    /// # Errors
    /// The database.
    pub async fn record(&self, entry: &Entry) -> Result<(), StoreError> {
        let note = self.note(entry);
        self.write(move |turn| note.write(turn).boxed()).await
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

    /// Whether this person has had the review before their eyes.
    ///
    /// # Errors
    /// The database.
    pub async fn has_viewed(&self, id: ReviewId, person: &str) -> Result<bool, StoreError> {
        let found: Option<i64> =
            sqlx::query_scalar("SELECT CAST(1 AS BIGINT) FROM views WHERE review = $1 AND person = $2")
                .bind(id.to_string())
                .bind(person)
                .fetch_optional(&self.reader)
                .await?;
        Ok(found.is_some())
    }

    /// Records that a person has had a review before their eyes: of several times that come at once, the first.
    ///
    /// # Errors
    /// The database; nothing is stored then.
    pub async fn viewed(&self, id: ReviewId, person: &str, entry: &Entry) -> Result<(), StoreError> {
        let (id, person, note) = (id.to_string(), person.to_owned(), self.note(entry));
        self.write(move |mut turn| {
            async move {
                if !keep_views(&[(&id, &person)], &mut turn).await?.is_empty() {
                    note.write(turn).await?;
                }
                Ok(())
            }
            .boxed()
        })
        .await
    }

    pub(super) fn note(&self, entry: &Entry) -> Note {
        Note {
            review: entry.review.map(|id| id.to_string()),
            at: entry.at,
            actor: row::value::<Actor>(&entry.actor),
            via: row::value(&entry.via),
            event: row::value(&entry.event),
            chance: Arc::clone(&self.chance),
        }
    }
}

const VIEWS: Columns = Columns {
    table: "views",
    names: "review, person",
    on_conflict: "ON CONFLICT DO NOTHING RETURNING review",
};

/// Keeps that people have seen reviews, no review twice; of which it is the first time.
pub(super) async fn keep_views(
    seen: &[(&str, &str)],
    turn: &mut Turn<'_>,
) -> Result<HashSet<String>, sqlx::Error> {
    if seen.is_empty() {
        return Ok(HashSet::new());
    }
    let (sql, spare) = turn.places().insert(seen.len(), VIEWS);
    let mut insert = sqlx::query_scalar(AssertSqlSafe(sql));
    for (review, person) in seen {
        insert = insert.bind((*review).to_owned()).bind((*person).to_owned());
    }
    for _ in 0..spare {
        insert = insert.bind(None::<String>);
    }
    Ok(insert.fetch_all(&mut **turn).await?.into_iter().collect())
}

const AUDIT: Columns = Columns {
    table: "audit",
    names: "id, review, at, actor, via, event, chain, seq, prev, hash",
    on_conflict: "",
};

/// An audit entry on its way into the trail.
pub(super) struct Note {
    review: Option<String>,
    at: Moment,
    actor: Value,
    via: Value,
    event: Value,
    chance: Arc<Chance>,
}

impl Note {
    /// Writes it at the end of the chain, as part of the change that it tells of, and as the last part: see [`chain::next`].
    /// It takes the turn with it.
    pub(super) async fn write(self, turn: Turn<'_>) -> Result<(), StoreError> {
        Ok(Self::write_all(&[&self], turn).await?)
    }

    /// Writes several, one after the other.
    pub(super) async fn write_all(notes: &[&Self], mut turn: Turn<'_>) -> Result<(), sqlx::Error> {
        if notes.is_empty() {
            return Ok(());
        }
        let (sql, spare) = turn.places().insert(notes.len(), AUDIT);
        let mut insert = sqlx::query(AssertSqlSafe(sql));
        for note in notes {
            let (link, hash) = note.link(chain::next(&mut turn).await?);
            chain::advance(&mut turn, hash.clone()).await?;
            insert = insert
                .bind(link.told.id)
                .bind(link.told.review)
                .bind(link.told.at)
                .bind(link.told.actor.to_string())
                .bind(link.told.via.to_string())
                .bind(link.told.event.to_string())
                .bind(link.chain)
                .bind(link.seq)
                .bind(link.prev)
                .bind(hash);
        }
        for _ in 0..spare {
            insert = insert.bind(None::<String>);
        }
        insert.execute(&mut *turn).await.map(|_| ())
    }

    /// The entry at its place, and its hash.
    fn link(&self, place: Place) -> (Link, String) {
        let link = Link {
            chain: place.id,
            seq: place.seq,
            told: Told {
                // Named only now, so that the order of the names is the order of writing.
                id: self.chance.entry_id(self.at),
                at: self.at.0,
                review: self.review.clone(),
                actor: self.actor.clone(),
                via: self.via.clone(),
                event: self.event.clone(),
            },
            prev: place.head,
        };
        let hash = link.hash();
        (link, hash)
    }
}
