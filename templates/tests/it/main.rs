//! Everything that shows this crate right and safe: given cases, LiquidJS itself, hostile templates, and generated ones.

mod cases;
mod escaping;
mod grammar;
mod hostile;
mod hostile_files;
mod parity;
mod promises;
mod words;

use jiff::Timestamp;
use sayso_templates::{Budget, Data, Globals, RenderError, Rendered, STACK, Template};
use serde_json::Value;

// Every allocation of this binary passes through here, so that a test can say how much a template took.
#[global_allocator]
static MEMORY: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

/// The time that generated and given templates take for now: the start of 2026.
const NOW: &str = "2026-01-01T00:00:00Z";

/// Globals with each key of the context as a root variable.
fn globals(context: &Value) -> Result<Globals, String> {
    let now: Timestamp = NOW.parse().expect("a valid time");
    let mut globals = Globals::new(now, 1);
    for (name, value) in context.as_object().into_iter().flatten() {
        globals = globals.with(name, &Data::new(value).map_err(|error| error.to_string())?);
    }
    Ok(globals)
}

fn rendered(template: &Template, globals: &Globals) -> Result<Rendered, RenderError> {
    // The backstop is real time, and a slow machine is no finding.
    let budget = Budget { deadline: std::time::Duration::from_secs(600), ..Budget::default() };
    template.render(globals, &budget)
}

/// The document, or why there is none.
fn render(template: &str, context: &Value) -> Result<String, String> {
    let template = Template::parse(template).map_err(|error| error.to_string())?;
    rendered(&template, &globals(context)?).map(|rendered| rendered.html).map_err(|error| error.to_string())
}

/// Runs `work` with no more stack than a render may need. Panics if it does.
fn on_a_small_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread =
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).expect("a thread");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
