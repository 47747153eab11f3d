//! What has passed its deadline and nobody has recorded so.

use super::{
    Store, StoreError,
    row::{self, Row},
};
use sayso_domain::{Moment, Review, review::Open};

/// A part of the open reviews whose deadline has passed, the oldest first.
#[derive(Debug)]
pub struct Overdue {
    /// Those that can be read.
    pub open: Vec<Open>,
    /// What is the matter with those that cannot: one of them must not keep the others from expiring.
    pub unreadable: Vec<StoreError>,
    /// Where the next part begins, if there may be one.
    pub next: Option<After>,
}

/// The last review of a part: its deadline and its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct After(i64, String);

impl Default for After {
    /// Before all.
    fn default() -> Self {
        Self(i64::MIN, String::new())
    }
}

impl Store {
    /// Open reviews whose deadline has passed, from a place on, at most `limit`.
    ///
    /// # Errors
    /// The database.
    pub async fn overdue(&self, now: Moment, after: &After, limit: u8) -> Result<Overdue, StoreError> {
        let rows: Vec<Row> = sqlx::query_as(row::SELECT_OVERDUE)
            .bind(now.0)
            .bind(after.0)
            .bind(&after.1)
            .bind(i64::from(limit))
            .fetch_all(&self.reader)
            .await?;
        let next = rows
            .last()
            .filter(|_| rows.len() == usize::from(limit))
            .map(|row| After(row.deadline, row.id.clone()));
        let mut overdue = Overdue { open: Vec::new(), unreadable: Vec::new(), next };
        for row in rows {
            match Review::try_from(row) {
                Ok(Review::Open(open)) => overdue.open.push(open),
                Ok(Review::Closed(_)) => {}
                Err(error) => overdue.unreadable.push(error),
            }
        }
        Ok(overdue)
    }

    /// The next deadline of an open review after this moment.
    ///
    /// # Errors
    /// The database.
    pub async fn next_deadline(&self, after: Moment) -> Result<Option<Moment>, StoreError> {
        let next: Option<i64> =
            sqlx::query_scalar("SELECT MIN(deadline) FROM reviews WHERE state = 'open' AND deadline > $1")
                .bind(after.0)
                .fetch_one(&self.reader)
                .await?;
        Ok(next.map(Moment))
    }
}
