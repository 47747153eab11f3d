//! What people do with a review: look at it, and decide it, if it is theirs to decide.

use super::Reviews;
use crate::{
    digest,
    store::{Closing, StoreError},
};
use sayso_domain::{
    Closed, Comment, Moment, Review, ReviewId,
    audit::{Actor, Entry, Event},
    people::{Denied, Visitor},
    review::NotTaken,
    sheet::{Outcome, Sent, Submitted},
};

/// What a visitor may see of a request.
#[derive(Debug)]
pub enum Sight {
    /// All that reviewers see.
    Review(Box<Review>),
    /// Nothing.
    Denied(Denied),
    /// There is no such request.
    Unknown,
}

impl Reviews {
    /// A review as it stands, for a person who may decide it; who may not sees nothing of it, nor whether there is one.
    ///
    /// # Errors
    /// The store.
    pub async fn show(&self, id: ReviewId, visitor: &Visitor) -> Result<Sight, StoreError> {
        match visitor {
            Visitor::Stranger => return Ok(Sight::Denied(Denied::SignIn)),
            Visitor::Outsider(person) => return Ok(Sight::Denied(Denied::NotYours(person.clone()))),
            Visitor::Local | Visitor::Reviewer(_) => {}
        }
        let Some(review) = self.look(id).await? else { return Ok(Sight::Unknown) };
        Ok(match visitor.decides(review.request().ask.reviewers()) {
            Ok(_) => Sight::Review(Box::new(review)),
            Err(denied) => Sight::Denied(denied),
        })
    }

    /// A person has a review before their eyes: recorded the first time.
    ///
    /// # Errors
    /// The store; nothing is recorded then.
    pub async fn seen(&self, review: &Review, visitor: &Visitor) -> Result<(), StoreError> {
        let open = review.request();
        let Ok(by) = visitor.decides(open.ask.reviewers()) else { return Ok(()) };
        if self.store.has_viewed(open.id, &by.name).await? {
            return Ok(());
        }
        let entry = self.entry(open.id, self.now(), Actor::from(&by), Event::Viewed);
        self.store.viewed(open.id, &by.name, &entry).await
    }

    /// All that the trail tells of a review that somebody was shown.
    ///
    /// # Errors
    /// The store.
    pub async fn trail(&self, shown: &Review) -> Result<Vec<Entry>, StoreError> {
        self.store.trail(shown.request().id).await
    }

    /// A person decides, if it is theirs to decide: the decision is stored when this comes back.
    ///
    /// # Errors
    /// The store; nothing is decided then.
    pub async fn submit(&self, id: ReviewId, sent: &Sent, by: Visitor) -> Result<Submitted, StoreError> {
        let now = self.now();
        let Some(review) = self.settled(self.store.find(id).await?).await? else {
            return Ok(match by {
                Visitor::Stranger => Submitted::Refused(Denied::SignIn.in_words()),
                Visitor::Outsider(person) => Submitted::Refused(Denied::NotYours(person).in_words()),
                Visitor::Local | Visitor::Reviewer(_) => Submitted::Unknown,
            });
        };
        let by = match by.decides(review.request().ask.reviewers()) {
            Ok(by) => by,
            Err(denied) => return self.denied(id, &denied, now).await,
        };
        let actor = Actor::from(&by);
        let open = match review {
            Review::Closed(closed) => return self.too_late(&closed, actor, now).await,
            Review::Open(open) => open,
        };
        if sent.digest != digest::of_request(&open) {
            let words = "This page shows something else than what is asked. Nothing was decided: reload it.";
            return self.refused(self.entry(id, now, actor, Event::OtherDigest), words).await;
        }
        let comment = match Comment::typed(&sent.comment) {
            Ok(comment) => comment,
            Err(why) => {
                let words = format!("{why} Nothing was decided: say it shorter.");
                return self.refused(self.entry(id, now, actor, Event::FaultyDraft), &words).await;
            }
        };
        match open.answer(&sent.draft, by, comment, now) {
            Err(NotTaken::Faulty(faults)) => {
                self.store.record(&self.entry(id, now, actor, Event::FaultyDraft)).await?;
                Ok(Submitted::Faulty(faults))
            }
            Err(NotTaken::Unexplained) => {
                let words = "The agent asks for a comment with a refusal. Nothing was decided: say why, and try again.";
                self.refused(self.entry(id, now, actor, Event::FaultyDraft), words).await
            }
            Err(NotTaken::Late(closed)) => self.too_late(&closed, actor, now).await,
            Ok(closed) => match self.close(&closed, actor.clone()).await? {
                Closing::Won => Ok(Submitted::Decided(Outcome::of(&closed))),
                Closing::Lost(Some(review)) => match review.as_of(self.now()) {
                    Review::Closed(first) => self.too_late(&first, actor, now).await,
                    // Closed by nobody and yet not taken: only the clock of another server can do that.
                    Review::Open(_) => {
                        Err(StoreError::InconsistentRow { id: id.to_string(), what: "its deadline" })
                    }
                },
                Closing::Lost(None) => Ok(Submitted::Unknown),
            },
        }
    }

    /// Somebody tried to decide what is not theirs. Who has not signed in is nobody, and leaves no trace.
    async fn denied(&self, id: ReviewId, denied: &Denied, now: Moment) -> Result<Submitted, StoreError> {
        if let Denied::NotYours(person) = denied {
            let actor = Actor::Reviewer(person.known_as());
            self.store.record(&self.entry(id, now, actor, Event::Denied)).await?;
        }
        Ok(Submitted::Refused(denied.in_words()))
    }

    async fn refused(&self, entry: Entry, words: &str) -> Result<Submitted, StoreError> {
        self.store.record(&entry).await?;
        Ok(Submitted::Refused(words.to_owned()))
    }

    async fn too_late(&self, first: &Closed, actor: Actor, now: Moment) -> Result<Submitted, StoreError> {
        let review = first.open().id;
        self.store.record(&self.entry(review, now, actor, Event::SecondDecision)).await?;
        Ok(Submitted::TooLate(Outcome::of(first)))
    }
}
