//! Hosts: asked to show a link. What they answer is recorded and decides nothing.

use crate::client::{Client, id, modern, parse, result, shows_links};
use crate::house::{House, On, example, submit};
use crate::on_both;
use sayso_domain::{
    audit::{Door, Event},
    prompt::{Action, Channel},
};
use serde_json::json;
use std::time::Duration;

/// What hosts answered, as the trail tells it. A test looks until it is there: it is written after the answer was taken.
async fn answers(house: &House, id: &str, count: usize) -> Vec<(Channel, Action, u64)> {
    for _ in 0..2_000 {
        let trail = house.store.trail(parse(id)).await.unwrap();
        let answered = trail.into_iter().filter_map(|entry| match entry.event {
            Event::HostAnswered { channel, reaction, .. } => {
                assert_eq!(entry.via.door, Door::Mcp, "it came by a door");
                Some((channel, reaction.action, reaction.after))
            }
            _ => None,
        });
        let answered: Vec<_> = answered.collect();
        if answered.len() >= count {
            return answered;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("nothing was recorded")
}
on_both! {
    async fn a_host_that_shows_links_is_asked_on_the_stream_of_the_creating_call(house: House) {
        let client = Client::connect(&house, "2025-11-25", shows_links()).await;
        // The request goes before the answer every time, or it would miss the stream.
        for call in 1..30 {
            let created = client.call(&house, call, "elicit_proposal", example()).await;
            let asked: Vec<_> = created.iter().map(|message| message["method"].as_str().unwrap_or("the answer")).collect();
            assert_eq!(asked, ["elicitation/create", "the answer"]);
            assert_ne!(created[0]["id"], 0, "some clients take 0 for no id");
            let (params, answer) = (&created[0]["params"], result(&created));
            assert_eq!((&params["mode"], &params["url"]), (&json!("url"), &answer["reviewUrl"]));
            assert_eq!(params["elicitationId"], answer["elicitationId"]);
            assert!(params["message"].as_str().unwrap().contains("NorthMark"));
            assert_eq!(answer["elicitationDelivered"], true);
        }
    }

    async fn what_a_host_answers_decides_nothing_and_is_in_the_trail(house: House) {
        let client = Client::connect(&house, "2025-06-18", shows_links()).await;
        for (call, (word, action)) in [("accept", Action::Accept), ("decline", Action::Decline), ("cancel", Action::Cancel)].into_iter().enumerate() {
            let created = client.call(&house, u32::try_from(call).unwrap() + 1, "elicit_proposal", example()).await;
            house.clock.wind(3);
            client.answer(&house, &created[0], word).await;
            let id = id(&created);
            assert_eq!(answers(&house, &id, 1).await, [(Channel::Pushed, action, 3_000)]);
            let (status, _) = house.call("elicit_status", json!({ "elicitationId": id })).await;
            assert_eq!(status["status"], "pending");
        }
    }

    async fn a_waiting_call_offers_the_link_once_where_software_answered(house: House) {
        let client = Client::connect(&house, "2025-11-25", shows_links()).await;
        let created = client.call(&house, 1, "elicit_proposal", example()).await;
        client.answer(&house, &created[0], "cancel").await;
        let id = id(&created);
        answers(&house, &id, 1).await;
        let waits = |remind: bool| json!({ "elicitationId": id, "waitSeconds": 1, "remind": remind });
        let waited = client.call(&house, 2, "elicit_await", waits(false)).await;
        assert_eq!(waited[0]["method"], "elicitation/create");
        assert_eq!((waited.len(), &result(&waited)["status"]), (2, &json!("pending")));
        let words = waited[1]["result"]["content"].to_string();
        assert!(words.contains(&format!("/review?elicitationId={id}")), "the model is told to show the link: {words}");
        client.answer(&house, &waited[0], "decline").await;
        answers(&house, &id, 2).await;
        assert_eq!(client.call(&house, 3, "elicit_await", waits(false)).await.len(), 1, "offered once");
        assert_eq!(client.call(&house, 4, "elicit_await", waits(true)).await.len(), 2, "and again where that is asked for");
    }

    async fn what_a_person_saw_is_not_offered_again(house: House) {
        let client = Client::connect(&house, "2025-11-25", shows_links()).await;
        let created = client.call(&house, 1, "elicit_proposal", example()).await;
        let id = id(&created);
        let wait = json!({ "elicitationId": id, "waitSeconds": 1 });
        assert_eq!(client.call(&house, 2, "elicit_await", wait.clone()).await.len(), 1, "it is open before them");
        house.clock.wind(2);
        client.answer(&house, &created[0], "cancel").await;
        answers(&house, &id, 1).await;
        assert_eq!(client.call(&house, 3, "elicit_await", wait).await.len(), 1);
    }

    async fn at_the_end_the_prompt_is_put_away_and_the_host_is_told(house: House) {
        let client = Client::connect(&house, "2025-11-25", shows_links()).await;
        let mut listening = client.listen(&house).await;
        let open = client.call(&house, 1, "elicit_proposal", example()).await;
        house.decide(&id(&open), json!("cancel")).await;
        let put_away = listening.hear("notifications/cancelled").await;
        assert_eq!(put_away["params"]["requestId"], open[0]["id"]);
        let complete = listening.hear("notifications/elicitation/complete").await;
        assert_eq!(complete["params"]["elicitationId"], id(&open));
    }

    async fn an_answered_prompt_is_completed_at_the_end(house: House) {
        let client = Client::connect(&house, "2025-11-25", shows_links()).await;
        let mut listening = client.listen(&house).await;
        let created = client.call(&house, 1, "elicit_proposal", example()).await;
        client.answer(&house, &created[0], "accept").await;
        answers(&house, &id(&created), 1).await;
        let sent = house.sent(parse(&id(&created)), submit(json!({}))).await;
        house.reviews.submit(parse(&id(&created)), &sent, crate::house::visitor("ann")).await.unwrap();
        let complete = listening.hear("notifications/elicitation/complete").await;
        assert_eq!(complete["params"]["elicitationId"], id(&created));
        assert!(!listening.heard.contains("notifications/cancelled"));
    }

    async fn since_2026_07_28_a_waiting_call_requires_the_dialog_first(house: House) {
        let (created, _) = modern(&house, "elicit_proposal", example(), json!({})).await;
        assert_eq!(created["structuredContent"]["elicitationDelivered"], false);
        let id = created["structuredContent"]["elicitationId"].as_str().unwrap();
        let wait = json!({ "elicitationId": id, "waitSeconds": 1 });
        let (asked, _) = modern(&house, "elicit_await", wait.clone(), json!({})).await;
        assert_eq!(asked["resultType"], "input_required");
        let request = &asked["inputRequests"]["review"];
        assert_eq!((&request["method"], &request["params"]["mode"]), (&json!("elicitation/create"), &json!("url")));
        assert_eq!(request["params"]["url"], created["structuredContent"]["reviewUrl"]);
        house.clock.wind(4);
        let state = asked["requestState"].as_str().unwrap();
        let back = |state: &str| json!({ "requestState": state, "inputResponses": { "review": { "action": "decline" } } });
        // Another's, for another call, or forged: not taken.
        let other = json!({ "elicitationId": id, "waitSeconds": 2 });
        for (arguments, state) in [(other, state.to_owned()), (wait.clone(), format!("{state}x")), (wait.clone(), "x".to_owned())] {
            let (_, error) = modern(&house, "elicit_await", arguments, back(&state)).await;
            assert_eq!(error["code"], -32602, "{error}");
        }
        let (waited, _) = modern(&house, "elicit_await", wait.clone(), back(state)).await;
        assert_eq!(waited["structuredContent"], json!({ "elicitationId": id, "status": "pending" }));
        assert_eq!(answers(&house, id, 1).await, [(Channel::InputRequired, Action::Decline, 4_000)]);
        let (again, _) = modern(&house, "elicit_await", wait, json!({})).await;
        assert_eq!(again["structuredContent"]["status"], "pending", "offered once");
        // The same state brought back says nothing new.
        assert_eq!(answers(&house, id, 1).await.len(), 1);
    }
}

#[tokio::test]
async fn a_host_that_does_not_show_links_is_not_asked() {
    let house = House::new().await;
    for capabilities in [json!({}), json!({ "elicitation": {} }), json!({ "elicitation": { "form": {} } })] {
        let client = Client::connect(&house, "2025-11-25", capabilities).await;
        let created = client.call(&house, 1, "elicit_proposal", example()).await;
        assert_eq!((created.len(), &result(&created)["elicitationDelivered"]), (1, &json!(false)));
        let wait = json!({ "elicitationId": id(&created), "waitSeconds": 1 });
        assert_eq!(client.call(&house, 2, "elicit_await", wait).await.len(), 1);
    }
}

#[tokio::test]
async fn the_doctor_tells_what_became_of_prompts() {
    let house = House::new().await;
    let client = Client::connect(&house, "2025-11-25", shows_links()).await;
    for (call, (seconds, action)) in [(0, "cancel"), (9, "accept")].into_iter().enumerate() {
        let created =
            client.call(&house, u32::try_from(call).unwrap() + 1, "elicit_proposal", example()).await;
        house.clock.wind(seconds);
        client.answer(&house, &created[0], action).await;
        answers(&house, &id(&created), 1).await;
    }
    let report = client.call(&house, 9, "elicit_doctor", json!({})).await;
    let report = result(&report);
    assert_eq!(report["host"]["client"], json!({ "name": "host", "version": "1" }));
    assert_eq!((&report["host"]["era"], &report["host"]["showsLinks"]), (&json!("session"), &json!(true)));
    let prompts = &report["prompts"];
    assert_eq!(
        (&prompts["sent"], &prompts["seen"], &prompts["bySoftware"]),
        (&json!(2), &json!(1), &json!(1))
    );
    assert_eq!(
        (&prompts["latest"][0]["action"], &prompts["latest"][0]["afterMs"]),
        (&json!("accept"), &json!(9_000))
    );
    assert!(report["advice"].to_string().contains("under 2 seconds"));
    let (other, _) = house.call("elicit_doctor", json!({})).await;
    assert_eq!(
        (&other["host"]["era"], &other["prompts"]["sent"]),
        (&json!("stateless"), &json!(0)),
        "another host's are not its own"
    );
}
