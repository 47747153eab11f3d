//! People see and decide what is theirs, by their own name, and nothing else.

use crate::house::{House, JSON, On, example};
use crate::on_both;
use crate::provider::{ann, as_whom, begin, bob, code, come_back, cookie, provider, sign_in};
use http::{Method, StatusCode};
use sayso::config::SignIn;
use sayso_domain::audit::Event;
use serde_json::{Value, json};

async fn decide(house: &House, id: &str, cookie: &str) -> Value {
    let mut headers = JSON.to_vec();
    headers.push(("cookie", cookie));
    let body = json!({ "id": id, "draft": { "proposal": "cancel" }, "digest": house.digest(id).await });
    let body = body.to_string();
    let answer = house.send(Method::POST, "/api/submit", &headers, body).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    serde_json::from_str(&answer.body).unwrap()
}

fn for_ann() -> Value {
    let mut arguments = example();
    arguments["reviewers"] = json!([" ANN@example.com "]);
    arguments
}

async fn events(house: &House, id: &str) -> Vec<Event> {
    let trail = house.store.trail(id.parse().unwrap()).await.unwrap();
    trail.into_iter().map(|entry| entry.event).collect()
}

on_both! {
    async fn somebody_signs_in_and_decides_by_their_name(house: House) {
        let provider = provider().await;
        let house = house.signing_in(provider.clone()).await;
        let id = house.propose().await;
        let page = format!("/review?elicitationId={id}");
        let stranger = house.get(&page).await;
        assert_eq!(stranger.status, StatusCode::UNAUTHORIZED);
        assert!(stranger.body.contains("Sign in to review") && !stranger.body.contains("NorthMark"));
        assert!(stranger.body.contains(&format!("/sign-in?next=%2Freview%3FelicitationId%3D{id}")));
        assert!(stranger.headers.get("set-cookie").is_none(), "looking begins nothing");
        for path in [format!("/events?elicitationId={id}"), format!("/frame/display?elicitationId={id}"), format!("/frame/selection?elicitationId={id}")] {
            assert_eq!(house.get(&path).await.status, StatusCode::UNAUTHORIZED, "{path}");
        }
        assert_eq!(house.get(&format!("/review?elicitationId={}", "0".repeat(32))).await.body.len(), stranger.body.len(), "nor whether there is one");

        let begun = begin(&house, &page).await;
        assert_eq!(begun.asked["code_challenge_method"], "S256");
        assert_eq!(begun.asked["redirect_uri"], "http://127.0.0.1:3000/sign-in/callback");
        assert_eq!(begun.asked["scope"], "openid email profile groups");
        let code = code(&house, &provider, &begun, &ann(), &json!({}));
        let back = come_back(&house, &begun, &code, &begun.asked["state"]).await;
        assert_eq!((back.status, back.header("location")), (StatusCode::SEE_OTHER, page.as_str()));
        let ann = cookie(&back, "sayso");
        let shown = as_whom(&house, &page, &ann).await;
        assert_eq!(shown.status, StatusCode::OK);
        assert!(shown.body.contains("Signed in as") && shown.body.contains("ann@example.com"));
        assert_eq!(decide(&house, &id, "").await["refused"].as_str().unwrap().get(..24), Some("You are not signed in an"));
        assert_eq!(decide(&house, &id, &ann).await["decided"]["by"], "ann@example.com");
        assert!(as_whom(&house, "/", &ann).await.body.contains("Signed in as"));
        assert!(!house.get("/").await.body.contains("Signed in as"));
        let unknown = format!("/review?elicitationId={}", "0".repeat(32));
        assert_eq!(as_whom(&house, &unknown, &ann).await.status, StatusCode::NOT_FOUND);
    }

    async fn others_see_that_it_is_not_theirs(house: House) {
        let provider = provider().await;
        let house = house.signing_in(provider.clone()).await;
        let id = house.ask("elicit_proposal", for_ann()).await;
        let page = format!("/review?elicitationId={id}");
        let (ann, bob) = (sign_in(&house, &provider, ann()).await, sign_in(&house, &provider, bob()).await);
        let turned_away = as_whom(&house, &page, &bob).await;
        assert_eq!(turned_away.status, StatusCode::FORBIDDEN);
        assert!(turned_away.body.contains("Not yours to decide") && turned_away.body.contains("bob@example.com"));
        assert!(!turned_away.body.contains("NorthMark") && !turned_away.body.contains("ann@example"));
        for path in ["events", "frame/display", "frame/selection"] {
            let path = format!("/{path}?elicitationId={id}");
            assert_eq!(as_whom(&house, &path, &bob).await.status, StatusCode::FORBIDDEN, "{path}");
        }
        assert!(decide(&house, &id, &bob).await["refused"].as_str().unwrap().contains("bob@example.com"));
        assert!(events(&house, &id).await.contains(&Event::Denied));
        assert!(as_whom(&house, &page, &ann).await.body.contains("ann@example.com"));
        assert_eq!(decide(&house, &id, &ann).await["decided"]["by"], "ann@example.com");
        assert!(decide(&house, &id, &bob).await["refused"].is_string(), "nor how it ended");
    }

    async fn groups_decide_who_reviews(house: House) {
        let provider = SignIn { groups: vec!["finance".to_owned()], ..provider().await };
        let house = house.signing_in(provider.clone()).await;
        let (anybody, id) = (house.propose().await, house.propose().await);
        let mut arguments = example();
        arguments["reviewers"] = json!(["group:legal"]);
        let legal = house.ask("elicit_proposal", arguments).await;
        let (ann, bob) = (sign_in(&house, &provider, ann()).await, sign_in(&house, &provider, bob()).await);
        assert!(decide(&house, &anybody, &bob).await["refused"].is_string());
        assert!(decide(&house, &legal, &ann).await["refused"].is_string());
        assert_eq!(decide(&house, &anybody, &ann).await["decided"]["by"], "ann@example.com");
        let both = sign_in(&house, &provider, json!({ "sub": "3", "groups": ["legal", "finance"] })).await;
        assert_eq!(decide(&house, &legal, &both).await["decided"]["by"], "subject:3");
        let doubted = json!({ "sub": "4", "email": "ann@example.com", "email_verified": false, "groups": ["finance"] });
        let doubted = sign_in(&house, &provider, doubted).await;
        assert_eq!(decide(&house, &id, &doubted).await["decided"]["by"], "subject:4");
    }

    async fn a_selection_is_decided_by_whom_its_token_was_given_to(house: House) {
        let provider = provider().await;
        let house = house.signing_in(provider.clone()).await;
        let ask = json!({ "message": "m", "options": [{ "id": "a" }, { "id": "b" }], "reviewers": ["ann@example.com"] });
        let (first, second) = (house.ask("elicit_selection", ask.clone()).await, house.ask("elicit_selection", ask).await);
        let ann = sign_in(&house, &provider, ann()).await;
        let token = async |id: &str| {
            let page = as_whom(&house, &format!("/frame/selection?elicitationId={id}"), &ann).await;
            let (_, rest) = page.body.split_once("name=\"token\" value=\"").unwrap();
            rest.split_once('"').unwrap().0.to_owned()
        };
        let send = async |id: &str, token: &str, verb: &str| {
            let headers = [("content-type", "application/x-www-form-urlencoded"), ("origin", "null"), ("sec-fetch-site", "cross-site")];
            let path = format!("/frame/selection?elicitationId={id}");
            let digest = house.digest(id).await;
            house.send(Method::POST, &path, &headers, format!("token={token}&digest={digest}&do={verb}&pick=1")).await
        };
        let good = token(&first).await;
        for (token, verb) in [("", "choose"), ("", "filter"), ("local", "filter"), (&good.replace('.', "_"), "choose")] {
            let refused = send(&first, token, verb).await;
            assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
            assert!(!refused.body.contains("token"), "no token is given to a stranger");
        }
        assert_eq!(send(&second, &good, "choose").await.status, StatusCode::UNAUTHORIZED, "another request");
        assert_eq!(send(&first, &good, "choose").await.status, StatusCode::OK);
        let (result, _) = house.call("elicit_result", json!({ "elicitationId": first })).await;
        assert_eq!(result["selectedIds"], json!(["b"]));
        let orphan = token(&second).await;
        house.store.end_all_person_sessions().await.unwrap();
        let refused = send(&second, &orphan, "choose").await;
        assert_eq!((refused.status, refused.body.contains("not signed in any more")), (StatusCode::UNAUTHORIZED, true));
        assert_eq!(house.call("elicit_status", json!({ "elicitationId": second })).await.0["status"], "pending");
    }
}

