//! `docs/tools.md`, written from the tools' own schemas, so that it cannot say anything else.

use rmcp::model::Tool;
use sayso_domain::{Code, Object};
use serde_json::Value;
use std::fmt::Write;

/// The page about these tools.
pub(super) fn write(tools: &[Tool]) -> String {
    let mut page = String::from(START);
    for tool in tools {
        write_tool(&mut page, tool);
    }
    page.push_str("## Faults\n\nWith `invalid_arguments`, `faults` lists every fault of the call at once: `{ pointer, code, message, found?, allowed?, fix? }`.\n\n| code | meaning |\n| --- | --- |\n");
    for code in Code::ALL {
        let _ = writeln!(
            page,
            "| `{}` | {} |",
            serde_json::to_value(code).unwrap_or_default().as_str().unwrap_or_default(),
            meaning(code)
        );
    }
    page.push_str(END);
    for (code, meaning) in super::warnings::codes() {
        let _ = writeln!(page, "| `{code}` | {meaning} |");
    }
    page
}

fn write_tool(page: &mut String, tool: &Tool) {
    let title = tool.title.as_deref().unwrap_or_default();
    let description = tool.description.as_deref().unwrap_or_default();
    let _ = write!(page, "## `{}`\n\n*{title}.* {description}\n\n", tool.name);
    if let Some(hints) = &tool.annotations {
        let hint =
            |name: &str, on: Option<bool>| format!("{name}: {}", if on == Some(true) { "yes" } else { "no" });
        let hints = [
            hint("read only", hints.read_only_hint),
            hint("destructive", hints.destructive_hint),
            hint("idempotent", hints.idempotent_hint),
            hint("open world", hints.open_world_hint),
        ];
        let _ = write!(page, "{}\n\n", hints.join(" · "));
    }
    page.push_str("| input | type | required | |\n| --- | --- | --- | --- |\n");
    rows(page, &tool.input_schema, "");
    if let Some(output) = &tool.output_schema {
        page.push_str("\n| answer | type | |\n| --- | --- | --- |\n");
        for (name, property) in properties(output) {
            let _ = writeln!(page, "| `{name}` | {} | {} |", kind(property), text(property, "description"));
        }
    }
    page.push('\n');
}

/// One row a property, those of inner objects below their own name.
fn rows(page: &mut String, schema: &Object, above: &str) {
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    for (name, property) in properties(schema) {
        let path = format!("{above}{name}");
        let needed = if required.contains(&name.as_str()) { "yes" } else { "" };
        let default = property.get("default").map(|value| format!(" Default {value}.")).unwrap_or_default();
        let _ = writeln!(
            page,
            "| `{path}` | {} | {needed} | {}{default} |",
            kind(property),
            text(property, "description")
        );
        let inner = |schema: Option<&Value>| schema.and_then(Value::as_object).cloned();
        if let Some(object) = property.as_object().filter(|object| object.contains_key("properties")) {
            rows(page, object, &format!("{path}."));
        }
        if let Some(items) = inner(property.get("items")) {
            rows(page, &items, &format!("{path}[]."));
        }
        if let Some(members) = inner(property.get("additionalProperties")) {
            rows(page, &members, &format!("{path}.*."));
        }
    }
}

fn properties(schema: &Object) -> impl Iterator<Item = (&String, &Value)> {
    schema.get("properties").and_then(Value::as_object).into_iter().flatten()
}

fn kind(property: &Value) -> String {
    let name = match property.get("type") {
        Some(Value::String(name)) => name.clone(),
        Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        _ => "any".to_owned(),
    };
    match property.get("enum").or_else(|| property.get("const")) {
        Some(Value::Array(all)) => all
            .iter()
            .map(|one| format!("`{}`", one.as_str().unwrap_or_default()))
            .collect::<Vec<_>>()
            .join(" "),
        Some(one) => format!("`{}`", one.as_str().unwrap_or_default()),
        None => name,
    }
}

fn text(property: &Value, key: &str) -> String {
    property.get(key).and_then(Value::as_str).unwrap_or_default().replace('|', "\\|")
}

fn meaning(code: Code) -> &'static str {
    match code {
        Code::Missing => "something required is not there",
        Code::UnknownProperty => "a member that is not known at this place",
        Code::WrongType => "a JSON value of another type",
        Code::TooShort => "shorter than allowed, in characters or items; empty where something is needed",
        Code::TooLong => "longer than allowed, in characters, bytes or items",
        Code::TooSmall => "a number below its minimum",
        Code::TooLarge => "a number above its maximum",
        Code::WrongFormat => "a text that is not in its format (uri, email, date, date-time)",
        Code::PatternMismatch => "a text that its pattern does not match",
        Code::UnknownOption => "a value that is not among the options",
        Code::Duplicate => "the same value twice where each may stand once",
        Code::UnknownField => "a key that names no property of `requestedSchema`",
        Code::UnknownSource => "a key that names no source column",
        Code::Unsupported => "a part of JSON Schema outside the subset that a form can show",
        Code::Contradiction => "two parts of a schema that contradict each other",
        Code::InvalidPattern => "a pattern that the server's linear-time regular expressions cannot compile",
        Code::InvalidDefault => "a default that its own property does not admit",
        Code::KeyReused => "an idempotency key that stands for another call already",
    }
}

const START: &str = "# Tools

*This page is written from the schemas that the server publishes; a test holds the two equal.*

Agents call these by MCP at `POST /mcp`. Every answer carries structured content and the same JSON as text. A refusal
is a tool result with `isError: true` and a `code`; nothing is stored then.

The flow: `elicit_approval`, `elicit_proposal` or `elicit_selection` → show `reviewUrl` to the person → `elicit_await` until it is no longer `pending` →
`elicit_result` → act on exactly that.

";

const END: &str = "
## Refusals

| code | meaning |
| --- | --- |
| `invalid_arguments` | the arguments have faults, all of them listed in `faults` |
| `not_found` | no request of yours has that id; another agent's request is told alike |
| `pending` | `elicit_result`: the person has not decided yet |
| `expired` | `elicit_result`: nobody decided in time; this is no rejection |
| `canceled` | `elicit_result`: you took the request back |
| `already_decided` | `elicit_cancel`: the request has ended; `status` says how |
| `unavailable` | the server could not do it just now; call again |
| `damaged` | what is stored of the request cannot be read, and will not be by calling again; ask anew if it is still wanted |

## Warnings

What was taken, but will not work as written; in `warnings` of the creating call, each `{ pointer, code, message, line?, column? }`.

| code | meaning |
| --- | --- |
";
