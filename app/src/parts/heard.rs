//! Where among many rows an event happened: a table or a form hears all of its own in one place.

use wasm_bindgen::JsCast;
use web_sys::{Element, Event};

/// The row in which an event happened, and its index.
pub(super) fn row_of(event: &Event) -> Option<(usize, Element)> {
    let row = target(event)?.closest("[data-row]").ok()??;
    Some((row.get_attribute("data-row")?.parse().ok()?, row))
}

/// The element at which an event happened.
pub(super) fn target(event: &Event) -> Option<Element> {
    event.target()?.dyn_into().ok()
}
