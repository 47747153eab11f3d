//! Who may ask: tokens, what is refused, and that no credentials of an agent decide anything.

use crate::house::{Answer, House, JSON, On, example, modern_call, own_url};
use crate::on_both;
use axum::body::Body;
use http::{Method, StatusCode};
use sayso::{
    agents::command::{self, Made},
    chance::Chance,
    config::{Access, Create, List, Rates, Revoke, Scope, Seconds},
};
use sayso_domain::Clock;
use serde_json::{Value, json};
use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

pub async fn make(house: &House, create: Create) -> Made {
    static SEED: AtomicU64 = AtomicU64::new(77);
    let chance = Chance::seeded(SEED.fetch_add(1, Ordering::SeqCst));
    command::create(&house.store, &chance, &create, house.clock.now()).await.unwrap()
}

pub fn named(name: &str) -> Create {
    Create { name: name.to_owned(), ..Create::default() }
}

pub async fn token(house: &House, name: &str) -> String {
    make(house, named(name)).await.secret.reveal().to_owned()
}

pub async fn call_with(house: &House, authorization: &[&str], tool: &str, arguments: Value) -> Answer {
    let (headers, body) = modern_call(tool, &arguments.to_string());
    let mut headers = headers.to_vec();
    headers.extend(authorization.iter().map(|value| ("authorization", *value)));
    house.send(Method::POST, "/mcp", &headers, body).await
}

pub async fn call_as(house: &House, token: &str, tool: &str, arguments: Value) -> Answer {
    call_with(house, &[&format!("Bearer {token}")], tool, arguments).await
}

