//! The keys that sign what a browser carries back.

use super::{Store, StoreError};
use futures_util::FutureExt;
use sayso_domain::Moment;
use sqlx::FromRow;

/// A key as it is kept.
#[derive(Clone, FromRow)]
pub struct Key {
    /// Names it in what it signed.
    pub id: String,
    /// 64 hexadecimal digits.
    pub secret: String,
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Key").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Store {
    /// The key that signs, if there is one.
    ///
    /// # Errors
    /// The database.
    pub async fn signing_key(&self) -> Result<Option<Key>, StoreError> {
        Ok(sqlx::query_as(
            "SELECT id, secret FROM keys WHERE retired_at IS NULL ORDER BY made_at DESC, id LIMIT 1",
        )
        .fetch_optional(&self.reader)
        .await?)
    }

    /// The key of this name, unless it was retired before `since`.
    ///
    /// # Errors
    /// The database.
    pub async fn key(&self, id: &str, since: Moment) -> Result<Option<Key>, StoreError> {
        Ok(sqlx::query_as(
            "SELECT id, secret FROM keys WHERE id = $1 AND (retired_at IS NULL OR retired_at > $2)",
        )
        .bind(id)
        .bind(since.0)
        .fetch_optional(&self.reader)
        .await?)
    }

    /// All keys but those that were retired before `since`; the one that signs first.
    ///
    /// # Errors
    /// The database.
    pub async fn keys(&self, since: Moment) -> Result<Vec<Key>, StoreError> {
        Ok(sqlx::query_as(
            "SELECT id, secret FROM keys WHERE retired_at IS NULL OR retired_at > $1 \
             ORDER BY CASE WHEN retired_at IS NULL THEN 0 ELSE 1 END, made_at DESC, id",
        )
        .bind(since.0)
        .fetch_all(&self.reader)
        .await?)
    }

    /// Keeps a key, which signs from now on; those before it are retired.
    ///
    /// # Errors
    /// The database; nothing is changed then.
    pub async fn new_key(&self, key: &Key, now: Moment) -> Result<(), StoreError> {
        let key = key.clone();
        self.write(move |mut turn| {
            async move {
                sqlx::query("UPDATE keys SET retired_at = $1 WHERE retired_at IS NULL")
                    .bind(now.0)
                    .execute(&mut *turn)
                    .await?;
                sqlx::query("INSERT INTO keys (id, secret, made_at) VALUES ($1, $2, $3)")
                    .bind(key.id)
                    .bind(key.secret)
                    .bind(now.0)
                    .execute(&mut *turn)
                    .await?;
                Ok(())
            }
            .boxed()
        })
        .await
    }
}
