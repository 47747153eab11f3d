//! The hands of the grid's table: what an event in a row means, as a move of that row.
//!
//! The table hears all events of its rows in one place, so that two hundred rows cost no more listeners than one.

use super::{
    control::Shape,
    hand,
    heard::{row_of, target},
    keys::Command,
    proposal_row::RowState,
    told::beside,
};
use leptos::{html, prelude::*};
use sayso_domain::{
    Faults,
    proposal::{self, Grid, Move},
};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, HtmlInputElement};

/// Rows stand in groups of so many. What is out of view is not laid out, group by group: that costs less than row by
/// row, where a browser decides on each of them alone.
pub(super) const ROWS_A_GROUP: usize = 20;

/// The rows of a grid, and the element that holds them.
#[derive(Clone, Copy)]
pub(super) struct Table {
    grid: StoredValue<Grid>,
    states: StoredValue<Vec<RowState>>,
    pub(super) element: NodeRef<html::Table>,
    /// How many rows are included; counted after every move, since a count that followed every row would cost more
    /// than the moves themselves.
    pub(super) included: RwSignal<usize>,
}

impl Table {
    pub(super) fn new(grid: StoredValue<Grid>) -> Self {
        let states: Vec<_> = grid.with_value(|grid| grid.start().into_iter().map(RowState::new).collect());
        let included = RwSignal::new(count(&states));
        Self { grid, states: StoredValue::new(states), element: NodeRef::new(), included }
    }

    pub(super) fn entries(self) -> Vec<proposal::Entry> {
        self.states.with_value(|states| states.iter().map(|state| state.entry()).collect())
    }

    fn make(self, index: usize, made: Move) {
        self.make_one(index, made);
        self.count();
    }

    pub(super) fn make_all(self, made: &Move) {
        let rows = self.states.with_value(Vec::len);
        (0..rows).for_each(|index| self.make_one(index, made.clone()));
        self.count();
    }

    fn make_one(self, index: usize, made: Move) {
        let element = self.row(index);
        self.grid.with_value(|grid| {
            self.states.with_value(|states| states[index].make(&grid.rows[index], element.as_ref(), made))
        });
    }

    fn count(self) {
        let included = self.states.with_value(|states| count(states));
        if included != self.included.get_untracked() {
            self.included.set(included);
        }
    }

    /// Takes over the rows: shows what only a browser knows (zones, the third state of a tick) and follows each.
    pub(super) fn take_over(self) {
        let rows = self.states.with_value(Vec::len);
        for index in 0..rows {
            let Some(row) = self.row(index) else { continue };
            self.grid.with_value(|grid| {
                let (row_of, entry) =
                    (&grid.rows[index], self.states.with_value(|states| states[index].entry()));
                match Shape::of(&row_of.field) {
                    Shape::Instant => hand::show_zone(&row, entry.proposed.as_ref()),
                    Shape::Tick if entry.proposed.is_none() => hand::write(&row_of.field, &row, None),
                    _ => {}
                }
            });
            self.states.with_value(|states| states[index].follow(self.grid, index, row));
        }
    }

    pub(super) fn edited(self, event: &Event) {
        let Some((index, row)) = row_of(event) else {
            return;
        };
        let target = target(event);
        if let Some(filter) = target
            .as_ref()
            .and_then(|target| target.dyn_ref::<HtmlInputElement>())
            .filter(|input| input.has_attribute("data-filter"))
        {
            hand::filter(&row, &filter.value());
        } else if target.is_some_and(|target| target.has_attribute("data-control")) {
            let before = self.states.with_value(|states| states[index].proposed.get_untracked());
            let value =
                self.grid.with_value(|grid| hand::read(&grid.rows[index].field, &row, before.as_ref()));
            self.make(index, Move::Propose(value));
        }
    }

    pub(super) fn ticked(self, event: &Event) {
        let Some((index, _)) = row_of(event) else {
            return;
        };
        let include = target(event)
            .and_then(|target| target.dyn_into::<HtmlInputElement>().ok())
            .filter(|input| input.has_attribute("data-include"));
        if let Some(include) = include {
            self.make(index, Move::Include(include.checked()));
        }
    }

    pub(super) fn clicked(self, event: &Event) {
        if target(event).is_some_and(|target| target.has_attribute("data-take")) {
            self.copy(event);
        }
    }

