//! The places beside a control where it is told what is wrong with its value, or worth a word.

use sayso_domain::{Faults, Pointer, reveal::to_text};
use web_sys::Element;

/// Those places in one row of a grid or a form.
pub(super) struct Told {
    hint: Option<Element>,
    fault: Option<Element>,
    control: Option<Element>,
}

impl Told {
    pub(super) fn find(row: &Element) -> Self {
        let part = |selector| row.query_selector(selector).ok().flatten();
        Self {
            hint: part(".hint"),
            fault: part(".fault"),
            control: part("[role=group],[role=radiogroup],[data-control]"),
        }
    }

    pub(super) fn hint(&self, words: &str) {
        if let Some(hint) = &self.hint {
            hint.set_text_content(Some(words));
        }
    }

    pub(super) fn fault(&self, fault: Option<&str>) {
        if let Some(place) = &self.fault {
            // It may quote what was found.
            place.set_text_content(Some(&to_text(fault.unwrap_or_default())));
        }
        if let Some(control) = &self.control {
            let _ = match fault {
                Some(_) => control.set_attribute("aria-invalid", "true"),
                None => control.remove_attribute("aria-invalid"),
            };
        }
    }
}

/// The faults that stand beside one of these fields, each with the index of its field.
pub(super) fn beside<'a>(faults: &Faults, names: impl Iterator<Item = &'a str>) -> Vec<(usize, String)> {
    let values = Pointer::root().child("values");
    let places: Vec<Pointer> = names.map(|name| values.child(name)).collect();
    let at = |pointer: &Pointer| places.iter().position(|place| place == pointer);
    faults.iter().filter_map(|fault| Some((at(&fault.pointer)?, fault.message.clone()))).collect()
}

/// What to say of a text in a control, where hidden characters cannot be marked.
pub(super) const HIDDEN: &str = "holds characters that hide or reorder text";
