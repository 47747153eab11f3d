//! The chain that the audit trail is: its next place, its heads, and its entries as they are proven.

use super::{Store, StoreError, row, writer::Turn};
use futures_util::FutureExt;
use sayso_domain::{
    ReviewId,
    chain::{Head, Link, NOTHING, Told},
};
use sqlx::{AnyConnection, AnyPool, FromRow};

/// Makes the chain of a database that has none, under this name.
pub(super) async fn begin(pool: &AnyPool, name: impl FnOnce() -> String) -> Result<(), StoreError> {
    // Looked up first: an open database is not written to for nothing.
    let begun: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM chains").fetch_one(pool).await?;
    if begun == 0 {
        // Of several servers that come at once, the first one's stays.
        sqlx::query("INSERT INTO chains (one, id, seq, head) VALUES (1, $1, 0, $2) ON CONFLICT DO NOTHING")
            .bind(name())
            .bind(NOTHING)
            .execute(pool)
            .await?;
    }
    Ok(())
}

/// Where the next entry stands.
#[derive(Clone, FromRow)]
pub(super) struct Place {
    pub(super) id: String,
    pub(super) seq: i64,
    /// The hash of the entry before it.
    pub(super) head: String,
}

/// The end of the chain, as a write has it.
#[derive(Clone)]
pub(super) enum End {
    /// Others write at the same time: every place is taken in the database, whose row is the lock.
    Shared,
    /// Nobody else writes until the commit.
    Held {
        /// The last entry.
        last: Place,
        /// Whether it is one of this transaction's.
        is_new: bool,
    },
}

/// Goes back to the beginning of what [`hold`] has begun.
pub(super) const BACK: &str = "ROLLBACK TO begun";

/// Begins a transaction in which nobody else writes, and reads the end of the chain: both in one trip to the thread of the
/// connection. Immediately, so that a write may look before it writes, and never finds that somebody was faster.
pub(super) async fn hold(connection: &mut AnyConnection) -> Result<End, sqlx::Error> {
    let read =
        sqlx::query_as("BEGIN IMMEDIATE; SAVEPOINT begun; SELECT id, seq, head FROM chains WHERE one = 1");
    // What comes first is the end of BEGIN, which whoever fetches one row takes for the end of all.
    let mut read: Vec<Place> = read.fetch_all(connection).await?;
    let last = read.pop().ok_or(sqlx::Error::RowNotFound)?;
    Ok(End::Held { last, is_new: false })
}

/// Commits, and leaves the end of the chain to whoever writes next.
pub(super) async fn release(connection: &mut AnyConnection, end: End) -> Result<(), sqlx::Error> {
    let commit = match end {
        End::Held { last, is_new: true } => {
            sqlx::query("UPDATE chains SET seq = $1, head = $2 WHERE one = 1; COMMIT")
                .bind(last.seq)
                .bind(last.head)
        }
        End::Held { .. } | End::Shared => sqlx::query("COMMIT"),
    };
    commit.execute(connection).await.map(|_| ())
}

/// Takes the next place, which is given back if the write fails. On Postgres no other write has one until this one is
/// committed: so it is the last thing that a write does, and no two can wait for each other.
pub(super) async fn next(turn: &mut Turn<'_>) -> Result<Place, sqlx::Error> {
    match &mut *turn.chain {
        End::Held { last, is_new } => {
            *is_new = true;
            last.seq += 1;
            Ok(last.clone())
        }
        End::Shared => {
            let taken =
                sqlx::query_as("UPDATE chains SET seq = seq + 1 WHERE one = 1 RETURNING id, seq, head");
            taken.fetch_one(&mut *turn.connection).await
        }
    }
}

/// Keeps the hash of the entry that took the place.
pub(super) async fn advance(turn: &mut Turn<'_>, hash: String) -> Result<(), sqlx::Error> {
    match &mut *turn.chain {
        End::Held { last, .. } => last.head = hash,
        End::Shared => {
            sqlx::query("UPDATE chains SET head = $1 WHERE one = 1")
                .bind(hash)
                .execute(&mut *turn.connection)
                .await?;
        }
    }
    Ok(())
}

/// A head and its signature.
pub type Signed = (Head, String);

impl Store {
    /// How far the chain has come: its name, its last entry, and the hash of that.
    ///
    /// # Errors
    /// The database.
    pub async fn chain(&self) -> Result<(String, i64, String), StoreError> {
        Ok(sqlx::query_as("SELECT id, seq, head FROM chains").fetch_one(&self.reader).await?)
    }

    /// The last head that was signed: its entry, and the hash of that.
    ///
    /// # Errors
    /// The database.
    pub async fn last_head(&self) -> Result<Option<(i64, String)>, StoreError> {
        Ok(sqlx::query_as("SELECT seq, hash FROM heads ORDER BY seq DESC LIMIT 1")
            .fetch_optional(&self.reader)
            .await?)
    }

    /// Keeps a head, unless another server has signed one there.
    ///
    /// # Errors
    /// The database; nothing is kept then.
    pub async fn keep_head(&self, head: Head, signature: String) -> Result<(), StoreError> {
        self.write(move |mut turn| {
            async move {
                sqlx::query(
                    "INSERT INTO heads (chain, seq, hash, at, kid, signature) VALUES ($1, $2, $3, $4, $5, $6) \
                     ON CONFLICT DO NOTHING",
                )
                .bind(head.chain)
                .bind(head.seq)
                .bind(head.hash)
                .bind(head.at)
                .bind(head.kid)
                .bind(signature)
                .execute(&mut *turn)
                .await?;
                Ok(())
            }
            .boxed()
        })
        .await
    }

