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
