//! What must be said twice in this workspace is the same both times.

use std::path::Path;
use toml::{Table, Value};

fn read(file: &str) -> Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    std::fs::read_to_string(path).unwrap().parse().unwrap()
}

fn leptos(table: &Table) -> &Value {
    &table["workspace"]["metadata"]["leptos"]
}

/// cargo-leptos reads the one, a server that it starts the other.
#[test]
fn leptos_toml_says_what_cargo_toml_says() {
    let (cargo, own) = (read("Cargo.toml"), read("Leptos.toml"));
    assert_eq!(leptos(&own), leptos(&cargo));
    assert_eq!(leptos(&own).as_array().map(Vec::len), Some(1));
}

/// A template engine in the browser would weigh more than the page, and nobody needs one there.
#[test]
fn the_browser_gets_no_template_engine() {
    let tree = std::process::Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--package", "sayso-frontend", "--edges", "normal", "--prefix", "none"])
        .args(["--target", "wasm32-unknown-unknown"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let tree = String::from_utf8(tree.stdout).unwrap();
    assert!(tree.contains("sayso-app"), "{tree}");
    for heavy in ["sayso-templates", "liquid-core", "jiff"] {
        let there = tree.lines().any(|line| line.starts_with(heavy));
        assert!(!there, "{heavy} is in the browser:\n{tree}");
    }
}
