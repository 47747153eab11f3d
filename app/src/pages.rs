//! The pages.

mod home;
mod missing;
mod news;
#[cfg(feature = "ssr")]
pub mod people;
mod review;
#[cfg(feature = "ssr")]
pub mod trail;
#[cfg(feature = "ssr")]
pub mod trouble;

pub use home::HomePage;
pub use missing::MissingPage;
pub use review::{ReviewPage, ReviewPageProps};

use leptos::prelude::*;
use sayso_domain::Sheet;

/// The body of a review page as HTML, as the browser will take it over.
pub fn review_html(sheet: Sheet) -> String {
    html(move || view! { <ReviewPage sheet /> })
}

/// The body of the page for a link that leads to no request.
pub fn missing_html() -> String {
    html(|| view! { <MissingPage /> })
}

/// The body of the page at the root, as HTML; `mcp` is the address of the tools.
pub fn home_html(mcp: String) -> String {
    html(move || view! { <HomePage mcp /> })
}

fn html<V: IntoView + 'static>(page: impl FnOnce() -> V) -> String {
    let owner = Owner::new();
    let html = owner.with(|| page().into_view().to_html());
    owner.unset_with_forced_cleanup();
    html
}
