//! The arguments of `elicit_approval` → an [`Approval`] and how long it may wait.

use super::{Approval, Labels, Subject};
use crate::{Code, Fault, Faults, Object, Pointer, arguments::Reader};

const KNOWN: [&str; 8] = [
    "message",
    "context",
    "requestedSchema",
    "displayTemplate",
    "labels",
    "expiresInSeconds",
    "reviewers",
    "requireCommentOnReject",
];

impl Approval {
    /// Parses the arguments of `elicit_approval`; the second part is how many seconds it stays decidable.
    ///
    /// # Errors
    /// Every fault at once, each with its pointer into the arguments.
    pub fn parse(arguments: &Object) -> Result<(Self, u32), Faults> {
        let mut reader = Reader::new(arguments, &KNOWN);
        let message = reader.message();
        let payload = reader.get("context").cloned();
        let wants_form = reader.get("requestedSchema").is_some();
        let form = if wants_form { reader.form() } else { None };
        if payload.is_none() && !wants_form {
            reader.fault(
                Fault::new(&Pointer::root(), Code::Missing, "There is nothing to approve")
                    .allowed("`context`, `requestedSchema`, or both")
                    .fix("Put what is to be approved into `context`, or what is to be filled in into `requestedSchema`"),
            );
        }
        if form.as_ref().is_some_and(|form| form.fields().is_empty()) {
            let at = Pointer::root().child("requestedSchema").child("properties");
            reader.fault(
                Fault::new(&at, Code::TooShort, "A form needs at least one field").found("{}").fix(
                    "Name a property, or leave `requestedSchema` out to have `context` approved as it is",
                ),
            );
        }
        let display_template = reader.template("displayTemplate");
        let [submit, decline] = reader.labels([("submit", "Submit"), ("decline", "Decline")]);
        let seconds = reader.seconds("expiresInSeconds", 60..=604_800);
        let (reviewers, comment_on_reject) = (reader.reviewers(), reader.comment_on_reject());

        let approval = (|| {
            let subject = match (payload, form) {
                (Some(payload), Some(form)) => Subject::Both { payload, form },
                (Some(payload), None) => Subject::Payload(payload),
                (None, Some(form)) => Subject::Form(form),
                (None, None) => return None,
            };
            let labels = Labels { submit, decline };
            Some((
                Self { message: message?, subject, display_template, labels, reviewers, comment_on_reject },
                seconds,
            ))
        })();
        reader.finish(approval)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn faults(arguments: Value) -> Vec<(String, Code)> {
        match Approval::parse(arguments.as_object().unwrap()) {
            Ok(_) => Vec::new(),
            Err(faults) => faults.iter().map(|fault| (fault.pointer.to_string(), fault.code)).collect(),
        }
    }

    #[test]
    fn there_must_be_something_to_approve() {
        assert_eq!(faults(json!({ "message": "m" })), [(String::new(), Code::Missing)]);
        assert!(faults(json!({ "message": "m", "context": null })).is_empty());
    }

    #[test]
    fn every_fault_is_told_at_once() {
        let told = faults(json!({
            "message": " ", "requestedSchema": { "type": "object", "properties": {} }, "displayTemplate": 5,
            "labels": { "ok": "x" }, "expiresInSeconds": "soon", "timeoutSeconds": 5
        }));
        let told: Vec<_> = told.iter().map(|(at, code)| (at.as_str(), *code)).collect();
        assert_eq!(
            told,
            [
                ("/timeoutSeconds", Code::UnknownProperty),
                ("/message", Code::TooShort),
                ("/requestedSchema/properties", Code::TooShort),
                ("/displayTemplate", Code::WrongType),
                ("/labels/ok", Code::UnknownProperty),
                ("/expiresInSeconds", Code::WrongType),
            ]
        );
    }

    #[test]
    fn how_long_it_waits_is_clamped() {
        let seconds = |arguments: Value| Approval::parse(arguments.as_object().unwrap()).unwrap().1;
        assert_eq!(seconds(json!({ "message": "m", "context": 1 })), 3600);
        assert_eq!(seconds(json!({ "message": "m", "context": 1, "expiresInSeconds": 1 })), 60);
        assert_eq!(seconds(json!({ "message": "m", "context": 1, "expiresInSeconds": 1e9 })), 604_800);
    }

    #[test]
    fn labels_are_renamed_or_their_defaults() {
        let labels = |arguments: Value| Approval::parse(arguments.as_object().unwrap()).unwrap().0.labels;
        let given = labels(json!({ "message": "m", "context": 1, "labels": { "submit": " Ship it " } }));
        assert_eq!((given.submit.as_str(), given.decline.as_str()), ("Ship it", "Decline"));
    }
}
