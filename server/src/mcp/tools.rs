//! The tools, each a paragraph: unpack, ask [`Reviews`], reply.

use super::{
    args::{self, Creating},
    catalogue,
    dialog::{Dialogs, Offered},
    doctor,
    host::{Host, Reach, agent, via},
    offers::{self, Offers, app},
    preview, reply,
    sealed::Seals,
    waiters::Waiters,
};
use crate::{
    config::PublicUrl,
    proof::Proofs,
    render::Renderer,
    reviews::{Opened, Reviews, Withdrawal},
    store::StoreError,
    token::Tokens,
};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, GetPromptRequestParams, GetPromptResponse,
        GetSkillRequestParams, GetSkillResult, Implementation, InputRequiredResult, InputResponses,
        ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListSkillsResult,
        ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ReadResourceRequestParams,
        ReadResourceResponse, ServerConfig, Tool,
    },
    service::RequestContext,
};
use sayso_domain::{Faults, Object, Review, ReviewId, Status, prompt::Channel, review::Agent};
use std::time::Duration;

/// What a model reads before anything else; its first 512 characters tell the whole workflow.
const INSTRUCTIONS: &str = "Sayso gets a person's say-so before you act. 1. Call elicit_approval (a payload or a form), elicit_proposal (changes by field) or elicit_selection (which of these): it returns reviewUrl. \
2. Show reviewUrl to the person. 3. Call elicit_await with the elicitationId; while it answers `pending`, call it again. \
4. On `approved` or `rejected` call elicit_result and act on exactly what it returns. `expired` and `canceled` are no decision: nothing was approved. \
A request waits on its own: if your connection or this server goes away, call elicit_await again with the same elicitationId. \
Never guess a decision, and never treat silence as approval. elicit_status looks without waiting; elicit_cancel takes a pending request back; elicit_preview shows what a creating call would show, and stores nothing.";

/// What an agent can call.
#[derive(Clone)]
pub struct Tools {
    reviews: Reviews,
    renderer: Renderer,
    public_url: PublicUrl,
    proofs: Proofs,
    dialogs: Dialogs,
    offers: Offers,
    waiters: Waiters,
    /// Whether people sign in here, so that those whom an agent names are told from others.
    told_apart: bool,
}

impl Tools {
    /// Puts the pieces together.
    pub fn new(
        reviews: Reviews,
        renderer: Renderer,
        tokens: Tokens,
        proofs: Proofs,
        public_url: PublicUrl,
    ) -> Self {
        let dialogs = Dialogs::new(reviews.clone(), public_url.clone(), Seals::new(tokens));
        let offers = Offers::new(reviews.clone(), public_url.clone());
        Self {
            reviews,
            renderer,
            public_url,
            proofs,
            dialogs,
            offers,
            waiters: Waiters::default(),
            told_apart: false,
        }
    }

    /// The same, where people sign in or do not.
    pub fn telling_people_apart(self, told_apart: bool) -> Self {
        Self { told_apart, ..self }
    }

    /// The calls that wait for a decision.
    pub fn waiters(&self) -> Waiters {
        self.waiters.clone()
    }

    async fn create(
        &self,
        tool: Creating,
        context: &RequestContext<RoleServer>,
        arguments: Object,
    ) -> Result<CallToolResult, Trouble> {
        let args::Asked { ask, seconds, repeat, arguments } = tool.parse(arguments)?;
        let (agent, reviews) = (agent(context), self.reviews.by(via(context)));
        let rehearsal =
            preview::rehearse(&self.renderer, &ask, &arguments, self.told_apart, self.reviews.now()).await;
        let opened = match &repeat {
            None => Opened::New(reviews.open(ask, agent, seconds).await?),
            Some(repeat) => reviews.open_once(ask, agent, seconds, repeat).await?,
        };
        let (open, delivered, replayed) = match opened {
            Opened::New(open) => {
                let delivered = self.dialogs.push(&open, &Host::of(context), context).await;
                (open, delivered, false)
            }
            Opened::Again(open) => {
                let prompts = self.reviews.prompts(open.id).await?;
                let delivered = prompts.iter().any(|prompt| prompt.channel == Channel::Pushed);
                (open, delivered, true)
            }
            Opened::KeyReused(first) => return Err(args::key_reused(first).into()),
        };
        let made = reply::Made { open: &open, warnings: &rehearsal.warnings, delivered, replayed };
        Ok(reply::opened(&made, &self.public_url))
    }

