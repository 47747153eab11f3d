//! The form: the MCP elicitation subset of JSON Schema as types, parsed once and trusted from then on.
//!
//! [`Form::parse`] takes an agent's `requestedSchema` and tells every fault at once; [`Form::check`] and
//! [`Field::check`] tell what is wrong with values, by the same code in the browser and on the server.

mod check;
mod field;
mod format;
mod options;
#[cfg(test)]
mod oracle;
mod parse;

pub(crate) use check::check_given;
pub use field::{Choice, Choices, Field, Kind, Number, Pattern, Text};
pub use format::Format;

use serde::{Deserialize, Serialize};

/// A flat form: fields in the caller's order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Form {
    fields: Vec<Field>,
}

impl Form {
    /// The fields, in the caller's order.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The fields, in the caller's order, taken out of the form.
    pub fn into_fields(self) -> Vec<Field> {
        self.fields
    }
}
