//! The frame in which a caller's document is shown: it can do nothing, and of all that it says, only its height is heard.

use leptos::{ev, html, prelude::*};

/// The sandbox of a display frame, exactly; the document's own policy says the same.
pub const SANDBOX: &str = "allow-scripts";

/// Heights between these are believed, in CSS pixels.
const SHORTEST: f64 = 24.0;
const TALLEST: f64 = 12_000.0;

/// A caller's document.
///
/// Before the page has come alive it has the height that the style sheet gives, and scrolls. Then it has the height that
/// its document reports, until a caller's own script reports another: a wrong one costs that caller a good look and
/// nobody anything else.
#[component]
pub(super) fn Frame(
    /// Where the document is.
    address: String,
    /// What it is called for those who hear the page.
    title: &'static str,
) -> impl IntoView {
    let frame = NodeRef::<html::Iframe>::new();
    // Effects run in the browser only, where there is a window to listen to.
    Effect::new(move |_| {
        let told = StoredValue::new(None::<f64>);
        let listener = window_event_listener(ev::message, move |event| {
            // Every sandboxed document says that its origin is "null": only the window tells which one speaks.
            let ours = frame.get_untracked().and_then(|frame| frame.content_window());
            let (Some(ours), Some(speaks)) = (ours, event.source()) else { return };
            let height = event.data().as_f64().filter(|height| height.is_finite());
            let Some(height) = height.filter(|_| js_sys::Object::is(&speaks, &ours)) else { return };
            let height = height.clamp(SHORTEST, TALLEST);
            // A flood of messages costs one layout a frame.
            if told.try_update_value(|told| told.replace(height)).flatten().is_none() {
                request_animation_frame(move || {
                    let height = told.try_update_value(Option::take).flatten();
                    if let Some((height, frame)) = height.zip(frame.get_untracked()) {
                        let style = web_sys::HtmlElement::style(&frame);
                        let _ = style.set_property("height", &format!("{height}px"));
                    }
                });
            }
        });
        on_cleanup(move || listener.remove());
        // It may have spoken before anybody listened.
        if let Some(window) = frame.get().and_then(|frame| frame.content_window()) {
            let _ = window.post_message(&wasm_bindgen::JsValue::NULL, "*");
        }
    });
    view! { <iframe class="display" node_ref=frame src=address sandbox=SANDBOX title=title></iframe> }
}
