//! The link in the host's own dialog: offered, followed, and put away when the request ends. What a host answers is recorded
//! and decides nothing.

use super::{
    host::{Host, Reach, agent, via},
    sealed::{Sealed, Seals},
};
use crate::{config::PublicUrl, reviews::Reviews, store::StoreError};
use rmcp::{
    RoleServer,
    model::{
        ClientResult, CustomNotification, ElicitRequest, ElicitRequestParams, ElicitationAction,
        InputRequest, InputRequiredResult, InputResponses, ServerNotification, ServerRequest,
    },
    service::{OriginatingRequestId, PeerRequestOptions, RequestContext, RequestHandle, ServiceError},
};
use sayso_domain::{
    Object, Status,
    prompt::{self, Action, Channel, Prompt},
    review::Open,
};
use serde_json::json;
use std::{sync::Arc, time::Duration};
use tokio::sync::Notify;

/// A call may come back so many seconds after the deadline, and hear that the request has expired.
const LONGER: u32 = 3_600;

/// Under which key the one input that a call may require is asked for.
const INPUT: &str = "review";

/// Marks a request of ours; told once it stands in the stream of the call. Without that, the answer to the call may overtake
/// it and close the stream.
#[derive(Clone)]
pub(super) struct OnStream(Arc<Notify>);

impl OnStream {
    /// The request stands in the stream.
    pub(super) fn tell(&self) {
        self.0.notify_one();
    }
}

/// Offers links to hosts.
#[derive(Clone)]
pub(super) struct Dialogs {
    reviews: Reviews,
    public_url: PublicUrl,
    seals: Seals,
}

/// What came of offering a link with a waiting call.
pub(super) enum Offered {
    /// There is nothing to wait for but the decision.
    Wait,
    /// The call is answered by this, and comes again.
    Answer(InputRequiredResult),
}

impl Dialogs {
    pub(super) fn new(reviews: Reviews, public_url: PublicUrl, seals: Seals) -> Self {
        Self { reviews, public_url, seals }
    }

    /// Asks the host of a creating call to show the link, where it can be asked so; whether it was. The request is made,
    /// whatever becomes of this.
    pub(super) async fn push(&self, open: &Open, host: &Host, context: &RequestContext<RoleServer>) -> bool {
        match host.reach {
            Reach::Push => self.send(open, Channel::Pushed, host, context).await.unwrap_or_else(|error| {
                tracing::error!(%error, "asking a host to show a link");
                false
            }),
            Reach::None | Reach::InputRequired => false,
        }
    }

    /// Offers the link with a waiting call where nobody has seen it yet, or where it is to be offered again.
    ///
    /// # Errors
    /// The store.
    pub(super) async fn offer(
        &self,
        open: &Open,
        again: bool,
        host: &Host,
        context: &RequestContext<RoleServer>,
        arguments: &Object,
    ) -> Result<Offered, StoreError> {
        if host.reach == Reach::None || !(again || prompt::is_due(&self.reviews.prompts(open.id).await?)) {
            return Ok(Offered::Wait);
        }
        match host.reach {
            Reach::None => Ok(Offered::Wait),
            Reach::Push => {
                self.send(open, Channel::Held, host, context).await?;
                Ok(Offered::Wait)
            }
            Reach::InputRequired => {
                let reviews = self.reviews.by(via(context));
                let prompt = reviews.prompted(open, agent(context).client, Channel::InputRequired).await?;
                let state = self
                    .seals
                    .seal(&prompt, open.deadline.plus_seconds(LONGER), arguments, self.reviews.now())
                    .await?;
                let request = InputRequest::Elicitation(ElicitRequest::new(self.link(open)));
                let requests = [(INPUT.to_owned(), request)].into();
                Ok(Offered::Answer(InputRequiredResult::new(Some(requests), Some(state))))
            }
        }
    }

    /// The host answered to an input that a call required, and the call is here again; whether its state is one of ours.
    ///
    /// # Errors
    /// The store.
    pub(super) async fn answered(
        &self,
        state: &str,
        responses: Option<&InputResponses>,
        context: &RequestContext<RoleServer>,
        arguments: &Object,
    ) -> Result<bool, StoreError> {
        let principal = agent(context).principal;
        let opened = self.seals.open(state, &principal, arguments, self.reviews.now()).await?;
        let Sealed::Ours(prompt) = opened else { return Ok(false) };
        let action = responses
            .and_then(|responses| responses.get(INPUT)?.get("action").cloned())
            .and_then(|action| serde_json::from_value::<Action>(action).ok())
            .filter(|action| *action != Action::Fail);
        self.reviews.by(via(context)).reacted(&prompt, action.unwrap_or(Action::Fail)).await?;
        Ok(true)
    }

