//! A review: open until it closes once.
//!
//! Only [`Open`] has transitions, and each spends it. Whether another one closed the same review meanwhile is the
//! store's to say, which keeps the first.

use crate::{Answer, Ask, Comment, Decision, Draft, Faults, Moment, ReviewId, wire::wire_enum};
use serde::{Deserialize, Serialize};

/// A request as it stands.
#[derive(Clone, Debug, PartialEq)]
pub enum Review {
    /// It waits for a person.
    Open(Open),
    /// It has ended.
    Closed(Closed),
}

/// A request that waits for a person.
#[derive(Clone, Debug, PartialEq)]
pub struct Open {
    /// Its name.
    pub id: ReviewId,
    /// What is asked.
    pub ask: Ask,
    /// Who asks.
    pub by: Agent,
    /// When it was asked.
    pub at: Moment,
    /// When it stops being decidable.
    pub deadline: Moment,
}

/// A request that has ended; made only by the verbs of [`Open`], and by the store out of what it recorded of one.
#[derive(Clone, Debug, PartialEq)]
pub struct Closed {
    open: Open,
    at: Moment,
    ending: Ending,
    fetched: Option<Moment>,
}

/// How a request ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// A person decided.
    Answered {
        /// What they decided.
        answer: Answer,
        /// Who they are.
        by: Reviewer,
        /// What they say beside it.
        comment: Option<Comment>,
    },
    /// Nobody decided in time.
    Expired,
    /// The agent took it back.
    Withdrawn {
        /// Why, if it said.
        reason: Option<String>,
    },
}

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// Whose credentials it showed.
    pub principal: String,
    /// What its client calls itself, if it said.
    pub client: Option<String>,
}

/// How an agent may say a call again without asking twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The key that it chose.
    pub key: String,
    /// The digest of what it said, in hexadecimal digits.
    pub digest: String,
}

/// Who decides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reviewer {
    /// What they are called in answers and in the audit.
    pub name: String,
}

/// The status words of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It waits for a person.
    Pending,
    /// A person gave their say-so; the agent has not fetched it yet.
    Approved,
    /// A person refused; the agent has not fetched it yet.
    Rejected,
    /// Nobody decided in time.
    Expired,
    /// The agent took it back.
    Canceled,
    /// A person decided and the agent has fetched it.
    Consumed,
}

/// Why an open request did not take an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum NotTaken {
    /// The draft has faults; the request stays open.
    Faulty(Faults),
    /// It refuses and does not say why, which the agent asks for; the request stays open.
    Unexplained,
    /// The deadline had passed; this is how it ended.
    Late(Box<Closed>),
}

impl Open {
    /// A new request, decidable for so many seconds.
    pub fn new(id: ReviewId, ask: Ask, by: Agent, at: Moment, seconds: u32) -> Self {
        Self { id, ask, by, at, deadline: at.plus_seconds(seconds) }
    }

    /// A person decides, and may say something beside it.
    ///
    /// # Errors
    /// The draft is faulty, a refusal does not say why where it has to, or the deadline has passed.
    pub fn answer(
        self,
        draft: &Draft,
        by: Reviewer,
        comment: Option<Comment>,
        now: Moment,
    ) -> Result<Closed, NotTaken> {
        let open = match self.expire(now) {
            Review::Open(open) => open,
            Review::Closed(closed) => return Err(NotTaken::Late(Box::new(closed))),
        };
        let answer = open.ask.judge(draft).map_err(NotTaken::Faulty)?;
        if comment.is_none() && answer.decision() == Decision::Rejected && open.ask.comment_on_reject() {
            return Err(NotTaken::Unexplained);
        }
        Ok(open.close(now, Ending::Answered { answer, by, comment }))
    }

    /// The agent takes it back, which is too late once the deadline has passed: then it has expired.
    pub fn withdraw(self, reason: Option<String>, now: Moment) -> Closed {
        match self.expire(now) {
            Review::Open(open) => open.close(now, Ending::Withdrawn { reason }),
            Review::Closed(closed) => closed,
        }
    }

    /// It expires if its deadline has come: at its deadline to the millisecond, whenever somebody looks.
    pub fn expire(self, now: Moment) -> Review {
        if now < self.deadline {
            return Review::Open(self);
        }
        let at = self.deadline;
        Review::Closed(self.close(at, Ending::Expired))
    }

    fn close(self, at: Moment, ending: Ending) -> Closed {
        Closed { open: self, at, ending, fetched: None }
    }
}

impl Closed {
    /// Puts together what the store recorded; nobody else calls this.
    pub fn recorded(open: Open, at: Moment, ending: Ending, fetched: Option<Moment>) -> Self {
        Self { open, at, ending, fetched }
    }

    /// The request as it was asked.
    pub fn open(&self) -> &Open {
        &self.open
    }

    /// When it ended.
    pub fn at(&self) -> Moment {
        self.at
    }

    /// How it ended.
    pub fn ending(&self) -> &Ending {
        &self.ending
    }

