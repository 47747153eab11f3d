//! rmcp's transport of a session, with our words for what goes through it.

use crate::mcp::dialog::OnStream;
use rmcp::{
    RoleServer,
    model::{GetExtensions, JsonRpcMessage, RequestId, ServerNotification},
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::{Transport, WorkerTransport, streamable_http_server::session::local::LocalSessionWorker},
};

/// Tells a request of ours when it stands in its stream, and names our requests from 1 on: rmcp begins at 0, and the TypeScript
/// SDK 1 does not hear that a request 0 is cancelled.
pub struct Telling(pub(super) WorkerTransport<LocalSessionWorker>);

impl Transport<RoleServer> for Telling {
    type Error = <WorkerTransport<LocalSessionWorker> as Transport<RoleServer>>::Error;

    fn send(
        &mut self,
        mut message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let waiting = match &mut message {
            JsonRpcMessage::Request(request) => {
                shift(&mut request.id, 1);
                request.request.extensions().get::<OnStream>().cloned()
            }
            JsonRpcMessage::Notification(told) => {
                if let ServerNotification::CancelledNotification(cancelled) = &mut told.notification
                    && let Some(id) = &mut cancelled.params.request_id
                {
                    shift(id, 1);
                }
                None
            }
            _ => None,
        };
        let answers = matches!(message, JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_));
        let sending = self.0.send(message);
        async move {
            match sending.await {
                // Whoever ended the session awaits no answer; to rmcp it would be an error to log.
                Err(error) if answers => tracing::debug!(%error, "an answer that nobody awaits"),
                sent => sent?,
            }
            if let Some(waiting) = waiting {
                waiting.tell();
            }
            Ok(())
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        let mut message = self.0.receive().await?;
        match &mut message {
            JsonRpcMessage::Response(answer) => shift(&mut answer.id, -1),
            JsonRpcMessage::Error(error) => {
                if let Some(id) = &mut error.id {
                    shift(id, -1);
                }
            }
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => {}
        }
        Some(message)
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.0.close().await
    }
}

fn shift(id: &mut RequestId, by: i64) {
    if let RequestId::Number(number) = id {
        *number = number.saturating_add(by);
    }
}
