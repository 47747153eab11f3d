//! Templates that make careless engines panic, overflow the stack, hang, or take gigabytes. Each ends in a document or an error.
//! How long each takes is measured by `benches/hostile.rs`; here stands only what no machine changes.

use proptest::prelude::*;
use sayso_templates::{Budget, Cause, Data, MAX_SOURCE, Template};
use serde_json::{Value, json};

use crate::hostile_files::{self, Hostile};
use crate::{MEMORY, globals, grammar, on_a_small_stack, render, rendered, words};

/// Far above what the budget lets through, far below what hurts. Whatever the other tests hold at the same time counts, too.
const MEMORY_CAP: usize = 256 << 20;

#[test]
fn every_hostile_template_ends_in_bounded_memory_on_a_small_stack() {
    let all = hostile_files::all();
    assert_eq!(all.len(), 48);
    let mut most = (0, String::new());
    for Hostile { name, template, context } in all {
        MEMORY.reset_peak_usage();
        let first = on_a_small_stack(|| outcome(&template, &context));
        let peak = MEMORY.peak_usage();
        assert!(peak < MEMORY_CAP, "{name} took {peak} bytes");
        let second = on_a_small_stack(|| outcome(&template, &context));
        assert_eq!(first, second, "{name} is not the same twice");
        most = most.max((peak, name));
    }
    println!("most memory: {} bytes by {}", most.0, most.1);
}

/// What is said of a template, and the steps it took: both must be the same whenever and wherever it is rendered.
fn outcome(template: &str, context: &Value) -> (String, u64) {
    let template = match Template::parse(template) {
        Ok(template) => template,
        Err(error) => return (error.to_string(), 0),
    };
    let globals = match globals(context) {
        Ok(globals) => globals,
        Err(error) => return (error, 0),
    };
    match rendered(&template, &globals) {
        Ok(rendered) => {
            let budget = Budget::default();
            assert!(rendered.html.len() <= budget.output && rendered.steps <= budget.steps);
            (rendered.html, rendered.steps)
        }
        Err(error) => (error.to_string(), 0),
    }
}

#[test]
fn a_source_may_be_as_long_as_the_limit_and_no_longer() {
    assert_eq!(render(&"x".repeat(MAX_SOURCE), &json!({})).as_deref(), Ok("x".repeat(MAX_SOURCE).as_str()));
    assert!(Template::parse(&"x".repeat(MAX_SOURCE + 1)).is_err());
}

#[test]
fn a_loop_without_end_is_stopped_by_the_budget() {
    let template =
        Template::parse("{% for i in (1..400000) %}{% for j in (1..10) %}{% endfor %}{% endfor %}")
            .expect("a template");
    let globals = globals(&json!({})).expect("globals");
    let error = rendered(&template, &globals).expect_err("too many steps");
    assert_eq!(error.cause, Cause::Budget);
    assert_eq!(error.line, 1);
}

#[test]
fn data_nested_too_deep_is_refused_without_a_deep_stack() {
    let mut deep = json!(1);
    for _ in 0..100_000 {
        deep = Value::Array(vec![deep]);
    }
    on_a_small_stack(|| assert!(Data::new(&deep).is_err()));
    // serde_json drops a value by recursion: taken apart by hand, it needs no stack.
    while let Value::Array(mut items) = deep {
        deep = items.pop().unwrap_or(Value::Null);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_text_never_panics(text in "\\PC{0,200}") {
        on_a_small_stack(|| drop(render(&text, &json!({"a": [1, "b"]}))));
    }

    #[test]
    fn pieces_of_liquid_never_panic(pieces in prop::collection::vec(prop::sample::select(words::PIECES), 0..60)) {
        let template = pieces.concat();
        on_a_small_stack(|| drop(render(&template, &json!({"a": [1, "b"], "b": {"c": null}}))));
    }

    #[test]
    fn mutated_templates_never_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..80),
        edits in prop::collection::vec(any::<u8>(), 4..20),
    ) {
        let template = grammar::mutated(&grammar::template(&bytes, grammar::PARITY), &edits);
        let context = grammar::context(&bytes, str::to_owned);
        on_a_small_stack(|| drop(render(&template, &context)));
    }
}
