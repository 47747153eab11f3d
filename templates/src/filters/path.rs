//! The property path that a filter is told as text, such as `author.name` or `tags[0]`. Its names are looked up in the item.

use std::sync::Arc;

use super::Env;
use crate::budget::{Meter, Stop};
use crate::number;
use crate::value::Value;
use crate::value::print::scan;

/// How deep brackets may be nested in a path.
const MAX_NESTING: usize = 16;

/// A path, read once and followed for every item.
#[derive(Debug)]
pub(super) struct Path {
    steps: Vec<Step>,
}

#[derive(Debug)]
enum Step {
    Known(Value),
    /// In brackets: a literal, if there is one, and the path that leads on from it or from the item.
    Computed(Option<Value>, Path),
}

impl Path {
    /// Reads as far as the text is a path and ignores the rest, as LiquidJS does.
    pub fn parse(text: &str, meter: &Meter) -> Result<Path, Stop> {
        scan(text.len(), meter)?;
        let mut reader = Reader { rest: text, meter };
        reader.blank();
        reader.path(true, 0)
    }

    /// What the path leads to in an item; undefined if it is empty.
    pub fn read(&self, item: &Value, env: &Env) -> Result<Value, Stop> {
        let Some((first, others)) = self.steps.split_first() else { return Ok(Value::Undefined) };
        let start = root(item, &first.key(item, env)?, env)?;
        follow(start, others, item, env)
    }
}

impl Step {
    fn key(&self, item: &Value, env: &Env) -> Result<Value, Stop> {
        let key = match self {
            Step::Known(value) => value.clone(),
            Step::Computed(None, path) => path.read(item, env)?,
            Step::Computed(Some(value), path) => follow(value.clone(), &path.steps, item, env)?,
        };
        Ok(key.plain())
    }
}

fn follow(start: Value, steps: &[Step], item: &Value, env: &Env) -> Result<Value, Stop> {
    steps.iter().try_fold(start, |value, step| value.property(&step.key(item, env)?, env))
}

/// The item is a scope here, not a value: what it has not itself is looked for in the (empty) globals, whose `size` is 0.
fn root(item: &Value, key: &Value, env: &Env) -> Result<Value, Stop> {
    env.meter.step(1)?;
    if let (Value::Array(array), Value::Number(index)) = (item, key) {
        return Ok(if index.value < 0.0 { Value::Undefined } else { array.at(index.value) });
    }
    let name: Arc<str> = key.spell(&env.meter)?;
    let own = match (item, &*name) {
        (Value::Object(object), _) => object.entries().get(&*name).cloned(),
        (Value::Array(_) | Value::Text(_), "size" | "first" | "last") => None,
        (Value::Array(_) | Value::Text(_), _) => Some(item.named(&name, env)?),
        _ => None,
    };
    Ok(own.unwrap_or_else(|| if &*name == "size" { Value::number(0.0) } else { Value::Undefined }))
}

struct Reader<'t, 'm> {
    rest: &'t str,
    meter: &'m Meter,
}

