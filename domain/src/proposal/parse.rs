//! The arguments of `elicit_proposal` → a [`Proposal`] and how long it may wait.

use super::{Grid, Proposal, Row, Source};
use crate::{Code, Fault, Faults, Object, Pointer, arguments::Reader, form::Field};
use serde_json::Value;

const KNOWN: [&str; 10] = [
    "message",
    "columns",
    "requestedSchema",
    "fields",
    "context",
    "displayTemplate",
    "labels",
    "timeoutSeconds",
    "reviewers",
    "requireCommentOnReject",
];

impl Proposal {
    /// Parses the arguments of `elicit_proposal`; the second part is how many seconds it stays decidable.
    ///
    /// # Errors
    /// Every fault at once, each with its pointer into the arguments.
    pub fn parse(arguments: &Object) -> Result<(Self, u32), Faults> {
        let mut reader = Reader::new(arguments, &KNOWN);
        let message = reader.message();
        let columns = columns(&mut reader, arguments);
        let form = reader.form();
        if form.as_ref().is_some_and(|form| form.fields().is_empty()) {
            let at = Pointer::root().child("requestedSchema").child("properties");
            reader.fault(
                Fault::new(&at, Code::TooShort, "A grid needs at least one row")
                    .found("{}")
                    .fix("Name a property"),
            );
        }
        let cells = reader.object(arguments, &Pointer::root(), "fields");
        let display_template = reader.template("displayTemplate");
        let [submit, cancel] = reader.labels([("ok", "Submit Changes"), ("cancel", "Cancel")]);
        let seconds = reader.seconds("timeoutSeconds", 60..=86_400);
        let (reviewers, comment_on_reject) = (reader.reviewers(), reader.comment_on_reject());

        let properties = properties(arguments);
        let keys: Option<Vec<String>> =
            columns.as_ref().map(|(sources, _)| sources.iter().map(|source| source.key.clone()).collect());
        let mut filled = cells.map(|cells| Cells::read_all(&mut reader, cells, &properties, keys.as_deref()));
        let context = reader.get("context").cloned();

        let proposal = (|| {
            let (sources, current) = columns?;
            let filled = filled.as_mut()?;
            let rows = form?.into_fields().into_iter().map(|field| filled.row(field, &sources)).collect();
            Some((
                Self {
                    message: message?,
                    grid: Grid { sources, current, rows, submit, cancel },
                    context,
                    display_template,
                    reviewers,
                    comment_on_reject,
                },
                seconds,
            ))
        })();
        reader.finish(proposal)
    }
}

fn columns(reader: &mut Reader<'_>, arguments: &Object) -> Option<(Vec<Source>, String)> {
    let at = Pointer::root().child("columns");
    let Some(columns) = arguments.get("columns").and_then(Value::as_object) else {
        let wanted = "an object with `sources` and `current`";
        return reader.give_up(match arguments.get("columns") {
            Some(other) => Fault::wrong_type(&at, wanted, other),
            None => Fault::new(&at, Code::Missing, "`columns` is needed").allowed(wanted),
        });
    };
    reader.only(columns, &at, &["sources", "current"]);
    let sources = sources(reader, columns, &at);
    let at_current = at.child("current");
    let current = match columns.get("current") {
        Some(Value::Object(current)) => {
            reader.only(current, &at_current, &["label"]);
            label(reader, current, &at_current)
        }
        Some(other) => reader.give_up(Fault::wrong_type(&at_current, "an object with `label`", other)),
        None => reader.give_up(
            Fault::new(&at_current, Code::Missing, "The column of current values needs its label")
                .allowed("an object with `label`"),
        ),
    };
    Some((sources?, current?))
}

fn sources(reader: &mut Reader<'_>, columns: &Object, at: &Pointer) -> Option<Vec<Source>> {
    let at = at.child("sources");
    let entries = match columns.get("sources") {
        Some(Value::Array(entries)) if entries.is_empty() => {
            let fault = Fault::new(&at, Code::TooShort, "A proposal needs at least one source column");
            return reader.give_up(fault.found("[]").allowed("one or more of `key` and `label`"));
        }
        Some(Value::Array(entries)) => entries,
        Some(other) => return reader.give_up(Fault::wrong_type(&at, "an array of `key` and `label`", other)),
        None => {
            let fault = Fault::new(&at, Code::Missing, "A proposal needs at least one source column");
            return reader.give_up(fault.allowed("an array of `key` and `label`"));
        }
    };
    let mut sources: Vec<Source> = Vec::new();
    let mut whole = true;
    for (index, entry) in entries.iter().enumerate() {
        let at_entry = at.child(index);
        let Value::Object(entry) = entry else {
            reader.fault(Fault::wrong_type(&at_entry, "an object with `key` and `label`", entry));
            whole = false;
            continue;
        };
        reader.only(entry, &at_entry, &["key", "label"]);
        let (key, label) = (own_text(reader, entry, &at_entry, "key"), label(reader, entry, &at_entry));
        if let Some(first) = sources.iter().position(|source| Some(&source.key) == key.as_ref()) {
            let message = format!("The same key as {}", at.child(first));
            let fault = Fault::new(&at_entry.child("key"), Code::Duplicate, message)
                .found(sources[first].key.as_str());
            reader.fault(fault.fix("Give each source column a key of its own"));
        }
        whole &= key.is_some();
        sources.push(Source { key: key.unwrap_or_default(), label: label.unwrap_or_default() });
    }
    whole.then_some(sources)
}

