//! The prompts that hosts were sent, and what they answered; each with its entry in the trail.

use super::{Store, StoreError, row};
use futures_util::FutureExt;
use sayso_domain::{
    Moment, ReviewId,
    audit::Entry,
    prompt::{Action, Prompt, Reaction},
};
use sqlx::FromRow;

impl Store {
    /// Records that a host was asked.
    ///
    /// # Errors
    /// The database; nothing is stored then.
    pub async fn prompted(&self, prompt: &Prompt, entry: &Entry) -> Result<(), StoreError> {
        let (prompt, note) = (prompt.clone(), self.note(entry));
        self.write(move |mut turn| {
            async move {
                sqlx::query(
                    "INSERT INTO prompts (id, review, principal, client, channel, sent_at) VALUES ($1, $2, $3, $4, $5, $6)",
                )
                .bind(prompt.id)
                .bind(prompt.review.to_string())
                .bind(prompt.principal)
                .bind(prompt.client)
                .bind(row::json(&prompt.channel))
                .bind(prompt.at.0)
                .execute(&mut *turn)
                .await?;
                note.write(turn).await
            }
            .boxed()
        })
        .await
    }

    /// Records what a host answered; only its first answer counts.
    ///
    /// # Errors
    /// The database; nothing is stored then.
    pub async fn reacted(&self, id: &str, reaction: Reaction, entry: &Entry) -> Result<(), StoreError> {
        let (id, note) = (id.to_owned(), self.note(entry));
        self.write(move |mut turn| {
            async move {
                let done = sqlx::query(
                    "UPDATE prompts SET action = $2, after_ms = $3 WHERE id = $1 AND action IS NULL",
                )
                .bind(id)
                .bind(row::json::<Action>(&reaction.action))
                .bind(i64::try_from(reaction.after).unwrap_or(i64::MAX))
                .execute(&mut *turn)
                .await?;
                if done.rows_affected() > 0 {
                    note.write(turn).await?;
                }
                Ok(())
            }
            .boxed()
        })
        .await
    }

    /// The prompts of a review, in order.
    ///
    /// # Errors
    /// The database, or a row that this version did not write.
    pub async fn prompts(&self, review: ReviewId) -> Result<Vec<Prompt>, StoreError> {
        const SQL: &str = "SELECT id, review, principal, client, channel, sent_at, action, after_ms FROM prompts WHERE review = $1 ORDER BY id";
        let rows: Vec<PromptRow> =
            sqlx::query_as(SQL).bind(review.to_string()).fetch_all(&self.reader).await?;
        rows.into_iter().map(Prompt::try_from).collect()
    }

    /// The latest prompts that hosts of a principal were sent, the newest first, at most `limit`.
    ///
    /// # Errors
    /// The database, or a row that this version did not write.
    pub async fn prompts_of(&self, principal: &str, limit: i64) -> Result<Vec<Prompt>, StoreError> {
        const SQL: &str = "SELECT id, review, principal, client, channel, sent_at, action, after_ms FROM prompts WHERE principal = $1 ORDER BY id DESC LIMIT $2";
        let rows: Vec<PromptRow> =
            sqlx::query_as(SQL).bind(principal).bind(limit).fetch_all(&self.reader).await?;
        rows.into_iter().map(Prompt::try_from).collect()
    }
}

#[derive(FromRow)]
struct PromptRow {
    id: String,
    review: String,
    principal: String,
    client: Option<String>,
    channel: String,
    sent_at: i64,
    action: Option<String>,
    after_ms: Option<i64>,
}

impl TryFrom<PromptRow> for Prompt {
    type Error = StoreError;

    fn try_from(prompt: PromptRow) -> Result<Self, StoreError> {
        let wrong = |what| StoreError::InconsistentRow { id: prompt.review.clone(), what };
        let reaction = match (prompt.action, prompt.after_ms) {
            (None, None) => None,
            (Some(action), Some(after)) => Some(Reaction {
                action: row::parse(&action).ok_or_else(|| wrong("a prompt's answer"))?,
                after: u64::try_from(after).map_err(|_| wrong("a prompt's answer"))?,
            }),
            _ => return Err(wrong("a prompt's answer")),
        };
        Ok(Self {
            review: prompt.review.parse().map_err(|_| wrong("a prompt's review"))?,
            channel: row::parse(&prompt.channel).ok_or_else(|| wrong("a prompt's channel"))?,
            id: prompt.id,
            principal: prompt.principal,
            client: prompt.client,
            at: Moment(prompt.sent_at),
            reaction,
        })
    }
}
