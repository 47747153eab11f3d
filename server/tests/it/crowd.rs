//! Whoever comes too often, holds too much or is too slow: told so, and nobody else is.

use crate::client::gauge;
use crate::house::{House, JSON, On, own_url};
use crate::provider::{ann, bob, provider, sign_in};
use axum::{Router, routing::get};
use http::{Method, StatusCode};
use sayso::{
    config::{Access, Patience, Rates},
    connections,
    crowd::{EACH_ADDRESS, EACH_SESSION},
};
use serde_json::json;
use std::time::Duration;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
    time::timeout,
};
use tokio_util::sync::CancellationToken;

fn rated(rates: &[&str]) -> Access {
    let rates: Vec<String> = rates.iter().map(|rate| (*rate).to_owned()).collect();
    Access { rates: Rates::parse(&rates).unwrap(), ..Access::default() }
}

async fn statuses(house: &House, method: Method, path: &str, headers: &[(&str, &str)]) -> Vec<u16> {
    let mut statuses = Vec::new();
    for _ in 0..4 {
        let answer = house.head_of(method.clone(), path, headers).await;
        if answer.status() == StatusCode::TOO_MANY_REQUESTS {
            let wait: u64 = answer.headers()["retry-after"].to_str().unwrap().parse().unwrap();
            assert!((1..=60).contains(&wait), "{wait}");
        }
        statuses.push(answer.status().as_u16());
    }
    statuses
}

#[tokio::test]
async fn looks_decisions_and_sign_ins_have_each_their_measure() {
    let house = House::new().await;
    for (method, route, first) in [
        (Method::GET, "/review", 404),
        (Method::HEAD, "/review", 404),
        (Method::GET, "/", 200),
        (Method::GET, "/events", 404),
        (Method::GET, "/frame/display", 404),
        (Method::GET, "/frame/selection", 404),
        (Method::POST, "/api/submit", 403),
        (Method::POST, "/api/standing", 403),
        (Method::POST, "/frame/selection", 404),
        (Method::POST, "/sign-out", 404),
        (Method::GET, "/sign-in", 404),
        (Method::GET, "/sign-in/callback", 404),
    ] {
        let strict = house.guarded(own_url(), rated(&["pages=1/2", "decisions=1/2", "sign-ins=1/2"])).await;
        assert_eq!(
            statuses(&strict, method.clone(), route, &[]).await,
            [first, first, 429, 429],
            "{method} {route}"
        );
        // One measure is not another.
        let (other, path) =
            if method == Method::POST { (Method::GET, "/review") } else { (Method::POST, "/api/submit") };
        assert_ne!(strict.head_of(other, path, &[]).await.status(), StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(
            strict.get("/healthz").await.status,
            StatusCode::OK,
            "whoever watches it is none of the crowd"
        );
        let off = house.guarded(own_url(), rated(&["pages=off", "decisions=off", "sign-ins=off"])).await;
        assert_eq!(statuses(&off, method, route, &[]).await, [first; 4]);
    }
}

#[tokio::test]
async fn a_session_has_its_own_measure_wherever_it_comes_from() {
    let house = House::on(On::Sqlite).await;
    let provider = provider().await;
    let house = house.signing_in(provider.clone()).await;
    let id = house.propose().await;
    let (ann, bob) = (sign_in(&house, &provider, ann()).await, sign_in(&house, &provider, bob()).await);
    let strict = house.guarded(own_url(), rated(&["person=1/2"])).await;
    let page = format!("/review?elicitationId={id}");
    assert_eq!(statuses(&strict, Method::GET, &page, &[("cookie", &ann)]).await, [200, 200, 429, 429]);
    assert_eq!(strict.head_of(Method::GET, &page, &[("cookie", &bob)]).await.status(), StatusCode::OK);
    let mut headers = JSON.to_vec();
    headers.push(("cookie", &ann));
    let digest = house.digest(&id).await;
    let body = json!({ "id": id, "draft": { "proposal": "cancel" }, "digest": digest }).to_string();
    let refused = strict.send(Method::POST, "/api/submit", &headers, body).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.body.contains("Nothing was changed"), "{}", refused.body);
    assert_eq!(house.call("elicit_status", json!({ "elicitationId": id })).await.0["status"], "pending");
}

