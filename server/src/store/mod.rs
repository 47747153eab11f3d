//! All SQL, and nothing but SQL: reviews and their audit trail in SQLite or Postgres, by one text.
//!
//! A change and its audit entry are one transaction. Which of several endings a review gets is decided here and
//! nowhere else, by one conditional update: the first wins, also between processes.

pub mod backup;
pub mod chain;
mod closings;
mod creations;
mod glances;
mod health;
pub mod keys;
mod open;
mod overdue;
pub mod people;
mod prompts;
mod row;
mod rows;
pub mod sessions;
pub mod signing;
pub mod tokens;
mod trail;
mod writer;

pub use health::Trouble;
pub use overdue::{After, Overdue};

use crate::chance::Chance;
use futures_util::{FutureExt, future::BoxFuture};
use glances::Glances;
use health::Health;
use row::Row;
use sayso_domain::{Moment, Review, ReviewId, Status, audit::Entry};
use sqlx::AnyPool;
use std::sync::Arc;
use writer::{Turn, Writer};

/// Why the store could not do it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database said so.
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
    /// The commit that several writes shared did not come about.
    #[error("the database, committing: {0}")]
    NotCommitted(Arc<sqlx::Error>),
    /// The statement that several looks shared failed.
    #[error("the database: {0}")]
    Together(Arc<sqlx::Error>),
    /// The tables could not be brought to this version.
    #[error("bringing the database up to date: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// The URL names no database that this server knows.
    #[error("`{0}` is no database URL: use sqlite:PATH or postgres://…")]
    Url(String),
    /// The SQLite file could not be made.
    #[error("the database file {0}: {1}")]
    File(String, std::io::Error),
    /// A newer version has been here.
    #[error(
        "the database is of a newer sayso: its tables are at version {found}, and this one knows them up to {known}. Nothing was \
         changed. Start a sayso that is as new, or one with a backup from before"
    )]
    Newer {
        /// The version of its tables.
        found: i64,
        /// The last one known here.
        known: i64,
    },
    /// The SQLite file is not where it was when it was opened.
    #[error("the database file was moved away or replaced while it was in use; nothing is written to it")]
    Moved,
    /// What stands there for the key that signs is none.
    #[error("the signing key {0} in the database is damaged")]
    SigningKey(String),
    /// An audit entry that no version wrote.
    #[error("inconsistent row: audit entry {id}, {what}")]
    InconsistentEntry {
        /// Which entry.
        id: String,
        /// What does not fit.
        what: &'static str,
    },
    /// A row that this version did not write.
    #[error("inconsistent row: review {id}, {what}")]
    InconsistentRow {
        /// Whose row.
        id: String,
        /// What does not fit.
        what: &'static str,
    },
}

impl StoreError {
    /// Whether what is stored makes no sense, so that trying again is in vain.
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::InconsistentRow { .. } | Self::InconsistentEntry { .. } | Self::SigningKey(_))
    }
}

/// What became of a new review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inserted {
    /// It is stored.
    New,
    /// Its agent had used the same key before; nothing was stored.
    Before,
}

/// What became of an attempt to close a review.
#[derive(Debug)]
pub enum Closing {
    /// It was open, and this closed it.
    Won,
    /// Something had come first: here is how it stands.
    Lost(Option<Box<Review>>),
}

/// How a review stands, without what was asked: thousands of waiters look at nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glance {
    /// Whose review it is.
    pub principal: String,
    /// When it stops being decidable.
    pub deadline: Moment,
    /// Its status word as it is recorded.
    pub status: Status,
}

impl Glance {
    /// Whether its deadline has come and nobody has recorded that.
    pub fn is_overdue(&self, now: Moment) -> bool {
        self.status == Status::Pending && now >= self.deadline
    }
}

