//! What goes beside a decision: the digest of what was shown, and what the reviewer says.

use crate::house::{House, JSON, On, example};
use crate::on_both;
use http::{Method, StatusCode};
use sayso_domain::{
    Comment, Decision,
    audit::{Door, Event},
};
use serde_json::{Value, json};

async fn result(house: &House, id: &str) -> Value {
    house.call("elicit_result", json!({ "elicitationId": id })).await.0
}

async fn status(house: &House, id: &str) -> Value {
    house.call("elicit_status", json!({ "elicitationId": id })).await.0["status"].take()
}

async fn events(house: &House, id: &str) -> Vec<Event> {
    let trail = house.store.trail(id.parse().unwrap()).await.unwrap();
    trail.into_iter().map(|entry| entry.event).collect()
}

/// What the page of a proposal sends.
async fn say(house: &House, id: &str, draft: Value, comment: &str) -> Value {
    let digest = house.digest(id).await;
    house
        .submit(json!({ "id": id, "draft": { "proposal": draft }, "comment": comment, "digest": digest }))
        .await
}

/// A proposal whose refusal has to say why.
fn wanting_why() -> Value {
    let mut arguments = example();
    arguments["requireCommentOnReject"] = json!(true);
    arguments
}

on_both! {
    async fn a_comment_comes_back_with_either_decision(house: House) {
        for (draft, decision) in [(json!("cancel"), Decision::Rejected), (json!({ "submit": { "name": "n" } }), Decision::Approved)] {
            let id = house.propose().await;
            let said = say(&house, &id, draft, "  wrong \u{0}\u{202e}record\r\nask Bob ").await;
            let comment = "wrong \u{0}\u{202e}record\nask Bob";
            assert_eq!(said["decided"]["comment"], comment);
            assert_eq!(result(&house, &id).await["comment"], comment);
            let saying = Event::DecidedSaying { decision, comment: Comment::typed(comment).unwrap().unwrap() };
            assert!(events(&house, &id).await.contains(&saying));
            let page = house.get(&format!("/review?elicitationId={id}")).await.body;
            let (_, said) = page.split_once("class=\"said\"").unwrap();
            let (said, _) = said.split_once("</p>").unwrap();
            assert!(said.contains("ask Bob") && !said.contains('\u{202e}'), "shown with its marks: {said}");
        }
        let silent = house.propose().await;
        say(&house, &silent, json!("cancel"), " \n ").await;
        assert_eq!(result(&house, &silent).await["comment"], Value::Null);
        assert!(events(&house, &silent).await.contains(&Event::Decided(Decision::Rejected)));
    }

    async fn a_refusal_says_why_where_the_agent_asks_for_it(house: House) {
        let id = house.ask("elicit_proposal", wanting_why()).await;
        let page = house.get(&format!("/review?elicitationId={id}")).await.body;
        assert!(page.contains("needed to refuse"), "the person is told before");
        let told = say(&house, &id, json!("cancel"), "").await;
        assert!(told["refused"].as_str().unwrap().contains("say why"), "{told}");
        assert_eq!(status(&house, &id).await, "pending");
        assert_eq!(events(&house, &id).await, [Event::Created, Event::FaultyDraft]);
        say(&house, &id, json!("cancel"), "not ours").await;
        assert_eq!(result(&house, &id).await["comment"], "not ours");
        let approved = house.ask("elicit_proposal", wanting_why()).await;
        let told = say(&house, &approved, json!({ "submit": { "name": "n" } }), "").await;
        assert_eq!(told["decided"]["status"], "approved", "an approval need not");
    }

    async fn a_comment_that_is_too_long_decides_nothing(house: House) {
        let id = house.propose().await;
        let told = say(&house, &id, json!("cancel"), &"ä".repeat(2_001)).await;
        assert!(told["refused"].as_str().unwrap().contains("at most 2000 characters; this has 2001"), "{told}");
        assert_eq!(status(&house, &id).await, "pending");
        assert_eq!(say(&house, &id, json!("cancel"), &"ä".repeat(2_000)).await["decided"]["status"], "rejected");
    }

    async fn a_page_that_shows_something_else_decides_nothing(house: House) {
        let (id, other) = (house.propose().await, house.propose().await);
        let foreign = house.digest(&other).await;
        for digest in [foreign.as_str(), "", "sha256:", &house.digest(&id).await.to_uppercase()] {
            let whole = json!({ "id": id, "draft": { "proposal": "cancel" }, "digest": digest });
            let told = house.submit(whole).await;
            assert!(told["refused"].as_str().unwrap().contains("something else"), "{told}");
        }
        let whole = json!({ "id": id, "draft": { "proposal": "cancel" } }).to_string();
        assert_eq!(house.send(Method::POST, "/api/submit", &JSON, whole).await.status, StatusCode::BAD_REQUEST);
        assert_eq!(status(&house, &id).await, "pending");
        let told = events(&house, &id).await;
        assert_eq!(told.iter().filter(|event| **event == Event::OtherDigest).count(), 4);
        // What the page itself holds is what counts.
        let page = house.get(&format!("/review?elicitationId={id}")).await.body;
        let (_, rest) = page.split_once(r#""digest":""#).unwrap();
        let digest = rest.split('"').next().unwrap();
        let told = house.submit(json!({ "id": id, "draft": { "proposal": "cancel" }, "digest": digest })).await;
        assert_eq!(told["decided"]["status"], "rejected");
        assert_eq!(result(&house, &id).await["review"]["digest"], digest, "which the receipt names as well");
    }

    async fn options_are_chosen_with_a_digest_and_a_comment(house: House) {
        let options = json!([{ "id": "a" }, { "id": "b" }]);
        let ask = json!({ "message": "m", "options": options, "requireCommentOnReject": true });
        let id = house.ask("elicit_selection", ask).await;
        let path = format!("/frame/selection?elicitationId={id}");
        let document = house.get(&path).await.body;
        let hidden = |name: &str| {
            let (_, rest) = document.split_once(&format!("name=\"{name}\" value=\"")).unwrap();
            rest.split('"').next().unwrap().to_owned()
        };
        assert!(document.contains("Comment (needed to refuse)"));
        let form = [("content-type", "application/x-www-form-urlencoded"), ("origin", "null"), ("sec-fetch-site", "cross-site")];
        let send = async |rest: &str| house.send(Method::POST, &path, &form, format!("token={}&{rest}", hidden("token"))).await;
        for (rest, words) in [
            ("do=reject&comment=x".to_owned(), "something else"),
            ("do=reject&comment=x&digest=sha256:0".to_owned(), "something else"),
            (format!("do=reject&comment=+&pick=1&digest={}", hidden("digest")), "say why"),
        ] {
            let told = send(&rest).await;
            assert_eq!((told.status, told.body.contains(words)), (StatusCode::UNPROCESSABLE_ENTITY, true), "{rest}");
        }
        let kept = send(&format!("do=reject&comment=&pick=1&digest={}", hidden("digest"))).await.body;
        assert!(kept.contains("value=\"1\" aria-label=\"b\" title=\"b\" checked"), "the choice is still there");
        let filtered = send("do=filter&comment=%3Cb%3E%22").await.body;
        assert!(filtered.contains("\n&lt;b>&quot;</textarea>"), "and so is the comment");
        assert_eq!(status(&house, &id).await, "pending");
        send(&format!("do=reject&comment=neither&digest={}", hidden("digest"))).await;
        let given = result(&house, &id).await;
        assert_eq!((&given["decision"], &given["comment"]), (&json!("rejected"), &json!("neither")));
    }

    async fn who_sees_a_request_is_told_once_and_by_which_door(house: House) {
        let id = house.propose().await;
        for _ in 0..3 {
            house.get(&format!("/review?elicitationId={id}")).await;
        }
        assert_eq!(events(&house, &id).await, [Event::Created], "looking changes nothing");
        for _ in 0..3 {
            let body = json!({ "id": id }).to_string();
            assert_eq!(house.send(Method::POST, "/api/standing", &JSON, body).await.status, StatusCode::OK);
        }
        house.decide(&id, json!("cancel")).await;
        result(&house, &id).await;
        let trail = house.store.trail(id.parse().unwrap()).await.unwrap();
        let told: Vec<_> = trail.into_iter().map(|entry| (entry.event, entry.via.door)).collect();
        assert_eq!(told, [
            (Event::Created, Door::Mcp),
            (Event::Viewed, Door::Page),
            (Event::Decided(Decision::Rejected), Door::Page),
            (Event::Fetched, Door::Mcp),
        ]);
    }

    /// The page says that it is seen and what was decided by calls of their own, and either may be the first to arrive.
    async fn who_decides_has_seen_it_before(house: House) {
        let id = house.propose().await;
        house.decide(&id, json!("cancel")).await;
        let body = json!({ "id": id }).to_string();
        assert_eq!(house.send(Method::POST, "/api/standing", &JSON, body).await.status, StatusCode::OK);
        let decided = Event::Decided(Decision::Rejected);
        assert_eq!(events(&house, &id).await, [Event::Created, Event::Viewed, decided]);
    }
}

#[tokio::test]
async fn the_wish_for_a_comment_is_a_boolean() {
    let house = House::on(On::Sqlite).await;
    let mut arguments = example();
    arguments["requireCommentOnReject"] = json!("yes");
    let (told, is_error) = house.call("elicit_proposal", arguments).await;
    assert_eq!(
        (is_error, &told["faults"][0]["pointer"]),
        (true, &json!("/requireCommentOnReject")),
        "{told}"
    );
}

/// For whoever may see the request, and without what an agent's words could do to the page.
#[tokio::test]
async fn a_page_shows_the_trail_of_one_request() {
    let house = House::on(On::Sqlite).await;
    let id = house.ask("elicit_proposal", wanting_why()).await;
    say(&house, &id, json!("cancel"), "").await;
    say(&house, &id, json!("cancel"), "<b>not ours</b>").await;
    result(&house, &id).await;
    let page = house.get(&format!("/review?elicitationId={id}")).await.body;
    assert!(page.contains(&format!("href=\"/review/trail?elicitationId={id}\"")), "{page}");
    let trail = house.get(&format!("/review/trail?elicitationId={id}")).await;
    assert_eq!(trail.status, StatusCode::OK);
    let places =
        ["asked", "could not be taken", "rejected", "&lt;b&gt;not ours&lt;/b&gt;", "fetched the decision"];
    let mut rest = trail.body.as_str();
    for words in places {
        rest = rest.split_once(words).unwrap_or_else(|| panic!("{words} in {rest}")).1;
    }
    assert!(!trail.body.contains("<script"), "none of it comes alive");
    for nothing in [
        "/review/trail",
        "/review/trail?elicitationId=x",
        "/review/trail?elicitationId=00000000-0000-4000-8000-000000000000",
    ] {
        assert_eq!(house.get(nothing).await.status, StatusCode::NOT_FOUND, "{nothing}");
    }
}
