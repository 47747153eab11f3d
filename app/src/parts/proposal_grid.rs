//! The diff grid: sources, current, an editable proposal, and what to apply.
//!
//! It knows no server: it hands a draft to `submit` and shows what became of the sending. The table hears all events
//! of its rows in one place, so that two hundred rows cost no more listeners than one.

use super::{
    control::Shape,
    hand,
    keys::{self, Command, KeysDialog},
    proposal_row::RowState,
};
use leptos::{ev, html, prelude::*};
use sayso_domain::{
    Draft, Faults, Pointer,
    proposal::{self, Grid, Move},
};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, HtmlInputElement};

/// What became of a draft that was handed out.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Sending {
    /// Nothing is being sent.
    #[default]
    Idle,
    /// It is on its way.
    OnItsWay,
    /// The server found faults that this page did not.
    Refused(Faults),
    /// It did not arrive, or the page does not know whether it did.
    Failed(&'static str),
}

/// The grid of a proposal.
///
/// Until `live` is true (on the server, and in the browser before it has taken over) every control is disabled, so
/// that nothing pretends to work.
#[component]
pub fn ProposalGrid(
    /// What to review.
    grid: StoredValue<Grid>,
    /// Whether the page has come alive.
    live: RwSignal<bool>,
    /// What became of the last draft.
    sending: RwSignal<Sending>,
    /// Takes the draft once the person has decided.
    submit: Callback<Draft>,
) -> impl IntoView {
    let states = StoredValue::new(
        grid.with_value(|grid| grid.start().into_iter().map(RowState::new).collect::<Vec<_>>()),
    );
    let table = Table { grid, states, body: NodeRef::new() };
    let complaint = RwSignal::new(None::<String>);
    let dialog = NodeRef::<html::Dialog>::new();
    let total = states.with_value(Vec::len);
    let included = Memo::new(move |_| {
        states.with_value(|states| states.iter().filter(|state| state.included.get()).count())
    });

    let accept = move || {
        let draft = grid.with_value(|grid| {
            let draft = grid.draft(&table.entries())?;
            grid.judge(&draft).map(|_| draft)
        });
        match draft {
            Ok(draft) => {
                complaint.set(None);
                submit.run(Draft::Proposal(draft));
            }
            Err(faults) => table.complain(&faults, complaint),
        }
    };
    let cancel = move || submit.run(Draft::Proposal(proposal::Draft::Cancel));
    Effect::new(move |_| {
        if let Sending::Refused(faults) = sending.get() {
            table.mark(&faults);
            // Controls take the focus again once the sheet is enabled again.
            request_animation_frame(move || table.complain(&faults, complaint));
        }
    });
    // Effects run in the browser only, where there is a window to listen to.
    Effect::new(move |_| {
        table.take_over();
        let listener = window_event_listener(ev::keydown, move |event| {
            match keys::command(&event, table.row_of_focus().is_some()) {
                Some(Command::Help) => drop(dialog.get_untracked().map(|dialog| dialog.show_modal())),
                Some(command) if table.obey(command) => event.prevent_default(),
                _ => {}
            }
        });
        on_cleanup(move || listener.remove());
    });

    let busy = move || sending.with(|sending| *sending == Sending::OnItsWay);
    let trouble = move || match sending.get() {
        Sending::Failed(words) => Some(words.to_owned()),
        Sending::Idle | Sending::OnItsWay | Sending::Refused(_) => complaint.get(),
    };
    let heads = grid.with_value(|grid| {
        let head =
            |label: &String| view! { <th role="columnheader" scope="col" dir="auto">{label.clone()}</th> };
        grid.sources.iter().map(|source| &source.label).chain([&grid.current]).map(head).collect_view()
    });
    #[cfg(feature = "ssr")]
    let rows = grid.with_value(super::row_html::rows);
    // They stand in the document already; hydration leaves them as they are.
    #[cfg(not(feature = "ssr"))]
    let rows = "";
    let (ok, no) = grid.with_value(|grid| (grid.submit.clone(), grid.cancel.clone()));
    let many = grid.with_value(|grid| grid.sources.len() > 4);

    view! {
        <fieldset class="sheet" disabled=move || !live.get() || busy()>
            <legend class="away">"Proposed changes"</legend>
            <div class="bar">
                <button type="button" on:click=move |_| table.make_all(&Move::Include(true))>"Accept All"</button>
                <button type="button" on:click=move |_| table.make_all(&Move::Include(false))>"Reject All"</button>
                <button type="button" on:click=move |_| table.make_all(&Move::Restore)>"Restore Proposed"</button>
                <span class="count" role="status">{included} " of " {total} " included"</span>
            </div>
            <noscript><p class="notice">"This page needs JavaScript (WebAssembly) to decide. You can read it without; nothing can be changed or sent."</p></noscript>
            <table role="table" class:many=many>
                <thead role="rowgroup">
                    <tr role="row">
                        <th role="columnheader" scope="col"><span class="away">"Include"</span></th>
                        <th role="columnheader" scope="col">"Field"</th>
                        {heads}
                        <th role="columnheader" scope="col">"Proposed"</th>
                    </tr>
                </thead>
                <tbody
                    role="rowgroup"
                    node_ref=table.body
                    on:input=move |event| table.edited(&event)
                    on:change=move |event| table.ticked(&event)
                    on:click=move |event| table.clicked(&event)
                    on:dblclick=move |event| table.double_clicked(&event)
                    inner_html=rows
                ></tbody>
            </table>
            <footer>
                <p class="trouble" role="alert">{trouble}</p>
                <button type="button" class="no" on:click=move |_| cancel()>{no}</button>
                <button type="button" class="go" aria-busy=move || busy().then_some("true") on:click=move |_| accept()>{ok}</button>
            </footer>
        </fieldset>
        <p class="keys"><kbd>"j"</kbd><kbd>"k"</kbd>" row "<kbd>"x"</kbd>" include "<kbd>"1"</kbd>"–"<kbd>"9"</kbd>" take source "<kbd>"0"</kbd>" keep current "<kbd>"e"</kbd>" edit "<kbd>"?"</kbd>" all keys"</p>
        <KeysDialog dialog />
    }
}

