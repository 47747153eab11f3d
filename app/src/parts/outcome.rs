//! What became of a request: the region that replaces the grid.

use super::{cell, words::Words};
use leptos::{html, prelude::*};
use sayso_domain::{
    Moment, Status,
    sheet::{Blessed, Outcome},
};

/// Says what was decided, by whom and when; `too_late` that it was decided before this person's own decision came.
#[component]
pub fn OutcomeView(
    /// How the request ended.
    outcome: Outcome,
    /// Whether this person decided too late.
    too_late: bool,
) -> impl IntoView {
    let Outcome { status, at, by, comment, reason, blessed } = outcome;
    let said = comment.map(|said| ("Comment: ", said)).or(reason.map(|said| ("Its reason: ", said)));
    let values = match &blessed {
        Blessed::Values(values) => values.clone(),
        Blessed::Options(options) => {
            options.iter().map(|(label, id)| (label.clone(), id.as_str().into())).collect()
        }
        Blessed::Payload | Blessed::Nothing => Vec::new(),
    };
    let (word, told) = match status {
        Status::Rejected => ("Rejected", "The agent is told that nothing of this was approved."),
        Status::Expired => (
            "Expired",
            "Nobody decided in time, so nothing was decided. Ask the agent to send it again if it still matters.",
        ),
        Status::Canceled => ("Canceled", "The agent took its request back. Nothing was decided."),
        Status::Approved | Status::Consumed | Status::Pending => (
            "Approved",
            match &blessed {
                Blessed::Values(values) if values.is_empty() => {
                    "The agent receives no values: none was given."
                }
                Blessed::Values(_) => "The agent receives exactly these values:",
                Blessed::Options(options) if options.is_empty() => "The agent is told that none was chosen.",
                Blessed::Options(_) => "The agent receives exactly these options, by their ids:",
                Blessed::Payload | Blessed::Nothing => {
                    "The agent receives its own data back, unchanged, as approved."
                }
            },
        ),
    };
    let region = NodeRef::<html::Section>::new();
    let moment = RwSignal::new(at.to_string());
    Effect::new(move |_| {
        moment.set(local(at));
        if let Some(region) = region.get() {
            let _ = region.focus();
        }
    });
    view! {
        <section class=format!("outcome {}", status.word()) role="status" tabindex="-1" node_ref=region>
            <h2>{word}</h2>
            <p class="who">
                {by.map(|by| view! { " by " <Words text=by /> })} " on " <time datetime=at.to_string()>{moment}</time>
            </p>
            {too_late
                .then(|| {
                    let first = match status {
                        Status::Expired => "The deadline",
                        Status::Canceled => "The agent",
                        _ => "Somebody",
                    };
                    view! { <p class="late">{first} " came first: what you sent changed nothing."</p> }
                })}
            <p>{told}</p>
            {said.map(|(what, said)| view! { <p class="said">{what} <Words text=said /></p> })}
            {(!values.is_empty())
                .then(|| {
                    let pair = |(label, value): (String, _)| view! { <dt><Words text=label /></dt><dd><Words text=cell::plain(&value) /></dd> };
                    view! { <dl>{values.into_iter().map(pair).collect_view()}</dl> }
                })}
        </section>
    }
}

/// A moment in the browser's own words and zone.
fn local(at: Moment) -> String {
    #[expect(clippy::cast_precision_loss, reason = "milliseconds of our age are below 2^53")]
    let date = js_sys::Date::new(&(at.0 as f64).into());
    date.to_locale_string("default", &wasm_bindgen::JsValue::UNDEFINED).into()
}
