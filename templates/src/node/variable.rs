//! What sets variables: `assign`, `capture`, `increment` and `decrement`.

use std::io::Write;
use std::sync::Arc;

use liquid_core::Runtime;
use liquid_core::runtime::Template as Block;

use crate::expression::Filtered;
use crate::state::{Halt, Run, State};
use crate::value::Value;

/// `{% assign name = … %}`.
#[derive(Debug)]
pub(crate) struct Assign {
    pub name: Arc<str>,
    pub value: Filtered,
}

impl Run for Assign {
    fn run(&self, _: &mut dyn Write, _: &dyn Runtime, state: &State) -> Result<(), Halt> {
        let value = self.value.evaluate(state)?;
        state.scopes.borrow_mut().set.insert(Arc::clone(&self.name), value);
        Ok(())
    }
}

/// `{% capture name %}…{% endcapture %}`.
#[derive(Debug)]
pub(crate) struct Capture {
    pub name: Arc<str>,
    pub block: Block,
}

impl Run for Capture {
    fn run(&self, _: &mut dyn Write, runtime: &dyn Runtime, state: &State) -> Result<(), Halt> {
        let text = state.capture(&self.block, runtime)?;
        state.scopes.borrow_mut().set.insert(Arc::clone(&self.name), Value::Text(text));
        Ok(())
    }
}

/// `{% increment name %}` and `{% decrement name %}`, which count in the caller's own variables.
#[derive(Debug)]
pub(crate) struct Count {
    pub name: Arc<str>,
    pub up: bool,
}

impl Run for Count {
    fn run(&self, out: &mut dyn Write, _: &dyn Runtime, state: &State) -> Result<(), Halt> {
        let shown = {
            let caller = &mut state.scopes.borrow_mut().caller;
            let before = match caller.get(&self.name) {
                Some(Value::Number(number)) => number.value,
                _ => 0.0,
            };
            let after = if self.up { before + 1.0 } else { before - 1.0 };
            caller.insert(Arc::clone(&self.name), Value::number(after));
            if self.up { before } else { after }
        };
        Ok(state.write_escaped(out, &Value::number(shown))?)
    }
}
