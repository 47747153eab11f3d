//! The wrapped handler: each method of the trait, with the fixtures where they have a part in it.

use super::{Fixtures, fixtures};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::*,
    service::{NotificationContext, RequestContext, SubscriptionContext},
};
use serde_json::json;
use std::borrow::Cow;

/// Requests that are none of the fixtures' business.
macro_rules! requests_to_inner {
    ($($method:ident($($request:ty)?) -> $answer:ty;)*) => { $(
        requests_to_inner!(@ $method($($request)?) -> $answer);
    )* };
    (@ $method:ident() -> $answer:ty) => {
        async fn $method(&self, context: RequestContext<RoleServer>) -> Result<$answer, ErrorData> {
            self.inner.$method(context).await
        }
    };
    (@ $method:ident($request:ty) -> $answer:ty) => {
        async fn $method(
            &self,
            request: $request,
            context: RequestContext<RoleServer>,
        ) -> Result<$answer, ErrorData> {
            self.inner.$method(request, context).await
        }
    };
}

/// Notifications, of which none is the fixtures' business.
macro_rules! notifications_to_inner {
    ($($method:ident($($notification:ty)?);)*) => { $(
        notifications_to_inner!(@ $method($($notification)?));
    )* };
    (@ $method:ident()) => {
        async fn $method(&self, context: NotificationContext<RoleServer>) {
            self.inner.$method(context).await;
        }
    };
    (@ $method:ident($notification:ty)) => {
        async fn $method(&self, notification: $notification, context: NotificationContext<RoleServer>) {
            self.inner.$method(notification, context).await;
        }
    };
}

// Every method that the trait has, for one that is left to its default is one that the suite would meet instead of ours.
impl<T: ServerHandler> ServerHandler for Fixtures<T> {
    requests_to_inner! {
        ping() -> ();
        on_custom_request(CustomRequest) -> CustomResult;
        get_task(GetTaskParams) -> GetTaskResult;
        update_task(UpdateTaskParams) -> ();
        cancel_task(CancelTaskParams) -> ();
        list_skills(Option<PaginatedRequestParams>) -> ListSkillsResult;
        get_skill(GetSkillRequestParams) -> GetSkillResult;
        read_resource_directory(ReadResourceDirectoryRequestParams) -> ReadResourceDirectoryResult;
    }

    notifications_to_inner! {
        on_cancelled(CancelledNotificationParam);
        on_progress(ProgressNotificationParam);
        on_initialized();
        on_roots_list_changed();
        on_custom_notification(CustomNotification);
    }

    fn get_info(&self) -> ServerConfig {
        let mut info = self.inner.get_info();
        info.capabilities = self.widened(info.capabilities);
        info
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let mut result = self.inner.initialize(request, context).await?;
        result.capabilities = self.widened(result.capabilities);
        Ok(result)
    }

    fn negotiate_initialize(&self, request: &InitializeRequestParams) -> Result<InitializeResult, ErrorData> {
        let mut result = self.inner.negotiate_initialize(request)?;
        result.capabilities = self.widened(result.capabilities);
        Ok(result)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        self.inner.supported_protocol_versions()
    }

    async fn discover(&self, context: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let mut result = self.inner.discover(context).await?;
        result.capabilities = self.widened(result.capabilities);
        Ok(result)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut page = self.inner.list_tools(request, context).await?;
        if self.go_behind(page.next_cursor.as_ref()) {
            page.tools.extend(fixtures::all().tools.iter().map(|fixture| fixture.tool.clone()));
        }
        Ok(page)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tool(name).map(|fixture| fixture.tool.clone()).or_else(|| self.inner.get_tool(name))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match self.tool(&request.name) {
            Some(fixture) => self.call(fixture, request, &context).await,
            None => self.inner.call_tool(request, context).await,
        }
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let mut page = self.or_nothing(self.inner.list_prompts(request, context).await)?;
        if self.go_behind(page.next_cursor.as_ref()) {
            page.prompts.extend(fixtures::all().prompts.iter().map(|fixture| fixture.prompt.clone()));
        }
        Ok(page)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        match self.prompt(&request.name) {
            Some(fixture) => self.prompt_of(fixture, request, &context),
            None => self.inner.get_prompt(request, context).await,
        }
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        self.or_nothing(self.inner.complete(request, context).await)
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let mut page = self.or_nothing(self.inner.list_resources(request, context).await)?;
        if self.go_behind(page.next_cursor.as_ref()) {
            page.resources.extend(fixtures::all().resources.iter().map(|fixture| fixture.resource.clone()));
        }
        Ok(page)
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let mut page = self.or_nothing(self.inner.list_resource_templates(request, context).await)?;
        if self.go_behind(page.next_cursor.as_ref()) {
            let templates = fixtures::all().templates.iter().map(|fixture| fixture.template.clone());
            page.resource_templates.extend(templates);
        }
        Ok(page)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        if let Some(contents) = self.contents(&request.uri) {
            return Ok(ReadResourceResult::new(vec![contents]).into());
        }
        let uri = request.uri.clone();
        self.inner.read_resource(request, context).await.map_err(|error| {
            if !self.lacks(&error) {
                return error;
            }
            ErrorData::resource_not_found("there is no such resource", Some(json!({ "uri": uri })))
        })
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        // No fixture's contents ever change, so that there is nobody to remember.
        match self.contents(&request.uri) {
            Some(_) => Ok(()),
            None => self.inner.subscribe(request, context).await,
        }
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        match self.contents(&request.uri) {
            Some(_) => Ok(()),
            None => self.inner.unsubscribe(request, context).await,
        }
    }

    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.session.set_level(request.level);
        self.or_nothing(self.inner.set_level(request, context).await)
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        let accepted = self.inner.accepted_subscription_filter(requested);
        if !self.mounted {
            return accepted;
        }
        let mut accepted = accepted.unwrap_or_default();
        (accepted.tools_list_changed, accepted.prompts_list_changed) = (Some(true), Some(true));
        Some(accepted)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let sink = context.sink().clone();
        tokio::select! {
            ended = self.inner.listen(context) => ended,
            never = self.tell(sink) => match never {},
        }
    }
}
