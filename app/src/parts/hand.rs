//! The hand on a control, in the browser.
//!
//! A control owns its own text while a person types: [`read`] makes a value of what it shows, [`write`] shows a value
//! that came from elsewhere (a source, the record, the agent's proposal). Nothing is written back while typing, so
//! that `5.` on the way to `5.5` stays as it is. A value that a control cannot show stands in the row's fault.

use super::{
    cell,
    control::{Shape, options, tick_words, zone, zone_of},
};
use leptos::prelude::document;
use sayso_domain::{
    calendar::DateTime,
    form::{Field, Kind, Text},
    number,
    reveal::to_text,
};
use serde_json::Value;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    Element, HtmlElement, HtmlInputElement, HtmlOptionElement, HtmlSelectElement, HtmlTextAreaElement,
    NodeList,
};

/// The value that the control in this row shows; `before` is what it held until now, whose offset an edited instant
/// keeps.
pub(super) fn read(field: &Field, row: &Element, before: Option<&Value>) -> Option<Value> {
    let shape = Shape::of(field);
    match shape {
        Shape::Line | Shape::Lines | Shape::Day | Shape::Select | Shape::Digits | Shape::Instant => {
            let text = text_of(&control(row)?);
            match shape {
                _ if text.is_empty() => field.emptied(),
                Shape::Digits => Some(number::typed(&text).map_or(Value::from(text), Value::Number)),
                Shape::Instant => {
                    let value = Value::from(instant(&text, before));
                    show_zone(row, Some(&value));
                    Some(value)
                }
                _ => Some(text.into()),
            }
        }
        Shape::Tick => {
            // A click on a native checkbox knows two states; the third comes after "No", where unset is allowed.
            let next = match before.and_then(Value::as_bool) {
                None => Some(true),
                Some(true) => Some(false),
                Some(false) if field.required => Some(true),
                Some(false) => None,
            };
            let value = next.map(Value::from);
            write(field, row, value.as_ref());
            value
        }
        Shape::Radios => ticked(row).into_iter().next().map(Value::from),
        Shape::Ticks => Some(ticked(row).into()),
    }
}

/// Shows a value that did not come from this control.
pub(super) fn write(field: &Field, row: &Element, value: Option<&Value>) {
    let shape = Shape::of(field);
    match shape {
        Shape::Line | Shape::Lines | Shape::Digits | Shape::Day | Shape::Instant | Shape::Select => {
            let Some(control) = control(row) else { return };
            let text = shape.text(value);
            if let Some(input) = control.dyn_ref::<HtmlInputElement>() {
                if text.contains('.') && shape == Shape::Instant {
                    input.set_step("0.001");
                }
                input.set_value(&text);
            } else if let Some(area) = control.dyn_ref::<HtmlTextAreaElement>() {
                area.set_value(&text);
            } else if let Some(select) = control.dyn_ref::<HtmlSelectElement>() {
                select_value(select, &text);
            }
            if shape == Shape::Instant {
                show_zone(row, value);
            }
        }
        Shape::Tick => {
            let on = value.and_then(Value::as_bool);
            if let Some(input) = control(row).and_then(|control| control.dyn_into::<HtmlInputElement>().ok())
            {
                input.set_checked(on == Some(true));
                input.set_indeterminate(on.is_none());
            }
            if let Ok(Some(words)) = row.query_selector(".tick .words") {
                words.set_text_content(Some(tick_words(on)));
            }
        }
        Shape::Radios | Shape::Ticks => {
            let picked = |option: &str| match value {
                Some(Value::String(one)) => one == option,
                Some(Value::Array(picks)) => picks.iter().any(|pick| pick == option),
                _ => false,
            };
            for input in controls(row) {
                input.set_checked(picked(&input.value()));
            }
            show_strangers(field, row, value);
        }
    }
}

/// Shows in an instant's row which zone its wall clock is in; where there is no value yet, the browser's own.
pub(super) fn show_zone(row: &Element, value: Option<&Value>) {
    if let Ok(Some(label)) = row.query_selector(".zone") {
        let yours = || zone(&local_offset(&js_sys::Date::new_0()));
        label.set_text_content(Some(&zone_of(value).unwrap_or_else(yours)));
    }
}

/// Whether a text seems to match its field's pattern. The browser's own expressions differ from the server's, whose
/// word is final: this is worth a hint, and where the browser does not understand the pattern, nothing.
pub(super) fn seems_to_match(field: &Field, value: Option<&Value>) -> bool {
    let (Kind::Text(Text { pattern: Some(pattern), .. }), Some(Value::String(text))) = (&field.kind, value)
    else {
        return true;
    };
    let arguments = js_sys::Array::of2(&pattern.source().into(), &"u".into());
    let expression = js_sys::Reflect::get(&js_sys::global(), &"RegExp".into()).and_then(|constructor| {
        js_sys::Reflect::construct(constructor.unchecked_ref::<js_sys::Function>(), &arguments)
    });
    expression.map_or(true, |expression| expression.unchecked_into::<js_sys::RegExp>().test(text))
}