pub async fn ask_as(house: &House, token: &str) -> String {
    let answer = call_as(house, token, "elicit_proposal", example()).await;
    let answer = if answer.status == StatusCode::OK { answer.message() } else { panic!("{}", answer.body) };
    let id = &answer["result"]["structuredContent"]["elicitationId"];
    id.as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

/// Comes back when it is written down of all tokens that they are in use.
pub async fn until_noted(house: &House) {
    for _ in 0..100 {
        let tokens = house.store.tokens().await.unwrap();
        if tokens.iter().all(|token| token.used_at == Some(house.clock.now().0)) {
            // Calls that came before it was known may yet write the same again.
            return tokio::time::sleep(Duration::from_millis(200)).await;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("nobody noted that the tokens are in use");
}

/// What the trail tells of the server itself.
async fn events(house: &House) -> Vec<(String, String)> {
    sqlx::any::install_default_drivers();
    let mut connection =
        <sqlx::AnyConnection as sqlx::Connection>::connect(&house.database_url).await.unwrap();
    sqlx::query_as("SELECT event, via FROM audit WHERE review IS NULL ORDER BY id")
        .fetch_all(&mut connection)
        .await
        .unwrap()
}

on_both! {
    async fn a_token_opens_the_door_and_its_name_owns_the_requests(house: House) {
        let (ann, bob) = (token(&house, "ann").await, token(&house, "bob-2").await);
        let id = ask_as(&house, &ann).await;
        let mine = json!({ "elicitationId": id });
        let own = call_as(&house, &ann, "elicit_status", mine.clone()).await;
        assert_eq!(own.message()["result"]["structuredContent"]["status"], "pending");
        let unknown = json!({ "elicitationId": "0123456789abcdef0123456789abcdef" });
        call_as(&house, &bob, "elicit_status", unknown.clone()).await;
        until_noted(&house).await;
        let commits = house.store.commits();
        for tool in ["elicit_status", "elicit_await", "elicit_result", "elicit_cancel"] {
            let foreign = call_as(&house, &bob, tool, mine.clone()).await;
            let nobodys = call_as(&house, &bob, tool, unknown.clone()).await;
            assert_eq!(foreign.body, nobodys.body, "{tool}: told alike");
            assert!(foreign.body.contains("not_found"), "{}", foreign.body);
            assert_eq!((foreign.status, foreign.headers), (nobodys.status, nobodys.headers), "{tool}");
        }
        assert_eq!(house.store.commits(), commits, "nothing was written");
        // A new token of the name finds what the old one asked.
        let again = make(&house, Create { rotate: true, overlap: Seconds(3_600), ..named("ann") }).await;
        let found = call_as(&house, again.secret.reveal(), "elicit_status", mine.clone()).await;
        assert_eq!(found.message()["result"]["structuredContent"]["status"], "pending");
        let old = call_as(&house, &ann, "elicit_status", mine.clone()).await;
        assert_eq!(old.status, StatusCode::OK, "for an hour yet");
        house.clock.wind(3_600);
        assert_eq!(call_as(&house, &ann, "elicit_status", mine).await.status, StatusCode::UNAUTHORIZED);
    }

    async fn without_good_credentials_nothing_is_reached(house: House) {
        let good = make(&house, Create { expires_in: Some(Seconds(60)), ..named("ann") }).await;
        let text = good.secret.reveal().to_owned();
        let status = json!({ "elicitationId": "x" });
        let missing = call_with(&house, &[], "elicit_status", status.clone()).await;
        assert_eq!(missing.status, StatusCode::UNAUTHORIZED);
        assert_eq!(missing.header("www-authenticate"), "Bearer realm=\"sayso\"");
        let other = format!("{}{}", &text[..text.len() - 2], if text.ends_with("AA") { "BB" } else { "AA" });
        let wrong = [
            format!("Bearer {other}"),
            format!("Bearer {}", &text[..20]),
            format!("Bearer {text}x"),
            format!("Bearer {}", text.to_uppercase()),
            format!("Bearer {}", good.secret.digest()),
            format!("Bearer {}", good.token.id),
            "Bearer ".to_owned(),
        ];
        for wrong in &wrong {
            let answer = call_with(&house, &[wrong], "elicit_status", status.clone()).await;
            let challenge = answer.header("www-authenticate");
            assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{wrong}");
            assert!(challenge.contains("error=\"invalid_token\", error_description="), "{wrong}: {challenge}");
            assert!(!answer.body.contains(&text[6..]));
        }
        let bearer = format!("Bearer {text}");
        let twice = call_with(&house, &[&bearer, &bearer], "elicit_status", status.clone()).await;
        assert_eq!(twice.status, StatusCode::BAD_REQUEST);
        assert!(twice.header("www-authenticate").contains("invalid_request"));
        let in_query = format!("/mcp?access_token={text}");
        for (method, path) in [(Method::POST, in_query.as_str()), (Method::GET, "/mcp"), (Method::DELETE, "/mcp")] {
            let answer = house.send(method.clone(), path, &[], Body::empty()).await;
            assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{method} {path}");
        }
        for scheme in ["bearer", "BEARER"] {
            let answer = call_with(&house, &[&format!("{scheme} {text}")], "elicit_status", status.clone()).await;
            assert_eq!(answer.status, StatusCode::OK);
        }
        // A browser asks before it sends anything, and has no credentials then.
        let preflight = [("origin", crate::house::GUEST), ("access-control-request-method", "POST")];
        assert_eq!(house.send(Method::OPTIONS, "/mcp", &preflight, Body::empty()).await.status, StatusCode::OK);
        house.clock.wind(60);
        let expired = call_with(&house, &[&bearer], "elicit_status", status).await;
        assert_eq!(expired.status, StatusCode::UNAUTHORIZED);
        assert!(expired.header("www-authenticate").contains("the token has expired"));
    }

    async fn a_revoked_token_is_refused_at_once_on_all_servers_and_the_door_stays_shut(house: House) {
        let text = token(&house, "ann").await;
        let neighbour = house.neighbour().await;
        let mine = json!({ "elicitationId": ask_as(&house, &text).await });
        assert_eq!(call_as(&neighbour, &text, "elicit_status", mine.clone()).await.status, StatusCode::OK);
        let ann = Revoke { which: "ann".to_owned(), ..Revoke::default() };
        let revoked = command::revoke(&house.store, &ann, house.clock.now()).await.unwrap();
        assert_eq!(revoked.len(), 1);
        for house in [&house, &neighbour] {
            let refused = call_as(house, &text, "elicit_status", mine.clone()).await;
            assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
            assert!(refused.header("www-authenticate").contains("the token was revoked"));
        }
        let error = command::revoke(&house.store, &ann, house.clock.now()).await.unwrap_err();
        assert!(error.to_string().contains("sayso token list"));
        let house = house.restarted().await;
        let refused = call_with(&house, &[], "elicit_status", mine).await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "no token is left, and it does not open");
    }

    async fn a_scope_is_what_a_token_is_good_for(house: House) {
        let text = |made: Made| made.secret.reveal().to_owned();
        let asks = text(make(&house, Create { scope: vec![Scope::Ask], ..named("asks") }).await);
        let reads = text(make(&house, Create { scope: vec![Scope::Read], ..named("reads") }).await);
        let id = json!({ "elicitationId": ask_as(&house, &asks).await });
        for answer in [
            call_as(&house, &reads, "elicit_proposal", example()).await,
            call_as(&house, &reads, "elicit_cancel", id.clone()).await,
            call_as(&house, &asks, "elicit_result", id.clone()).await,
            call_as(&house, &asks, "elicit_status", id.clone()).await,
        ] {
            let challenge = answer.header("www-authenticate");
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{}", answer.body);
            assert!(challenge.contains("insufficient_scope") && challenge.contains("scope=\"sayso:"), "{challenge}");
        }
        assert_eq!(call_as(&house, &reads, "elicit_status", id.clone()).await.status, StatusCode::OK);
        assert_eq!(call_as(&house, &asks, "elicit_cancel", id).await.status, StatusCode::OK);
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"elicit_status","name":"elicit_proposal","arguments":{}}}"#;
        let bearer = format!("Bearer {reads}");
        let headers = [
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
            ("authorization", bearer.as_str()),
        ];
        let two = house.send(Method::POST, "/mcp", &headers, body).await;
        assert_eq!(two.status, StatusCode::BAD_REQUEST, "what names two tools is neither");
    }

    async fn tokens_are_in_the_trail_and_their_secrets_nowhere(house: House) {
        let (made, now) = (make(&house, named("ann")).await, house.clock.now());
        let chance = Chance::seeded(9);
        let taken = command::create(&house.store, &chance, &named("ann"), now).await.unwrap_err();
        assert!(taken.to_string().contains("--rotate"), "{taken}");
        for name in ["Ann", "local", ""] {
            assert!(command::create(&house.store, &chance, &named(name), now).await.is_err(), "{name}");
        }
        for _ in 0..60 {
            call_as(&house, "sayso_wrong", "elicit_status", json!({})).await;
        }
        let by_id = Revoke { which: made.token.id.clone(), ..Revoke::default() };
        command::revoke(&house.store, &by_id, now).await.unwrap();
        let events = events(&house).await;
        assert!(events[0].0.contains("token_created") && events[0].1.contains("command"), "{events:?}");
        assert!(events.iter().any(|(event, _)| event.contains("token_revoked")), "{events:?}");
        let refused = events.iter().filter(|(event, _)| event.contains("credentials_refused")).count();
        assert_eq!(refused, 20, "an attacker does not fill the trail");
        let table = command::list(&house.store, &List::default(), now).await.unwrap();
        let listed = command::list(&house.store, &List { json: true, ..List::default() }, now).await.unwrap();
        assert!(table.contains("revoked") && table.contains("ann"), "{table}");
        let listed: Value = serde_json::from_str(&listed).unwrap();
        assert_eq!((&listed[0]["name"], &listed[0]["state"]), (&json!("ann"), &json!("revoked")));
        let told = format!("{events:?}{table}{listed}{}", command::told(&made));
        for secret in [&made.secret.reveal()[6..], &made.secret.digest()] {
            assert!(!told.contains(secret), "{told}");
        }
    }
}

