//! The same calls in the words of each server that is measured.

use crate::wire::Wire;
use serde_json::{Value, json};
use std::{
    io::{Error, Result},
    net::SocketAddr,
};

/// How a server is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Sayso by revision 2026-07-28 of MCP: one `POST` a call, no handshake, no session.
    Sayso,
    /// Sayso by revision 2025-11-25: a session for each connection.
    SaysoSessions,
    /// The servers to compare with: tools `create`, `status` and `await` by revision 2026-07-28, and decisions at `/decide/ID`.
    Peer,
}

/// Who calls: one connection, with its session where there is one.
pub struct Caller {
    /// The connection.
    pub wire: Wire,
    dialect: Dialect,
    address: SocketAddr,
    session: Option<String>,
    /// A creating call, and where in it the number of the request stands: written once, for what the client takes of the
    /// processor is not the server's.
    prepared: Option<(Vec<u8>, usize)>,
}

impl Dialect {
    /// The dialect of that name.
    ///
    /// # Errors
    /// There is none.
    pub fn named(name: &str) -> Result<Self> {
        match name {
            "sayso" => Ok(Self::Sayso),
            "sayso-sessions" => Ok(Self::SaysoSessions),
            "peer" => Ok(Self::Peer),
            other => Err(Error::other(format!("`{other}` is no dialect: use sayso, sayso-sessions or peer"))),
        }
    }
}

impl Caller {
    /// Connects, and shakes hands where the dialect does.
    pub async fn open(dialect: Dialect, address: SocketAddr) -> Result<Self> {
        let wire = Wire::open(address).await?;
        let mut caller = Self { wire, dialect, address, session: None, prepared: None };
        if dialect == Dialect::SaysoSessions {
            caller.shake_hands().await?;
        }
        Ok(caller)
    }

    async fn shake_hands(&mut self) -> Result<()> {
        let params = json!({
            "protocolVersion": SESSIONS, "capabilities": {}, "clientInfo": { "name": "load", "version": "1" }
        });
        let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
        let answer = self.wire.call(&post(self.address, "/mcp", ACCEPT, &hello)).await?;
        let session = answer
            .lines()
            .find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("mcp-session-id").then(|| value.trim().to_owned())
            })
            .ok_or_else(|| Error::other("no session in the answer to `initialize`"))?;
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        let headers = format!("{ACCEPT}MCP-Protocol-Version: {SESSIONS}\r\nMcp-Session-Id: {session}\r\n");
        self.wire.call(&post(self.address, "/mcp", &headers, &ready)).await?;
        self.session = Some(session);
        Ok(())
    }

    /// Asks for a review of 3 KB, the `n`th; the answer.
    pub async fn creating(&mut self, n: usize) -> Result<&str> {
        let (mut request, at) = self.prepared.take().unwrap_or_else(|| {
            let request = match self.dialect {
                Dialect::Peer => self.tool("create", &batch()),
                Dialect::Sayso | Dialect::SaysoSessions => self.tool("elicit_proposal", &proposal()),
            };
            let at = request.windows(NUMBER.len()).position(|window| window == NUMBER.as_bytes());
            (request, at.unwrap_or_default())
        });
        request[at..at + NUMBER.len()]
            .copy_from_slice(format!("{n:0width$}", width = NUMBER.len()).as_bytes());
        let (request, _) = self.prepared.insert((request, at));
        self.wire.call(request).await
    }

    /// Asks how a request stands.
    pub fn status(&self, id: &str) -> Vec<u8> {
        match self.dialect {
            Dialect::Peer => self.tool("status", &json!({ "id": id })),
            Dialect::Sayso | Dialect::SaysoSessions => {
                self.tool("elicit_status", &json!({ "elicitationId": id }))
            }
        }
    }

    /// Waits for a decision.
    pub fn wait(&self, id: &str) -> Vec<u8> {
        match self.dialect {
            Dialect::Peer => self.tool("await", &json!({ "id": id, "timeout_s": 300 })),
            Dialect::Sayso | Dialect::SaysoSessions => {
                self.tool("elicit_await", &json!({ "elicitationId": id, "waitSeconds": 300 }))
            }
        }
    }

    /// What the page of a request holds that comes back with the decision: the digest of what it shows.
    pub async fn shown(&mut self, id: &str) -> Result<String> {
        if self.dialect == Dialect::Peer {
            return Ok(String::new());
        }
        let page = format!("GET /review?elicitationId={id} HTTP/1.1\r\nHost: {}\r\n\r\n", self.address);
        let page = self.wire.call(page.as_bytes()).await?;
        let digest = page.split_once(r#""digest":""#).and_then(|(_, rest)| rest.split_once('"'));
        digest.map(|(digest, _)| digest.to_owned()).ok_or_else(|| Error::other("no digest in the page"))
    }

    /// What a page sends when a person decides.
    pub fn decide(&self, id: &str, digest: &str) -> Vec<u8> {
        let values = json!({ "field_00": "1.75 kg", "field_01": "2.75 kg", "field_02": "7.5 kg" });
        let accept = "Accept: application/json\r\n";
        match self.dialect {
            Dialect::Peer => post(self.address, &format!("/decide/{id}"), accept, &values),
            Dialect::Sayso | Dialect::SaysoSessions => {
                let body =
                    json!({ "id": id, "draft": { "proposal": { "submit": values } }, "digest": digest });
                post(self.address, "/api/submit", &format!("{accept}X-Sayso: page\r\n"), &body)
            }
        }
    }

    /// Creates a request; its id.
    pub async fn created(&mut self, n: usize) -> Result<String> {
        let name = if self.dialect == Dialect::Peer { "id" } else { "elicitationId" };
        let answer = self.creating(n).await?;
        // The id of the message itself is a number.
        let (_, rest) = answer
            .split_once(&format!(r#""{name}":""#))
            .ok_or_else(|| Error::other(format!("no id in {answer}")))?;
        Ok(rest.chars().take_while(|c| *c != '"').collect())
    }

    /// A call of a tool.
    fn tool(&self, name: &str, arguments: &Value) -> Vec<u8> {
        let mut params = json!({ "name": name, "arguments": arguments });
        let headers = if let Some(session) = &self.session {
            format!("{ACCEPT}MCP-Protocol-Version: {SESSIONS}\r\nMcp-Session-Id: {session}\r\n")
        } else {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": STATELESS,
                "io.modelcontextprotocol/clientInfo": { "name": "load", "version": "1" },
                "io.modelcontextprotocol/clientCapabilities": {}
            });
            format!(
                "{ACCEPT}MCP-Protocol-Version: {STATELESS}\r\nMcp-Method: tools/call\r\nMcp-Name: {name}\r\n"
            )
        };
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        post(self.address, "/mcp", &headers, &body)
    }
}

