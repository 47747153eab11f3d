//! The variables of a rendering: the caller's, those that tags set, and those of the loops around.

use std::sync::Arc;

use indexmap::IndexMap;
use jiff::Timestamp;

use crate::budget::Stop;
use crate::env::Env;
use crate::number;
use crate::value::{TooDeep, Value, lookup};

/// The caller's data, converted once: cheap to clone, and shared between renderings and threads.
#[derive(Clone, Debug)]
pub struct Data(Value);

impl Data {
    /// Takes in JSON.
    ///
    /// # Errors
    /// It is nested deeper than 64 levels.
    pub fn new(json: &serde_json::Value) -> Result<Self, TooDeep> {
        Value::from_json(json).map(Data)
    }
}

/// What a rendering starts from: its variables, what time it is said to be, and where chance begins.
#[derive(Clone, Debug)]
pub struct Globals {
    pub(crate) variables: IndexMap<Arc<str>, Value>,
    pub(crate) now: Timestamp,
    pub(crate) seed: u64,
}

impl Globals {
    /// No variables. `now` is what `'now' | date` shows; `seed` is all the chance there is in `sample`.
    pub fn new(now: Timestamp, seed: u64) -> Self {
        Globals { variables: IndexMap::new(), now, seed }
    }

    /// These, and a variable of this name.
    #[must_use]
    pub fn with(mut self, name: &str, data: &Data) -> Self {
        self.variables.insert(name.into(), data.0.clone());
        self
    }
}

/// All variables, the innermost last.
#[derive(Debug)]
pub(crate) struct Scopes {
    /// The caller's, and what `increment` and `decrement` count.
    pub caller: IndexMap<Arc<str>, Value>,
    /// What `assign` and `capture` set.
    pub set: IndexMap<Arc<str>, Value>,
    pub frames: Vec<Frame>,
}

/// What a tag puts on top for its inside.
#[derive(Debug)]
pub(crate) enum Frame {
    Loop {
        variable: Arc<str>,
        item: Value,
        progress: Progress,
    },
    /// For the arguments of a loop: where the last one over the same thing ended.
    Continue(Value),
}

/// `forloop`, or `tablerowloop` where there are columns.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    pub done: usize,
    pub length: usize,
    pub name: Arc<str>,
    pub columns: Option<Value>,
}

/// What a name stands for.
pub(crate) enum Found {
    Value(Value),
    Progress(Progress),
}

impl Scopes {
    pub fn new(caller: IndexMap<Arc<str>, Value>) -> Self {
        Scopes { caller, set: IndexMap::new(), frames: Vec::new() }
    }

    /// The innermost variable of this name.
    pub fn find(&self, name: &str) -> Found {
        for frame in self.frames.iter().rev() {
            match frame {
                Frame::Loop { variable, item, .. } if &**variable == name => {
                    return Found::Value(item.clone());
                }
                Frame::Loop { progress, .. } if progress.word() == name => {
                    return Found::Progress(progress.clone());
                }
                Frame::Continue(value) if name == "continue" => return Found::Value(value.clone()),
                Frame::Loop { .. } | Frame::Continue(_) => {}
            }
        }
        let found = lookup(&self.set, name).or_else(|| lookup(&self.caller, name));
        Found::Value(match found {
            Some(value) => value.clone(),
            // LiquidJS asks its own empty object, which has a size.
            None if name == "size" => Value::number(0.0),
            None => Value::Undefined,
        })
    }
}

impl Progress {
    fn word(&self) -> &'static str {
        if self.columns.is_some() { "tablerowloop" } else { "forloop" }
    }

    /// Columns in a row, as JavaScript would count with what the caller gave.
    fn width(&self, env: &Env) -> Result<f64, Stop> {
        self.columns.as_ref().map_or(Ok(f64::NAN), |columns| columns.to_number(&env.meter))
    }

    /// The row of the present item, from 1.
    pub fn row(&self, env: &Env) -> Result<f64, Stop> {
        Ok((self.done as f64 / self.width(env)?).floor() + 1.0)
    }

    /// The column of the present item, from 0.
    pub fn column(&self, env: &Env) -> Result<f64, Stop> {
        Ok(self.done as f64 % self.width(env)?)
    }

    /// One of its properties.
    pub fn property(&self, key: &str, env: &Env) -> Result<Value, Stop> {
        let (done, length) = (self.done as f64, self.length as f64);
        if let Some(columns) = &self.columns {
            match key {
                "row" => return Ok(Value::number(self.row(env)?)),
                "col0" => return Ok(Value::number(self.column(env)?)),
                "col" => return Ok(Value::number(self.column(env)? + 1.0)),
                "col_first" => return Ok(Value::Bool(self.column(env)? == 0.0)),
                "col_last" => {
                    let column = self.column(env)? + 1.0;
                    return Ok(Value::Bool(matches!(columns, Value::Number(width) if width.value == column)));
                }
                "cols" => return Ok(columns.clone()),
                _ => {}
            }
        }
        Ok(match key {
            "index" => Value::number(done + 1.0),
            "index0" | "i" => Value::number(done),
            "rindex" => Value::number(length - done),
            "rindex0" => Value::number(length - done - 1.0),
            "first" => Value::Bool(self.done == 0),
            "last" => Value::Bool(self.done + 1 == self.length),
            "length" => Value::number(length),
            "name" => Value::Text(Arc::clone(&self.name)),
            _ => Value::Undefined,
        })
    }

    /// The whole of it as a value: what LiquidJS prints of its own.
    pub fn whole(&self, env: &Env) -> Result<Value, Stop> {
        let name = serde_json::Value::from(&*self.name);
        let columns = match &self.columns {
            Some(columns) => format!(",\"cols\":{}", number::print(columns.to_number(&env.meter)?)),
            None => String::new(),
        };
        let text = format!("{{\"i\":{},\"length\":{},\"name\":{name}{columns}}}", self.done, self.length);
        Value::text(text, &env.meter)
    }
}
