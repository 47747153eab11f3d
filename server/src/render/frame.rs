//! `GET /frame/display`: the document that a caller's template made of a request, for the frame in its page.

use super::{Busy, Fragment, Renderer, document, policy};
use crate::{
    reviewers::People,
    reviews::{Reviews, Sight},
    store::StoreError,
};
use axum::{
    extract::{Query, State},
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use sayso_domain::{ReviewId, people::Denied};
use serde::Deserialize;

/// What the frames stand on.
#[derive(Clone)]
pub struct Frames {
    reviews: Reviews,
    renderer: Renderer,
    people: People,
}

impl Frames {
    /// Puts the pieces together.
    pub fn new(reviews: Reviews, renderer: Renderer, people: People) -> Self {
        Self { reviews, renderer, people }
    }
}

/// Which document, and which version of it.
#[derive(Deserialize)]
pub struct Address {
    #[serde(rename = "elicitationId")]
    id: Option<String>,
    #[serde(rename = "v")]
    version: Option<String>,
}

/// Where the document of a request is. The version lets browsers keep it.
pub(super) fn address(base: &str, id: ReviewId, fragment: &Fragment) -> String {
    format!("{base}/frame/display?elicitationId={id}&v={}", fragment.version)
}

/// The document of a request's template, for whom may decide that. Looking changes nothing.
pub async fn display(
    State(frames): State<Frames>,
    Query(address): Query<Address>,
    headers: HeaderMap,
) -> Response {
    if steers_itself(&headers) {
        // No content: the frame stays as it is.
        return StatusCode::NO_CONTENT.into_response();
    }
    let Some(id) = address.id.and_then(|id| id.parse().ok()) else {
        return missing();
    };
    let sight = async {
        let caller = frames.people.caller(&headers).await?;
        frames.reviews.show(id, &caller.visitor).await
    };
    let review = match sight.await {
        Ok(Sight::Review(review)) => review,
        Ok(Sight::Unknown) => return missing(),
        Ok(Sight::Denied(denied)) => {
            return answer(status_of(&denied), &document::plain("Reload the page."), "no-store");
        }
        Err(error) => {
            tracing::error!(%error, review = %id, "showing a frame");
            let words = document::plain("Not available just now. Reload the page.");
            return answer(status_of_trouble(&error), &words, "no-store");
        }
    };
    let open = review.request();
    match frames.renderer.document(open).await {
        None => missing(),
        Some(Ok(rendering)) => match rendering.as_ref() {
            Ok(fragment) => {
                let current = address.version.as_ref() == Some(&fragment.version);
                // What only some may see is not kept for the next person at the same machine.
                let keep = if frames.people.sign_in() {
                    "no-store"
                } else if current {
                    "private, max-age=31536000, immutable"
                } else {
                    "private, no-cache"
                };
                answer(StatusCode::OK, &document::write(&fragment.html), keep)
            }
            Err(_) => missing(),
        },
        Some(Err(Busy)) => {
            let words = "The server is busy with other pages. Reload this one in a moment.";
            answer(StatusCode::SERVICE_UNAVAILABLE, &document::plain(words), "no-store")
        }
    }
}

/// The status of an answer to somebody who may not see a request.
pub(crate) fn status_of(denied: &Denied) -> StatusCode {
    match denied {
        Denied::SignIn => StatusCode::UNAUTHORIZED,
        Denied::NotYours(_) => StatusCode::FORBIDDEN,
    }
}

/// The status of an answer where the store has none.
pub(crate) fn status_of_trouble(error: &StoreError) -> StatusCode {
    if error.is_damage() { StatusCode::INTERNAL_SERVER_ERROR } else { StatusCode::SERVICE_UNAVAILABLE }
}

/// Whether the frame itself asks for this, by a script or a `meta` in it: its origin is nobody's, so to a browser the
/// request comes from another site. The page that embeds the frame is of this one.
fn steers_itself(headers: &HeaderMap) -> bool {
    let says = |name: &str, value: &str| headers.get(name).is_some_and(|found| found == value);
    let framed = says("sec-fetch-dest", "iframe") || says("sec-fetch-dest", "frame");
    framed && headers.contains_key("sec-fetch-site") && !says("sec-fetch-site", "same-origin")
}

fn missing() -> Response {
    answer(StatusCode::NOT_FOUND, &document::plain("There is nothing here."), "no-store")
}

fn answer(status: StatusCode, document: &str, keep: &'static str) -> Response {
    let mut response = (status, policy::DISPLAY_HEADERS, document.to_owned()).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy::DISPLAY_POLICY));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(keep));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_page_puts_a_document_into_the_frame() {
        let asked = |fetch: &[(&'static str, &'static str)]| {
            let headers = fetch.iter().map(|(name, value)| {
                (header::HeaderName::from_static(name), HeaderValue::from_static(value))
            });
            steers_itself(&headers.collect())
        };
        assert!(!asked(&[]), "a program that is no browser");
        assert!(!asked(&[("sec-fetch-dest", "iframe"), ("sec-fetch-site", "same-origin")]), "the page");
        assert!(!asked(&[("sec-fetch-dest", "document"), ("sec-fetch-site", "none")]), "opened directly");
        assert!(asked(&[("sec-fetch-dest", "iframe"), ("sec-fetch-site", "cross-site")]), "the frame");
    }
}
