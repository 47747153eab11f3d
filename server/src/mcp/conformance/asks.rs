//! What a server may ask of a client: a form, its model, its roots. Asked by a request within a call here, and by an
//! answer in `rounds`.

use rmcp::{
    RoleServer,
    model::{
        CallToolResult, ClientCapabilities, ClientResult, ContentBlock, CreateMessageResult, ElicitResult,
        InputRequest, ListRootsResult, ServerRequest,
    },
    service::RequestContext,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The request that is written so. Not left to serde, whose untagged enums lose the text of numbers.
pub fn request(written: &Value) -> InputRequest {
    fn read<T: DeserializeOwned>(written: &Value) -> T {
        serde_json::from_value(written.clone()).expect("the fixture is a request of its method")
    }
    match written["method"].as_str() {
        Some("elicitation/create") => InputRequest::Elicitation(read(written)),
        Some("sampling/createMessage") => InputRequest::CreateMessage(read(written)),
        Some("roots/list") => InputRequest::ListRoots(read(written)),
        other => unreachable!("no fixture asks for {other:?}"),
    }
}

/// Whether the client said that it can do this; what it lacks is noted.
pub fn can(client: &ClientCapabilities, request: &InputRequest, lacking: &mut ClientCapabilities) -> bool {
    fn has<T: Default>(declared: Option<&T>, lacking: &mut Option<T>) -> bool {
        if declared.is_none() {
            *lacking = Some(T::default());
        }
        declared.is_some()
    }
    match request {
        InputRequest::Elicitation(_) => has(client.elicitation.as_ref(), &mut lacking.elicitation),
        InputRequest::CreateMessage(_) => has(client.sampling.as_ref(), &mut lacking.sampling),
        InputRequest::ListRoots(_) => has(client.roots.as_ref(), &mut lacking.roots),
        other => unreachable!("no fixture asks for {other:?}"),
    }
}

/// Whether this is an answer to that request.
pub fn answers(request: &InputRequest, response: &Value) -> bool {
    fn reads<T: DeserializeOwned>(response: &Value) -> bool {
        serde_json::from_value::<T>(response.clone()).is_ok()
    }
    match request {
        InputRequest::Elicitation(_) => reads::<ElicitResult>(response),
        InputRequest::CreateMessage(_) => reads::<CreateMessageResult>(response),
        InputRequest::ListRoots(_) => reads::<ListRootsResult>(response),
        other => unreachable!("no fixture asks for {other:?}"),
    }
}

/// Asks the client now, and answers the call with what it said.
pub async fn ask(asked: InputRequest, context: &RequestContext<RoleServer>) -> CallToolResult {
    let client = context.client_capabilities().unwrap_or_default();
    let mut lacking = ClientCapabilities::default();
    if !can(&client, &asked, &mut lacking) {
        return CallToolResult::error(vec![ContentBlock::text(format!(
            "the client lacks {}",
            json!(lacking)
        ))]);
    }
    let request = match asked {
        InputRequest::Elicitation(request) => ServerRequest::ElicitRequest(request),
        InputRequest::CreateMessage(request) => ServerRequest::CreateMessageRequest(request),
        InputRequest::ListRoots(request) => ServerRequest::ListRootsRequest(request),
        other => unreachable!("no fixture asks for {other:?}"),
    };
    let said = match context.peer.send_request(request).await {
        Ok(ClientResult::ElicitResult(said)) => format!(
            "User response: action={}, content={}",
            json!(said.action).as_str().unwrap_or_default(),
            said.content.unwrap_or_default()
        ),
        Ok(ClientResult::CreateMessageResult(said)) => {
            format!("LLM response: {}", json!(said.message.content))
        }
        Ok(other) => {
            return CallToolResult::error(vec![ContentBlock::text(format!("not an answer: {other:?}"))]);
        }
        Err(error) => return CallToolResult::error(vec![ContentBlock::text(format!("asking: {error}"))]),
    };
    CallToolResult::success(vec![ContentBlock::text(said)])
}
