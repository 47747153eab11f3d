//! What the fixtures' tools and prompts do when they are called.

use super::{
    Change, Fixtures, asks,
    fixtures::{PromptAct, PromptFixture, ToolAct, ToolFixture, filled},
    rounds::Round,
};
use rmcp::{
    ErrorData, RoleServer,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, GetPromptRequestParams,
        GetPromptResponse, GetPromptResult, InputResponses, LoggingLevel, LoggingMessageNotificationParam,
        ProgressNotificationParam, PromptMessage, ProtocolVersion, Role,
    },
    service::RequestContext,
};
use serde_json::json;
use std::time::Duration;

/// Between two notifications, so that a client sees them come one by one.
const PAUSE: Duration = Duration::from_millis(50);

impl<T> Fixtures<T> {
    /// Calls a tool.
    pub(super) async fn call(
        &self,
        fixture: &ToolFixture,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        Ok(match &fixture.act {
            ToolAct::Answer(answer) if answer.is_error => {
                CallToolResult::error(answer.content.clone()).into()
            }
            ToolAct::Answer(answer) => CallToolResult::success(answer.content.clone()).into(),
            ToolAct::Ask(asked) => asks::ask(asks::request(&filled(asked, &arguments)), context).await.into(),
            ToolAct::Rounds(rounds) => {
                let client = context.client_capabilities().unwrap_or_default();
                match rounds.turn(&request.name, request.input_responses, request.request_state, &client)? {
                    Round::Needs(needed) => needed.into(),
                    Round::Done(responses) => text(format!("state-ok: {}", told(&responses))).into(),
                }
            }
            ToolAct::Log => {
                for message in ["Tool execution started", "Tool processing data", "Tool execution completed"]
                {
                    self.log(message, context).await;
                    tokio::time::sleep(PAUSE).await;
                }
                text("Logged").into()
            }
            ToolAct::Progress => {
                for progress in [0.0, 50.0, 100.0] {
                    progressed(progress, context).await;
                    tokio::time::sleep(PAUSE).await;
                }
                text("Done").into()
            }
            ToolAct::Wait => {
                tokio::time::sleep(PAUSE * 10).await;
                text("Waited").into()
            }
            ToolAct::ChangeTools => self.changed(Change::Tools),
            ToolAct::ChangePrompts => self.changed(Change::Prompts),
        })
    }

    /// Makes a prompt's messages.
    pub(super) fn prompt_of(
        &self,
        fixture: &PromptFixture,
        request: GetPromptRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let rounds = match &fixture.act {
            PromptAct::Answer(answer) => {
                let arguments = request.arguments.unwrap_or_default();
                return Ok(GetPromptResult::new(filled(&answer["messages"], &arguments)).into());
            }
            PromptAct::Rounds(rounds) => rounds,
        };
        let client = context.client_capabilities().unwrap_or_default();
        Ok(match rounds.turn(&request.name, request.input_responses, request.request_state, &client)? {
            Round::Needs(needed) => needed.into(),
            Round::Done(responses) => {
                GetPromptResult::new(vec![PromptMessage::new_text(Role::User, told(&responses))]).into()
            }
        })
    }

    fn changed(&self, change: Change) -> CallToolResponse {
        // Nobody need be listening.
        let told = self.changes.send(change).unwrap_or_default();
        text(format!("{told} are told")).into()
    }

    /// Logs at level info, to whom asked for that: since 2026-07-28 in the request itself, before that in the session.
    async fn log(&self, message: &str, context: &RequestContext<RoleServer>) {
        let stateless =
            context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28);
        let level = if stateless { context.meta.log_level() } else { Some(self.session.level()) };
        if !matches!(level, Some(LoggingLevel::Debug | LoggingLevel::Info)) {
            return;
        }
        let logged = LoggingMessageNotificationParam::new(LoggingLevel::Info, json!(message));
        if let Err(error) = context.peer.notify_logging_message(logged).await {
            tracing::debug!(%error, "a log message had nowhere to go");
        }
    }
}

async fn progressed(progress: f64, context: &RequestContext<RoleServer>) {
    let Some(token) = context.meta.get_progress_token() else {
        return;
    };
    let told = ProgressNotificationParam::new(token, progress).with_total(100.0);
    if let Err(error) = context.peer.notify_progress(told).await {
        tracing::debug!(%error, "progress had nowhere to go");
    }
}

fn told(responses: &InputResponses) -> String {
    json!(responses).to_string()
}

fn text(text: impl Into<String>) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}