#[tokio::test]
async fn a_server_without_tokens_is_open_until_the_first_and_that_it_is_used_is_noted() {
    let house = House::new().await;
    let id = house.propose().await;
    let text = token(&house, "ann").await;
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    let locals = json!({ "elicitationId": id });
    let missing = call_with(&house, &[], "elicit_status", locals.clone()).await;
    assert_eq!(missing.status, StatusCode::UNAUTHORIZED);
    let foreign = call_as(&house, &text, "elicit_status", locals).await;
    assert_eq!(foreign.message()["result"]["isError"], true, "what `local` asked is not ann's");
    until_noted(&house).await;
}

#[tokio::test]
async fn tokens_can_be_wanted_before_there_are_any() {
    let house = House::new().await;
    let house = house.guarded(own_url(), Access { require_tokens: true, ..Access::default() }).await;
    let missing = call_with(&house, &[], "elicit_status", json!({})).await;
    assert_eq!(missing.status, StatusCode::UNAUTHORIZED);
    let text = token(&house, "ann").await;
    ask_as(&house, &text).await;
}

#[tokio::test]
async fn whoever_comes_too_often_is_told_when_to_come_again() {
    let house = House::new().await;
    let rates = ["creations=1/2", "calls=1/6", "refusals=1/3"].map(str::to_owned);
    let access = Access { rates: Rates::parse(&rates).unwrap(), ..Access::default() };
    let house = house.guarded(own_url(), access).await;
    let (ann, bob) = (token(&house, "ann").await, token(&house, "bob-2").await);
    let (first, second) = (ask_as(&house, &ann).await, ask_as(&house, &ann).await);
    assert_ne!(first, second);
    let third = call_as(&house, &ann, "elicit_proposal", example()).await;
    assert_eq!((third.status, third.header("retry-after")), (StatusCode::TOO_MANY_REQUESTS, "1"));
    let status = json!({ "elicitationId": first });
    let read = call_as(&house, &ann, "elicit_status", status.clone()).await;
    assert_eq!(read.status, StatusCode::OK, "reading is another matter");
    ask_as(&house, &bob).await;
    let mut statuses = Vec::new();
    for _ in 0..4 {
        statuses.push(call_as(&house, &ann, "elicit_status", status.clone()).await.status);
    }
    assert!(statuses.contains(&StatusCode::TOO_MANY_REQUESTS), "{statuses:?}");
    let mut refused = Vec::new();
    for _ in 0..5 {
        refused.push(call_as(&house, "sayso_wrong", "elicit_status", status.clone()).await);
    }
    assert_eq!(refused[0].status, StatusCode::UNAUTHORIZED);
    assert_eq!(refused[4].status, StatusCode::TOO_MANY_REQUESTS);
    assert!(!refused[4].header("retry-after").is_empty());
    let good = call_as(&house, &bob, "elicit_status", status).await;
    assert_eq!(good.status, StatusCode::OK, "good credentials are good, wherever they come from");
}

