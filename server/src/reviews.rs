//! The waist: everything that can be done with a review, whoever asks for it.
//!
//! Above it stand the agents' tools and the reviewers' pages, below it the store and the bell. The store decides,
//! and is written before anybody is told.

mod deadlines;
mod people;
mod prompts;
mod sweeping;

pub use deadlines::Deadlines;
pub use people::Sight;
pub use sweeping::Swept;

use crate::{
    bell::Bell,
    chance::Chance,
    store::{Closing, Glance, Inserted, Kind, Store, StoreError},
};
use deadlines::Bulletin;
use sayso_domain::{
    Ask, Clock, Closed, Ending, Moment, Review, ReviewId, Status,
    audit::{Actor, Entry, Event, Via},
    review::{Agent, Open, Repeat},
};
use std::{sync::Arc, time::Duration};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Reviews, and who waits for them.
#[derive(Clone)]
pub struct Reviews {
    store: Store,
    bell: Bell,
    clock: Arc<dyn Clock>,
    chance: Arc<Chance>,
    /// Told of new deadlines.
    deadlines: Bulletin,
    /// Cancelled when the server stops: nobody waits on.
    stopping: CancellationToken,
    /// By which door whoever asks has come.
    via: Via,
}

/// What became of a call that may have been said before.
#[derive(Debug)]
pub enum Opened {
    /// A new request.
    New(Open),
    /// The request that the same call made before, as it was asked.
    Again(Open),
    /// The key stands for another call, which made this request.
    KeyReused(ReviewId),
}

/// What became of a withdrawal.
#[derive(Debug)]
pub enum Withdrawal {
    /// It was pending and is canceled now.
    Canceled,
    /// It had ended already.
    TooLate(Status),
    /// The agent has no such request.
    Unknown,
}

impl Reviews {
    /// Puts the pieces together.
    pub fn new(
        store: Store,
        clock: Arc<dyn Clock>,
        chance: Arc<Chance>,
        stopping: CancellationToken,
    ) -> Self {
        Self {
            store,
            bell: Bell::default(),
            clock,
            chance,
            deadlines: Bulletin::default(),
            stopping,
            via: Via::INSIDE,
        }
    }

    /// The same reviews, for somebody who has come by this door: the trail tells it of whatever they do.
    pub fn by(&self, via: Via) -> Self {
        Self { via, ..self.clone() }
    }

    /// The present moment.
    pub fn now(&self) -> Moment {
        self.clock.now()
    }

    /// Whether the server stops: nobody waits on.
    pub fn is_stopping(&self) -> bool {
        self.stopping.is_cancelled()
    }

    /// The store, for whoever asks whether it answers.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// How many reviews are waited for in this process.
    pub fn waited_for(&self) -> usize {
        self.bell.waited_for()
    }

    /// An agent asks: the request is stored when this comes back.
    ///
    /// # Errors
    /// The store; nothing is stored then.
    pub async fn open(&self, ask: Ask, by: Agent, seconds: u32) -> Result<Open, StoreError> {
        let open = self.new_review(ask, by, seconds);
        self.insert(&open, None).await?;
        Ok(open)
    }

    /// An agent asks, and may have said the same before under the same key: then nothing new is stored.
    ///
    /// # Errors
    /// The store; nothing is stored then.
    pub async fn open_once(
        &self,
        ask: Ask,
        by: Agent,
        seconds: u32,
        repeat: &Repeat,
    ) -> Result<Opened, StoreError> {
        let open = self.new_review(ask, by, seconds);
        if let Some(before) = self.said_before(&open.by, repeat).await? {
            return Ok(before);
        }
        match self.insert(&open, Some(repeat)).await? {
            Inserted::New => Ok(Opened::New(open)),
            Inserted::Before => {
                self.said_before(&open.by, repeat).await?.ok_or_else(|| StoreError::InconsistentRow {
                    id: open.id.to_string(),
                    what: "the key under which it was made",
                })
            }
        }
    }

    async fn said_before(&self, by: &Agent, repeat: &Repeat) -> Result<Option<Opened>, StoreError> {
        let Some((id, digest)) = self.store.repeated(&by.principal, &repeat.key).await? else {
            return Ok(None);
        };
        if digest != repeat.digest {
            return Ok(Some(Opened::KeyReused(id)));
        }
        Ok(self.store.find(id).await?.map(|review| Opened::Again(review.request().clone())))
    }

