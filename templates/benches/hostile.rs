//! What each hostile template costs: `cargo bench -p sayso-templates --bench hostile`. Fails if one takes a quarter of a second.

#[path = "fixture/cpu.rs"]
mod cpu;
#[path = "../tests/it/hostile_files.rs"]
mod hostile_files;

use std::time::Duration;

use sayso_templates::{Budget, Data, Globals, STACK, Template};
use serde_json::Value;

/// No template may take longer, on a processor of its own.
const CAP: Duration = Duration::from_millis(250);

fn main() {
    println!("{:<36} {:>10} {:>10}  ends in", "template", "convert ms", "render ms");
    let mut slow = Vec::new();
    for hostile in hostile_files::all() {
        let name = hostile.name.clone();
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || {
            let globals = cpu::time(|| globals(&hostile.context));
            // The worst of a few, since the worst is what is promised.
            let run = || cpu::time(|| outcome(&hostile.template, globals.0.as_ref()));
            let worst = (0..5).map(|_| run()).max_by_key(|(_, time)| *time).expect("five runs");
            (globals.1, worst.1, worst.0)
        });
        let (convert, render, outcome) = thread.expect("a thread").join().expect("no panic");
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        println!("{name:<36} {:>10.3} {:>10.3}  {outcome}", milliseconds(convert), milliseconds(render));
        if render >= CAP {
            slow.push(name);
        }
    }
    assert!(slow.is_empty(), "{slow:?} took {CAP:?} or longer");
}

fn globals(context: &Value) -> Option<Globals> {
    let start = Globals::new("2026-01-01T00:00:00Z".parse().expect("a time"), 1);
    context
        .as_object()?
        .iter()
        .try_fold(start, |globals, (name, value)| Some(globals.with(name, &Data::new(value).ok()?)))
}

fn outcome(template: &str, globals: Option<&Globals>) -> String {
    let Some(globals) = globals else { return "data too deep".into() };
    match Template::parse(template) {
        Err(error) => format!("refused at {}:{}", error.line, error.column),
        Ok(template) => match template.render(globals, &Budget::default()) {
            Err(error) => format!("{:?}: {}", error.cause, error.message),
            Ok(rendered) => format!("{} bytes in {} steps", rendered.html.len(), rendered.steps),
        },
    }
}
