//! One row of the grid alive: what a person has made of it, and how that looks.

use super::{
    hand,
    told::{HIDDEN, Told},
};
use leptos::prelude::*;
use sayso_domain::{
    proposal::{Entry, Grid, Move, Row},
    reveal,
};
use serde_json::Value;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement};

/// What a person has made of one row: a signal for each half, so that a keystroke does not touch the counter.
#[derive(Clone, Copy)]
pub(super) struct RowState {
    pub(super) proposed: RwSignal<Option<Value>>,
    pub(super) included: RwSignal<bool>,
    /// What the server said against the proposed value; gone with the next change of it.
    pub(super) refused: RwSignal<Option<String>>,
}

impl RowState {
    pub(super) fn new(Entry { proposed, included }: Entry) -> Self {
        Self {
            proposed: RwSignal::new(proposed),
            included: RwSignal::new(included),
            refused: RwSignal::new(None),
        }
    }

    /// What the row holds, without following its changes.
    pub(super) fn entry(self) -> Entry {
        Entry { proposed: self.proposed.get_untracked(), included: self.included.get_untracked() }
    }

    fn followed(self) -> Entry {
        Entry { proposed: self.proposed.get(), included: self.included.get() }
    }

    /// Makes a move, and shows it in the row's control unless it came from there.
    pub(super) fn make(self, row: &Row, element: Option<&Element>, made: Move) {
        // Accept All and Reject All make this one on every row, and no value moves.
        if let Move::Include(include) = made {
            let included = row.ticked(include);
            if included != self.included.get_untracked() {
                self.included.set(included);
            }
            return;
        }
        let typed = matches!(made, Move::Propose(_));
        let before = self.entry();
        let mut after = before.clone();
        row.make(&mut after, made);
        if after.included != before.included {
            self.included.set(after.included);
        }
        if after.proposed != before.proposed {
            if let Some(element) = element.filter(|_| !typed) {
                hand::write(&row.field, element, after.proposed.as_ref());
            }
            self.refused.set(None);
            self.proposed.set(after.proposed);
        }
    }

    /// Keeps a row's looks true from now on.
    pub(super) fn follow(self, grid: StoredValue<Grid>, index: usize, element: Element) {
        let include = element.query_selector("[data-include]").ok().flatten();
        let include = include.and_then(|include| include.dyn_into::<HtmlInputElement>().ok());
        let told = Told::find(&element);
        let parts = StoredValue::new_local((element, told, include));
        Effect::new(move |before: Option<Look>| {
            let entry = self.followed();
            let mut look = grid.with_value(|grid| Look::of(&grid.rows[index], &entry));
            look.fault = look.fault.or_else(|| self.refused.get());
            let matches = || {
                grid.with_value(|grid| hand::seems_to_match(&grid.rows[index].field, entry.proposed.as_ref()))
            };
            if look.hint.is_empty() && look.fault.is_none() && !matches() {
                look.hint = "may not match the pattern that is asked for";
            }
            // At first the row looks as the server wrote it.
            let Some(before) = before else { return look };
            parts.with_value(|(row, told, include)| {
                if look.class != before.class {
                    row.set_class_name(look.class);
                    if let Some(include) = include {
                        include.set_checked(entry.included);
                    }
                }
                if look.hint != before.hint {
                    told.hint(look.hint);
                }
                if look.fault != before.fault {
                    told.fault(look.fault.as_deref());
                }
            });
            look
        });
    }
}

/// How a row looks, beside what its controls hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Look {
    /// `changed` where it will change the record, `out` where it is left out.
    pub(super) class: &'static str,
    pub(super) hint: &'static str,
    pub(super) fault: Option<String>,
}

impl Look {
    pub(super) fn of(row: &Row, entry: &Entry) -> Self {
        let proposed = entry.proposed.as_ref();
        let class = match (entry.included, row.changes(proposed)) {
            (true, true) => "changed",
            (true, false) => "",
            (false, _) => "out",
        };
        let edited = proposed != row.field.default.as_ref() && row.changes(proposed);
        let hint = if row.removes(proposed) {
            "removes the current value"
        } else if edited && !entry.included {
            "edited, but not included"
        } else if proposed.and_then(Value::as_str).is_some_and(|text| !reveal::is_plain(text)) {
            HIDDEN
        } else {
            ""
        };
        Self { class, hint, fault: row.fault(entry).map(|fault| fault.message) }
    }
}
