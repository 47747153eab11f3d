//! The end of every sheet: the comment, what went wrong, and the two buttons that decide.

use super::{comment::CommentBox, words::Words};
use leptos::prelude::*;
use sayso_domain::{Faults, reveal::to_text};

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
    Failed(String),
}

impl Sending {
    /// Whether a draft is on its way.
    pub(super) fn busy(sending: RwSignal<Self>) -> bool {
        sending.with(|sending| *sending == Self::OnItsWay)
    }
}

/// A place for a comment, the two buttons, and before them what keeps the decision from being taken.
#[component]
pub(super) fn Decide(
    /// What the button is called that refuses.
    no: String,
    /// What the button is called that approves.
    go: String,
    /// What this page found wrong.
    complaint: RwSignal<Option<String>>,
    /// What became of the last draft.
    sending: RwSignal<Sending>,
    /// Refuses.
    refuse: Callback<()>,
    /// Approves, or says what is wrong.
    approve: Callback<()>,
) -> impl IntoView {
    let trouble = move || match sending.get() {
        Sending::Failed(words) => Some(words),
        // It names a field of the agent's, and may quote what was found.
        Sending::Idle | Sending::OnItsWay | Sending::Refused(_) => {
            complaint.get().map(|words| to_text(&words))
        }
    };
    let busy = move || Sending::busy(sending).then_some("true");
    view! {
        <CommentBox />
        <footer>
            <p class="trouble" role="alert">{trouble}</p>
            <button type="button" class="no" on:click=move |_| refuse.run(())><Words text=no /></button>
            <button type="button" class="go" aria-busy=busy on:click=move |_| approve.run(())><Words text=go /></button>
        </footer>
    }
}