    fn new_review(&self, ask: Ask, by: Agent, seconds: u32) -> Open {
        Open::new(self.chance.review_id(), ask, by, self.now(), seconds)
    }

    async fn insert(&self, open: &Open, repeat: Option<&Repeat>) -> Result<Inserted, StoreError> {
        let entry = self.entry(open.id, open.at, Actor::from(&open.by), Event::Created);
        let inserted = self.store.insert(open, repeat, &entry).await?;
        if inserted == Inserted::New {
            tracing::info!(review = %open.id, kind = open.ask.kind(), deadline = %open.deadline, "created");
            self.deadlines.add(open.deadline);
        }
        Ok(inserted)
    }

    /// A review as it stands at this moment. Looking changes nothing.
    ///
    /// # Errors
    /// The store.
    pub async fn look(&self, id: ReviewId) -> Result<Option<Review>, StoreError> {
        let review = self.store.find(id).await?;
        Ok(review.map(|review| review.as_of(self.now())))
    }

    /// An agent's own review as it stands; those of others do not exist for it.
    ///
    /// # Errors
    /// The store.
    pub async fn look_for(&self, agent: &Agent, id: ReviewId) -> Result<Option<Review>, StoreError> {
        // Asked for by both, so that a review of somebody else is no more work than one that never was.
        self.settled(self.store.find_own(id, &agent.principal).await?).await
    }

    /// A review that stays what it is told to be: what is overdue has expired in the store before anybody is told so. A
    /// decision begun before the deadline may be on its way, and would make that untrue.
    async fn settled(&self, review: Option<Review>) -> Result<Option<Review>, StoreError> {
        let now = self.now();
        match review {
            Some(Review::Open(open)) if open.deadline <= now => {
                let id = open.id;
                self.expire(open, now).await?;
                self.look(id).await
            }
            review => Ok(review),
        }
    }

    /// How an agent's own review stands; those of others do not exist for it.
    ///
    /// # Errors
    /// The store.
    pub async fn status_for(&self, agent: &Agent, id: ReviewId) -> Result<Option<Status>, StoreError> {
        Ok(self.glance(Some(agent), id).await?.map(|glance| glance.status))
    }

    /// A review at a glance, [settled](Self::settled); one of this agent's, where there is one.
    async fn glance(&self, agent: Option<&Agent>, id: ReviewId) -> Result<Option<Glance>, StoreError> {
        let glance = match agent {
            Some(agent) => self.store.glance_own(id, &agent.principal).await?,
            None => self.store.glance(id).await?,
        };
        if !glance.as_ref().is_some_and(|glance| glance.is_overdue(self.now())) {
            return Ok(glance);
        }
        self.settled(self.store.find(id).await?).await?;
        self.store.glance(id).await
    }

    /// Records that the deadline has come, unless something else came first.
    async fn expire(&self, open: Open, now: Moment) -> Result<(), StoreError> {
        if let Review::Closed(closed) = open.expire(now) {
            self.close(&closed, Actor::System).await?;
        }
        Ok(())
    }

    /// Waits until an agent's review is no longer pending, at most so long; `None` where it has no such review.
    ///
    /// # Errors
    /// The store.
    pub async fn wait(
        &self,
        agent: &Agent,
        id: ReviewId,
        at_most: Duration,
    ) -> Result<Option<Status>, StoreError> {
        self.wait_until(Some(agent), id, at_most).await
    }

    /// Waits as [`wait`](Self::wait) does, for whoever may see the review.
    ///
    /// # Errors
    /// The store.
    pub async fn ended(&self, id: ReviewId, at_most: Duration) -> Result<Option<Status>, StoreError> {
        self.wait_until(None, id, at_most).await
    }