fn label(reader: &mut Reader<'_>, object: &Object, at: &Pointer) -> Option<String> {
    own_text(reader, object, at, "label")
}

fn own_text(reader: &mut Reader<'_>, object: &Object, at: &Pointer, key: &str) -> Option<String> {
    let at = at.child(key);
    match object.get(key) {
        Some(Value::String(text)) if !text.trim().is_empty() => Some(text.clone()),
        Some(Value::String(text)) => {
            let fault = Fault::new(&at, Code::TooShort, format!("`{key}` is empty"));
            reader.give_up(fault.found(text.as_str()).allowed("a string with something in it"))
        }
        Some(other) => reader.give_up(Fault::wrong_type(&at, "a string", other)),
        None => {
            reader.give_up(Fault::new(&at, Code::Missing, format!("`{key}` is needed")).allowed("a string"))
        }
    }
}

/// The names that `fields` may use: those of the schema, even where the schema has faults of its own.
fn properties(arguments: &Object) -> Option<Vec<&str>> {
    let properties = arguments.get("requestedSchema")?.get("properties")?.as_object()?;
    Some(properties.keys().map(String::as_str).collect())
}

/// What `fields` says of one property.
#[derive(Default)]
struct Cells {
    sources: Object,
    current: Option<Value>,
    include: Option<bool>,
}

struct Filled(Vec<(String, Cells)>);

impl Filled {
    fn row(&mut self, field: Field, sources: &[Source]) -> Row {
        let cells = self.0.iter_mut().find(|(name, _)| *name == field.name);
        let mut cells = cells.map(|(_, cells)| std::mem::take(cells)).unwrap_or_default();
        let sources = sources.iter().map(|source| cells.sources.remove(&source.key)).collect();
        Row {
            field,
            sources,
            current: cells.current.filter(|value| !value.is_null()),
            include: cells.include,
        }
    }
}

impl Cells {
    fn read_all(
        reader: &mut Reader<'_>,
        fields: &Object,
        properties: &Option<Vec<&str>>,
        sources: Option<&[String]>,
    ) -> Filled {
        let at = Pointer::root().child("fields");
        let mut filled = Vec::new();
        for (name, cells) in fields {
            let at = at.child(name);
            if let Some(properties) = properties.as_ref().filter(|known| !known.contains(&name.as_str())) {
                let fault = Fault::new(&at, Code::UnknownField, "Names no property of `requestedSchema`")
                    .found(name.as_str());
                reader.fault(
                    fault
                        .allowed(properties.join(", "))
                        .fix("Add the property to `requestedSchema`, or leave this out"),
                );
            }
            match cells {
                Value::Object(cells) => filled.push((name.clone(), Self::read(reader, cells, &at, sources))),
                other => reader.fault(Fault::wrong_type(
                    &at,
                    "an object with `sources`, `current` and `include`",
                    other,
                )),
            }
        }
        Filled(filled)
    }

    fn read(reader: &mut Reader<'_>, cells: &Object, at: &Pointer, known: Option<&[String]>) -> Self {
        reader.only(cells, at, &["sources", "current", "include"]);
        let at_sources = at.child("sources");
        let sources = match cells.get("sources") {
            None => Object::new(),
            Some(Value::Object(sources)) => sources.clone(),
            Some(other) => {
                reader.give_up(Fault::wrong_type(&at_sources, "an object of source keys and values", other))
            }
        };
        if let Some(known) = known {
            for key in sources.keys().filter(|key| !known.contains(key)) {
                let fault = Fault::new(&at_sources.child(key), Code::UnknownSource, "Names no source column")
                    .found(key.as_str());
                reader.fault(
                    fault.allowed(known.join(", ")).fix("Add it to `columns.sources`, or leave it out"),
                );
            }
        }
        let include = match cells.get("include") {
            None => None,
            Some(Value::Bool(include)) => Some(*include),
            Some(other) => reader.give_up(Fault::wrong_type(&at.child("include"), "a boolean", other)),
        };
        Self { sources, current: cells.get("current").cloned(), include }
    }
}
