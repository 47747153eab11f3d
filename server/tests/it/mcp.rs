//! MCP as agents speak it, both eras, and what bad input gets.

use crate::house::{House, example};
use axum::body::Body;
use http::{Method, StatusCode};
use sayso_domain::Review;
use serde_json::{Value, json};

const LEGACY: [(&str, &str); 2] =
    [("content-type", "application/json"), ("accept", "application/json, text/event-stream")];

async fn legacy(house: &House, session: Option<&str>, message: Value) -> crate::house::Answer {
    let mut headers = LEGACY.to_vec();
    headers.extend(session.map(|session| ("mcp-session-id", session)));
    house.send(Method::POST, "/mcp", &headers, message.to_string()).await
}

async fn initialize(house: &House, revision: &str) -> (String, Value) {
    let params = json!({ "protocolVersion": revision, "capabilities": {}, "clientInfo": { "name": "old-timer", "version": "1" } });
    let answer =
        legacy(house, None, json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }))
            .await;
    let session = answer.header("mcp-session-id").to_owned();
    let accepted =
        legacy(house, Some(&session), json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))
            .await;
    assert_eq!(accepted.status, StatusCode::ACCEPTED);
    (session, answer.message()["result"].clone())
}

#[tokio::test]
async fn every_handshake_revision_is_served_and_so_is_the_stateless_one() {
    let house = House::new().await;
    for revision in ["2025-03-26", "2025-06-18", "2025-11-25"] {
        let (session, hello) = initialize(&house, revision).await;
        assert_eq!(hello["protocolVersion"], revision);
        assert_eq!(hello["serverInfo"]["name"], "sayso");
        let call = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": { "name": "elicit_proposal", "arguments": example() } });
        let result = legacy(&house, Some(&session), call).await.message()["result"].clone();
        assert_eq!(result["structuredContent"]["status"], "pending", "{revision}");
        let id = result["structuredContent"]["elicitationId"].as_str().unwrap().parse().unwrap();
        let Some(Review::Open(open)) = house.reviews.look(id).await.unwrap() else { panic!("open") };
        assert_eq!(open.by.client.as_deref(), Some("old-timer"));
    }
    let id = house.propose().await.parse().unwrap();
    let Some(Review::Open(open)) = house.reviews.look(id).await.unwrap() else { panic!("open") };
    assert_eq!(open.by.client.as_deref(), Some("crm-enrichment"));
}

#[tokio::test]
async fn the_first_512_characters_of_the_instructions_tell_the_whole_workflow() {
    let house = House::new().await;
    let (_, hello) = initialize(&house, "2025-11-25").await;
    let start: String = hello["instructions"].as_str().unwrap().chars().take(512).collect();
    for word in [
        "elicit_approval",
        "elicit_proposal",
        "reviewUrl",
        "elicit_await",
        "elicit_result",
        "pending",
        "expired",
        "nothing was approved.",
    ] {
        assert!(start.contains(word), "{word} is not in: {start}");
    }
}

#[tokio::test]
async fn the_answer_to_a_proposal_leads_the_person_to_the_page() {
    let house = House::new().await;
    let result = house.call_text("elicit_proposal", &example().to_string()).await.message()["result"].clone();
    let content = &result["structuredContent"];
    let url = content["reviewUrl"].as_str().unwrap();
    assert_eq!(
        url,
        format!("http://127.0.0.1:3000/review?elicitationId={}", content["elicitationId"].as_str().unwrap())
    );
    assert_eq!(content["expiresAt"], "2026-07-16T13:00:00.000Z");
    assert_eq!(content["elicitationDelivered"], false);
    assert_eq!(content.as_object().unwrap().len(), 5);
    let blocks = result["content"].as_array().unwrap();
    assert_eq!(serde_json::from_str::<Value>(blocks[0]["text"].as_str().unwrap()).unwrap(), *content);
    assert!(
        blocks[1]["text"].as_str().unwrap().lines().any(|line| line == url),
        "the link stands on a line of its own"
    );
    assert_eq!((&blocks[2]["type"], &blocks[2]["uri"]), (&json!("resource_link"), &json!(url)));
}

