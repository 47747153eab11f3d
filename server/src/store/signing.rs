//! The keys that sign what is carried out of here.

use super::{Store, StoreError};
use futures_util::FutureExt;
use sayso_domain::Moment;
use sqlx::FromRow;

/// A signing key as it is kept.
#[derive(Clone, FromRow)]
pub struct SigningKey {
    /// The thumbprint of its public half.
    pub id: String,
    /// 64 hexadecimal digits.
    pub seed: String,
}

impl std::fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SigningKey").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Store {
    /// All signing keys: the one that signs first, then those that did.
    ///
    /// # Errors
    /// The database.
    pub async fn signing_keys(&self) -> Result<Vec<SigningKey>, StoreError> {
        Ok(sqlx::query_as(
            "SELECT id, seed FROM signing_keys \
             ORDER BY CASE WHEN retired_at IS NULL THEN 0 ELSE 1 END, made_at DESC, id",
        )
        .fetch_all(&self.reader)
        .await?)
    }

    /// Whether there is a key that signs.
    ///
    /// # Errors
    /// The database.
    pub async fn can_sign(&self) -> Result<bool, StoreError> {
        let signing: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM signing_keys WHERE retired_at IS NULL")
            .fetch_one(&self.reader)
            .await?;
        Ok(signing > 0)
    }

    /// Keeps this key, unless there is one that signs: of several servers that come at once, the first one's stays.
    ///
    /// # Errors
    /// The database; nothing is kept then.
    pub async fn offer_signing_key(&self, key: &SigningKey, now: Moment) -> Result<(), StoreError> {
        let key = key.clone();
        self.write(move |mut turn| {
            async move {
                sqlx::query(
                    "INSERT INTO signing_keys (id, seed, made_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
                )
                .bind(key.id)
                .bind(key.seed)
                .bind(now.0)
                .execute(&mut *turn)
                .await?;
                Ok(())
            }
            .boxed()
        })
        .await
    }

    /// This key signs from now on; the one before it is retired, and its public half goes on being told.
    ///
    /// # Errors
    /// The database; nothing is changed then.
    pub async fn new_signing_key(&self, key: &SigningKey, now: Moment) -> Result<(), StoreError> {
        let key = key.clone();
        self.write(move |mut turn| {
            async move {
                sqlx::query("UPDATE signing_keys SET retired_at = $1 WHERE retired_at IS NULL")
                    .bind(now.0)
                    .execute(&mut *turn)
                    .await?;
                sqlx::query("INSERT INTO signing_keys (id, seed, made_at) VALUES ($1, $2, $3)")
                    .bind(key.id)
                    .bind(key.seed)
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
