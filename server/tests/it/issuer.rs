//! Access tokens of an issuer, which a test keeps on loopback with keys that it makes.

mod refused;

use crate::agents::{ask_as, call_as, call_with};
use crate::house::{House, On, own_url};
use crate::on_both;
use axum::{Json, Router, body::Body, extract::State, routing::get};
use http::{Method, StatusCode};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode, jwk::Jwk};
use sayso::{
    chance::Chance,
    config::{Access, Issuer, Oauth, PublicUrl},
};
use sayso_domain::Clock;
use serde_json::{Value, json};
use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

const AUDIENCE: &str = "http://127.0.0.1:3000/mcp";

/// An issuer: its keys, and how often it was asked for them.
#[derive(Clone)]
struct Provider {
    url: String,
    keys: Arc<Mutex<Vec<Value>>>,
    /// What it calls itself, where that is not its URL.
    calls_itself: Arc<Mutex<Option<String>>>,
    asked: Arc<AtomicUsize>,
}

impl Provider {
    async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/realms/x", listener.local_addr().unwrap());
        let provider =
            Self { url, keys: Arc::default(), calls_itself: Arc::default(), asked: Arc::default() };
        let metadata = |State(provider): State<Self>| async move {
            let issuer =
                provider.calls_itself.lock().unwrap().clone().unwrap_or_else(|| provider.url.clone());
            Json(json!({ "issuer": issuer, "jwks_uri": format!("{}/keys", provider.url) }))
        };
        let keys = |State(provider): State<Self>| async move {
            provider.asked.fetch_add(1, Ordering::SeqCst);
            Json(json!({ "keys": *provider.keys.lock().unwrap() }))
        };
        let router = Router::new()
            .route("/.well-known/oauth-authorization-server/realms/x", get(metadata))
            .route("/realms/x/keys", get(keys))
            .with_state(provider.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        provider
    }

    fn access(&self) -> Access {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let oauth = Oauth { issuer: Issuer::parse(&self.url).unwrap(), audience: None };
        Access { oauth: Some(oauth), ..Access::default() }
    }

    fn publishes(&self, keys: &[&Key]) {
        *self.keys.lock().unwrap() = keys.iter().map(|key| key.public.clone()).collect();
    }
}

/// A key of an issuer's.
struct Key {
    kid: &'static str,
    alg: Algorithm,
    private: EncodingKey,
    public: Value,
}

impl Key {
    /// The one key that takes too long to make: of these tests, and good for nothing else.
    fn rsa(kid: &'static str, alg: Algorithm) -> Self {
        let private = EncodingKey::from_rsa_der(include_bytes!("issuer_rsa.der"));
        let mut public = serde_json::to_value(Jwk::from_encoding_key(&private, alg).unwrap()).unwrap();
        public["kid"] = json!(kid);
        Self { kid, alg, private, public }
    }

    /// PKCS #8 by hand: what stands before 32 random bytes.
    fn new(kid: &'static str, alg: Algorithm, seed: u64) -> Self {
        let chance = Chance::seeded(seed);
        let bits = [chance.bits().to_be_bytes(), chance.bits().to_be_bytes()].concat();
        let before = match alg {
            Algorithm::EdDSA => "302e020100300506032b657004220420",
            Algorithm::ES256 => "3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420",
            _ => panic!("no keys of this kind are made here"),
        };
        let before =
            (0..before.len()).step_by(2).map(|at| u8::from_str_radix(&before[at..at + 2], 16).unwrap());
        let der: Vec<u8> = before.chain(bits).collect();
        let private = match alg {
            Algorithm::EdDSA => EncodingKey::from_ed_der(&der),
            _ => EncodingKey::from_ec_der(&der),
        };
        let mut public = serde_json::to_value(Jwk::from_encoding_key(&private, alg).unwrap()).unwrap();
        public["kid"] = json!(kid);
        Self { kid, alg, private, public }
    }

    fn header(&self) -> Header {
        let mut header = Header::new(self.alg);
        header.kid = Some(self.kid.to_owned());
        header.typ = Some("at+jwt".to_owned());
        header
    }

