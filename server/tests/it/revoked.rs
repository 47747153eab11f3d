//! Answers that are open when the credentials end by which they were asked for: they end too.

use crate::agents::{ask_as, call_as, named};
use crate::client::{TYPE, until_gauge};
use crate::house::{House, JSON, On, example, modern_call, own_url};
use crate::on_both;
use crate::provider::{ann, provider, sign_in};
use axum::{body::Body, response::Response};
use http::{Method, Request, StatusCode};
use http_body_util::BodyExt;
use sayso::{
    agents::command::revoke,
    config::{Access, Create, Patience, Revoke, Seconds},
};
use sayso_domain::Clock;
use serde_json::json;
use std::time::Duration;
use tokio::time::timeout;
use tower::ServiceExt;

/// A server that looks often, to test that it looks.
async fn watchful(house: &House) -> House {
    let patience = Patience { look_again: Duration::from_millis(100), ..Patience::default() };
    house.guarded(own_url(), Access { patience, ..Access::default() }).await
}

async fn post(house: &House, token: &str, headers: &[(&str, &str)], body: String) -> Response {
    let mut request = Request::builder().method(Method::POST).uri("/mcp").header("host", "127.0.0.1:3000");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.header("authorization", format!("Bearer {token}")).body(Body::from(body)).unwrap();
    house.router.clone().oneshot(request).await.unwrap()
}

/// A call that waits for a decision on what this agent asked.
async fn wait(house: &House, token: &str) -> (String, Response) {
    let id = ask_as(house, token).await;
    let (headers, body) =
        modern_call("elicit_await", &json!({ "elicitationId": id, "waitSeconds": 300 }).to_string());
    let answer = post(house, token, &headers, body).await;
    assert_eq!(answer.status(), StatusCode::OK);
    (id, answer)
}

/// What is told until the answer ends.
async fn told(answer: Response) -> String {
    let body =
        timeout(Duration::from_secs(20), answer.into_body().collect()).await.expect("it ends").unwrap();
    String::from_utf8(body.to_bytes().to_vec()).unwrap()
}

on_both! {
    async fn calls_that_wait_end_with_their_token_and_others_wait_on(house: House) {
        let watchful = watchful(&house).await;
        let revoked = crate::agents::token(&house, "ann").await;
        let kept = crate::agents::token(&house, "bob-2").await;
        let short = Create { expires_in: Some(Seconds(60)), ..named("short") };
        let short = crate::agents::make(&house, short).await.secret.reveal().to_owned();
        let ((_, one), (id, two), (_, three)) =
            (wait(&watchful, &revoked).await, wait(&watchful, &kept).await, wait(&watchful, &short).await);
        until_gauge(&watchful, "sayso_waiting_calls", 3).await;
        // By another server, or the command: whoever does it, this one hears nothing of it.
        let which = Revoke { which: "ann".to_owned(), ..Revoke::default() };
        revoke(&house.store, &which, house.clock.now()).await.unwrap();
        let one = told(one).await;
        assert!(!one.contains("data:"), "nothing was decided, and nothing is told: {one}");
        until_gauge(&watchful, "sayso_waiting_calls", 2).await;
        house.clock.wind(60);
        assert!(!told(three).await.contains("data:"));
        until_gauge(&watchful, "sayso_waiting_calls", 1).await;
        watchful.decide(&id, json!("cancel")).await;
        assert!(told(two).await.contains("rejected"));
        let refused = call_as(&watchful, &revoked, "elicit_status", json!({ "elicitationId": id })).await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
    }

    async fn the_stream_of_a_session_ends_with_its_token(house: House) {
        let watchful = watchful(&house).await;
        let token = crate::agents::token(&house, "ann").await;
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "host", "version": "1" } });
        let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
        let accept = ("accept", "application/json, text/event-stream");
        let begun = post(&watchful, &token, &[TYPE, accept], hello.to_string()).await;
        let session = begun.headers()["mcp-session-id"].to_str().unwrap().to_owned();
        told(begun).await;
        let bearer = format!("Bearer {token}");
        let headers = [accept, ("mcp-session-id", session.as_str()), ("mcp-protocol-version", "2025-11-25"), ("authorization", &bearer)];
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string();
        let headers_of_post = [&headers[..], &[TYPE]].concat();
        assert_eq!(watchful.send(Method::POST, "/mcp", &headers_of_post, ready).await.status, StatusCode::ACCEPTED);
        let listening = watchful.head_of(Method::GET, "/mcp", &headers).await;
        assert_eq!(listening.status(), StatusCode::OK);
        let which = Revoke { which: "ann".to_owned(), ..Revoke::default() };
        revoke(&house.store, &which, house.clock.now()).await.unwrap();
        told(listening).await;
    }

    async fn a_page_hears_nothing_more_when_its_session_has_ended(house: House) {
        let provider = provider().await;
        let house = house.signing_in(provider.clone()).await;
        let watchful = watchful(&house).await;
        let (here, there) = (sign_in(&house, &provider, ann()).await, sign_in(&house, &provider, ann()).await);
        let id = house.ask("elicit_proposal", example()).await;
        let path = format!("/events?elicitationId={id}");
        let listen = async |cookie: &str| watchful.head_of(Method::GET, &path, &[("cookie", cookie)]).await;
        let (one, two, three) = (listen(&here).await, listen(&there).await, listen(&there).await);
        let out = [("cookie", here.as_str()), JSON[3], JSON[4]];
        assert_eq!(house.send(Method::POST, "/sign-out", &out, "").await.status, StatusCode::OK);
        assert_eq!(told(one).await, "");
        house.store.end_all_person_sessions().await.unwrap();
        assert_eq!((told(two).await, told(three).await), (String::new(), String::new()));
        until_gauge(&watchful, "sayso_open_event_streams", 0).await;
    }
}
