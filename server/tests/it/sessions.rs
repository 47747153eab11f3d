//! Sessions of the handshake revisions, which outlive the server and belong to one principal; and calls that nobody waits for.

use crate::client::{Client, gauge, id, messages, result, shows_links, until_gauge};
use crate::house::{House, On, example};
use crate::on_both;
use http::{Method, StatusCode};
use serde_json::json;
use std::time::Duration;

on_both! {
    async fn a_session_outlives_the_server_and_is_one_principals(house: House) {
        let client = Client::connect_as(&house, "2025-11-25", shows_links(), "ann").await;
        let created = client.call(&house, 1, "elicit_proposal", example()).await;
        let house = house.restarted().await;
        let status = client.call(&house, 2, "elicit_status", json!({ "elicitationId": id(&created) })).await;
        assert_eq!(result(&status)["status"], "pending");
        let again = client.call(&house, 3, "elicit_proposal", example()).await;
        assert_eq!(again[0]["method"], "elicitation/create", "what the client advertised is known still");
        let thief = Client { session: client.session.clone(), revision: "2025-11-25", principal: "bob" };
        let nobody = Client { session: "00000000-0000-4000-8000-000000000000".to_owned(), revision: "2025-11-25", principal: "bob" };
        let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
        let refused = [thief.post(&house, &list).await, nobody.post(&house, &list).await];
        assert_eq!((refused[0].status, refused[1].status), (StatusCode::NOT_FOUND, StatusCode::NOT_FOUND));
        assert_eq!(refused[0].body, refused[1].body, "they are told alike");
        house.send(Method::DELETE, "/mcp", &thief.headers(), "").await;
        assert_eq!(client.post(&house, &list).await.status, StatusCode::OK, "nobody else ends it");
        house.send(Method::DELETE, "/mcp", &client.headers(), "").await;
        assert_eq!(client.post(&house, &list).await.status, StatusCode::NOT_FOUND);
        let house = house.restarted().await;
        assert_eq!(client.post(&house, &list).await.status, StatusCode::NOT_FOUND);
    }

    async fn a_stream_of_an_earlier_life_takes_no_other_calls_answer(house: House) {
        let client = Client::connect(&house, "2025-11-25", json!({})).await;
        let id = id(&client.call(&house, 1, "elicit_proposal", example()).await);
        let wait = json!({ "elicitationId": id, "waitSeconds": 1 });
        let params = json!({ "name": "elicit_await", "arguments": wait });
        let waiting = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params });
        let event = |body: &str| body.lines().find_map(|line| line.strip_prefix("id:")).unwrap().trim().to_owned();
        let before = event(&client.post(&house, &waiting).await.body);
        let house = house.restarted().await;
        assert_eq!(client.post(&house, &json!({ "jsonrpc": "2.0", "id": 3, "method": "ping" })).await.status, StatusCode::OK);
        // One call waits, and the client asks for the rest of a stream from before under every id that stream may have had.
        let (answer, ()) = futures_util::future::join(client.post(&house, &waiting), async {
            until_gauge(&house, "sayso_waiting_calls", 1).await;
            for stream in 0..8 {
                let (_, life) = before.split_once('.').unwrap();
                let named = format!("0/{stream}.{life}");
                let mut headers = client.headers();
                headers.push(("last-event-id", &named));
                let resumed = house.send(Method::GET, "/mcp", &headers, "").await;
                assert_eq!((resumed.status, messages(&resumed.body).len()), (StatusCode::OK, 0), "{}", resumed.body);
            }
        }).await;
        assert_eq!(result(&messages(&answer.body))["status"], "pending", "{}", answer.body);
    }

    async fn a_session_goes_on_at_another_server_and_is_forgotten_after_a_week_of_silence(house: House) {
        let client = Client::connect(&house, "2025-11-25", json!({})).await;
        let neighbour = house.neighbour().await;
        let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
        assert_eq!(client.post(&neighbour, &list).await.status, StatusCode::OK);
        house.clock.wind(6 * 86_400);
        assert_eq!(client.post(&neighbour, &list).await.status, StatusCode::OK);
        house.clock.wind(6 * 86_400);
        house.reviews.forget_silent_sessions().await.unwrap();
        let third = house.neighbour().await;
        assert_eq!(client.post(&third, &list).await.status, StatusCode::OK, "it was in use six days ago");
        house.clock.wind(8 * 86_400);
        house.reviews.forget_silent_sessions().await.unwrap();
        let fourth = house.neighbour().await;
        assert_eq!(client.post(&fourth, &list).await.status, StatusCode::NOT_FOUND);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_dropped_or_cancelled_waits_no_longer() {
    let house = House::new().await;
    let id = house.propose().await;
    let wait = json!({ "elicitationId": id, "waitSeconds": 300 });
    {
        // Its answer begins at once, so that nobody takes the silence for the end of it.
        let call =
            tokio::time::timeout(Duration::from_secs(10), house.begin_call("elicit_await", &wait)).await;
        let call = call.expect("the head comes long before the answer");
        assert_eq!(
            (call.status(), call.headers()["content-type"].to_str().unwrap()),
            (StatusCode::OK, "text/event-stream")
        );
        until_gauge(&house, "sayso_waiting_calls", 1).await;
    }
    until_gauge(&house, "sayso_waiting_calls", 0).await;
    until_gauge(&house, "sayso_watched_reviews", 0).await;

    let client = Client::connect(&house, "2025-11-25", json!({})).await;
    assert_eq!(gauge(&house, "sayso_live_sessions").await, 1);
    let call = client.call(&house, 7, "elicit_await", wait);
    let cancelled = async {
        until_gauge(&house, "sayso_waiting_calls", 1).await;
        let told =
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 } });
        client.post(&house, &told).await;
        until_gauge(&house, "sayso_waiting_calls", 0).await;
    };
    tokio::select! {
        () = cancelled => {}
        // Its stream may end first; then without an answer.
        messages = call => {
            assert!(messages.iter().all(|message| message.get("result").is_none()), "{messages:?}");
            until_gauge(&house, "sayso_waiting_calls", 0).await;
        }
    }
}

