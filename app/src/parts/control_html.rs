//! The controls of fields as HTML, written on the server only: in a row of the grid, and in a form.

use super::{
    control::{Shape, options, tick_words, zone_of},
    words::{escape, marked},
};
use leptos::prelude::*;
use sayso_domain::{
    form::{Choice, Field, Format, Kind},
    reveal::to_text,
};
use serde_json::Value;

/// Up to so many options of a set stand without a filter.
const PLAIN_CHECKBOXES: usize = 12;

/// The control of a field in row `index`, showing `value`; `told` are the ids of the elements that tell more of it.
pub(super) fn control(
    field: &Field,
    index: usize,
    value: Option<&Value>,
    told: String,
    faulty: bool,
) -> AnyView {
    let needed = field.required.then_some("true");
    let label = field.label().to_owned();
    let shape = Shape::of(field);
    let text = shape.text(value);
    let invalid = faulty.then_some("true");
    match shape {
        Shape::Lines => view! {
            <textarea
                data-control="" aria-label=label aria-describedby=told aria-invalid=invalid aria-required=needed rows="1"
                dir="auto" autocomplete="off" inner_html=plain_text(&text)
            ></textarea>
        }
        .into_any(),
        Shape::Line | Shape::Digits | Shape::Day => {
            let kind = if shape == Shape::Day { "date" } else { "text" };
            view! {
                <input
                    data-control="" type=kind inputmode=keyboard(&field.kind) value=text
                    aria-label=label aria-describedby=told aria-invalid=invalid aria-required=needed dir="auto"
                    autocomplete="off"
                />
            }
            .into_any()
        }
        Shape::Instant => {
            let step = if text.contains('.') { "0.001" } else { "1" };
            view! {
                <span class="instant">
                    <input
                        data-control="" type="datetime-local" step=step value=text aria-label=label
                        aria-describedby=told aria-invalid=invalid aria-required=needed
                    />
                    <span class="zone">{zone_of(value).unwrap_or_default()}</span>
                </span>
            }
            .into_any()
        }
        Shape::Tick => {
            let on = value.and_then(Value::as_bool);
            view! {
                <span class="tick">
                    <input
                        data-control="" type="checkbox" checked=on == Some(true) aria-label=label
                        aria-describedby=told aria-invalid=invalid aria-required=needed
                    />
                    <span class="words">{tick_words(on)}</span>
                </span>
            }
            .into_any()
        }
        Shape::Radios => {
            let picked = |option: &Choice| value.and_then(Value::as_str) == Some(&option.value);
            let name = format!("r{index}");
            let option = |option: &Choice| {
                view! {
                    <label>
                        <input
                            data-control="" type="radio" name=name.clone() value=option.value.clone()
                            checked=picked(option)
                        />
                        <bdi inner_html=marked(option.label())></bdi>
                    </label>
                }
            };
            view! {
                <div class="multi" role="radiogroup" aria-label=label aria-describedby=told aria-invalid=invalid aria-required=needed>
                    {options(field).iter().map(option).collect_view()}
                </div>
            }
            .into_any()
        }
        Shape::Select => {
            let picked = |option: &Choice| value.and_then(Value::as_str) == Some(&option.value);
            // There is no room for marks in an option.
            let option = |option: &Choice| {
                view! { <option value=option.value.clone() selected=picked(option)>{to_text(option.label())}</option> }
            };
            let none = if field.required { "Choose one" } else { "None" };
            view! {
                <select data-control="" aria-label=label aria-describedby=told aria-invalid=invalid aria-required=needed>
                    <option value="">{none}</option>
                    {options(field).iter().map(option).collect_view()}
                </select>
            }
            .into_any()
        }
        Shape::Ticks => {
            let picks = value.and_then(Value::as_array);
            let option = |option: &Choice| {
                let on = picks.is_some_and(|picks| picks.iter().any(|pick| *pick == option.value));
                view! {
                    <label>
                        <input data-control="" type="checkbox" value=option.value.clone() checked=on />
                        <bdi inner_html=marked(option.label())></bdi>
                    </label>
                }
            };
            let filter = (options(field).len() > PLAIN_CHECKBOXES).then(|| {
                view! {
                    <input
                        type="search" data-filter="" aria-label=format!("Filter {label}")
                        placeholder="Filter" autocomplete="off"
                    />
                }
            });
            let class = if filter.is_some() { "multi long" } else { "multi" };
            view! {
                <div class=class role="group" aria-label=label aria-describedby=told aria-invalid=invalid>
                    {filter}
                    <div class="options">{options(field).iter().map(option).collect_view()}</div>
                </div>
            }
            .into_any()
        }
    }
}

/// A text as the inside of a `textarea`: Leptos leaves what stands in that element as it is, and HTML swallows a line
/// break at its start.
fn plain_text(text: &str) -> String {
    let mut html = "\n".to_owned();
    escape(text, &mut html);
    html
}

/// Which keys a touch screen offers.
fn keyboard(kind: &Kind) -> &'static str {
    match kind {
        Kind::Number(number) if number.whole => "numeric",
        Kind::Number(_) => "decimal",
        Kind::Text(text) => match text.format {
            Some(Format::Email) => "email",
            Some(Format::Uri) => "url",
            Some(Format::Date | Format::DateTime) | None => "text",
        },
        Kind::Boolean | Kind::Choice(_) | Kind::Choices(_) => "text",
    }
}
