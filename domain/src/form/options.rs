//! The options of a choice: plain texts, texts with names, values with titles.

use super::{Choice, parse::Reader};
use crate::{Code, Fault, Object, Pointer};
use serde_json::Value;

impl Reader {
    /// The options of a select: `enum` (with `enumNames`), or `titled` (`oneOf`, `anyOf`) of `const` and `title`.
    pub(super) fn options(&mut self, holder: &Object, at: &Pointer, titled: &str) -> Option<Vec<Choice>> {
        let (key, list) = match (holder.get("enum"), holder.get(titled)) {
            (Some(_), Some(_)) => {
                let message = format!("Either `enum` or `{titled}`, not both");
                return self
                    .give_up(Fault::new(&at.child(titled), Code::Contradiction, message).fix("Keep one"));
            }
            (Some(list), None) => ("enum", list),
            (None, Some(list)) => (titled, list),
            (None, None) => {
                return self.give_up(Fault::new(
                    &at.child("enum"),
                    Code::Missing,
                    "`enumNames` names the options of an `enum`",
                ));
            }
        };
        let at_list = at.child(key);
        let Value::Array(list) = list else {
            return self.give_up(Fault::wrong_type(&at_list, "an array of options", list));
        };
        if list.is_empty() {
            let fault = Fault::new(&at_list, Code::TooShort, "There is nothing to pick");
            return self.give_up(fault.found("[]").allowed("at least one option").fix("Name the options"));
        }
        let mut options: Vec<Choice> = Vec::new();
        for (index, entry) in list.iter().enumerate() {
            let at = at_list.child(index);
            let option =
                if key == "enum" { self.plain_option(entry, &at) } else { self.titled_option(entry, &at) };
            let Some(option) = option else { continue };
            if let Some(first) = options.iter().position(|known| known.value == option.value) {
                let message = format!("The same option as {}", at_list.child(first));
                self.faults.push(
                    Fault::new(&at, Code::Duplicate, message)
                        .found(option.value.as_str())
                        .fix("Leave it out"),
                );
            }
            options.push(option);
        }
        if let Some(titles) = holder.get("enumNames") {
            self.enum_names(titles, &mut options, &at.child("enumNames"));
        }
        Some(options)
    }

    fn plain_option(&mut self, entry: &Value, at: &Pointer) -> Option<Choice> {
        match entry {
            Value::String(value) => Some(Choice { value: value.clone(), title: None }),
            other => self.give_up(
                Fault::wrong_type(at, "a string", other).fix("Options are texts: write it in quotes"),
            ),
        }
    }

    fn titled_option(&mut self, entry: &Value, at: &Pointer) -> Option<Choice> {
        let Value::Object(entry) = entry else {
            return self.give_up(Fault::wrong_type(at, "an object of `const` and `title`", entry));
        };
        self.unsupported(entry, at, &["const", "title"]);
        let title = self.string(entry, at, "title");
        match self.string(entry, at, "const") {
            Some(value) => Some(Choice { title: title.filter(|title| *title != value), value }),
            None if entry.contains_key("const") => None,
            None => self.give_up(
                Fault::new(&at.child("const"), Code::Missing, "Every option needs its value")
                    .allowed("a string"),
            ),
        }
    }

    fn enum_names(&mut self, titles: &Value, options: &mut [Choice], at: &Pointer) {
        match titles {
            Value::Array(titles) if titles.len() == options.len() && titles.iter().all(Value::is_string) => {
                for (option, title) in options.iter_mut().zip(titles) {
                    option.title = title.as_str().filter(|title| *title != option.value).map(str::to_owned);
                }
            }
            Value::Array(titles) => self.faults.push(
                Fault::new(
                    at,
                    Code::Contradiction,
                    "`enumNames` must name every option of `enum` once, in its order",
                )
                .found(format!("{} names", titles.len()))
                .allowed(format!("{} strings", options.len())),
            ),
            other => self.faults.push(Fault::wrong_type(at, "an array of strings", other)),
        }
    }
}