#[tokio::test]
async fn a_token_decides_nothing_by_any_route() {
    let house = House::new().await;
    let text = token(&house, "ann").await;
    let id = ask_as(&house, &text).await;
    let bearer = format!("Bearer {text}");
    let decision = json!({ "id": id, "draft": { "proposal": "cancel" } }).to_string();
    let mut headers = JSON.to_vec();
    headers.push(("authorization", &bearer));
    for path in ["/api/submit", "/api/standing", "/frame/selection", "/frame/display", "/review", "/"] {
        for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
            let answer = house.send(method.clone(), path, &headers, decision.clone()).await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{method} {path}");
        }
    }
    for path in ["/review", "/frame/display", "/frame/selection", "/", "/metrics"] {
        let path = format!("{path}?elicitationId={id}");
        let with = house.send(Method::GET, &path, &[("authorization", &bearer)], Body::empty()).await;
        assert_eq!(with.status, house.get(&path).await.status, "{path}: it opens nothing either");
    }
    let status = call_as(&house, &text, "elicit_status", json!({ "elicitationId": id })).await;
    assert_eq!(status.message()["result"]["structuredContent"]["status"], "pending");
    // Nobody is known by a header: what these tests' own layer says counts for nothing where credentials are wanted.
    let (call, body) = modern_call("elicit_status", &json!({ "elicitationId": id }).to_string());
    let mut headers = call.to_vec();
    headers.push(("x-principal", "ann"));
    let answer = house.send(Method::POST, "/mcp", &headers, body).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
}

