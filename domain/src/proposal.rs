//! The proposal: a create-or-update that a person reviews field by field in a diff grid.

mod grid;
#[cfg(test)]
mod laws;
mod parse;

pub use grid::{Entry, Grid, Move, Row, Source};

use crate::{Faults, Object, Pointer, form::Field, people::Reviewers};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What an agent proposes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    /// What the reviewer reads first.
    pub message: String,
    /// The grid that the reviewer works on.
    pub grid: Grid,
    /// The caller's own value, handed back as it came and not shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Value>,
    /// A template to be rendered above the grid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_template: Option<String>,
    /// Whom the agent wants to decide.
    #[serde(default, skip_serializing_if = "Reviewers::is_anybody")]
    pub reviewers: Reviewers,
    /// Whether a refusal has to say why.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub comment_on_reject: bool,
}

/// What a reviewer sends: the values of the included rows, or nothing at all. A row left out has no way in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Draft {
    /// Apply these fields.
    Submit(Object),
    /// Do not touch the record.
    Cancel,
}

/// A judged draft.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Answer(Draft);

impl Answer {
    /// The included values in the order of the grid, if the reviewer submitted any.
    pub fn values(&self) -> Option<&Object> {
        match &self.0 {
            Draft::Submit(values) => Some(values),
            Draft::Cancel => None,
        }
    }
}

impl Grid {
    /// Judges a draft: every value against its own field, nothing that is no field. The values of an answer stand in
    /// the order of the grid.
    ///
    /// # Errors
    /// Every fault at once, with pointers below `/values`.
    pub fn judge(&self, draft: &Draft) -> Result<Answer, Faults> {
        let Draft::Submit(values) = draft else {
            return Ok(Answer(Draft::Cancel));
        };
        let fields: Vec<&Field> = self.rows.iter().map(|row| &row.field).collect();
        Faults::check(crate::form::check_given(&fields, values, &Pointer::root().child("values")))?;
        let ordered = fields.iter().filter_map(|field| values.get_key_value(&field.name));
        Ok(Answer(Draft::Submit(ordered.map(|(name, value)| (name.clone(), value.clone())).collect())))
    }
}
