//! What renders one of several blocks: `if`, `unless` and `case`.

use std::io::Write;

use liquid_core::Runtime;
use liquid_core::runtime::Template as Block;

use crate::compare;
use crate::expression::{Filtered, Operand};
use crate::state::{Halt, Run, State, inside};

/// A block and the condition on which it is rendered.
#[derive(Debug)]
pub(crate) struct Branch {
    pub condition: Filtered,
    /// Which truth it wants: `unless` begins with false.
    pub wants: bool,
    pub block: Block,
}

/// `if` and `unless`: the first branch that holds, or the last block.
#[derive(Debug)]
pub(crate) struct Choice {
    pub branches: Vec<Branch>,
    pub otherwise: Block,
}

impl Run for Choice {
    fn run(&self, out: &mut dyn Write, runtime: &dyn Runtime, state: &State) -> Result<(), Halt> {
        for branch in &self.branches {
            if branch.condition.is_truthy(state)? == branch.wants {
                return inside(&branch.block, out, runtime);
            }
        }
        inside(&self.otherwise, out, runtime)
    }
}

/// `case`: every `when` that holds, as LiquidJS has it, or the last block.
#[derive(Debug)]
pub(crate) struct Case {
    pub target: Filtered,
    pub branches: Vec<(Vec<Operand>, Block)>,
    pub otherwise: Block,
}

impl Run for Case {
    fn run(&self, out: &mut dyn Write, runtime: &dyn Runtime, state: &State) -> Result<(), Halt> {
        let target = self.target.evaluate(state)?.plain();
        let mut hit = false;
        for (values, block) in &self.branches {
            for value in values {
                if compare::equals(&target, &value.evaluate(state)?, &state.env.meter)? {
                    hit = true;
                    inside(block, out, runtime)?;
                    break;
                }
            }
        }
        if hit { Ok(()) } else { inside(&self.otherwise, out, runtime) }
    }
}
