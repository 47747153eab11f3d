//! Agents' tokens: whose, what for, until when. Of the secret itself the store knows the SHA-256 only.

use super::{Store, StoreError};
use futures_util::FutureExt;
use sayso_domain::{Moment, audit::Entry};
use sqlx::FromRow;

/// A token as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct Token {
    /// Names it, and is no secret.
    pub id: String,
    /// Whose: the principal.
    pub name: String,
    /// What it is good for, words with spaces between them.
    pub scopes: String,
    /// When it was made, in milliseconds.
    pub made_at: i64,
    /// When it ends, if it does.
    pub expires_at: Option<i64>,
    /// When it was revoked, if it was.
    pub revoked_at: Option<i64>,
    /// When it was last seen in use; written down every few minutes only.
    pub used_at: Option<i64>,
}

impl Token {
    /// Whether it is good for anything at this moment.
    pub fn is_live(&self, now: Moment) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now.0 < end)
    }
}

/// What becomes of the live tokens of a name for which a new one is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elder {
    /// There must be none.
    Forbidden,
    /// They end at this moment, unless they end before.
    EndsAt(Moment),
}

impl Store {
    /// Keeps a new token; `false` where its name has a live one and may not have.
    ///
    /// # Errors
    /// The database; nothing is kept then.
    pub async fn new_token(
        &self,
        token: &Token,
        digest: &str,
        elder: Elder,
        entry: &Entry,
    ) -> Result<bool, StoreError> {
        let (token, digest, note) = (token.clone(), digest.to_owned(), self.note(entry));
        self.write(move |mut turn| {
            async move {
                match elder {
                    Elder::Forbidden => {
                        let live: i64 = sqlx::query_scalar(
                            "SELECT COUNT(*) FROM tokens \
                             WHERE name = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)",
                        )
                        .bind(&token.name)
                        .bind(token.made_at)
                        .fetch_one(&mut *turn)
                        .await?;
                        if live > 0 {
                            return Ok(false);
                        }
                    }
                    Elder::EndsAt(end) => {
                        sqlx::query(
                            "UPDATE tokens SET expires_at = $2 \
                             WHERE name = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)",
                        )
                        .bind(&token.name)
                        .bind(end.0)
                        .execute(&mut *turn)
                        .await?;
                    }
                }
                sqlx::query(
                    "INSERT INTO tokens (id, name, digest, scopes, made_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)",
                )
                .bind(token.id)
                .bind(token.name)
                .bind(digest)
                .bind(token.scopes)
                .bind(token.made_at)
                .bind(token.expires_at)
                .execute(&mut *turn)
                .await?;
                note.write(turn).await?;
                Ok(true)
            }
            .boxed()
        })
        .await
    }

    /// The token with this digest, live or not.
    ///
    /// # Errors
    /// The database.
    pub async fn token_by(&self, digest: &str) -> Result<Option<Token>, StoreError> {
        let token = sqlx::query_as(
            "SELECT id, name, scopes, made_at, expires_at, revoked_at, used_at FROM tokens WHERE digest = $1",
        );
        Ok(token.bind(digest).fetch_optional(&self.reader).await?)
    }

    /// All tokens that were ever made, the oldest first.
    ///
    /// # Errors
    /// The database.
    pub async fn tokens(&self) -> Result<Vec<Token>, StoreError> {
        let all = sqlx::query_as(
            "SELECT id, name, scopes, made_at, expires_at, revoked_at, used_at FROM tokens ORDER BY made_at, id",
        );
        Ok(all.fetch_all(&self.reader).await?)
    }

    /// Whether a token was ever made.
    ///
    /// # Errors
    /// The database.
    pub async fn has_tokens(&self) -> Result<bool, StoreError> {
        let one: Option<String> =
            sqlx::query_scalar("SELECT id FROM tokens LIMIT 1").fetch_optional(&self.reader).await?;
        Ok(one.is_some())
    }

    /// Whether there is a token that is good for something.
    ///
    /// # Errors
    /// The database.
    pub async fn has_live_tokens(&self, now: Moment) -> Result<bool, StoreError> {
        let one: Option<String> = sqlx::query_scalar(
            "SELECT id FROM tokens WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1) LIMIT 1",
        )
        .bind(now.0)
        .fetch_optional(&self.reader)
        .await?;
        Ok(one.is_some())
    }

    /// Ends a token; `false` where it was revoked already.
    ///
    /// # Errors
    /// The database; nothing is changed then.
    pub async fn revoke_token(&self, id: &str, entry: &Entry) -> Result<bool, StoreError> {
        let revoke = sqlx::query("UPDATE tokens SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL")
            .bind(id.to_owned())
            .bind(entry.at.0);
        let note = self.note(entry);
        self.write(move |mut turn| {
            async move {
                let revoked = revoke.execute(&mut *turn).await?.rows_affected() > 0;
                if revoked {
                    note.write(turn).await?;
                }
                Ok(revoked)
            }
            .boxed()
        })
        .await
    }

    /// Writes down that a token is in use.
    ///
    /// # Errors
    /// The database.
    pub async fn token_used(&self, id: &str, now: Moment) -> Result<(), StoreError> {
        let used =
            sqlx::query("UPDATE tokens SET used_at = $2 WHERE id = $1").bind(id.to_owned()).bind(now.0);
        self.write(move |mut turn| async move { Ok(used.execute(&mut *turn).await.map(|_| ())?) }.boxed())
            .await
    }
}