/// What the real program says: its standard output, what it tells beside that, and whether it went well.
fn run(folder: &std::path::Path, arguments: &[&str]) -> (String, String, bool) {
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_sayso"));
    program.env_clear().env("HOME", folder).args(arguments);
    let output = program.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.success())
}

#[test]
fn the_command_tells_a_token_once() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| run(folder.path(), arguments);
    let (token, told, well) =
        run(&["token", "create", "--name", "crm", "--scope", "ask,read", "--expires-in", "90d"]);
    assert!(
        well && token.starts_with("sayso_") && token.len() == 50 && token.ends_with('\n'),
        "{token}{told}"
    );
    assert!(
        told.contains("`crm`") && told.contains("ask and read") && !told.contains(token.trim()),
        "{told}"
    );
    let (_, told, well) = run(&["token", "create", "--name", "crm"]);
    assert!(!well && told.contains("--rotate") && told.contains("sayso token revoke crm"), "{told}");
    let (second, _, well) = run(&["token", "create", "--name", "crm", "--rotate", "--overlap", "0s"]);
    assert!(well && second != token);
    let (table, _, _) = run(&["token", "list"]);
    assert!(table.contains("expired") && table.contains("live") && !table.contains("sayso_"), "{table}");
    let (revoked, _, well) = run(&["token", "revoke", "crm"]);
    assert!(well && revoked.contains("of crm"), "{revoked}");
    let (_, told, well) = run(&["token", "revoke", "nobody"]);
    assert!(!well && told.contains("`nobody`"), "{told}");
    for wrong in [vec!["--expires-in", "soon"], vec!["--scope", "decide"], vec!["--overlap", "1h"]] {
        let (_, told, well) = run(&[&["token", "create", "--name", "x"], wrong.as_slice()].concat());
        assert!(!well && !told.is_empty(), "{wrong:?}");
    }
}

#[test]
fn where_others_can_come_the_program_does_not_start_without_credentials() {
    let folder = tempfile::tempdir().unwrap();
    let serve = |more: &[&str]| run(folder.path(), &[&["serve"], more].concat());
    let (_, told, well) = serve(&["--listen", "0.0.0.0:0"]);
    assert!(!well && told.contains("sayso token create") && told.contains("sign-in"), "{told}");
    let (_, told, well) = serve(&["--listen", "127.0.0.1:0", "--public-url", "https://review.example.com"]);
    assert!(
        !well && told.contains("https://review.example.com") && told.contains("sayso token create"),
        "{told}"
    );
    assert!(run(folder.path(), &["token", "create", "--name", "crm"]).2);
    let (_, told, well) = serve(&["--listen", "0.0.0.0:0"]);
    assert!(!well && !told.contains("sayso token create") && told.contains("sign-in"), "{told}");
    let (_, told, well) = serve(&["--oauth-audience", "x"]);
    assert!(!well && told.contains("--oauth-issuer"), "{told}");
    let (_, told, well) = serve(&["--rate-limit", "calls=many"]);
    assert!(!well && told.contains("calls=many"), "{told}");
}
