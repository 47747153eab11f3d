//! Looks at how reviews stand: on SQLite, those that arrive together are one statement.
//!
//! Each statement is a trip to the thread of a connection and back, which costs several times what the look itself does, and
//! thousands may wait to look at once. So while one statement is under way, the looks that arrive meanwhile gather, and are the
//! next one.

use super::{
    Glance, Store, StoreError,
    row::{self, GlanceRow},
    rows::Places,
};
use sayso_domain::ReviewId;
use sqlx::{AnyPool, AssertSqlSafe};
use std::{collections::HashMap, sync::Arc};
use tokio::sync::{mpsc, oneshot};

/// At most so many looks in one statement.
const TOGETHER: usize = 64;

/// Where looks wait for the others.
#[derive(Clone)]
pub(super) struct Glances(mpsc::Sender<Look>);

struct Look {
    id: String,
    principal: String,
    answer: oneshot::Sender<Result<Option<Glance>, StoreError>>,
}

impl Glances {
    /// Looks by the connections of this pool, until nobody can ask any more.
    pub(super) fn by(pool: AnyPool) -> Self {
        let (looks, mut queue) = mpsc::channel(4 * TOGETHER);
        tokio::spawn(async move {
            let mut group = Vec::with_capacity(TOGETHER);
            while queue.recv_many(&mut group, TOGETHER).await > 0 {
                answer(&mut group, &pool).await;
            }
        });
        Self(looks)
    }

    async fn look(&self, id: ReviewId, principal: &str) -> Result<Option<Glance>, StoreError> {
        let (answer, answered) = oneshot::channel();
        let look = Look { id: id.to_string(), principal: principal.to_owned(), answer };
        self.0.send(look).await.map_err(|_| sqlx::Error::PoolClosed)?;
        answered.await.unwrap_or_else(|_| Err(sqlx::Error::PoolClosed.into()))
    }
}

async fn answer(group: &mut Vec<Look>, pool: &AnyPool) {
    // Filled up with the last one, so that there are few statements to keep prepared.
    let asked = group.len().next_power_of_two();
    let sql = format!(
        "WITH asked (review, by_whom) AS (VALUES {}) \
         SELECT id, principal, deadline, state, answer, fetched_at FROM asked \
         CROSS JOIN reviews WHERE id = review AND principal = by_whom",
        Places::Counted.rows(asked, 2)
    );
    let mut select = sqlx::query_as(AssertSqlSafe(sql));
    for at in 0..asked {
        let look = &group[at.min(group.len() - 1)];
        select = select.bind(look.id.clone()).bind(look.principal.clone());
    }
    match select.fetch_all(pool).await {
        Ok(found) => {
            let found: HashMap<String, GlanceRow> =
                found.into_iter().map(|row: GlanceRow| (row.id.clone(), row)).collect();
            for Look { id, principal, answer } in group.drain(..) {
                // Two may have asked for the same, and only one of them in vain.
                let row = found.get(&id).filter(|row| row.principal == principal);
                // Nobody hears it who has gone away.
                let _ = answer.send(row.cloned().map(Glance::try_from).transpose());
            }
        }
        Err(error) => {
            let error = Arc::new(error);
            for Look { answer, .. } in group.drain(..) {
                let _ = answer.send(Err(StoreError::Together(Arc::clone(&error))));
            }
        }
    }
}

impl Store {
    /// How the review of that id stands, if it is this principal's: the database is asked the same, and answers as much, where it
    /// is another's as where there is none.
    ///
    /// # Errors
    /// The database, or a row that this version did not write.
    pub async fn glance_own(&self, id: ReviewId, principal: &str) -> Result<Option<Glance>, StoreError> {
        if let Some(glances) = &self.glances {
            return glances.look(id, principal).await;
        }
        let row: Option<GlanceRow> = sqlx::query_as(row::SELECT_GLANCE_OWN)
            .bind(id.to_string())
            .bind(principal)
            .fetch_optional(&self.reader)
            .await?;
        row.map(Glance::try_from).transpose()
    }
}
