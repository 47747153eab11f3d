//! What a reviewer would see, in plain text: for agents that want to know before they ask.

use sayso_domain::{
    Ask,
    approval::Subject,
    form::{Field, Kind},
    proposal::{Grid, Row},
    reveal::to_text,
};
use serde_json::Value;
use std::fmt::Write;

/// At most so many characters of one value.
const VALUE: usize = 200;

/// The outline of a request. `shown` says what stands in the place of the context.
pub(super) fn of(ask: &Ask, shown: Shown) -> String {
    let mut text = format!("# {}\n\n", to_text(ask.message()));
    match (shown, ask) {
        (Shown::Template, _) => text.push_str("[the document that displayTemplate makes]\n\n"),
        (Shown::Plain, Ask::Approval(approval)) => {
            if let Some(payload) = approval.subject.payload() {
                let json = serde_json::to_string_pretty(payload).unwrap_or_default();
                let _ = write!(text, "[context as JSON]\n{}\n\n", short(&json, 4_000));
            }
        }
        (Shown::Plain, Ask::Proposal(_) | Ask::Selection(_)) => {}
    }
    match ask {
        Ask::Approval(approval) => {
            if let Subject::Form(form) | Subject::Both { form, .. } = &approval.subject {
                form.fields().iter().for_each(|field| text.push_str(&line(field)));
                text.push('\n');
            }
            buttons(&mut text, &approval.labels.decline, &approval.labels.submit);
        }
        Ask::Selection(selection) => {
            let mark = if selection.is_multiple() { "[ ]" } else { "( )" };
            for option in &selection.options {
                let _ = writeln!(text, "{mark} {}", to_text(&short(option.label(), VALUE)));
            }
            let _ = writeln!(text, "\n{}", selection.range_in_words());
            buttons(&mut text, &selection.reject, &selection.submit);
        }
        Ask::Proposal(proposal) => {
            grid(&mut text, &proposal.grid);
            buttons(&mut text, &proposal.grid.cancel, &proposal.grid.submit);
        }
    }
    text
}

/// What stands in the place of the context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// What a template makes of it.
    Template,
    /// What a page shows without one.
    Plain,
}

fn buttons(text: &mut String, no: &str, go: &str) {
    let _ = writeln!(text, "[ {} ]  [ {} ]", to_text(no), to_text(go));
}

fn line(field: &Field) -> String {
    let needed = if field.required { " *" } else { "" };
    let about = field.description.as_ref().map(|about| format!(" ({})", to_text(about))).unwrap_or_default();
    let start = field.default.as_ref().map(|value| format!(" = {}", value_of(value))).unwrap_or_default();
    format!("{}{needed}: {}{start}{about}\n", to_text(field.label()), control(&field.kind))
}

fn control(kind: &Kind) -> String {
    let options = |options: &[sayso_domain::form::Choice]| {
        let labels =
            options.iter().take(20).map(|option| to_text(option.label())).collect::<Vec<_>>().join(" | ");
        if options.len() > 20 { format!("{labels} | … ({} in all)", options.len()) } else { labels }
    };
    match kind {
        Kind::Choice(all) => format!("one of {}", options(all)),
        Kind::Choices(choices) => format!("any of {}", options(&choices.options)),
        Kind::Text(_) | Kind::Number(_) | Kind::Boolean => kind.words().to_owned(),
    }
}

fn grid(text: &mut String, grid: &Grid) {
    let included = grid.start().iter().filter(|entry| entry.included).count();
    let _ = writeln!(text, "{included} of {} included at the start\n", grid.rows.len());
    for row in &grid.rows {
        let entry = row.start();
        let tick = match (entry.included, row.is_locked()) {
            (_, true) => "[x] (locked) ",
            (true, false) => "[x] ",
            (false, false) => "[ ] ",
        };
        let _ = write!(text, "{tick}{}", line(&row.field));
        sources(text, grid, row);
        let current = row.current.as_ref().map_or("—".to_owned(), value_of);
        let _ = writeln!(text, "    {}: {current}", to_text(&grid.current));
    }
    text.push('\n');
}

fn sources(text: &mut String, grid: &Grid, row: &Row) {
    for (at, source) in grid.sources.iter().enumerate() {
        let value = row.sources[at].as_ref().map_or("—".to_owned(), value_of);
        let differs = if row.differs(at) { "  (differs)" } else { "" };
        let _ = writeln!(text, "    {}: {value}{differs}", to_text(&source.label));
    }
}

fn value_of(value: &Value) -> String {
    to_text(&short(&value.to_string(), VALUE))
}

fn short(text: &str, at_most: usize) -> String {
    match text.char_indices().nth(at_most) {
        Some((end, _)) => format!("{}… ({} characters in all)", &text[..end], text.chars().count()),
        None => text.to_owned(),
    }
}
