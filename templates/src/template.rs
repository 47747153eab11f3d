//! A template, parsed once and rendered as often as there is data.

use std::rc::Rc;

use liquid_core::runtime::{Renderable, RuntimeBuilder, Template as Block};

use crate::budget::{Budget, Meter, Stop};
use crate::env::Env;
use crate::error::{ParseError, RenderError, malformed};
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
        // Texts alone were written, so that this only ever takes the bytes as they are.
        let html = String::from_utf8(out)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        Ok(Rendered { html, steps: state.env.meter.steps() })
    }

    /// What its author should know, at most twenty things, in the order of the source.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use serde_json::json;

    use super::*;
    use crate::expression::MAX_DEPTH as MAX_BRACKETS;
    use crate::parser::MAX_BLOCKS;
    use crate::scope::Data;
    use crate::value::MAX_DEPTH as MAX_NESTED;

    /// Every block, and what closes it.
    const BLOCKS: [(&str, &str); 8] = [
        ("{% if yes %}", "{% endif %}"),
        ("{% unless no %}", "{% endunless %}"),
        ("{% if no %}{% elsif yes %}", "{% else %}{% endif %}"),
        ("{% case 1 %}{% when 1 %}", "{% endcase %}"),
        ("{% for i in (1..1) %}", "{% endfor %}"),
        ("{% for i in no %}{% else %}", "{% endfor %}"),
        ("{% tablerow i in (1..1) cols: 1 %}", "{% endtablerow %}"),
        ("{% capture c %}", "{% endcapture %}{{ c }}"),
    ];

    /// As deep as anything may be: brackets and parentheses in each other, and values in values.
    fn innermost() -> Vec<String> {
        let nested = |open: &str, inside: &str, close: &str| {
            format!("{{{{ {}{inside}{} }}}}", open.repeat(MAX_BRACKETS), close.repeat(MAX_BRACKETS))
        };
        let mut deep =
            vec![nested("same[", "'same'", "]"), nested("(1..", "2", ")"), nested("(", "1", "..2)")];
        deep.extend([nested("same[", "deep", "]"), nested("(1..", "deep", ")")]);
        deep.extend(["json: 2", "join", "inspect", "flatten"].map(|name| format!("{{{{ deep | {name} }}}}")));
        deep.extend(
            ["uniq", "sort", "sum", "sort_natural", "compact", "strip_html"]
                .map(|name| format!("{{{{ deep | concat: other | {name} | size }}}}")),
        );
        deep.push("{{ deep == other and deep contains other }}{{ deep }}".to_owned());
        deep
    }

    fn on_a_thread(stack: usize, work: impl FnOnce() + Send + 'static) {
        let thread = std::thread::Builder::new().stack_size(stack).spawn(work).expect("a thread");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    }

    #[test]
    fn the_deepest_template_needs_no_more_stack_than_is_told() {
        on_a_thread(STACK, || {
            let deep = (1..MAX_NESTED).fold(json!([1]), |inside, _| json!([inside]));
            let deep = Data::new(&deep).expect("as deep as it may be");
            let word = |word: &str| Data::new(&json!(word)).expect("flat");
            let globals = Globals::new(Timestamp::UNIX_EPOCH, 0)
                .with("yes", &word("yes"))
                .with("same", &Data::new(&json!({ "same": "same" })).expect("flat"))
                .with("deep", &deep)
                .with("other", &deep.clone());
            for (open, close) in BLOCKS {
                for inside in innermost() {
                    let source = format!("{}{inside}{}", open.repeat(MAX_BLOCKS), close.repeat(MAX_BLOCKS));
                    let template =
                        Template::parse(&source).unwrap_or_else(|error| panic!("{error}: {source}"));
                    if let Err(error) = template.render(&globals, &Budget::default()) {
                        panic!("{error}: {source}");
                    }
                    let deeper = format!("{open}{source}{close}");
                    let error = Template::parse(&deeper).expect_err("a block too deep");
                    assert!(error.message.contains("nest more than"), "{error}");
                }
            }
        });
    }

    #[test]
    fn a_range_is_refused_before_it_is_made() {
        let budget = Budget { steps: u64::MAX, ..Budget::default() };
        let globals = Globals::new(Timestamp::UNIX_EPOCH, 0);
        for source in ["{{ (1..1000000000000000) | size }}", "{% for i in (-99999999999..0) %}{% endfor %}"] {
            let template = Template::parse(source).expect("a template");
            let error = template.render(&globals, &budget).expect_err("too much memory");
            assert_eq!((error.column, error.cause), (1, crate::error::Cause::Budget));
            assert!(error.message.contains("bytes of values"), "{error}");
        }
    }

    #[test]
    fn templates_and_data_go_from_thread_to_thread() {
        fn shared<T: Send + Sync>() {}
        shared::<Template>();
        shared::<Data>();
        shared::<Globals>();
    }
}
