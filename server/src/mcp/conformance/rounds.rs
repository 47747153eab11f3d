//! Calls of the revision without requests from servers: what is needed is the answer, and the client calls again.

use super::asks;
use rmcp::{
    ErrorData,
    model::{
        ClientCapabilities, InputRequests, InputRequiredResult, InputResponses, RequestStateCodec,
        SealOptions,
    },
};
use sayso_domain::Object;
use serde::Deserialize;
use std::sync::LazyLock;

/// Seals which round a call has come to. A test build guards nothing, so the key need not be one that nobody knows.
static SEAL: LazyLock<RequestStateCodec> = LazyLock::new(|| {
    RequestStateCodec::try_new(*b"conformance fixtures, not a secret").expect("the key is long enough")
});

/// What is needed, round by round.
#[derive(Deserialize)]
pub struct Rounds {
    /// Whether the client has to bring back a state.
    sealed: bool,
    /// What is asked for in each round, by key.
    asked: Vec<Object>,
}

/// How far a call has come.
pub enum Round {
    /// Something is still needed.
    Needs(InputRequiredResult),
    /// Everything is there; what the last round brought.
    Done(InputResponses),
}

impl Rounds {
    /// How far the call of `name` has come with what the client brought.
    ///
    /// # Errors
    /// The state is not what was given out, or the client can do nothing of what is needed.
    pub fn turn(
        &self,
        name: &str,
        responses: Option<InputResponses>,
        state: Option<String>,
        client: &ClientCapabilities,
    ) -> Result<Round, ErrorData> {
        let sealed = state.map(|state| self.opened(name, &state)).transpose()?;
        let round = sealed.unwrap_or_default();
        let asked = self.round(round, client)?;
        let responses = responses.unwrap_or_default();
        let brought =
            |(key, request)| responses.get(key).is_some_and(|response| asks::answers(request, response));
        if !asked.iter().all(brought) || (self.sealed && sealed.is_none()) {
            return Ok(self.needs(name, round, asked));
        }
        let next = round + 1;
        if next < self.asked.len() {
            return Ok(self.needs(name, next, self.round(next, client)?));
        }
        Ok(Round::Done(responses))
    }

    /// What of a round this client can do.
    fn round(&self, round: usize, client: &ClientCapabilities) -> Result<InputRequests, ErrorData> {
        let mut possible: InputRequests =
            self.asked[round].iter().map(|(key, request)| (key.clone(), asks::request(request))).collect();
        let mut lacking = ClientCapabilities::default();
        possible.retain(|_, request| asks::can(client, request, &mut lacking));
        if possible.is_empty() {
            return Err(ErrorData::missing_required_client_capability(lacking));
        }
        Ok(possible)
    }

    fn needs(&self, name: &str, round: usize, asked: InputRequests) -> Round {
        let seal = || SEAL.seal_with(&[round as u8], &SealOptions::new().associated_data(name.as_bytes()));
        Round::Needs(InputRequiredResult::new(Some(asked), self.sealed.then(seal)))
    }

    /// The round that a state given out for `name` was for.
    fn opened(&self, name: &str, state: &str) -> Result<usize, ErrorData> {
        let round = SEAL.open_with(state, name.as_bytes()).ok().and_then(|round| round.first().copied());
        round.map(usize::from).filter(|round| *round < self.asked.len()).ok_or_else(|| {
            ErrorData::invalid_params("this requestState was not given out for this call", None)
        })
    }
}
