//! The page on which a person decides: what is asked, until when, its context, the form or the grid, and afterwards
//! what was decided.
//!
//! On the server it renders what the sheet says, with every control disabled. In the browser it comes alive, counts
//! down, sends the one decision, and replaces the controls by the outcome, whoever caused it.

use super::news;
use crate::{
    api,
    parts::{
        ApprovalForm, ContextView, Deadline, Masthead, OptionsFrame, OutcomeView, ProposalGrid, Sending,
        Words, ago, comment,
    },
};
use leptos::{either::EitherOf4, prelude::*, task::spawn_local};
use sayso_domain::{
    Draft, ReviewId, Sheet,
    approval::Labels,
    form::Form,
    proposal::Grid,
    sheet::{Body, Header, Outcome, Standing, Submitted},
};

/// The outcome on the page, and whether it came before this person's own decision.
#[derive(Clone)]
struct Ended {
    outcome: Outcome,
    too_late: bool,
}

/// What decides a request that waits.
#[derive(Clone, Copy)]
enum Controls {
    Grid(StoredValue<Grid>),
    Form(StoredValue<(Option<Form>, Labels)>),
    Options(StoredValue<(String, u64, bool)>),
}

/// The page of one request.
#[component]
pub fn ReviewPage(
    /// What the reviewer may see.
    sheet: Sheet,
) -> impl IntoView {
    #[cfg(feature = "ssr")]
    provide_context(comment::Needed(sheet.comment_on_reject));
    let Sheet { id, message, asked_by, asked_of, asked_at, made_at, digest, header, body, .. } = sheet;
    let digest = StoredValue::new(digest);
    let ended = RwSignal::new(None);
    let sending = RwSignal::new(Sending::Idle);
    let live = RwSignal::new(false);
    Effect::new(move |_| {
        live.set(true);
        let root = document().document_element();
        let _ = root.map(|root| root.set_attribute("data-hydrated", ""));
    });

    let (controls, deadline) = match body {
        Body::Proposal { grid, deadline } => (Some(Controls::Grid(StoredValue::new(grid))), Some(deadline)),
        Body::Approval { form, labels, deadline } => {
            (Some(Controls::Form(StoredValue::new((form, labels)))), Some(deadline))
        }
        Body::Selection { deadline } => {
            let options = match &header {
                Header::Options { address, count, detailed } => (address.clone(), *count, *detailed),
                _ => (String::new(), 0, false),
            };
            (Some(Controls::Options(StoredValue::new(options))), Some(deadline))
        }
        Body::Closed(outcome) => {
            ended.set(Some(Ended { outcome, too_late: false }));
            (None, None)
        }
    };
    let when = ago(asked_at.until(made_at));
    let submit = Callback::new(move |draft| send(id, draft, digest.get_value(), sending, ended));
    let ask = Callback::new(move |()| ask_standing(id, Callback::new(|_| {}), ended, sending));
    Effect::new(move |_| {
        if !document().hidden() {
            // Which is also how the server knows that somebody has seen it.
            ask.run(());
        }
        if deadline.is_some() {
            news::follow(id, Signal::derive(move || ended.with(Option::is_some)), ask);
        }
    });
    let due = Callback::new(move |again: Callback<u64>| ask_standing(id, again, ended, sending));

    view! {
        <Masthead>
            {deadline
                .map(|deadline| {
                    let left = made_at.until(deadline);
                    view! { <Deadline left over=Signal::derive(move || ended.with(Option::is_some)) due /> }
                })}
        </Masthead>
        <main>
            <h1><Words text=message /></h1>
            <p class="asked">
                "Asked " {asked_by.map(|by| view! { "by " <b><Words text=by /></b> " " })} {when}
                {asked_of.map(|of| view! { ", of " <Words text=of /> })}
            </p>
            <ContextView header />
            {move || match ended.get() {
                Some(Ended { outcome, too_late }) => EitherOf4::A(view! { <OutcomeView outcome too_late /> }),
                None => match controls {
                    Some(Controls::Grid(grid)) => {
                        EitherOf4::B(view! { <ProposalGrid grid live sending submit /> })
                    }
                    Some(Controls::Form(form)) => {
                        let (form, labels) = form.get_value();
                        EitherOf4::C(Some(view! { <ApprovalForm form labels live sending submit /> }))
                    }
                    Some(Controls::Options(options)) => {
                        let (address, count, detailed) = options.get_value();
                        EitherOf4::D(view! { <OptionsFrame address count detailed /> })
                    }
                    None => EitherOf4::C(None),
                },
            }}
        </main>
    }
}

/// Sends a draft, once: while one is on its way or decided, another one goes nowhere.
fn send(
    id: ReviewId,
    draft: Draft,
    digest: String,
    sending: RwSignal<Sending>,
    ended: RwSignal<Option<Ended>>,
) {
    if matches!(sending.get_untracked(), Sending::OnItsWay) {
        return;
    }
    sending.set(Sending::OnItsWay);
    let comment = comment::typed();
    spawn_local(async move {
        let next = match api::submit(id.to_string(), draft, comment, digest).await {
            Ok(Submitted::Decided(outcome)) => {
                ended.set(Some(Ended { outcome, too_late: false }));
                Sending::Idle
            }
            Ok(Submitted::TooLate(outcome)) => {
                ended.set(Some(Ended { outcome, too_late: true }));
                Sending::Idle
            }
            Ok(Submitted::Faulty(faults)) => Sending::Refused(faults),
            Ok(Submitted::Refused(words)) => Sending::Failed(words),
            Ok(Submitted::Unknown) => {
                Sending::Failed("This request is no longer on the server. Nothing was decided.".to_owned())
            }
            Err(_) => Sending::Failed(
                "The server did not answer, so this page does not know whether your decision arrived. \
                 Your edits are still here: try again."
                    .to_owned(),
            ),
        };
        sending.set(next);
    });
}

/// Asks the server how the request stands; where it waits on, `again` is told for how many milliseconds.
fn ask_standing(
    id: ReviewId,
    again: Callback<u64>,
    ended: RwSignal<Option<Ended>>,
    sending: RwSignal<Sending>,
) {
    const RETRY_MS: u64 = 5_000;
    spawn_local(async move {
        match api::standing(id.to_string()).await {
            // A draft that is on its way is answered with more: whether it decided, or came too late.
            Ok(Standing::Closed(_))
                if ended.with_untracked(Option::is_some)
                    || sending.with_untracked(|sending| *sending == Sending::OnItsWay) => {}
            Ok(Standing::Closed(outcome)) => ended.set(Some(Ended { outcome, too_late: false })),
            Ok(Standing::Open { left }) => again.run(left),
            Ok(Standing::Unknown) => {}
            Err(_) => again.run(RETRY_MS),
        }
    });
}
