//! The short way of a regular stateless call: read once, and answered by the same tools.
//!
//! For every request without a session rmcp reads its message by trial, copies it, and starts two tasks with three queues
//! between them: some 45 KB, which a call of `elicit_await` keeps as long as it waits. A call that is regular in every respect
//! needs none of that. Whatever is not goes to rmcp, which knows all the rules and says what is wrong.

use super::{BODY_BYTES, Tools, catalogue, patience};
use axum::{
    body::{Body, to_bytes},
    extract::{Request, State},
    response::{IntoResponse, Response},
    routing::MethodRouter,
};
use http::{Extensions, HeaderMap, Method, StatusCode, header, request::Parts};
use rmcp::{
    Peer, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, ClientCapabilities, ErrorCode, Implementation, InitializeRequestParams,
        JsonObject, ProtocolVersion, RequestId, RequestMetaObject, ServerJsonRpcMessage, ServerResult,
    },
    service::{RequestContext, RxJsonRpcMessage, TxJsonRpcMessage, serve_directly},
    transport::Transport,
};
use serde::Deserialize;
use std::{convert::Infallible, panic::resume_unwind, sync::Arc};
use tower::ServiceExt;

const REVISION: ProtocolVersion = ProtocolVersion::V_2026_07_28;

/// What answers regular calls.
pub(super) struct Shortcut {
    tools: Arc<Tools>,
    /// A call has to name a peer. A regular one says nothing to it: it has no session and no progress token.
    nobody: Peer<RoleServer>,
}

impl Shortcut {
    /// To these tools.
    pub(super) fn new(tools: Tools) -> Self {
        // What rmcp makes up for a client that says nothing of itself.
        let client = InitializeRequestParams::new(ClientCapabilities::default(), Implementation::default())
            .with_protocol_version(REVISION);
        let nobody = serve_directly(tools.clone(), Nowhere, Some(client)).peer().clone();
        Self { tools: Arc::new(tools), nobody }
    }
}

/// Both ways to an answer.
pub(super) struct Ways {
    pub(super) short: Shortcut,
    pub(super) long: MethodRouter,
}

/// Answers a regular call; any other goes the long way.
pub(super) async fn take(State(ways): State<Arc<Ways>>, request: Request) -> Response {
    let request = if may_be_regular(request.method(), request.headers()) {
        let (mut parts, body) = request.into_parts();
        let Ok(body) = to_bytes(body, BODY_BYTES).await else {
            // It told how long it would be, and broke off before.
            return StatusCode::BAD_REQUEST.into_response();
        };
        match regular(&parts, &body) {
            Some(call) => {
                // Neither is kept while the call waits: both are parts of what the connection reads into.
                let extensions = std::mem::take(&mut parts.extensions);
                drop((parts, body));
                return ways.short.answer(call, extensions).await;
            }
            None => Request::from_parts(parts, Body::from(body)),
        }
    } else {
        request
    };
    // It may wait long as well, and most take the other way.
    let long = Box::pin(ways.long.clone().oneshot(request));
    long.await.unwrap_or_else(|never| match never {})
}

/// A call as most of them are.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    jsonrpc: Version,
    id: RequestId,
    method: Called,
    params: Params,
}

#[derive(Deserialize)]
enum Version {
    #[serde(rename = "2.0")]
    Two,
}

#[derive(Deserialize)]
enum Called {
    #[serde(rename = "tools/call")]
    Tool,
}

/// No answers to required input, and no task: those are rmcp's.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    name: String,
    #[serde(default)]
    arguments: JsonObject,
    #[serde(rename = "_meta")]
    meta: RequestMetaObject,
}

/// What the head alone says.
fn may_be_regular(method: &Method, headers: &HeaderMap) -> bool {
    let only = |name: &str| {
        let mut values = headers.get_all(name).iter();
        values.next().filter(|_| values.next().is_none())?.to_str().ok()
    };
    method == Method::POST
        && only("mcp-protocol-version") == Some(REVISION.as_str())
        && only("mcp-method") == Some("tools/call")
        && only(header::CONTENT_TYPE.as_str()) == Some("application/json")
        && only(header::ACCEPT.as_str()).is_some_and(|accept| {
            let mut kinds = accept.split(',').map(str::trim).collect::<Vec<_>>();
            kinds.sort_unstable();
            kinds == ["application/json", "text/event-stream"]
        })
        && only(header::CONTENT_LENGTH.as_str())
            .and_then(|length| length.parse::<usize>().ok())
            .is_some_and(|length| length <= BODY_BYTES)
        && !headers.contains_key("mcp-session-id")
        && !headers.keys().any(|name| name.as_str().starts_with("mcp-param-"))
}

/// The call in this body, if it is regular.
fn regular(parts: &Parts, body: &[u8]) -> Option<Call> {
    let call: Call = serde_json::from_slice(body).ok()?;
    let Call { jsonrpc: Version::Two, method: Called::Tool, params, .. } = &call;
    let is_regular = parts.headers.get("mcp-name").is_some_and(|name| name == params.name.as_str())
        && catalogue::tools().iter().any(|tool| tool.name == params.name)
        && params.meta.protocol_version() == Some(REVISION)
        && params.meta.missing_required_keys(&REVISION).is_empty()
        && params.meta.get_progress_token().is_none();
    is_regular.then_some(call)
}

