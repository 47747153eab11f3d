//! What every answer is sent with, at every route, whatever the answer is.

use crate::house::{GUEST, House};
use axum::response::Response;
use http::{Method, StatusCode};
use std::collections::BTreeSet;

fn header<'a>(answer: &'a Response, name: &str) -> &'a str {
    answer.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

/// What is missing from an answer.
fn missing(answer: &Response, https: bool) -> Vec<&'static str> {
    let policy = header(answer, "content-security-policy");
    let once = |name: &str| answer.headers().get_all(name).iter().count() == 1;
    let sandboxed = policy.starts_with("sandbox ");
    let checks = [
        ("nosniff", header(answer, "x-content-type-options") == "nosniff"),
        ("referrer", header(answer, "referrer-policy") == "no-referrer"),
        ("permissions", header(answer, "permissions-policy").contains("camera=()")),
        ("policy", once("content-security-policy") && policy.contains("default-src 'none'")),
        ("base", policy.contains("base-uri 'none'")),
        (
            "ancestors",
            policy.contains("frame-ancestors 'none'")
                || sandboxed && policy.contains("frame-ancestors 'self'"),
        ),
        // A browser shows no document that is both in a sandbox and without an opener.
        (
            "opener",
            header(answer, "cross-origin-opener-policy") == if sandboxed { "" } else { "same-origin" },
        ),
        ("https", once("strict-transport-security") == https),
    ];
    checks.into_iter().filter(|(_, good)| !good).map(|(name, _)| name).collect()
}

async fn walk(house: &House, host: &str, https: bool) -> BTreeSet<u16> {
    let id = house.send(Method::GET, "/healthz", &[("host", host)], "").await;
    assert_eq!(id.status, StatusCode::OK);
    let (mut seen, mut routes) = (BTreeSet::new(), house.routes());
    routes.insert("/nowhere".to_owned());
    for route in routes {
        let path = route.replace("{*file}", "x").replace("{*path}", "x");
        for query in ["", "?elicitationId=00000000000000000000000000000000", "?elicitationId=%00&next=%00"] {
            for method in
                [Method::GET, Method::HEAD, Method::OPTIONS, Method::POST, Method::DELETE, Method::PUT]
            {
                let foreign = [
                    ("host", host),
                    ("origin", "https://evil.example"),
                    ("content-type", "application/json"),
                ];
                let guest = [("host", host), ("origin", GUEST), ("access-control-request-method", "POST")];
                let bearer = [("host", host), ("authorization", "Bearer sayso_wrong")];
                for headers in
                    [&[("host", host)][..], &[("host", "elsewhere.example")], &foreign, &guest, &bearer]
                {
                    let answer = house.head_of(method.clone(), &format!("{path}{query}"), headers).await;
                    assert_eq!(
                        missing(&answer, https),
                        [""; 0],
                        "{method} {path}{query} {headers:?}: {answer:?}"
                    );
                    seen.insert(answer.status().as_u16());
                }
            }
        }
    }
    seen
}

#[tokio::test]
async fn every_answer_says_what_may_be_done_with_it() {
    let house = House::new().await;
    let seen = walk(&house, "127.0.0.1:3000", false).await;
    for status in [200, 400, 403, 404, 405, 406] {
        assert!(seen.contains(&status), "{status} is not among {seen:?}");
    }
    let selection = serde_json::json!({ "message": "m", "options": [{ "id": "a" }, { "id": "b" }] });
    for id in [house.propose().await, house.ask("elicit_selection", selection).await] {
        for path in ["review", "frame/selection", "frame/display", "events"] {
            let path = format!("/{path}?elicitationId={id}");
            let answer = house.head_of(Method::GET, &path, &[]).await;
            assert_eq!(missing(&answer, false), [""; 0], "{path}");
        }
    }
}

#[tokio::test]
async fn browsers_are_told_to_come_by_https_where_that_is_how_they_come() {
    let house = House::behind("https://review.example.com/sayso").await;
    walk(&house, "review.example.com", true).await;
}