/// Reviews and their audit trail.
#[derive(Clone)]
pub struct Store {
    writer: Arc<Writer>,
    reader: AnyPool,
    chance: Arc<Chance>,
    kind: Kind,
    health: Arc<Health>,
    /// On SQLite.
    glances: Option<Glances>,
}

/// Which database it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One file, for one server.
    Sqlite,
    /// For one server or many.
    Postgres,
}

impl Store {
    /// Which database it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Closes all connections, after what they are doing and what waits to be written.
    pub async fn shut(&self) {
        self.writer.shut().await;
        self.reader.close().await;
    }

    /// How many commits all writes have taken so far: fewer than writes, where they share them.
    pub fn commits(&self) -> u64 {
        self.writer.commits()
    }

    /// Writes: see [`Writer::write`]. What becomes of it tells how the database is.
    async fn write<T, W>(&self, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: for<'c> FnOnce(Turn<'c>) -> BoxFuture<'c, Result<T, StoreError>> + Send + 'static,
    {
        self.health.may_write()?;
        let outcome = self.writer.write(work).await;
        self.health.learn(&outcome, self.kind);
        outcome
    }

    /// The review that an agent made under a key, and the digest of what it said then.
    ///
    /// # Errors
    /// The database, or a row that this version did not write.
    pub async fn repeated(
        &self,
        principal: &str,
        key: &str,
    ) -> Result<Option<(ReviewId, String)>, StoreError> {
        let row: Option<(String, String)> =
            sqlx::query_as("SELECT id, digest FROM reviews WHERE principal = $1 AND repeat_key = $2")
                .bind(principal)
                .bind(key)
                .fetch_optional(&self.reader)
                .await?;
        row.map(|(id, digest)| match id.parse() {
            Ok(review) => Ok((review, digest)),
            Err(_) => Err(StoreError::InconsistentRow { id, what: "its id" }),
        })
        .transpose()
    }

    /// The review of that id, as it is recorded: an open one may be past its deadline.
    ///
    /// # Errors
    /// The database, or a row that this version did not write.
    pub async fn find(&self, id: ReviewId) -> Result<Option<Review>, StoreError> {
        let row: Option<Row> =
            sqlx::query_as(row::SELECT).bind(id.to_string()).fetch_optional(&self.reader).await?;
        row.map(Review::try_from).transpose()
    }

    /// How the review of that id stands.
    ///
    /// # Errors
    /// The database, or a row that this version did not write.
    pub async fn glance(&self, id: ReviewId) -> Result<Option<Glance>, StoreError> {
        let row: Option<row::GlanceRow> =
            sqlx::query_as(row::SELECT_GLANCE).bind(id.to_string()).fetch_optional(&self.reader).await?;
        row.map(Glance::try_from).transpose()
    }

    /// The review of that id, if it is this principal's: the database is asked the same, and answers as much, where it is another's
    /// as where there is none.
    ///
    /// # Errors
    /// The database, or a row that this version did not write.
    pub async fn find_own(&self, id: ReviewId, principal: &str) -> Result<Option<Review>, StoreError> {
        let row: Option<Row> = sqlx::query_as(row::SELECT_OWN)
            .bind(id.to_string())
            .bind(principal)
            .fetch_optional(&self.reader)
            .await?;
        row.map(Review::try_from).transpose()
    }

    /// Records that the agent fetched the decision; the first time counts, every time is in the trail.
    ///
    /// # Errors
    /// The database; nothing is stored then.
    pub async fn fetched(&self, id: ReviewId, entry: &Entry) -> Result<(), StoreError> {
        let (at, note) = (entry.at.0, self.note(entry));
        self.write(move |mut turn| {
            async move {
                sqlx::query(
                    "UPDATE reviews SET fetched_at = $2 WHERE id = $1 AND state = 'answered' AND fetched_at IS NULL",
                )
                .bind(id.to_string())
                .bind(at)
                .execute(&mut *turn)
                .await?;
                note.write(turn).await
            }
            .boxed()
        })
        .await
    }
}