impl<'t> Reader<'t, '_> {
    fn path(&mut self, begins: bool, nesting: usize) -> Result<Path, Stop> {
        let mut steps = Vec::new();
        loop {
            self.meter.step(1)?;
            if self.skip("[") {
                steps.push(self.bracket(nesting)?);
            } else if let Some(name) = (begins && steps.is_empty()).then(|| self.name()).flatten() {
                steps.push(Step::Known(Value::text(name, self.meter)?));
            } else if self.rest.starts_with('.') && !self.rest.starts_with("..") {
                self.rest = &self.rest[1..];
                let Some(name) = self.name() else { break };
                steps.push(Step::Known(Value::text(name, self.meter)?));
            } else {
                break;
            }
        }
        Ok(Path { steps })
    }

    fn bracket(&mut self, nesting: usize) -> Result<Step, Stop> {
        if nesting >= MAX_NESTING {
            return Err(Stop::Budget(format!(
                "brackets nested more than {MAX_NESTING} deep in a property's path"
            )));
        }
        let literal = self.literal()?;
        if literal.is_none() && self.rest.starts_with('(') {
            return Err(Stop::Refused(
                "a `(` in the brackets of a property's path; write a name, a number or a text".into(),
            ));
        }
        let path = self.path(literal.is_none(), nesting + 1)?;
        // Whatever else is before the closing bracket, LiquidJS passes over.
        match self.rest.find(']') {
            Some(end) => self.rest = &self.rest[end + 1..],
            None => {
                return Err(Stop::Refused(
                    "a `[` that is not closed in a property's path; write `]` behind the key".into(),
                ));
            }
        }
        Ok(match (literal, path.steps.is_empty()) {
            (Some(value), true) => Step::Known(value),
            (None, true) => Step::Known(Value::text("", self.meter)?),
            (literal, false) => Step::Computed(literal, path),
        })
    }

    fn literal(&mut self) -> Result<Option<Value>, Stop> {
        self.blank();
        for (word, value) in [
            ("true", Value::Bool(true)),
            ("false", Value::Bool(false)),
            ("nil", Value::Nil),
            ("null", Value::Nil),
            ("empty", Value::Empty),
            ("blank", Value::Blank),
        ] {
            if let Some(rest) = self.rest.strip_prefix(word)
                && !rest.starts_with(is_word)
            {
                self.rest = rest;
                return Ok(Some(value));
            }
        }
        if self.rest.starts_with(['"', '\'']) {
            return self.quoted().map(Some);
        }
        Ok(self.number().map(Value::number))
    }

    /// A text in quotes, without LiquidJS's escapes for characters: a backslash makes the next character plain.
    fn quoted(&mut self) -> Result<Value, Stop> {
        let mut characters = self.rest.chars();
        let quote = characters.next();
        let mut text = String::new();
        while let Some(c) = characters.next() {
            if Some(c) == quote {
                break;
            }
            self.meter.memory(c.len_utf8())?;
            text.extend(if c == '\\' { characters.next() } else { Some(c) });
        }
        self.rest = characters.as_str();
        Ok(Value::Text(text.into()))
    }

    fn number(&mut self) -> Option<f64> {
        let unsigned = self.rest.strip_prefix('-').unwrap_or(self.rest);
        let digits = |text: &'t str| text.trim_start_matches(|c: char| c.is_ascii_digit());
        let mut after = digits(unsigned);
        if after.len() == unsigned.len() {
            return None;
        }
        if after.starts_with('.') && !after.starts_with("..") {
            after = digits(&after[1..]);
            if after.starts_with('.') && !after.starts_with("..") {
                return None;
            }
        }
        if after.starts_with(is_word) {
            return None;
        }
        let spelled = &self.rest[..self.rest.len() - after.len()];
        self.rest = after;
        Some(number::parse(spelled))
    }

    fn name(&mut self) -> Option<&'t str> {
        self.blank();
        let after = self.rest.trim_start_matches(is_word);
        let name = &self.rest[..self.rest.len() - after.len()];
        self.rest = after;
        (!name.is_empty()).then_some(name)
    }

    fn blank(&mut self) {
        self.rest = self.rest.trim_start_matches(is_blank);
    }

    fn skip(&mut self, symbol: &str) -> bool {
        self.rest.strip_prefix(symbol).map(|rest| self.rest = rest).is_some()
    }
}

fn is_blank(c: char) -> bool {
    // LiquidJS's own list of blanks has one that JavaScript's has not, and lacks one that it has.
    c == '\u{180e}' || (c != '\u{feff}' && number::is_space(c))
}

fn is_word(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '?')
    } else {
        !is_blank(c) && !matches!(c, '“' | '”')
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::filters::testing::{env, show};

    fn read(path: &str, item: Json) -> String {
        let env = env();
        let item = Value::from_json(&item).expect("shallow");
        match Path::parse(path, &env.meter).and_then(|path| path.read(&item, &env)) {
            Ok(value) => show(&value),
            Err(stop) => format!("{stop:?}"),
        }
    }

    #[test]
    fn paths_of_an_item() {
        let item = || json!({ "a": { "b-c": [1, 2] }, "k": "b-c", "é": 5, "x y": 6 });
        assert_eq!(read("a.b-c[-1]", item()), "2");
        assert_eq!(read(" a[k].first", item()), "1");
        assert_eq!(read("a['b-c'].size and more", item()), "2");
        assert_eq!(read("[\"x y\"]", item()), "6");
        assert_eq!(read("é", item()), "5");
        assert_eq!(read("a.nothing.here", item()), "undefined");
        assert_eq!(read("", item()), "undefined");
        assert_eq!(read("'k'", item()), "undefined");
    }

    #[test]
    fn an_item_is_a_scope() {
        assert_eq!(read("size", json!({ "a": 1 })), "0");
        assert_eq!(read("size", json!({ "size": 7 })), "7");
        assert_eq!(read("size", json!([1, 2])), "0");
        assert_eq!(read("length", json!("abc")), "3");
        assert_eq!(read("[0]", json!([5])), "5");
        assert_eq!(read("[-1]", json!([5])), "undefined");
        assert_eq!(read("first", json!([5])), "undefined");
        assert_eq!(read("a", json!(null)), "undefined");
    }

    #[test]
    fn hostile_paths_end() {
        assert!(read(&"[".repeat(10_000), json!({})).starts_with("Budget"));
        assert!(read("a[", json!({})).starts_with("Refused"));
        assert!(read("a[(1..2)]", json!({})).starts_with("Refused"));
        assert_eq!(read(&"a.".repeat(10_000), json!({})), "undefined");
    }
}
