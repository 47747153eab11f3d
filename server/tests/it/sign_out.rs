//! Whoever signs out is signed out here, whatever the provider says, and is sent on to sign out there where people can.

use crate::house::{Answer, House, On};
use crate::on_both;
use crate::provider::{ann, as_whom, cookie, provider, provider_saying, sign_in};
use http::{Method, StatusCode};
use sayso::config::SignIn;
use serde_json::json;

/// Presses *Sign out*, as the form of a page does.
async fn sign_out(house: &House, cookie: &str) -> Answer {
    let form = [("cookie", cookie), ("origin", "null"), ("sec-fetch-site", "same-origin")];
    house.send(Method::POST, "/sign-out", &form, "").await
}

/// Where an answer sends the browser by itself; empty where it does not.
fn onward(answer: &Answer) -> &str {
    answer.header("refresh").strip_prefix("0; url=").unwrap_or_default()
}

on_both! {
    async fn whoever_signs_out_does_so_at_the_provider_as_well(house: House) {
        // An address elsewhere, that has something to say already.
        let provider = provider_saying(json!({ "end_session_endpoint": "https://out.example/end?tenant=a" })).await;
        let house = house.signing_in(provider.clone()).await;
        let ann = sign_in(&house, &provider, ann()).await;
        let out = sign_out(&house, &ann).await;
        assert_eq!((out.status, cookie(&out, "sayso").as_str()), (StatusCode::OK, "sayso="));
        let there = "https://out.example/end?tenant=a&client_id=sayso\
                     &post_logout_redirect_uri=http%3A%2F%2F127.0.0.1%3A3000%2Fsign-out";
        assert_eq!(onward(&out), there, "by our own words, and nobody's else");
        assert!(out.body.contains(&there.replace('&', "&amp;")), "for whom the browser does not go by itself");
        let policy = out.header("content-security-policy");
        assert!(policy.contains("form-action 'self';") && !policy.contains("out.example"), "{policy}");
        let back = as_whom(&house, "/sign-out", &ann).await;
        assert_eq!((back.status, onward(&back)), (StatusCode::OK, ""));
        assert!(back.body.contains("You are signed out") && !back.body.contains("out.example"));
        let again = sign_out(&house, &ann).await;
        assert_eq!(onward(&again), there, "also where the session here had ended by itself");
    }

    async fn coming_back_from_the_provider_signs_nobody_out(house: House) {
        let provider = provider().await;
        let house = house.signing_in(provider.clone()).await;
        let ann = sign_in(&house, &provider, ann()).await;
        for _ in 0..2 {
            let page = as_whom(&house, "/sign-out?post_logout_redirect_uri=https://evil.example", &ann).await;
            assert_eq!((page.status, onward(&page)), (StatusCode::OK, ""));
            assert!(page.body.contains("You are signed in as") && page.body.contains("action=\"/sign-out\""));
            assert!(page.headers.get("set-cookie").is_none() && !page.body.contains("evil.example"));
        }
        let out = sign_out(&house, &ann).await;
        assert_eq!(onward(&out), "", "this provider has no such address");
        assert!(out.body.contains("close the browser"));
    }
}

#[tokio::test]
async fn nobody_stays_signed_in_because_of_the_provider() {
    let good = provider().await;
    for end in ["javascript:alert(1)", "data:text/html,x", "ftp://127.0.0.1/end"] {
        let provider = provider_saying(json!({ "end_session_endpoint": end })).await;
        let house = House::on(On::Sqlite).await.signing_in(provider.clone()).await;
        let ann = sign_in(&house, &provider, ann()).await;
        let out = sign_out(&house, &ann).await;
        assert_eq!((out.status, onward(&out)), (StatusCode::OK, ""), "{end}");
        assert!(!out.body.contains(end));
        assert_eq!(as_whom(&house, "/review", &ann).await.status, StatusCode::UNAUTHORIZED);
    }
    let house = House::on(On::Sqlite).await.signing_in(good.clone()).await;
    let ann = sign_in(&house, &good, ann()).await;
    let gone = SignIn { issuer: "http://127.0.0.1:1".to_owned(), ..good };
    let house = house.signing_in(gone).await;
    let out = sign_out(&house, &ann).await;
    assert_eq!((out.status, cookie(&out, "sayso").as_str(), onward(&out)), (StatusCode::OK, "sayso=", ""));
    assert_eq!(as_whom(&house, "/review", &ann).await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn where_nobody_signs_in_nobody_signs_out() {
    let house = House::new().await;
    assert_eq!(house.get("/sign-out").await.status, StatusCode::NOT_FOUND);
    assert_eq!(sign_out(&house, "").await.status, StatusCode::NOT_FOUND);
}
