//! The rows of the grid as HTML, written on the server only.
//!
//! The browser takes them over as they stand: what changes in a row is changed by [`super::proposal_row`], and what
//! a control holds by [`super::hand`]. A row that the browser never builds costs it neither code nor time.

use super::{cell, control_html::control, proposal_row::Look, proposal_table::ROWS_A_GROUP, words::marked};
use leptos::prelude::*;
use sayso_domain::{
    diff,
    form::{Choice, Kind},
    proposal::{Entry, Grid},
    reveal::to_text,
};
use serde_json::Value;

/// The inside of the table: its head, and all rows as they start.
pub(super) fn table(grid: &Grid) -> String {
    let rows: Vec<String> = (0..grid.rows.len()).map(|index| row(grid, index)).collect();
    let group =
        |rows: &[String]| view! { <tbody role="rowgroup" inner_html=rows.concat()></tbody> }.to_html();
    head(grid) + &rows.chunks(ROWS_A_GROUP).map(group).collect::<String>()
}

fn head(grid: &Grid) -> String {
    let head = |label: &String| view! { <th role="columnheader" scope="col"><bdi inner_html=marked(label)></bdi></th> };
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
    let fault = fault.map(|fault| to_text(&fault));
    let Entry { proposed, included } = entry;
    let fault_id = format!("fault-{index}");
    let locked = row.is_locked();
    let lock = format!("Required, and {} has no value", to_text(&grid.current));
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
                <bdi inner_html=marked(&label)></bdi>
                {field.required.then(|| view! { <span class="req" aria-hidden="true">"*"</span> })}
                {(label != field.name).then(|| view! { <small><bdi inner_html=marked(&field.name)></bdi></small> })}
                {field.description.clone().map(|text| view! { <span class="about"><bdi inner_html=marked(&text)></bdi></span> })}
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
                <bdi class="text" inner_html=marked(&words(value, kind))></bdi>
                <button type="button" class="use" data-take="" aria-label=copy.verb>{copy.word}</button>
            </div>
        }
        .into_any(),
        None => {
            view! { <div class="cell empty"><span aria-label="empty" role="img">"—"</span></div> }.into_any()
        }
    };
    view! { <td role="cell" class=class data-column=column data-label=to_text(label)>{inside}</td> }
        .into_any()
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
