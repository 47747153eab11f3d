//! Calls under a key, which can be said again and ask once.

use crate::client::{Client, id, parse, result, shows_links};
use crate::house::{House, On, example};
use crate::on_both;
use sayso_domain::audit::Event;
use serde_json::json;

on_both! {
    async fn a_call_under_a_key_asks_once(house: House) {
        let client = Client::connect(&house, "2025-11-25", shows_links()).await;
        let mut keyed = example();
        keyed["idempotencyKey"] = json!("sync-42");
        let first = client.call(&house, 1, "elicit_proposal", keyed.clone()).await;
        let again = client.call(&house, 2, "elicit_proposal", keyed.clone()).await;
        assert_eq!((first.len(), again.len()), (2, 1), "no second prompt");
        let mut expected = result(&first).clone();
        expected["replayed"] = json!(true);
        assert_eq!(*result(&again), expected);
        keyed["message"] = json!("Something else");
        let other = client.call(&house, 3, "elicit_proposal", keyed).await;
        assert_eq!(other[0]["result"]["isError"], true);
        let fault = &result(&other)["faults"][0];
        assert_eq!((&fault["pointer"], &fault["code"]), (&json!("/idempotencyKey"), &json!("key_reused")));
        assert_eq!(house.store.trail(parse(&id(&first))).await.unwrap().iter().filter(|entry| entry.event == Event::Created).count(), 1);
        // Another agent's key is another key.
        let stranger = Client::connect_as(&house, "2025-11-25", json!({}), "bob").await;
        let mut same = example();
        same["idempotencyKey"] = json!("sync-42");
        assert_ne!(id(&stranger.call(&house, 1, "elicit_proposal", same).await), id(&first));
    }

    async fn a_key_raced_makes_one_request(house: House) {
        let neighbour = house.neighbour().await;
        let mut keyed = example();
        keyed["idempotencyKey"] = json!("raced");
        let calls = (0..32).map(|call| {
            let server = if call % 2 == 0 { &house } else { &neighbour };
            server.call("elicit_proposal", keyed.clone())
        });
        let answers = futures_util::future::join_all(calls).await;
        assert!(answers.iter().all(|(_, is_error)| !is_error));
        let ids: std::collections::BTreeSet<_> = answers.iter().map(|(answer, _)| answer["elicitationId"].to_string()).collect();
        assert_eq!(ids.len(), 1);
        assert_eq!(answers.iter().filter(|(answer, _)| answer.get("replayed").is_none()).count(), 1);
    }
}

#[tokio::test]
async fn a_bad_key_is_a_fault_beside_the_others() {
    let house = House::new().await;
    for (key, code) in [
        (json!(""), "too_short"),
        (json!("k".repeat(201)), "too_long"),
        (json!(7), "wrong_type"),
        (json!("a\0"), "wrong_format"),
    ] {
        let (answer, is_error) =
            house.call("elicit_approval", json!({ "idempotencyKey": key, "message": 1 })).await;
        assert!(is_error);
        let faults = answer["faults"].as_array().unwrap();
        let told =
            |pointer: &str| faults.iter().find(|fault| fault["pointer"] == pointer).unwrap()["code"].clone();
        assert_eq!(
            (told("/idempotencyKey"), told("/message")),
            (json!(code), json!("wrong_type")),
            "{answer}"
        );
    }
}
