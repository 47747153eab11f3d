//! What is written down of every event: who, what, when. Never the content of a request.

use crate::{
    Comment, Decision, Moment, ReviewId,
    prompt::{Channel, Reaction},
    review::{Agent, Reviewer},
};
use serde::{Deserialize, Serialize};
use std::net::IpAddr;

/// One line of the audit trail, stored together with the change that it tells of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Which request; none where it is about the server itself, as credentials are.
    pub review: Option<ReviewId>,
    /// When.
    pub at: Moment,
    /// Who.
    pub actor: Actor,
    /// By which door, and from where.
    pub via: Via,
    /// What.
    pub event: Event,
}

/// By which door somebody came, and from where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub struct Via {
    /// Which door.
    pub door: Door,
    /// The address that the server saw, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<IpAddr>,
}

/// The doors of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Door {
    /// A tool that an agent called.
    Mcp,
    /// A reviewer's page.
    Page,
    /// The document in which options are chosen, whose authority is a token.
    Options,
    /// A command on the server's machine.
    Command,
    /// None: the server did it of itself.
    Inside,
}

impl Via {
    /// What the server does of itself.
    pub const INSIDE: Self = Self { door: Door::Inside, address: None };
}

impl Entry {
    /// What happened to a request by nobody's door; [`via`](Self::via) says otherwise.
    pub fn of(review: ReviewId, at: Moment, actor: Actor, event: Event) -> Self {
        Self { review: Some(review), at, actor, via: Via::INSIDE, event }
    }

    /// The same, by this door.
    pub fn via(self, via: Via) -> Self {
        Self { via, ..self }
    }
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
    /// A reviewer decided, and said something beside it.
    DecidedSaying {
        /// What they decided.
        decision: Decision,
        /// What they said.
        comment: Comment,
    },
    /// A reviewer saw it for the first time.
    Viewed,
    /// A reviewer's page sent a decision on something else than what is asked; it decided nothing.
    OtherDigest,
    /// A reviewer decided where somebody or something had come first.
    SecondDecision,
    /// A reviewer sent a draft with faults, or a refusal that does not say why; it decided nothing.
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

    // Agents' credentials. Of a token, what names it and never what it is.
    /// A token was made.
    TokenCreated {
        /// Which one.
        id: String,
        /// Whose.
        name: String,
        /// What it is good for.
        scopes: String,
        /// When it ends, if it does.
        expires: Option<Moment>,
    },
    /// A token is good for nothing any more.
    TokenRevoked {
        /// Which one.
        id: String,
        /// Whose.
        name: String,
    },
    /// Somebody came with credentials that are none.
    CredentialsRefused {
        /// Why.
        why: String,
        /// How many more were refused since the last of these entries: an attacker does not fill the trail.
        unrecorded: u64,
    },
    /// Somebody who may not decide it tried to.
    Denied,
    /// A person signed in.
    SignedIn,
    /// A person signed out.
    SignedOut,
    /// Somebody came back from the provider, and was not let in.
    SignInRefused,
    /// All people were signed out.
    EverybodySignedOut,
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
