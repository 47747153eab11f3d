//! Clients as hosts run them: of a handshake revision in a session, and of 2026-07-28.

use crate::house::{Answer, House};
use futures_util::StreamExt;
use http::{Method, Request, StatusCode};
use sayso_domain::ReviewId;
use serde_json::{Value, json};
use std::time::Duration;
use tower::ServiceExt;

pub const ACCEPT: (&str, &str) = ("accept", "application/json, text/event-stream");
pub const TYPE: (&str, &str) = ("content-type", "application/json");

/// A client of a handshake revision, in a session of its own.
pub struct Client {
    pub session: String,
    pub revision: &'static str,
    pub principal: &'static str,
}

/// What a host of today advertises.
pub fn shows_links() -> Value {
    json!({ "elicitation": { "url": {} } })
}

impl Client {
    pub async fn connect(house: &House, revision: &'static str, capabilities: Value) -> Self {
        Self::connect_as(house, revision, capabilities, "local").await
    }

    pub async fn connect_as(
        house: &House,
        revision: &'static str,
        capabilities: Value,
        principal: &'static str,
    ) -> Self {
        let mut client = Self { session: String::new(), revision, principal };
        let params = json!({ "protocolVersion": revision, "capabilities": capabilities, "clientInfo": { "name": "host", "version": "1" } });
        let answer = client
            .post(house, &json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }))
            .await;
        client.session = answer.header("mcp-session-id").to_owned();
        assert_eq!(answer.message()["result"]["protocolVersion"], revision);
        let told =
            client.post(house, &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        assert_eq!(told.status, StatusCode::ACCEPTED, "{}", told.body);
        client
    }

    pub fn headers(&self) -> Vec<(&str, &str)> {
        let mut headers = vec![ACCEPT, TYPE, ("x-principal", self.principal)];
        if !self.session.is_empty() {
            headers
                .extend([("mcp-session-id", self.session.as_str()), ("mcp-protocol-version", self.revision)]);
        }
        headers
    }

    pub async fn post(&self, house: &House, message: &Value) -> Answer {
        house.send(Method::POST, "/mcp", &self.headers(), message.to_string()).await
    }

    /// Calls a tool; every message on the stream of the call, in order.
    pub async fn call(&self, house: &House, id: u32, tool: &str, arguments: Value) -> Vec<Value> {
        let params = json!({ "name": tool, "arguments": arguments });
        let answer = self
            .post(house, &json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }))
            .await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        messages(&answer.body)
    }

    pub async fn answer(&self, house: &House, request: &Value, action: &str) {
        let answer = json!({ "jsonrpc": "2.0", "id": request["id"], "result": { "action": action } });
        assert_eq!(self.post(house, &answer).await.status, StatusCode::ACCEPTED);
    }

    /// What the server says on its own, from now on.
    pub async fn listen(&self, house: &House) -> Listening {
        let mut request = Request::builder().method(Method::GET).uri("/mcp").header("host", "127.0.0.1:3000");
        for (name, value) in self.headers() {
            request = request.header(name, value);
        }
        let response =
            house.router.clone().oneshot(request.body(axum::body::Body::empty()).unwrap()).await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        Listening { stream: response.into_body().into_data_stream(), heard: String::new() }
    }
}

pub struct Listening {
    pub stream: axum::body::BodyDataStream,
    pub heard: String,
}

impl Listening {
    /// The first message of this method.
    pub async fn hear(&mut self, method: &str) -> Value {
        let listening = async {
            loop {
                if let Some(found) =
                    messages(&self.heard).into_iter().find(|message| message["method"] == method)
                {
                    return found;
                }
                let part = self.stream.next().await.expect("the stream goes on").unwrap();
                self.heard.push_str(&String::from_utf8_lossy(&part));
            }
        };
        tokio::time::timeout(Duration::from_secs(10), listening).await.expect("it is said")
    }
}

pub fn messages(stream: &str) -> Vec<Value> {
    let data = |line: &str| serde_json::from_str(line.strip_prefix("data:")?.trim()).ok();
    stream.lines().filter_map(data).collect()
}

pub fn result(messages: &[Value]) -> &Value {
    &messages.last().unwrap()["result"]["structuredContent"]
}

pub fn id(created: &[Value]) -> String {
    result(created)["elicitationId"].as_str().unwrap().to_owned()
}

pub fn parse(id: &str) -> ReviewId {
    id.parse().unwrap()
}

/// Calls a tool as a client of revision 2026-07-28 that shows links does; its result, and its error.
pub async fn modern(house: &House, tool: &str, arguments: Value, more: Value) -> (Value, Value) {
    let mut params = json!({ "name": tool, "arguments": arguments, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "host", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": shows_links()
    } });
    params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string();
    let headers = [
        ACCEPT,
        TYPE,
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
        ("mcp-name", tool),
    ];
    let mut message = house.send(Method::POST, "/mcp", &headers, body).await.message();
    (message["result"].take(), message["error"].take())
}

/// What `/metrics` says of a number.
pub async fn gauge(house: &House, name: &str) -> usize {
    let metrics = house.get("/metrics").await.body;
    let line = metrics.lines().find_map(|line| line.strip_prefix(name)).expect("it is told");
    line.trim().parse().unwrap()
}

pub async fn until_gauge(house: &House, name: &str, wanted: usize) {
    for _ in 0..2_000 {
        if gauge(house, name).await == wanted {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("{name} is {} and not {wanted}", gauge(house, name).await);
}
