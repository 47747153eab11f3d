//! The HTML document around a page: rendered on the server only, one document a page, no client router.

use leptos::prelude::*;

/// Where the browser finds what a page loads; each address carries the hash of what it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assets {
    /// What stands before every address of this server: empty, or the path prefix of the public URL.
    pub base: String,
    /// The style sheet.
    pub css: String,
    /// The script that loads the WASM.
    pub js: String,
    /// The WASM.
    pub wasm: String,
}

/// The id of the element that carries a page's data as JSON.
pub const DATA: &str = "sayso-data";
/// The attribute of that element that carries [`Assets::base`].
pub const BASE: &str = "data-base";

/// A page that comes alive in the browser: `body` as HTML, `data` as the JSON that it was rendered from.
///
/// `nonce` lets the one inline script run under the policy of the response.
pub fn live(
    title: &str,
    assets: &Assets,
    nonce: &str,
    reload: Option<String>,
    data: &str,
    body: String,
) -> String {
    // In HTML, only `<` could end the element early; in JSON, it can only stand in a string.
    let data = data.replace('<', "\\u003c");
    let boot = format!(
        "globalThis.__RESOLVED_RESOURCES=globalThis.__SERIALIZED_ERRORS=globalThis.__INCOMPLETE_CHUNKS=[];\
         import init,{{hydrate}} from{js:?};await init({{module_or_path:{wasm:?}}});hydrate()",
        js = assets.js,
        wasm = assets.wasm
    );
    let head = view! {
        <link rel="modulepreload" href=assets.js.clone() />
        <link rel="preload" href=assets.wasm.clone() r#as="fetch" r#type="application/wasm" crossorigin="" />
        <script id=DATA data-base=assets.base.clone() r#type="application/json" inner_html=data></script>
        <script r#type="module" nonce=nonce.to_owned() inner_html=boot></script>
        {reload.map(|script| view! { <script nonce=nonce.to_owned() inner_html=script></script> })}
    };
    document(title, assets, &head.to_html(), body)
}

/// A page that stays as it is.
pub fn still(title: &str, assets: &Assets, body: String) -> String {
    document(title, assets, "", body)
}

fn document(title: &str, assets: &Assets, head: &str, body: String) -> String {
    let start = view! {
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>{title.to_owned()}</title>
        <link rel="icon" href=format!("{}/icon.svg", assets.base) />
        <link rel="stylesheet" href=assets.css.clone() />
    };
    format!(
        "<!DOCTYPE html><html lang=\"en\"><head>{}{head}</head><body>{body}</body></html>",
        start.to_html()
    )
}
