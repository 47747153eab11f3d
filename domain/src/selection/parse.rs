//! The arguments of `elicit_selection` → a [`Selection`] and how long it may wait.

use super::{Candidate, Layout, OPTIONS, Selection};
use crate::{Code, Fault, Faults, Object, Pointer, arguments::Reader};
use serde_json::Value;
use std::collections::HashMap;

const KNOWN: [&str; 13] = [
    "message",
    "options",
    "minSelections",
    "maxSelections",
    "rowTemplate",
    "headingTemplate",
    "footerTemplate",
    "hoverTemplate",
    "css",
    "labels",
    "timeoutSeconds",
    "reviewers",
    "requireCommentOnReject",
];

impl Selection {
    /// Parses the arguments of `elicit_selection`; the second part is how many seconds it stays decidable.
    ///
    /// # Errors
    /// Every fault at once, each with its pointer into the arguments.
    pub fn parse(arguments: &Object) -> Result<(Self, u32), Faults> {
        let mut reader = Reader::new(arguments, &KNOWN);
        let message = reader.message();
        let options = options(&mut reader, arguments);
        let given = options.as_ref().map_or(OPTIONS, Vec::len);
        let (min, max) = range(&mut reader, given);
        let layout = Layout {
            row: reader.template("rowTemplate"),
            heading: reader.template("headingTemplate"),
            footer: reader.template("footerTemplate"),
            hover: reader.template("hoverTemplate"),
            css: reader.template("css"),
        };
        let ok = if max > 1 { "Submit selection" } else { "Choose" };
        let [submit, reject] = reader.labels([("ok", ok), ("cancel", "Reject — refine search")]);
        let seconds = reader.seconds("timeoutSeconds", 60..=86_400);
        let (reviewers, comment_on_reject) = (reader.reviewers(), reader.comment_on_reject());
        let selection = (|| {
            let (message, options) = (message?, options?);
            Some((
                Self { message, options, min, max, layout, submit, reject, reviewers, comment_on_reject },
                seconds,
            ))
        })();
        reader.finish(selection)
    }
}

fn options(reader: &mut Reader<'_>, arguments: &Object) -> Option<Vec<Candidate>> {
    let at = Pointer::root().child("options");
    let wanted = format!("an array of 1 to {OPTIONS} objects, each with an `id`");
    let given = match arguments.get("options") {
        Some(Value::Array(given)) => given,
        Some(other) => return reader.give_up(Fault::wrong_type(&at, &wanted, other)),
        None => {
            return reader
                .give_up(Fault::new(&at, Code::Missing, "There is nothing to choose from").allowed(wanted));
        }
    };
    if given.is_empty() || given.len() > OPTIONS {
        let code = if given.is_empty() { Code::TooShort } else { Code::TooLong };
        let message = format!("1 to {OPTIONS} options; this has {}", given.len());
        let fault = Fault::new(&at, code, message).found(given.len().to_string()).allowed(wanted);
        return reader.give_up(fault.fix("Narrow the search, or ask in several steps"));
    }
    let mut first: HashMap<&str, usize> = HashMap::new();
    let mut options = Vec::with_capacity(given.len());
    for (index, option) in given.iter().enumerate() {
        let at = at.child(index);
        let Value::Object(data) = option else {
            reader.fault(Fault::wrong_type(&at, "an object with an `id`", option));
            continue;
        };
        if let Some(label) = data.get("label").filter(|label| !label.is_string() && !label.is_null()) {
            reader.fault(Fault::wrong_type(&at.child("label"), "a string", label));
        }
        let at_id = at.child("id");
        match data.get("id") {
            Some(Value::String(id)) if id.is_empty() => reader.fault(
                Fault::new(&at_id, Code::TooShort, "An id is not empty")
                    .allowed("a string with something in it"),
            ),
            Some(Value::String(id)) => {
                if let Some(before) = first.get(id.as_str()) {
                    let message = format!("The same id as /options/{before}/id");
                    let fault = Fault::new(&at_id, Code::Duplicate, message).found(id.as_str());
                    reader.fault(fault.fix("Give each option an id of its own"));
                } else {
                    first.insert(id, index);
                }
                options.push(Candidate { id: id.clone(), data: data.clone() });
            }
            Some(other) => reader.fault(Fault::wrong_type(&at_id, "a string", other)),
            None => reader
                .fault(Fault::new(&at_id, Code::Missing, "Every option needs its `id`").allowed("a string")),
        }
    }
    Some(options)
}