    fn sign(&self, claims: &Value) -> String {
        encode(&self.header(), claims, &self.private).unwrap()
    }
}

fn seconds(house: &House) -> i64 {
    house.clock.now().0 / 1000
}

fn claims(house: &House, provider: &Provider) -> Value {
    json!({
        "iss": provider.url, "aud": AUDIENCE, "sub": "ann", "client_id": "crm", "exp": seconds(house) + 600,
        "iat": seconds(house), "scope": "openid sayso:ask sayso:read"
    })
}

fn with(claims: &Value, changes: Value) -> Value {
    let mut claims = claims.clone();
    for (name, value) in changes.as_object().unwrap() {
        claims[name] = value.clone();
    }
    claims
}

async fn status(house: &House, token: &str) -> (StatusCode, String) {
    let answer = call_as(house, token, "elicit_status", json!({ "elicitationId": "x" })).await;
    (answer.status, answer.header("www-authenticate").to_owned())
}

on_both! {
    async fn an_issuers_token_is_its_subjects(house: House) {
        let provider = Provider::start().await;
        let (ed, ec) = (Key::new("ed", Algorithm::EdDSA, 1), Key::new("ec", Algorithm::ES256, 2));
        let (rs, mut ps) = (Key::rsa("rs", Algorithm::RS256), Key::rsa("ps", Algorithm::PS256));
        // Many issuers do not say which algorithm an RSA key is for.
        ps.public.as_object_mut().unwrap().remove("alg");
        // Others say much that is of no concern here, and have keys of other kinds.
        let mut odd = Key::new("odd", Algorithm::EdDSA, 3);
        odd.public = json!({ "kty": "AKP", "kid": "odd", "alg": "ML-DSA-44", "exp": 1_900_000_000 });
        provider.publishes(&[&odd, &ed, &ec, &rs, &ps]);
        let house = house.guarded(own_url(), provider.access()).await;
        let claims = claims(&house, &provider);
        let id = json!({ "elicitationId": ask_as(&house, &ed.sign(&claims)).await });
        for (token, finds) in [
            (ec.sign(&claims), true),
            (rs.sign(&claims), true),
            (ps.sign(&claims), true),
            (ed.sign(&with(&claims, json!({ "aud": ["x", AUDIENCE], "scope": null, "scp": ["sayso:read"] }))), true),
            (ed.sign(&with(&claims, json!({ "sub": "bob" }))), false),
            (ed.sign(&with(&claims, json!({ "sub": null, "client_id": "ann" }))), false),
        ] {
            let answer = call_as(&house, &token, "elicit_status", id.clone()).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
            assert_eq!(answer.message()["result"]["isError"] != json!(true), finds, "{}", answer.body);
        }
        assert_eq!(provider.asked.load(Ordering::SeqCst), 1, "keys are kept");
        let found = house.store.find(id["elicitationId"].as_str().unwrap().parse().unwrap()).await.unwrap().unwrap();
        assert_eq!(found.request().by.principal, format!("oauth:{}#ann", provider.url));
        let reading = ed.sign(&with(&claims, json!({ "scope": "sayso:read" })));
        let refused = call_as(&house, &reading, "elicit_cancel", id).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN);
        assert!(refused.header("www-authenticate").contains("scope=\"sayso:ask\""));
    }
}

