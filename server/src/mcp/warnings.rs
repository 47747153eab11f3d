//! What an agent asked and will get, though not as it may think.

use crate::render::{
    Busy, Fault, Trial,
    options::{Drawn, Remark},
};
use sayso_domain::{Object, Pointer, selection::Selection};
use serde::Serialize;
use serde_json::{Number, Value};

/// One thing that an agent should know about a request that was taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Warning {
    /// Where it stands in the arguments.
    pub(super) pointer: Pointer,
    /// What kind of thing it is; listed in `docs/tools.md`, and never changes its meaning.
    pub(super) code: &'static str,
    /// One sentence, without a full stop.
    pub(super) message: String,
    /// The line of the template, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) line: Option<usize>,
    /// The character of that line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) column: Option<usize>,
}

/// The codes of warnings that are not about the inside of a template, and what they mean.
const CODES: [(&str, &str); 8] = [
    (
        "template_falls_back",
        "the template cannot be shown with this context: the page shows what it would show without one",
    ),
    ("template_untried", "the server was too busy to try the template; the page will"),
    ("template_without_context", "there is a template and no `context` for it to show"),
    ("row_without_cell", "a row or heading template makes no cell of its own; what it makes stands in one"),
    ("markup_dropped", "a part of a row that could touch what is around it was left out"),
    ("css_dropped", "a part of a style sheet that could touch more than the caller's own cells was left out"),
    ("large_integer", "an integer beyond 2^53: kept to the digit here, rounded by many readers"),
    (
        "reviewers_not_told_apart",
        "the server runs open for one person's own use, so whoever opens the page can decide, named or not",
    ),
];

/// The codes of warnings about the inside of a template, and what they mean.
const TEMPLATE_CODES: [(&str, &str); 5] = [
    ("unknown_filter", "no filter has this name: its input passes through unchanged"),
    ("raw_last", "`raw` does not opt out of escaping"),
    ("escape_twice", "every value is escaped anyway, so `escape` escapes a second time"),
    ("external_host", "the markup names another host, and the document loads nothing from anywhere"),
    ("unclosed_row", "a table, a row or a cell is opened and never closed"),
];

/// All codes of warnings, and what they mean.
pub(super) fn codes() -> impl Iterator<Item = (&'static str, &'static str)> {
    CODES.into_iter().chain(TEMPLATE_CODES)
}

/// What there is to say about a template that was tried; `kind` is the kind of request that it belongs to.
pub(super) fn of_template(argument: &str, trial: Result<&Trial, Busy>, falls_back_to: &str) -> Vec<Warning> {
    let at = Pointer::root().child(argument);
    let trial = match trial {
        Ok(trial) => trial,
        Err(Busy) => {
            let message = "The server was too busy to try this template; the page will try again";
            return vec![Warning::new(&at, "template_untried", message)];
        }
    };
    let fallen = trial.rendering.as_ref().err().map(|Fault { place, message }| {
        let message =
            format!("This template cannot be shown, and the page shows {falls_back_to} instead: {message}");
        Warning::new(&at, "template_falls_back", message).at(*place)
    });
    let more = trial.warnings.iter().map(|warning| {
        Warning::new(&at, warning.code, warning.message.clone()).at(Some((warning.line, warning.column)))
    });
    fallen.into_iter().chain(more).collect()
}

/// What there is to say about the options of a selection as they were drawn.
pub(super) fn of_options(selection: &Selection, drawn: Result<&Drawn, Busy>) -> Vec<Warning> {
    let at = |argument: &str| Pointer::root().child(argument);
    let drawn = match drawn {
        Ok(drawn) => drawn,
        Err(Busy) => {
            let message = "The server was too busy to draw the options; the page will try again";
            return vec![Warning::new(&at("options"), "template_untried", message)];
        }
    };
    let mut warnings = Vec::new();
    for (argument, Fault { place, message }) in &drawn.faults {
        let instead = if *argument == "css" { "no style of yours" } else { "each option by its label" };
        let message = format!("This cannot be shown, and the page shows {instead}: {message}");
        warnings.push(Warning::new(&at(argument), "template_falls_back", message).at(*place));
    }
    let layout = &selection.layout;
    for (argument, source, cell) in
        [("rowTemplate", &layout.row, "<td"), ("headingTemplate", &layout.heading, "<th")]
    {
        if source.as_ref().is_some_and(|source| !source.to_ascii_lowercase().contains(cell)) {
            let message = format!("There is no `{cell}>` in this template: what it makes stands in one cell");
            warnings.push(Warning::new(&at(argument), "row_without_cell", message));
        }
    }
    for Remark { argument, code, what, place } in &drawn.remarks {
        let message = format!("Left out: {what}");
        warnings.push(Warning::new(&at(argument), code, message).at(*place));
    }
    warnings
}

