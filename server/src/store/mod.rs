//! All SQL, and nothing but SQL: reviews and their audit trail in SQLite or Postgres, by one text.
//!
//! A change and its audit entry are one transaction. Which of several endings a review gets is decided here and
//! nowhere else, by one conditional update: the first wins, also between processes.

pub mod keys;
mod prompts;
mod row;
pub mod sessions;

use crate::chance::Chance;
use row::Row;
use sayso_domain::{
    Answer, Closed, Ending, Moment, Review, ReviewId,
    audit::{Actor, Entry},
    review::{Open, Repeat},
};
use sqlx::{
    AnyConnection, AnyPool, Connection, Executor,
    any::{AnyConnectOptions, AnyPoolOptions},
    migrate::Migrator,
};
use std::{path::Path, str::FromStr, sync::Arc, time::Duration};

static MIGRATIONS: Migrator = sqlx::migrate!("./migrations");

/// Why the store could not do it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database said so.
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
    /// The tables could not be brought to this version.
    #[error("bringing the database up to date: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// The URL names no database that this server knows.
    #[error("`{0}` is no database URL: use sqlite:PATH or postgres://…")]
    Url(String),
    /// The SQLite file could not be made.
    #[error("the database file {0}: {1}")]
    File(String, std::io::Error),
    /// A row that this version did not write.
    #[error("inconsistent row: review {id}, {what}")]
    InconsistentRow {
        /// Whose row.
        id: String,
        /// What does not fit.
        what: &'static str,
    },
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

/// Reviews and their audit trail.
#[derive(Clone)]
pub struct Store {
    /// SQLite takes one writer at a time: one connection, so that writers queue here and not on its lock.
    writer: AnyPool,
    reader: AnyPool,
    chance: Arc<Chance>,
    kind: Kind,
}

/// Which database it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One file, for one server.
    Sqlite,
    /// For one server or many.
    Postgres,
}

/// The entry that tells of a change, without its id.
type Note<'a> = &'a Entry;

