//! The approval: a payload that a person approves as it is, a form that a person fills in, or both.

mod parse;

use crate::{
    Code, Fault, Faults, Object, Pointer,
    form::{Field, Form},
    people::Reviewers,
    wire::wire_struct,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What an agent wants approved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Approval {
    /// What the reviewer reads first.
    pub message: String,
    /// What is to be approved.
    pub subject: Subject,
    /// A template to show the payload by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_template: Option<String>,
    /// What the buttons are called.
    pub labels: Labels,
    /// Whom the agent wants to decide.
    #[serde(default, skip_serializing_if = "Reviewers::is_anybody")]
    pub reviewers: Reviewers,
    /// Whether a refusal has to say why.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub comment_on_reject: bool,
}

/// What is to be approved: there is always something.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// Read only, to be approved as it is.
    Payload(Value),
    /// To be filled in.
    Form(Form),
    /// A form below what it is about; the two never mix.
    Both {
        /// Read only.
        payload: Value,
        /// To be filled in.
        form: Form,
    },
}

/// What the two buttons are called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Labels {
    /// The one that approves.
    pub submit: String,
    /// The one that refuses.
    pub decline: String,
}

/// What a reviewer sends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Draft {
    /// Approved, with these values of the form; none where there is no form.
    Submit(Object),
    /// Refused; a refusal needs no values.
    Decline,
}

/// A judged draft.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Answer(Verdict);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Verdict {
    /// The payload as it is.
    Approved,
    /// The values of the form, in its order.
    Filled(Object),
    Declined,
}

wire_struct!(Labels { submit, decline });

impl Subject {
    /// The payload, where there is one.
    pub fn payload(&self) -> Option<&Value> {
        match self {
            Self::Payload(payload) | Self::Both { payload, .. } => Some(payload),
            Self::Form(_) => None,
        }
    }

    /// The form, where there is one.
    pub fn form(&self) -> Option<&Form> {
        match self {
            Self::Form(form) | Self::Both { form, .. } => Some(form),
            Self::Payload(_) => None,
        }
    }

    /// Judges a draft: the whole form, or nothing at all where there is none.
    ///
    /// # Errors
    /// Every fault at once, with pointers below `/values`.
    pub fn judge(&self, draft: &Draft) -> Result<Answer, Faults> {
        let Draft::Submit(values) = draft else {
            return Ok(Answer(Verdict::Declined));
        };
        let at = Pointer::root().child("values");
        let Some(form) = self.form() else {
            let stray = |name: &String| {
                Fault::new(&at.child(name), Code::UnknownField, "There is no form here to be filled in")
                    .found(name.as_str())
                    .fix("Leave it out")
            };
            Faults::check(values.keys().map(stray).collect())?;
            return Ok(Answer(Verdict::Approved));
        };
        form.check(values, &at)?;
        let ordered = form.fields().iter().filter_map(|field| values.get_key_value(&field.name));
        Ok(Answer(Verdict::Filled(ordered.map(|(name, value)| (name.clone(), value.clone())).collect())))
    }
}

impl Answer {
    /// Whether the person approved.
    pub fn approves(&self) -> bool {
        !matches!(self.0, Verdict::Declined)
    }

    /// The values of the form, if there was one and the person filled it in.
    pub fn submission(&self) -> Option<&Object> {
        match &self.0 {
            Verdict::Filled(values) => Some(values),
            Verdict::Approved | Verdict::Declined => None,
        }
    }
}

impl Form {
    /// The draft of what stands in the fields, in their order.
    ///
    /// # Errors
    /// Every fault at once, with pointers below `/values`.
    pub fn draft(&self, entered: impl IntoIterator<Item = Option<Value>>) -> Result<Draft, Faults> {
        let value = |(field, value): (&Field, Option<Value>)| Some((field.name.clone(), value?));
        let values: Object = self.fields().iter().zip(entered).filter_map(value).collect();
        self.check(&values, &Pointer::root().child("values"))?;
        Ok(Draft::Submit(values))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn parse(arguments: Value) -> Result<Approval, Faults> {
        Approval::parse(arguments.as_object().unwrap()).map(|(approval, _)| approval)
    }

    fn judge(approval: &Approval, values: Value) -> Result<Answer, Vec<String>> {
        let draft = Draft::Submit(values.as_object().unwrap().clone());
        approval
            .subject
            .judge(&draft)
            .map_err(|faults| faults.iter().map(|f| f.pointer.to_string()).collect())
    }

    fn form() -> Value {
        json!({
            "type": "object",
            "properties": {
                "approver": { "type": "string", "minLength": 2 },
                "confidence": { "type": "integer", "minimum": 0, "maximum": 100 },
                "note": { "type": "string" }
            },
            "required": ["approver", "confidence"]
        })
    }

    #[test]
    fn a_payload_is_approved_as_it_is_or_not_at_all() {
        let approval = parse(json!({ "message": "Deploy", "context": { "target": "prod" } })).unwrap();
        let answer = judge(&approval, json!({})).unwrap();
        assert!(answer.approves() && answer.submission().is_none());
        assert_eq!(judge(&approval, json!({ "target": "dev" })).unwrap_err(), ["/values/target"]);
        let declined = approval.subject.judge(&Draft::Decline).unwrap();
        assert!(!declined.approves() && declined.submission().is_none());
    }

    #[test]
    fn a_form_is_judged_whole_and_answers_in_its_own_order() {
        let approval = parse(json!({ "message": "Deploy", "requestedSchema": form() })).unwrap();
        assert_eq!(judge(&approval, json!({})).unwrap_err(), ["/values/approver", "/values/confidence"]);
        assert_eq!(
            judge(&approval, json!({ "approver": "A", "confidence": "7", "other": 1 })).unwrap_err(),
            ["/values/approver", "/values/confidence", "/values/other"]
        );
        let answer = judge(&approval, json!({ "confidence": 7, "approver": "Ann" })).unwrap();
        assert_eq!(
            serde_json::to_string(answer.submission().unwrap()).unwrap(),
            r#"{"approver":"Ann","confidence":7}"#
        );
        assert!(approval.subject.judge(&Draft::Decline).is_ok_and(|answer| !answer.approves()));
    }

    /// Null is a payload as any other, and none of it is lost in the store.
    #[test]
    fn what_is_stored_comes_back() {
        for arguments in [
            json!({ "message": "m", "context": null }),
            json!({ "message": "m", "requestedSchema": form(), "labels": { "submit": "Go" } }),
            json!({ "message": "m", "context": [1, 2.50, "x"], "requestedSchema": form(), "displayTemplate": "{{ context }}" }),
        ] {
            let approval = parse(arguments).unwrap();
            let stored = serde_json::to_string(&approval).unwrap();
            assert_eq!(serde_json::from_str::<Approval>(&stored).unwrap(), approval);
        }
    }

    #[test]
    fn what_is_left_empty_is_absent_and_what_is_entered_keeps_its_type() {
        let approval = parse(json!({ "message": "m", "requestedSchema": form() })).unwrap();
        let form = approval.subject.form().unwrap();
        let entered = form.fields().iter().zip([json!("Ann"), json!(0), json!("")]);
        let entered: Vec<_> = entered.map(|(field, value)| field.entered(Some(value))).collect();
        let Ok(Draft::Submit(values)) = form.draft(entered) else { panic!("a draft") };
        assert_eq!(Value::from(values), json!({ "approver": "Ann", "confidence": 0 }));
        let faults = form.draft([None, None, None]).unwrap_err();
        assert_eq!(faults.iter().count(), 2);
    }
}
