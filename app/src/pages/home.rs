//! The page at the root: what this is, and how an agent is connected.

use crate::parts::Masthead;
use leptos::prelude::*;

/// Says where the tools are.
#[component]
pub fn HomePage(
    /// The address of the tools.
    mcp: String,
) -> impl IntoView {
    view! {
        <Masthead />
        <main class="notice">
            <h1>"Sayso is running"</h1>
            <p>"An agent asks; a person has the say-so. Connect an agent by MCP over HTTP to"</p>
            <p><code>{mcp}</code></p>
            <p>"It will hand you a link whenever it needs a decision."</p>
        </main>
    }
}
