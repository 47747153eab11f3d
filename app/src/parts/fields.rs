//! The fields of a form alive: what a person has entered, and what is wrong with it.
//!
//! Like the rows of the grid, they are written by the server and taken over here: all events of the form are heard in
//! one place. A fault shows once its field has been left, or somebody tried to submit.

use super::{
    control::Shape,
    hand,
    heard::{row_of, target},
    told::{HIDDEN, Told, beside},
};
use leptos::{html, prelude::*};
use sayso_domain::{
    Faults, Pointer,
    approval::Draft,
    form::{Field, Form},
    reveal,
};
use serde_json::Value;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, HtmlInputElement, KeyboardEvent};

/// The fields of one form, and the element that holds them.
#[derive(Clone, Copy)]
pub(super) struct Fields {
    form: StoredValue<Form>,
    states: StoredValue<Vec<FieldState>>,
    pub(super) element: NodeRef<html::Div>,
    /// Whether a pointer is pressed on the sheet, and which fields were left by that.
    press: StoredValue<Option<Vec<usize>>>,
}

/// What stands in a field.
#[derive(Clone, Copy)]
struct FieldState {
    value: RwSignal<Option<Value>>,
    /// Whether the person has been here, so that what is wrong may be told.
    visited: RwSignal<bool>,
    /// What the server said against the value; gone with the next change of it.
    refused: RwSignal<Option<String>>,
}

impl Fields {
    pub(super) fn new(form: Form) -> Self {
        let state = |field: &Field| FieldState {
            value: RwSignal::new(field.default.clone()),
            visited: RwSignal::new(false),
            refused: RwSignal::new(None),
        };
        let states = form.fields().iter().map(state).collect();
        Self {
            form: StoredValue::new(form),
            states: StoredValue::new(states),
            element: NodeRef::new(),
            press: StoredValue::new(None),
        }
    }

    /// The fields as they start.
    #[cfg(feature = "ssr")]
    pub(super) fn html(self) -> String {
        self.form.with_value(super::fields_html::fields)
    }

    /// The draft of what stands in the fields, or what is wrong.
    pub(super) fn draft(self) -> Result<Draft, Faults> {
        let entered = self.all(|state| state.value.get_untracked());
        self.form.with_value(|form| form.draft(entered))
    }

    /// Takes over the fields: shows what only a browser knows, and follows each.
    pub(super) fn take_over(self) {
        for index in 0..self.states.with_value(Vec::len) {
            let Some(element) = self.row(index) else { continue };
            let state = self.state(index);
            self.form.with_value(|form| {
                let (field, value) = (&form.fields()[index], state.value.get_untracked());
                match Shape::of(field) {
                    Shape::Instant => hand::show_zone(&element, value.as_ref()),
                    Shape::Tick if value.is_none() => hand::write(field, &element, None),
                    _ => {}
                }
            });
            self.follow(index, &element);
        }
    }

    /// Keeps true what is told beside a field.
    fn follow(self, index: usize, element: &Element) {
        let told = StoredValue::new_local(Told::find(element));
        let state = self.state(index);
        Effect::new(move |before: Option<(&'static str, Option<String>)>| {
            let (value, visited) = (state.value.get(), state.visited.get());
            let now = self.form.with_value(|form| {
                let field = &form.fields()[index];
                let fault = fault(field, value.as_ref()).filter(|_| visited).or_else(|| state.refused.get());
                let hint = match &value {
                    Some(Value::String(text)) if !reveal::is_plain(text) => HIDDEN,
                    value if fault.is_none() && !hand::seems_to_match(field, value.as_ref()) => {
                        "may not match the pattern that is asked for"
                    }
                    _ => "",
                };
                (hint, fault)
            });
            let (hint, fault) = before.as_ref().map_or(("", &None), |(hint, fault)| (*hint, fault));
            told.with_value(|told| {
                if now.0 != hint {
                    told.hint(now.0);
                }
                if now.1 != *fault {
                    told.fault(now.1.as_deref());
                }
            });
            now
        });
    }

