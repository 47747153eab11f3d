//! What the server offers beside calls of its tools: the list of them, prompts, skills, resources, and the card of a
//! request. All of it only tells and shows; nothing here creates, decides or fetches.

pub mod app;
pub mod flow;
mod prompts;
mod requests;
pub mod server_card;
mod skills;

use super::catalogue;
use crate::{config::PublicUrl, reviews::Reviews};
use rmcp::{
    ErrorData,
    model::{
        CacheScope, ClientCapabilities, ExtensionCapabilities, GetPromptRequestParams, GetPromptResult,
        GetSkillResult, Icon, JsonObject, ListPromptsResult, ListResourceTemplatesResult,
        ListResourcesResult, ListSkillsResult, ListToolsResult, ReadResourceResult, ServerCapabilities,
    },
};
use sayso_domain::{fault::excerpt, review::Agent};
use serde_json::json;

/// How long a list or a text may be taken for fresh. Both change with the binary only, and a client should not go on
/// for long with what an older one said.
const FRESH_MS: u64 = 5 * 60 * 1000;

/// What the server offers beside calls of its tools.
#[derive(Clone)]
pub struct Offers {
    reviews: Reviews,
    public_url: PublicUrl,
}

/// What the server says of itself when a client asks what it can do.
pub fn capabilities() -> ServerCapabilities {
    let ui = ExtensionCapabilities::from([(app::EXTENSION.to_owned(), JsonObject::new())]);
    ServerCapabilities::builder()
        .enable_extensions_with(ui)
        .enable_prompts()
        .enable_resources()
        .enable_tools()
        .enable_skills()
        .build()
}

impl Offers {
    /// What is offered by the server that is reached at `public_url`.
    pub fn new(reviews: Reviews, public_url: PublicUrl) -> Self {
        Self { reviews, public_url }
    }

    /// The tools, always in the same order; with their card where the client can show one, and therefore for the
    /// asking client only.
    pub fn tools(&self, client: Option<&ClientCapabilities>) -> ListToolsResult {
        let mut tools = catalogue::tools().to_vec();
        if app::shown_by(client) {
            tools.iter_mut().for_each(app::link);
            tools.push(app::tool().clone());
        }
        for tool in &mut tools {
            tool.icons = Some(self.icons());
        }
        ListToolsResult::with_all_items(tools).with_ttl_ms(FRESH_MS).with_cache_scope(CacheScope::Private)
    }

    /// The prompts, one for each flow.
    pub fn prompts(&self) -> ListPromptsResult {
        let prompts = prompts::all().map(|prompt| prompt.with_icons(self.icons()));
        ListPromptsResult::with_all_items(prompts.collect())
            .with_ttl_ms(FRESH_MS)
            .with_cache_scope(CacheScope::Public)
    }

    /// One prompt, filled in.
    ///
    /// # Errors
    /// There is no such prompt, or an argument that it needs is not there.
    pub fn prompt(&self, request: &GetPromptRequestParams) -> Result<GetPromptResult, ErrorData> {
        prompts::get(&request.name, request.arguments.as_ref())
    }

    /// The skills, one for each flow.
    pub fn skills(&self) -> ListSkillsResult {
        ListSkillsResult::with_all_items(skills::all().collect())
            .with_ttl_ms(FRESH_MS)
            .with_cache_scope(CacheScope::Public)
    }

    /// One skill.
    ///
    /// # Errors
    /// There is none at this URI.
    pub fn skill(&self, uri: &str) -> Result<GetSkillResult, ErrorData> {
        let mut result = GetSkillResult::new(skills::find(uri)?);
        (result.ttl_ms, result.cache_scope) = (Some(FRESH_MS), Some(CacheScope::Public));
        Ok(result)
    }

    /// The resources that have one URI each. Requests have not: nobody may list what others asked.
    pub fn resources(&self, client: Option<&ClientCapabilities>) -> ListResourcesResult {
        let app = app::shown_by(client).then(app::resource);
        let resources = skills::resources().chain(app).map(|resource| resource.with_icons(self.icons()));
        ListResourcesResult::with_all_items(resources.collect())
            .with_ttl_ms(FRESH_MS)
            .with_cache_scope(CacheScope::Private)
    }

    /// The resources that have a URI for each id.
    pub fn resource_templates(&self) -> ListResourceTemplatesResult {
        ListResourceTemplatesResult::with_all_items(vec![requests::template().with_icons(self.icons())])
            .with_ttl_ms(FRESH_MS)
            .with_cache_scope(CacheScope::Public)
    }

    /// What stands at a URI, for this agent.
    ///
    /// # Errors
    /// Nothing does, or the store cannot say.
    pub async fn read(&self, agent: &Agent, uri: &str) -> Result<ReadResourceResult, ErrorData> {
        let text = if uri == app::URI { Some(app::contents()) } else { skills::contents(uri) };
        if let Some(text) = text {
            return Ok(ReadResourceResult::new(vec![text])
                .with_ttl_ms(FRESH_MS)
                .with_cache_scope(CacheScope::Public));
        }
        let review = match requests::id(uri) {
            Some(id) => self.reviews.look_for(agent, id).await.map_err(|error| {
                tracing::error!(%error, "reading how a request stands");
                ErrorData::internal_error("The server cannot look this up just now; read it again.", None)
            })?,
            None => None,
        };
        // Another agent's request is told like one that nobody has.
        let review = review.ok_or_else(|| {
            let message =
                "there is no such resource; resources/list and resources/templates/list say what there is";
            ErrorData::resource_not_found(message, Some(json!({ "uri": excerpt(uri) })))
        })?;
        Ok(ReadResourceResult::new(vec![requests::contents(uri, &review, &self.public_url)])
            .with_ttl_ms(0)
            .with_cache_scope(CacheScope::Private))
    }

    fn icons(&self) -> Vec<Icon> {
        vec![icon(&self.public_url)]
    }
}

/// The one icon of everything here.
pub fn icon(public_url: &PublicUrl) -> Icon {
    Icon::new(format!("{public_url}/icon.svg"))
        .with_mime_type("image/svg+xml")
        .with_sizes(vec!["any".to_owned()])
}

#[cfg(test)]
mod tests;
