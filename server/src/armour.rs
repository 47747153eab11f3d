//! What every answer is sent with, whoever made it: errors, assets, refusals and agents' answers as well as pages.
//!
//! What an answer says for itself stands: pages and frames have policies of their own. What is here holds for all that say
//! nothing, so that none is forgotten.

use crate::config::PublicUrl;
use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use http::{HeaderMap, HeaderName, HeaderValue, header};

/// What an answer may do that has no policy of its own: nothing, and be framed by nobody.
pub const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
);

/// For a year, and for this host alone: what else there is below its name is not ours to speak for.
const HTTPS_ONLY: HeaderValue = HeaderValue::from_static("max-age=31536000");

const ALWAYS: [(HeaderName, HeaderValue); 3] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    // The address of a page names a request.
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static("camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    ),
];

const OPENER: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

/// What answers are sent with here.
#[derive(Clone, Copy)]
pub struct Armour {
    https: bool,
}

impl Armour {
    /// For a server that is reached by this URL.
    pub fn of(public_url: &PublicUrl) -> Self {
        Self { https: public_url.is_https() }
    }

    fn put_on(self, headers: &mut HeaderMap) {
        for (name, value) in ALWAYS {
            headers.entry(name).or_insert(value);
        }
        let policy = headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(POLICY);
        // A browser shows no document that is both sandboxed and without an opener, and one in a sandbox is nobody's anyway.
        if !policy.as_bytes().starts_with(b"sandbox") {
            headers.entry(OPENER).or_insert(HeaderValue::from_static("same-origin"));
        }
        if self.https {
            headers.entry(header::STRICT_TRANSPORT_SECURITY).or_insert(HTTPS_ONLY);
        }
    }
}

/// Around everything else.
pub async fn put_on(State(armour): State<Armour>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    armour.put_on(response.headers_mut());
    response
}