/// The table's hands: what an event in a row means, as a move of that row.
#[derive(Clone, Copy)]
struct Table {
    grid: StoredValue<Grid>,
    states: StoredValue<Vec<RowState>>,
    body: NodeRef<html::Tbody>,
}

impl Table {
    fn entries(self) -> Vec<proposal::Entry> {
        self.states.with_value(|states| states.iter().map(|state| state.entry()).collect())
    }

    fn make(self, index: usize, made: Move) {
        let element = self.row(index);
        self.grid.with_value(|grid| {
            self.states.with_value(|states| states[index].make(&grid.rows[index], element.as_ref(), made))
        });
    }

    fn make_all(self, made: &Move) {
        let rows = self.states.with_value(Vec::len);
        (0..rows).for_each(|index| self.make(index, made.clone()));
    }

    /// Takes over the rows: shows what only a browser knows (zones, the third state of a tick) and follows each.
    fn take_over(self) {
        let rows = self.states.with_value(Vec::len);
        for index in 0..rows {
            let Some(row) = self.row(index) else { continue };
            self.grid.with_value(|grid| {
                let (row_of, entry) =
                    (&grid.rows[index], self.states.with_value(|states| states[index].entry()));
                match Shape::of(&row_of.field) {
                    Shape::Instant => hand::show_zone(&row, entry.proposed.as_ref()),
                    Shape::Tick => hand::write(&row_of.field, &row, entry.proposed.as_ref()),
                    _ => {}
                }
            });
            self.states.with_value(|states| states[index].follow(self.grid, index, row));
        }
    }

    fn edited(self, event: &Event) {
        let Some((index, row)) = self.row_of(event) else {
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

    fn ticked(self, event: &Event) {
        let Some((index, _)) = self.row_of(event) else {
            return;
        };
        let include = target(event)
            .and_then(|target| target.dyn_into::<HtmlInputElement>().ok())
            .filter(|input| input.has_attribute("data-include"));
        if let Some(include) = include {
            self.make(index, Move::Include(include.checked()));
        }
    }

    fn clicked(self, event: &Event) {
        if target(event).is_some_and(|target| target.has_attribute("data-take")) {
            self.copy(event);
        }
    }

    fn double_clicked(self, event: &Event) {
        if self.copy(event) {
            // The browser has selected a word, which nobody meant to.
            let _ = window()
                .get_selection()
                .map(|selection| selection.map(|selection| selection.remove_all_ranges()));
        }
    }

    /// Copies the cell in which an event happened into Proposed.
    fn copy(self, event: &Event) -> bool {
        let Some((index, _)) = self.row_of(event) else {
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
    fn obey(self, command: Command) -> bool {
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
    fn complain(self, faults: &Faults, complaint: RwSignal<Option<String>>) {
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
    fn mark(self, faults: &Faults) {
        for (index, message) in self.rows_of(faults) {
            self.states.with_value(|states| states[index].refused.set(Some(message)));
        }
    }

    /// The faults that stand in rows, each with the index of its row.
    fn rows_of(self, faults: &Faults) -> Vec<(usize, String)> {
        self.grid.with_value(|grid| {
            let at = |pointer: &Pointer| {
                grid.rows
                    .iter()
                    .position(|row| *pointer == Pointer::root().child("values").child(&row.field.name))
            };
            faults.iter().filter_map(|fault| Some((at(&fault.pointer)?, fault.message.clone()))).collect()
        })
    }

    fn row(self, index: usize) -> Option<Element> {
        self.body.get_untracked()?.children().item(u32::try_from(index).ok()?)
    }

    fn row_of(self, event: &Event) -> Option<(usize, Element)> {
        let row = target(event)?.closest("[data-row]").ok()??;
        Some((row.get_attribute("data-row")?.parse().ok()?, row))
    }

    fn row_of_focus(self) -> Option<usize> {
        document().active_element()?.closest("[data-row]").ok()??.get_attribute("data-row")?.parse().ok()
    }
}

fn target(event: &Event) -> Option<Element> {
    event.target()?.dyn_into().ok()
}
