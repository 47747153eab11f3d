//! The machine's clock: the only place that reads it.

use sayso_domain::{Clock, Moment};
use std::time::{SystemTime, UNIX_EPOCH};

/// The time of the machine, never going backwards by more than the machine itself does.
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is where the time comes from")]
    fn now(&self) -> Moment {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Moment(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}
