//! Reads JSON lines `{"template": …, "context": {…}, "now"?: "…"}` and answers each with `{"output": …}` or `{"error": …}`: a way to
//! ask this crate from any other language.
//!
//! The keys of the context are the root variables; `now` is RFC 3339, and otherwise the start of 2026.

use std::io::{BufRead, Write, stdin, stdout};

use jiff::Timestamp;
use sayso_templates::{Budget, Data, Globals, STACK, Template};
use serde::Deserialize;
use serde_json::{Map, Value, json};

#[derive(Deserialize)]
struct Question {
    template: String,
    #[serde(default)]
    context: Map<String, Value>,
    now: Option<String>,
}

fn main() -> std::io::Result<()> {
    // Nothing more than what a render may need, so that asking this program is asking about the stack, too.
    let answers = std::thread::Builder::new().stack_size(STACK).spawn(answer_all)?;
    answers.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

fn answer_all() -> std::io::Result<()> {
    let mut output = stdout().lock();
    for line in stdin().lock().split(b'\n') {
        let answer = match answer(&line?) {
            Ok(html) => json!({ "output": html }),
            Err(error) => json!({ "error": error.to_string() }),
        };
        writeln!(output, "{answer}")?;
    }
    Ok(())
}

fn answer(line: &[u8]) -> Result<String, Box<dyn std::error::Error>> {
    let Question { template, context, now } = serde_json::from_slice(line)?;
    let now: Timestamp = now.as_deref().unwrap_or("2026-01-01T00:00:00Z").parse()?;
    let template = Template::parse(&template)?;
    let mut globals = Globals::new(now, 1);
    for (name, value) in &context {
        globals = globals.with(name, &Data::new(value)?);
    }
    Ok(template.render(&globals, &Budget::default())?.html)
}
