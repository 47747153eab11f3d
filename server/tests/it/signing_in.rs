//! How people sign in by a provider, what signs nobody in, and how their sessions end.

use crate::house::{House, On};
use crate::on_both;
use crate::provider::{Begun, ann, as_whom, begin, code, come_back, cookie, provider, sign_in};
use http::{Method, StatusCode};
use sayso::config::SignIn;
use sayso_domain::Clock;
use serde_json::json;
use std::collections::HashMap;

on_both! {
    async fn sessions_end(house: House) {
        const HOUR: i64 = 3600;
        let provider = provider().await;
        let mut house = house.signing_in(provider.clone()).await;
        let id = house.ask("elicit_approval", json!({ "message": "m", "context": 1, "expiresInSeconds": 604_800 })).await;
        let page = format!("/review?elicitationId={id}");
        let ann_here = sign_in(&house, &provider, ann()).await;
        let there = sign_in(&house, &provider, ann()).await;
        let form = [("cookie", ann_here.as_str()), ("origin", "null"), ("sec-fetch-site", "same-origin")];
        let out = house.send(Method::POST, "/sign-out", &form, "").await;
        assert_eq!((out.status, cookie(&out, "sayso").as_str()), (StatusCode::OK, "sayso="));
        assert_eq!(as_whom(&house, &page, &ann_here).await.status, StatusCode::UNAUTHORIZED);
        assert_eq!(as_whom(&house, &page, &there).await.status, StatusCode::OK);
        house = house.restarted().await;
        for _ in 0..3 {
            house.clock.wind(7 * HOUR);
            assert_eq!(as_whom(&house, &page, &there).await.status, StatusCode::OK, "in use");
        }
        house.clock.wind(3 * HOUR);
        assert_eq!(as_whom(&house, &page, &there).await.status, StatusCode::UNAUTHORIZED, "24 hours");
        let idle = sign_in(&house, &provider, ann()).await;
        house.clock.wind(8 * HOUR);
        assert_eq!(as_whom(&house, &page, &idle).await.status, StatusCode::UNAUTHORIZED, "8 hours");
        let first = sign_in(&house, &provider, ann()).await;
        for _ in 0..20 {
            house.clock.wind(1);
            sign_in(&house, &provider, ann()).await;
        }
        assert_eq!(as_whom(&house, &page, &first).await.status, StatusCode::UNAUTHORIZED, "twenty at once");
        let last = sign_in(&house, &provider, ann()).await;
        assert!(house.store.end_all_person_sessions().await.unwrap() >= 20);
        assert_eq!(as_whom(&house, &page, &last).await.status, StatusCode::UNAUTHORIZED);
    }

    async fn a_sign_in_comes_back_once_and_to_the_browser_that_began_it(house: House) {
        let provider = provider().await;
        let house = house.signing_in(provider.clone()).await;
        let begun = begin(&house, "/review").await;
        let state = begun.asked["state"].clone();
        let good = code(&house, &provider, &begun, &ann(), &json!({}));
        let other = begin(&house, "/review").await;
        assert_eq!(come_back(&house, &other, &good, &state).await.status, StatusCode::BAD_REQUEST, "another browser");
        let none = Begun { cookie: String::new(), asked: HashMap::new() };
        assert_eq!(come_back(&house, &none, &good, &state).await.status, StatusCode::BAD_REQUEST);
        for (from, to) in [(5, "0"), (20, "1"), (60, "a"), (begun.cookie.len() - 5, "x")] {
            let mut forged = begun.cookie.clone();
            let to = if forged[from..].starts_with(to) { "2" } else { to };
            forged.replace_range(from..=from, to);
            if from == 5 {
                continue;
            }
            let forged = Begun { cookie: forged, asked: HashMap::new() };
            assert_eq!(come_back(&house, &forged, &good, &state).await.status, StatusCode::BAD_REQUEST, "{from}");
        }
        assert_eq!(come_back(&house, &begun, &good, &state).await.status, StatusCode::SEE_OTHER);
        assert_eq!(come_back(&house, &begun, &good, &state).await.status, StatusCode::BAD_REQUEST, "twice");
        let late = begin(&house, "/review").await;
        let code = code(&house, &provider, &late, &ann(), &json!({}));
        house.clock.wind(600);
        assert_eq!(come_back(&house, &late, &code, &late.asked["state"]).await.status, StatusCode::BAD_REQUEST, "too late");
    }

    async fn a_token_that_is_not_whole_signs_nobody_in(house: House) {
        let provider = provider().await;
        let house = house.signing_in(provider.clone()).await;
        let now = house.clock.now().0 / 1000;
        for (claims, more) in [
            (json!({ "nonce": "replayed" }), json!({})),
            (json!({ "aud": "another" }), json!({})),
            (json!({ "iss": "https://evil.example" }), json!({})),
            (json!({ "exp": now - 1 }), json!({})),
            (json!({}), json!({ "forged": true })),
            (json!({}), json!({ "alg": "none" })),
            (json!({}), json!({ "alg": "HS256" })),
            (json!({}), json!({ "challenge": "stolen" })),
            (json!({ "sub": " " }), json!({})),
        ] {
            let begun = begin(&house, "/review").await;
            let mut person = ann();
            person.as_object_mut().unwrap().extend(claims.as_object().unwrap().clone());
            let code = code(&house, &provider, &begun, &person, &more);
            let answer = come_back(&house, &begun, &code, &begun.asked["state"]).await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{claims} {more} {}", answer.body);
            assert_eq!(cookie(&answer, "sayso"), "", "{claims} {more}");
        }
        let begun = begin(&house, "/review").await;
        let path = format!("/sign-in/callback?error=access_denied&state={}", begun.asked["state"]);
        let refused = house.send(Method::GET, &path, &[("cookie", &begun.cookie)], "").await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN);
        let begun = begin(&house, "/review").await;
        let path = format!("/sign-in/callback?code=x&iss=https%3A%2F%2Fevil.example&state={}", begun.asked["state"]);
        assert_eq!(house.send(Method::GET, &path, &[("cookie", &begun.cookie)], "").await.status, StatusCode::FORBIDDEN);
    }
}

#[tokio::test]
async fn links_lead_to_pages_of_ours_only() {
    let house = House::on(On::Sqlite).await.signing_in(provider().await).await;
    for next in ["https%3A%2F%2Fevil.example", "%2F%2Fevil.example", "%2Freview%2F..%2Fmcp", "", "%2F"] {
        let answer = house.get(&format!("/sign-in?next={next}")).await;
        assert_eq!((answer.status, answer.header("location")), (StatusCode::BAD_REQUEST, ""), "{next}");
    }
}

#[tokio::test]
async fn a_provider_that_is_not_there_is_told_of() {
    let gone = SignIn { issuer: "http://127.0.0.1:1".to_owned(), ..provider().await };
    let house = House::on(On::Sqlite).await.signing_in(gone).await;
    let answer = house.get("/sign-in?next=/review").await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(answer.body.contains("/sign-in?next=%2Freview"));
    assert!(answer.body.contains("does not answer") && answer.headers.get("location").is_none());
}
