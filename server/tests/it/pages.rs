//! What browsers get: documents that say what is there, functions that decide, and nothing that a look changes.

use crate::house::{House, JSON, example};
use axum::body::Body;
use http::{Method, StatusCode};
use serde_json::json;

#[tokio::test]
async fn a_link_that_leads_nowhere_is_a_real_404() {
    let house = House::new().await;
    for path in [
        "/review",
        "/review?elicitationId=",
        "/review?elicitationId=00000000000000000000000000000000",
        "/review?elicitationId=%00",
        "/nowhere",
    ] {
        let page = house.get(path).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND, "{path}");
        assert!(
            page.body.contains("No such request")
                && page.header("content-security-policy").contains("script-src 'none'"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn the_document_can_be_read_before_any_script_and_lets_none_in() {
    let house = House::new().await;
    let hostile = "</title></script></textarea><script>alert(1)</script><img src=x onerror=alert(1)>";
    let mut arguments = example();
    arguments["message"] = json!(hostile);
    arguments["columns"]["sources"][0]["label"] = json!(hostile);
    arguments["requestedSchema"]["properties"]["name"]["title"] = json!(hostile);
    arguments["requestedSchema"]["properties"]["name"]["default"] = json!(hostile);
    arguments["fields"]["name"]["sources"]["apollo"] = json!(hostile);
    let (answer, _) = house.call("elicit_proposal", arguments).await;
    let page =
        house.get(&format!("/review?elicitationId={}", answer["elicitationId"].as_str().unwrap())).await;
    assert_eq!(
        page.body.matches("<script>alert").count() + page.body.matches("<img src=x").count(),
        0,
        "{}",
        page.body
    );
    assert_eq!(page.body.matches("</title>").count(), 1);
    assert_eq!(
        page.body.matches("&lt;script&gt;alert").count() + page.body.matches("&lt;script>alert").count(),
        page.body.matches("alert(1)&lt;/script").count()
    );
    assert!(
        page.body.contains("<fieldset") && page.body.contains("disabled"),
        "nothing works before the page is alive"
    );
    assert!(!page.body.contains("externalKey"), "the context is not shown");
}

#[tokio::test]
async fn every_page_carries_its_policy() {
    let house = House::new().await;
    let id = house.propose().await;
    let path = format!("/review?elicitationId={id}");
    let (one, two) = (house.get(&path).await, house.get(&path).await);
    let policy = one.header("content-security-policy");
    for part in [
        "default-src 'none'",
        "style-src 'self' 'nonce-",
        "frame-ancestors 'none'",
        "form-action 'self'",
        "base-uri 'none'",
        "'wasm-unsafe-eval'",
    ] {
        assert!(policy.contains(part), "{part} is not in {policy}");
    }
    assert!(!policy.contains("'unsafe-inline'") && !policy.contains("'unsafe-eval'"));
    assert_ne!(policy, two.header("content-security-policy"), "a nonce is used once");
    let nonce = policy.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap();
    assert!(one.body.contains(&format!("nonce=\"{nonce}\"")));
    assert_eq!(
        (one.header("cache-control"), one.header("referrer-policy"), one.header("x-content-type-options")),
        ("no-store", "no-referrer", "nosniff")
    );
}

/// Scanners, previews and prefetches look; only the page's own POST decides.
#[tokio::test]
async fn looking_changes_nothing() {
    let house = House::new().await;
    let id = house.propose().await;
    let before = house.store.trail(id.parse().unwrap()).await.unwrap();
    for path in [
        format!("/review?elicitationId={id}"),
        "/api/submit".to_owned(),
        "/api/standing".to_owned(),
        "/mcp".to_owned(),
    ] {
        for method in [Method::GET, Method::HEAD, Method::OPTIONS] {
            for _ in 0..20 {
                house.send(method.clone(), &path, &[], Body::empty()).await;
            }
        }
    }
    assert_eq!(house.store.trail(id.parse().unwrap()).await.unwrap(), before);
    assert_eq!(house.call("elicit_status", json!({ "elicitationId": id })).await.0["status"], "pending");
}

#[tokio::test]
async fn a_draft_with_faults_decides_nothing_and_is_told_why() {
    let house = House::new().await;
    let id = house.propose().await;
    for (values, pointer, code) in [
        (json!({ "owner": "me" }), "/values/owner", "unknown_field"),
        (json!({ "employeeCount": "230" }), "/values/employeeCount", "wrong_type"),
        (json!({ "employeeCount": null }), "/values/employeeCount", "wrong_type"),
        (json!({ "institutionTypes": ["REIT"] }), "/values/institutionTypes", "unknown_option"),
    ] {
        let answer = house.decide(&id, json!({ "submit": values })).await;
        assert_eq!(
            (&answer["faulty"][0]["pointer"], &answer["faulty"][0]["code"]),
            (&json!(pointer), &json!(code)),
            "{answer}"
        );
    }
    for tampered in ["00000000000000000000000000000000", "nobody", &id.to_uppercase()] {
        assert!(tampered == id || house.decide(tampered, json!("cancel")).await == "unknown");
    }
    assert_eq!(house.call("elicit_status", json!({ "elicitationId": id })).await.0["status"], "pending");
}

#[tokio::test]
async fn what_is_no_draft_is_refused() {
    let house = House::new().await;
    let id = house.propose().await;
    let digest = house.digest(&id).await;
    let long = "x".repeat(2 << 20);
    for body in [
        "",
        "{",
        "[]",
        r#"{"id":"x"}"#,
        &json!({ "id": id, "draft": { "proposal": "approve" }, "digest": digest }).to_string(),
        // Whoever does not say what they were shown decides nothing.
        &json!({ "id": id, "draft": { "proposal": "cancel" } }).to_string(),
        &long,
    ] {
        let answer = house.send(Method::POST, "/api/submit", &JSON, body.to_owned()).await;
        assert!(answer.status.is_client_error(), "{}: {}", answer.status, answer.body);
    }
    let form = format!("id={id}&draft[proposal]=cancel");
    let answer = house
        .send(Method::POST, "/api/submit", &[("content-type", "application/x-www-form-urlencoded")], form)
        .await;
    assert!(!answer.status.is_success(), "{}", answer.status);
    assert_eq!(house.call("elicit_status", json!({ "elicitationId": id })).await.0["status"], "pending");
}

#[tokio::test]
async fn a_second_decision_is_told_who_came_first() {
    let house = House::new().await;
    let id = house.propose().await;
    house.decide(&id, json!("cancel")).await;
    house.clock.wind(5);
    let second = house.decide(&id, json!({ "submit": {} })).await;
    assert_eq!(
        (&second["too_late"]["status"], &second["too_late"]["by"]),
        (&json!("rejected"), &json!("local"))
    );
    let page = house.get(&format!("/review?elicitationId={id}")).await;
    assert!(page.body.contains("Rejected") && page.body.contains("2026-07-16T12:00:00.000Z"));
}

#[tokio::test]
async fn the_server_says_that_it_lives_and_that_its_store_answers() {
    let house = House::new().await;
    assert_eq!(house.get("/healthz").await.status, StatusCode::OK);
    assert_eq!(house.get("/readyz").await.status, StatusCode::OK);
    house.store.shut().await;
    assert_eq!(house.get("/healthz").await.status, StatusCode::OK);
    assert_eq!(house.get("/readyz").await.status, StatusCode::SERVICE_UNAVAILABLE);
}

/// Behind a proxy that takes the prefix off, and behind one that leaves it on.
#[tokio::test]
async fn a_public_url_with_a_prefix_is_linked_to_and_answered_at() {
    let house = House::behind("https://review.example.com/sayso").await;
    let (answer, _) = house.call("elicit_proposal", example()).await;
    let url = answer["reviewUrl"].as_str().unwrap();
    let path = url.strip_prefix("https://review.example.com").unwrap();
    assert!(path.starts_with("/sayso/review?elicitationId="));
    for path in [path, path.strip_prefix("/sayso").unwrap()] {
        let page = house.send(Method::GET, path, &[("host", "review.example.com")], Body::empty()).await;
        assert_eq!(page.status, StatusCode::OK, "{path}");
        assert!(page.body.contains("/sayso/pkg/sayso.") && page.body.contains("data-base=\"/sayso\""));
    }
    let headers = [
        ("host", "review.example.com"),
        ("origin", "https://review.example.com"),
        ("x-sayso", "page"),
        ("content-type", "application/json"),
    ];
    let (id, digest) =
        (&answer["elicitationId"], house.digest(answer["elicitationId"].as_str().unwrap()).await);
    let body = json!({ "id": id, "draft": { "proposal": "cancel" }, "digest": digest }).to_string();
    let answer = house.send(Method::POST, "/sayso/api/submit", &headers, body).await;
    assert!(
        answer.status == StatusCode::OK && answer.body.contains("rejected"),
        "{} {}",
        answer.status,
        answer.body
    );
}

#[tokio::test]
async fn a_page_travels_packed_where_the_browser_takes_that() {
    let house = House::new().await;
    let path = format!("/review?elicitationId={}", house.propose().await);
    let (plain, packed) = (
        house.get(&path).await,
        house.send(Method::GET, &path, &[("accept-encoding", "gzip")], Body::empty()).await,
    );
    assert_eq!((plain.header("content-encoding"), packed.header("content-encoding")), ("", "gzip"));
    assert!(packed.length < plain.length / 2 && packed.header("vary").contains("accept-encoding"));
}