    async fn examine(
        &self,
        context: &RequestContext<RoleServer>,
        arguments: &Object,
    ) -> Result<CallToolResult, Trouble> {
        Faults::check(catalogue::check("elicit_doctor", arguments))?;
        let prompts = self.reviews.prompts_of(&agent(context)).await?;
        let is_https = self.public_url.to_string().starts_with("https:");
        Ok(reply::examined(doctor::examine(&Host::of(context), &prompts, is_https)))
    }

    async fn preview(&self, arguments: &Object) -> Result<CallToolResult, Trouble> {
        let (tool, inner) = args::preview(arguments)?;
        let now = self.reviews.now();
        Ok(reply::previewed(preview::preview(&self.renderer, tool, inner, self.told_apart, now).await))
    }

    async fn wait(
        &self,
        agent: &Agent,
        arguments: &Object,
        retry: Retry,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, Trouble> {
        let args::Waiting { id, at_most, remind } = args::wait(arguments)?;
        let Some(id) = id else {
            return Ok(reply::not_found().into());
        };
        let _waiter = self.waiters.join();
        if let Some(answer) = Box::pin(self.offer(agent, id, remind, &retry, arguments, context)).await? {
            return Ok(answer.into());
        }
        let waited = tokio::select! {
            waited = self.reviews.wait(agent, id, at_most) => waited?,
            () = report_progress(context) => unreachable!("progress is reported for ever"),
            // The caller has gone; nobody reads this.
            () = context.ct.cancelled() => Some(Status::Pending),
        };
        Ok(match waited {
            None => reply::not_found(),
            Some(Status::Pending) => reply::still_pending(id, &self.public_url),
            Some(status) => reply::status(id, status),
        }
        .into())
    }

    /// What a waiting call is answered before it waits, if anything. Nothing of it is kept while it waits.
    async fn offer(
        &self,
        agent: &Agent,
        id: ReviewId,
        remind: bool,
        retry: &Retry,
        arguments: &Object,
        context: &RequestContext<RoleServer>,
    ) -> Result<Option<InputRequiredResult>, Trouble> {
        if let Some(state) = &retry.state {
            let answers = retry.answers.as_ref();
            let is_ours = self.dialogs.answered(state, answers, context, arguments).await?;
            return if is_ours { Ok(None) } else { Err(Trouble::ForeignState) };
        }
        let host = Host::of(context);
        if host.reach == Reach::None {
            return Ok(None);
        }
        let Some(Review::Open(open)) = self.reviews.look_for(agent, id).await? else { return Ok(None) };
        match self.dialogs.offer(&open, remind, &host, context, arguments).await? {
            Offered::Answer(answer) => Ok(Some(answer)),
            Offered::Wait => Ok(None),
        }
    }

    async fn status(&self, agent: &Agent, arguments: &Object) -> Result<CallToolResult, Trouble> {
        let Some(id) = args::id("elicit_status", arguments)? else {
            return Ok(reply::not_found());
        };
        let status = self.reviews.status_for(agent, id).await?;
        Ok(status.map_or_else(reply::not_found, |status| reply::status(id, status)))
    }

    async fn card(&self, agent: &Agent, arguments: &Object) -> Result<CallToolResult, Trouble> {
        let Some(id) = args::id(app::TOOL, arguments)? else {
            return Ok(reply::not_found());
        };
        let review = self.reviews.look_for(agent, id).await?;
        let shown = |review: Review| app::answer(&review, &self.public_url, self.reviews.now());
        Ok(review.map_or_else(reply::not_found, shown))
    }

    async fn result(
        &self,
        context: &RequestContext<RoleServer>,
        arguments: &Object,
    ) -> Result<CallToolResult, Trouble> {
        let Some(id) = args::id("elicit_result", arguments)? else {
            return Ok(reply::not_found());
        };
        Ok(match self.reviews.by(via(context)).fetch(&agent(context), id).await? {
            None => reply::not_found(),
            Some(Review::Open(_)) => reply::undecided(Status::Pending),
            Some(Review::Closed(closed)) => reply::settled(&closed, &self.proofs),
        })
    }

    async fn cancel(
        &self,
        context: &RequestContext<RoleServer>,
        arguments: &Object,
    ) -> Result<CallToolResult, Trouble> {
        let (id, reason) = args::cancel(arguments)?;
        let Some(id) = id else {
            return Ok(reply::not_found());
        };
        Ok(match self.reviews.by(via(context)).withdraw(&agent(context), id, reason).await? {
            Withdrawal::Canceled => reply::status(id, Status::Canceled),
            Withdrawal::TooLate(status) => reply::already(status),
            Withdrawal::Unknown => reply::not_found(),
        })
    }
}

impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        let server = Implementation::new("sayso", env!("CARGO_PKG_VERSION"))
            .with_title("Sayso")
            .with_icons(vec![offers::icon(&self.public_url)]);
        ServerConfig::new(offers::capabilities()).with_server_info(server).with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(self.offers.tools(context.client_capabilities().as_ref()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        catalogue::tools().iter().chain([app::tool()]).find(|tool| tool.name == name).cloned()
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(self.offers.prompts())
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        self.offers.prompt(&request).map(Into::into)
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(self.offers.resources(context.client_capabilities().as_ref()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(self.offers.resource_templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.offers.read(&agent(&context), &request.uri).await.map(Into::into)
    }

    async fn list_skills(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListSkillsResult, ErrorData> {
        Ok(self.offers.skills())
    }

    async fn get_skill(
        &self,
        request: GetSkillRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetSkillResult, ErrorData> {
        self.offers.skill(&request.uri)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let agent = agent(&context);
        let arguments = request.arguments.unwrap_or_default();
        // Each in a box of its own: thousands wait, and none of them is to be as large as the largest of the others.
        let answer = match request.name.as_ref() {
            "elicit_await" => {
                let retry = Retry { state: request.request_state, answers: request.input_responses };
                return match self.wait(&agent, &arguments, retry, &context).await {
                    Ok(answer) => Ok(answer),
                    Err(trouble) => trouble.reply().map(CallToolResponse::from),
                };
            }
            "elicit_approval" => Box::pin(self.create(Creating::Approval, &context, arguments)).await,
            "elicit_proposal" => Box::pin(self.create(Creating::Proposal, &context, arguments)).await,
            "elicit_selection" => Box::pin(self.create(Creating::Selection, &context, arguments)).await,
            "elicit_preview" => Box::pin(self.preview(&arguments)).await,
            "elicit_doctor" => Box::pin(self.examine(&context, &arguments)).await,
            "elicit_status" => Box::pin(self.status(&agent, &arguments)).await,
            "elicit_result" => Box::pin(self.result(&context, &arguments)).await,
            "elicit_cancel" => Box::pin(self.cancel(&context, &arguments)).await,
            app::TOOL => Box::pin(self.card(&agent, &arguments)).await,
            unknown => {
                let known =
                    catalogue::tools().iter().map(|tool| tool.name.as_ref()).collect::<Vec<_>>().join(", ");
                let unknown = sayso_domain::fault::excerpt(unknown);
                return Err(ErrorData::invalid_params(
                    format!("there is no tool `{unknown}`; there are {known}"),
                    None,
                ));
            }
        };
        answer.or_else(Trouble::reply).map(CallToolResponse::from)
    }
}

/// What a call brings along that was answered with a required input before.
struct Retry {
    state: Option<String>,
    answers: Option<InputResponses>,
}

/// Why a tool has no answer of its own.
enum Trouble {
    Faulty(Faults),
    Store(StoreError),
    ForeignState,
}

impl Trouble {
    /// Most trouble is a result, so that a model reads it; what only its client can mend is an error of the protocol.
    fn reply(self) -> Result<CallToolResult, ErrorData> {
        match self {
            Self::Faulty(faults) => Ok(reply::faulty(&faults)),
            Self::Store(error) => {
                tracing::error!(%error, "answering an agent");
                Ok(if error.is_damage() { reply::damaged() } else { reply::trouble() })
            }
            Self::ForeignState => Err(ErrorData::invalid_params(
                "`requestState` was not made here for this call, or is too old: call elicit_await again without it",
                None,
            )),
        }
    }
}

impl From<Faults> for Trouble {
    fn from(faults: Faults) -> Self {
        Self::Faulty(faults)
    }
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// Tells a caller that gave a token, at once and then every 10 s, that its call is alive. Never comes back.
async fn report_progress(context: &RequestContext<RoleServer>) {
    const EVERY: Duration = Duration::from_secs(10);
    let Some(token) = context.meta.get_progress_token() else {
        return std::future::pending().await;
    };
    let mut beat = tokio::time::interval(EVERY);
    for count in 0_u32.. {
        beat.tick().await;
        let told = ProgressNotificationParam::new(token.clone(), f64::from(count))
            .with_message("Waiting for the person to decide");
        if let Err(error) = context.peer.notify_progress(told).await {
            tracing::debug!(%error, "progress had nowhere to go");
        }
    }
    std::future::pending().await
}
