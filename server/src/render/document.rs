//! The document around what a template made: a style sheet so that plain markup looks well, and the one script of ours.

use sha2::{Digest, Sha256};

const STYLE: &str = include_str!("../../../style/frame.css");
const SCRIPT: &str = include_str!("frame.js");

/// The document of a fragment. Ours stands first, before anything of the caller's can change what it does.
pub(super) fn write(fragment: &str) -> String {
    format!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><title>Context</title>\
         <style>{STYLE}</style><script>{SCRIPT}</script></head><body>{fragment}</body></html>"
    )
}

/// What changes whenever the document would.
pub(super) fn version(fragment: &str) -> String {
    let digest = Sha256::digest(write(fragment));
    digest[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A text as a document, where there is nothing better to show.
pub(super) fn plain(text: &str) -> String {
    write(&format!("<pre>{}</pre>", text.replace('&', "&amp;").replace('<', "&lt;")))
}
