//! What the conformance suite asks a server to have, read from `fixtures.json`.

use super::rounds::Rounds;
use rmcp::model::{ContentBlock, Prompt, Resource, ResourceContents, ResourceTemplate, Tool};
use sayso_domain::Object;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use std::sync::LazyLock;

static FIXTURES: LazyLock<Fixtures> =
    LazyLock::new(|| serde_json::from_str(include_str!("fixtures.json")).expect("the file is fixtures"));

/// All of them.
pub fn all() -> &'static Fixtures {
    &FIXTURES
}

/// What `fixtures.json` holds.
#[derive(Deserialize)]
pub struct Fixtures {
    /// The tools.
    pub tools: Vec<ToolFixture>,
    /// The prompts.
    pub prompts: Vec<PromptFixture>,
    /// The resources.
    pub resources: Vec<ResourceFixture>,
    /// The templates of resources.
    pub templates: Vec<TemplateFixture>,
}

/// A tool, and what it does.
#[derive(Deserialize)]
pub struct ToolFixture {
    /// As it is listed.
    pub tool: Tool,
    /// What it does.
    pub act: ToolAct,
}

/// What a tool does.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ToolAct {
    /// Answers.
    Answer(Content),
    /// Asks the client within the call, where the protocol has requests from servers.
    Ask(Value),
    /// Answers with what it needs, until it has it all.
    Rounds(Rounds),
    /// Logs three times.
    Log,
    /// Reports progress three times.
    Progress,
    /// Takes its time.
    Wait,
    /// Says that the list of tools has changed.
    ChangeTools,
    /// Says that the list of prompts has changed.
    ChangePrompts,
}

/// What a tool answers.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Content {
    /// Its blocks.
    pub content: Vec<ContentBlock>,
    /// Whether it is an error.
    #[serde(default)]
    pub is_error: bool,
}

/// A prompt, and where its messages come from.
#[derive(Deserialize)]
pub struct PromptFixture {
    /// As it is listed.
    pub prompt: Prompt,
    /// Where its messages come from.
    pub act: PromptAct,
}

/// Where a prompt's messages come from.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PromptAct {
    /// From here, with `{argument}` in place of each argument.
    Answer(Value),
    /// From the client.
    Rounds(Rounds),
}

/// A resource, and what is in it.
#[derive(Deserialize)]
pub struct ResourceFixture {
    /// As it is listed.
    pub resource: Resource,
    /// What is in it.
    pub contents: ResourceContents,
}

/// A template of resources with one parameter, `{id}`.
#[derive(Deserialize)]
pub struct TemplateFixture {
    /// As it is listed.
    pub template: ResourceTemplate,
    /// What is in each of its resources, with `{id}` in place of the parameter.
    pub contents: Value,
}

impl Fixtures {
    /// What is at this URI.
    pub fn contents(&self, uri: &str) -> Option<ResourceContents> {
        let fixed = self.resources.iter().find(|fixture| fixture.resource.uri == uri);
        fixed.map(|fixture| fixture.contents.clone()).or_else(|| {
            self.templates.iter().find_map(|fixture| {
                let (before, after) = fixture.template.uri_template.split_once("{id}")?;
                let id = uri.strip_prefix(before)?.strip_suffix(after)?;
                Some(filled(&fixture.contents, &Object::from_iter([("id".to_owned(), id.into())])))
            })
        })
    }
}

/// A fixture's part as what it should be, with every `{name}` in its texts replaced by the argument of that name.
pub fn filled<T: DeserializeOwned>(part: &Value, arguments: &Object) -> T {
    serde_json::from_value(fill(part, arguments)).expect("the fixture is what its place needs")
}

fn fill(part: &Value, arguments: &Object) -> Value {
    match part {
        Value::String(text) => {
            let texts = arguments.iter().filter_map(|(name, value)| Some((name, value.as_str()?)));
            texts.fold(text.clone(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value)).into()
        }
        Value::Array(parts) => parts.iter().map(|part| fill(part, arguments)).collect(),
        Value::Object(parts) => {
            parts.iter().map(|(name, part)| (name.clone(), fill(part, arguments))).collect::<Object>().into()
        }
        other => other.clone(),
    }
}
