//! What the three asking tools have in common in their arguments, read with every fault at once.

use crate::{Code, Fault, Faults, Object, Pointer, form::Form, people::Reviewers};
use serde_json::Value;

/// At most so many characters in a message.
pub const MESSAGE_CHARACTERS: usize = 2_000;
/// At most so many bytes in a template.
pub const TEMPLATE_BYTES: usize = 20_480;
/// At most so many characters in a label.
pub const LABEL_CHARACTERS: usize = 40;

/// Reads an object of arguments and gathers what it stumbles over.
pub(crate) struct Reader<'a> {
    arguments: &'a Object,
    faults: Vec<Fault>,
}

impl<'a> Reader<'a> {
    /// A reader of these arguments, which may have these members and no others.
    pub(crate) fn new(arguments: &'a Object, known: &[&str]) -> Self {
        let mut reader = Self { arguments, faults: Vec::new() };
        reader.only(arguments, &Pointer::root(), known);
        reader
    }

    /// What was read, if there is nothing to say.
    pub(crate) fn finish<T>(self, read: Option<T>) -> Result<T, Faults> {
        Faults::check(self.faults)?;
        Ok(read.expect("what could not be read has its fault"))
    }

    pub(crate) fn get(&self, key: &str) -> Option<&'a Value> {
        self.arguments.get(key)
    }

    pub(crate) fn fault(&mut self, fault: Fault) {
        self.faults.push(fault);
    }

    /// A member that must be there.
    pub(crate) fn needed(
        &mut self,
        object: &'a Object,
        at: &Pointer,
        key: &str,
        wanted: &str,
    ) -> Option<&'a Value> {
        let value = object.get(key);
        if value.is_none() {
            self.fault(
                Fault::new(&at.child(key), Code::Missing, format!("`{key}` is needed")).allowed(wanted),
            );
        }
        value
    }

    /// An object that must be there.
    pub(crate) fn object(&mut self, object: &'a Object, at: &Pointer, key: &str) -> Option<&'a Object> {
        match self.needed(object, at, key, "an object")? {
            Value::Object(inner) => Some(inner),
            other => self.give_up(Fault::wrong_type(&at.child(key), "an object", other)),
        }
    }

    /// A text with something in it that must be there.
    pub(crate) fn text(&mut self, object: &'a Object, at: &Pointer, key: &str) -> Option<&'a str> {
        match self.needed(object, at, key, "a string")? {
            Value::String(text) if text.trim().is_empty() => {
                let fault = Fault::new(&at.child(key), Code::TooShort, format!("`{key}` is empty"));
                self.give_up(fault.found("").allowed("a string with something in it"))
            }
            Value::String(text) => Some(text),
            other => self.give_up(Fault::wrong_type(&at.child(key), "a string", other)),
        }
    }

    /// Refuses the members of an object that are not known.
    pub(crate) fn only(&mut self, object: &Object, at: &Pointer, known: &[&str]) {
        for key in object.keys().filter(|key| !known.contains(&key.as_str())) {
            let fault = Fault::new(
                &at.child(key),
                Code::UnknownProperty,
                format!("`{}` is not known here", crate::fault::excerpt(key)),
            );
            self.fault(
                fault
                    .found(key.as_str())
                    .allowed(known.join(", "))
                    .fix("Leave it out, or spell it as one of these"),
            );
        }
    }

    /// `message`: what the reviewer reads first.
    pub(crate) fn message(&mut self) -> Option<String> {
        let message = self.text(self.arguments, &Pointer::root(), "message")?;
        let length = message.chars().count();
        if length > MESSAGE_CHARACTERS {
            let at = Pointer::root().child("message");
            let fault = Fault::new(
                &at,
                Code::TooLong,
                format!("At most {MESSAGE_CHARACTERS} characters; this has {length}"),
            );
            return self.give_up(
                fault
                    .found(length.to_string())
                    .allowed(format!("at most {MESSAGE_CHARACTERS} characters"))
                    .fix("Say it shorter; put details into `context`"),
            );
        }
        Some(message.to_owned())
    }

    /// `requestedSchema`, which must be there.
    pub(crate) fn form(&mut self) -> Option<Form> {
        let schema =
            self.needed(self.arguments, &Pointer::root(), "requestedSchema", "a JSON Schema object")?;
        match Form::parse(schema, &Pointer::root().child("requestedSchema")) {
            Ok(form) => Some(form),
            Err(faults) => {
                self.faults.extend(faults);
                None
            }
        }
    }

    /// A template, stored as it came.
    pub(crate) fn template(&mut self, key: &str) -> Option<String> {
        let at = Pointer::root().child(key);
        match self.get(key)? {
            Value::String(text) if text.len() > TEMPLATE_BYTES => {
                let fault = Fault::new(
                    &at,
                    Code::TooLong,
                    format!("At most {TEMPLATE_BYTES} bytes; this has {}", text.len()),
                );
                self.give_up(
                    fault.found(text.len().to_string()).allowed(format!("at most {TEMPLATE_BYTES} bytes")),
                )
            }
            Value::String(text) => Some(text.clone()),
            other => self.give_up(Fault::wrong_type(&at, "a string", other)),
        }
    }

    /// `reviewers`: whom the agent wants to decide; nobody in particular where it says nothing.
    pub(crate) fn reviewers(&mut self) -> Reviewers {
        let Some(given) = self.get("reviewers") else { return Reviewers::default() };
        Reviewers::parse(given, &Pointer::root().child("reviewers")).unwrap_or_else(|faults| {
            self.faults.extend(faults);
            Reviewers::default()
        })
    }

    /// `requireCommentOnReject`: whether a refusal has to say why; it need not where the agent says nothing.
    pub(crate) fn comment_on_reject(&mut self) -> bool {
        match self.get("requireCommentOnReject") {
            None => false,
            Some(Value::Bool(required)) => *required,
            Some(other) => {
                let at = Pointer::root().child("requireCommentOnReject");
                self.give_up(Fault::wrong_type(&at, "a boolean", other))
            }
        }
    }

    /// The labels under these keys, trimmed; each its default where the caller gives none.
    pub(crate) fn labels<const N: usize>(&mut self, defaults: [(&str, &str); N]) -> [String; N] {
        let at = Pointer::root().child("labels");
        let given = match self.get("labels") {
            None => None,
            Some(Value::Object(given)) => Some(given),
            Some(other) => self.give_up(Fault::wrong_type(&at, "an object", other)),
        };
        if let Some(given) = given {
            self.only(given, &at, &defaults.map(|(key, _)| key));
        }
        defaults.map(|(key, default)| {
            let Some(label) = given.and_then(|given| given.get(key)) else {
                return default.to_owned();
            };
            let at = at.child(key);
            let Some(label) = label.as_str().map(str::trim) else {
                return self.give_up(Fault::wrong_type(&at, "a string", label));
            };
            let length = label.chars().count();
            if length == 0 || length > LABEL_CHARACTERS {
                let code = if length == 0 { Code::TooShort } else { Code::TooLong };
                let fault =
                    Fault::new(&at, code, format!("1 to {LABEL_CHARACTERS} characters; this has {length}"));
                self.fault(
                    fault
                        .found(label)
                        .allowed(format!("1 to {LABEL_CHARACTERS} characters"))
                        .fix("Leave it out for the default label"),
                );
            }
            label.to_owned()
        })
    }

    /// How long the request stays decidable, in seconds, clamped into its range.
    pub(crate) fn seconds(&mut self, key: &str, range: std::ops::RangeInclusive<u32>) -> u32 {
        const HOUR: u32 = 3600;
        match self.get(key) {
            None => HOUR,
            Some(Value::Number(seconds)) => clamp(seconds, range),
            Some(other) => {
                self.fault(Fault::wrong_type(&Pointer::root().child(key), "a number of seconds", other));
                HOUR
            }
        }
    }

    pub(crate) fn give_up<T: Default>(&mut self, fault: Fault) -> T {
        self.fault(fault);
        T::default()
    }
}

/// A number of seconds forced into its range, fractions dropped.
pub fn clamp(seconds: &serde_json::Number, range: std::ops::RangeInclusive<u32>) -> u32 {
    let (low, high) = (*range.start(), *range.end());
    let seconds = seconds.as_f64().unwrap_or(f64::from(high));
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped into u32 just before"
    )]
    let whole = seconds.clamp(f64::from(low), f64::from(high)) as u32;
    whole
}
