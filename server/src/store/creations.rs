//! New reviews on their way into the database: those that arrive together are one statement, and so are their entries.
//!
//! Each statement is a trip to the thread of the connection and back. Two for every creation would be most of what it costs.

use super::{Inserted, Store, StoreError, row, rows::Columns, trail::Note, writer::Turn};
use sayso_domain::{
    audit::Entry,
    review::{Open, Repeat},
};
use sqlx::AssertSqlSafe;
use std::collections::HashSet;

/// A review that is to be stored, and the entry that tells of it.
pub(super) struct Creation {
    id: String,
    ask: String,
    principal: String,
    client: Option<String>,
    at: i64,
    deadline: i64,
    repeat: Option<Repeat>,
    note: Note,
}

impl Store {
    /// Stores a new review, unless its agent has used the same key before.
    ///
    /// # Errors
    /// The database; nothing is stored then.
    pub async fn insert(
        &self,
        open: &Open,
        repeat: Option<&Repeat>,
        entry: &Entry,
    ) -> Result<Inserted, StoreError> {
        self.health.may_write()?;
        let inserted = self.writer.create(self.creation(open, repeat, entry)).await;
        self.health.learn(&inserted, self.kind);
        inserted
    }

    fn creation(&self, open: &Open, repeat: Option<&Repeat>, entry: &Entry) -> Creation {
        Creation {
            id: open.id.to_string(),
            ask: row::json(&open.ask),
            principal: open.by.principal.clone(),
            client: open.by.client.clone(),
            at: open.at.0,
            deadline: open.deadline.0,
            repeat: repeat.cloned(),
            note: self.note(entry),
        }
    }
}

const REVIEWS: Columns = Columns {
    table: "reviews",
    names: "id, ask, principal, client, opened_at, deadline, state, repeat_key, digest",
    on_conflict: "ON CONFLICT (principal, repeat_key) DO NOTHING",
};

/// Stores them all; in their order, which were new.
pub(super) async fn insert(
    mut turn: Turn<'_>,
    creations: &[&Creation],
) -> Result<Vec<Inserted>, sqlx::Error> {
    if creations.is_empty() {
        return Ok(Vec::new());
    }
    let (sql, spare) = turn.places().insert(creations.len(), REVIEWS);
    let mut insert = sqlx::query(AssertSqlSafe(sql));
    for creation in creations {
        let (key, digest) =
            creation.repeat.as_ref().map(|repeat| (repeat.key.clone(), repeat.digest.clone())).unzip();
        insert = insert
            .bind(creation.id.clone())
            .bind(creation.ask.clone())
            .bind(creation.principal.clone())
            .bind(creation.client.clone())
            .bind(creation.at)
            .bind(creation.deadline)
            .bind("open")
            .bind(key)
            .bind(digest);
    }
    for _ in 0..spare {
        insert = insert.bind(None::<String>);
    }
    let stored = insert.execute(&mut *turn).await?.rows_affected();
    let is_new = if usize::try_from(stored) == Ok(creations.len()) {
        vec![true; creations.len()]
    } else {
        which(&mut turn, creations).await?
    };
    let new = creations.iter().zip(&is_new).filter(|(_, is_new)| **is_new);
    let notes: Vec<&Note> = new.map(|(creation, _)| &creation.note).collect();
    Note::write_all(&notes, turn).await?;
    Ok(is_new.into_iter().map(|is_new| if is_new { Inserted::New } else { Inserted::Before }).collect())
}

/// Which of these are there.
async fn which(turn: &mut Turn<'_>, creations: &[&Creation]) -> Result<Vec<bool>, sqlx::Error> {
    let sql = format!("SELECT id FROM reviews WHERE id IN {}", turn.places().rows(1, creations.len()));
    let mut select = sqlx::query_scalar(AssertSqlSafe(sql)).persistent(false);
    for creation in creations {
        select = select.bind(creation.id.clone());
    }
    let found: HashSet<String> = select.fetch_all(&mut **turn).await?.into_iter().collect();
    Ok(creations.iter().map(|creation| found.contains(&creation.id)).collect())
}
