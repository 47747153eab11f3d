//! A template, parsed once and rendered as often as there is data.

use std::rc::Rc;

use liquid_core::runtime::{Renderable, RuntimeBuilder, Template as Block};

use crate::budget::{Budget, Meter, Stop};
use crate::error::{ParseError, RenderError, malformed};
use crate::filters::Env;
use crate::parser;
use crate::scope::{Globals, Scopes};
use crate::state::State;
use crate::warning::Warning;

/// At most so many bytes in a source.
pub const MAX_SOURCE: usize = 20_480;

/// The stack that parsing and rendering need at most, in bytes; a thread that renders has at least that.
///
/// Nothing that a template can do makes it more: blocks, brackets and values nest as deep as they may, and no deeper.
pub const STACK: usize = 512 * 1024;

/// A template. `Send` and `Sync`: parsed once, it renders on any thread.
#[derive(Debug)]
pub struct Template {
    source: Box<str>,
    nodes: Block,
    warnings: Vec<Warning>,
}

/// What a template made of its data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// Markup of the template, with every value in it escaped.
    pub html: String,
    /// How many steps of the budget it took.
    pub steps: u64,
}

impl Template {
    /// Parses a source.
    ///
    /// # Errors
    /// What LiquidJS would not parse either, what is not there on purpose (`include`, `render`, `layout`, `block`), and what
    /// is larger than the limits: [`MAX_SOURCE`], 4,000 pieces, 32 blocks or 24 brackets in each other.
    pub fn parse(source: &str) -> Result<Self, ParseError> {
        if source.len() > MAX_SOURCE {
            let message = format!("at most {MAX_SOURCE} bytes; this has {}", source.len());
            return Err(ParseError::new(source, malformed(0, message)));
        }
        let (nodes, remarks) = parser::parse(source).map_err(|error| ParseError::new(source, error))?;
        Ok(Template { source: source.into(), nodes, warnings: remarks.warnings(source) })
    }

    /// Renders with these variables.
    ///
    /// The same template, variables and budget make the same document, or the same error, on every machine.
    ///
    /// # Errors
    /// It would cost more than the budget, or LiquidJS would refuse it too. Nothing half-rendered is handed out.
    pub fn render(&self, globals: &Globals, budget: &Budget) -> Result<Rendered, RenderError> {
        let env = Env { meter: Meter::new(budget), now: globals.now, seed: globals.seed };
        let state = Rc::new(State::new(env, Scopes::new(globals.variables.clone())));
        let runtime = RuntimeBuilder::new().build();
        state.enter(&runtime);
        let mut out = Vec::with_capacity(self.source.len() * 2);
        if self.nodes.render_to(&mut out, &runtime).is_err() {
            let unknown = || (0, Stop::Refused("the template stopped".to_owned()));
            let (at, stop) = state.failure().unwrap_or_else(unknown);
            return Err(RenderError::new(&self.source, at, &stop));
        }
        Ok(Rendered { html: String::from_utf8_lossy(&out).into_owned(), steps: state.env.meter.steps() })
    }

    /// What its author should know, at most twenty things, in the order of the source.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}