    pub(super) fn double_clicked(self, event: &Event) {
        if self.copy(event) {
            // The browser has selected a word, which nobody meant to.
            let _ = window()
                .get_selection()
                .map(|selection| selection.map(|selection| selection.remove_all_ranges()));
        }
    }

    /// Copies the cell in which an event happened into Proposed.
    fn copy(self, event: &Event) -> bool {
        let Some((index, _)) = row_of(event) else {
            return false;
        };
        let column = target(event)
            .and_then(|target| target.closest("[data-column]").ok().flatten())
            .and_then(|cell| cell.get_attribute("data-column"));
        let made = match column.as_deref() {
            Some("current") => Move::KeepCurrent,
            Some(column) => match column.strip_prefix("source:").and_then(|key| self.source(key)) {
                Some(source) => Move::TakeSource(source),
                None => return false,
            },
            None => return false,
        };
        self.make(index, made);
        true
    }

    fn source(self, key: &str) -> Option<usize> {
        self.grid.with_value(|grid| grid.sources.iter().position(|source| source.key == key))
    }

    /// Does what a key means; false where there is nothing for it to do.
    pub(super) fn obey(self, command: Command) -> bool {
        let rows = self.states.with_value(Vec::len);
        let here = self.row_of_focus();
        let made = match command {
            Command::Next => return self.go(here.map_or(0, |at| (at + 1).min(rows - 1))),
            Command::Previous => return self.go(here.map_or(rows - 1, |at| at.saturating_sub(1))),
            Command::Edit => {
                return here.and_then(|at| self.row(at)).map(|row| hand::focus(&row)).is_some();
            }
            Command::Leave => return here.is_some_and(|at| self.go(at)),
            Command::Include => match here {
                Some(at) => {
                    Move::Include(!self.states.with_value(|states| states[at].included.get_untracked()))
                }
                None => return false,
            },
            Command::TakeSource(source) => Move::TakeSource(source),
            Command::KeepCurrent => Move::KeepCurrent,
            Command::Help => return false,
        };
        here.map(|at| self.make(at, made)).is_some()
    }

    fn go(self, index: usize) -> bool {
        let Some(row) = self.row(index).and_then(|row| row.dyn_into::<HtmlElement>().ok()) else {
            return false;
        };
        row.focus().is_ok()
    }

    /// Tells what is wrong, and brings the person to the first row of it.
    pub(super) fn complain(self, faults: &Faults, complaint: RwSignal<Option<String>>) {
        let rows = self.rows_of(faults);
        complaint.set(match (rows.as_slice(), faults.iter().next()) {
            ([(index, message)], _) => Some(format!(
                "{}: {message}",
                self.grid.with_value(|grid| grid.rows[*index].field.label().to_owned())
            )),
            ([], Some(fault)) => Some(fault.message.clone()),
            (many, _) => Some(format!("{} included fields need another look", many.len())),
        });
        if let Some(row) = rows.first().and_then(|(index, _)| self.row(*index)) {
            hand::focus(&row);
        }
    }

    /// Shows in their rows the faults that only the server found.
    pub(super) fn mark(self, faults: &Faults) {
        for (index, message) in self.rows_of(faults) {
            self.states.with_value(|states| states[index].refused.set(Some(message)));
        }
    }

    /// The faults that stand in rows, each with the index of its row.
    fn rows_of(self, faults: &Faults) -> Vec<(usize, String)> {
        self.grid.with_value(|grid| beside(faults, grid.rows.iter().map(|row| row.field.name.as_str())))
    }

    fn row(self, index: usize) -> Option<Element> {
        let child = |of: &Element, at: usize| of.children().item(u32::try_from(at).ok()?);
        // The first group is the head.
        let group = child(&self.element.get_untracked()?.into(), 1 + index / ROWS_A_GROUP)?;
        child(&group, index % ROWS_A_GROUP)
    }

    pub(super) fn row_of_focus(self) -> Option<usize> {
        document().active_element()?.closest("[data-row]").ok()??.get_attribute("data-row")?.parse().ok()
    }
}

fn count(states: &[RowState]) -> usize {
    states.iter().filter(|state| state.included.get_untracked()).count()
}
