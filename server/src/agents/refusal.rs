//! What somebody is told who is not let in, and how they could be (RFC 6750, RFC 9728).

use super::{oauth::metadata, token::Scope};
use crate::{
    config::{Access, PublicUrl},
    limits::later,
};
use axum::{
    Json,
    response::{IntoResponse, Response},
};
use http::{HeaderValue, StatusCode, header};
use serde_json::json;
use std::time::Duration;

/// Why not.
#[derive(Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No credentials were shown.
    Missing,
    /// Which of several are meant cannot be told.
    Malformed,
    /// They are none, for this reason.
    Invalid(&'static str),
    /// They are good, but not for this.
    Insufficient(Scope),
    /// They are good; what they came with is no message.
    Unreadable,
    /// They are good; what they came with is too much.
    TooLarge,
    /// Too often; in so long again.
    TooMany(Duration),
    /// It cannot be found out at this time.
    Unavailable,
}

impl From<Duration> for Refusal {
    fn from(wait: Duration) -> Self {
        Self::TooMany(wait)
    }
}

/// How a client is told which credentials it takes.
pub struct Challenge {
    /// `resource_metadata="…"` where access tokens are taken.
    metadata: Option<String>,
}

impl Challenge {
    /// What this server takes.
    pub fn new(access: &Access, public_url: &PublicUrl) -> Self {
        let url = access.oauth.as_ref().map(|_| metadata::place(public_url));
        Self { metadata: url.map(|url| format!("resource_metadata=\"{url}\"")) }
    }

    /// The answer to a request that is not let in.
    pub fn answer(&self, refusal: &Refusal) -> Response {
        const TRY_AGAIN: Duration = Duration::from_secs(5);
        let (status, error, description) = match refusal {
            Refusal::Missing => (
                StatusCode::UNAUTHORIZED,
                None,
                "this server wants a token: send `Authorization: Bearer sayso_…`; `sayso token create` makes one",
            ),
            Refusal::Malformed => (
                StatusCode::BAD_REQUEST,
                Some("invalid_request"),
                "there is more than one Authorization header: send exactly one",
            ),
            Refusal::Invalid(why) => (StatusCode::UNAUTHORIZED, Some("invalid_token"), *why),
            Refusal::Insufficient(Scope::Ask) => (
                StatusCode::FORBIDDEN,
                Some("insufficient_scope"),
                "this needs the scope to ask: a token made with --scope ask",
            ),
            Refusal::Insufficient(Scope::Read) => (
                StatusCode::FORBIDDEN,
                Some("insufficient_scope"),
                "this needs the scope to read: a token made with --scope read",
            ),
            Refusal::Unreadable => return unreadable(),
            Refusal::TooLarge => {
                return (StatusCode::PAYLOAD_TOO_LARGE, "at most 1 MiB in one request\n").into_response();
            }
            Refusal::TooMany(wait) => {
                return later(StatusCode::TOO_MANY_REQUESTS, *wait, "too many requests; try again later\n");
            }
            Refusal::Unavailable => {
                let why = "credentials cannot be checked at this time; try again later\n";
                return later(StatusCode::SERVICE_UNAVAILABLE, TRY_AGAIN, why);
            }
        };
        let mut parts = vec!["Bearer realm=\"sayso\"".to_owned()];
        if let Some(error) = error {
            parts.push(format!("error=\"{error}\", error_description=\"{description}\""));
        }
        match refusal {
            Refusal::Insufficient(scope) => parts.push(format!("scope=\"{}\"", scope.of_issuer())),
            _ if self.metadata.is_some() => {
                parts.push(format!("scope=\"{}\"", Scope::ALL.map(Scope::of_issuer).join(" ")));
            }
            _ => {}
        }
        parts.extend(self.metadata.clone());
        let challenge = HeaderValue::from_str(&parts.join(", ")).expect("these are words and a URL");
        let body = json!({ "error": error.unwrap_or("unauthorized"), "error_description": description });
        let headers = [
            (header::WWW_AUTHENTICATE, challenge),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        ];
        (status, headers, Json(body)).into_response()
    }
}

/// As MCP says it of a body that is no message.
fn unreadable() -> Response {
    let message = "The body is not one JSON-RPC message in UTF-8. Send one JSON object with jsonrpc, id, method and params, each once.";
    let error = json!({ "jsonrpc": "2.0", "id": null, "error": { "code": -32700, "message": message } });
    (StatusCode::BAD_REQUEST, Json(error)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(oauth: bool, refusal: &Refusal) -> (u16, String, String) {
        let access = if oauth {
            let issuer = crate::config::Issuer::parse("https://login.example.com").unwrap();
            Access { oauth: Some(crate::config::Oauth { issuer, audience: None }), ..Access::default() }
        } else {
            Access::default()
        };
        let url = PublicUrl::parse("https://review.example.com/sayso").unwrap();
        let answer = Challenge::new(&access, &url).answer(refusal);
        let header =
            |name| answer.headers().get(name).map(|v| v.to_str().unwrap().to_owned()).unwrap_or_default();
        (answer.status().as_u16(), header(header::WWW_AUTHENTICATE), header(header::RETRY_AFTER))
    }

    #[test]
    fn who_showed_nothing_is_told_no_error() {
        assert_eq!(told(false, &Refusal::Missing).1, "Bearer realm=\"sayso\"");
        let (status, challenge, _) = told(true, &Refusal::Missing);
        assert_eq!(status, 401);
        assert_eq!(
            challenge,
            "Bearer realm=\"sayso\", scope=\"sayso:ask sayso:read\", \
             resource_metadata=\"https://review.example.com/sayso/.well-known/oauth-protected-resource/mcp\""
        );
    }

    #[test]
    fn each_refusal_has_its_status_and_its_error() {
        let (status, challenge, _) = told(false, &Refusal::Invalid("the token has expired"));
        assert_eq!(status, 401);
        assert_eq!(
            challenge,
            "Bearer realm=\"sayso\", error=\"invalid_token\", error_description=\"the token has expired\""
        );
        let (status, challenge, _) = told(false, &Refusal::Insufficient(Scope::Ask));
        assert_eq!(status, 403);
        assert!(
            challenge.contains("error=\"insufficient_scope\"") && challenge.ends_with("scope=\"sayso:ask\"")
        );
        assert_eq!(told(false, &Refusal::Malformed).0, 400);
        let (status, challenge, wait) = told(true, &Refusal::TooMany(Duration::from_millis(1_200)));
        assert_eq!((status, challenge.as_str(), wait.as_str()), (429, "", "2"));
        assert_eq!(told(false, &Refusal::Unavailable).0, 503);
    }
}