    async fn wait_until(
        &self,
        agent: Option<&Agent>,
        id: ReviewId,
        at_most: Duration,
    ) -> Result<Option<Status>, StoreError> {
        let end = Instant::now() + at_most;
        let mut rope = self.bell.hold(id);
        loop {
            // In a box, which is gone while this waits: thousands do.
            let Some(glance) = Box::pin(self.glance(agent, id)).await? else {
                return Ok(None);
            };
            if glance.status != Status::Pending {
                return Ok(Some(glance.status));
            }
            if Instant::now() >= end || self.stopping.is_cancelled() {
                return Ok(Some(Status::Pending));
            }
            let due = Duration::from_millis(self.now().until(glance.deadline));
            let look_again = Instant::now() + due.min(self.backstop());
            tokio::select! {
                () = rope.rung() => {}
                () = tokio::time::sleep_until(end.min(look_again)) => {}
                () = self.stopping.cancelled() => {}
            }
        }
    }

    /// The agent fetches what was decided; `None` where it has no such review, and whatever it has otherwise. Only a
    /// decision is recorded as fetched.
    ///
    /// # Errors
    /// The store.
    pub async fn fetch(&self, agent: &Agent, id: ReviewId) -> Result<Option<Review>, StoreError> {
        let review = self.look_for(agent, id).await?;
        if let Some(Review::Closed(closed)) = &review
            && matches!(closed.ending(), Ending::Answered { .. })
        {
            let entry = self.entry(id, self.now(), Actor::from(agent), Event::Fetched);
            self.store.fetched(id, &entry).await?;
        }
        Ok(review)
    }

    /// The agent takes its request back.
    ///
    /// # Errors
    /// The store; nothing is changed then.
    pub async fn withdraw(
        &self,
        agent: &Agent,
        id: ReviewId,
        reason: Option<String>,
    ) -> Result<Withdrawal, StoreError> {
        let open = match self.look_for(agent, id).await? {
            None => return Ok(Withdrawal::Unknown),
            Some(review @ Review::Closed(_)) => return Ok(Withdrawal::TooLate(review.status())),
            Some(Review::Open(open)) => open,
        };
        let closed = open.withdraw(reason, self.now());
        let status = closed.outcome();
        match self.close(&closed, Actor::from(agent)).await? {
            Closing::Won if status == Status::Canceled => Ok(Withdrawal::Canceled),
            Closing::Won => Ok(Withdrawal::TooLate(status)),
            Closing::Lost(Some(first)) => Ok(Withdrawal::TooLate(first.as_of(self.now()).status())),
            Closing::Lost(None) => Ok(Withdrawal::Unknown),
        }
    }

    /// Writes down what concerns no request: credentials and sign-ins.
    ///
    /// # Errors
    /// The store.
    pub async fn note(&self, actor: Actor, event: Event, via: Via) -> Result<(), StoreError> {
        self.store.record(&Entry { review: None, at: self.now(), actor, via, event }).await
    }

    /// The one way of all endings: stored first, told afterwards.
    async fn close(&self, closed: &Closed, actor: Actor) -> Result<Closing, StoreError> {
        let (event, via) = match closed.ending() {
            Ending::Answered { answer, comment: None, .. } => (Event::Decided(answer.decision()), self.via),
            Ending::Answered { answer, comment: Some(comment), .. } => {
                let (decision, comment) = (answer.decision(), comment.clone());
                (Event::DecidedSaying { decision, comment }, self.via)
            }
            // Whoever was the first to look came by a door, and has nothing to do with it.
            Ending::Expired => (Event::Expired, Via::INSIDE),
            Ending::Withdrawn { .. } => (Event::Canceled, self.via),
        };
        let id = closed.open().id;
        let closing = self.store.close(closed, &Entry::of(id, closed.at(), actor, event).via(via)).await?;
        if matches!(closing, Closing::Won) {
            self.bell.ring(id);
            tracing::info!(review = %id, status = closed.outcome().word(), "closed");
        }
        Ok(closing)
    }

    /// What happens to a request by the door through which somebody has come.
    fn entry(&self, id: ReviewId, at: Moment, actor: Actor, event: Event) -> Entry {
        Entry::of(id, at, actor, event).via(self.via)
    }

    /// How long a waiter trusts the bell. On Postgres another server may have decided; on SQLite there is none.
    /// Jittered, so that a thousand waiters do not look at once.
    fn backstop(&self) -> Duration {
        let jitter = u64::try_from(self.chance.bits() & 0xff).unwrap_or(0);
        match self.store.kind() {
            Kind::Postgres => Duration::from_millis(900 + jitter),
            Kind::Sqlite => Duration::from_millis(10_000 + jitter * 10),
        }
    }
}
