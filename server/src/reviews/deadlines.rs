//! Tells the sweeper of new deadlines, and only of those that come before all others that it has not looked up.

use sayso_domain::Moment;
use tokio::sync::watch;

/// Where new deadlines are told.
#[derive(Clone)]
pub(super) struct Bulletin(watch::Sender<Moment>);

impl Default for Bulletin {
    fn default() -> Self {
        Self(watch::Sender::new(NEVER))
    }
}

const NEVER: Moment = Moment(i64::MAX);

impl Bulletin {
    /// There is a review with this deadline.
    pub(super) fn add(&self, deadline: Moment) {
        self.0.send_if_modified(|first| {
            let sooner = deadline < *first;
            if sooner {
                *first = deadline;
            }
            sooner
        });
    }

    /// For who wants to know.
    pub(super) fn read(&self) -> Deadlines {
        Deadlines { told: self.0.clone(), heard: self.0.subscribe() }
    }
}

/// New deadlines, as they come. There is one who listens.
pub struct Deadlines {
    told: watch::Sender<Moment>,
    heard: watch::Receiver<Moment>,
}

impl Deadlines {
    /// Forgets what was told, before all deadlines are looked up.
    pub fn forget(&mut self) {
        self.told.send_replace(NEVER);
        self.heard.mark_unchanged();
    }

    /// The next that comes before all that were told since.
    pub async fn next(&mut self) -> Moment {
        // It holds a sender itself: there is never none.
        let _ = self.heard.changed().await;
        *self.heard.borrow_and_update()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[test]
    fn only_what_comes_before_all_others_is_told() {
        let bulletin = Bulletin::default();
        let mut deadlines = bulletin.read();
        bulletin.add(Moment(5));
        deadlines.forget();
        assert_eq!(deadlines.next().now_or_never(), None);
        bulletin.add(Moment(9));
        assert_eq!(deadlines.next().now_or_never(), Some(Moment(9)));
        bulletin.add(Moment(9));
        bulletin.add(Moment(10));
        assert_eq!(deadlines.next().now_or_never(), None);
        bulletin.add(Moment(8));
        assert_eq!(deadlines.next().now_or_never(), Some(Moment(8)));
    }
}
