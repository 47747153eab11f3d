//! The rows of the grid as HTML, written on the server only.
//!
//! The browser takes them over as they stand: what changes in a row is changed by [`super::proposal_row`], and what
//! a control holds by [`super::hand`]. A row that the browser never builds costs it neither code nor time.

use super::{
    cell,
    control::{Shape, options, tick_words, zone_of},
    proposal_row::Look,
    proposal_table::ROWS_A_GROUP,
};
use leptos::prelude::*;
use sayso_domain::{
    diff,
    form::{Choice, Field, Format, Kind},
    proposal::{Entry, Grid},
};
use serde_json::Value;

/// Up to so many options of a set stand without a filter.
const PLAIN_CHECKBOXES: usize = 12;

/// The inside of the table: its head, and all rows as they start.
pub(super) fn table(grid: &Grid) -> String {
    let rows: Vec<String> = (0..grid.rows.len()).map(|index| row(grid, index)).collect();
    let group =
        |rows: &[String]| view! { <tbody role="rowgroup" inner_html=rows.concat()></tbody> }.to_html();
    head(grid) + &rows.chunks(ROWS_A_GROUP).map(group).collect::<String>()
}

fn head(grid: &Grid) -> String {
    let head = |label: &String| view! { <th role="columnheader" scope="col" dir="auto">{label.clone()}</th> };
    let labels = grid.sources.iter().map(|source| &source.label).chain([&grid.current]);
    view! {
        <thead role="rowgroup">
            <tr role="row">
                <th role="columnheader" scope="col"><span class="away">"Include"</span></th>
                <th role="columnheader" scope="col">"Field"</th>
                {labels.map(head).collect_view()}
                <th role="columnheader" scope="col">"Proposed"</th>
            </tr>
        </thead>
    }
    .to_html()
}

fn row(grid: &Grid, index: usize) -> String {
    let row = &grid.rows[index];
    let field = &row.field;
    let label = field.label().to_owned();
    let entry = row.start();
    let Look { class, hint, fault } = Look::of(row, &entry);
    // Leptos writes an empty text as a space, and then nothing is `:empty`.
    let hint = Some(hint).filter(|hint| !hint.is_empty());
    let Entry { proposed, included } = entry;
    let fault_id = format!("fault-{index}");
    let locked = row.is_locked();
    let lock = format!("Required, and {} has no value", grid.current);
    let sources = grid.sources.iter().zip(&row.sources).enumerate().map(|(at, (source, value))| {
        let class = if row.differs(at) { "source differs" } else { "source" };
        let copy = Copy {
            tip: "Double-click to use as proposed value.",
            word: "use",
            verb: format!("Use {} for {label}", source.label),
        };
        read_only(class, format!("source:{}", source.key), &source.label, value.as_ref(), &field.kind, copy)
    });
    let copy = Copy {
        tip: "Double-click to restore the current value.",
        word: "keep",
        verb: format!("Keep {} for {label}", grid.current),
    };
    let current =
        read_only("current", "current".to_owned(), &grid.current, row.current.as_ref(), &field.kind, copy);
    let control = control(field, index, proposed.as_ref(), fault_id.clone(), fault.is_some());

    view! {
        <tr role="row" tabindex="-1" data-field=field.name.clone() data-row=index class=class>
            <td role="cell" class="inc">
                <input
                    type="checkbox" data-include="" autocomplete="off" checked=included disabled=locked
                    title=locked.then_some(lock) aria-label=format!("Include {label}")
                />
            </td>
            <th role="rowheader" scope="row" class="field">
                <span dir="auto">{label.clone()}</span>
                {field.required.then(|| view! { <span class="req" aria-hidden="true">"*"</span> })}
                {(label != field.name).then(|| view! { <small>{field.name.clone()}</small> })}
                {field.description.clone().map(|text| view! { <span class="about" dir="auto">{text}</span> })}
                {locked.then(|| view! { <span class="lock">"required"</span> })}
            </th>
            {sources.collect_view()}
            {current}
            <td role="cell" class="proposed" data-column="proposed" data-label="Proposed">
                <div class="edit">
                    {control}
                    <span class="hint">{hint}</span>
                    <span class="fault" id=fault_id>{fault}</span>
                </div>
            </td>
        </tr>
    }
    .to_html()
}

