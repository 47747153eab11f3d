//! News of a request while its page is open: that it has ended, whoever brought that about.
//!
//! The server tells it by an event. Where a browser, or what is between, does not let events through, the page asks from
//! time to time. A page that nobody looks at listens to nothing: browsers have six connections for all the pages of a
//! server, and the seventh page of a person who keeps many open would not load.

use gloo_timers::callback::Interval;
use leptos::{ev, prelude::*};
use sayso_domain::ReviewId;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::EventSource;

/// How often a page asks that hears nothing.
const ASK_MS: u32 = 15_000;

/// Calls `ask` whenever there may be news of a request, until it is `over`. In the browser only.
pub(super) fn follow(id: ReviewId, over: Signal<bool>, ask: Callback<()>) {
    let base = document().get_element_by_id(crate::document::DATA);
    let base = base.and_then(|data| data.get_attribute(crate::document::BASE)).unwrap_or_default();
    let address = format!("{base}/events?elicitationId={id}");
    let heard = StoredValue::new_local(Closure::<dyn Fn(JsValue)>::new(move |_| ask.run(())));
    let source = StoredValue::new_local(None::<EventSource>);
    let close = move || {
        if let Some(source) = source.try_update_value(Option::take).flatten() {
            source.close();
        }
    };
    let listen = move || {
        close();
        if over.get_untracked() || document().hidden() {
            return;
        }
        let new = EventSource::new(&address).ok();
        if let Some(new) = &new {
            heard.with_value(|heard| {
                let _ = new.add_event_listener_with_callback("ended", heard.as_ref().unchecked_ref());
            });
        }
        source.set_value(new);
    };
    listen();
    let seen = document_event_listener(move || {
        listen();
        if !document().hidden() && !over.get_untracked() {
            // What happened while nobody looked.
            ask.run(());
        }
    });
    let asking = Interval::new(ASK_MS, move || {
        let deaf = source.with_value(|source| {
            source.as_ref().is_none_or(|source| source.ready_state() != EventSource::OPEN)
        });
        if deaf && !over.get_untracked() && !document().hidden() {
            ask.run(());
        }
    });
    let asking = StoredValue::new_local(Some(asking));
    Effect::new(move |_| {
        if over.get() {
            close();
            drop(asking.try_update_value(Option::take));
        }
    });
    on_cleanup(move || {
        close();
        seen.remove();
    });
}

/// Calls `changed` when the page comes into view or goes out of it.
fn document_event_listener(changed: impl Fn() + 'static) -> WindowListenerHandle {
    // The event bubbles from the document to the window.
    window_event_listener(ev::visibilitychange, move |_| changed())
}
