//! The values of a template: JavaScript's, as far as JSON data and LiquidJS can show them.
//!
//! Undefined, null and a value are three things; numbers are f64 (an integer of the context that an f64 cannot hold keeps its
//! text); objects keep their order; containers are shared, never cloned, and know how deep they are nested.

mod json;
pub(crate) mod print;
mod property;

use std::sync::Arc;

use indexmap::IndexMap;

use crate::budget::{Meter, Stop};

pub use json::TooDeep;

/// How deep arrays and objects may be nested. The caller's JSON is cut off by the same number.
pub(crate) const MAX_DEPTH: u16 = 64;

/// What a container costs in the [`Meter`] for each of its items, in bytes.
pub(crate) const ITEM: usize = 32;

/// A value, cheap to clone.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Undefined,
    Null,
    Bool(bool),
    Number(Number),
    Text(Arc<str>),
    Array(Arc<Array>),
    Object(Arc<Object>),
    /// The literal `nil` (or `null`). It equals undefined and null alike, which the context's null does not.
    Nil,
    /// The literal `empty`.
    Empty,
    /// The literal `blank`.
    Blank,
}

/// A JavaScript number.
#[derive(Clone, Debug)]
pub(crate) struct Number {
    pub value: f64,
    /// The digits of an integer of the context that `value` cannot hold. Arithmetic uses `value`; printing uses this.
    pub text: Option<Arc<str>>,
}

/// A list of values.
#[derive(Debug, Default)]
pub(crate) struct Array {
    items: Vec<Value>,
    depth: u16,
}

/// Named values in the order in which they were given.
#[derive(Debug, Default)]
pub(crate) struct Object {
    entries: IndexMap<Arc<str>, Value>,
    depth: u16,
}

impl Array {
    /// Charges for the items and refuses to nest deeper than [`MAX_DEPTH`].
    #[expect(clippy::new_ret_no_self, reason = "a list is only ever used as a value")]
    pub fn new(items: Vec<Value>, meter: &Meter) -> Result<Value, Stop> {
        meter.memory(items.len().saturating_mul(ITEM))?;
        let depth = nested(items.iter())?;
        Ok(Value::Array(Arc::new(Array { items, depth })))
    }

    pub fn items(&self) -> &[Value] {
        &self.items
    }
}

impl Object {
    /// Charges for the entries and refuses to nest deeper than [`MAX_DEPTH`].
    #[expect(clippy::new_ret_no_self, reason = "an object is only ever used as a value")]
    pub fn new(entries: IndexMap<Arc<str>, Value>, meter: &Meter) -> Result<Value, Stop> {
        meter.memory(entries.keys().map(|key| key.len() + ITEM).sum())?;
        let depth = nested(entries.values())?;
        Ok(Value::Object(Arc::new(Object { entries, depth })))
    }

    pub fn entries(&self) -> &IndexMap<Arc<str>, Value> {
        &self.entries
    }
}

/// The value of this name. Among a few names comparing is quicker than hashing.
pub(crate) fn lookup<'a>(entries: &'a IndexMap<Arc<str>, Value>, name: &str) -> Option<&'a Value> {
    const FEW: usize = 8;
    if entries.len() > FEW {
        return entries.get(name);
    }
    entries.iter().find(|(there, _)| ***there == *name).map(|(_, value)| value)
}

fn nested<'a>(mut inside: impl Iterator<Item = &'a Value>) -> Result<u16, Stop> {
    let depth = inside.try_fold(0, |deepest: u16, value| Some(deepest.max(value.depth()))).unwrap_or(0) + 1;
    if depth > MAX_DEPTH {
        return Err(Stop::Budget(format!("values nested more than {MAX_DEPTH} deep")));
    }
    Ok(depth)
}

impl Value {
    /// Charges for the text's bytes.
    pub fn text(text: impl Into<Arc<str>>, meter: &Meter) -> Result<Value, Stop> {
        let text = text.into();
        meter.memory(text.len())?;
        Ok(Value::Text(text))
    }

    pub fn number(value: f64) -> Value {
        Value::Number(Number { value, text: None })
    }

    /// What JavaScript takes for true: all but false, nothing, 0, NaN and the empty text.
    pub fn is_truthy(&self) -> bool {
        match self {
            Value::Undefined | Value::Null | Value::Nil | Value::Empty | Value::Blank => false,
            Value::Bool(value) => *value,
            Value::Number(number) => number.value != 0.0 && !number.value.is_nan(),
            Value::Text(text) => !text.is_empty(),
            Value::Array(_) | Value::Object(_) => true,
        }
    }

    /// Undefined or null. The literals are drops in LiquidJS, so that `nil` itself is not.
    pub fn is_nil(&self) -> bool {
        matches!(self, Value::Undefined | Value::Null)
    }

    /// Whether this is one of the literals that LiquidJS keeps as drops: `nil`, `empty`, `blank`.
    pub fn is_drop(&self) -> bool {
        matches!(self, Value::Nil | Value::Empty | Value::Blank)
    }

    /// The value that a literal stands for where it is not compared: null for `nil`, an empty text for `empty` and `blank`.
    pub fn plain(self) -> Value {
        match self {
            Value::Nil => Value::Null,
            Value::Empty | Value::Blank => Value::Text(Arc::from("")),
            other => other,
        }
    }

    /// How deep containers are nested in this value: 0 for anything that is not one.
    pub fn depth(&self) -> u16 {
        match self {
            Value::Array(array) => array.depth,
            Value::Object(object) => object.depth,
            _ => 0,
        }
    }
}
