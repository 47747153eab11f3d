//! The page where the server cannot show what a link leads to, though it may be there.

use super::html;
use crate::parts::Masthead;
use leptos::prelude::*;

/// Why a request cannot be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cannot {
    /// The database does not answer as it should: that may pass.
    JustNow,
    /// What is stored of the request makes no sense: that will not pass.
    BeRead,
}

/// Says that nothing was decided, and what helps.
pub fn trouble_html(cannot: Cannot) -> String {
    let (heading, words) = match cannot {
        Cannot::JustNow => (
            "Not available just now",
            "The server cannot look this up at the moment. Nothing was changed, and no request is lost: try again in a \
             moment. If it stays like this, tell whoever runs this server.",
        ),
        Cannot::BeRead => (
            "This request cannot be read",
            "What is stored of it is damaged, so nobody can decide it and nothing was decided by this. Tell whoever runs \
             this server, who finds the reason in its log; the agent may ask anew.",
        ),
    };
    html(move || {
        view! {
            <Masthead />
            <main class="notice">
                <h1>{heading}</h1>
                <p>{words}</p>
            </main>
        }
    })
}
