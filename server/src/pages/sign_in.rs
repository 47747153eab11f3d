//! The door that people come in by: to the provider and back, and out again.

use super::Pages;
use crate::{
    guard,
    reviewers::{Farewell, Next, NotSignedIn, Onward, Returned},
};
use axum::{
    extract::{Query, Request, State},
    response::{IntoResponse, Response},
};
use form_urlencoded::byte_serialize;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use sayso_app::pages::people;
use sayso_domain::{
    audit::{Door, Via},
    people::Visitor,
};
use serde::Deserialize;

/// Where somebody wants to go after they have signed in.
#[derive(Deserialize)]
pub struct Wish {
    next: Option<String>,
}

/// `GET /sign-in?next=…`: on to the provider. Nothing is kept of it here.
pub async fn begin(State(pages): State<Pages>, Query(wish): Query<Wish>) -> Response {
    let prefix = pages.public_url.prefix();
    let next = match wish.next {
        None => Next::root(prefix),
        Some(wish) => match Next::parse(&wish, prefix) {
            Some(next) => next,
            None => {
                let why = "This link leads to no page of this server. Open the agent\u{2019}s link again.";
                return pages.not_signed_in(StatusCode::BAD_REQUEST, why, None);
            }
        },
    };
    match pages.people.begin(&next).await {
        Ok(onward) => redirect(&onward),
        Err(why) => pages.turned_away(why, Some(&next)),
    }
}

/// What the provider sends back by way of the browser.
#[derive(Deserialize)]
pub struct Callback {
    code: Option<String>,
    state: Option<String>,
    error: Option<String>,
    iss: Option<String>,
}

/// `GET /sign-in/callback`: back from the provider. Whom it vouches for is signed in; no request is touched.
pub async fn finish(
    State(pages): State<Pages>,
    Query(callback): Query<Callback>,
    request: Request,
) -> Response {
    if looks_ahead(request.headers()) {
        let words = "This address is for whoever goes there.\n";
        return (StatusCode::SERVICE_UNAVAILABLE, [(header::CACHE_CONTROL, "no-store")], words)
            .into_response();
    }
    let Callback { code, state, error, iss: issuer } = callback;
    let returned = Returned { code, state, error, issuer };
    match pages.people.finish(request.headers(), returned, via(&request)).await {
        Ok(onward) => redirect(&onward),
        Err(why) => pages.turned_away(why, None),
    }
}

/// `POST /sign-out`: ends the session here, and sends the browser on to the provider where people can sign out there.
///
/// It is sent on by a page and not by a redirect: browsers hold all redirects that follow a form to the `form-action` of its page,
/// also those that the provider makes on its own, and those would have to be let in beforehand at every page. `Refresh` is no
/// form, so no page may send a form anywhere but here.
pub async fn sign_out(State(pages): State<Pages>, request: Request) -> Response {
    if !pages.people.sign_in() {
        return pages.missing();
    }
    let via = via(&request);
    match pages.people.sign_out(request.headers(), via).await {
        Ok(Farewell { onward, cookies }) => {
            let refresh = onward.as_ref().and_then(|to| HeaderValue::try_from(format!("0; url={to}")).ok());
            let mut response = pages.signed_out(onward);
            carry(response.headers_mut(), &cookies);
            response.headers_mut().extend(refresh.map(|refresh| (header::REFRESH, refresh)));
            response
        }
        Err(error) => pages.turned_away(NotSignedIn::Store(error), None),
    }
}

/// `GET /sign-out`: where the provider sends somebody whom it has signed out. It ends nothing: who is still signed in may say so.
pub async fn signed_out(State(pages): State<Pages>, headers: HeaderMap) -> Response {
    match pages.people.caller(&headers).await.map(|caller| caller.visitor) {
        Ok(Visitor::Local) => pages.missing(),
        Ok(visitor) => match visitor.person() {
            None => pages.signed_out(None),
            Some(person) => {
                let base = pages.public_url.prefix().to_owned();
                let body = people::still_signed_in_html(person.known_as(), base);
                pages.still(StatusCode::OK, "Sign out \u{b7} Sayso", &body)
            }
        },
        Err(error) => pages.turned_away(NotSignedIn::Store(error), None),
    }
}

impl Pages {
    /// Why somebody was not signed in, and where they may begin again.
    fn turned_away(&self, why: NotSignedIn, next: Option<&Next>) -> Response {
        let again = next.filter(|next| **next != Next::root(self.public_url.prefix()));
        let again = again.map(|next| byte_serialize(next.path().as_bytes()).collect::<String>());
        let again = again.map(|next| format!("?next={next}")).unwrap_or_default();
        let again = Some(format!("{}/sign-in{again}", self.public_url.prefix()));
        match why {
            NotSignedIn::Open => self.missing(),
            NotSignedIn::Unavailable(error) => {
                tracing::error!(%error, "signing somebody in");
                let why = "The provider that vouches for people does not answer just now. Nothing was changed; try \
                           again in a moment. Whoever runs this server finds the reason in its log.";
                self.not_signed_in(StatusCode::SERVICE_UNAVAILABLE, why, again)
            }
            NotSignedIn::Stale => {
                let why = "This is not the sign-in that this browser began last, or it took longer than ten minutes, or \
                           it came twice. Open the agent\u{2019}s link again and sign in from there.";
                self.not_signed_in(StatusCode::BAD_REQUEST, why, again)
            }
            NotSignedIn::Refused(reason) => {
                tracing::warn!(?reason, "somebody was not signed in");
                let why = "The provider did not vouch for you. Open the agent\u{2019}s link again and sign in from there.";
                self.not_signed_in(StatusCode::FORBIDDEN, why, again)
            }
            NotSignedIn::Store(error) => {
                tracing::error!(%error, "signing somebody in or out");
                let why = "The server cannot do this just now. Nothing was changed; try again.";
                self.not_signed_in(StatusCode::SERVICE_UNAVAILABLE, why, again)
            }
        }
    }

    fn signed_out(&self, onward: Option<String>) -> Response {
        self.still(StatusCode::OK, "Signed out \u{b7} Sayso", &people::signed_out_html(onward))
    }

    fn not_signed_in(&self, status: StatusCode, why: &str, again: Option<String>) -> Response {
        self.still(status, "Not signed in \u{b7} Sayso", &people::not_signed_in_html(why.to_owned(), again))
    }
}

/// Whether a browser fetches what nobody has asked for yet. What came back would be spent before its person came.
fn looks_ahead(headers: &HeaderMap) -> bool {
    let says = |name: &str, word: &str| {
        headers.get(name).and_then(|value| value.to_str().ok()).is_some_and(|value| value.starts_with(word))
    };
    says("sec-purpose", "prefetch")
        || says("purpose", "prefetch")
        || says("purpose", "preview")
        || says("x-moz", "prefetch")
}

fn via(request: &Request) -> Via {
    guard::via(Door::Page, request.extensions())
}

fn redirect(onward: &Onward) -> Response {
    let Ok(to) = HeaderValue::from_str(&onward.to) else {
        return StatusCode::BAD_GATEWAY.into_response();
    };
    let fixed: [(HeaderName, HeaderValue); 3] = [
        (header::LOCATION, to),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    ];
    let mut response = (StatusCode::SEE_OTHER, fixed).into_response();
    carry(response.headers_mut(), &onward.cookies);
    response
}

fn carry(headers: &mut HeaderMap, cookies: &[HeaderValue]) {
    for cookie in cookies {
        headers.append(header::SET_COOKIE, cookie.clone());
    }
}