/// The number's own text goes all the way, whatever a float would make of it.
#[tokio::test]
async fn numbers_come_back_as_they_were_written() {
    let house = House::new().await;
    let context =
        r#"{"id":3791411052119578828,"price":1.10,"tiny":1e-400,"huge":123456789012345678901234567890.0}"#;
    let mut arguments = example();
    arguments["context"] = json!("CONTEXT");
    arguments["requestedSchema"]["properties"]["employeeCount"]["default"] = json!("COUNT");
    let arguments =
        arguments.to_string().replace("\"CONTEXT\"", context).replace("\"COUNT\"", "9223372036854775808");
    let answer = house.call_text("elicit_proposal", &arguments).await.message();
    let id = answer["result"]["structuredContent"]["elicitationId"].as_str().unwrap().to_owned();
    let page = house.get(&format!("/review?elicitationId={id}")).await;
    assert!(page.body.contains(r#"value="9223372036854775808""#));
    let body = format!(
        r#"{{"id":"{id}","draft":{{"proposal":{{"submit":{{"employeeCount":9223372036854775808}}}}}},"digest":"{}"}}"#,
        house.digest(&id).await
    );
    assert_eq!(
        house.send(Method::POST, "/api/submit", &crate::house::JSON, body).await.status,
        StatusCode::OK
    );
    let result = house.call_text("elicit_result", &json!({ "elicitationId": id }).to_string()).await.body;
    assert!(result.contains(context), "{result}");
    assert!(result.contains(r#""values":{"employeeCount":9223372036854775808}"#), "{result}");
}

#[tokio::test]
async fn every_fault_of_a_call_is_told_at_once_and_nothing_is_stored() {
    let house = House::new().await;
    let mut arguments = example();
    arguments["urgent"] = json!(true);
    arguments["columns"]["sources"][1]["key"] = json!("apollo");
    arguments["requestedSchema"]["properties"]["name"]["type"] = json!("object");
    let (answer, is_error) = house.call("elicit_proposal", arguments).await;
    assert!(is_error && answer["code"] == "invalid_arguments");
    let faults: Vec<_> = answer["faults"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| (fault["pointer"].as_str().unwrap(), fault["code"].as_str().unwrap()))
        .collect();
    assert_eq!(
        faults,
        [
            ("/urgent", "unknown_property"),
            ("/columns/sources/1/key", "duplicate"),
            ("/requestedSchema/properties/name/type", "unsupported"),
            ("/fields/name/sources/crunchbase", "unknown_source")
        ]
    );
    assert_eq!(house.reviews.next_deadline(house.reviews.now()).await.unwrap(), None);
}

#[tokio::test]
async fn an_id_that_nobody_has_is_not_found_by_any_tool() {
    let house = House::new().await;
    for id in ["00000000000000000000000000000000", "", "x", "../../etc/passwd", "é"] {
        for tool in ["elicit_await", "elicit_status", "elicit_result", "elicit_cancel"] {
            let (answer, is_error) = house.call(tool, json!({ "elicitationId": id })).await;
            assert!(is_error && answer["code"] == "not_found", "{tool} {id}: {answer}");
        }
    }
    let (answer, is_error) =
        house.call("elicit_await", json!({ "elicitationId": 7, "waitSeconds": "long" })).await;
    assert!(is_error && answer["faults"].as_array().unwrap().len() == 2, "{answer}");
    let unknown = house.call_text("elicit_guess", "{}").await.message();
    assert!(unknown["error"]["message"].as_str().unwrap().contains("elicit_guess"));
}

#[tokio::test]
async fn what_has_ended_says_how() {
    let house = House::new().await;
    let (pending, canceled, expired, decided) =
        (house.propose().await, house.propose().await, house.propose().await, house.propose().await);
    let result = async |id: &str| house.call("elicit_result", json!({ "elicitationId": id })).await;
    let cancel = async |id: &str| {
        house.call("elicit_cancel", json!({ "elicitationId": id, "reason": "no longer needed" })).await
    };
    assert_eq!(result(&pending).await.0["code"], "pending");
    assert_eq!(cancel(&canceled).await.0, json!({ "elicitationId": canceled, "status": "canceled" }));
    assert_eq!(result(&canceled).await.0["code"], "canceled");
    let page = house.get(&format!("/review?elicitationId={canceled}")).await;
    assert!(
        page.status == StatusCode::OK
            && page.body.contains("Canceled")
            && page.body.contains("no longer needed")
    );
    house.decide(&decided, json!("cancel")).await;
    let (again, is_error) = cancel(&decided).await;
    assert!(is_error && again["code"] == "already_decided" && again["status"] == "rejected", "{again}");
    let mut given = result(&decided).await.0;
    assert_eq!(given["review"].take()["decidedBy"], "local");
    assert_eq!(
        given,
        json!({
            "review": null, "comment": null, "status": "consumed", "decision": "rejected", "action": "cancel", "context": example()["context"], "decidedAt": "2026-07-16T12:00:00.000Z"
        })
    );
    house.clock.wind(3_600);
    assert_eq!(result(&expired).await.0["code"], "expired");
    assert_eq!(cancel(&expired).await.0["code"], "already_decided");
}

#[tokio::test]
async fn what_is_too_large_or_no_json_is_refused_at_the_door() {
    let house = House::new().await;
    let mut arguments = example();
    arguments["context"] = json!("x".repeat(2 << 20));
    assert_eq!(
        house.call_text("elicit_proposal", &arguments.to_string()).await.status,
        StatusCode::PAYLOAD_TOO_LARGE
    );
    for body in ["{", "", "[]", "\u{0}", "{\"jsonrpc\":\"2.0\"}"] {
        let answer = house.send(Method::POST, "/mcp", &LEGACY, body).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{body}: {}", answer.body);
        assert_eq!(answer.message()["error"]["code"], -32700, "{body}");
    }
    assert_eq!(house.reviews.next_deadline(house.reviews.now()).await.unwrap(), None);
}

#[tokio::test]
async fn other_hosts_and_origins_are_refused_everywhere() {
    let house = House::new().await;
    let id = house.propose().await;
    let page = format!("/review?elicitationId={id}");
    for (method, path) in [
        (Method::POST, "/mcp"),
        (Method::POST, "/api/submit"),
        (Method::GET, page.as_str()),
        (Method::GET, "/"),
    ] {
        for host in ["evil.example", "127.0.0.1:3001", "127.0.0.1", "localhost.evil.example:3000"] {
            let answer = house.send(method.clone(), path, &[("host", host)], Body::empty()).await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{method} {path} as {host}");
        }
    }
    for path in ["/mcp", "/api/submit"] {
        for header in [
            ("origin", "https://evil.example"),
            ("origin", "null"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
        ] {
            let answer = house.send(Method::POST, path, &[header], Body::empty()).await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path} {header:?}");
        }
    }
    assert_eq!(house.call("elicit_status", json!({ "elicitationId": id })).await.0["status"], "pending");
}

#[tokio::test]
async fn a_dropped_wait_leaves_nothing_behind_and_costs_nothing() {
    let house = std::sync::Arc::new(House::new().await);
    let id = house.propose().await;
    let waiting = tokio::spawn({
        let (house, id) = (std::sync::Arc::clone(&house), id.clone());
        async move { house.call("elicit_await", json!({ "elicitationId": id, "waitSeconds": 300 })).await }
    });
    while house.reviews.waited_for() == 0 {
        tokio::task::yield_now().await;
    }
    waiting.abort();
    assert!(waiting.await.is_err());
    while house.reviews.waited_for() > 0 {
        tokio::task::yield_now().await;
    }
    house.decide(&id, json!("cancel")).await;
    assert_eq!(house.call("elicit_await", json!({ "elicitationId": id })).await.0["status"], "rejected");
}

#[tokio::test]
async fn a_wait_with_a_token_reports_progress_at_once() {
    let house = House::new().await;
    let (session, _) = initialize(&house, "2025-11-25").await;
    let id = house.propose().await;
    let params = json!({ "name": "elicit_await", "arguments": { "elicitationId": id, "waitSeconds": 1 }, "_meta": { "progressToken": "t" } });
    let answer = legacy(
        &house,
        Some(&session),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params }),
    )
    .await;
    let progress = answer.body.find("notifications/progress").expect("progress was reported");
    assert!(progress < answer.body.find("structuredContent").unwrap());
    assert_eq!(answer.message()["result"]["structuredContent"]["status"], "pending");
}

/// A regular call is answered without rmcp, and to the byte as rmcp would answer it.
#[tokio::test]
async fn the_short_way_and_the_long_way_answer_alike() {
    let house = House::new().await;
    let (pending, decided) = (house.propose().await, house.propose().await);
    house.decide(&decided, json!({ "submit": { "name": "n" } })).await;
    let of = |id: &str| json!({ "elicitationId": id });
    let nobodys = of(&"0".repeat(32));
    let calls = [
        ("elicit_status", of(&pending)),
        ("elicit_status", nobodys.clone()),
        ("elicit_status", json!({ "elicitationId": 1, "more": "\u{202e}" })),
        ("elicit_await", json!({ "elicitationId": pending, "waitSeconds": 1 })),
        ("elicit_await", of(&decided)),
        ("elicit_result", of(&pending)),
        ("elicit_result", nobodys),
        ("elicit_cancel", of(&decided)),
        ("elicit_proposal", json!({ "message": "\0" })),
        ("elicit_preview", json!({ "tool": "elicit_proposal", "arguments": example() })),
        ("elicit_doctor", json!({})),
        ("elicit_result", of(&decided)),
        ("elicit_result", of(&decided)),
    ];
    for (tool, arguments) in calls {
        let (headers, body) = crate::house::modern_call(tool, &arguments.to_string());
        let short = house.send(Method::POST, "/mcp", &headers, body.clone()).await;
        // Accepting more than it has to is right as well, but not regular.
        let headers: Vec<_> = headers
            .into_iter()
            .map(|(name, value)| match name {
                "accept" => (name, "application/json, text/event-stream, text/plain"),
                _ => (name, value),
            })
            .collect();
        let long = house.send(Method::POST, "/mcp", &headers, body).await;
        assert_eq!((short.status, &short.body), (long.status, &long.body), "{tool} {arguments}");
        assert_eq!(short.header("content-type"), long.header("content-type"), "{tool} {arguments}");
    }
}
