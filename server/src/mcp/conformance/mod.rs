//! The handler of a test build, for the MCP conformance suite: the real one, and the fixtures that the suite asks for
//! beside it. Only the feature `conformance` compiles this, and only `--conformance` mounts it.
//!
//! It wraps the real handler, so that what the suite meets in front of a fixture (the door, limits, sessions, rmcp) and
//! what it asks for without one (the handshake, lists, errors) are what everybody meets.

#![expect(
    deprecated,
    reason = "the suite tests logging and resource subscriptions, which only the older revisions have"
)]

mod acts;
mod asks;
mod fixtures;
mod handler;
mod rounds;

use fixtures::{PromptFixture, ToolFixture};
use rmcp::{
    ErrorData,
    model::{ErrorCode, LoggingLevel, ResourceContents, ServerCapabilities},
    service::SubscriptionSink,
};
use std::{convert::Infallible, sync::Mutex};
use tokio::sync::broadcast;

/// A handler with the fixtures beside what it has, if they are mounted.
#[derive(Clone)]
pub struct Fixtures<T> {
    inner: T,
    mounted: bool,
    changes: broadcast::Sender<Change>,
    session: Session,
}

/// A list that a fixture says has changed.
#[derive(Clone, Copy)]
enum Change {
    Tools,
    Prompts,
}

/// What is kept for one client's session.
struct Session {
    level: Mutex<LoggingLevel>,
}

impl<T> Fixtures<T> {
    /// Puts the fixtures beside what `inner` has, if `mounted`.
    pub fn beside(inner: T, mounted: bool) -> Self {
        let changes = broadcast::Sender::new(8);
        Self { inner, mounted, changes, session: Session::new() }
    }

    fn tool(&self, name: &str) -> Option<&'static ToolFixture> {
        self.mounted.then(|| fixtures::all().tools.iter().find(|fixture| fixture.tool.name == name)).flatten()
    }

    fn prompt(&self, name: &str) -> Option<&'static PromptFixture> {
        self.mounted
            .then(|| fixtures::all().prompts.iter().find(|fixture| fixture.prompt.name == name))
            .flatten()
    }

    fn contents(&self, uri: &str) -> Option<ResourceContents> {
        self.mounted.then(|| fixtures::all().contents(uri)).flatten()
    }

    /// Whether the fixtures of a list go behind this page of the real handler's own.
    fn go_behind(&self, next: Option<&String>) -> bool {
        self.mounted && next.is_none()
    }

    /// What the handler can do with the fixtures beside it.
    fn widened(&self, mut capabilities: ServerCapabilities) -> ServerCapabilities {
        if self.mounted {
            capabilities.tools.get_or_insert_default().list_changed = Some(true);
            capabilities.prompts.get_or_insert_default().list_changed = Some(true);
            capabilities.resources.get_or_insert_default().subscribe = Some(true);
            capabilities.completions.get_or_insert_default();
            capabilities.logging.get_or_insert_default();
        }
        capabilities
    }

    /// Whether the real handler says that it has not what the fixtures have.
    fn lacks(&self, error: &ErrorData) -> bool {
        self.mounted && error.code == ErrorCode::METHOD_NOT_FOUND
    }

    /// The real handler's answer; nothing, where the fixtures have what it has not.
    fn or_nothing<R: Default>(&self, answer: Result<R, ErrorData>) -> Result<R, ErrorData> {
        match answer {
            Err(error) if self.lacks(&error) => Ok(R::default()),
            answer => answer,
        }
    }

    /// Says which lists have changed, for as long as anybody listens.
    async fn tell(&self, sink: SubscriptionSink) -> Infallible {
        let mut changes = self.changes.subscribe();
        loop {
            let told = match changes.recv().await {
                Ok(Change::Tools) => sink.notify_tool_list_changed().await,
                Ok(Change::Prompts) => sink.notify_prompt_list_changed().await,
                Err(_) => continue,
            };
            if let Err(error) = told {
                tracing::debug!(%error, "a change that this subscription is not about");
            }
        }
    }
}

impl Session {
    fn new() -> Self {
        Self { level: Mutex::new(LoggingLevel::Info) }
    }

    fn level(&self) -> LoggingLevel {
        *self.level.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn set_level(&self, level: LoggingLevel) {
        *self.level.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = level;
    }
}

/// rmcp takes a clone of the handler for every session.
impl Clone for Session {
    fn clone(&self) -> Self {
        Self::new()
    }
}
