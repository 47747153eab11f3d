//! The page of one request's trail: who did what, when and by which door. On the server only: none of it comes alive.

use crate::parts::{Masthead, Words};
use leptos::prelude::*;
use sayso_domain::{
    Decision,
    audit::{Actor, Door, Entry, Event, Via},
    prompt::{Action, Channel},
};

/// The page of a trail; `back` is the address of the request's own page.
pub fn trail_html(trail: Vec<Entry>, back: String) -> String {
    let line = |entry: Entry| {
        let (what, said) = what(&entry.event);
        view! {
            <li>
                <time>{entry.at.to_string()}</time>
                <div>
                    <b><Words text=who(&entry.actor) /></b> " " <Words text=what />
                    {said.map(|said| view! { <p class="said"><Words text=said /></p> })}
                </div>
                <span>{whence(&entry.via)}</span>
            </li>
        }
    };
    super::html(move || {
        view! {
            <Masthead />
            <main>
                <h1>"What happened"</h1>
                <p class="asked"><a href=back>"Back to the request"</a></p>
                <ol class="trail">{trail.into_iter().map(line).collect_view()}</ol>
                <p class="keys">
                    "Times are UTC. These entries stand in the server’s audit chain; whoever runs the server can export and prove them."
                </p>
            </main>
        }
    })
}

fn who(actor: &Actor) -> String {
    match actor {
        Actor::Agent(principal) => format!("agent {principal}"),
        Actor::Reviewer(name) => name.clone(),
        Actor::System => "the server".to_owned(),
    }
}

fn whence(via: &Via) -> String {
    let door = match via.door {
        Door::Mcp => "tool call",
        Door::Page | Door::Options => "page",
        Door::Command => "command",
        Door::Inside => "",
    };
    match via.address {
        Some(address) => format!("{door}, {address}"),
        None => door.to_owned(),
    }
}

/// What happened in words, and what somebody said with it.
fn what(event: &Event) -> (String, Option<String>) {
    let words = match event {
        Event::Created => "asked",
        Event::Decided(decision) => decided(*decision),
        Event::DecidedSaying { decision, comment } => {
            return (decided(*decision).to_owned(), Some(comment.text().to_owned()));
        }
        Event::Viewed => "saw it for the first time",
        Event::OtherDigest => "sent a decision on something else than what is asked, which was refused",
        Event::SecondDecision => "decided after it had ended, which changed nothing",
        Event::FaultyDraft => "sent a decision that could not be taken",
        Event::Expired => "it expired: nobody decided in time",
        Event::Canceled => "took it back",
        Event::Fetched => "fetched the decision",
        Event::Denied => "tried to decide what was not theirs, which was refused",
        Event::Prompted { client, channel } => {
            return (format!("asked {} to show the link ({})", host(client), by(*channel)), None);
        }
        Event::HostAnswered { client, reaction, .. } => {
            let action = match reaction.action {
                Action::Accept => "the link was opened",
                Action::Decline => "it was declined",
                Action::Cancel => "it was put away",
                Action::Fail => "it could not be shown",
            };
            return (format!("{} says that {action}, after {} ms", host(client), reaction.after), None);
        }
        Event::TokenCreated { .. } => "made a token",
        Event::TokenRevoked { .. } => "revoked a token",
        Event::CredentialsRefused { .. } => "came with credentials that are none",
        Event::SignedIn => "signed in",
        Event::SignedOut => "signed out",
        Event::SignInRefused => "was not signed in",
        Event::EverybodySignedOut => "signed everybody out",
    };
    (words.to_owned(), None)
}

fn decided(decision: Decision) -> &'static str {
    match decision {
        Decision::Approved => "approved",
        Decision::Rejected => "rejected",
    }
}

fn host(client: &Option<String>) -> &str {
    client.as_deref().unwrap_or("the host")
}

fn by(channel: Channel) -> &'static str {
    match channel {
        Channel::Pushed => "when it was asked",
        Channel::Held => "while it waited",
        Channel::InputRequired => "as an input",
    }
}
