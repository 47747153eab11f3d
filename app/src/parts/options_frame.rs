//! The frame in which options are chosen. No script runs in it: a form of the server's own decides, with or without this page.

use leptos::prelude::*;

/// The sandbox of the frame, exactly; the document's own policy says the same.
pub const OPTIONS_SANDBOX: &str = "allow-forms";

/// The options of a selection.
#[component]
pub fn OptionsFrame(
    /// Where their document is.
    address: String,
    /// How many options there are.
    count: u64,
    /// Whether it keeps room for more about an option.
    detailed: bool,
) -> impl IntoView {
    // Without a script, a document cannot tell how tall it is: so it gets room for its rows, up to what a window holds,
    // and scrolls beyond that.
    let height = (count.min(30) * 42 + if detailed { 254 } else { 150 }).to_string();
    view! { <iframe class="options" src=address sandbox=OPTIONS_SANDBOX title="Options" height=height></iframe> }
}
