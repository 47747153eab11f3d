//! `docs/tools.md` is written from what is published. After a change of a tool: `UPDATE_DOCS=1 ./dev test rust`.

use sayso::mcp::catalogue;
use std::path::Path;

#[test]
fn the_tools_page_tells_what_is_published() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/tools.md");
    let page = catalogue::page();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == page,
        "docs/tools.md is not what the tools' schemas say: run UPDATE_DOCS=1 ./dev test rust"
    );
}
