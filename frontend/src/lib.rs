//! The hydrate entry, and nothing else: the page comes alive with the data that it was rendered from.

use leptos::{mount::hydrate_body, prelude::document, server_fn::client::set_server_url};
use sayso_app::{document as names, pages::ReviewPage};
use wasm_bindgen::prelude::wasm_bindgen;

/// Called by the page once the WASM is there.
#[wasm_bindgen]
pub fn hydrate() {
    let Some(data) = document().get_element_by_id(names::DATA) else {
        return;
    };
    let base = data.get_attribute(names::BASE).unwrap_or_default();
    if !base.is_empty() {
        set_server_url(base.leak());
    }
    if let Ok(sheet) = serde_json::from_str(&data.text_content().unwrap_or_default()) {
        hydrate_body(move || ReviewPage(sayso_app::pages::ReviewPageProps { sheet }));
    }
}
