//! The pages of the door, and the line that says who stands there. On the server only: none of it comes alive.

use crate::parts::{Masthead, Words};
use leptos::prelude::*;

/// The page for somebody who has not signed in; `sign_in` is the address where they do. It says nothing of the request.
pub fn sign_in_html(sign_in: String) -> String {
    notice("Sign in to review", move || {
        view! {
            <p>"An agent asks for a decision. Sign in to see what it asks; nothing is decided by that."</p>
            <p><a class="button" rel="nofollow" href=sign_in>"Sign in"</a></p>
        }
    })
}

/// The page for somebody who has signed in as `person`, where others are asked; `base` stands before our addresses.
pub fn not_yours_html(person: String, base: String) -> String {
    notice("Not yours to decide", move || {
        view! {
            <p>"You are signed in as " <Words text=person /> "."</p>
            <p>
                "The agent asked others for this decision, or you are in no group that reviews here. Send the link to whom \
                 it is for, or sign out and come back as somebody else."
            </p>
            {sign_out(base)}
        }
    })
}

/// The page for somebody who has just signed out; `onward` is the address where they do so at the provider as well.
pub fn signed_out_html(onward: Option<String>) -> String {
    notice("You are signed out", move || {
        let onward = match onward {
            Some(onward) => view! {
                <p>"Your browser now goes on to the provider that vouched for you, to sign you out there as well."</p>
                <p><a class="button" href=onward>"Sign out at the provider"</a></p>
            }
            .into_any(),
            None => view! {
                <p>
                    "You may still be signed in with the provider that vouched for you; close the browser if others use this \
                     machine."
                </p>
            }
            .into_any(),
        };
        view! {
            <p>"Pages that are still open in this browser decide nothing more."</p>
            {onward}
        }
    })
}

/// The page at the same address for `person`, who has not signed out; `base` stands before our addresses.
pub fn still_signed_in_html(person: String, base: String) -> String {
    notice("You are signed in", move || {
        view! {
            <p>"You are signed in as " <Words text=person /> "."</p>
            {sign_out(base)}
        }
    })
}

/// The page for a sign-in that did not succeed, with a sentence on why, and where to begin again.
pub fn not_signed_in_html(why: String, again: Option<String>) -> String {
    notice("You are not signed in", move || {
        view! {
            <p><Words text=why /></p>
            {again.map(|again| view! { <p><a class="button" rel="nofollow" href=again>"Try again"</a></p> })}
        }
    })
}

/// The line at the end of a page: who is signed in, and how they sign out; `None` where the server runs open. On the page of a
/// request, also where its trail is.
pub fn person_html(person: Option<String>, base: String, trail: Option<String>) -> String {
    super::html(move || {
        let line = match person {
            Some(person) => {
                view! { <span>"Signed in as " <Words text=person /></span> {sign_out(base)} }.into_any()
            }
            None => view! {
                <span>
                    "This server runs open, for one person’s own use: everybody on this machine can decide."
                </span>
            }
            .into_any(),
        };
        let trail = trail.map(|trail| view! { <a rel="nofollow" href=trail>"What happened so far"</a> });
        view! { <div class="person" role="contentinfo">{line} {trail}</div> }
    })
}

fn sign_out(base: String) -> impl IntoView {
    view! {
        <form method="post" action=format!("{base}/sign-out")>
            <button type="submit" class="no">"Sign out"</button>
        </form>
    }
}

fn notice<V: IntoView + 'static>(title: &'static str, inside: impl FnOnce() -> V) -> String {
    super::html(move || {
        view! {
            <Masthead />
            <main class="notice">
                <h1>{title}</h1>
                {inside()}
            </main>
        }
    })
}
