//! What a person says beside the decision: a box that the server writes, and that is read when a decision is sent.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlTextAreaElement;

const ID: &str = "comment";

/// Whether a refusal has to say why: a context for whoever writes the box.
#[cfg(feature = "ssr")]
#[derive(Clone, Copy)]
pub(crate) struct Needed(pub(crate) bool);

/// Where a comment is typed.
#[component]
pub(super) fn CommentBox() -> impl IntoView {
    #[cfg(feature = "ssr")]
    let html = {
        let needed = use_context::<Needed>().is_some_and(|Needed(needed)| needed);
        let when = if needed { "needed to refuse" } else { "optional" };
        format!(
            "<label for=\"{ID}\">Comment <span>({when})</span></label><textarea id=\"{ID}\" rows=\"1\" maxlength=\"{}\" \
             autocomplete=\"off\"></textarea>",
            sayso_domain::Comment::CHARACTERS
        )
    };
    // It stands in the document already; hydration leaves it as it is.
    #[cfg(not(feature = "ssr"))]
    let html = "";
    view! { <div class="comment" inner_html=html></div> }
}

/// What is typed there.
pub(crate) fn typed() -> String {
    let there =
        document().get_element_by_id(ID).and_then(|there| there.dyn_into::<HtmlTextAreaElement>().ok());
    there.map(|there| there.value()).unwrap_or_default()
}
