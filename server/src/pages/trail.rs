//! `GET /review/trail?elicitationId=…`: what happened to a request, for those who may see it.

use super::{Link, Pages};
use axum::{
    extract::{Query, State},
    response::Response,
};
use http::{HeaderMap, StatusCode};
use sayso_app::pages::trail::trail_html;
use sayso_domain::ReviewId;

/// The page of a request's trail. Looking changes nothing.
pub async fn trail(State(pages): State<Pages>, Query(link): Query<Link>, headers: HeaderMap) -> Response {
    let (review, _) = match pages.sight(&link, &headers).await {
        Ok(seen) => seen,
        Err(refused) => return *refused,
    };
    match pages.reviews.trail(&review).await {
        Ok(trail) => {
            let back = pages.address_of(review.request().id);
            pages.still(StatusCode::OK, "What happened \u{b7} Sayso", &trail_html(trail, back))
        }
        Err(error) => pages.unavailable(&error),
    }
}

impl Pages {
    /// Where the page of a request is.
    fn address_of(&self, id: ReviewId) -> String {
        format!("{}/review?elicitationId={id}", self.public_url.prefix())
    }

    /// Where its trail is.
    pub(super) fn trail_of(&self, id: ReviewId) -> String {
        format!("{}/review/trail?elicitationId={id}", self.public_url.prefix())
    }
}
