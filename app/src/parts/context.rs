//! How a page shows the context of a request: in the caller's own document, as JSON, or with a word on why not.

use super::frame::Frame;
use leptos::{either::EitherOf4, html, prelude::*, task::spawn_local};
use sayso_domain::sheet::Header;
use wasm_bindgen::JsCast;
use web_sys::HtmlTextAreaElement;

/// What stands above the controls.
#[component]
pub fn ContextView(
    /// How the context is shown.
    header: Header,
) -> impl IntoView {
    match header {
        // Options are no context: the page shows them where they are chosen.
        Header::Nothing | Header::Options { .. } => EitherOf4::A(()),
        Header::Frame { address } => {
            EitherOf4::B(view! { <Frame address title="Context, in the agent's own layout" /> })
        }
        Header::Payload { payload, instead } => EitherOf4::C(view! { <PayloadView payload instead /> }),
        Header::Unshown => EitherOf4::D(view! {
            <p class="remark" role="note">
                "The agent sent a layout for this place that cannot be shown. What you decide on is below, and complete."
            </p>
        }),
    }
}

/// A payload as JSON.
#[component]
fn PayloadView(
    /// What to show; in the browser it stands there already.
    payload: serde_json::Value,
    /// Whether a template should have shown it and could not.
    instead: bool,
) -> impl IntoView {
    #[cfg(feature = "ssr")]
    let json = super::json_html::view(&payload);
    #[cfg(not(feature = "ssr"))]
    let json = {
        drop(payload);
        ""
    };
    let tree = NodeRef::<html::Div>::new();
    let said = RwSignal::new("Copy");
    let alive = RwSignal::new(false);
    Effect::new(move |_| alive.set(true));
    let copy = move |_| {
        let exact = tree.get_untracked().and_then(|tree| tree.query_selector("[data-exact]").ok().flatten());
        let Some(exact) = exact.and_then(|exact| exact.dyn_into::<HtmlTextAreaElement>().ok()) else {
            return;
        };
        spawn_local(async move {
            let copied = copy_text(&exact.value()).await;
            said.set(if copied { "Copied" } else { "Could not copy" });
        });
    };
    view! {
        <section class="payload" aria-label="Context">
            {instead
                .then(|| view! {
                    <p class="remark" role="note">
                        "The agent sent a layout for this that cannot be shown: here is the data itself."
                    </p>
                })}
            <button type="button" class="copy" disabled=move || !alive.get() on:click=copy>{said}</button>
            <div class="json" node_ref=tree inner_html=json></div>
        </section>
    }
}

/// Puts a text into the clipboard; false where the browser does not let this page.
async fn copy_text(text: &str) -> bool {
    // Where a page is not served securely, there is no clipboard at all.
    let clipboard = js_sys::Reflect::get(&window().navigator(), &"clipboard".into());
    let Ok(clipboard) = clipboard.and_then(|clipboard| clipboard.dyn_into::<web_sys::Clipboard>()) else {
        return false;
    };
    wasm_bindgen_futures::JsFuture::from(clipboard.write_text(text)).await.is_ok()
}
