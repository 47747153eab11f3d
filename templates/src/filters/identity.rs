//! Filters that tell values apart the way JavaScript's `Map` and `Set` do, in one lookup for each.

use indexmap::{IndexMap, IndexSet};
use std::sync::Arc;

use super::call::list;
use super::path::Path;
use super::{Call, Env};
use crate::budget::{Meter, Stop};
use crate::value::print::scan;
use crate::value::{Array, Object, Value};

/// Keeps the first of what is the same. Two lists or objects are not, however equal they look.
pub(super) fn uniq(call: Call<'_>) -> Result<Value, Stop> {
    let items = call.items()?;
    let mut seen = IndexSet::new();
    let mut kept = Vec::new();
    for item in items.iter() {
        if seen.insert(Key::of(item, call.meter())?) {
            kept.push(item.clone());
        }
    }
    Array::new(kept, call.meter())
}

/// A list of `{ name, items }`, one for every value of the property. An object's entries are grouped as pairs.
pub(super) fn group_by(call: Call<'_>) -> Result<Value, Stop> {
    let meter = call.meter();
    let path = Path::parse(&call.arg_text(0)?, meter)?;
    let items = enumerate(&call)?;
    let mut groups: IndexMap<Key, (Value, Vec<Value>)> = IndexMap::new();
    for item in items {
        let name = path.read(&item, call.env)?;
        groups.entry(Key::of(&name, meter)?).or_insert_with(|| (name, Vec::new())).1.push(item);
    }
    let groups =
        groups.into_values().map(|(name, items)| group(name, items, call.env)).collect::<Result<_, _>>()?;
    Array::new(groups, meter)
}

fn group(name: Value, items: Vec<Value>, env: &Env) -> Result<Value, Stop> {
    let items = Array::new(items, &env.meter)?;
    Object::new(IndexMap::from([(Arc::from("name"), name), (Arc::from("items"), items)]), &env.meter)
}

/// LiquidJS's `toEnumerable`.
fn enumerate(call: &Call<'_>) -> Result<Vec<Value>, Stop> {
    let meter = call.meter();
    match &call.input {
        Value::Object(object) => {
            meter.step(object.entries().len() as u64 + 1)?;
            let pair = |(key, value): (&Arc<str>, &Value)| {
                Array::new(vec![Value::Text(key.clone()), value.clone()], meter)
            };
            object.entries().iter().map(pair).collect()
        }
        Value::Text(text) if !text.is_empty() => Ok(list(&call.input).into_owned()),
        Value::Array(_) => call.items().map(|items| items.into_owned()),
        _ => Ok(Vec::new()),
    }
}

/// What makes a value the same as another: its value for what JavaScript compares by value, its place in memory for the rest.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Literal(&'static str),
    Number(u64),
    Text(Arc<str>),
    Container(usize),
}

impl Key {
    fn of(value: &Value, meter: &Meter) -> Result<Key, Stop> {
        meter.step(1)?;
        Ok(match value {
            Value::Undefined => Key::Literal("undefined"),
            Value::Null => Key::Literal("null"),
            Value::Nil => Key::Literal("nil"),
            Value::Empty => Key::Literal("empty"),
            Value::Blank => Key::Literal("blank"),
            Value::Bool(true) => Key::Literal("true"),
            Value::Bool(false) => Key::Literal("false"),
            // All NaNs are the same here, and so are both zeros.
            Value::Number(number) if number.value.is_nan() => Key::Number(f64::NAN.to_bits()),
            Value::Number(number) => Key::Number((number.value + 0.0).to_bits()),
            Value::Text(text) => {
                scan(text.len(), meter)?;
                Key::Text(text.clone())
            }
            Value::Array(array) => Key::Container(Arc::as_ptr(array).addr()),
            Value::Object(object) => Key::Container(Arc::as_ptr(object).addr()),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::filters::testing::{apply, run, show};

    #[test]
    fn uniqueness_is_javascripts() {
        assert_eq!(
            apply("uniq", json!([1, "1", 1.0, null, null, 0, -0.0, [1], [1]]), &[]),
            r#"[1,"1",null,0,[1],[1]]"#
        );
        let list = Value::from_json(&json!([1])).expect("shallow");
        let twice =
            Array::new(vec![list.clone(), list], &crate::filters::testing::env().meter).expect("cheap");
        assert_eq!(run("uniq", twice, &[]).map(|value| show(&value)), Ok("[[1]]".into()));
    }

    #[test]
    fn grouping() {
        let list = json!([{ "k": 1, "n": 1 }, { "k": "1", "n": 2 }, { "k": 1, "n": 3 }, { "n": 4 }]);
        assert_eq!(
            apply("group_by", list, &[json!("k")]),
            r#"[{"name":1,"items":[{"k":1,"n":1},{"k":1,"n":3}]},{"name":"1","items":[{"k":"1","n":2}]},{"name":undefined,"items":[{"n":4}]}]"#
        );
        assert_eq!(
            apply("group_by", json!({ "a": 1 }), &[json!("[1]")]),
            r#"[{"name":1,"items":[["a",1]]}]"#
        );
        assert_eq!(apply("group_by", json!(5), &[json!("a")]), "[]");
    }
}
