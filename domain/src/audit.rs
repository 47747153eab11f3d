//! What is written down of every event: who, what, when. Never the content of a request.

use crate::{
    Decision, Moment, ReviewId,
    prompt::{Channel, Reaction},
    review::{Agent, Reviewer},
};
use serde::{Deserialize, Serialize};

/// One line of the audit trail, stored together with the change that it tells of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Which request.
    pub review: ReviewId,
    /// When.
    pub at: Moment,
    /// Who.
    pub actor: Actor,
    /// What.
    pub event: Event,
}

/// Who did it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// An agent, by its principal.
    Agent(String),
    /// A reviewer, by name.
    Reviewer(String),
    /// The server itself.
    System,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// An agent asked.
    Created,
    /// A reviewer decided.
    Decided(Decision),
    /// A reviewer decided where somebody or something had come first.
    SecondDecision,
    /// A reviewer sent a draft with faults; it decided nothing.
    FaultyDraft,
    /// The deadline passed.
    Expired,
    /// The agent took it back.
    Canceled,
    /// The agent fetched the decision.
    Fetched,
    /// The agent's host was asked to show the link to a person.
    Prompted {
        /// What the host calls itself, if it said.
        client: Option<String>,
        /// How it was asked.
        channel: Channel,
    },
    /// The host answered, which decides nothing.
    HostAnswered {
        /// What the host calls itself, if it said.
        client: Option<String>,
        /// How it had been asked.
        channel: Channel,
        /// What it says was done, and how fast.
        reaction: Reaction,
    },
}

impl From<&Agent> for Actor {
    fn from(agent: &Agent) -> Self {
        Self::Agent(agent.principal.clone())
    }
}

impl From<&Reviewer> for Actor {
    fn from(reviewer: &Reviewer) -> Self {
        Self::Reviewer(reviewer.name.clone())
    }
}