/// As many live at once as may; of one more, somebody else goes to sleep who waits for nothing, and wakes at its next call.
#[tokio::test(flavor = "multi_thread")]
async fn of_too_many_sessions_one_sleeps_in_which_nothing_is_under_way() {
    const AT_ONCE: usize = 2_000;
    let house = House::new().await;
    // Silent longest of all, because it waits.
    let waiting = Client::connect(&house, "2025-11-25", json!({})).await;
    let id = id(&waiting.call(&house, 1, "elicit_proposal", example()).await);
    let wait = json!({ "elicitationId": id, "waitSeconds": 300 });
    let others = async {
        until_gauge(&house, "sayso_waiting_calls", 1).await;
        house.clock.wind(1);
        let idle = Client::connect_as(&house, "2025-11-25", json!({}), "ann").await;
        house.clock.wind(1);
        for others in 2..AT_ONCE {
            // Of one principal only so many are kept.
            let principal = ["bob", "cy", "dan"][others % 3];
            Client::connect_as(&house, "2025-11-25", json!({}), principal).await;
        }
        assert_eq!(gauge(&house, "sayso_live_sessions").await, AT_ONCE);
        Client::connect_as(&house, "2025-11-25", json!({}), "eve").await;
        assert_eq!(gauge(&house, "sayso_live_sessions").await, AT_ONCE);
        assert_eq!(gauge(&house, "sayso_waiting_calls").await, 1, "the call goes on");
        let list = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" });
        assert_eq!(idle.post(&house, &list).await.status, StatusCode::OK, "it wakes");
        assert_eq!(gauge(&house, "sayso_live_sessions").await, AT_ONCE);
        house.decide(&id, json!("cancel")).await;
    };
    let (answer, ()) =
        futures_util::future::join(waiting.call(&house, 2, "elicit_await", wait), others).await;
    assert_eq!(result(&answer)["status"], "rejected");
}
