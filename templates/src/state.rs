//! What a rendering knows and remembers on its way, kept in the runtime's registers.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::io::Write;
use std::rc::Rc;
use std::sync::Arc;

use liquid_core::Runtime;
use liquid_core::runtime::{InterruptRegister, Renderable, Template as Block};

use crate::budget::Stop;
use crate::env::Env;
use crate::number;
use crate::scope::Scopes;
use crate::value::print::scan;
use crate::value::{Number, Value};

/// The state of one rendering.
#[derive(Debug)]
pub(crate) struct State {
    pub env: Env,
    pub scopes: RefCell<Scopes>,
    /// Which candidate a `cycle` is at.
    pub cycles: RefCell<HashMap<String, usize>>,
    /// Where a loop over the same thing goes on: `offset: continue`.
    pub continues: RefCell<HashMap<Arc<str>, Value>>,
    written: Cell<usize>,
    captures: Cell<usize>,
    /// Where it stopped, and why; the runtime's own error has no room for it.
    failure: RefCell<Option<(usize, Stop)>>,
}

/// How the registers hold a state: borrowed for a moment only, since nested nodes ask as well.
#[derive(Default)]
struct Register(Option<Rc<State>>);

/// Why a node stopped.
pub(crate) enum Halt {
    /// At this node.
    Here(Stop),
    /// At a node inside, which has told.
    Inside,
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Halt::Here(stop)
    }
}

impl State {
    pub fn new(env: Env, scopes: Scopes) -> Self {
        State {
            env,
            scopes: RefCell::new(scopes),
            cycles: RefCell::default(),
            continues: RefCell::default(),
            written: Cell::new(0),
            captures: Cell::new(0),
            failure: RefCell::new(None),
        }
    }

    /// Hands a state to a runtime.
    pub fn enter(self: &Rc<Self>, runtime: &dyn Runtime) {
        runtime.registers().get_mut::<Register>().0 = Some(Rc::clone(self));
    }

    /// The state of a runtime.
    fn of(runtime: &dyn Runtime) -> Option<Rc<Self>> {
        runtime.registers().get_mut::<Register>().0.clone()
    }

    /// Where it stopped, and why.
    pub fn failure(&self) -> Option<(usize, Stop)> {
        self.failure.borrow().clone()
    }

    /// Writes markup as it is.
    pub fn write(&self, out: &mut dyn Write, text: &str) -> Result<(), Stop> {
        if self.captures.get() == 0 {
            let written = self.written.get() + text.len();
            self.env.meter.output(written)?;
            self.written.set(written);
        } else {
            self.env.meter.memory(text.len())?;
        }
        out.write_all(text.as_bytes()).map_err(|error| Stop::Refused(error.to_string()))
    }

    /// Writes a value so that it is text in HTML, whatever it holds.
    pub fn write_escaped(&self, out: &mut dyn Write, value: &Value) -> Result<(), Stop> {
        if let Value::Text(text) = value {
            scan(text.len(), &self.env.meter)?;
            return self.escape(out, text);
        }
        if let Value::Number(Number { value, text: None }) = value {
            self.env.meter.step(1 + number::cost_of_printing(*value))?;
            // Nothing in it could need an escape.
            return self.write(out, &number::print(*value));
        }
        let mut text = String::new();
        value.print(&mut text, &self.env)?;
        self.escape(out, &text)
    }

    fn escape(&self, out: &mut dyn Write, text: &str) -> Result<(), Stop> {
        let mut plain = 0;
        for (at, byte) in text.bytes().enumerate() {
            let escaped = match byte {
                b'&' => "&amp;",
                b'<' => "&lt;",
                b'>' => "&gt;",
                b'"' => "&#34;",
                b'\'' => "&#39;",
                _ => continue,
            };
            self.write(out, &text[plain..at])?;
            self.write(out, escaped)?;
            plain = at + 1;
        }
        self.write(out, &text[plain..])
    }

    /// What a block writes, as a value.
    pub fn capture(&self, block: &Block, runtime: &dyn Runtime) -> Result<Arc<str>, Halt> {
        let mut out = Vec::new();
        self.captures.set(self.captures.get() + 1);
        block.render_to(&mut out, runtime).map_err(|_| Halt::Inside)?;
        self.captures.set(self.captures.get() - 1);
        Ok(String::from_utf8_lossy(&out).into())
    }
}

/// What a node does.
pub(crate) trait Run: Send + Sync + std::fmt::Debug {
    fn run(&self, out: &mut dyn Write, runtime: &dyn Runtime, state: &State) -> Result<(), Halt>;
}

/// A node of the tree: what it does, and where it stands in the source.
#[derive(Debug)]
pub(crate) struct Node<R> {
    pub at: usize,
    pub run: R,
}

impl<R: Run> Renderable for Node<R> {
    fn render_to(&self, out: &mut dyn Write, runtime: &dyn Runtime) -> liquid_core::Result<()> {
        let stopped = || liquid_core::Error::with_msg("stopped");
        let state = State::of(runtime).ok_or_else(stopped)?;
        let ran =
            state.env.meter.step(1).map_err(Halt::Here).and_then(|()| self.run.run(out, runtime, &state));
        ran.map_err(|halt| {
            if let Halt::Here(stop) = halt {
                state.failure.borrow_mut().get_or_insert((self.at, stop));
            }
            stopped()
        })
    }
}

/// Runs a block inside a node.
pub(crate) fn inside(block: &Block, out: &mut dyn Write, runtime: &dyn Runtime) -> Result<(), Halt> {
    block.render_to(out, runtime).map_err(|_| Halt::Inside)
}

/// The interrupt of a runtime, borrowed for a moment.
pub(crate) fn interrupt<T>(runtime: &dyn Runtime, with: impl FnOnce(&mut InterruptRegister) -> T) -> T {
    with(&mut runtime.registers().get_mut::<InterruptRegister>())
}
