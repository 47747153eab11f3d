//! The server functions: the only way in which a page asks the server for anything, all of them `POST`.

use futures_util::{Sink, Stream};
use leptos::{
    prelude::*,
    server_fn::{
        Bytes,
        client::{Client, browser::BrowserClient},
        codec::Json,
        error::FromServerFnError,
        request::browser::BrowserRequest,
        response::browser::BrowserResponse,
    },
};
#[cfg(feature = "ssr")]
use sayso_domain::sheet::Sent;
use sayso_domain::{
    Draft,
    sheet::{Standing, Submitted},
};

/// How a page asks: as a browser does, and with a header that no form and no page of another site can send unasked.
pub struct PageClient;

impl<E: FromServerFnError, I: FromServerFnError, O: FromServerFnError> Client<E, I, O> for PageClient {
    type Request = BrowserRequest;
    type Response = BrowserResponse;

    fn send(request: BrowserRequest) -> impl Future<Output = Result<BrowserResponse, E>> + Send {
        request.headers().set(HEADER, "page");
        <BrowserClient as Client<E, I, O>>::send(request)
    }

    fn open_websocket(
        path: &str,
    ) -> impl Future<
        Output = Result<
            (impl Stream<Item = Result<Bytes, Bytes>> + Send + 'static, impl Sink<Bytes> + Send + 'static),
            E,
        >,
    > + Send {
        <BrowserClient as Client<E, I, O>>::open_websocket(path)
    }

    fn spawn(future: impl Future<Output = ()> + Send + 'static) {
        <BrowserClient as Client<E, I, O>>::spawn(future);
    }
}

/// What our pages say with whatever they send, with the value `page`.
pub const HEADER: &str = "x-sayso";

/// A person decides. What is wrong with the draft comes back as a value; an error means that nothing was decided,
/// as far as the page can know.
#[server(name = SubmitDraft, prefix = "/api", endpoint = "submit", input = Json, output = Json, client = PageClient)]
pub async fn submit(
    /// The id of the request.
    id: String,
    /// What the person decided, not judged yet.
    draft: Draft,
    /// What they say beside it.
    #[server(default)]
    comment: String,
    /// Of what the page showed.
    digest: String,
) -> Result<Submitted, ServerFnError> {
    let Ok(id) = id.parse() else {
        return Ok(Submitted::Unknown);
    };
    expect_context::<crate::desk::TheDesk>()
        .submit(id, Sent { draft, comment, digest })
        .await
        .map_err(trouble)
}

/// How a request stands by the server's clock and store. A page asks as soon as it is before somebody's eyes, and so it is
/// recorded who has seen the request: a `GET` may as well come from what only looks where links lead.
#[server(name = AskStanding, prefix = "/api", endpoint = "standing", input = Json, output = Json, client = PageClient)]
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
