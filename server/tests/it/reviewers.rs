//! People sign in by a provider, see and decide what is theirs, and nothing else. The provider here is a small one on
//! loopback that vouches for whom the test says: its codes carry what it will answer.

use crate::house::{Answer, House, JSON, On, example};
use crate::on_both;
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
use sayso_domain::{Clock, audit::Event};
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
