//! The value of an expression.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::budget::Stop;
use crate::compare;
use crate::expression::{Applied, Filtered, Key, Operand, Operator, Step};
use crate::filters::Call;
use crate::scope::Found;
use crate::state::State;
use crate::value::{Array, ITEM, Value};

impl Filtered {
    /// The value after all filters.
    pub fn evaluate(&self, state: &State) -> Result<Value, Stop> {
        let mut value = match &self.steps[..] {
            [Step::Operand(only)] => only.evaluate(state)?,
            steps => run(steps, state)?,
        };
        for filter in &self.filters {
            value = filter.apply(value, state)?;
        }
        Ok(value)
    }

    /// Whether the value is true to JavaScript.
    pub fn is_truthy(&self, state: &State) -> Result<bool, Stop> {
        Ok(self.evaluate(state)?.is_truthy())
    }
}

/// LiquidJS evaluates both sides always, and of operands without an operator between them the first counts.
fn run(steps: &[Step], state: &State) -> Result<Value, Stop> {
    let meter = &state.env.meter;
    let mut operands: Vec<Value> = Vec::new();
    for step in steps {
        meter.step(1)?;
        let operator = match step {
            Step::Operand(operand) => {
                operands.push(operand.evaluate(state)?);
                continue;
            }
            Step::Operator(operator) => *operator,
        };
        let right = operands.pop().unwrap_or(Value::Undefined);
        if operator == Operator::Not {
            operands.push(Value::Bool(!right.is_truthy()));
            continue;
        }
        let left = operands.pop().unwrap_or(Value::Undefined);
        let order = || compare::order(&left, &right, meter);
        operands.push(Value::Bool(match operator {
            Operator::Equal => compare::equals(&left, &right, meter)?,
            Operator::Unequal => !compare::equals(&left, &right, meter)?,
            Operator::Less => order()? == Some(Ordering::Less),
            Operator::Greater => order()? == Some(Ordering::Greater),
            Operator::LessOrEqual => order()?.is_some_and(Ordering::is_le),
            Operator::GreaterOrEqual => order()?.is_some_and(Ordering::is_ge),
            Operator::Contains => compare::contains(&left, &right, meter)?,
            Operator::And => left.is_truthy() && right.is_truthy(),
            Operator::Or => left.is_truthy() || right.is_truthy(),
            Operator::Not => unreachable!("it has one side"),
        }));
    }
    Ok(operands.into_iter().next().unwrap_or(Value::Undefined))
}

impl Applied {
    fn apply(&self, input: Value, state: &State) -> Result<Value, Stop> {
        state.env.meter.step(1)?;
        let Some(filter) = self.filter else {
            // LiquidJS evaluates what a filter is given that it does not know.
            self.args
                .iter()
                .chain(self.named.iter().map(|(_, arg)| arg))
                .try_for_each(|arg| arg.evaluate(state).map(drop))?;
            return Ok(input);
        };
        // Hardly a filter takes more, and these need no allocation.
        let mut few = [const { Value::Undefined }; 3];
        let many: Vec<Value>;
        let args = match few.get_mut(..self.args.len()) {
            Some(few) => {
                for (place, arg) in few.iter_mut().zip(&self.args) {
                    *place = arg.evaluate(state)?;
                }
                &*few
            }
            None => {
                many = self.args.iter().map(|arg| arg.evaluate(state)).collect::<Result<_, _>>()?;
                &many
            }
        };
        let named: Vec<(Arc<str>, Value)> = self
            .named
            .iter()
            .map(|(name, arg)| Ok((Arc::clone(name), arg.evaluate(state)?)))
            .collect::<Result<_, Stop>>()?;
        filter(Call { input, args, named: &named, env: &state.env })
    }
}

impl Operand {
    pub fn evaluate(&self, state: &State) -> Result<Value, Stop> {
        match self {
            Operand::Literal(value) => Ok(value.clone()),
            Operand::Variable(root, keys) => variable(root, keys, state),
            Operand::Property(of, keys) => walk(of.evaluate(state)?, keys, state),
            Operand::Range(ends) => range(&ends.0, &ends.1, state),
        }
    }
}

fn variable(root: &Key, keys: &[Key], state: &State) -> Result<Value, Stop> {
    state.env.meter.step(1)?;
    let found = match root {
        Key::Name(name) => state.scopes.borrow().find(name),
        Key::Computed(operand) => {
            let name = operand.evaluate(state)?.plain().spell(&state.env.meter)?;
            state.scopes.borrow().find(&name)
        }
    };
    match (found, keys) {
        (Found::Value(value), keys) => walk(value, keys, state),
        (Found::Progress(progress), [Key::Name(name), rest @ ..]) => {
            walk(progress.property(name, &state.env)?, rest, state)
        }
        (Found::Progress(progress), [Key::Computed(operand), rest @ ..]) => {
            let name = operand.evaluate(state)?.plain().spell(&state.env.meter)?;
            walk(progress.property(&name, &state.env)?, rest, state)
        }
        (Found::Progress(progress), []) => progress.whole(&state.env),
    }
}

fn walk(mut value: Value, keys: &[Key], state: &State) -> Result<Value, Stop> {
    for key in keys {
        value = match key {
            Key::Name(name) => {
                state.env.meter.step(1)?;
                value.named(name, &state.env)?
            }
            Key::Computed(operand) => value.property(&operand.evaluate(state)?.plain(), &state.env)?,
        };
    }
    Ok(value)
}

fn range(from: &Operand, to: &Operand, state: &State) -> Result<Value, Stop> {
    let meter = &state.env.meter;
    let end = |operand: &Operand| operand.evaluate(state)?.plain().to_number(meter);
    let (from, to) = (end(from)?, end(to)?);
    // LiquidJS counts up from the one until it is past the other; NaN is never reached.
    let length = (to + 1.0 - from).ceil();
    if length.is_nan() || length <= 0.0 {
        return Array::new(Vec::new(), meter);
    }
    // A float as an integer stops at its limits, which no budget admits.
    meter.step(length as u64)?;
    meter.room((length as usize).saturating_mul(ITEM))?;
    let items = (0..length as u64).map(|step| Value::number(from + step as f64)).collect();
    Array::new(items, meter)
}
