//! What a document of a caller's template may do: nothing that leaves it. Every line is a promise to reviewers.

use http::{HeaderName, header};

/// The sandbox of a display frame: scripts run, in an origin that is nobody's.
///
/// No `allow-same-origin` (the page and its API would be the caller's), no `allow-forms`, `allow-popups`,
/// `allow-top-navigation`, `allow-downloads` or `allow-modals`. The page's `iframe` says the same.
pub const DISPLAY_SANDBOX: &str = "allow-scripts";

/// The policy of a display document.
///
/// * `sandbox`: opened directly, it is as powerless as in its frame.
/// * `default-src 'none'`: it loads nothing and connects nowhere; what follows are the only exceptions.
/// * `script-src 'unsafe-inline'`, `style-src 'unsafe-inline'`: what stands in the document itself.
/// * `img-src data:`: a picture that is in the document, and no beacon.
/// * `frame-ancestors 'self'`: only our own page may embed it.
pub const DISPLAY_POLICY: &str = "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; \
     style-src 'unsafe-inline'; img-src data:; connect-src 'none'; form-action 'none'; base-uri 'none'; \
     frame-ancestors 'self'";

/// What a display document is sent with beside its policy.
pub const DISPLAY_HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_TYPE, "text/html; charset=utf-8"),
    // None at all. The policy above is about what is fetched, and lets pass what only opens a connection: `preconnect`,
    // `dns-prefetch`, a peer connection's STUN server. Chromium heeds it since version 152, and no other browser yet.
    (HeaderName::from_static("connection-allowlist"), "()"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // Its address names a request.
    (header::REFERRER_POLICY, "no-referrer"),
    // Looking up the host of a link would tell that host that somebody looks.
    (header::X_DNS_PREFETCH_CONTROL, "off"),
    (
        HeaderName::from_static("permissions-policy"),
        "accelerometer=(), autoplay=(), camera=(), clipboard-read=(), clipboard-write=(), display-capture=(), \
         encrypted-media=(), fullscreen=(), gamepad=(), geolocation=(), gyroscope=(), hid=(), idle-detection=(), \
         magnetometer=(), microphone=(), midi=(), payment=(), picture-in-picture=(), \
         publickey-credentials-get=(), screen-wake-lock=(), serial=(), storage-access=(), usb=(), \
         xr-spatial-tracking=()",
    ),
    // No other site may take it into itself as a resource.
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// The sandbox of the options of a selection: a form can be sent, and no script runs at all.
pub const OPTIONS_SANDBOX: &str = "allow-forms";

/// The policy of the options' document: it loads nothing but pictures that it holds, and sends its form to this server only.
pub const OPTIONS_POLICY: &str = "sandbox allow-forms; default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
     form-action 'self'; base-uri 'none'; frame-ancestors 'self'";

/// Where the options' document may connect to: here, or its form would go nowhere. An allowlist is about navigations too.
pub const OPTIONS_CONNECTIONS: &str = "(response-origin)";

#[cfg(test)]
mod tests {
    use super::*;

    /// Exactly this; a flag more is a hole.
    #[test]
    fn the_sandbox_is_exactly_this() {
        assert_eq!(DISPLAY_SANDBOX, "allow-scripts");
        assert_eq!(DISPLAY_SANDBOX, sayso_app::parts::SANDBOX);
        assert!(DISPLAY_POLICY.starts_with("sandbox allow-scripts; default-src 'none';"));
        assert_eq!(OPTIONS_SANDBOX, "allow-forms");
        assert_eq!(OPTIONS_SANDBOX, sayso_app::parts::OPTIONS_SANDBOX);
        assert!(OPTIONS_POLICY.starts_with("sandbox allow-forms; default-src 'none';"));
    }
}
