//! What writes: markup, `{{ }}`, `echo` and `cycle`.

use std::io::Write;

use liquid_core::Runtime;

use crate::expression::{Filtered, Operand};
use crate::state::{Halt, Run, State};

/// Markup of the template's author: the only thing that is not escaped.
#[derive(Debug)]
pub(crate) struct Markup(pub Box<str>);

impl Run for Markup {
    fn run(&self, out: &mut dyn Write, _: &dyn Runtime, state: &State) -> Result<(), Halt> {
        Ok(state.write(out, &self.0)?)
    }
}

/// `{{ … }}` and `{% echo … %}`.
#[derive(Debug)]
pub(crate) struct Echo(pub Filtered);

impl Run for Echo {
    fn run(&self, out: &mut dyn Write, _: &dyn Runtime, state: &State) -> Result<(), Halt> {
        let value = self.0.evaluate(state)?;
        Ok(state.write_escaped(out, &value)?)
    }
}

/// `{% cycle group: a, b %}`.
#[derive(Debug)]
pub(crate) struct Cycle {
    pub group: Option<Operand>,
    /// The candidates as they stand in the source: two cycles of the same are one.
    pub text: String,
    pub candidates: Vec<Filtered>,
}

impl Run for Cycle {
    fn run(&self, out: &mut dyn Write, _: &dyn Runtime, state: &State) -> Result<(), Halt> {
        let meter = &state.env.meter;
        let group = match &self.group {
            Some(group) => group.evaluate(state)?.spell(meter)?,
            None => "undefined".into(),
        };
        meter.memory(group.len() + self.text.len())?;
        let index = {
            let mut cycles = state.cycles.borrow_mut();
            let next = cycles.entry(format!("{group}:{}", self.text)).or_default();
            let index = *next;
            *next = (index + 1) % self.candidates.len();
            index
        };
        let value = self.candidates[index].evaluate(state)?;
        Ok(state.write_escaped(out, &value)?)
    }
}