const STATELESS: &str = "2026-07-28";
const SESSIONS: &str = "2025-11-25";
const ACCEPT: &str = "Accept: application/json, text/event-stream\r\n";

const FIELDS: usize = 12;

/// Stands for the number of a request.
const NUMBER: &str = "0123456789";

/// A proposal of twelve fields for Sayso.
fn proposal() -> Value {
    let names = || (0..FIELDS).map(|row| format!("field_{row:02}"));
    let property = |row: usize| json!({ "type": "string", "maxLength": 200, "default": proposed(row) });
    let cells = |row: usize| json!({ "sources": { "registry": registry(row), "supplier": supplier(row) }, "current": current(row) });
    let of = |value: &dyn Fn(usize) -> Value| -> Value {
        names().enumerate().map(|(row, name)| (name, value(row))).collect::<serde_json::Map<_, _>>().into()
    };
    json!({
        "message": format!("Review batch {NUMBER}"),
        "columns": {
            "sources": [{ "key": "registry", "label": "Registry" }, { "key": "supplier", "label": "Supplier sheet" }],
            "current": { "label": "Catalogue" }
        },
        "requestedSchema": { "type": "object", "properties": of(&property) },
        "fields": of(&cells)
    })
}

/// The same in the words of the peers, which have no schema; a note a row makes up for its length.
fn batch() -> Value {
    let row = |row: usize| {
        json!({
            "key": format!("field_{row:02}"), "source": [registry(row), supplier(row)],
            "current": current(row), "proposed": proposed(row), "note": "reads differently in both; the newer one is preferred"
        })
    };
    json!({
        "title": format!("Review batch {NUMBER}"),
        "columns": [
            { "name": "weight", "type": "number" }, { "name": "origin", "type": "string" }, { "name": "active", "type": "boolean" }
        ],
        "rows": (0..FIELDS).map(row).collect::<Vec<_>>()
    })
}

fn registry(row: usize) -> String {
    format!("https://registry.example/entry/{:06}", row * 7919)
}

fn supplier(row: usize) -> String {
    format!("sheet row {row}, \"net weight\", page 3")
}

fn current(row: usize) -> String {
    format!("{row}.25 kg")
}

fn proposed(row: usize) -> String {
    format!("{row}.75 kg")
}

fn post(address: SocketAddr, path: &str, headers: &str, body: &Value) -> Vec<u8> {
    let body = body.to_string();
    format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n{headers}Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}