#[tokio::test]
async fn an_open_server_says_so_and_warns_agents() {
    let house = House::new().await;
    let id = house.ask("elicit_proposal", for_ann()).await;
    let page = house.get(&format!("/review?elicitationId={id}")).await;
    assert!(page.body.contains("runs open") && page.body.contains(", of <bdi>ann@example.com</bdi>"));
    assert_eq!(house.decide(&id, json!("cancel")).await["decided"]["by"], "local");
    let (answer, _) = house.call("elicit_proposal", for_ann()).await;
    assert_eq!(answer["warnings"][0]["code"], "reviewers_not_told_apart");
    assert_eq!(answer["warnings"][0]["pointer"], "/reviewers");
    for path in ["/sign-in", "/sign-in/callback?state=x"] {
        assert_eq!(house.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn only_our_pages_call_the_functions() {
    let house = House::new().await;
    let id = house.propose().await;
    let body = json!({ "id": id, "draft": { "proposal": "cancel" }, "digest": house.digest(&id).await });
    let body = body.to_string();
    for headers in [&JSON[1..], &[("x-sayso", "other"), JSON[1], JSON[3], JSON[4]]] {
        let answer = house.send(Method::POST, "/api/submit", headers, body.clone()).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN);
    }
    let foreign = [JSON[0], JSON[1], ("origin", "https://evil.example")];
    assert_eq!(
        house.send(Method::POST, "/api/submit", &foreign, body.clone()).await.status,
        StatusCode::FORBIDDEN
    );
    for (origin, site) in
        [("null", "cross-site"), ("http://127.0.0.1:3000", "cross-site"), ("null", "same-site")]
    {
        let headers = [JSON[0], JSON[1], ("origin", origin), ("sec-fetch-site", site)];
        let answer = house.send(Method::POST, "/api/submit", &headers, body.clone()).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{origin} {site}");
    }
    assert_eq!(house.call("elicit_status", json!({ "elicitationId": id })).await.0["status"], "pending");
}
