//! The page for a link that leads to no request.

use crate::parts::Masthead;
use leptos::prelude::*;

/// Says that there is no such request, and what may have happened.
#[component]
pub fn MissingPage() -> impl IntoView {
    view! {
        <Masthead />
        <main class="notice">
            <h1>"No such request"</h1>
            <p>
                "This link leads to no request on this server. It may be cut short: copy it whole, or ask the agent for \
                 it again."
            </p>
        </main>
    }
}
