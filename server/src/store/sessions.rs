//! Sessions of the handshake revisions, so that they outlive the server: what a client said when it began one, and whose it is.

use super::{Store, StoreError};
use futures_util::FutureExt;
use sayso_domain::Moment;
use sqlx::FromRow;

/// A session as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct Session {
    /// Whose it is.
    pub principal: String,
    /// What the client said when it began, as JSON.
    pub state: String,
}

/// One principal may have so many sessions; beyond that, those that were silent longest end.
pub const EACH: i64 = 1_000;

impl Store {
    /// Keeps a session, and lets go of those of the same principal that are too many.
    ///
    /// # Errors
    /// The database; nothing is changed then.
    pub async fn keep_session(&self, id: &str, session: &Session, now: Moment) -> Result<(), StoreError> {
        let (id, session) = (id.to_owned(), session.clone());
        self.write(move |mut turn| {
            async move {
                sqlx::query(
                    "INSERT INTO sessions (id, principal, state, seen_at) VALUES ($1, $2, $3, $4) \
                     ON CONFLICT (id) DO UPDATE SET state = $3, seen_at = $4 WHERE sessions.principal = $2",
                )
                .bind(id)
                .bind(&session.principal)
                .bind(&session.state)
                .bind(now.0)
                .execute(&mut *turn)
                .await?;
                sqlx::query(
                    "DELETE FROM sessions WHERE id IN \
                     (SELECT id FROM sessions WHERE principal = $1 ORDER BY seen_at DESC, id DESC LIMIT 1000000 OFFSET $2)",
                )
                .bind(&session.principal)
                .bind(EACH)
                .execute(&mut *turn)
                .await?;
                Ok(())
            }
            .boxed()
        })
        .await
    }

    /// The session of this id.
    ///
    /// # Errors
    /// The database.
    pub async fn session(&self, id: &str) -> Result<Option<Session>, StoreError> {
        Ok(sqlx::query_as("SELECT principal, state FROM sessions WHERE id = $1")
            .bind(id)
            .fetch_optional(&self.reader)
            .await?)
    }

    /// Notes that a session is in use.
    ///
    /// # Errors
    /// The database.
    pub async fn session_seen(&self, id: &str, now: Moment) -> Result<(), StoreError> {
        let session =
            sqlx::query("UPDATE sessions SET seen_at = $2 WHERE id = $1").bind(id.to_owned()).bind(now.0);
        self.write(move |mut turn| async move { Ok(session.execute(&mut *turn).await.map(|_| ())?) }.boxed())
            .await
    }

    /// Lets go of a session.
    ///
    /// # Errors
    /// The database.
    pub async fn end_session(&self, id: &str) -> Result<(), StoreError> {
        let session = sqlx::query("DELETE FROM sessions WHERE id = $1").bind(id.to_owned());
        self.write(move |mut turn| async move { Ok(session.execute(&mut *turn).await.map(|_| ())?) }.boxed())
            .await
    }

    /// Lets go of sessions that have been silent since before `since`; how many those were.
    ///
    /// # Errors
    /// The database.
    pub async fn end_silent_sessions(&self, since: Moment) -> Result<u64, StoreError> {
        let silent = sqlx::query("DELETE FROM sessions WHERE seen_at < $1").bind(since.0);
        self.write(move |mut turn| {
            async move { Ok(silent.execute(&mut *turn).await?.rows_affected()) }.boxed()
        })
        .await
    }
}
