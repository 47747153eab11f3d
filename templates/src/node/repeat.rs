//! What repeats a block: `for` and `tablerow`, and what leaves it: `break` and `continue`.

use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

use liquid_core::Runtime;
use liquid_core::runtime::{Interrupt, Template as Block};

use crate::budget::Stop;
use crate::expression::Operand;
use crate::filters::add;
use crate::number;
use crate::scope::{Frame, Progress};
use crate::state::{Halt, Run, State, inside, interrupt};
use crate::value::{Array, Value};

/// What a loop goes over, and with which arguments.
#[derive(Debug)]
pub(crate) struct Loop {
    pub variable: Arc<str>,
    pub collection: Operand,
    /// The variable and the collection as they stand in the source: two loops over the same are one to `offset: continue`.
    pub name: Arc<str>,
    /// Arguments by name; `None` for a name alone, which is true.
    pub arguments: Vec<(Arc<str>, Option<Operand>)>,
}

impl Loop {
    fn argument(&self, name: &str, state: &State) -> Result<Value, Stop> {
        match self.arguments.iter().rev().find(|(there, _)| &**there == name) {
            None => Ok(Value::Undefined),
            Some((_, None)) => Ok(Value::Bool(true)),
            Some((_, Some(value))) => value.evaluate(state),
        }
    }

    fn items(&self, state: &State) -> Result<Arc<Array>, Stop> {
        let meter = &state.env.meter;
        let items = match self.collection.evaluate(state)?.plain() {
            Value::Array(items) => return Ok(items),
            Value::Text(text) if !text.is_empty() => vec![Value::Text(text)],
            Value::Object(object) => {
                meter.step(object.entries().len() as u64)?;
                let pair = |(key, value): (&Arc<str>, &Value)| {
                    Array::new(vec![Value::Text(Arc::clone(key)), value.clone()], meter)
                };
                object.entries().iter().map(pair).collect::<Result<_, _>>()?
            }
            _ => Vec::new(),
        };
        match Array::new(items, meter)? {
            Value::Array(items) => Ok(items),
            _ => Err(Stop::Refused("a list is no list".to_owned())),
        }
    }

    fn progress(&self, length: usize, columns: Option<Value>) -> Progress {
        Progress { done: 0, length, name: Arc::clone(&self.name), columns }
    }

    /// Puts the frame of this loop on top while `body` runs.
    fn framed(
        &self,
        progress: Progress,
        state: &State,
        body: impl FnOnce() -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let frame = Frame::Loop { variable: Arc::clone(&self.variable), item: Value::Undefined, progress };
        state.scopes.borrow_mut().frames.push(frame);
        let ran = body();
        state.scopes.borrow_mut().frames.pop();
        ran
    }
}

/// Moves the innermost loop on.
fn advance(state: &State, next: Value, done_now: usize) {
    if let Some(Frame::Loop { item, progress, .. }) = state.scopes.borrow_mut().frames.last_mut() {
        *item = next;
        progress.done = done_now;
    }
}

/// `{% for … in … %}`.
#[derive(Debug)]
pub(crate) struct For {
    pub over: Loop,
    pub block: Block,
    pub otherwise: Block,
}

impl Run for For {
    fn run(&self, out: &mut dyn Write, runtime: &dyn Runtime, state: &State) -> Result<(), Halt> {
        let items = self.over.items(state)?;
        if items.items().is_empty() {
            return inside(&self.otherwise, out, runtime);
        }
        let (chosen, reversed) = self.chosen(items.items().len(), state)?;
        let progress = self.over.progress(chosen.len(), None);
        self.over.framed(progress, state, || {
            for done in 0..chosen.len() {
                state.env.meter.step(1)?;
                let at = if reversed { chosen.end - 1 - done } else { chosen.start + done };
                advance(state, items.items()[at].clone(), done);
                interrupt(runtime, |interrupt| interrupt.reset());
                inside(&self.block, out, runtime)?;
                if interrupt(runtime, |interrupt| interrupt.reset()) == Some(Interrupt::Break) {
                    break;
                }
            }
            Ok(())
        })
    }
}

impl For {
    /// Which items, and whether backwards. `offset` goes before `limit` and `limit` before `reversed`, whatever their order.
    fn chosen(&self, length: usize, state: &State) -> Result<(Range<usize>, bool), Stop> {
        let meter = &state.env.meter;
        let before = state.continues.borrow().get(&self.over.name).cloned();
        let goes_on = before.unwrap_or_else(|| Value::Object(Arc::default()));
        state.scopes.borrow_mut().frames.push(Frame::Continue(goes_on));
        let arguments = (|| {
            Ok::<_, Stop>((
                self.over.argument("offset", state)?,
                self.over.argument("limit", state)?,
                self.over.argument("reversed", state)?,
            ))
        })();
        state.scopes.borrow_mut().frames.pop();
        let (offset, limit, reversed) = arguments?;
        let given = |value: &Value| !matches!(value, Value::Undefined);
        let start = if given(&offset) { bound(&offset, length, state)? } else { 0 };
        let left = length - start;
        let count = if given(&limit) { bound(&limit, left, state)? } else { left };
        // JavaScript's `(offset || 0) + count`: what is no number becomes a text, from which nothing goes on.
        let end = match &offset {
            _ if !offset.is_truthy() => Value::number(count as f64),
            Value::Number(_) | Value::Bool(_) => {
                Value::number(add(&offset, &Value::number(count as f64), meter)?)
            }
            other => Value::text(format!("{}{count}", other.clone().plain().spell(meter)?), meter)?,
        };
        state.continues.borrow_mut().insert(Arc::clone(&self.over.name), end);
        Ok((start..start + count, given(&reversed)))
    }
}