    /// Sends a request on the stream of the call, and follows what becomes of it; whether it went out.
    async fn send(
        &self,
        open: &Open,
        channel: Channel,
        host: &Host,
        context: &RequestContext<RoleServer>,
    ) -> Result<bool, StoreError> {
        const AT_MOST: Duration = Duration::from_secs(2);
        let on_stream = OnStream(Arc::default());
        let mut request = ElicitRequest::new(self.link(open));
        request.extensions.insert(on_stream.clone());
        request.extensions.insert(OriginatingRequestId(context.id.clone()));
        let request = ServerRequest::ElicitRequest(request);
        // Recorded first: what is answered must have been asked.
        let reviews = self.reviews.by(via(context));
        let prompt = reviews.prompted(open, agent(context).client, channel).await?;
        let sent = context.peer.send_request_with_option(request, PeerRequestOptions::no_options()).await;
        let handle = match sent {
            Ok(handle) => handle,
            Err(error) => {
                tracing::debug!(%error, "a host could not be asked");
                reviews.reacted(&prompt, Action::Fail).await?;
                return Ok(false);
            }
        };
        let out = tokio::time::timeout(AT_MOST, on_stream.0.notified()).await.is_ok();
        let following = Following { reviews, prompt, completes: host.hears_completions() };
        tokio::spawn(following.follow(handle));
        Ok(out)
    }

    fn link(&self, open: &Open) -> ElicitRequestParams {
        ElicitRequestParams::UrlElicitationParams {
            meta: None,
            message: format!(
                "Please review and decide: {}",
                sayso_domain::fault::excerpt(open.ask.message())
            ),
            url: self.public_url.review(open.id),
            elicitation_id: open.id.to_string(),
        }
    }
}

/// A prompt that was sent, until it needs nothing more.
struct Following {
    reviews: Reviews,
    prompt: Prompt,
    completes: bool,
}

impl Following {
    async fn follow(self, mut handle: RequestHandle<RoleServer>) {
        let peer = handle.peer.clone();
        let answer = tokio::select! {
            answer = &mut handle.rx => Some(answer),
            ended = self.ended(&handle.peer) => {
                if !ended {
                    return;
                }
                None
            }
        };
        let answer = match answer {
            // The session has gone; its client may come back, and the prompt does not.
            Some(Err(_) | Ok(Err(ServiceError::TransportClosed))) => return,
            Some(Ok(answer)) => answer,
            None => {
                let over = "The request is no longer pending".to_owned();
                if let Err(error) = handle.cancel(Some(over)).await {
                    tracing::debug!(%error, "a prompt could not be put away");
                }
                return self.complete(&peer).await;
            }
        };
        if let Err(error) = self.reviews.reacted(&self.prompt, action(&answer)).await {
            tracing::error!(%error, "recording what a host answered");
        }
        if self.completes && self.ended(&peer).await {
            self.complete(&peer).await;
        }
    }

    /// Comes back when the request has ended, or with `false` when nobody is there to be told.
    async fn ended(&self, peer: &rmcp::Peer<RoleServer>) -> bool {
        const AT_ONCE: Duration = Duration::from_secs(60);
        loop {
            match self.reviews.ended(self.prompt.review, AT_ONCE).await {
                Ok(Some(Status::Pending)) if peer.is_transport_closed() || self.reviews.is_stopping() => {
                    return false;
                }
                Ok(Some(Status::Pending)) => {}
                Ok(_) => return true,
                Err(error) => {
                    tracing::error!(%error, "following a prompt");
                    return false;
                }
            }
        }
    }

    async fn complete(&self, peer: &rmcp::Peer<RoleServer>) {
        if !self.completes {
            return;
        }
        let told = CustomNotification::new(
            "notifications/elicitation/complete",
            Some(json!({ "elicitationId": self.prompt.review })),
        );
        if let Err(error) = peer.send_notification(ServerNotification::CustomNotification(told)).await {
            tracing::debug!(%error, "a completion had nowhere to go");
        }
    }
}

fn action(answer: &Result<ClientResult, ServiceError>) -> Action {
    match answer {
        Ok(ClientResult::ElicitResult(result)) => match result.action {
            ElicitationAction::Accept => Action::Accept,
            ElicitationAction::Decline => Action::Decline,
            _ => Action::Cancel,
        },
        Ok(_) | Err(_) => Action::Fail,
    }
}
