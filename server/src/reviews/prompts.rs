//! The prompts that hosts were sent: recorded with what hosts answered, which decides nothing.

use super::Reviews;
use crate::store::StoreError;
use sayso_domain::{
    ReviewId,
    audit::{Actor, Event},
    prompt::{Action, Channel, Prompt, Reaction},
    review::{Agent, Open},
};

impl Reviews {
    /// The host of an agent was asked to show a link.
    ///
    /// # Errors
    /// The store; nothing is recorded then.
    pub async fn prompted(
        &self,
        open: &Open,
        client: Option<String>,
        channel: Channel,
    ) -> Result<Prompt, StoreError> {
        let at = self.now();
        let prompt = Prompt {
            id: self.chance.entry_id(at),
            review: open.id,
            principal: open.by.principal.clone(),
            client: client.clone(),
            channel,
            at,
            reaction: None,
        };
        let event = Event::Prompted { client, channel };
        let entry = self.entry(open.id, at, Actor::System, event);
        self.store.prompted(&prompt, &entry).await?;
        Ok(prompt)
    }

    /// The host answered. That decides nothing.
    ///
    /// # Errors
    /// The store; nothing is recorded then.
    pub async fn reacted(&self, prompt: &Prompt, action: Action) -> Result<Reaction, StoreError> {
        let at = self.now();
        let reaction = Reaction { action, after: prompt.at.until(at) };
        let event = Event::HostAnswered { client: prompt.client.clone(), channel: prompt.channel, reaction };
        let entry = self.entry(prompt.review, at, Actor::Agent(prompt.principal.clone()), event);
        self.store.reacted(&prompt.id, reaction, &entry).await?;
        tracing::info!(review = %prompt.review, channel = ?prompt.channel, ?reaction, "a host answered");
        Ok(reaction)
    }

    /// The prompts of a request, in order.
    ///
    /// # Errors
    /// The store.
    pub async fn prompts(&self, id: ReviewId) -> Result<Vec<Prompt>, StoreError> {
        self.store.prompts(id).await
    }

    /// What became of the latest prompts that this agent's host was sent, the newest first.
    ///
    /// # Errors
    /// The store.
    pub async fn prompts_of(&self, agent: &Agent) -> Result<Vec<Prompt>, StoreError> {
        const LATEST: i64 = 200;
        let prompts = self.store.prompts_of(&agent.principal, LATEST).await?;
        Ok(prompts.into_iter().filter(|prompt| prompt.client == agent.client).collect())
    }
}