/// Where JavaScript's `slice` cuts a list of `length` items when told this: from the end where it is negative.
fn bound(value: &Value, length: usize, state: &State) -> Result<usize, Stop> {
    let bound = value.clone().plain().to_number(&state.env.meter)?.trunc();
    // A float as `usize` stops at both ends, and NaN is 0, as in JavaScript.
    Ok(if bound < 0.0 { length.saturating_sub(-bound as usize) } else { (bound as usize).min(length) })
}

/// `{% tablerow … in … %}`.
#[derive(Debug)]
pub(crate) struct Tablerow {
    pub over: Loop,
    pub block: Block,
}

impl Run for Tablerow {
    fn run(&self, out: &mut dyn Write, runtime: &dyn Runtime, state: &State) -> Result<(), Halt> {
        let items = self.over.items(state)?;
        let length = items.items().len();
        // The literals are true to JavaScript's `||`, which sees their drops.
        let truthy = |value: Value, or: f64| {
            if value.is_truthy() || value.is_drop() { value } else { Value::number(or) }
        };
        let offset = truthy(self.over.argument("offset", state)?, 0.0);
        let limit = match self.over.argument("limit", state)? {
            Value::Undefined => Value::number(length as f64),
            limit => limit,
        };
        let end = Value::number(add(&offset, &limit, &state.env.meter)?);
        let start = bound(&offset, length, state)?;
        let chosen = &items.items()[start..bound(&end, length, state)?.max(start)];
        let columns = truthy(self.over.argument("cols", state)?, chosen.len() as f64);
        let progress = self.over.progress(chosen.len(), Some(columns));
        self.over.framed(progress.clone(), state, || {
            for (done, item) in chosen.iter().enumerate() {
                state.env.meter.step(1)?;
                advance(state, item.clone(), done);
                let now = Progress { done, ..progress.clone() };
                let (row, column) = (now.row(&state.env)?, now.column(&state.env)?);
                if column == 0.0 {
                    state.write(out, if row == 1.0 { "" } else { "</tr>" })?;
                    state.write(out, &format!("<tr class=\"row{}\">", number::print(row)))?;
                }
                state.write(out, &format!("<td class=\"col{}\">", number::print(column + 1.0)))?;
                inside(&self.block, out, runtime)?;
                state.write(out, "</td>")?;
            }
            Ok(state.write(out, if chosen.is_empty() { "" } else { "</tr>" })?)
        })
    }
}

/// `{% break %}` and `{% continue %}`.
#[derive(Debug)]
pub(crate) struct Interruption(pub Interrupt);

impl Run for Interruption {
    fn run(&self, _: &mut dyn Write, runtime: &dyn Runtime, _: &State) -> Result<(), Halt> {
        interrupt(runtime, |interrupt| interrupt.set(self.0));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use serde_json::json;

    use crate::{Budget, Data, Globals, Template};

    fn shown(source: &str) -> String {
        let list = Data::new(&json!([1, 2, 3])).expect("flat");
        let globals = Globals::new(Timestamp::UNIX_EPOCH, 0).with("a", &list);
        let template = Template::parse(source).unwrap_or_else(|error| panic!("{error}: {source}"));
        template.render(&globals, &Budget::default()).map_or_else(|error| error.to_string(), |done| done.html)
    }

    #[test]
    fn loops_over_the_same_go_on_where_the_last_one_ended() {
        let first = "{% for i in a limit: 1 %}{{ i }}{% endfor %};";
        assert_eq!(
            shown(&format!("{first}{{% for i in a offset: continue %}}{{{{ i }}}}{{% endfor %}}")),
            "1;23"
        );
        assert_eq!(
            shown(&format!("{first}{{% for j in a offset: continue %}}{{{{ j }}}}{{% endfor %}}")),
            "1;123"
        );
    }

    #[test]
    fn columns_that_are_no_number_make_no_rows() {
        assert_eq!(
            shown("{% tablerow i in a cols: 2 limit: 2 %}{{ i }}{% endtablerow %}"),
            r#"<tr class="row1"><td class="col1">1</td><td class="col2">2</td></tr>"#
        );
        assert_eq!(
            shown("{% tablerow i in a cols: nil limit: 1 %}{{ i }}{% endtablerow %}"),
            r#"<td class="colNaN">1</td></tr>"#
        );
        assert_eq!(
            shown("{% tablerow i in a cols: none limit: 1 %}{{ i }}{% endtablerow %}"),
            r#"<tr class="row1"><td class="col1">1</td></tr>"#
        );
    }

    #[test]
    fn what_leaves_a_loop_leaves_the_innermost() {
        assert_eq!(
            shown(
                "{% for i in a %}{% for j in a %}{% if j == 2 %}{% break %}{% endif %}{{ j }}{% endfor %}{{ i }};{% endfor %}"
            ),
            "11;12;13;"
        );
        assert_eq!(
            shown("{% for i in a %}{% if i == 2 %}{% continue %}{% endif %}{{ i }}{% endfor %}."),
            "13."
        );
        assert_eq!(shown("a{% break %}b"), "a");
    }
}