impl Shortcut {
    async fn answer(&self, call: Call, extensions: Extensions) -> Response {
        let waits = call.params.name == "elicit_await";
        let answering = answer(Arc::clone(&self.tools), self.nobody.clone(), call, extensions);
        if waits {
            // Dropped with the connection.
            return patience::soon(answering).await;
        }
        // What was begun is done, and told to whom it concerns, even where the caller does not wait for it.
        match tokio::spawn(answering).await {
            Ok(answer) => answer,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => resume_unwind(panic),
                Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
            },
        }
    }
}

async fn answer(tools: Arc<Tools>, nobody: Peer<RoleServer>, call: Call, extensions: Extensions) -> Response {
    let Params { name, arguments, meta } = call.params;
    let mut context = RequestContext::new(call.id.clone(), nobody);
    context.meta = meta;
    // Who calls is among the extensions; the head has told all that it has to tell.
    let (mut parts, ()) = http::Request::new(()).into_parts();
    parts.extensions = extensions;
    context.extensions.insert(parts);
    let request = CallToolRequestParams::new(name).with_arguments(arguments);
    let (status, message) = match tools.call_tool(request, context).await {
        Ok(response) => {
            (StatusCode::OK, ServerJsonRpcMessage::response(ServerResult::from(response), call.id))
        }
        Err(error) => {
            let status = match error.code {
                ErrorCode::METHOD_NOT_FOUND => StatusCode::NOT_FOUND,
                _ => StatusCode::OK,
            };
            (status, ServerJsonRpcMessage::error(error, Some(call.id)))
        }
    };
    let body = serde_json::to_vec(&message).expect("a message of the protocol is JSON");
    (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}

/// A connection on which nothing comes and nothing goes.
struct Nowhere;

impl Transport<RoleServer> for Nowhere {
    type Error = Infallible;

    fn send(
        &mut self,
        _: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Infallible>> + Send + 'static {
        std::future::ready(Ok(()))
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        std::future::pending().await
    }

    async fn close(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn headers() -> HeaderMap {
        let headers = [
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/call"),
            ("mcp-name", "elicit_status"),
            ("content-type", "application/json"),
            ("accept", "text/event-stream, application/json"),
            ("content-length", "300"),
        ];
        headers.into_iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    fn body() -> Value {
        json!({
            "jsonrpc": "2.0", "id": "x-1", "method": "tools/call", "params": {
                "name": "elicit_status", "arguments": { "elicitationId": "x" }, "_meta": {
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientInfo": { "name": "n", "version": "1" },
                    "io.modelcontextprotocol/clientCapabilities": {}
                }
            }
        })
    }

    fn is_regular(headers: HeaderMap, body: &str) -> bool {
        let (mut parts, ()) = http::Request::new(()).into_parts();
        parts.headers = headers;
        may_be_regular(&Method::POST, &parts.headers) && regular(&parts, body.as_bytes()).is_some()
    }

    #[test]
    fn only_what_is_regular_in_every_respect_takes_the_short_way() {
        assert!(is_regular(headers(), &body().to_string()));
        assert!(!may_be_regular(&Method::GET, &headers()));
        for (name, value) in [
            ("mcp-protocol-version", "2025-11-25"),
            ("mcp-method", "tools/list"),
            ("mcp-name", "elicit_result"),
            ("mcp-session-id", "x"),
            ("mcp-param-region", "x"),
            ("content-type", "text/plain"),
            ("accept", "application/json"),
            ("content-length", "99999999"),
        ] {
            let mut headers = headers();
            headers.insert(name, value.parse().unwrap());
            assert!(!is_regular(headers, &body().to_string()), "{name}: {value}");
        }
        for name in ["mcp-protocol-version", "mcp-method", "mcp-name", "accept", "content-length"] {
            let (mut without, mut twice) = (headers(), headers());
            without.remove(name);
            assert!(!is_regular(without, &body().to_string()), "without {name}");
            if name != "mcp-name" {
                twice.append(name, headers()[name].clone());
                assert!(!is_regular(twice, &body().to_string()), "{name} twice");
            }
        }
    }

    #[test]
    fn whatever_is_unusual_in_a_body_goes_the_long_way() {
        let changes: [(&str, Value); 12] = [
            ("/jsonrpc", json!("1.0")),
            ("/id", json!(null)),
            ("/id", json!(1.5)),
            ("/method", json!("tools/list")),
            ("/more", json!(1)),
            ("/params/name", json!("elicit_result")),
            ("/params/arguments", json!([])),
            ("/params/inputResponses", json!({})),
            ("/params/requestState", json!("x")),
            ("/params/_meta/progressToken", json!(1)),
            ("/params/_meta/io.modelcontextprotocol~1protocolVersion", json!("2025-11-25")),
            ("/params/_meta/io.modelcontextprotocol~1clientCapabilities", json!("none")),
        ];
        for (pointer, value) in changes {
            let mut body = body();
            let (parent, name) = pointer.rsplit_once('/').unwrap();
            body.pointer_mut(parent).unwrap()[name.replace("~1", "/")] = value;
            assert!(!is_regular(headers(), &body.to_string()), "{pointer}");
        }
        let mut without = body();
        without["params"].as_object_mut().unwrap().remove("_meta");
        assert!(!is_regular(headers(), &without.to_string()));
        for text in ["", "{", "[]", &format!("[{}]", body()), &"[".repeat(10_000)] {
            assert!(!is_regular(headers(), text), "{text}");
        }
        let mut arguments = body();
        arguments["params"].as_object_mut().unwrap().remove("arguments");
        assert!(is_regular(headers(), &arguments.to_string()), "no arguments are an empty object");
    }
}