    /// When the agent first fetched the decision.
    pub fn fetched(&self) -> Option<Moment> {
        self.fetched
    }

    /// Its status word as it ended, whether or not the agent has fetched it.
    pub fn outcome(&self) -> Status {
        match &self.ending {
            Ending::Answered { answer, .. } => match answer.decision() {
                Decision::Approved => Status::Approved,
                Decision::Rejected => Status::Rejected,
            },
            Ending::Expired => Status::Expired,
            Ending::Withdrawn { .. } => Status::Canceled,
        }
    }
}

impl Review {
    /// The review as it stands at this moment: past its deadline it has expired, whether or not anybody recorded it.
    pub fn as_of(self, now: Moment) -> Self {
        match self {
            Self::Open(open) => open.expire(now),
            closed @ Self::Closed(_) => closed,
        }
    }

    /// Its status word.
    pub fn status(&self) -> Status {
        match self {
            Self::Open(_) => Status::Pending,
            Self::Closed(closed) if closed.fetched.is_some() => Status::Consumed,
            Self::Closed(closed) => closed.outcome(),
        }
    }

    /// The request as it was asked.
    pub fn request(&self) -> &Open {
        match self {
            Self::Open(open) => open,
            Self::Closed(closed) => &closed.open,
        }
    }
}

wire_enum!(Status {
    "pending" => Pending, "approved" => Approved, "rejected" => Rejected, "expired" => Expired,
    "canceled" => Canceled, "consumed" => Consumed,
});

impl Status {
    /// The word of the contract.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Expired => "expired",
            Self::Canceled => "canceled",
            Self::Consumed => "consumed",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proposal;
    use serde_json::json;

    fn open() -> Open {
        open_of(json!({}))
    }

    /// A request with these arguments as well.
    fn open_of(more: serde_json::Value) -> Open {
        let mut arguments = json!({
            "message": "m", "columns": { "sources": [{ "key": "a", "label": "A" }], "current": { "label": "C" } },
            "requestedSchema": { "type": "object", "properties": { "n": { "type": "integer" } } }, "fields": {}
        });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let (proposal, seconds) = proposal::Proposal::parse(arguments.as_object().unwrap()).unwrap();
        let by = Agent { principal: "p".into(), client: None };
        Open::new(ReviewId::from_bits(1), Ask::Proposal(proposal), by, Moment(1000), seconds)
    }

    fn ann() -> Reviewer {
        Reviewer { name: "Ann".into() }
    }

    fn submit(values: serde_json::Value) -> Draft {
        Draft::Proposal(proposal::Draft::Submit(values.as_object().unwrap().clone()))
    }

    /// Expired is no rejection, and it happens at the deadline to the millisecond.
    #[test]
    fn the_deadline_is_exact() {
        let deadline = Moment(1000 + 3_600_000);
        assert_eq!(Review::Open(open()).as_of(Moment(deadline.0 - 1)).status(), Status::Pending);
        let expired = Review::Open(open()).as_of(Moment(deadline.0 + 5_000));
        assert_eq!(expired.status(), Status::Expired);
        let Review::Closed(closed) = expired else { panic!("closed") };
        assert_eq!(closed.at(), deadline);
        assert!(matches!(open().answer(&submit(json!({})), ann(), None, deadline), Err(NotTaken::Late(_))));
        assert_eq!(open().withdraw(None, deadline).outcome(), Status::Expired);
        assert_eq!(open().withdraw(None, Moment(deadline.0 - 1)).outcome(), Status::Canceled);
    }

    /// A refusal needs no values; a faulty draft decides nothing; one word carries the decision.
    #[test]
    fn only_a_judged_draft_closes_a_review() {
        let cancel = Draft::Proposal(proposal::Draft::Cancel);
        assert_eq!(open().answer(&cancel, ann(), None, Moment(2000)).unwrap().outcome(), Status::Rejected);
        assert_eq!(
            open().answer(&submit(json!({ "n": 3 })), ann(), None, Moment(2000)).unwrap().outcome(),
            Status::Approved
        );
        for wrong in [json!({ "n": "3" }), json!({ "other": 1 })] {
            assert!(matches!(
                open().answer(&submit(wrong), ann(), None, Moment(2000)),
                Err(NotTaken::Faulty(_))
            ));
        }
    }

    /// A refusal says why where the agent asks for it; an approval need not.
    #[test]
    fn a_refusal_says_why_where_it_has_to() {
        let open = || open_of(json!({ "requireCommentOnReject": true }));
        let cancel = Draft::Proposal(proposal::Draft::Cancel);
        assert_eq!(open().answer(&cancel, ann(), None, Moment(2000)), Err(NotTaken::Unexplained));
        let why = Comment::typed("wrong record").unwrap();
        assert_eq!(open().answer(&cancel, ann(), why, Moment(2000)).unwrap().outcome(), Status::Rejected);
        assert_eq!(
            open().answer(&submit(json!({})), ann(), None, Moment(2000)).unwrap().outcome(),
            Status::Approved
        );
    }
}