/// How many may be chosen; the upper end is clamped to how many there are.
fn range(reader: &mut Reader<'_>, options: usize) -> (usize, usize) {
    let mut count = |key: &str, least: usize| {
        let value = reader.get(key)?;
        let at = Pointer::root().child(key);
        // 2.0 is a whole number to JSON Schema, and so to the agents that write it.
        let whole = value.as_f64().filter(|number| number.fract() == 0.0 && *number >= least as f64);
        if whole.is_none() {
            let wanted = format!("a whole number from {least}");
            reader.fault(if value.is_number() {
                let code = if value.as_f64().is_some_and(|number| number < least as f64) {
                    Code::TooSmall
                } else {
                    Code::WrongType
                };
                Fault::new(&at, code, format!("Must be {wanted}")).found(value.to_string()).allowed(wanted)
            } else {
                Fault::wrong_type(&at, &wanted, value)
            });
        }
        // A float as an integer stops at its ends.
        whole.map(|number| number as usize)
    };
    let (min, max) = (count("minSelections", 0), count("maxSelections", 1));
    let (min, asked) = (min.unwrap_or(1), max.unwrap_or(1));
    let max = asked.min(options.max(1));
    if min > max {
        let at = Pointer::root().child("minSelections");
        let message = format!("At least {min} cannot be chosen where at most {max} can");
        let fault = Fault::new(&at, Code::Contradiction, message).found(min.to_string());
        reader.fault(fault.allowed(format!("0 to {max}")).fix("Lower it, or raise `maxSelections`"));
    }
    (min, max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn faults(arguments: Value) -> Vec<(String, Code)> {
        match Selection::parse(arguments.as_object().unwrap()) {
            Ok(_) => Vec::new(),
            Err(faults) => faults.iter().map(|fault| (fault.pointer.to_string(), fault.code)).collect(),
        }
    }

    fn parsed(arguments: Value) -> Selection {
        Selection::parse(arguments.as_object().unwrap()).unwrap().0
    }

    #[test]
    fn options_have_ids_of_their_own() {
        let told = faults(json!({
            "message": "m",
            "options": [{ "id": "a" }, { "id": "a" }, { "id": "" }, {}, { "id": 5 }, "x", { "id": "b", "label": 1 }]
        }));
        let told: Vec<_> = told.iter().map(|(at, code)| (at.as_str(), *code)).collect();
        assert_eq!(
            told,
            [
                ("/options/1/id", Code::Duplicate),
                ("/options/2/id", Code::TooShort),
                ("/options/3/id", Code::Missing),
                ("/options/4/id", Code::WrongType),
                ("/options/5", Code::WrongType),
                ("/options/6/label", Code::WrongType),
            ]
        );
        assert_eq!(
            faults(json!({ "message": "m", "options": [] })),
            [("/options".to_owned(), Code::TooShort)]
        );
        let many: Vec<_> = (0..=OPTIONS).map(|id| json!({ "id": id.to_string() })).collect();
        assert_eq!(
            faults(json!({ "message": "m", "options": many })),
            [("/options".to_owned(), Code::TooLong)]
        );
    }

    #[test]
    fn how_many_is_clamped_from_above_and_makes_sense() {
        let of = |extra: Value| {
            let mut arguments = json!({ "message": "m", "options": [{ "id": "a" }, { "id": "b" }] });
            arguments.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
            arguments
        };
        let range = |extra| {
            let selection = parsed(of(extra));
            (selection.min, selection.max)
        };
        assert_eq!(range(json!({})), (1, 1));
        assert_eq!(range(json!({ "maxSelections": 99 })), (1, 2));
        assert_eq!(range(json!({ "minSelections": 0, "maxSelections": 2.0 })), (0, 2));
        for (extra, at, code) in [
            (json!({ "minSelections": 2 }), "/minSelections", Code::Contradiction),
            (json!({ "minSelections": 3, "maxSelections": 5 }), "/minSelections", Code::Contradiction),
            (json!({ "minSelections": -1 }), "/minSelections", Code::TooSmall),
            (json!({ "maxSelections": 0 }), "/maxSelections", Code::TooSmall),
            (json!({ "maxSelections": 1.5 }), "/maxSelections", Code::WrongType),
            (json!({ "maxSelections": "2" }), "/maxSelections", Code::WrongType),
        ] {
            assert_eq!(faults(of(extra)), [(at.to_owned(), code)]);
        }
    }

    #[test]
    fn labels_depend_on_how_many() {
        let one = parsed(json!({ "message": "m", "options": [{ "id": "a" }, { "id": "b" }] }));
        assert_eq!((one.submit.as_str(), one.reject.as_str()), ("Choose", "Reject — refine search"));
        let several =
            parsed(json!({ "message": "m", "options": [{ "id": "a" }, { "id": "b" }], "maxSelections": 2 }));
        assert_eq!(several.submit, "Submit selection");
    }
}
