//! The grid as a reviewer works on it: what each row starts with, and the moves that a person can make.
//!
//! A [`Row`] never changes; what a person has done to it is its [`Entry`]. The page keeps one entry a row, so that
//! a keystroke touches one row only, and makes every change by [`Row::make`].

use super::Draft;
use crate::{Fault, Faults, Object, Pointer, diff, form::Field, wire::wire_struct};
use serde::Serialize;
use serde_json::Value;

/// Sources and current value beside an editable proposal, one row a field.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Grid {
    /// The source columns, in display order, at least one.
    pub sources: Vec<Source>,
    /// What the column of current values is called.
    pub current: String,
    /// The rows, in the order of `requestedSchema`, at least one.
    pub rows: Vec<Row>,
    /// What the submit button is called.
    pub submit: String,
    /// What the cancel button is called.
    pub cancel: String,
}

/// A source column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Source {
    /// What cells refer to it by.
    pub key: String,
    /// What it is called.
    pub label: String,
}

/// One field with the values that are known of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The field that is proposed; its default is the proposal.
    pub field: Field,
    /// What each source says, in the order of the source columns.
    pub sources: Vec<Option<Value>>,
    /// What the record holds now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current: Option<Value>,
    /// Whether the caller says that the row starts included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub include: Option<bool>,
}

/// What a person has made of one row.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The proposed value; `None` where there is none, as in an emptied number.
    pub proposed: Option<Value>,
    /// Whether it is to be applied.
    pub included: bool,
}

/// What a person can do to a row; the header actions make one move on every row.
#[derive(Clone, Debug, PartialEq)]
pub enum Move {
    /// Tick or untick the row.
    Include(bool),
    /// Change the proposed value.
    Propose(Option<Value>),
    /// Double click on a source cell: copy it and include the row.
    TakeSource(usize),
    /// Double click on the current cell: copy it and leave the row out.
    KeepCurrent,
    /// Back to the value that the agent proposed; included or not as it is.
    Restore,
}

wire_struct!(Grid { sources, current, rows, submit, cancel });
wire_struct!(Source { key, label });
wire_struct!(Row { field, sources, current, include });

impl Row {
    /// What the row starts with.
    ///
    /// Included where the proposal differs from the current value, unless there is no proposal or it would remove
    /// what the record holds; the caller's word goes before that, the lock before both.
    pub fn start(&self) -> Entry {
        let proposed = self.field.default.clone();
        let differs =
            proposed.is_some() && self.changes(proposed.as_ref()) && !self.removes(proposed.as_ref());
        Entry { included: self.is_locked() || self.include.unwrap_or(differs), proposed }
    }

    /// Whether the row must stay included: the record would lack a required value without it.
    pub fn is_locked(&self) -> bool {
        self.field.required && diff::is_empty(self.current.as_ref())
    }

    /// Whether the row is included once somebody has ticked or unticked it.
    pub fn ticked(&self, include: bool) -> bool {
        include || self.is_locked()
    }

    /// Whether a source says something else than the record, and says anything.
    pub fn differs(&self, source: usize) -> bool {
        let value = self.sources.get(source).and_then(Option::as_ref);
        !diff::is_empty(value) && !diff::same(value, self.current.as_ref())
    }

    /// Whether applying `proposed` would change the record.
    pub fn changes(&self, proposed: Option<&Value>) -> bool {
        !diff::same(proposed, self.current.as_ref())
    }

    /// Whether applying `proposed` would remove what the record holds.
    pub fn removes(&self, proposed: Option<&Value>) -> bool {
        proposed.is_some() && diff::is_empty(proposed) && !diff::is_empty(self.current.as_ref())
    }

    /// Makes a move. A move that the row does not allow (an empty cell to copy, a locked row to leave out) changes
    /// nothing.
    pub fn make(&self, entry: &mut Entry, made: Move) {
        match made {
            Move::Include(include) => entry.included = self.ticked(include),
            Move::Propose(value) => entry.proposed = value,
            Move::TakeSource(source) => {
                if let Some(value) =
                    self.sources.get(source).and_then(Option::as_ref).filter(|v| !diff::is_empty(Some(v)))
                {
                    *entry = Entry { proposed: Some(value.clone()), included: true };
                }
            }
            Move::KeepCurrent => {
                if let Some(value) = self.current.as_ref().filter(|value| !diff::is_empty(Some(value))) {
                    *entry = Entry { proposed: Some(value.clone()), included: self.is_locked() };
                }
            }
            Move::Restore => entry.proposed = self.field.default.clone(),
        }
    }

    /// What is wrong with the proposed value, if there is one; `missing` counts only where the row is included.
    pub fn fault(&self, entry: &Entry) -> Option<Fault> {
        let at = Pointer::root().child("values");
        match &entry.proposed {
            Some(value) => self.field.check(value, &at),
            None if entry.included => Some(self.field.missing(&at)),
            None => None,
        }
    }
}

impl Grid {
    /// What every row starts with.
    pub fn start(&self) -> Vec<Entry> {
        self.rows.iter().map(Row::start).collect()
    }

    /// Makes the same move on every row: Accept All, Reject All, Restore Proposed.
    pub fn make_all(&self, entries: &mut [Entry], made: &Move) {
        for (row, entry) in self.rows.iter().zip(entries) {
            row.make(entry, made.clone());
        }
    }

    /// The draft of what is included.
    ///
    /// # Errors
    /// The faults of the included rows; what is wrong in a row left out does not matter.
    pub fn draft(&self, entries: &[Entry]) -> Result<Draft, Faults> {
        let included = || self.rows.iter().zip(entries).filter(|(_, entry)| entry.included);
        Faults::check(included().filter_map(|(row, entry)| row.fault(entry)).collect())?;
        let value = |(row, entry): (&Row, &Entry)| Some((row.field.name.clone(), entry.proposed.clone()?));
        Ok(Draft::Submit(included().filter_map(value).collect::<Object>()))
    }
}
