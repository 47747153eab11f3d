//! Exactly what a reviewer may see of a request: never a proposal's context, a template's text or the agent's principal.

use crate::{
    Answer, Ask, Closed, Draft, Ending, Faults, Moment, Review, ReviewId, Status,
    approval::Labels,
    form::{Field, Form},
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
    /// Whom the agent wants to decide, in words; none where nobody in particular.
    pub asked_of: Option<String>,
    /// When it was asked.
    pub asked_at: Moment,
    /// When this sheet was made, by the server's clock; the page counts from here, whatever its own clock says.
    pub made_at: Moment,
    /// Stands for the request as it is shown here, and comes back with the decision.
    pub digest: String,
    /// Whether a refusal has to say why.
    pub comment_on_reject: bool,
    /// What stands above everything else: how the context is shown.
    pub header: Header,
    /// What there is to do.
    pub body: Body,
}

/// How a request's context is shown. Which of these it is, the server knows: it renders templates.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Header {
    /// Not at all.
    Nothing,
    /// As JSON.
    Payload {
        /// What to show. The server writes it into the page, and the browser leaves it as it stands: this does not
        /// travel a second time as data.
        #[serde(skip)]
        payload: Value,
        /// Whether a template should have shown it and could not.
        instead: bool,
    },
    /// As a document of its own that the caller's template made.
    Frame {
        /// Where that document is.
        address: String,
    },
    /// A template should have shown something and could not, and there is nothing else to show.
    Unshown,
    /// The options of a selection, in a document of their own where they are chosen.
    Options {
        /// Where that document is.
        address: String,
        /// How many options there are.
        count: u64,
        /// Whether there is more to read about each.
        detailed: bool,
    },
}

/// What there is to do, or what was done.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// Something to approve until the deadline.
    Approval {
        /// What to fill in, if anything.
        form: Option<Form>,
        /// What the buttons are called.
        labels: Labels,
        /// Until when.
        deadline: Moment,
    },
    /// A proposal to review until the deadline.
    Proposal {
        /// What to review.
        grid: Grid,
        /// Until when.
        deadline: Moment,
    },
    /// Options to choose from until the deadline; the document that shows them decides.
    Selection {
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
    /// What they said beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// Why the agent took it back, if it said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What the agent receives.
    pub blessed: Blessed,
}

/// What a decision gives to the agent.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Blessed {
    /// Nothing was approved.
    Nothing,
    /// Its own payload, as it was shown.
    Payload,
    /// The labels of the included or filled-in fields and their values, in order.
    Values(Vec<(String, Value)>),
    /// The labels of the chosen options and their ids, in order.
    Options(Vec<(String, String)>),
}

/// What a reviewer sends, not judged yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Sent {
    /// What they decided.
    pub draft: Draft,
    /// What they say beside it; empty where they say nothing.
    pub comment: String,
    /// Of what they were shown.
    pub digest: String,
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
    /// It was not taken, and nothing in the draft is at fault: this person may not decide it, or it wants a comment; why, and
    /// what to do, in words.
    Refused(String),
}

wire_struct!(Sheet {
    id,
    message,
    asked_by,
    asked_of,
    asked_at,
    made_at,
    digest,
    comment_on_reject,
    header,
    body
});
wire_enum!(Header {
    "nothing" => Nothing, "payload" => Payload { payload, instead }, "frame" => Frame { address }, "unshown" => Unshown,
    "options" => Options { address, count, detailed },
});
wire_enum!(Body {
    "approval" => Approval { form, labels, deadline }, "proposal" => Proposal { grid, deadline },
    "selection" => Selection { deadline }, "closed" => Closed(outcome),
});
wire_struct!(Outcome { status, at, by, comment, reason, blessed });
wire_enum!(Blessed { "nothing" => Nothing, "payload" => Payload, "values" => Values(values), "options" => Options(options) });
wire_enum!(Submitted {
    "decided" => Decided(outcome), "too_late" => TooLate(outcome), "faulty" => Faulty(faults),
    "unknown" => Unknown, "refused" => Refused(words),
});
wire_enum!(Standing { "open" => Open { left }, "closed" => Closed(outcome), "unknown" => Unknown });

