//! Exactly what a reviewer may see of a request: never the context, the template or the agent's principal.

use crate::{
    Ask, Closed, Ending, Faults, Moment, Review, ReviewId, Status,
    proposal::Grid,
    review::Open,
    wire::{wire_enum, wire_struct},
};
use serde::Serialize;
use serde_json::Value;

/// The reviewer's page in data.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sheet {
    /// Which request.
    pub id: ReviewId,
    /// What the agent says.
    pub message: String,
    /// What the agent's client calls itself, if it said.
    pub asked_by: Option<String>,
    /// When it was asked.
    pub asked_at: Moment,
    /// When this sheet was made, by the server's clock; the page counts from here, whatever its own clock says.
    pub made_at: Moment,
    /// What there is to do.
    pub body: Body,
}

/// What there is to do, or what was done.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// A proposal to review until the deadline.
    Proposal {
        /// What to review.
        grid: Grid,
        /// Until when.
        deadline: Moment,
    },
    /// It has ended.
    Closed(Outcome),
}

/// How a request ended, as a reviewer may know it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// `approved`, `rejected`, `expired` or `canceled`.
    pub status: Status,
    /// When.
    pub at: Moment,
    /// Who decided, where a person did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Why the agent took it back, if it said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What was approved: the labels of the included fields and their values, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<(String, Value)>,
}

/// What became of a reviewer's draft; a refusal that a person can mend is a value, not an error.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Submitted {
    /// The draft decided the request.
    Decided(Outcome),
    /// Somebody or something had come first.
    TooLate(Outcome),
    /// The draft has faults; the request waits on.
    Faulty(Faults),
    /// There is no such request.
    Unknown,
}

wire_struct!(Sheet { id, message, asked_by, asked_at, made_at, body });
wire_enum!(Body { "proposal" => Proposal { grid, deadline }, "closed" => Closed(outcome) });
wire_struct!(Outcome { status, at, by, reason, values });
wire_enum!(Submitted {
    "decided" => Decided(outcome), "too_late" => TooLate(outcome), "faulty" => Faulty(faults),
    "unknown" => Unknown,
});
wire_enum!(Standing { "open" => Open { left }, "closed" => Closed(outcome), "unknown" => Unknown });

impl Sheet {
    /// What a reviewer may see of a review at this moment.
    pub fn of(review: &Review, now: Moment) -> Self {
        let Open { id, ask, by, at, deadline } = review.request();
        let body = match review {
            Review::Open(_) => match ask {
                Ask::Proposal(proposal) => {
                    Body::Proposal { grid: proposal.grid.clone(), deadline: *deadline }
                }
            },
            Review::Closed(closed) => Body::Closed(Outcome::of(closed)),
        };
        let message = ask.message().to_owned();
        Self { id: *id, message, asked_by: by.client.clone(), asked_at: *at, made_at: now, body }
    }
}

impl Outcome {
    /// How a request ended, as a reviewer may know it.
    pub fn of(closed: &Closed) -> Self {
        let mut outcome =
            Self { status: closed.outcome(), at: closed.at(), by: None, reason: None, values: Vec::new() };
        match closed.ending() {
            Ending::Answered { answer, by } => {
                outcome.by = Some(by.name.clone());
                outcome.values = blessed(&closed.open().ask, answer);
            }
            Ending::Expired => {}
            Ending::Withdrawn { reason } => outcome.reason.clone_from(reason),
        }
        outcome
    }
}

fn blessed(ask: &Ask, answer: &crate::Answer) -> Vec<(String, Value)> {
    let (Ask::Proposal(proposal), crate::Answer::Proposal(answer)) = (ask, answer);
    let value = |row: &crate::proposal::Row| {
        let value = answer.values()?.get(&row.field.name)?;
        Some((row.field.label().to_owned(), value.clone()))
    };
    proposal.grid.rows.iter().filter_map(value).collect()
}

/// How a request stands, in short.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// It waits.
    Open {
        /// Milliseconds until its deadline, by the server's clock.
        left: u64,
    },
    /// It has ended.
    Closed(Outcome),
    /// There is no such request.
    Unknown,
}

impl Standing {
    /// How a review stands at this moment.
    pub fn of(review: &Review, now: Moment) -> Self {
        match review {
            Review::Open(open) => Self::Open { left: now.until(open.deadline) },
            Review::Closed(closed) => Self::Closed(Outcome::of(closed)),
        }
    }
}