impl Store {
    /// Opens the database that the URL names, and brings its tables to this version.
    ///
    /// # Errors
    /// The URL names none, or the database cannot be reached or brought up to date.
    pub async fn open(url: &str, chance: Arc<Chance>) -> Result<Self, StoreError> {
        sqlx::any::install_default_drivers();
        let store = if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            let options =
                AnyConnectOptions::from_str(url).map_err(|_| StoreError::Url(without_secrets(url)))?;
            // A pool would wait and say only that it waited: the first connection says what is wrong.
            AnyConnection::connect_with(&options).await?.close().await?;
            let pool = AnyPoolOptions::new()
                .max_connections(16)
                .acquire_timeout(Duration::from_secs(10))
                .connect_with(options)
                .await?;
            Self { writer: pool.clone(), reader: pool, chance, kind: Kind::Postgres }
        } else if let Some(path) = url.strip_prefix("sqlite:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            if path.is_empty() || path.contains(['?', '#']) {
                return Err(StoreError::Url(url.to_owned()));
            }
            make_private(Path::new(path)).map_err(|error| StoreError::File(path.to_owned(), error))?;
            let options = AnyConnectOptions::from_str(&format!("sqlite://{path}?mode=rw"))
                .map_err(|_| StoreError::Url(url.to_owned()))?;
            let writer = sqlite(1).connect_with(options.clone()).await?;
            let reader = sqlite(4).connect_with(options).await?;
            Self { writer, reader, chance, kind: Kind::Sqlite }
        } else {
            return Err(StoreError::Url(without_secrets(url)));
        };
        MIGRATIONS.run(&store.writer).await?;
        Ok(store)
    }

    /// Which database it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Whether the database answers.
    ///
    /// # Errors
    /// It does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.reader.acquire().await?.ping().await?;
        Ok(())
    }

    /// Closes all connections, after what they are doing.
    pub async fn shut(&self) {
        self.reader.close().await;
        self.writer.close().await;
    }

    /// Stores a new review, unless its agent has used the same key before.
    ///
    /// # Errors
    /// The database; nothing is stored then.
    pub async fn insert(
        &self,
        open: &Open,
        repeat: Option<&Repeat>,
        entry: Note<'_>,
    ) -> Result<Inserted, StoreError> {
        let mut transaction = self.writer.begin().await?;
        let done = sqlx::query(
            "INSERT INTO reviews (id, ask, principal, client, opened_at, deadline, state, repeat_key, digest) \
             VALUES ($1, $2, $3, $4, $5, $6, 'open', $7, $8) ON CONFLICT (principal, repeat_key) DO NOTHING",
        )
        .bind(open.id.to_string())
        .bind(row::json(&open.ask))
        .bind(&open.by.principal)
        .bind(open.by.client.as_deref())
        .bind(open.at.0)
        .bind(open.deadline.0)
        .bind(repeat.map(|repeat| repeat.key.as_str()))
        .bind(repeat.map(|repeat| repeat.digest.as_str()))
        .execute(&mut *transaction)
        .await?;
        if done.rows_affected() == 0 {
            transaction.rollback().await?;
            return Ok(Inserted::Before);
        }
        self.note(&mut transaction, entry).await?;
        transaction.commit().await?;
        Ok(Inserted::New)
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

    /// Closes a review, if it is open still and its deadline allows this ending.
    ///
    /// # Errors
    /// The database; nothing is stored then.
    pub async fn close(&self, closed: &Closed, entry: Note<'_>) -> Result<Closing, StoreError> {
        let (state, answer, reviewer, reason) = match closed.ending() {
            Ending::Answered { answer, by } => {
                ("answered", Some(row::json::<Answer>(answer)), Some(by.name.as_str()), None)
            }
            Ending::Expired => ("expired", None, None, None),
            Ending::Withdrawn { reason } => ("withdrawn", None, None, reason.as_deref()),
        };
        let id = closed.open().id;
        let mut transaction = self.writer.begin().await?;
        let done = sqlx::query(
            "UPDATE reviews SET state = $2, closed_at = $3, answer = $4, reviewer = $5, reason = $6 \
             WHERE id = $1 AND state = 'open' AND ((deadline <= $3) = ($2 = 'expired'))",
        )
        .bind(id.to_string())
        .bind(state)
        .bind(closed.at().0)
        .bind(answer)
        .bind(reviewer)
        .bind(reason)
        .execute(&mut *transaction)
        .await?;
        if done.rows_affected() == 0 {
            transaction.rollback().await?;
            return Ok(Closing::Lost(self.find(id).await?.map(Box::new)));
        }
        self.note(&mut transaction, entry).await?;
        transaction.commit().await?;
        Ok(Closing::Won)
    }

    /// Records that the agent fetched the decision; the first time counts, every time is in the trail.
    ///
    /// # Errors
    /// The database; nothing is stored then.
    pub async fn fetched(&self, id: ReviewId, entry: Note<'_>) -> Result<(), StoreError> {
        let mut transaction = self.writer.begin().await?;
        sqlx::query(
            "UPDATE reviews SET fetched_at = $2 WHERE id = $1 AND state = 'answered' AND fetched_at IS NULL",
        )
        .bind(id.to_string())
        .bind(entry.at.0)
        .execute(&mut *transaction)
        .await?;
        self.note(&mut transaction, entry).await?;
        Ok(transaction.commit().await?)
    }

    /// Writes an entry that tells of no change.
    ///
    /// # Errors
    /// The database.
    pub async fn record(&self, entry: Note<'_>) -> Result<(), StoreError> {
        let mut connection = self.writer.acquire().await?;
        self.note(&mut connection, entry).await
    }

    /// Open reviews whose deadline has passed, the oldest first, at most `limit`.
    ///
    /// # Errors
    /// The database, or a row that this version did not write.
    pub async fn overdue(&self, now: Moment, limit: i64) -> Result<Vec<Open>, StoreError> {
        let rows: Vec<Row> =
            sqlx::query_as(row::SELECT_OVERDUE).bind(now.0).bind(limit).fetch_all(&self.reader).await?;
        let reviews = rows.into_iter().map(Review::try_from).collect::<Result<Vec<_>, _>>()?;
        Ok(reviews
            .into_iter()
            .filter_map(|review| match review {
                Review::Open(open) => Some(open),
                Review::Closed(_) => None,
            })
            .collect())
    }

    /// The next deadline of an open review.
    ///
    /// # Errors
    /// The database.
    pub async fn next_deadline(&self) -> Result<Option<Moment>, StoreError> {
        let next: Option<i64> = sqlx::query_scalar("SELECT MIN(deadline) FROM reviews WHERE state = 'open'")
            .fetch_one(&self.reader)
            .await?;
        Ok(next.map(Moment))
    }

    /// The audit trail of a review, in order.
    ///
    /// # Errors
    /// The database, or a row that this version did not write.
    pub async fn trail(&self, id: ReviewId) -> Result<Vec<Entry>, StoreError> {
        let rows: Vec<row::EntryRow> =
            sqlx::query_as("SELECT review, at, actor, event FROM audit WHERE review = $1 ORDER BY id")
                .bind(id.to_string())
                .fetch_all(&self.reader)
                .await?;
        rows.into_iter().map(Entry::try_from).collect()
    }

    async fn note(&self, connection: &mut AnyConnection, entry: Note<'_>) -> Result<(), StoreError> {
        sqlx::query("INSERT INTO audit (id, review, at, actor, event) VALUES ($1, $2, $3, $4, $5)")
            .bind(self.chance.entry_id(entry.at))
            .bind(entry.review.to_string())
            .bind(entry.at.0)
            .bind(row::json::<Actor>(&entry.actor))
            .bind(row::json(&entry.event))
            .execute(connection)
            .await?;
        Ok(())
    }
}

/// Connections to a SQLite file on which an acknowledged commit survives a loss of power.
fn sqlite(connections: u32) -> AnyPoolOptions {
    AnyPoolOptions::new().max_connections(connections).acquire_timeout(Duration::from_secs(10)).test_before_acquire(false).after_connect(|connection, _| {
        Box::pin(async move {
            connection
                .execute("PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -1024;")
                .await?;
            Ok(())
        })
    })
}

/// Makes the file, and its folder, for this user's eyes only; what is there already stays as it is.
fn make_private(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    std::fs::OpenOptions::new().append(true).create(true).mode(0o600).open(path).map(|_| ())
}

/// A URL as it may be told: without what stands between `//` and `@`.
fn without_secrets(url: &str) -> String {
    match (url.split_once("//"), url.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}//…@{host}"),
        _ => url.to_owned(),
    }
}
