//! What a reviewer says beside a decision.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A few words of the reviewer's for the agent, on either decision: never empty, and not long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Comment(String);

/// Why a text is no comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoComment {
    /// There is nothing in it.
    Empty,
    /// It has so many characters.
    TooLong(usize),
}

impl Comment {
    /// At most so many characters.
    pub const CHARACTERS: usize = 2_000;

    /// What was typed, without the space around it, every line ended as browsers show it; nothing where nothing is left.
    ///
    /// # Errors
    /// It is too long.
    pub fn typed(text: &str) -> Result<Option<Self>, NoComment> {
        match Self::try_from(text.replace("\r\n", "\n").trim().to_owned()) {
            Ok(comment) => Ok(Some(comment)),
            Err(NoComment::Empty) => Ok(None),
            Err(too_long) => Err(too_long),
        }
    }

    /// Its text.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Comment {
    type Error = NoComment;

    fn try_from(text: String) -> Result<Self, NoComment> {
        match text.chars().count() {
            0 => Err(NoComment::Empty),
            length if length > Self::CHARACTERS => Err(NoComment::TooLong(length)),
            _ => Ok(Self(text)),
        }
    }
}

impl From<Comment> for String {
    fn from(comment: Comment) -> Self {
        comment.0
    }
}

impl fmt::Display for NoComment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "A comment has something in it."),
            Self::TooLong(length) => {
                write!(f, "A comment has at most {} characters; this has {length}.", Comment::CHARACTERS)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_is_trimmed_and_bounded_and_never_empty() {
        let typed = |text: &str| Comment::typed(text).map(|comment| comment.map(String::from));
        assert_eq!(typed(" \n "), Ok(None));
        assert_eq!(typed("  why\r\nnot "), Ok(Some("why\nnot".to_owned())));
        assert!(typed(&"ä".repeat(2_000)).unwrap().is_some());
        assert_eq!(typed(&"ä".repeat(2_001)), Err(NoComment::TooLong(2_001)));
    }
}