#[tokio::test]
async fn an_issuer_may_change_its_keys_and_be_away_for_a_while() {
    let house = House::new().await;
    let provider = Provider::start().await;
    let (old, new) = (Key::new("old", Algorithm::ES256, 1), Key::new("new", Algorithm::EdDSA, 2));
    let house = house.guarded(own_url(), provider.access()).await;
    let fresh = |house: &House| claims(house, &provider);

    // Somebody else's metadata are not believed, and that the keys are not known is not the token's fault.
    *provider.calls_itself.lock().unwrap() = Some("http://127.0.0.1:1".to_owned());
    provider.publishes(&[&old]);
    let away = call_as(&house, &old.sign(&fresh(&house)), "elicit_status", json!({})).await;
    assert_eq!(away.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(!away.header("retry-after").is_empty() && away.header("www-authenticate").is_empty());
    *provider.calls_itself.lock().unwrap() = None;
    assert_eq!(
        status(&house, &old.sign(&fresh(&house))).await.0,
        StatusCode::SERVICE_UNAVAILABLE,
        "not at every call"
    );
    house.clock.wind(30);
    assert_eq!(status(&house, &old.sign(&fresh(&house))).await.0, StatusCode::OK);

    provider.publishes(&[&new]);
    assert_eq!(
        status(&house, &new.sign(&fresh(&house))).await.0,
        StatusCode::UNAUTHORIZED,
        "half a minute at most"
    );
    house.clock.wind(30);
    assert_eq!(status(&house, &new.sign(&fresh(&house))).await.0, StatusCode::OK);
    assert_eq!(
        status(&house, &old.sign(&fresh(&house))).await.0,
        StatusCode::UNAUTHORIZED,
        "it was taken back"
    );
    assert_eq!(provider.asked.load(Ordering::SeqCst), 2);

    // After an hour they are asked for again; an issuer that does not answer then may be away for a day.
    *provider.calls_itself.lock().unwrap() = Some("http://127.0.0.1:1".to_owned());
    house.clock.wind(3_600);
    assert_eq!(status(&house, &new.sign(&fresh(&house))).await.0, StatusCode::OK);
    house.clock.wind(86_400);
    assert_eq!(status(&house, &new.sign(&fresh(&house))).await.0, StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test]
async fn clients_read_whose_tokens_are_taken() {
    let provider = Provider::start().await;
    let house = House::new().await;
    let url = PublicUrl::parse("https://review.example.com/sayso").unwrap();
    let house = house.guarded(url, provider.access()).await;
    let host = ("host", "review.example.com");
    for path in [
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/oauth-protected-resource/sayso/mcp",
        "/sayso/.well-known/oauth-protected-resource",
        "/sayso/.well-known/oauth-protected-resource/mcp",
    ] {
        let headers = [host, ("origin", crate::house::GUEST)];
        let answer = house.send(Method::GET, path, &headers, Body::empty()).await;
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (StatusCode::OK, "application/json"),
            "{path}"
        );
        assert_eq!(answer.header("access-control-allow-origin"), crate::house::GUEST);
        let metadata: Value = serde_json::from_str(&answer.body).unwrap();
        assert_eq!(metadata["resource"], "https://review.example.com/sayso/mcp");
        assert_eq!(metadata["authorization_servers"], json!([provider.url]));
        assert_eq!(metadata["scopes_supported"], json!(["sayso:ask", "sayso:read"]));
        assert_eq!(metadata["bearer_methods_supported"], json!(["header"]));
    }
    for path in [
        "/.well-known/oauth-authorization-server",
        "/.well-known/openid-configuration",
        "/.well-known/oauth-protected-resource/x",
    ] {
        assert_eq!(
            house.send(Method::GET, path, &[host], Body::empty()).await.status,
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
    let missing = house.send(Method::POST, "/sayso/mcp", &[host], Body::empty()).await;
    assert_eq!(missing.status, StatusCode::UNAUTHORIZED);
    assert_eq!(
        missing.header("www-authenticate"),
        "Bearer realm=\"sayso\", scope=\"sayso:ask sayso:read\", \
         resource_metadata=\"https://review.example.com/sayso/.well-known/oauth-protected-resource/mcp\""
    );
    // Without an issuer there is nothing of it.
    let plain =
        House::new().await.guarded(own_url(), Access { require_tokens: true, ..Access::default() }).await;
    assert_eq!(plain.get("/.well-known/oauth-protected-resource/mcp").await.status, StatusCode::NOT_FOUND);
    let missing = call_with(&plain, &[], "elicit_status", json!({})).await;
    assert!(!missing.header("www-authenticate").contains("resource_metadata"));
}
