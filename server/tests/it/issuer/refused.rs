//! Every way in which an issuer's access token can be wrong, and what a good one does not do.

use super::{Key, Provider, claims, seconds, status, with};
use crate::agents::ask_as;
use crate::house::{House, JSON, own_url};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use http::{Method, StatusCode};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use sayso::config::Access;
use serde_json::{Value, json};
use std::sync::atomic::Ordering;

#[tokio::test]
async fn whatever_is_wrong_with_a_token_it_is_refused() {
    let house = House::new().await;
    let provider = Provider::start().await;
    let (key, strange) = (Key::new("k", Algorithm::EdDSA, 1), Key::new("k", Algorithm::EdDSA, 2));
    let mut encrypting = Key::new("enc", Algorithm::EdDSA, 3);
    encrypting.public["use"] = json!("enc");
    let (rsa, mut other) = (Key::rsa("rs", Algorithm::RS256), Key::rsa("rs", Algorithm::PS256));
    other.public["kid"] = json!("unused");
    provider.publishes(&[&key, &encrypting, &rsa]);
    let access = Access {
        rates: sayso::config::Rates::parse(&["refusals=off".to_owned()]).unwrap(),
        ..provider.access()
    };
    let house = house.guarded(own_url(), access).await;
    let claims = claims(&house, &provider);
    let good = key.sign(&claims);
    assert_eq!(status(&house, &good).await.0, StatusCode::OK);

    let changed = |changes: Value| key.sign(&with(&claims, changes));
    let headed = |change: &dyn Fn(&mut Header)| {
        let mut header = key.header();
        change(&mut header);
        encode(&header, &claims, &key.private).unwrap()
    };
    let parts: Vec<&str> = good.split('.').collect();
    let in_base64 = |value: Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
    let none = format!("{}.{}.", in_base64(json!({ "alg": "none", "kid": "k" })), parts[1]);
    let public = BASE64_URL_SAFE_NO_PAD.decode(key.public["x"].as_str().unwrap()).unwrap();
    let mut confused = Header::new(Algorithm::HS256);
    confused.kid = Some("k".to_owned());
    let confused = encode(&confused, &claims, &EncodingKey::from_secret(&public).unwrap()).unwrap();
    let now = seconds(&house);
    for (what, token) in [
        ("expired", changed(json!({ "exp": now - 61 }))),
        ("no exp", changed(json!({ "exp": null }))),
        ("exp as text", changed(json!({ "exp": (now + 600).to_string() }))),
        ("not yet", changed(json!({ "nbf": now + 61 }))),
        ("wrong audience", changed(json!({ "aud": "http://127.0.0.1:3000" }))),
        ("other audiences", changed(json!({ "aud": ["a", "http://127.0.0.1:3000/mcp/"] }))),
        ("no audience", changed(json!({ "aud": null }))),
        ("wrong issuer", changed(json!({ "iss": format!("{}/", provider.url) }))),
        ("no issuer", changed(json!({ "iss": null }))),
        ("nobody's", changed(json!({ "sub": null, "client_id": null }))),
        ("an empty subject", changed(json!({ "sub": "" }))),
        ("a subject with a line", changed(json!({ "sub": "ann\nbob" }))),
        ("bound to a key", changed(json!({ "cnf": { "jkt": "x" } }))),
        ("alg none", none.clone()),
        ("alg none with a signature", format!("{none}{}", parts[2])),
        ("HS256 by the public key", confused),
        ("an unknown kid", headed(&|header| header.kid = Some("other".to_owned()))),
        ("no kid", headed(&|header| header.kid = None)),
        ("another's key of the same kid", strange.sign(&claims)),
        ("a key for encryption", encrypting.sign(&claims)),
        ("an ID of something else", headed(&|header| header.typ = Some("logout+jwt".to_owned()))),
        ("an extension that is critical", headed(&|header| header.crit = Some(vec!["exp".to_owned()]))),
        (
            "its key with it",
            headed(&|header| {
                (header.kid, header.jwk) =
                    (Some("mine".to_owned()), serde_json::from_value(strange.public.clone()).ok());
            }),
        ),
        ("another algorithm than its key's", other.sign(&claims)),
        ("an algorithm that is not taken", {
            let mut header = rsa.header();
            header.alg = Algorithm::RS512;
            encode(&header, &claims, &rsa.private).unwrap()
        }),
        ("truncated", good[..good.len() - 10].to_owned()),
        ("without its signature", format!("{}.{}", parts[0], parts[1])),
        ("an empty signature", format!("{}.{}.", parts[0], parts[1])),
        (
            "tampered",
            format!("{}.{}.{}", parts[0], in_base64(with(&claims, json!({ "sub": "root" }))), parts[2]),
        ),
        ("one part more", format!("{good}.{}", parts[2])),
        ("too long", format!("{good}{}", "A".repeat(20_000))),
        ("no token", "x".to_owned()),
        ("dots", "..".to_owned()),
    ] {
        let (status, challenge) = status(&house, &token).await;
        assert_eq!(status, StatusCode::UNAUTHORIZED, "{what}");
        assert!(challenge.contains("error=\"invalid_token\""), "{what}: {challenge}");
        assert!(
            challenge.contains(
                "resource_metadata=\"http://127.0.0.1:3000/.well-known/oauth-protected-resource/mcp\""
            ),
            "{what}: {challenge}"
        );
    }
    for (what, scope) in [("no scope", json!(null)), ("other scopes", json!("openid sayso sayso:decide"))] {
        let (status, challenge) = status(&house, &changed(json!({ "scope": scope }))).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{what}");
        assert!(challenge.contains("insufficient_scope"), "{challenge}");
    }
    // The issuer's clock may be a little off, to both sides.
    for near in [json!({ "exp": now - 59 }), json!({ "nbf": now + 59 }), json!({ "exp": now as f64 + 0.5 })] {
        assert_eq!(status(&house, &changed(near.clone())).await.0, StatusCode::OK, "{near}");
    }
    assert_eq!(
        provider.asked.load(Ordering::SeqCst),
        1,
        "unknown names of keys make nobody ask again at once"
    );
}

#[tokio::test]
async fn an_access_token_decides_nothing_by_any_route() {
    let house = House::new().await;
    let (provider, key) = (Provider::start().await, Key::new("ed", Algorithm::EdDSA, 1));
    provider.publishes(&[&key]);
    let house = house.guarded(own_url(), provider.access()).await;
    let claims = claims(&house, &provider);
    let id = ask_as(&house, &key.sign(&claims)).await;
    let digest = house.digest(&id).await;
    let decision = json!({ "id": id, "draft": { "proposal": "cancel" }, "digest": digest }).to_string();
    let expired = with(&claims, json!({ "exp": 1 }));
    for path in ["/api/submit", "/frame/selection", "/sign-out"] {
        for token in [key.sign(&claims), key.sign(&expired)] {
            let bearer = format!("Bearer {token}");
            let headers = [&JSON[..], &[("authorization", bearer.as_str())]].concat();
            let answer = house.send(Method::POST, path, &headers, decision.clone()).await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
        }
    }
    assert_eq!(house.store.find(id.parse().unwrap()).await.unwrap().unwrap().status().word(), "pending");
    // What a proxy shows of its own, for its own ends, is none.
    let bearer = format!("Bearer {}", key.sign(&with(&claims, json!({ "aud": "the-proxy" }))));
    let headers = [&JSON[..], &[("authorization", bearer.as_str())]].concat();
    assert_eq!(house.send(Method::POST, "/api/submit", &headers, decision).await.status, StatusCode::OK);
}