    pub(super) fn edited(self, event: &Event) {
        let Some((index, row)) = row_of(event) else { return };
        let target = target(event);
        if let Some(filter) = target
            .as_ref()
            .and_then(|target| target.dyn_ref::<HtmlInputElement>())
            .filter(|input| input.has_attribute("data-filter"))
        {
            hand::filter(&row, &filter.value());
            return;
        }
        let state = self.state(index);
        let value = self.form.with_value(|form| {
            let field = &form.fields()[index];
            field.entered(hand::read(field, &row, state.value.get_untracked().as_ref()))
        });
        state.refused.set(None);
        state.value.set(value);
    }

    /// The focus left a control: from now on its field tells what is wrong.
    ///
    /// Not while a pointer is pressed: what is told takes room, and the button under the pointer would move away before
    /// the click.
    pub(super) fn left(self, event: &Event) {
        let Some((index, _)) = row_of(event) else { return };
        let waits = |left: &mut Option<Vec<usize>>| left.as_mut().map(|left| left.push(index)).is_some();
        if self.press.try_update_value(waits) != Some(true) {
            self.state(index).visited.set(true);
        }
    }

    /// A pointer was pressed on the sheet.
    pub(super) fn pressed(self) {
        self.press.set_value(Some(Vec::new()));
    }

    /// It is pressed no longer; a click is the last that one does.
    pub(super) fn released(self) {
        let left = self.press.try_update_value(Option::take).flatten();
        left.into_iter().flatten().for_each(|index| self.state(index).visited.set(true));
    }

    /// A digit picks that option where the options are all on view.
    pub(super) fn key(self, event: &KeyboardEvent) {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        let Some((_, row)) = row_of(event) else { return };
        let on_radio = target(event)
            .and_then(|target| target.dyn_into::<HtmlInputElement>().ok())
            .is_some_and(|input| input.type_() == "radio");
        let Some(at) = event.key().parse::<u32>().ok().and_then(|digit| digit.checked_sub(1)) else { return };
        let radios = row.query_selector_all("[data-control]").ok().filter(|_| on_radio);
        let option = radios.and_then(|radios| radios.item(at)?.dyn_into::<HtmlElement>().ok());
        if let Some(option) = option {
            event.prevent_default();
            option.click();
            let _ = option.focus();
        }
    }

    /// Tells what is wrong, and brings the person to the first field of it.
    pub(super) fn complain(self, faults: &Faults, complaint: RwSignal<Option<String>>) {
        self.all(|state| state.visited.set(true));
        let found = self.fields_of(faults);
        complaint.set(match (found.as_slice(), faults.iter().next()) {
            ([(index, message)], _) => {
                Some(self.form.with_value(|form| format!("{}: {message}", form.fields()[*index].label())))
            }
            ([], Some(fault)) => Some(fault.message.clone()),
            (many, _) => Some(format!("{} fields need another look", many.len())),
        });
        if let Some(row) = found.first().and_then(|(index, _)| self.row(*index)) {
            hand::focus(&row);
        }
    }

    /// Shows beside their fields the faults that only the server found.
    pub(super) fn mark(self, faults: &Faults) {
        for (index, message) in self.fields_of(faults) {
            self.state(index).refused.set(Some(message));
        }
    }

    fn fields_of(self, faults: &Faults) -> Vec<(usize, String)> {
        self.form.with_value(|form| beside(faults, form.fields().iter().map(|field| field.name.as_str())))
    }

    fn state(self, index: usize) -> FieldState {
        self.states.with_value(|states| states[index])
    }

    fn all<T>(self, each: impl FnMut(&FieldState) -> T) -> Vec<T> {
        self.states.with_value(|states| states.iter().map(each).collect())
    }

    fn row(self, index: usize) -> Option<Element> {
        self.element.get_untracked()?.children().item(u32::try_from(index).ok()?)
    }
}

/// What is wrong with what stands in a field.
fn fault(field: &Field, value: Option<&Value>) -> Option<String> {
    let at = Pointer::root();
    match value {
        Some(value) => field.check(value, &at),
        None if field.required => Some(field.missing(&at)),
        None => None,
    }
    .map(|fault| fault.message)
}
