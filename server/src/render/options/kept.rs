//! What somebody had chosen whose session was over when they sent it: kept for some minutes, to be there again when they have
//! signed in anew.
//!
//! It decides nothing, ever: they see it in the form, and send that. Whoever puts something here shows a token that was theirs, so
//! there is at most one for a request and a person. It is in memory and at this server only, for it is a courtesy.

use super::post::Sent;
use sayso_domain::{Comment, Moment, ReviewId};
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

/// So long, in milliseconds: as long as a sign-in may take.
const LIFE: i64 = 600_000;
/// At most so many, of a few kilobytes each; beyond that, the oldest goes.
const MOST: usize = 500;

/// Choices that wait for their persons.
#[derive(Clone, Default)]
pub(super) struct Kept(Arc<Mutex<VecDeque<Choice>>>);

struct Choice {
    id: ReviewId,
    holder: String,
    sent: Sent,
    ends: Moment,
}

impl Choice {
    fn is(&self, id: ReviewId, holder: &str) -> bool {
        self.id == id && self.holder == holder
    }
}

impl Kept {
    /// Keeps what `holder` had chosen, in place of what they had chosen before.
    pub(super) fn keep(&self, id: ReviewId, holder: &str, sent: Sent, now: Moment) {
        let comment = sent.comment.chars().take(Comment::CHARACTERS).collect();
        let sent = Sent { filter: sent.filter, chosen: sent.chosen, comment, ..Sent::default() };
        let choice = Choice { id, holder: holder.to_owned(), sent, ends: Moment(now.0 + LIFE) };
        let mut choices = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        choices.retain(|choice| choice.ends > now && !choice.is(id, holder));
        if choices.len() >= MOST {
            choices.pop_front();
        }
        choices.push_back(choice);
    }

    /// What `holder` had chosen. To look changes nothing.
    pub(super) fn of(&self, id: ReviewId, holder: &str, now: Moment) -> Option<Sent> {
        let choices = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = choices.iter().find(|choice| choice.is(id, holder) && choice.ends > now);
        kept.map(|choice| choice.sent.clone())
    }

    /// They have sent something else since.
    pub(super) fn forget(&self, id: ReviewId, holder: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|choice| !choice.is(id, holder));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::options::post::Verb;

    fn id(bits: usize) -> ReviewId {
        ReviewId::from_bits(bits as u128)
    }

    #[test]
    fn a_choice_is_its_persons_for_a_while_and_no_verb_is_kept() {
        let kept = Kept::default();
        let sent = Sent::parse(b"token=t&digest=d&do=choose&pick=2&q=x&comment=why", 3).unwrap();
        assert_eq!(sent.verb, Verb::Choose);
        kept.keep(id(1), "ann", sent, Moment(0));
        let found = kept.of(id(1), "ann", Moment(LIFE - 1)).unwrap();
        assert_eq!(found, Sent::parse(b"pick=2&q=x&comment=why", 3).unwrap());
        assert_eq!(kept.of(id(1), "ann", Moment(LIFE)), None);
        assert_eq!(kept.of(id(1), "bob", Moment(0)), None);
        assert_eq!(kept.of(id(2), "ann", Moment(0)), None);
        kept.keep(id(1), "ann", Sent::parse(b"pick=0", 3).unwrap(), Moment(5));
        assert_eq!(kept.of(id(1), "ann", Moment(5)), Some(Sent::parse(b"pick=0", 3).unwrap()));
        kept.forget(id(1), "ann");
        assert_eq!(kept.of(id(1), "ann", Moment(5)), None);
    }

    #[test]
    fn it_is_bounded() {
        let kept = Kept::default();
        let long = Sent { comment: "é".repeat(Comment::CHARACTERS + 1), ..Sent::default() };
        for count in 0..=MOST {
            kept.keep(id(count), "ann", long.clone(), Moment(0));
        }
        assert_eq!(kept.0.lock().unwrap().len(), MOST);
        assert_eq!(kept.of(id(0), "ann", Moment(0)), None, "the oldest goes");
        let comment = kept.of(id(1), "ann", Moment(0)).unwrap().comment;
        assert_eq!(comment.chars().count(), Comment::CHARACTERS);
        kept.keep(id(0), "ann", long, Moment(LIFE));
        assert_eq!(kept.0.lock().unwrap().len(), 1, "what is over goes");
    }
}
