//! Prompts: a person picks one in their host, and the model is told what they want and how it is done.

use super::flow::Flow;
use rmcp::{
    ErrorData,
    model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role},
};
use sayso_domain::fault::excerpt;
use serde_json::Value;

/// What a prompt asks for.
struct Argument {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    required: bool,
}

const fn needed(name: &'static str, title: &'static str, description: &'static str) -> Argument {
    Argument { name, title, description, required: true }
}

const fn optional(name: &'static str, title: &'static str, description: &'static str) -> Argument {
    Argument { name, title, description, required: false }
}

/// Every prompt.
pub(super) fn all() -> impl Iterator<Item = Prompt> {
    Flow::ALL.into_iter().map(|flow| {
        let arguments = arguments(flow).iter().map(|argument| {
            PromptArgument::new(argument.name)
                .with_title(argument.title)
                .with_description(argument.description)
                .with_required(argument.required)
        });
        Prompt::new(flow.text().name, Some(flow.text().description), Some(arguments.collect()))
            .with_title(flow.title())
    })
}

/// A prompt with what the person filled in.
///
/// # Errors
/// There is no such prompt, an argument that it needs is not there, or one is there that it does not know.
pub(super) fn get(name: &str, given: Option<&JsonObject>) -> Result<GetPromptResult, ErrorData> {
    let flow = Flow::ALL.into_iter().find(|flow| flow.text().name == name).ok_or_else(|| {
        let known = Flow::ALL.map(|flow| flow.text().name).join(", ");
        ErrorData::invalid_params(format!("there is no prompt `{}`; there are {known}", excerpt(name)), None)
    })?;
    let mut words = lead(flow).to_owned();
    let mut faults = Vec::new();
    let text = |name: &str| given.and_then(|given| given.get(name)).filter(|value| !value.is_null());
    for Argument { name, title, required, .. } in arguments(flow) {
        match text(name).map(Value::as_str) {
            Some(Some(value)) if !value.trim().is_empty() => {
                words.push_str(&format!("\n\n{title}:\n{value}"))
            }
            Some(None) => faults.push(format!("`{name}` is a string")),
            _ if *required => faults.push(format!("`{name}` is needed")),
            _ => {}
        }
    }
    for key in given.into_iter().flat_map(JsonObject::keys) {
        if !arguments(flow).iter().any(|argument| argument.name == key) {
            faults.push(format!("`{}` is not known here", excerpt(key)));
        }
    }
    if !faults.is_empty() {
        return Err(ErrorData::invalid_params(faults.join("; "), None));
    }
    words.push_str("\n\nThis is how:\n\n");
    words.push_str(flow.text().body);
    let message = PromptMessage::new_text(Role::User, words);
    Ok(GetPromptResult::new(vec![message]).with_description(flow.title()))
}

fn lead(flow: Flow) -> &'static str {
    match flow {
        Flow::Approval => {
            "Get a person's approval through Sayso before you do the following, and do it only then."
        }
        Flow::Proposal => {
            "Propose the following through Sayso, and write only what a person has approved field by field."
        }
        Flow::Selection => {
            "Let a person choose through Sayso, and go on with what they chose and nothing else."
        }
    }
}

fn arguments(flow: Flow) -> &'static [Argument] {
    match flow {
        Flow::Approval => {
            const {
                &[
                    needed("action", "What to approve", "What you want to have approved before it is done."),
                    optional(
                        "details",
                        "What belongs to it",
                        "Amounts, recipients, versions: what the person must see.",
                    ),
                ]
            }
        }
        Flow::Proposal => {
            const {
                &[
                    needed(
                        "record",
                        "The record",
                        "Which record is to be created or changed, and in which system.",
                    ),
                    optional(
                        "changes",
                        "The changes",
                        "What is to be changed, or where the values come from.",
                    ),
                ]
            }
        }
        Flow::Selection => {
            const {
                &[
                    needed("question", "The question", "What is to be chosen."),
                    optional(
                        "candidates",
                        "The candidates",
                        "What there is to choose from, or where to find it.",
                    ),
                ]
            }
        }
    }
}