/// How a read-only cell is copied.
struct Copy {
    tip: &'static str,
    word: &'static str,
    verb: String,
}

/// A read-only cell, which can be copied into Proposed where it holds anything.
fn read_only(
    class: &'static str,
    column: String,
    label: &str,
    value: Option<&Value>,
    kind: &Kind,
    copy: Copy,
) -> AnyView {
    let inside = match value.filter(|value| !diff::is_empty(Some(value))) {
        Some(value) => view! {
            <div class="cell" title=copy.tip>
                <span class="text" dir="auto">{words(value, kind)}</span>
                <button type="button" class="use" data-take="" aria-label=copy.verb>{copy.word}</button>
            </div>
        }
        .into_any(),
        None => {
            view! { <div class="cell empty"><span aria-label="empty" role="img">"—"</span></div> }.into_any()
        }
    };
    view! { <td role="cell" class=class data-column=column data-label=label.to_owned()>{inside}</td> }
        .into_any()
}

/// The control of a field in row `index`, showing `value`; `fault` is the id of the element that tells what is wrong.
fn control(field: &Field, index: usize, value: Option<&Value>, fault: String, faulty: bool) -> AnyView {
    let label = field.label().to_owned();
    let shape = Shape::of(field);
    let text = shape.text(value);
    let invalid = faulty.then_some("true");
    match shape {
        Shape::Lines => view! {
            <textarea
                data-control="" aria-label=label aria-describedby=fault aria-invalid=invalid rows="1"
                dir="auto" autocomplete="off" inner_html=plain_text(&text)
            ></textarea>
        }
        .into_any(),
        Shape::Line | Shape::Digits | Shape::Day => {
            let kind = if shape == Shape::Day { "date" } else { "text" };
            view! {
                <input
                    data-control="" type=kind inputmode=keyboard(&field.kind) value=text
                    aria-label=label aria-describedby=fault aria-invalid=invalid dir="auto"
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
                        aria-describedby=fault aria-invalid=invalid
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
                        aria-describedby=fault aria-invalid=invalid
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
                        <span dir="auto">{option.label().to_owned()}</span>
                    </label>
                }
            };
            view! {
                <div class="multi" role="radiogroup" aria-label=label aria-describedby=fault aria-invalid=invalid>
                    {options(field).iter().map(option).collect_view()}
                </div>
            }
            .into_any()
        }
        Shape::Select => {
            let picked = |option: &Choice| value.and_then(Value::as_str) == Some(&option.value);
            let option = |option: &Choice| {
                view! { <option value=option.value.clone() selected=picked(option)>{option.label().to_owned()}</option> }
            };
            let none = if field.required { "Choose one" } else { "None" };
            view! {
                <select data-control="" aria-label=label aria-describedby=fault aria-invalid=invalid>
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
                        <span dir="auto">{option.label().to_owned()}</span>
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
                <div class=class role="group" aria-label=label aria-describedby=fault aria-invalid=invalid>
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
    format!("\n{}", text.replace('&', "&amp;").replace('<', "&lt;"))
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

/// A value as text, as its field would put it: options by their titles, booleans as Yes and No.
fn words(value: &Value, kind: &Kind) -> String {
    match (kind, value) {
        (Kind::Choice(options), Value::String(value)) => title(options, value).to_owned(),
        (Kind::Choices(choices), Value::Array(picks)) => {
            let pick = |pick: &Value| {
                pick.as_str()
                    .map_or_else(|| pick.to_string(), |pick| title(&choices.options, pick).to_owned())
            };
            picks.iter().map(pick).collect::<Vec<_>>().join(", ")
        }
        _ => cell::plain(value),
    }
}

fn title<'a>(options: &'a [Choice], value: &'a str) -> &'a str {
    options.iter().find(|option| option.value == value).map_or(value, Choice::label)
}
