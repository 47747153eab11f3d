//! The line at the top of every page.

use leptos::prelude::*;

/// The name of the house, and at the right whatever the page puts there.
#[component]
pub fn Masthead(
    /// What stands at the right.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    view! {
        <header class="top">
            <span class="brand">"sayso"</span>
            <span>"Review"</span>
            {children.map(|children| children())}
        </header>
    }
}