impl Sheet {
    /// What a reviewer may see of a review at this moment, with its context shown like this.
    pub fn of(review: &Review, digest: String, header: Header, now: Moment) -> Self {
        let Open { id, ask, by, at, deadline } = review.request();
        let body = match (review, ask) {
            (Review::Closed(closed), _) => Body::Closed(Outcome::of(closed)),
            (Review::Open(_), Ask::Approval(approval)) => Body::Approval {
                form: approval.subject.form().cloned(),
                labels: approval.labels.clone(),
                deadline: *deadline,
            },
            (Review::Open(_), Ask::Selection(_)) => Body::Selection { deadline: *deadline },
            (Review::Open(_), Ask::Proposal(proposal)) => {
                Body::Proposal { grid: proposal.grid.clone(), deadline: *deadline }
            }
        };
        let message = ask.message().to_owned();
        let (asked_by, asked_of) = (by.client.clone(), ask.reviewers().in_words());
        Self {
            id: *id,
            message,
            asked_by,
            asked_of,
            asked_at: *at,
            made_at: now,
            digest,
            comment_on_reject: ask.comment_on_reject(),
            header,
            body,
        }
    }
}

impl Header {
    /// How the context is shown where no template shows it: an approval's is what is to be approved, a proposal's is
    /// not for the reviewer. `instead` where a template should have shown it.
    pub fn plain(ask: &Ask, instead: bool) -> Self {
        match ask {
            Ask::Approval(approval) => match approval.subject.payload() {
                Some(payload) => Self::Payload { payload: payload.clone(), instead },
                None if instead => Self::Unshown,
                None => Self::Nothing,
            },
            Ask::Proposal(_) if instead => Self::Unshown,
            Ask::Proposal(_) | Ask::Selection(_) => Self::Nothing,
        }
    }
}

impl Outcome {
    /// How a request ended, as a reviewer may know it.
    pub fn of(closed: &Closed) -> Self {
        let mut outcome = Self {
            status: closed.outcome(),
            at: closed.at(),
            by: None,
            comment: None,
            reason: None,
            blessed: Blessed::Nothing,
        };
        match closed.ending() {
            Ending::Answered { answer, by, comment } => {
                outcome.by = Some(by.name.clone());
                outcome.comment = comment.as_ref().map(|comment| comment.text().to_owned());
                outcome.blessed = Blessed::of(&closed.open().ask, answer);
            }
            Ending::Expired => {}
            Ending::Withdrawn { reason } => outcome.reason.clone_from(reason),
        }
        outcome
    }
}

impl Blessed {
    fn of(ask: &Ask, answer: &Answer) -> Self {
        let (fields, values): (Vec<&Field>, _) = match (ask, answer) {
            (Ask::Approval(approval), Answer::Approval(answer)) => {
                match (approval.subject.form(), answer.submission()) {
                    (Some(form), Some(values)) => (form.fields().iter().collect(), Some(values)),
                    _ if answer.approves() => return Self::Payload,
                    _ => return Self::Nothing,
                }
            }
            (Ask::Proposal(proposal), Answer::Proposal(answer)) => {
                (proposal.grid.rows.iter().map(|row| &row.field).collect(), answer.values())
            }
            (Ask::Selection(selection), Answer::Selection(answer)) => {
                let Some(chosen) = answer.chosen() else { return Self::Nothing };
                let options = selection.options.iter().filter(|option| chosen.contains(&option.id));
                return Self::Options(
                    options.map(|option| (option.label().to_owned(), option.id.clone())).collect(),
                );
            }
            // The store refuses to read such a row.
            (Ask::Approval(_) | Ask::Proposal(_) | Ask::Selection(_), _) => return Self::Nothing,
        };
        let Some(values) = values else { return Self::Nothing };
        let value = |field: &&Field| Some((field.label().to_owned(), values.get(&field.name)?.clone()));
        Self::Values(fields.iter().filter_map(value).collect())
    }
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
