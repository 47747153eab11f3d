//! The tools as they are published, and the check of arguments against what is published.
//!
//! Each tool is one JSON file, which `docs/tools.md` is written from as well.

use rmcp::model::Tool;
use sayso_domain::{Code, Fault, Object, Pointer};
use serde_json::Value;
use std::{collections::HashMap, sync::LazyLock};

const FILES: [&str; 9] = [
    include_str!("schema/elicit_approval.json"),
    include_str!("schema/elicit_proposal.json"),
    include_str!("schema/elicit_selection.json"),
    include_str!("schema/elicit_await.json"),
    include_str!("schema/elicit_status.json"),
    include_str!("schema/elicit_result.json"),
    include_str!("schema/elicit_cancel.json"),
    include_str!("schema/elicit_preview.json"),
    include_str!("schema/elicit_doctor.json"),
];

static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| {
    FILES.iter().map(|file| serde_json::from_str(file).expect("the tool's file is a tool")).collect()
});

static VALIDATORS: LazyLock<HashMap<String, jsonschema::Validator>> = LazyLock::new(|| {
    let validator = |tool: &Tool| {
        let schema = Value::Object(tool.input_schema.as_ref().clone());
        (
            tool.name.to_string(),
            jsonschema::draft202012::new(&schema).expect("the tool's input schema is a schema"),
        )
    };
    TOOLS.iter().chain([super::offers::app::tool()]).map(validator).collect()
});

/// All tools, always in the same order.
pub fn tools() -> &'static [Tool] {
    &TOOLS
}

/// `docs/tools.md`, written from what is published.
pub fn page() -> String {
    super::page::write(tools())
}

/// What the published schema of a tool says against these arguments.
pub(super) fn check(tool: &str, arguments: &Object) -> Vec<Fault> {
    check_value(tool, &Value::Object(arguments.clone()))
}

/// The same, where the arguments are a value already and may be long.
pub(super) fn check_value(tool: &str, instance: &Value) -> Vec<Fault> {
    let Some(validator) = VALIDATORS.get(tool) else {
        return Vec::new();
    };
    // Most are valid, which is known sooner than what is wrong.
    if validator.is_valid(instance) {
        return Vec::new();
    }
    validator.iter_errors(instance).flat_map(|error| faults(&error)).collect()
}

fn faults(error: &jsonschema::ValidationError<'_>) -> Vec<Fault> {
    use jsonschema::error::ValidationErrorKind as Kind;
    let at = Pointer::from(error.instance_path().as_str());
    let found = error.instance().to_string();
    match error.kind() {
        Kind::AdditionalProperties { unexpected } => unexpected
            .iter()
            .map(|key| {
                let message = format!("`{}` is not known here", sayso_domain::fault::excerpt(key));
                Fault::new(&at.child(key), Code::UnknownProperty, message)
                    .found(key.as_str())
                    .fix("Leave it out, or spell it as the tool's schema does")
            })
            .collect(),
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            vec![Fault::new(&at.child(name), Code::Missing, format!("`{name}` is needed"))]
        }
        kind => {
            let code = match kind {
                Kind::MinLength { .. } | Kind::MinItems { .. } => Code::TooShort,
                Kind::MaxLength { .. } | Kind::MaxItems { .. } => Code::TooLong,
                _ => Code::WrongType,
            };
            vec![Fault::new(&at, code, sayso_domain::fault::excerpt(&error.to_string())).found(found)]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_tool_is_described_for_a_model_and_for_a_person() {
        for tool in tools() {
            assert!(tool.title.is_some() && tool.description.is_some(), "{}", tool.name);
            assert!(tool.annotations.is_some() && tool.output_schema.is_some(), "{}", tool.name);
            assert!(VALIDATORS.contains_key(tool.name.as_ref()));
        }
    }

    #[test]
    fn faults_stand_where_the_mistake_is() {
        let arguments = json!({ "elicitationID": "x", "waitSeconds": "45" });
        let faults = check("elicit_await", arguments.as_object().unwrap());
        let mut told: Vec<_> = faults.iter().map(|fault| (fault.pointer.as_str(), fault.code)).collect();
        told.sort_by_key(|(pointer, _)| *pointer);
        assert_eq!(
            told,
            [
                ("/elicitationID", Code::UnknownProperty),
                ("/elicitationId", Code::Missing),
                ("/waitSeconds", Code::WrongType)
            ]
        );
    }
}
