//! A small provider on loopback that vouches for whom the test says: its codes carry what it will answer. And browsers that sign
//! in with it.

use crate::house::{Answer, House};
use axum::{
    Json, Router,
    extract::State,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD as URL};
use ed25519_dalek::{Signer, SigningKey};
use http::{Method, StatusCode};
use sayso::config::SignIn;
use sayso_domain::Clock;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::{collections::HashMap, net::SocketAddr};

const KEY: [u8; 32] = [7; 32];

fn encoded(value: &Value) -> String {
    URL.encode(value.to_string())
}

/// Metadata, keys, and the exchange of a code for the token that it carries.
pub async fn provider() -> SignIn {
    provider_saying(json!({})).await
}

/// The same, with more in its metadata.
pub async fn provider_saying(more: Value) -> SignIn {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = Router::new()
        .route("/.well-known/openid-configuration", get(metadata))
        .route("/keys", get(keys))
        .route("/token", post(token))
        .with_state((address, more));
    tokio::spawn(async move { axum::serve(listener, router).await });
    SignIn {
        issuer: format!("http://{address}"),
        client_id: "sayso".to_owned(),
        client_secret: Some("hush".to_owned().into()),
        groups_claim: "groups".to_owned(),
        groups: Vec::new(),
    }
}

async fn metadata(State((address, more)): State<(SocketAddr, Value)>) -> Json<Value> {
    let issuer = format!("http://{address}");
    let mut metadata = json!({
        "issuer": issuer, "authorization_endpoint": format!("{issuer}/authorize"), "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/keys"), "response_types_supported": ["code"], "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["EdDSA", "HS256", "none"], "scopes_supported": ["openid", "groups"]
    });
    metadata.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    Json(metadata)
}

async fn keys() -> Json<Value> {
    let public = URL.encode(SigningKey::from_bytes(&KEY).verifying_key().as_bytes());
    Json(json!({ "keys": [{ "kty": "OKP", "crv": "Ed25519", "use": "sig", "kid": "1", "x": public }] }))
}

async fn token(form: String) -> Response {
    let form: HashMap<String, String> = form_urlencoded::parse(form.as_bytes()).into_owned().collect();
    let code: Value = serde_json::from_slice(&URL.decode(&form["code"]).unwrap()).unwrap();
    let challenge = URL.encode(Sha256::digest(&form["code_verifier"]));
    if code["challenge"] != challenge {
        return (StatusCode::BAD_REQUEST, Json(json!({ "error": "invalid_grant" }))).into_response();
    }
    let header = json!({ "alg": code["alg"], "kid": "1" });
    let signed = format!("{}.{}", encoded(&header), encoded(&code["claims"]));
    let key = if code["forged"] == true { [8; 32] } else { KEY };
    let seal = match code["alg"].as_str() {
        Some("none") => String::new(),
        _ => URL.encode(SigningKey::from_bytes(&key).sign(signed.as_bytes()).to_bytes()),
    };
    let id_token = format!("{signed}.{seal}");
    Json(json!({ "access_token": "a", "token_type": "Bearer", "expires_in": 60, "id_token": id_token }))
        .into_response()
}

/// A sign-in as the browser carries it on: what the provider was asked, and the cookie.
pub struct Begun {
    pub asked: HashMap<String, String>,
    pub cookie: String,
}

pub fn cookie(answer: &Answer, name: &str) -> String {
    let cookies = answer.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap());
    let mut cookie = cookies.map(|cookie| cookie.split(';').next().unwrap());
    cookie.rfind(|cookie| cookie.starts_with(&format!("{name}="))).unwrap_or_default().to_owned()
}

pub async fn begin(house: &House, next: &str) -> Begun {
    let next: String = form_urlencoded::byte_serialize(next.as_bytes()).collect();
    let answer = house.get(&format!("/sign-in?next={next}")).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    let (_, query) = answer.header("location").split_once('?').unwrap();
    let asked = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    Begun { asked, cookie: cookie(&answer, "sayso-sign-in") }
}

/// The code of a provider that vouches for these claims in answer to what was asked.
pub fn code(house: &House, sign_in: &SignIn, begun: &Begun, person: &Value, more: &Value) -> String {
    let now = house.clock.now().0 / 1000;
    let mut claims = json!({
        "iss": sign_in.issuer, "aud": "sayso", "iat": now, "exp": now + 300, "nonce": begun.asked["nonce"],
    });
    let mut code = json!({ "challenge": begun.asked["code_challenge"], "alg": "EdDSA" });
    for (name, value) in person.as_object().unwrap() {
        claims[name] = value.clone();
    }
    for (name, value) in more.as_object().unwrap() {
        code[name] = value.clone();
    }
    code["claims"] = claims;
    encoded(&code)
}

pub async fn come_back(house: &House, begun: &Begun, code: &str, state: &str) -> Answer {
    let path = format!("/sign-in/callback?code={code}&state={state}");
    house.send(Method::GET, &path, &[("cookie", &begun.cookie), ("sec-fetch-site", "cross-site")], "").await
}

/// Signs somebody in; the cookie of the session.
pub async fn sign_in(house: &House, provider: &SignIn, person: Value) -> String {
    let begun = begin(house, "/review").await;
    let code = code(house, provider, &begun, &person, &json!({}));
    let answer = come_back(house, &begun, &code, &begun.asked["state"]).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    cookie(&answer, "sayso")
}

pub fn ann() -> Value {
    json!({ "sub": "1", "email": "Ann@example.com", "email_verified": true, "groups": ["finance"] })
}

pub fn bob() -> Value {
    json!({ "sub": "2", "email": "bob@example.com" })
}

pub async fn as_whom(house: &House, path: &str, cookie: &str) -> Answer {
    house.send(Method::GET, path, &[("cookie", cookie)], "").await
}
