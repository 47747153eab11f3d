//! What agents and pages send to a house, and what comes back.

use super::{House, example};
use axum::{
    body::{Body, HttpBody},
    response::Response,
};
use http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::BodyExt;
use sayso::digest;
use sayso_domain::{Draft, ReviewId, sheet::Sent};
use serde_json::{Value, json};
use tower::ServiceExt;

impl House {
    /// Sends a request as [`send`](Self::send) does; comes back with the head of the answer.
    pub async fn head_of(&self, method: Method, path: &str, headers: &[(&str, &str)]) -> Response {
        let mut request = Request::builder().method(method).uri(path);
        if !headers.iter().any(|(name, _)| *name == "host") {
            request = request.header("host", "127.0.0.1:3000");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
    }

    /// Sends a request through the whole router, as from this machine unless `headers` say otherwise.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        if !headers.iter().any(|(name, _)| *name == "host") {
            request = request.header("host", "127.0.0.1:3000");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let body = body.into();
        // As clients do who know what they send.
        if let Some(length) = HttpBody::size_hint(&body).exact().filter(|length| *length > 0) {
            request = request.header("content-length", length);
        }
        let response = self.router.clone().oneshot(request.body(body).unwrap()).await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let body = response.into_body().collect().await.unwrap().to_bytes();
        Answer { status, headers, body: String::from_utf8_lossy(&body).into_owned(), length: body.len() }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, &[], Body::empty()).await
    }

    /// Calls a tool as [`call_text`](Self::call_text) does; comes back with the head of the answer.
    pub async fn begin_call(&self, tool: &str, arguments: &Value) -> Response {
        let (headers, body) = modern_call(tool, &arguments.to_string());
        let mut request =
            Request::builder().method(Method::POST).uri("/mcp").header("host", "127.0.0.1:3000");
        for (name, value) in headers {
            request = request.header(name, value);
        }
        self.router.clone().oneshot(request.body(Body::from(body)).unwrap()).await.unwrap()
    }

    /// Calls a tool as a client of revision 2026-07-28 does, arguments as JSON text; the result as it stands.
    pub async fn call_text(&self, tool: &str, arguments: &str) -> Answer {
        let (headers, body) = modern_call(tool, arguments);
        self.send(Method::POST, "/mcp", &headers, body).await
    }

    /// Calls a tool; its structured content, and whether it is an error.
    pub async fn call(&self, tool: &str, arguments: Value) -> (Value, bool) {
        let result = self.call_text(tool, &arguments.to_string()).await.message()["result"].take();
        (result["structuredContent"].clone(), result["isError"] == true)
    }

    /// Creates the example; its id.
    pub async fn propose(&self) -> String {
        self.ask("elicit_proposal", example()).await
    }

    /// Creates a request; its id.
    pub async fn ask(&self, tool: &str, arguments: Value) -> String {
        let (answer, is_error) = self.call(tool, arguments).await;
        assert!(!is_error, "{answer}");
        answer["elicitationId"].as_str().unwrap().to_owned()
    }

    /// Decides on a proposal as the page does; what became of it.
    pub async fn decide(&self, id: &str, draft: Value) -> Value {
        self.decide_on("proposal", id, draft).await
    }

    /// Decides on a request of some kind as the page does; what became of it.
    pub async fn decide_on(&self, kind: &str, id: &str, draft: Value) -> Value {
        self.submit(json!({ "id": id, "draft": { kind: draft }, "digest": self.digest(id).await })).await
    }

    /// Sends what a page sends; what became of it.
    pub async fn submit(&self, whole: Value) -> Value {
        let answer = self.send(Method::POST, "/api/submit", &JSON, whole.to_string()).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        serde_json::from_str(&answer.body).unwrap()
    }

    /// The digest that the page of a request sends back; of nothing where there is none.
    pub async fn digest(&self, id: &str) -> String {
        let review = match id.parse() {
            Ok(id) => self.reviews.look(id).await.unwrap(),
            Err(_) => None,
        };
        review.map(|review| digest::of_request(review.request())).unwrap_or_default()
    }

    /// A draft with the digest of what it is about, as a page sends it.
    pub async fn sent(&self, id: ReviewId, draft: Draft) -> Sent {
        Sent { draft, comment: String::new(), digest: self.digest(&id.to_string()).await }
    }
}

/// The headers and the body of a call by a client of revision 2026-07-28.
pub fn modern_call<'a>(tool: &'a str, arguments: &str) -> ([(&'a str, &'a str); 5], String) {
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments},"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{{"name":"crm-enrichment","version":"1"}},"io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
    );
    let headers = [
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
        ("mcp-name", tool),
    ];
    (headers, body)
}

/// The headers of the page's own requests.
pub const JSON: [(&str, &str); 5] = [
    ("x-sayso", "page"),
    ("content-type", "application/json"),
    ("accept", "application/json"),
    ("origin", "http://127.0.0.1:3000"),
    ("sec-fetch-site", "same-origin"),
];

pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: String,
    /// Bytes of the body as they travelled.
    pub length: usize,
}

impl Answer {
    /// The JSON-RPC message with an id, whether it came as JSON or as the last event of a stream.
    pub fn message(&self) -> Value {
        let data = self
            .body
            .lines()
            .filter_map(|line| line.strip_prefix("data:"))
            .map(str::trim)
            .rfind(|data| !data.is_empty());
        serde_json::from_str(data.unwrap_or(&self.body))
            .unwrap_or_else(|_| panic!("{}: {}", self.status, self.body))
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}