    /// How many entries there are from before there was a chain, and how many heads up to this entry.
    ///
    /// # Errors
    /// The database.
    pub async fn count_beside_chain(&self, upto: i64) -> Result<(i64, i64), StoreError> {
        Ok(sqlx::query_as(
            "SELECT (SELECT COUNT(*) FROM audit WHERE chain IS NULL), (SELECT COUNT(*) FROM heads WHERE seq <= $1)",
        )
        .bind(upto)
        .fetch_one(&self.reader)
        .await?)
    }

    /// Entries of the chain with the hashes that are kept of them, after one entry and up to another.
    ///
    /// # Errors
    /// The database, or a row that this version did not write.
    pub async fn links(&self, after: i64, upto: i64) -> Result<Vec<(Link, String)>, StoreError> {
        let rows: Vec<LinkRow> = sqlx::query_as(
            "SELECT chain, seq, prev, hash, id, at, review, actor, via, event FROM audit \
             WHERE chain IS NOT NULL AND seq > $1 AND seq <= $2 ORDER BY seq, id",
        )
        .bind(after)
        .bind(upto)
        .fetch_all(&self.reader)
        .await?;
        rows.into_iter().map(LinkRow::link).collect()
    }

    /// Heads with their signatures, after one entry and up to another.
    ///
    /// # Errors
    /// The database.
    pub async fn heads(&self, after: i64, upto: i64) -> Result<Vec<Signed>, StoreError> {
        let rows: Vec<HeadRow> = sqlx::query_as(
            "SELECT chain, seq, hash, at, kid, signature FROM heads WHERE seq > $1 AND seq <= $2 ORDER BY seq",
        )
        .bind(after)
        .bind(upto)
        .fetch_all(&self.reader)
        .await?;
        Ok(rows.into_iter().map(HeadRow::signed).collect())
    }

    /// Entries from before there was a chain, after the one of this name, at most `limit`.
    ///
    /// # Errors
    /// The database, or a row that this version did not write.
    pub async fn unchained(&self, after: &str, limit: i64) -> Result<Vec<Told>, StoreError> {
        let rows: Vec<ToldRow> = sqlx::query_as(
            "SELECT id, at, review, actor, via, event FROM audit WHERE chain IS NULL AND id > $1 ORDER BY id LIMIT $2",
        )
        .bind(after)
        .bind(limit)
        .fetch_all(&self.reader)
        .await?;
        rows.into_iter().map(ToldRow::told).collect()
    }

    /// The entries of one request: those from before there was a chain, and those in it.
    ///
    /// # Errors
    /// The database, or a row that this version did not write.
    pub async fn proof_of(&self, id: ReviewId) -> Result<(Vec<Told>, Vec<(Link, String)>), StoreError> {
        let told: Vec<ToldRow> = sqlx::query_as(
            "SELECT id, at, review, actor, via, event FROM audit WHERE review = $1 AND chain IS NULL ORDER BY id",
        )
        .bind(id.to_string())
        .fetch_all(&self.reader)
        .await?;
        let links: Vec<LinkRow> = sqlx::query_as(
            "SELECT chain, seq, prev, hash, id, at, review, actor, via, event FROM audit \
             WHERE review = $1 AND chain IS NOT NULL ORDER BY seq",
        )
        .bind(id.to_string())
        .fetch_all(&self.reader)
        .await?;
        let told = told.into_iter().map(ToldRow::told).collect::<Result<_, _>>()?;
        Ok((told, links.into_iter().map(LinkRow::link).collect::<Result<_, _>>()?))
    }
}

#[derive(FromRow)]
struct ToldRow {
    id: String,
    at: i64,
    review: Option<String>,
    actor: String,
    via: String,
    event: String,
}

impl ToldRow {
    fn told(self) -> Result<Told, StoreError> {
        let value = |text: &str, what| {
            row::parse(text).ok_or_else(|| StoreError::InconsistentEntry { id: self.id.clone(), what })
        };
        Ok(Told {
            actor: value(&self.actor, "its actor")?,
            via: value(&self.via, "its door")?,
            event: value(&self.event, "its event")?,
            id: self.id,
            at: self.at,
            review: self.review,
        })
    }
}

#[derive(FromRow)]
struct LinkRow {
    chain: String,
    seq: i64,
    prev: String,
    hash: String,
    #[sqlx(flatten)]
    told: ToldRow,
}

impl LinkRow {
    fn link(self) -> Result<(Link, String), StoreError> {
        let link = Link { chain: self.chain, seq: self.seq, told: self.told.told()?, prev: self.prev };
        Ok((link, self.hash))
    }
}

#[derive(FromRow)]
struct HeadRow {
    chain: String,
    seq: i64,
    hash: String,
    at: i64,
    kid: String,
    signature: String,
}

impl HeadRow {
    fn signed(self) -> Signed {
        let head = Head { chain: self.chain, seq: self.seq, hash: self.hash, at: self.at, kid: self.kid };
        (head, self.signature)
    }
}
