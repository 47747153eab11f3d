//! The frame in which a caller's document is shown: it can do nothing, and of all that it says, only its height is heard.

use leptos::{ev, html, prelude::*};
use std::time::Duration;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// The sandbox of a display frame, exactly; the document's own policy says the same.
pub const SANDBOX: &str = "allow-scripts";

/// Heights between these are believed, in CSS pixels.
const SHORTEST: f64 = 24.0;
const TALLEST: f64 = 12_000.0;

/// Nobody goes from a control of the page into the frame so soon, in milliseconds, but by the Tab key.
const SOON: f64 = 500.0;

/// A caller's document.
///
/// Before the page has come alive it has the height that the style sheet gives, and scrolls. Then it has the height that
/// its document reports, until a caller's own script reports another: a wrong one costs that caller a good look and
/// nobody anything else. A document that takes the keyboard away from a person is shown again without its scripts.
#[component]
pub(super) fn Frame(
    /// Where the document is.
    address: String,
    /// What it is called for those who hear the page.
    title: &'static str,
) -> impl IntoView {
    let frame = NodeRef::<html::Iframe>::new();
    let disarmed = RwSignal::new(false);
    Effect::new(move |_| guard_focus(frame, disarmed));
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
    view! {
        {move || {
            disarmed
                .get()
                .then(|| view! {
                    <p class="remark" role="note">
                        "The agent's layout took the keyboard away from this page. It is now shown without its scripts."
                    </p>
                })
        }}
        <iframe class="display" node_ref=frame src=address sandbox=SANDBOX title=title></iframe>
    }
}

/// Gives the focus back that the frame's document takes from a control of the page, and takes its scripts from it.
///
/// No browser keeps a frame from taking the focus, and whatever is typed would go there. A person goes into the frame by
/// the Tab key, by a pointer that is over it, or at least not at once: what does otherwise is a script.
fn guard_focus(frame: NodeRef<html::Iframe>, disarmed: RwSignal<bool>) {
    let used = StoredValue::new_local(None::<(HtmlElement, f64)>);
    let focused = window_event_listener(ev::focusin, move |event| {
        let control = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
        let control = control.filter(|control| control.tag_name() != "IFRAME");
        used.set_value(control.map(|control| (control, event.time_stamp())));
    });
    let typed = window_event_listener(ev::keydown, move |event| {
        used.update_value(|used| {
            *used = used
                .take()
                .filter(|_| event.key() != "Tab")
                .map(|(control, _)| (control, event.time_stamp()));
        });
    });
    let blurred = window_event_listener(ev::blur, move |event| {
        let now = event.time_stamp();
        // Only afterwards may the page ask for the focus.
        set_timeout(
            move || {
                let Some(frame) = frame.get_untracked().filter(|_| !disarmed.get_untracked()) else { return };
                let taken = document().active_element().is_some_and(|active| active == *frame.as_ref());
                let control = used.with_value(|used| {
                    used.as_ref().filter(|(_, at)| now - at < SOON).map(|(control, _)| control.clone())
                });
                let Some(control) = control.filter(|_| taken && !frame.matches(":hover").unwrap_or(false))
                else {
                    return;
                };
                disarmed.set(true);
                let _ = frame.set_attribute("sandbox", "");
                // Moved, even to where it is, a frame begins anew.
                let _ = frame
                    .parent_node()
                    .map(|parent| parent.insert_before(&frame, frame.next_sibling().as_ref()));
                let _ = control.focus();
            },
            Duration::ZERO,
        );
    });
    on_cleanup(move || {
        focused.remove();
        typed.remove();
        blurred.remove();
    });
}
