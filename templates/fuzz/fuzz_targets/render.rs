//! Parses and renders whatever comes: the template up to the first NUL, then its context as JSON.
//!
//! From `templates/`: `cargo +nightly fuzz run --sanitizer none render fuzz/corpus/render fuzz/seeds -- -dict=fuzz/liquid.dict
//! -max_len=20480 -rss_limit_mb=1024 -timeout=5`. There is no unsafe code for a sanitizer to watch; without one the stack is as
//! deep as in production.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use sayso_templates::{Budget, Data, Globals, STACK, Template};
use serde_json::{Value, json};

// What a template finds that brings no context of its own.
static CONTEXT: LazyLock<Value> = LazyLock::new(|| {
    json!({
        "s": "a <b>text</b> & more", "u": "é 日本 👩‍👩‍👧", "n": 3, "f": -2.5, "big": 1e300,
        "t": true, "nul": null, "e": "", "d": "2024-03-05T07:08:09.123Z", "a": [3, 1, 2, "x", null, [1, [2]]], "o": {"k": 1, "m": {"n": [1, 2]}},
        "os": [{"k": "b", "n": 2, "on": true}, {"k": "a", "n": 1}, {"n": "1"}],
    })
});

fuzz_target!(|bytes: &[u8]| {
    let (template, context) = match bytes.iter().position(|byte| *byte == 0) {
        Some(end) => (&bytes[..end], serde_json::from_slice::<Value>(&bytes[end + 1..]).ok()),
        None => (bytes, None),
    };
    let Ok(template) = std::str::from_utf8(template) else { return };
    let context = context.as_ref().unwrap_or(&CONTEXT);
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        thread.spawn_scoped(scope, || check(template, context)).expect("a thread").join().expect("no panic");
    });
});

fn check(source: &str, context: &Value) {
    let Ok(template) = Template::parse(source) else { return };
    let mut globals = Globals::new(jiff::Timestamp::UNIX_EPOCH, 1);
    for (name, value) in context.as_object().into_iter().flatten() {
        let Ok(data) = Data::new(value) else { return };
        globals = globals.with(name, &data);
    }
    let budget = Budget::default();
    let first = template.render(&globals, &budget);
    if let Ok(rendered) = &first {
        assert!(rendered.html.len() <= budget.output, "more output than the budget allows");
        assert!(rendered.steps <= budget.steps, "more steps than the budget allows");
        // `tablerow` alone makes markup that is not in the template.
        let markup = source.contains('<') || source.contains("tablerow");
        assert!(markup || !rendered.html.contains('<'), "a value became markup");
    }
    let steps =
        |result: &Result<sayso_templates::Rendered, _>| result.as_ref().ok().map(|rendered| rendered.steps);
    assert_eq!(steps(&first), steps(&template.render(&globals, &budget)), "not the same twice");
}
