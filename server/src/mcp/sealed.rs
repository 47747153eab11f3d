//! What a client carries from a call that required input to the same call again: sealed, so that it is only ours to write, and
//! bound to who called with what.

use crate::{store::StoreError, token::Tokens};
use rmcp::model::{RequestStateCodec, RequestStateError, SealOptions};
use sayso_domain::{
    Moment, Object, ReviewId,
    canonical::canonical,
    prompt::{Channel, Prompt},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A state lives at most so long, in milliseconds: longer than the longest request.
const LIFE: i64 = 8 * 86_400_000;

/// Seals what clients carry.
#[derive(Clone)]
pub(super) struct Seals(Tokens);

/// What a client brought back.
pub(super) enum Sealed {
    /// The prompt that the call was answered with.
    Ours(Prompt),
    /// Not sealed by us, not for this call, or too old.
    Foreign,
}

#[derive(Serialize, Deserialize)]
struct State {
    prompt: String,
    review: String,
    client: Option<String>,
    at: i64,
    ends: i64,
}

impl Seals {
    pub(super) fn new(tokens: Tokens) -> Self {
        Self(tokens)
    }

    /// The prompt, to be carried by a client until `ends`.
    ///
    /// # Errors
    /// The store.
    pub(super) async fn seal(
        &self,
        prompt: &Prompt,
        ends: Moment,
        arguments: &Object,
        now: Moment,
    ) -> Result<String, StoreError> {
        let state = State {
            prompt: prompt.id.clone(),
            review: prompt.review.to_string(),
            client: prompt.client.clone(),
            at: prompt.at.0,
            ends: ends.0,
        };
        let payload = serde_json::to_vec(&state).unwrap_or_default();
        let bound = bound_to(&prompt.principal, arguments);
        Ok(self.codec(now).await?.seal_with(&payload, &SealOptions::new().associated_data(&bound)))
    }

    /// Opens what a client brought back with a call.
    ///
    /// # Errors
    /// The store.
    pub(super) async fn open(
        &self,
        state: &str,
        principal: &str,
        arguments: &Object,
        now: Moment,
    ) -> Result<Sealed, StoreError> {
        let opened: Result<State, RequestStateError> =
            self.codec(now).await?.open_json_with(state, &bound_to(principal, arguments));
        let Ok(state) = opened else { return Ok(Sealed::Foreign) };
        let Ok(review) = state.review.parse::<ReviewId>() else { return Ok(Sealed::Foreign) };
        if state.ends <= now.0 {
            return Ok(Sealed::Foreign);
        }
        Ok(Sealed::Ours(Prompt {
            id: state.prompt,
            review,
            principal: principal.to_owned(),
            client: state.client,
            channel: Channel::InputRequired,
            at: Moment(state.at),
            reaction: None,
        }))
    }

    async fn codec(&self, now: Moment) -> Result<RequestStateCodec, StoreError> {
        let keys = self.0.keys(LIFE, now).await?;
        let signing = keys.first().map(|key| key.id.clone()).unwrap_or_default();
        let ring = keys.into_iter().map(|key| (key.id, key.secret.into_bytes()));
        Ok(RequestStateCodec::new_with_keyring(signing, ring)
            .expect("stored keys are long and have names of their own"))
    }
}

fn bound_to(principal: &str, arguments: &Object) -> Vec<u8> {
    format!("{principal}\0elicit_await\0{}", canonical(&Value::Object(arguments.clone()))).into_bytes()
}
