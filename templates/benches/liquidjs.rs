//! This crate beside LiquidJS, in one run and in turns: `cargo bench -p sayso-templates --bench liquidjs`. Needs Node.js and
//! `npm ci --prefix templates/parity`.
//!
//! Both sides are warm (LiquidJS has done thousands of iterations before the first that counts), both are measured by the time
//! they spend on a processor, and each number is the median of many batches.

#[path = "fixture/cpu.rs"]
mod cpu;
mod fixture;

use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use sayso_templates::{Budget, Template};
use serde_json::{Value, json};

/// Batches on each side; one of ours and one of theirs in turn.
const ROUNDS: usize = 21;

fn main() {
    let mut liquidjs = LiquidJs::start();
    println!("{:<34} {:>12} {:>12} {:>8}", "median CPU time, µs", "this crate", "LiquidJS", "ratio");
    for (name, source, context, batch) in [
        ("display, 1 KB", fixture::DISPLAY, fixture::display(), 1_000),
        ("500 rows", fixture::ROWS, fixture::rows(), 40),
    ] {
        let template = Template::parse(source).expect("a template");
        let globals = fixture::globals(&context);
        let budget = Budget::default();
        let html = template.render(&globals, &budget).expect("a document").html;
        let theirs = liquidjs.ask(&json!({"template": source, "context": context}));
        assert_eq!(theirs["output"], html, "both print the same");

        liquidjs
            .compare(&format!("parse {name}"), "parse", 1_000, || drop(Template::parse(black_box(source))));
        liquidjs.compare(&format!("render {name}"), "render", batch, || {
            drop(template.render(black_box(&globals), &budget))
        });
        // LiquidJS reads JavaScript objects as they are; here JSON is converted first, once for all renderings of it.
        liquidjs.compare(&format!("convert and render {name}"), "render", batch, || {
            drop(template.render(&fixture::globals(black_box(&context)), &budget));
        });
    }
}

/// `parity/clock.mjs`, waiting for questions.
struct LiquidJs {
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
    // Ends when its questions do.
    _child: Child,
}

impl LiquidJs {
    fn start() -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("parity/clock.mjs");
        let mut child = Command::new("node")
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("node can be started: Node.js 20 or later is needed");
        let questions = child.stdin.take().expect("a pipe");
        let answers = BufReader::new(child.stdout.take().expect("a pipe"));
        LiquidJs { questions, answers, _child: child }
    }

    fn ask(&mut self, question: &Value) -> Value {
        writeln!(self.questions, "{question}").expect("node listens");
        let mut answer = String::new();
        self.answers.read_line(&mut answer).expect("node answers");
        serde_json::from_str(&answer).expect("node answers in JSON: is LiquidJS installed?")
    }

    /// Prints one line of the table.
    fn compare(&mut self, name: &str, work: &str, count: u32, mut ours: impl FnMut()) {
        let (mut ours_took, mut theirs_took) = (Vec::new(), Vec::new());
        (0..count).for_each(|_| ours());
        for _ in 0..ROUNDS {
            let ((), time) = cpu::time(|| (0..count).for_each(|_| ours()));
            ours_took.push(time.as_secs_f64() * 1e6 / f64::from(count));
            let answer = self.ask(&json!({"work": work, "count": count}));
            theirs_took.push(answer["microseconds"].as_f64().expect("a number"));
        }
        let (ours, theirs) = (median(ours_took), median(theirs_took));
        println!("{name:<34} {ours:>12.1} {theirs:>12.1} {:>7.1}×", theirs / ours);
    }
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
