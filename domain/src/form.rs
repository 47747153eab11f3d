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

use crate::wire::wire_struct;
use serde::Serialize;

/// A flat form: fields in the caller's order.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Form {
    fields: Vec<Field>,
}

wire_struct!(Form { fields });

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
