//! `requestedSchema` → [`Form`]: parse at the door, tell every fault at once.
//!
//! What the subset cannot show or check is refused rather than ignored: a constraint that a form drops in silence
//! would let a person submit what the agent believes impossible.

use super::{Choices, Field, Form, Format, Kind, Number, Pattern, Text, check::names};
use crate::{Code, Fault, Faults, Object, Pointer, fault::excerpt, number::Decimal};
use serde_json::Value;

impl Form {
    /// Parses an agent's `requestedSchema` that stands at `at` in its arguments.
    ///
    /// # Errors
    /// Every part outside the subset at once, each with its pointer and a mend.
    pub fn parse(schema: &Value, at: &Pointer) -> Result<Self, Faults> {
        let mut reader = Reader { faults: Vec::new() };
        let fields = reader.schema(schema, at);
        Faults::check(reader.faults)?;
        Ok(Self { fields })
    }
}

/// Reads a schema and gathers what it stumbles over.
pub(super) struct Reader {
    pub(super) faults: Vec<Fault>,
}

const SCHEMA: [&str; 7] =
    ["$schema", "type", "title", "description", "properties", "required", "additionalProperties"];
const COMMON: [&str; 4] = ["type", "title", "description", "default"];
const FLAT: &str = "Only flat forms can be shown: texts, numbers, booleans and choices from lists of texts";

impl Reader {
    fn schema(&mut self, schema: &Value, at: &Pointer) -> Vec<Field> {
        let Value::Object(schema) = schema else {
            self.faults.push(Fault::wrong_type(at, "a JSON Schema object", schema));
            return Vec::new();
        };
        self.unsupported(schema, at, &SCHEMA);
        self.exact(schema, at, "type", "object");
        self.string(schema, at, "title");
        self.string(schema, at, "description");
        if let Some(extra) = schema.get("additionalProperties").filter(|extra| **extra != Value::Bool(false))
        {
            let fault = Fault::new(
                &at.child("additionalProperties"),
                Code::Unsupported,
                "A form has only the fields it names",
            );
            self.faults.push(fault.found(extra.to_string()).allowed("false").fix("Leave it out"));
        }
        let at_properties = at.child("properties");
        let properties = match schema.get("properties") {
            Some(Value::Object(properties)) => properties,
            Some(other) => return self.give_up(Fault::wrong_type(&at_properties, "an object", other)),
            None => {
                return self.give_up(Fault::new(
                    &at_properties,
                    Code::Missing,
                    "A form needs its properties",
                ));
            }
        };
        let required = self.required(schema, properties, at);
        let mut fields = Vec::new();
        for (name, property) in properties {
            if let Some(mut field) = self.field(name, property, &at_properties.child(name)) {
                field.required = required.contains(&name.as_str());
                fields.push(field);
            }
        }
        fields
    }

