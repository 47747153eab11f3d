//! The HTML document around a page: rendered on the server only, one document a page, no client router.

use leptos::{either::Either, prelude::*};

/// Where the browser finds what a page loads; each address carries the hash of what it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assets {
    /// What stands before every address of this server: empty, or the path prefix of the public URL.
    pub base: String,
    /// The style sheet.
    pub style: Style,
    /// The icon, as an address that needs no request.
    pub icon: String,
    /// The script that loads the WASM.
    pub js: String,
    /// The WASM.
    pub wasm: String,
}

/// How a page gets its style sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Style {
    /// In the document: 3 KB, packed, for which the first paint need not wait another round trip.
    Inline(String),
    /// From an address, where it can be changed under a living page.
    Linked(String),
}

/// The id of the element that carries a page's data as JSON.
pub const DATA: &str = "sayso-data";
/// The attribute of that element that carries [`Assets::base`].
pub const BASE: &str = "data-base";

/// A document in the making. Its nonce lets what stands inline in it work under the policy of the response.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    /// What the browser calls it.
    pub title: &'a str,
    /// What it loads.
    pub assets: &'a Assets,
    /// 128 bits that no other response carries.
    pub nonce: &'a str,
    /// The script element by which `cargo leptos watch` reloads the page, if it runs.
    pub reload: Option<&'a str>,
}

impl Document<'_> {
    /// A page that stays as it is: `body` as HTML.
    pub fn still(self, body: &str) -> String {
        self.html("", body)
    }

    /// A page that comes alive in the browser: `body` as HTML, `data` as the JSON that it was rendered from.
    pub fn live(self, data: &str, body: &str) -> String {
        let Assets { base, js, wasm, .. } = self.assets.clone();
        // In HTML, only `<` could end the element early; in JSON, it can only stand in a string.
        let data = data.replace('<', "\\u003c");
        // The three names are Leptos's own, for resources that travel in the document; this one has none.
        let boot = format!(
            "globalThis.__RESOLVED_RESOURCES=globalThis.__SERIALIZED_ERRORS=globalThis.__INCOMPLETE_CHUNKS=[];\
             import init,{{hydrate}} from{js:?};await init({{module_or_path:{wasm:?}}});\
             hydrate()"
        );
        let head = view! {
            <link rel="modulepreload" href=js />
            <link rel="preload" href=wasm r#as="fetch" r#type="application/wasm" crossorigin="" />
            <script id=DATA data-base=base r#type="application/json" inner_html=data></script>
            <script r#type="module" nonce=self.nonce.to_owned() inner_html=boot></script>
        };
        self.html(&head.to_html(), body)
    }

    fn html(self, head: &str, body: &str) -> String {
        let nonce = || self.nonce.to_owned();
        let style = match self.assets.style.clone() {
            Style::Inline(css) => Either::Left(view! { <style nonce=nonce() inner_html=css></style> }),
            Style::Linked(address) => Either::Right(view! { <link rel="stylesheet" href=address /> }),
        };
        let start = view! {
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <meta name="robots" content="noindex" />
            <meta name="color-scheme" content="light dark" />
            <title>{self.title.to_owned()}</title>
            <link rel="icon" href=self.assets.icon.clone() />
            {style}
        };
        let reload = self.reload.unwrap_or_default().replacen(
            "<script",
            &format!("<script nonce=\"{}\"", self.nonce),
            1,
        );
        let start = start.to_html();
        format!(
            "<!DOCTYPE html><html lang=\"en\"><head>{start}{head}{reload}</head><body>{body}</body></html>"
        )
    }
}
