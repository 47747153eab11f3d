//! Given templates with what LiquidJS prints for each.

use serde::Deserialize;
use serde_json::Value;

use crate::render;

#[derive(Deserialize)]
struct Case {
    id: String,
    template: String,
    context: Value,
    /// What LiquidJS prints; `error` where it refuses.
    expected: String,
}

/// The cases that differ on purpose, and why.
const DIFFERENT: [(&str, &str); 2] = [
    ("arr-45", "where_exp: an expression in a string could hold itself"),
    ("tag-44", "block: templates stand alone, so there is no layout to fill"),
];

#[test]
fn every_case_prints_what_liquidjs_prints() {
    let cases: Vec<Case> = include_str!("../cases/liquid.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a case is a line of JSON"))
        .collect();
    assert_eq!(cases.len(), 555);
    let mut wrong = String::new();
    for Case { id, template, context, expected } in cases {
        let found = render(&template, &context);
        let same = found.as_deref().unwrap_or("error") == expected;
        let reason = DIFFERENT.iter().find(|(different, _)| *different == id);
        match reason {
            None if !same => {
                wrong += &format!("{id}: {template:?}\n  expected {expected:?}\n  found    {found:?}\n")
            }
            Some((_, reason)) if same => {
                wrong += &format!("{id} passes, so this is no longer true: {reason}\n")
            }
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