#[tokio::test]
async fn streams_of_events_are_counted_and_let_go() {
    let house = House::on(On::Sqlite).await;
    let open = house.guarded(own_url(), rated(&["pages=off"])).await;
    let path = format!("/events?elicitationId={}", house.propose().await);
    let mut held = Vec::new();
    for _ in 0..EACH_ADDRESS {
        let answer = open.head_of(Method::GET, &path, &[]).await;
        assert_eq!(answer.status(), StatusCode::OK);
        held.push(answer);
    }
    assert_eq!(gauge(&open, "sayso_open_event_streams").await, EACH_ADDRESS);
    let refused = open.send(Method::GET, &path, &[], "").await;
    assert_eq!((refused.status, refused.header("retry-after")), (StatusCode::TOO_MANY_REQUESTS, "60"));
    held.pop();
    assert_eq!(open.head_of(Method::GET, &path, &[]).await.status(), StatusCode::OK);
    drop(held);
    assert_eq!(gauge(&open, "sayso_open_event_streams").await, 0);

    let provider = provider().await;
    let house = house.signing_in(provider.clone()).await;
    let ann = sign_in(&house, &provider, ann()).await;
    let mut held = Vec::new();
    for _ in 0..EACH_SESSION {
        held.push(house.head_of(Method::GET, &path, &[("cookie", &ann)]).await);
    }
    assert!(held.iter().all(|answer| answer.status() == StatusCode::OK));
    let refused = house.head_of(Method::GET, &path, &[("cookie", &ann)]).await;
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
}

/// A server on a socket that waits for nobody, and how to end it.
async fn impatient() -> (House, std::net::SocketAddr, JoinHandle<()>, CancellationToken) {
    let short = Duration::from_millis(300);
    let patience = Patience { head: short, body: short, reader: short, look_again: short };
    let house = House::new().await;
    let house = house.guarded(own_url(), Access { patience, ..Access::default() }).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, stopping) = (listener.local_addr().unwrap(), CancellationToken::new());
    let serving =
        tokio::spawn(connections::serve(listener, house.router.clone(), patience, stopping.clone()));
    (house, address, serving, stopping)
}

