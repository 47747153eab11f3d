//! The server functions: the only way in which a page asks the server for anything, all of them `POST`.

use leptos::{prelude::*, server_fn::codec::Json};
use sayso_domain::{
    Draft,
    sheet::{Standing, Submitted},
};

/// A person decides. What is wrong with the draft comes back as a value; an error means that nothing was decided,
/// as far as the page can know.
#[server(name = SubmitDraft, prefix = "/api", endpoint = "submit", input = Json, output = Json)]
pub async fn submit(
    /// The id of the request.
    id: String,
    /// What the person decided, not judged yet.
    draft: Draft,
) -> Result<Submitted, ServerFnError> {
    let Ok(id) = id.parse() else {
        return Ok(Submitted::Unknown);
    };
    expect_context::<crate::desk::TheDesk>().submit(id, draft).await.map_err(trouble)
}

/// How a request stands by the server's clock and store.
#[server(name = AskStanding, prefix = "/api", endpoint = "standing", input = Json, output = Json)]
pub async fn standing(
    /// The id of the request.
    id: String,
) -> Result<Standing, ServerFnError> {
    let Ok(id) = id.parse() else {
        return Ok(Standing::Unknown);
    };
    expect_context::<crate::desk::TheDesk>().standing(id).await.map_err(trouble)
}

#[cfg(feature = "ssr")]
fn trouble(_: crate::desk::Trouble) -> ServerFnError {
    ServerFnError::new("the server could not do it")
}
