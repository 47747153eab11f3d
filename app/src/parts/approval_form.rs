//! What decides an approval: the form, if there is one, and the two buttons.
//!
//! It knows no server: it hands a draft to `submit` and shows what became of the sending.

use super::{
    decide::{Decide, Sending},
    fields::Fields,
};
use leptos::{either::Either, prelude::*};
use sayso_domain::{
    Draft,
    approval::{self, Labels},
    form::Form,
};

/// The controls of an approval. Until `live` is true every one of them is disabled, so that nothing pretends to work.
#[component]
pub fn ApprovalForm(
    /// What is to be filled in.
    form: Option<Form>,
    /// What the buttons are called.
    labels: Labels,
    /// Whether the page has come alive.
    live: RwSignal<bool>,
    /// What became of the last draft.
    sending: RwSignal<Sending>,
    /// Takes the draft once the person has decided.
    submit: Callback<Draft>,
) -> impl IntoView {
    let fields = form.map(Fields::new);
    let complaint = RwSignal::new(None::<String>);
    let approve = Callback::new(move |()| {
        let draft = fields.map_or_else(|| Ok(approval::Draft::Submit(Default::default())), Fields::draft);
        match (draft, fields) {
            (Ok(draft), _) => {
                complaint.set(None);
                submit.run(Draft::Approval(draft));
            }
            (Err(faults), Some(fields)) => fields.complain(&faults, complaint),
            (Err(_), None) => {}
        }
    });
    let refuse = Callback::new(move |()| submit.run(Draft::Approval(approval::Draft::Decline)));
    Effect::new(move |_| {
        if let (Sending::Refused(faults), Some(fields)) = (sending.get(), fields) {
            fields.mark(&faults);
            // Controls take the focus again once the sheet is enabled again.
            request_animation_frame(move || fields.complain(&faults, complaint));
        }
    });
    Effect::new(move |_| fields.map(Fields::take_over));

    let pressed = move || {
        if let Some(fields) = fields {
            fields.pressed();
        }
    };
    let released = move || {
        if let Some(fields) = fields {
            fields.released();
        }
    };
    let Labels { submit: go, decline: no } = labels;
    let inside = match fields {
        None => Either::Left(()),
        Some(fields) => {
            #[cfg(feature = "ssr")]
            let html = fields.html();
            // They stand in the document already; hydration leaves them as they are.
            #[cfg(not(feature = "ssr"))]
            let html = "";
            Either::Right(view! {
                <div
                    class="fields" node_ref=fields.element inner_html=html
                    on:input=move |event| fields.edited(&event)
                    on:focusout=move |event| fields.left(&event)
                    on:keydown=move |event| fields.key(&event)
                ></div>
            })
        }
    };
    view! {
        <fieldset
            class="sheet approval" disabled=move || !live.get() || Sending::busy(sending)
            on:pointerdown=move |_| pressed() on:pointercancel=move |_| released()
            on:click=move |_| released() on:keydown=move |_| released()
        >
            <legend class="away">"Your decision"</legend>
            {inside}
            <noscript>
                <p class="notice">
                    "This page needs JavaScript (WebAssembly) to decide. You can read it without; nothing can be changed or sent."
                </p>
            </noscript>
            <Decide no go complaint sending refuse approve />
        </fieldset>
    }
}
