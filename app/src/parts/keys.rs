//! The keys: which of them mean what, and the dialog that tells.

use leptos::{html, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement, KeyboardEvent};

/// What a key means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Next,
    Previous,
    Include,
    TakeSource(usize),
    KeepCurrent,
    Edit,
    Leave,
    Help,
}

/// The command of a key press, where the focus is not in a text and nothing else claims the key.
pub(super) fn command(event: &KeyboardEvent, in_row: bool) -> Option<Command> {
    let target: Option<Element> = event.target().and_then(|target| target.dyn_into().ok());
    let key = event.key();
    if event.ctrl_key() || event.meta_key() || event.alt_key() || event.default_prevented() {
        return None;
    }
    if in_row && key == "Escape" {
        return Some(Command::Leave);
    }
    if target.is_some_and(|target| {
        is_text(&target) || target.closest("dialog").is_ok_and(|dialog| dialog.is_some())
    }) {
        return None;
    }
    Some(match key.as_str() {
        "j" => Command::Next,
        "k" => Command::Previous,
        "x" => Command::Include,
        "e" => Command::Edit,
        "0" => Command::KeepCurrent,
        "?" => Command::Help,
        digit => Command::TakeSource(digit.parse::<usize>().ok()?.checked_sub(1).filter(|at| *at < 9)?),
    })
}

/// Whether typing into an element means text.
fn is_text(element: &Element) -> bool {
    match element.tag_name().as_str() {
        "TEXTAREA" | "SELECT" => true,
        "INPUT" => element
            .dyn_ref::<HtmlInputElement>()
            .is_some_and(|input| !matches!(input.type_().as_str(), "checkbox" | "radio")),
        _ => false,
    }
}

/// The list of all keys, closed until somebody asks.
#[component]
pub(super) fn KeysDialog(
    /// Where the grid finds it.
    dialog: NodeRef<html::Dialog>,
) -> impl IntoView {
    view! {
        <dialog node_ref=dialog aria-labelledby="keys">
            <form method="dialog">
                <h2 id="keys">"Keys"</h2>
                <dl>
                    <dt><kbd>"j"</kbd></dt><dd>"next row"</dd>
                    <dt><kbd>"k"</kbd></dt><dd>"previous row"</dd>
                    <dt><kbd>"x"</kbd></dt><dd>"include the row, or leave it out"</dd>
                    <dt><kbd>"1"</kbd>"–"<kbd>"9"</kbd></dt><dd>"use that source as proposed value"</dd>
                    <dt><kbd>"0"</kbd></dt><dd>"keep the current value"</dd>
                    <dt><kbd>"e"</kbd></dt><dd>"edit the proposed value"</dd>
                    <dt><kbd>"Esc"</kbd></dt><dd>"back to the row"</dd>
                    <dt><kbd>"Tab"</kbd></dt><dd>"everything else: every button and field"</dd>
                    <dt><kbd>"?"</kbd></dt><dd>"this list"</dd>
                </dl>
                <button>"Close"</button>
            </form>
        </dialog>
    }
}
