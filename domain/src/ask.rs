//! The one match on the kind of question: what was asked, what a person drafts, what was answered.

use crate::{Faults, proposal};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What an agent asks of a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// Review these changes field by field.
    Proposal(proposal::Proposal),
}

/// What a person sends, not judged yet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Draft {
    /// On a proposal.
    Proposal(proposal::Draft),
}

/// What a person decided; made by [`Ask::judge`], and read back by the store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// On a proposal.
    Proposal(proposal::Answer),
}

/// Yes or no.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The person gave their say-so.
    Approved,
    /// The person refused.
    Rejected,
}

impl Ask {
    /// Judges a draft, by the same code in the browser and on the server.
    ///
    /// # Errors
    /// Every fault at once; a refusal never has any.
    pub fn judge(&self, draft: &Draft) -> Result<Answer, Faults> {
        match (self, draft) {
            (Self::Proposal(proposal), Draft::Proposal(draft)) => {
                proposal.grid.judge(draft).map(Answer::Proposal)
            }
        }
    }

    /// What the reviewer reads first.
    pub fn message(&self) -> &str {
        match self {
            Self::Proposal(proposal) => &proposal.message,
        }
    }

    /// The caller's own value, handed back as it came.
    pub fn context(&self) -> Option<&Value> {
        match self {
            Self::Proposal(proposal) => proposal.context.as_ref(),
        }
    }

    /// The kind of question in one word.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Proposal(_) => "proposal",
        }
    }
}

impl Answer {
    /// Yes or no.
    pub fn decision(&self) -> Decision {
        match self {
            Self::Proposal(answer) if answer.values().is_some() => Decision::Approved,
            Self::Proposal(_) => Decision::Rejected,
        }
    }
}