/// What there is to say about the data of a request that was taken; `told_apart` whether people sign in here.
pub(super) fn of_data(arguments: &Object, told_apart: bool) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if arguments.contains_key("reviewers") && !told_apart {
        let message = "This server runs open for one person's own use: whoever opens the page can decide, named here or not";
        warnings.push(Warning::new(&Pointer::root().child("reviewers"), "reviewers_not_told_apart", message));
    }
    if arguments.contains_key("displayTemplate") && !arguments.contains_key("context") {
        let message = "There is no `context` for this template to show: `context` is nil in it";
        warnings.push(Warning::new(
            &Pointer::root().child("displayTemplate"),
            "template_without_context",
            message,
        ));
    }
    for member in ["context", "fields", "requestedSchema", "options"] {
        if let Some(value) = arguments.get(member).filter(|value| has_large_integers(value)) {
            large_integers(value, &Pointer::root().child(member), &mut warnings);
        }
    }
    warnings
}

/// Whether there is anything to tell: most have none, and need no pointer to every member.
fn has_large_integers(value: &Value) -> bool {
    match value {
        Value::Number(number) => is_large_integer(number),
        Value::Array(items) => items.iter().any(has_large_integers),
        Value::Object(members) => members.values().any(has_large_integers),
        Value::Null | Value::Bool(_) | Value::String(_) => false,
    }
}

fn is_large_integer(number: &Number) -> bool {
    const EXACT: u64 = (1 << 53) - 1;
    let whole = number.as_str().bytes().all(|b| b.is_ascii_digit() || b == b'-');
    whole && number.as_i64().is_none_or(|n| n.unsigned_abs() > EXACT)
}

/// Integers beyond 2^53 are kept to the digit here; what reads the answer may round them.
fn large_integers(value: &Value, at: &Pointer, warnings: &mut Vec<Warning>) {
    const AT_MOST: usize = 20;
    if warnings.len() >= AT_MOST {
        return;
    }
    match value {
        Value::Number(number) => {
            if is_large_integer(number) {
                let message = "Kept to the digit, but many JSON readers round integers beyond 2^53: pass it as a string where you can";
                warnings.push(Warning::new(at, "large_integer", message));
            }
        }
        Value::Array(items) => items
            .iter()
            .enumerate()
            .for_each(|(index, item)| large_integers(item, &at.child(index), warnings)),
        Value::Object(members) => {
            members.iter().for_each(|(name, member)| large_integers(member, &at.child(name), warnings))
        }
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

impl Warning {
    fn new(at: &Pointer, code: &'static str, message: impl Into<String>) -> Self {
        Self { pointer: at.clone(), code, message: message.into(), line: None, column: None }
    }

    fn at(mut self, place: Option<(usize, usize)>) -> Self {
        (self.line, self.column) = (place.map(|place| place.0), place.map(|place| place.1));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a reader of the answer may round is told where it stands.
    #[test]
    fn integers_that_readers_round_are_told() {
        let arguments: Object =
            serde_json::from_str(r#"{ "context": { "ids": [9007199254740991, 9007199254740992, -9007199254740993, 1.5, 1e30, "3791411052119578828"] } }"#).unwrap();
        let told: Vec<_> =
            of_data(&arguments, false).iter().map(|warning| warning.pointer.to_string()).collect();
        assert_eq!(told, ["/context/ids/1", "/context/ids/2"]);
    }
}
