//! Pages of other origins: let in at `/mcp` where they are named, and nowhere else; and the addresses where there is nothing.

use crate::house::{Answer, GUEST, House, example};
use axum::body::Body;
use http::{Method, StatusCode};
use serde_json::json;

#[tokio::test]
async fn there_is_no_oauth_and_its_addresses_say_so() {
    let house = House::behind("https://review.example.com/sayso").await;
    for kind in ["oauth-protected-resource", "oauth-authorization-server", "openid-configuration"] {
        for path in [
            format!("/.well-known/{kind}"),
            format!("/.well-known/{kind}/mcp"),
            format!("/.well-known/{kind}/sayso/mcp"),
            format!("/sayso/.well-known/{kind}"),
            format!("/sayso/.well-known/{kind}/mcp"),
            format!("/mcp/.well-known/{kind}"),
            format!("/sayso/mcp/.well-known/{kind}"),
        ] {
            let headers = [("host", "review.example.com"), ("origin", GUEST)];
            let answer = house.send(Method::GET, &path, &headers, Body::empty()).await;
            assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
            assert!(!answer.body.contains('<'), "{path}: {}", answer.body);
            assert_eq!(answer.header("access-control-allow-origin"), GUEST, "{path}");
        }
    }
}

async fn preflight(house: &House, path: &str, origin: &str) -> Answer {
    let headers = [
        ("origin", origin),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "content-type,mcp-protocol-version"),
    ];
    house.send(Method::OPTIONS, path, &headers, Body::empty()).await
}

#[tokio::test]
async fn pages_of_a_guest_may_call_mcp() {
    let house = House::new().await;
    let answer = preflight(&house, "/mcp", GUEST).await;
    assert_eq!((answer.status, answer.header("access-control-allow-origin")), (StatusCode::OK, GUEST));
    let (headers, methods) =
        (answer.header("access-control-allow-headers"), answer.header("access-control-allow-methods"));
    for header in [
        "mcp-session-id",
        "mcp-protocol-version",
        "mcp-method",
        "mcp-name",
        "last-event-id",
        "authorization",
        "content-type",
        "accept",
    ] {
        assert!(headers.split(',').any(|allowed| allowed == header), "{header} is not in {headers}");
    }
    for method in ["GET", "POST", "DELETE"] {
        assert!(methods.split(',').any(|allowed| allowed == method), "{method} is not in {methods}");
    }
    assert_eq!(answer.header("access-control-allow-credentials"), "");
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "inspector", "version": "1" } } });
    let headers = [
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
        ("origin", GUEST),
        ("sec-fetch-site", "cross-site"),
    ];
    let answer = house.send(Method::POST, "/mcp", &headers, hello.to_string()).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    assert_eq!(answer.header("access-control-allow-origin"), GUEST);
    assert_eq!(answer.header("access-control-expose-headers"), "mcp-session-id,retry-after,www-authenticate");
    assert!(!answer.header("mcp-session-id").is_empty() && answer.header("vary").contains("origin"));
    let card = house.send(Method::GET, "/mcp/server-card", &[("origin", GUEST)], Body::empty()).await;
    assert_eq!(card.header("access-control-allow-origin"), GUEST);
}

#[tokio::test]
async fn a_guest_is_let_in_at_mcp_and_nowhere_else_and_others_nowhere() {
    let house = House::new().await;
    for stranger in
        ["https://evil.example", "null", "http://inspector.example", "https://inspector.example.evil.test"]
    {
        assert_eq!(
            preflight(&house, "/mcp", stranger).await.header("access-control-allow-origin"),
            "",
            "{stranger}"
        );
        let headers = [
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
            ("origin", stranger),
        ];
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }).to_string();
        assert_eq!(
            house.send(Method::POST, "/mcp", &headers, call).await.status,
            StatusCode::FORBIDDEN,
            "{stranger}"
        );
        let card = house.send(Method::GET, "/mcp/server-card", &[("origin", stranger)], Body::empty()).await;
        assert_eq!(card.header("access-control-allow-origin"), "", "{stranger}");
    }
    let id = house.ask("elicit_proposal", example()).await;
    let digest = house.digest(&id).await;
    let body = json!({ "id": id, "draft": { "proposal": "cancel" }, "digest": digest }).to_string();
    let headers = [("x-sayso", "page"), ("content-type", "application/json"), ("origin", GUEST)];
    assert_eq!(house.send(Method::POST, "/api/submit", &headers, body).await.status, StatusCode::FORBIDDEN);
    for path in [
        "/",
        "/api/submit",
        "/frame/display",
        "/frame/selection",
        "/healthz",
        &format!("/review?elicitationId={id}"),
    ] {
        let answer = preflight(&house, path, GUEST).await;
        assert_eq!(answer.header("access-control-allow-origin"), "", "{path}");
        let answer = house.send(Method::GET, path, &[("origin", GUEST)], Body::empty()).await;
        assert_eq!(answer.header("access-control-allow-origin"), "", "{path}");
    }
    assert_eq!(house.call("elicit_status", json!({ "elicitationId": id })).await.0["status"], "pending");
}
