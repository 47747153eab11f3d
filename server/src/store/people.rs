//! The sessions of people who have signed in, and the sign-ins that have come back from the provider.

use super::{Store, StoreError, row};
use futures_util::FutureExt;
use sayso_domain::{Moment, people::Person};
use sqlx::FromRow;

/// A session as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonSession {
    /// Whose it is.
    pub person: Person,
    /// When it began.
    pub made: Moment,
    /// When it was last used, to the minute.
    pub seen: Moment,
}

/// One person may have so many sessions; beyond that, those that were silent longest end.
pub const EACH: i64 = 20;

#[derive(FromRow)]
struct SessionRow {
    person: String,
    made_at: i64,
    seen_at: i64,
}

impl Store {
    /// Keeps a new session in place of an old one, and lets go of those of the same person that are too many.
    ///
    /// # Errors
    /// The database; nothing is changed then.
    pub async fn keep_person(
        &self,
        id: &str,
        instead_of: Option<&str>,
        session: &PersonSession,
    ) -> Result<(), StoreError> {
        let (id, old) = (id.to_owned(), instead_of.map(str::to_owned));
        let (subject, person) = (session.person.subject.clone(), row::json(&session.person));
        let (made, seen) = (session.made.0, session.seen.0);
        self.write(move |mut turn| {
            async move {
                if let Some(old) = old {
                    sqlx::query("DELETE FROM people_sessions WHERE id = $1")
                        .bind(old)
                        .execute(&mut *turn)
                        .await?;
                }
                sqlx::query(
                    "INSERT INTO people_sessions (id, subject, person, made_at, seen_at) VALUES ($1, $2, $3, $4, $5)",
                )
                .bind(id)
                .bind(&subject)
                .bind(person)
                .bind(made)
                .bind(seen)
                .execute(&mut *turn)
                .await?;
                sqlx::query(
                    "DELETE FROM people_sessions WHERE id IN (SELECT id FROM people_sessions WHERE subject = $1 \
                     ORDER BY seen_at DESC, made_at DESC, id DESC LIMIT 1000000 OFFSET $2)",
                )
                .bind(&subject)
                .bind(EACH)
                .execute(&mut *turn)
                .await?;
                Ok(())
            }
            .boxed()
        })
        .await
    }

    /// The session of this id; none where what is stored of it cannot be read.
    ///
    /// # Errors
    /// The database.
    pub async fn person_session(&self, id: &str) -> Result<Option<PersonSession>, StoreError> {
        let found: Option<SessionRow> =
            sqlx::query_as("SELECT person, made_at, seen_at FROM people_sessions WHERE id = $1")
                .bind(id)
                .fetch_optional(&self.reader)
                .await?;
        let Some(SessionRow { person, made_at, seen_at }) = found else { return Ok(None) };
        // To sign in again mends it, and nothing else does.
        let Some(person) = row::parse(&person) else {
            tracing::error!("a person's session in the database cannot be read");
            return Ok(None);
        };
        Ok(Some(PersonSession { person, made: Moment(made_at), seen: Moment(seen_at) }))
    }

    /// Notes that a session is in use.
    ///
    /// # Errors
    /// The database.
    pub async fn person_seen(&self, id: &str, now: Moment) -> Result<(), StoreError> {
        let seen = sqlx::query("UPDATE people_sessions SET seen_at = $2 WHERE id = $1 AND seen_at < $2")
            .bind(id.to_owned())
            .bind(now.0);
        self.write(move |mut turn| async move { Ok(seen.execute(&mut *turn).await.map(|_| ())?) }.boxed())
            .await
    }

    /// Lets go of a session; whether there was one.
    ///
    /// # Errors
    /// The database.
    pub async fn end_person_session(&self, id: &str) -> Result<bool, StoreError> {
        let ended = sqlx::query("DELETE FROM people_sessions WHERE id = $1").bind(id.to_owned());
        self.write(move |mut turn| {
            async move { Ok(ended.execute(&mut *turn).await?.rows_affected() > 0) }.boxed()
        })
        .await
    }

    /// Lets go of every person's session; how many those were.
    ///
    /// # Errors
    /// The database.
    pub async fn end_all_person_sessions(&self) -> Result<u64, StoreError> {
        let all = sqlx::query("DELETE FROM people_sessions");
        self.write(move |mut turn| async move { Ok(all.execute(&mut *turn).await?.rows_affected()) }.boxed())
            .await
    }

    /// Lets go of sessions that began or were used too long ago, and of sign-ins that can no longer come back.
    ///
    /// # Errors
    /// The database.
    pub async fn end_old_person_sessions(
        &self,
        made: Moment,
        seen: Moment,
        now: Moment,
    ) -> Result<(), StoreError> {
        self.write(move |mut turn| {
            async move {
                sqlx::query("DELETE FROM people_sessions WHERE made_at <= $1 OR seen_at <= $2")
                    .bind(made.0)
                    .bind(seen.0)
                    .execute(&mut *turn)
                    .await?;
                sqlx::query("DELETE FROM people_states WHERE ends_at <= $1")
                    .bind(now.0)
                    .execute(&mut *turn)
                    .await?;
                Ok(())
            }
            .boxed()
        })
        .await
    }

    /// A sign-in comes back from the provider; whether it is the first time.
    ///
    /// # Errors
    /// The database.
    pub async fn spend_state(&self, state: &str, ends: Moment) -> Result<bool, StoreError> {
        let spent = sqlx::query(
            "INSERT INTO people_states (state, ends_at) VALUES ($1, $2) ON CONFLICT (state) DO NOTHING",
        )
        .bind(state.to_owned())
        .bind(ends.0);
        self.write(move |mut turn| {
            async move { Ok(spent.execute(&mut *turn).await?.rows_affected() == 1) }.boxed()
        })
        .await
    }
}
