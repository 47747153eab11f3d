//! The diff grid: sources, current, an editable proposal, and what to apply.
//!
//! It knows no server: it hands a draft to `submit` and shows what became of the sending.

use super::{
    decide::{Decide, Sending},
    keys::{self, Command, KeysDialog},
    proposal_table::Table,
};
use leptos::{ev, html, prelude::*};
use sayso_domain::{
    Draft,
    proposal::{self, Grid, Move},
};

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
    let table = Table::new(grid);
    let complaint = RwSignal::new(None::<String>);
    let dialog = NodeRef::<html::Dialog>::new();
    let total = grid.with_value(|grid| grid.rows.len());

    let approve = Callback::new(move |()| {
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
    });
    let refuse = Callback::new(move |()| submit.run(Draft::Proposal(proposal::Draft::Cancel)));
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

    #[cfg(feature = "ssr")]
    let rows = grid.with_value(super::row_html::table);
    // They stand in the document already; hydration leaves them as they are.
    #[cfg(not(feature = "ssr"))]
    let rows = "";
    let (go, no) = grid.with_value(|grid| (grid.submit.clone(), grid.cancel.clone()));
    let many = grid.with_value(|grid| grid.sources.len() > 4);

    view! {
        <fieldset class="sheet" disabled=move || !live.get() || Sending::busy(sending)>
            <legend class="away">"Proposed changes"</legend>
            <div class="bar">
                <button type="button" on:click=move |_| table.make_all(&Move::Include(true))>"Accept All"</button>
                <button type="button" on:click=move |_| table.make_all(&Move::Include(false))>"Reject All"</button>
                <button type="button" on:click=move |_| table.make_all(&Move::Restore)>"Restore Proposed"</button>
                <span class="count" role="status">{table.included} " of " {total} " included"</span>
            </div>
            <noscript>
                <p class="notice">
                    "This page needs JavaScript (WebAssembly) to decide. You can read it without; nothing can be changed or sent."
                </p>
            </noscript>
            <table
                role="table" class:many=many node_ref=table.element inner_html=rows
                on:input=move |event| table.edited(&event)
                on:change=move |event| table.ticked(&event)
                on:click=move |event| table.clicked(&event)
                on:dblclick=move |event| table.double_clicked(&event)
            ></table>
            <Decide no go complaint sending refuse approve />
        </fieldset>
        <p class="keys">
            <kbd>"j"</kbd><kbd>"k"</kbd>" row "<kbd>"x"</kbd>" include "
            <kbd>"1"</kbd>"–"<kbd>"9"</kbd>" take source "<kbd>"0"</kbd>" keep current "<kbd>"e"</kbd>" edit "
            <kbd>"?"</kbd>" all keys"
        </p>
        <KeysDialog dialog />
    }
}
