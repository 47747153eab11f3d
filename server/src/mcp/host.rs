//! The program that an agent runs in: what it told of itself, and so what it can be asked.

use crate::guard;
use rmcp::{RoleServer, model::ProtocolVersion, service::RequestContext};
use sayso_domain::{
    audit::{Door, Via},
    review::Agent,
};
use serde_json::{Value, json};

/// The host behind a call.
pub(super) struct Host {
    /// The revision that the call speaks.
    pub(super) revision: Option<ProtocolVersion>,
    /// How it can be asked to show a link.
    pub(super) reach: Reach,
    /// What it calls itself, its version with it.
    name: Option<(String, String)>,
    capabilities: Option<Value>,
}

/// How a host can be asked to show a link. What it advertises decides, not the revision: some advertise what their revision
/// does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// It cannot be asked.
    None,
    /// By a request of the server's, on the stream of the call.
    Push,
    /// By an answer that requires input: since 2026-07-28 a server sends no requests.
    InputRequired,
}

impl Host {
    /// The host behind this call.
    pub(super) fn of(context: &RequestContext<RoleServer>) -> Self {
        let revision = context.protocol_version();
        let capabilities = context.client_capabilities();
        let shows_links = capabilities
            .as_ref()
            .and_then(|capabilities| capabilities.elicitation.as_ref())
            .is_some_and(|elicitation| elicitation.url.is_some());
        let reach = match (shows_links, is_stateless(revision.as_ref())) {
            (false, _) => Reach::None,
            (true, false) => Reach::Push,
            (true, true) => Reach::InputRequired,
        };
        let name = context.client_info().map(|client| (client.title.unwrap_or(client.name), client.version));
        let capabilities = capabilities.and_then(|capabilities| serde_json::to_value(capabilities).ok());
        Self { revision, reach, name, capabilities }
    }

    /// Whether the revision is one in which every request stands alone.
    pub(super) fn is_stateless(&self) -> bool {
        is_stateless(self.revision.as_ref())
    }

    /// Whether it is to be told that what it was asked to show is over.
    pub(super) fn hears_completions(&self) -> bool {
        self.revision.as_ref().is_some_and(|revision| revision.as_str() == "2025-11-25")
    }

    /// What it told of itself, as an agent reads it.
    pub(super) fn told(&self) -> Value {
        let name = self.name.as_ref().map(|(name, version)| json!({ "name": name, "version": version }));
        json!({
            "client": name,
            "era": if self.is_stateless() { "stateless" } else { "session" },
            "protocolVersion": self.revision.as_ref().map(ProtocolVersion::as_str),
            "capabilities": self.capabilities.clone().unwrap_or_else(|| json!({})),
            "showsLinks": self.reach != Reach::None
        })
    }
}

/// Who calls. On a server that runs open for one person's own use, every agent is that person's.
pub(super) fn agent(context: &RequestContext<RoleServer>) -> Agent {
    let name = |name: String| name.chars().filter(|c| !c.is_control()).take(80).collect::<String>();
    let client = context
        .client_info()
        .map(|client| name(client.title.unwrap_or(client.name)))
        .filter(|name| !name.trim().is_empty());
    let principal = super::sessions::principal(
        context.extensions.get::<http::request::Parts>().map(|parts| &parts.extensions),
    );
    Agent { principal, client }
}

/// By which door the call came, and from where.
pub(super) fn via(context: &RequestContext<RoleServer>) -> Via {
    match context.extensions.get::<http::request::Parts>() {
        Some(parts) => guard::via(Door::Mcp, &parts.extensions),
        None => Via { door: Door::Mcp, address: None },
    }
}

fn is_stateless(revision: Option<&ProtocolVersion>) -> bool {
    // Revisions are dates.
    revision.is_some_and(|revision| revision.as_str() >= "2026-07-28")
}
