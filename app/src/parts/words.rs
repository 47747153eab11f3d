//! A stranger's text as a person should see it: isolated, and with marks for what would hide or reorder.

use leptos::prelude::*;
use sayso_domain::reveal::{self, Piece};

/// A text in its own isolate, so that its direction ends where it ends.
///
/// Only the server knows hosts that look like others; the browser leaves what the server wrote as it stands.
#[component]
pub fn Words(
    /// The text, as it came.
    #[prop(into)]
    text: String,
) -> impl IntoView {
    view! { <bdi inner_html=marked(&text)></bdi> }
}

/// A stranger's text as HTML, in an isolate of its own and with its marks.
#[cfg(feature = "ssr")]
pub fn words_html(text: &str) -> String {
    format!("<bdi>{}</bdi>", marked(text))
}

/// The inside of an isolate: the text escaped, with its marks.
pub(super) fn marked(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    if reveal::is_plain(text) {
        escape(text, &mut html);
        return html;
    }
    for piece in reveal::reveal(text) {
        match piece {
            Piece::Plain(text) => escape(text, &mut html),
            Piece::Mark { shown, name, .. } => mark(&shown, name, &mut html),
            Piece::Host { text, punycode } => {
                escape(text, &mut html);
                mark(
                    &punycode,
                    "a host whose letters look like others; this is its name in plain letters",
                    &mut html,
                );
            }
        }
    }
    html
}

fn mark(shown: &str, name: &str, html: &mut String) {
    html.push_str("<mark class=\"hidden-text\" title=\"");
    escape(name, html);
    html.push_str("\">");
    escape(shown, html);
    html.push_str("</mark>");
}

/// Writes a text so that it is text in HTML, in an element or in a quoted attribute.
pub(super) fn escape(text: &str, html: &mut String) {
    for character in text.chars() {
        match character {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            other => html.push(other),
        }
    }
}