    fn required<'a>(&mut self, schema: &'a Object, properties: &Object, at: &Pointer) -> Vec<&'a str> {
        let at = at.child("required");
        let names = match schema.get("required") {
            None => return Vec::new(),
            Some(Value::Array(names)) => names,
            Some(other) => return self.give_up(Fault::wrong_type(&at, "an array of property names", other)),
        };
        let mut known = Vec::new();
        for (index, name) in names.iter().enumerate() {
            match name.as_str() {
                Some(name) if properties.contains_key(name) => known.push(name),
                Some(name) => self.faults.push(
                    Fault::new(&at.child(index), Code::UnknownField, "Names no property of this schema")
                        .found(name)
                        .allowed(self::names(properties.keys().map(String::as_str)))
                        .fix("Name a property, or leave it out"),
                ),
                None => self.faults.push(Fault::wrong_type(&at.child(index), "the name of a property", name)),
            }
        }
        known
    }

    fn field(&mut self, name: &str, property: &Value, at: &Pointer) -> Option<Field> {
        let Value::Object(property) = property else {
            self.faults.push(Fault::wrong_type(at, "a JSON Schema object", property));
            return None;
        };
        let before = self.faults.len();
        let title = self.string(property, at, "title");
        let description = self.string(property, at, "description");
        let kind = self.kind(property, at)?;
        if self.faults.len() > before {
            return None;
        }
        let mut field =
            Field { name: name.to_owned(), title, description, required: false, kind, default: None };
        if let Some(default) = property.get("default") {
            if let Some(problem) = field.problem(default) {
                let message = format!("The property does not admit its own default: {}", problem.message);
                let fault = Fault::new(&at.child("default"), Code::InvalidDefault, message)
                    .found(default.to_string());
                let fault = if problem.allowed.is_empty() { fault } else { fault.allowed(problem.allowed) };
                self.faults.push(fault.fix("Give a default that the property admits, or leave it out"));
                return None;
            }
            field.default = Some(default.clone());
        }
        Some(field)
    }

    fn kind(&mut self, property: &Object, at: &Pointer) -> Option<Kind> {
        let composed =
            ["$ref", "allOf", "anyOf", "not", "if"].into_iter().find(|key| property.contains_key(*key));
        if let Some(key) = composed {
            let fix =
                if key == "$ref" { "Write the referenced schema in its place" } else { "Use one plain type" };
            self.faults.push(
                Fault::new(&at.child(key), Code::Unsupported, format!("`{key}` cannot be shown in a form"))
                    .allowed(FLAT)
                    .fix(fix),
            );
            return None;
        }
        let wanted = "“string”, “number”, “integer”, “boolean” or “array”";
        match property.get("type").map(|kind| (kind, kind.as_str())) {
            Some((_, Some("string")))
                if ["enum", "enumNames", "oneOf"].iter().any(|key| property.contains_key(*key)) =>
            {
                self.unsupported(property, at, &[&COMMON[..], &["enum", "enumNames", "oneOf"]].concat());
                self.options(property, at, "oneOf").map(Kind::Choice)
            }
            Some((_, Some("string"))) => self.text(property, at).map(Kind::Text),
            Some((_, Some(kind @ ("number" | "integer")))) => {
                self.number(property, at, kind == "integer").map(Kind::Number)
            }
            Some((_, Some("boolean"))) => {
                self.unsupported(property, at, &COMMON);
                Some(Kind::Boolean)
            }
            Some((_, Some("array"))) => self.choices(property, at).map(Kind::Choices),
            Some((_, Some("object"))) => self.give_up(
                Fault::new(&at.child("type"), Code::Unsupported, "A form has no forms inside")
                    .found("object")
                    .allowed(FLAT)
                    .fix("Make each inner property a property of its own, or show the object in `context`"),
            ),
            Some((Value::Array(union), _)) => self.give_up(
                Fault::new(&at.child("type"), Code::Unsupported, "A field has one type, not several")
                    .found(Value::from(union.clone()).to_string())
                    .allowed(wanted)
                    .fix("Name one type; leave a property out of `required` where it may be empty"),
            ),
            Some((other, _)) => self.give_up(
                Fault::new(&at.child("type"), Code::Unsupported, "Not a type that a form can show")
                    .found(other.to_string())
                    .allowed(wanted),
            ),
            None => self.give_up(
                Fault::new(&at.child("type"), Code::Missing, "Every property needs its type").allowed(wanted),
            ),
        }
    }

    fn text(&mut self, property: &Object, at: &Pointer) -> Option<Text> {
        self.unsupported(
            property,
            at,
            &[&COMMON[..], &["minLength", "maxLength", "pattern", "format"]].concat(),
        );
        let (min, max) = self.counts(property, at, "minLength", "maxLength");
        let pattern = self.string(property, at, "pattern").and_then(|source| match Pattern::parse(&source) {
            Ok(pattern) => Some(pattern),
            Err(error) => {
                let message = format!("The pattern cannot be compiled: {}", excerpt(&error));
                let fault = Fault::new(&at.child("pattern"), Code::InvalidPattern, message).found(source);
                let fault = fault.allowed("a regular expression without look-around and back-references");
                self.give_up(
                    fault.fix("Write it without them, or leave it out and say the rule in `description`"),
                )
            }
        });
        let format = self.string(property, at, "format").and_then(|name| {
            let known = Format::ALL.into_iter().find(|(known, _)| *known == name);
            if known.is_none() {
                let fault =
                    Fault::new(&at.child("format"), Code::Unsupported, "Not a format that a form can check");
                let fault = fault.found(name).allowed(names(Format::ALL.into_iter().map(|(known, _)| known)));
                self.faults.push(fault.fix("Use one of these, or leave it out"));
            }
            known.map(|(_, format)| format)
        });
        Some(Text { min, max, pattern, format })
    }

    fn number(&mut self, property: &Object, at: &Pointer, whole: bool) -> Option<Number> {
        self.unsupported(property, at, &[&COMMON[..], &["minimum", "maximum"]].concat());
        let mut limit = |key: &str| match property.get(key) {
            Some(Value::Number(limit)) => Some(limit.clone()),
            Some(other) => self.give_up(Fault::wrong_type(&at.child(key), "a number", other)),
            None => None,
        };
        let (min, max) = (limit("minimum"), limit("maximum"));
        if let (Some(low), Some(high)) = (&min, &max)
            && Decimal::of(low) > Decimal::of(high)
        {
            self.contradiction(&at.child("minimum"), "minimum", low, "maximum", high);
        }
        Some(Number { whole, min, max })
    }

    fn choices(&mut self, property: &Object, at: &Pointer) -> Option<Choices> {
        self.unsupported(
            property,
            at,
            &[&COMMON[..], &["items", "minItems", "maxItems", "uniqueItems"]].concat(),
        );
        if let Some(unique) = property.get("uniqueItems").filter(|unique| !unique.is_boolean()) {
            self.faults.push(Fault::wrong_type(&at.child("uniqueItems"), "a boolean", unique));
        }
        let (min, max) = self.counts(property, at, "minItems", "maxItems");
        let at_items = at.child("items");
        let Some(Value::Object(items)) = property.get("items") else {
            return self.give_up(
                Fault::new(&at_items, Code::Missing, "A list needs its options")
                    .allowed("`items` with `enum`, or with `anyOf` of `const` and `title`")
                    .fix("List the texts that may be picked"),
            );
        };
        let plain = items.get("type").is_none_or(|kind| kind == "string");
        if !plain || !(items.contains_key("enum") || items.contains_key("anyOf")) {
            return self.give_up(
                Fault::new(&at_items, Code::Unsupported, "A list holds picks from options, nothing else")
                    .found(Value::from(items.clone()).to_string())
                    .allowed("`items` with `enum`, or with `anyOf` of `const` and `title`")
                    .fix("List the texts that may be picked"),
            );
        }
        self.unsupported(items, &at_items, &["type", "enum", "anyOf"]);
        let options = self.options(items, &at_items, "anyOf")?;
        if let Some(min) = min.filter(|min| *min > options.len() as u64) {
            self.contradiction(
                &at.child("minItems"),
                "minItems",
                &min.into(),
                "number of options",
                &options.len().into(),
            );
        }
        Some(Choices { options, min, max })
    }

    fn counts(
        &mut self,
        property: &Object,
        at: &Pointer,
        low: &str,
        high: &str,
    ) -> (Option<u64>, Option<u64>) {
        let mut limit = |key: &str| match property.get(key).map(|limit| (limit, limit.as_u64())) {
            Some((_, Some(limit))) => Some(limit),
            Some((other, None)) => {
                self.give_up(Fault::wrong_type(&at.child(key), "a whole number from 0", other))
            }
            None => None,
        };
        let (min, max) = (limit(low), limit(high));
        if let (Some(least), Some(most)) = (min, max)
            && least > most
        {
            self.contradiction(&at.child(low), low, &least.into(), high, &most.into());
        }
        (min, max)
    }

    fn contradiction(
        &mut self,
        at: &Pointer,
        low: &str,
        min: &serde_json::Number,
        high: &str,
        max: &serde_json::Number,
    ) {
        let message = format!("No value can be at least {min} and at most {max}");
        let fault = Fault::new(at, Code::Contradiction, message).found(format!("{low} {min}, {high} {max}"));
        self.faults.push(fault.fix(format!("Make {low} at most {high}")));
    }

    pub(super) fn unsupported(&mut self, object: &Object, at: &Pointer, known: &[&str]) {
        for key in object.keys().filter(|key| !known.contains(&key.as_str())) {
            let message = format!("`{}` is not part of the forms that can be shown here", excerpt(key));
            let fault = Fault::new(&at.child(key), Code::Unsupported, message).found(key.as_str());
            self.faults.push(
                fault
                    .allowed(names(known.iter().copied()))
                    .fix("Leave it out; say what it meant in `description`"),
            );
        }
    }

    fn exact(&mut self, object: &Object, at: &Pointer, key: &str, wanted: &str) {
        match object.get(key) {
            Some(value) if value == wanted => {}
            Some(other) => {
                let fault =
                    Fault::new(&at.child(key), Code::Unsupported, format!("`{key}` must be “{wanted}”"));
                self.faults.push(fault.found(other.to_string()).allowed(wanted));
            }
            None => self.faults.push(
                Fault::new(&at.child(key), Code::Missing, format!("`{key}` must be “{wanted}”"))
                    .allowed(wanted),
            ),
        }
    }

    pub(super) fn string(&mut self, object: &Object, at: &Pointer, key: &str) -> Option<String> {
        match object.get(key)? {
            Value::String(text) => Some(text.clone()),
            other => self.give_up(Fault::wrong_type(&at.child(key), "a string", other)),
        }
    }

    pub(super) fn give_up<T: Default>(&mut self, fault: Fault) -> T {
        self.faults.push(fault);
        T::default()
    }
}
