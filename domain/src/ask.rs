//! The one match on the kind of question: what was asked, what a person drafts, what was answered.

use crate::{Code, Fault, Faults, Pointer, approval, people::Reviewers, proposal, selection};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What an agent asks of a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// Approve this payload, or fill in this form.
    Approval(approval::Approval),
    /// Review these changes field by field.
    Proposal(proposal::Proposal),
    /// Choose from these options.
    Selection(selection::Selection),
}

/// What a person sends, not judged yet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Draft {
    /// On an approval.
    Approval(approval::Draft),
    /// On a proposal.
    Proposal(proposal::Draft),
    /// On a selection.
    Selection(selection::Draft),
}

/// What a person decided; made by [`Ask::judge`], and read back by the store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// On an approval.
    Approval(approval::Answer),
    /// On a proposal.
    Proposal(proposal::Answer),
    /// On a selection.
    Selection(selection::Answer),
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
    /// Every fault at once; a refusal of the right kind never has any.
    pub fn judge(&self, draft: &Draft) -> Result<Answer, Faults> {
        match (self, draft) {
            (Self::Approval(approval), Draft::Approval(draft)) => {
                approval.subject.judge(draft).map(Answer::Approval)
            }
            (Self::Proposal(proposal), Draft::Proposal(draft)) => {
                proposal.grid.judge(draft).map(Answer::Proposal)
            }
            (Self::Selection(selection), Draft::Selection(draft)) => {
                selection.judge(draft).map(Answer::Selection)
            }
            (Self::Approval(_) | Self::Proposal(_) | Self::Selection(_), _) => {
                let message = "This is a draft of another kind of request";
                Err(Fault::new(&Pointer::root(), Code::WrongType, message).allowed(self.kind()).into())
            }
        }
    }

    /// What the reviewer reads first.
    pub fn message(&self) -> &str {
        match self {
            Self::Approval(approval) => &approval.message,
            Self::Proposal(proposal) => &proposal.message,
            Self::Selection(selection) => &selection.message,
        }
    }

    /// Whom the agent wants to decide.
    pub fn reviewers(&self) -> &Reviewers {
        match self {
            Self::Approval(approval) => &approval.reviewers,
            Self::Proposal(proposal) => &proposal.reviewers,
            Self::Selection(selection) => &selection.reviewers,
        }
    }

    /// Whether a refusal has to say why.
    pub fn comment_on_reject(&self) -> bool {
        match self {
            Self::Approval(approval) => approval.comment_on_reject,
            Self::Proposal(proposal) => proposal.comment_on_reject,
            Self::Selection(selection) => selection.comment_on_reject,
        }
    }

    /// The caller's own value, handed back as it came.
    pub fn context(&self) -> Option<&Value> {
        match self {
            Self::Approval(approval) => approval.subject.payload(),
            Self::Proposal(proposal) => proposal.context.as_ref(),
            Self::Selection(_) => None,
        }
    }

    /// The template by which the context is shown, where the caller brought one.
    pub fn display_template(&self) -> Option<&str> {
        match self {
            Self::Approval(approval) => approval.display_template.as_deref(),
            Self::Proposal(proposal) => proposal.display_template.as_deref(),
            Self::Selection(_) => None,
        }
    }

    /// The kind of question in one word.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Approval(_) => "approval",
            Self::Proposal(_) => "proposal",
            Self::Selection(_) => "selection",
        }
    }
}

impl Answer {
    /// Whether this can be an answer to `ask` at all.
    pub fn answers(&self, ask: &Ask) -> bool {
        match self {
            Self::Approval(_) => matches!(ask, Ask::Approval(_)),
            Self::Proposal(_) => matches!(ask, Ask::Proposal(_)),
            Self::Selection(_) => matches!(ask, Ask::Selection(_)),
        }
    }

    /// What the agent is given beside the decision: the form's values, the included fields, or the chosen ids; null where
    /// there is nothing of the kind.
    pub fn given(&self) -> Value {
        match self {
            Self::Approval(answer) => answer.submission().cloned().map(Value::Object),
            Self::Proposal(answer) => answer.values().cloned().map(Value::Object),
            Self::Selection(answer) => answer.chosen().map(Value::from),
        }
        .unwrap_or_default()
    }

    /// Yes or no.
    pub fn decision(&self) -> Decision {
        let approves = match self {
            Self::Approval(answer) => answer.approves(),
            Self::Proposal(answer) => answer.values().is_some(),
            Self::Selection(answer) => answer.chosen().is_some(),
        };
        if approves { Decision::Approved } else { Decision::Rejected }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// What was stored before anybody could be named is read as it was meant.
    #[test]
    fn whom_it_asks_may_be_absent() {
        let parse = |arguments: Value| {
            let (approval, _) = approval::Approval::parse(arguments.as_object().unwrap()).unwrap();
            Ask::Approval(approval)
        };
        let anybody = parse(json!({ "message": "m", "context": 1 }));
        let stored = serde_json::to_value(&anybody).unwrap();
        assert!(stored["approval"].get("reviewers").is_none());
        assert_eq!(serde_json::from_value::<Ask>(stored).unwrap(), anybody);
        let ann = parse(json!({ "message": "m", "context": 1, "reviewers": ["ann@example.com"] }));
        let stored = serde_json::to_value(&ann).unwrap();
        assert_eq!(stored["approval"]["reviewers"], json!(["ann@example.com"]));
        assert_eq!(serde_json::from_value::<Ask>(stored).unwrap(), ann);
    }

    /// A draft made for one kind decides nothing of another, not even a refusal.
    #[test]
    fn kinds_do_not_mix() {
        let arguments = json!({ "message": "m", "context": 1 });
        let (approval, _) = approval::Approval::parse(arguments.as_object().unwrap()).unwrap();
        let ask = Ask::Approval(approval);
        assert!(ask.judge(&Draft::Proposal(proposal::Draft::Cancel)).is_err());
        assert!(ask.judge(&Draft::Approval(approval::Draft::Decline)).is_ok());
    }
}
