//! Filters that pick items by what a property is.

use super::Call;
use super::path::Path;
use crate::budget::Stop;
use crate::compare::equals;
use crate::value::{Array, Value};

/// The items whose property equals the second argument, or is true where there is none.
pub(super) fn where_(call: Call<'_>) -> Result<Value, Stop> {
    filter(&call, true)
}

/// The items that `where` would leave out.
pub(super) fn reject(call: Call<'_>) -> Result<Value, Stop> {
    filter(&call, false)
}

pub(super) fn find(call: Call<'_>) -> Result<Value, Stop> {
    Ok(search(&call)?.map_or(Value::Undefined, |(_, item)| item))
}

pub(super) fn find_index(call: Call<'_>) -> Result<Value, Stop> {
    Ok(search(&call)?.map_or(Value::Undefined, |(index, _)| Value::number(index as f64)))
}

pub(super) fn has(call: Call<'_>) -> Result<Value, Stop> {
    Ok(Value::Bool(search(&call)?.is_some()))
}

fn filter(call: &Call<'_>, include: bool) -> Result<Value, Stop> {
    let test = Test::new(call)?;
    let mut kept = Vec::new();
    for item in call.items()?.iter() {
        if test.matches(item)? == include {
            kept.push(item.clone());
        }
    }
    Array::new(kept, call.meter())
}

fn search(call: &Call<'_>) -> Result<Option<(usize, Value)>, Stop> {
    let test = Test::new(call)?;
    for (index, item) in call.items()?.iter().enumerate() {
        if test.matches(item)? {
            return Ok(Some((index, item.clone())));
        }
    }
    Ok(None)
}

struct Test<'c, 'a> {
    path: Path,
    expected: Value,
    call: &'c Call<'a>,
}

impl<'c, 'a> Test<'c, 'a> {
    fn new(call: &'c Call<'a>) -> Result<Self, Stop> {
        Ok(Test { path: Path::parse(&call.arg_text(0)?, call.meter())?, expected: call.arg(1)?, call })
    }

    fn matches(&self, item: &Value) -> Result<bool, Stop> {
        let value = self.path.read(item, self.call.env)?;
        match &self.expected {
            Value::Undefined => Ok(value.is_truthy()),
            expected => equals(&value, expected, self.call.meter()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::filters::testing::{apply, run, show};

    fn people() -> Json {
        json!([{ "n": "a", "age": 3 }, { "n": "b" }, { "n": "c", "age": 0, "tags": ["x"] }])
    }

    #[test]
    fn selecting() {
        assert_eq!(apply("where", people(), &[json!("age")]), r#"[{"n":"a","age":3}]"#);
        assert_eq!(
            apply("where", people(), &[json!("age"), json!(0)]),
            r#"[{"n":"c","age":0,"tags":["x"]}]"#
        );
        assert_eq!(
            apply("reject", people(), &[json!("age")]),
            r#"[{"n":"b"},{"n":"c","age":0,"tags":["x"]}]"#
        );
        assert_eq!(
            apply("find", people(), &[json!("tags[0]"), json!("x")]),
            r#"{"n":"c","age":0,"tags":["x"]}"#
        );
        assert_eq!(apply("find", people(), &[json!("n"), json!("z")]), "undefined");
        assert_eq!(apply("find_index", people(), &[json!("n"), json!("b")]), "1");
        assert_eq!(apply("has", people(), &[json!("n"), json!("b")]), "true");
        assert_eq!(apply("has", people(), &[json!("constructor")]), "false");
    }

    #[test]
    fn literals_match_by_their_own_rules() {
        let input = Value::from_json(&people()).expect("shallow");
        let found = run(
            "where",
            input,
            &["age".to_owned().into(), "nil".to_owned().into()].map(|name: Box<str>| match &*name {
                "nil" => Value::Nil,
                name => Value::Text(name.into()),
            }),
        );
        assert_eq!(found.map(|value| show(&value)), Ok(r#"[{"n":"b"}]"#.into()));
    }
}
