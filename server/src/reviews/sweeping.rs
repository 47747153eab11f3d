//! What is done about reviews that nobody asks for: what is overdue is recorded, and what is old is forgotten.

use super::{Deadlines, Reviews};
use crate::store::{After, StoreError};
use sayso_domain::Moment;

/// What a sweep has met.
#[derive(Debug, Default)]
pub struct Swept {
    /// How many reviews were overdue and can be read.
    pub found: usize,
    /// What is the matter with those that cannot.
    pub unreadable: Vec<StoreError>,
}

impl Reviews {
    /// Records what has expired by `now`, and wakes who waited for it. Everybody sees an expiry at its instant without this.
    ///
    /// # Errors
    /// The store.
    pub async fn close_overdue(&self, now: Moment) -> Result<Swept, StoreError> {
        const AT_ONCE: u8 = 200;
        let mut swept = Swept::default();
        let mut after = Some(After::default());
        while let Some(from) = after {
            let overdue = self.store.overdue(now, &from, AT_ONCE).await?;
            swept.found += overdue.open.len();
            swept.unreadable.extend(overdue.unreadable);
            after = overdue.next;
            for open in overdue.open {
                self.expire(open, now).await?;
            }
        }
        Ok(swept)
    }

    /// Lets go of agents' sessions that nobody has used for a week.
    ///
    /// # Errors
    /// The store.
    pub async fn forget_silent_sessions(&self) -> Result<(), StoreError> {
        const SILENT: i64 = 7 * 86_400_000;
        self.store.end_silent_sessions(Moment(self.now().0 - SILENT)).await?;
        Ok(())
    }

    /// Lets go of people's sessions that are over.
    ///
    /// # Errors
    /// The store.
    pub async fn forget_people(&self, idle: i64, life: i64) -> Result<(), StoreError> {
        let now = self.now();
        self.store.end_old_person_sessions(Moment(now.0 - life), Moment(now.0 - idle), now).await
    }

    /// When there may next be something overdue that was not so at `now`.
    ///
    /// # Errors
    /// The store.
    pub async fn next_deadline(&self, now: Moment) -> Result<Option<Moment>, StoreError> {
        self.store.next_deadline(now).await
    }

    /// New deadlines, for who sweeps.
    pub fn deadlines(&self) -> Deadlines {
        self.deadlines.read()
    }
}
