//! The door: who may speak to this server at all, whatever they ask for.
//!
//! A page of another site can make a browser send requests here, and by a name of its own that resolves to this
//! machine it could even read the answers. So a request must name a host that is ours, and what a browser
//! sends to change anything must come from a page that is ours. A program that is no browser is not stopped here.

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use http::{HeaderMap, Method, StatusCode, header};
use std::sync::Arc;

/// The hosts that are ours.
#[derive(Clone)]
pub struct Ours(Arc<[String]>);

impl Ours {
    /// These hosts, each with its port unless that is the scheme's own.
    pub fn new(hosts: &[String]) -> Self {
        Self(hosts.iter().map(|host| host.to_ascii_lowercase()).collect())
    }

    fn host(&self, host: &str) -> bool {
        self.0.iter().any(|ours| ours.eq_ignore_ascii_case(host))
    }

    fn origin(&self, origin: &str) -> bool {
        origin
            .split_once("://")
            .is_some_and(|(scheme, host)| matches!(scheme, "http" | "https") && self.host(host))
    }
}

/// What is decided by token, below whatever prefix.
pub const BY_TOKEN: &str = "/frame/selection";

/// Lets a request in, or says why not.
pub async fn check(State(ours): State<Ours>, request: Request, next: Next) -> Response {
    let host = request
        .uri()
        .authority()
        .map(http::uri::Authority::as_str)
        .or_else(|| text(request.headers(), &header::HOST));
    if !host.is_some_and(|host| ours.host(host)) {
        return refuse(
            "this server does not answer to that host name; set --public-url to the name by which it is reached",
        );
    }
    let safe = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    // The document of a selection's options has no origin of its own; a token is its authority, and nothing else is.
    let by_token = *request.method() == Method::POST && request.uri().path().ends_with(BY_TOKEN);
    if !safe && !by_token {
        let site = request.headers().get("sec-fetch-site").and_then(|value| value.to_str().ok());
        match (text(request.headers(), &header::ORIGIN), site) {
            (Some(origin), _) if !ours.origin(origin) => {
                return refuse("requests from pages of other origins are not taken");
            }
            (None, Some(site)) if !matches!(site, "same-origin" | "none") => {
                return refuse("requests from pages of other sites are not taken");
            }
            _ => {}
        }
    }
    next.run(request).await
}

fn text<'a>(headers: &'a HeaderMap, name: &header::HeaderName) -> Option<&'a str> {
    // A header that is there but unreadable is nobody's.
    headers.get(name).map(|value| value.to_str().unwrap_or("unreadable"))
}

fn refuse(why: &'static str) -> Response {
    (StatusCode::FORBIDDEN, why).into_response()
}
