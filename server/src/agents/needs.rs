//! What a message to `/mcp` asks for, as far as that matters before it is taken: which scope it needs, and whether it makes
//! something.

use super::token::Scope;
use serde::Deserialize;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    /// Which scope it takes; none for what tells nothing of any request.
    pub scope: Option<Scope>,
    /// Whether it makes a request.
    pub creates: bool,
}

/// The parts of a message that say so. Each may be there once: a message that names two methods, or two tools, is read by nobody.
#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    method: Option<String>,
    #[serde(default)]
    params: Option<Params>,
}

#[derive(Deserialize)]
struct Params {
    #[serde(default)]
    name: Option<String>,
}

impl Need {
    const NOTHING: Self = Self { scope: None, creates: false };

    /// What this body asks for; `None` where that cannot be told for certain.
    pub fn of(body: &[u8]) -> Option<Self> {
        if !body.trim_ascii_start().starts_with(b"{") {
            return None;
        }
        let Message { method, params } = serde_json::from_slice(body).ok()?;
        Some(match method.as_deref() {
            Some("tools/call") => Self::of_tool(&params?.name?),
            Some("resources/read") => Self::reading(),
            _ => Self::NOTHING,
        })
    }

    fn of_tool(name: &str) -> Self {
        match name {
            "elicit_preview" => Self::NOTHING,
            "elicit_await" | "elicit_status" | "elicit_result" | "elicit_doctor" | "sayso_card" => {
                Self::reading()
            }
            "elicit_cancel" => Self { scope: Some(Scope::Ask), creates: false },
            // What is not known here is taken for the most that there is.
            _ => Self { scope: Some(Scope::Ask), creates: true },
        }
    }

    const fn reading() -> Self {
        Self { scope: Some(Scope::Read), creates: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::catalogue;
    use serde_json::json;

    fn call(tool: &str) -> Option<Need> {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": tool, "arguments": { "name": 1 } } });
        Need::of(body.to_string().as_bytes())
    }

    #[test]
    fn every_tool_is_known() {
        let creating = ["elicit_approval", "elicit_proposal", "elicit_selection"];
        for tool in catalogue::tools() {
            let need = call(&tool.name).unwrap();
            assert_eq!(need.creates, creating.contains(&tool.name.as_ref()), "{}", tool.name);
        }
        assert_eq!(call("sayso_card"), Some(Need::reading()));
        assert_eq!(call("elicit_cancel"), Some(Need { scope: Some(Scope::Ask), creates: false }));
        assert_eq!(call("elicit_tomorrow"), Some(Need { scope: Some(Scope::Ask), creates: true }));
    }

    #[test]
    fn what_can_be_read_in_two_ways_is_not_read() {
        for other in
            [r#"{"method":"tools/list"}"#, r#"{"id":1,"result":{}}"#, r#"{"method":"ping","params":{}}"#]
        {
            assert_eq!(Need::of(other.as_bytes()), Some(Need::NOTHING), "{other}");
        }
        assert_eq!(Need::of(br#"{"method":"resources/read","params":{"uri":"x"}}"#), Some(Need::reading()));
        for two in [
            r#"{"method":"tools/call","params":{"name":"elicit_status","name":"elicit_approval"}}"#,
            r#"{"method":"tools/call","params":{"name":"elicit_status","n\u0061me":"elicit_approval"}}"#,
            r#"{"method":"ping","method":"tools/call","params":{"name":"elicit_approval"}}"#,
            r#"{"method":"tools/call","params":{"name":"elicit_status"},"params":{"name":"elicit_approval"}}"#,
            r#"{"method":"tools/call","params":["elicit_approval",1]}"#,
            r#"{"method":"tools/call","params":{}}"#,
            r#"{"method":"tools/call"}"#,
            r#"[{"method":"ping"}]"#,
            "",
            "x",
        ] {
            assert_eq!(Need::of(two.as_bytes()), None, "{two}");
        }
    }
}
