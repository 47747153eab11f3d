//! A prompt: an agent's host was asked to show the review link to a person. What the host answers is never a decision.

use crate::{Moment, ReviewId};
use serde::{Deserialize, Serialize};

/// Answers that come faster than this are software's, not a person's: milliseconds.
pub const SOFTWARE: u64 = 2_000;

/// A host was asked to show a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// Its name among all prompts.
    pub id: String,
    /// The link of which request.
    pub review: ReviewId,
    /// Whose credentials the agent behind the host showed.
    pub principal: String,
    /// What the host calls itself, if it said.
    pub client: Option<String>,
    /// How it was asked.
    pub channel: Channel,
    /// When.
    pub at: Moment,
    /// What it answered, once it has.
    pub reaction: Option<Reaction>,
}

/// How a host is asked to show a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// By a request of the server's while the creating call was answered.
    Pushed,
    /// By a request of the server's that is held open with a waiting call.
    Held,
    /// By an answer that requires input before the call goes on.
    InputRequired,
}

/// What a host answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reaction {
    /// What it says was done.
    pub action: Action,
    /// So many milliseconds after it was asked.
    pub after: u64,
}

/// What a host says was done with the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Somebody agreed to open it.
    Accept,
    /// Somebody did not want to.
    Decline,
    /// The dialog was put away.
    Cancel,
    /// The host could not show it.
    Fail,
}

impl Channel {
    /// Whether a waiting call asked.
    pub fn is_awaiting(self) -> bool {
        match self {
            Self::Pushed => false,
            Self::Held | Self::InputRequired => true,
        }
    }
}

impl Reaction {
    /// Whether software answered, before a person can have seen anything.
    pub fn is_software(self) -> bool {
        self.after < SOFTWARE
    }
}

impl Prompt {
    /// Whether a person has seen it, or has it before them: it is open still, or was answered as slowly as people do.
    pub fn is_seen(&self) -> bool {
        self.reaction.is_none_or(|reaction| !reaction.is_software())
    }
}

/// Whether a waiting call should offer the link in a dialog: nobody has seen one, and no waiting call has offered it yet.
pub fn is_due(prompts: &[Prompt]) -> bool {
    !prompts.iter().any(|prompt| prompt.is_seen() || prompt.channel.is_awaiting())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prompt(channel: Channel, reaction: Option<(Action, u64)>) -> Prompt {
        Prompt {
            id: "p".to_owned(),
            review: ReviewId::from_bits(1),
            principal: "a".to_owned(),
            client: None,
            channel,
            at: Moment(0),
            reaction: reaction.map(|(action, after)| Reaction { action, after }),
        }
    }

    #[test]
    fn a_dialog_is_due_until_somebody_has_seen_one_or_it_was_offered_once() {
        assert!(is_due(&[]), "never asked");
        for action in [Action::Accept, Action::Decline, Action::Cancel, Action::Fail] {
            assert!(is_due(&[prompt(Channel::Pushed, Some((action, 1_999)))]), "software: {action:?}");
            assert!(!is_due(&[prompt(Channel::Pushed, Some((action, 2_000)))]), "a person: {action:?}");
        }
        assert!(!is_due(&[prompt(Channel::Pushed, None)]), "open before somebody");
        for channel in [Channel::Held, Channel::InputRequired] {
            assert!(!is_due(&[prompt(channel, Some((Action::Cancel, 3)))]), "offered once");
        }
    }
}
