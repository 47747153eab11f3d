//! Reviews on their way to their end: those that end together are one statement, and so are the first views and the entries that
//! come with them.

use super::{
    Closing, Store, StoreError, row,
    rows::Kind,
    trail::{self, Note},
    writer::Turn,
};
use sayso_domain::{
    Answer, Closed, Comment, Ending,
    audit::{Entry, Event},
};
use sqlx::AssertSqlSafe;
use std::collections::HashSet;

/// How a review is to end, and what tells of it.
pub(super) struct Close {
    id: String,
    state: &'static str,
    at: i64,
    answer: Option<String>,
    reviewer: Option<String>,
    comment: Option<String>,
    reason: Option<String>,
    /// That whoever decides has seen it, if this is the first that is known of that.
    viewed: Option<Note>,
    note: Note,
}

impl Store {
    /// Records how an open review ended, unless it has ended before.
    ///
    /// # Errors
    /// The database; nothing is stored then.
    pub async fn close(&self, closed: &Closed, entry: &Entry) -> Result<Closing, StoreError> {
        self.health.may_write()?;
        let won = self.writer.close(self.closing(closed, entry)).await;
        self.health.learn(&won, self.kind);
        let id = closed.open().id;
        if won? { Ok(Closing::Won) } else { Ok(Closing::Lost(self.find(id).await?.map(Box::new))) }
    }

    fn closing(&self, closed: &Closed, entry: &Entry) -> Close {
        let (state, answered, reason) = match closed.ending() {
            Ending::Answered { answer, by, comment } => ("answered", Some((answer, by, comment)), None),
            Ending::Expired => ("expired", None, None),
            Ending::Withdrawn { reason } => ("withdrawn", None, reason.clone()),
        };
        // Who decides has had it before their eyes, whether or not their page came to say so.
        let viewed = answered.map(|_| self.note(&Entry { event: Event::Viewed, ..entry.clone() }));
        Close {
            id: closed.open().id.to_string(),
            state,
            at: closed.at().0,
            answer: answered.map(|(answer, ..)| row::json::<Answer>(answer)),
            reviewer: answered.map(|(_, by, _)| by.name.clone()),
            comment: answered.and_then(|(.., comment)| comment.as_ref()).map(row::json::<Comment>),
            reason,
            viewed,
            note: self.note(entry),
        }
    }
}

/// Ends them all; in their order, which had not ended before. Of two of the same review, the one that comes first does.
pub(super) async fn close(mut turn: Turn<'_>, closings: &[&Close]) -> Result<Vec<bool>, sqlx::Error> {
    let mut won = vec![false; closings.len()];
    let mut notes = Vec::with_capacity(2 * closings.len());
    let mut left: Vec<usize> = (0..closings.len()).collect();
    while !left.is_empty() {
        let mut ids = HashSet::new();
        let (mut each, again): (Vec<_>, Vec<_>) =
            left.into_iter().partition(|at| ids.insert(closings[*at].id.as_str()));
        let ended = end(&mut turn, each.iter().map(|at| closings[*at])).await?;
        each.retain(|at| ended.contains(&closings[*at].id));
        let seen: Vec<(&str, &str)> = each
            .iter()
            .filter_map(|at| Some((closings[*at].id.as_str(), closings[*at].reviewer.as_deref()?)))
            .collect();
        let seen = trail::keep_views(&seen, &mut turn).await?;
        for at in each {
            let close = closings[at];
            won[at] = true;
            notes.extend(close.viewed.as_ref().filter(|_| seen.contains(&close.id)));
            notes.push(&close.note);
        }
        left = again;
    }
    Note::write_all(&notes, turn).await?;
    Ok(won)
}

/// Ends reviews, none of them twice; which were open.
async fn end<'c>(
    turn: &mut Turn<'_>,
    each: impl ExactSizeIterator<Item = &'c Close>,
) -> Result<HashSet<String>, sqlx::Error> {
    use Kind::{Number, Text};
    let (rows, spare) = turn.places().rows_of(each.len(), &[Text, Text, Number, Text, Text, Text, Text]);
    let sql = format!(
        "WITH ending (review, how, ended_at, answer, reviewer, comment, reason) AS (VALUES {rows}) \
         UPDATE reviews SET state = how, closed_at = ended_at, answer = ending.answer, reviewer = ending.reviewer, \
         comment = ending.comment, reason = ending.reason FROM ending \
         WHERE id = review AND state = 'open' AND ((deadline <= ended_at) = (how = 'expired')) RETURNING id"
    );
    let mut update = sqlx::query_scalar(AssertSqlSafe(sql));
    for close in each {
        update = update
            .bind(close.id.clone())
            .bind(close.state)
            .bind(close.at)
            .bind(close.answer.clone())
            .bind(close.reviewer.clone())
            .bind(close.comment.clone())
            .bind(close.reason.clone());
    }
    for _ in 0..spare {
        update = update.bind(None::<String>);
    }
    Ok(update.fetch_all(&mut **turn).await?.into_iter().collect())
}