/// What comes back for these bytes until the connection ends, which it has to do by itself.
async fn said(address: std::net::SocketAddr, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    let mut answer = Vec::new();
    timeout(Duration::from_secs(20), stream.read_to_end(&mut answer)).await.expect("it ends").unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn whoever_is_slow_is_not_waited_for() {
    let (house, address, serving, stopping) = impatient().await;
    for head in ["", "P", "PRI * HTTP/2.0\r\n", "GET /healthz HTTP/1.1\r\nhost: 127.0.0.1:3000\r\nx-slow: "] {
        assert_eq!(said(address, head.as_bytes()).await, "", "{head}");
    }
    // And the next head on a connection that was good once.
    let twice = "GET /healthz HTTP/1.1\r\nhost: 127.0.0.1:3000\r\n\r\nGET /healthz HTTP/1.1\r\n";
    let answer = said(address, twice.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.matches("HTTP/1.1").count() == 1, "{answer}");
    let id = house.propose().await;
    for (path, more) in [
        ("/mcp", "accept: application/json, text/event-stream\r\ncontent-type: application/json"),
        ("/api/submit", "x-sayso: page\r\ncontent-type: application/json"),
        ("/frame/selection", "content-type: application/x-www-form-urlencoded"),
    ] {
        let head = format!(
            "POST {path}?elicitationId={id} HTTP/1.1\r\nhost: 127.0.0.1:3000\r\ncontent-length: 100\r\n{more}\r\n\r\n{{"
        );
        let answer = said(address, head.as_bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 408") && answer.contains("took too long"), "{path}: {answer}");
        assert!(answer.contains("x-content-type-options: nosniff"), "{answer}");
    }
    let fits = format!("GET /healthz HTTP/1.1\r\nhost: 127.0.0.1:3000\r\nx: {}\r\n\r\n", "x".repeat(60_000));
    let answer = said(address, fits.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let large = format!("GET / HTTP/1.1\r\nhost: 127.0.0.1:3000\r\nx: {}\r\n\r\n", "x".repeat(80_000));
    let answer = said(address, large.as_bytes()).await;
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 431"), "{answer}");
    stopping.cancel();
    timeout(Duration::from_secs(20), serving).await.expect("nothing holds it").unwrap();
}

/// A connection is HTTP/2 where it begins so, however few bytes come first, and HTTP/1 where it does not.
#[tokio::test]
async fn both_versions_of_http_are_spoken_from_the_first_byte() {
    const HTTP2: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
    const HTTP1: &[u8] = b"PUT /healthz HTTP/1.1\r\nhost: 127.0.0.1:3000\r\n\r\n";
    let (_house, address, serving, stopping) = impatient().await;
    for (bytes, begins) in [(HTTP2, b"\x04\0\0\0\0\0"), (HTTP1, b"P/1.1 ")] {
        for first in [1, 2, 3, 10, bytes.len()] {
            let mut stream = TcpStream::connect(address).await.unwrap();
            stream.set_nodelay(true).unwrap();
            stream.write_all(&bytes[..first]).await.unwrap();
            tokio::task::yield_now().await;
            stream.write_all(&bytes[first..]).await.unwrap();
            // A frame tells its kind after its length; so early stands the version in the other one.
            let mut answer = [0; 9];
            stream.read_exact(&mut answer).await.unwrap();
            assert_eq!(&answer[3..], begins, "{first} bytes first: {answer:?}");
        }
    }
    stopping.cancel();
    timeout(Duration::from_secs(20), serving).await.expect("nothing holds it").unwrap();
}

#[tokio::test]
async fn whoever_does_not_read_the_answer_is_not_waited_for() {
    /// More than all buffers on the way can hold.
    const MUCH: usize = 64 << 20;
    let router = Router::new().route("/", get(|| async { vec![0_u8; MUCH] }));
    let short = Duration::from_millis(300);
    let patience = Patience { reader: short, ..Patience::default() };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, stopping) = (listener.local_addr().unwrap(), CancellationToken::new());
    let serving = tokio::spawn(connections::serve(listener, router, patience, stopping.clone()));
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await.unwrap();
    let mut beginning = [0; 15];
    stream.read_exact(&mut beginning).await.unwrap();
    assert_eq!(&beginning, b"HTTP/1.1 200 OK");
    stopping.cancel();
    timeout(Duration::from_secs(10), serving).await.expect("nothing holds it").unwrap();
    // Whoever reads gets what was on the way, and no more.
    let mut rest = Vec::new();
    let _ = timeout(Duration::from_secs(10), stream.read_to_end(&mut rest)).await.expect("it ends");
    assert!(rest.len() < MUCH, "{}", rest.len());
}

#[tokio::test]
async fn what_goes_well_goes_on_until_it_ends() {
    let (house, address, serving, stopping) = impatient().await;
    let id = house.propose().await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    let ask = format!(
        "GET /events?elicitationId={id} HTTP/1.1\r\nhost: 127.0.0.1:3000\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(ask.as_bytes()).await.unwrap();
    // Longer than anybody is waited for here: a stream that says nothing is not slow.
    tokio::time::sleep(Duration::from_millis(900)).await;
    stopping.cancel();
    house.decide(&id, json!("cancel")).await;
    let mut answer = String::new();
    timeout(Duration::from_secs(20), stream.read_to_string(&mut answer)).await.expect("it ends").unwrap();
    assert!(answer.contains("event: ended") && answer.contains("rejected"), "{answer}");
    timeout(Duration::from_secs(20), serving).await.expect("nothing holds it").unwrap();
}
