//! The hostile templates of `tests/hostile`, for the tests and for the bench.

use std::path::Path;

use serde_json::{Value, json};

/// A template, and the context that makes it hostile.
pub struct Hostile {
    pub name: String,
    pub template: String,
    pub context: Value,
}

/// All of them, by name.
pub fn all() -> Vec<Hostile> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile");
    let mut all: Vec<_> = std::fs::read_dir(&folder)
        .expect("the folder of hostile templates")
        .map(|entry| entry.expect("an entry of the folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "liquid"))
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let template = std::fs::read_to_string(&path).expect("a template");
            Hostile { context: context(&name, &path.with_extension("json")), name, template }
        })
        .collect();
    all.sort_by(|one, other| one.name.cmp(&other.name));
    all
}

/// The context beside the template, or one too regular to be worth a file of a megabyte.
fn context(name: &str, path: &Path) -> Value {
    match name {
        "49_self_ref_json_array_clone" => json!({"big": vec!["y".repeat(50); 20_000]}),
        "50_uniq_quadratic" => json!({"big": (0..60_000).map(|i| format!("k{i}")).collect::<Vec<_>>()}),
        _ if path.exists() => {
            // Not `from_reader`, which refuses the depth that is the point of one of them.
            let text = std::fs::read_to_string(path).expect("a context");
            serde_json::from_str(&text).expect("a context is JSON")
        }
        _ => json!({}),
    }
}