/// Hides the options of a long list that do not hold what is typed into its filter.
pub(super) fn filter(row: &Element, typed: &str) {
    // The browser folds case; Rust's own tables for that would weigh more than this whole file.
    let fold = |text: &str| String::from(js_sys::JsString::from(text).to_lower_case());
    let typed = fold(typed);
    for label in all(row, ".options label") {
        let text = fold(&label.text_content().unwrap_or_default());
        if let Some(label) = label.dyn_ref::<HtmlElement>() {
            label.set_hidden(!text.contains(&typed));
        }
    }
}

/// Puts the focus into the control of a row.
pub(super) fn focus(row: &Element) {
    let ticked = row.query_selector("[data-control]:checked").ok().flatten();
    if let Some(control) =
        ticked.or_else(|| control(row)).and_then(|control| control.dyn_into::<HtmlElement>().ok())
    {
        let _ = control.focus();
    }
}

/// The instant whose wall clock reads so, in the offset of what stood there before, else in the browser's own zone.
fn instant(wall: &str, before: Option<&Value>) -> String {
    let seconds = if wall.len() == "2026-03-01T10:00".len() { ":00" } else { "" };
    let kept = before.and_then(Value::as_str).and_then(DateTime::parse).map(|at| at.offset.to_owned());
    // A date-time without offset is local time to the browser, daylight saving on that very day included.
    let offset = kept.unwrap_or_else(|| local_offset(&js_sys::Date::new(&JsValue::from_str(wall))));
    format!("{wall}{seconds}{offset}")
}

fn local_offset(at: &js_sys::Date) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "minutes of a day")]
    let east = -(at.get_timezone_offset() as i32);
    let sign = if east < 0 { '-' } else { '+' };
    format!("{sign}{:02}:{:02}", east.abs() / 60, east.abs() % 60)
}

/// Picks that are no options (copied from a source) stay on view as ticks of their own, so that they can be unticked.
fn show_strangers(field: &Field, row: &Element, value: Option<&Value>) {
    for stranger in all(row, "[data-stranger]") {
        stranger.remove();
    }
    let (Some(Value::Array(picks)), Ok(Some(list))) = (value, row.query_selector(".options")) else {
        return;
    };
    let document = document();
    for pick in picks
        .iter()
        .map(cell::plain)
        .filter(|pick| !options(field).iter().any(|option| option.value == *pick))
    {
        let (Ok(label), Ok(input), Ok(words)) = (
            document.create_element("label"),
            document.create_element("input"),
            document.create_element("span"),
        ) else {
            return;
        };
        let _ = label.set_attribute("data-stranger", "");
        for (name, value) in
            [("type", "checkbox"), ("data-control", ""), ("value", pick.as_str()), ("checked", "")]
        {
            let _ = input.set_attribute(name, value);
        }
        words.set_text_content(Some(&format!("{} (not an option)", to_text(&pick))));
        let _ = label
            .append_child(&input)
            .and_then(|_| label.append_child(&words))
            .and_then(|_| list.append_child(&label));
    }
}

/// Selects an option; a value that is none of them stands in the list as what it is.
fn select_value(select: &HtmlSelectElement, text: &str) {
    if let Ok(Some(stranger)) = select.query_selector("[data-stranger]") {
        stranger.remove();
    }
    select.set_value(text);
    if select.selected_index() < 0
        && let Ok(option) =
            HtmlOptionElement::new_with_text_and_value(&format!("{} (not an option)", to_text(text)), text)
    {
        let _ = option.set_attribute("data-stranger", "");
        let _ = select.append_child(&option);
        select.set_value(text);
    }
}

fn text_of(control: &Element) -> String {
    if let Some(input) = control.dyn_ref::<HtmlInputElement>() {
        input.value()
    } else if let Some(area) = control.dyn_ref::<HtmlTextAreaElement>() {
        area.value()
    } else {
        control.dyn_ref::<HtmlSelectElement>().map(HtmlSelectElement::value).unwrap_or_default()
    }
}

fn ticked(row: &Element) -> Vec<String> {
    controls(row).filter(HtmlInputElement::checked).map(|input| input.value()).collect()
}

fn control(row: &Element) -> Option<Element> {
    row.query_selector("[data-control]").ok().flatten()
}

fn controls(row: &Element) -> impl Iterator<Item = HtmlInputElement> {
    all(row, "[data-control]").filter_map(|element| element.dyn_into().ok())
}

fn all(row: &Element, selector: &str) -> impl Iterator<Item = Element> + use<> {
    let list: Option<NodeList> = row.query_selector_all(selector).ok();
    let length = list.as_ref().map_or(0, NodeList::length);
    (0..length).filter_map(move |at| list.as_ref()?.item(at)?.dyn_into().ok())
}
