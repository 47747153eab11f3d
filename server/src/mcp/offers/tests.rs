//! What is offered is true, well-formed, and says the same wherever it is said twice.

use super::{app, flow::Flow, prompts, requests, server_card, skills};
use crate::{config::PublicUrl, mcp::args::Creating, mcp::catalogue};
use rmcp::model::{ClientCapabilities, ResourceContents, SkillResources, Tool};
use sayso_domain::{Object, Review, ReviewId, review::Agent, review::Open};
use serde_json::{Value, json};

fn client(settings: Value) -> ClientCapabilities {
    serde_json::from_value(json!({ "extensions": { app::EXTENSION: settings } })).unwrap()
}

fn text(contents: ResourceContents) -> String {
    match contents {
        ResourceContents::TextResourceContents { text, .. } => text,
        other => panic!("{other:?}"),
    }
}

fn request() -> Review {
    let arguments = json!({ "message": "Deploy \u{202e}now", "context": { "secret": "of the agent" } });
    let asked = Creating::Approval.parse(arguments.as_object().unwrap().clone()).unwrap();
    let by = Agent { principal: "ann".to_owned(), client: None };
    Review::Open(Open::new(
        ReviewId::from_bits(7),
        asked.ask,
        by,
        sayso_domain::Moment(1_784_203_200_000),
        asked.seconds,
    ))
}

#[test]
fn every_example_in_a_skill_is_taken_by_its_tool() {
    for (flow, tool) in [
        (Flow::Approval, Creating::Approval),
        (Flow::Proposal, Creating::Proposal),
        (Flow::Selection, Creating::Selection),
    ] {
        let body = flow.text().body;
        let examples: Vec<Object> = body
            .split("```json\n")
            .skip(1)
            .map(|rest| serde_json::from_str(rest.split_once("\n```").unwrap().0).unwrap())
            .collect();
        assert_eq!(examples.len(), 1, "{flow:?}");
        if let Err(faults) = tool.parse(examples[0].clone()) {
            panic!("{flow:?}: {faults:?}");
        }
        assert!(body.contains(tool.name()));
        for word in [
            "reviewUrl",
            "elicit_await",
            "elicit_result",
            "`pending`",
            "`expired`",
            "`canceled`",
            "no decision",
        ] {
            assert!(body.contains(word), "{word} is not in the text of {flow:?}");
        }
    }
}

/// A text that names a tool, an argument or an answer which is not there would teach what does not work.
#[test]
fn skills_name_only_what_there_is() {
    let mut known: Vec<String> = [
        "context",
        "decision",
        "approved",
        "rejected",
        "pending",
        "expired",
        "canceled",
        "null",
        "default",
        "required",
        "include",
        "id",
        "label",
        "decision: \"approved\"",
        "decision: \"rejected\"",
        "action: \"submit\"",
        "action: \"cancel\"",
        "code: \"invalid_arguments\"",
    ]
    .map(str::to_owned)
    .to_vec();
    for tool in catalogue::tools() {
        known.push(tool.name.to_string());
        let schemas = [Some(&tool.input_schema), tool.output_schema.as_ref()];
        for schema in schemas.into_iter().flatten() {
            known.extend(schema["properties"].as_object().unwrap().keys().cloned());
        }
    }
    for flow in Flow::ALL {
        let outside: String = flow.text().body.split("```").step_by(2).collect();
        for code in outside.split('`').skip(1).step_by(2) {
            assert!(known.iter().any(|known| known == code), "`{code}` in the text of {flow:?}");
        }
    }
}

#[test]
fn a_skill_is_what_the_standard_wants() {
    for (skill, flow) in skills::all().zip(Flow::ALL) {
        skill.validate().unwrap();
        assert!(skill.frontmatter.description.chars().count() <= 1024);
        let SkillResources::Files(files) = &skill.resources else { panic!("static") };
        let file = text(skills::contents(&skill.uri).unwrap());
        files[0].verify(file.as_bytes()).unwrap();
        let front = format!(
            "---\nname: {}\ndescription: {}\n---\n",
            skill.frontmatter.name, skill.frontmatter.description
        );
        assert!(file.starts_with(&front), "the front matter is given verbatim");
        // A YAML parser reads these lines as we do: plain scalars without what would be syntax there.
        let plain = |value: &str| {
            !value.contains(": ") && !value.contains(" #") && !value.starts_with(['"', '\'', '['])
        };
        assert!(plain(flow.text().description) && plain(flow.text().name));
    }
    assert!(skills::find("skill://sayso/get-approval/OTHER.md").is_err());
}

#[test]
fn a_prompt_carries_what_was_filled_in_and_says_what_is_missing() {
    let arguments = json!({ "action": "Delete the *staging* database", "details": "42 GB" });
    let result = prompts::get("get-approval", arguments.as_object()).unwrap();
    let words =
        serde_json::to_value(&result).unwrap()["messages"][0]["content"]["text"].as_str().unwrap().to_owned();
    assert!(
        words.contains("What to approve:\nDelete the *staging* database\n\nWhat belongs to it:\n42 GB\n\n")
    );
    assert!(words.ends_with(Flow::Approval.text().body));
    let refused = |name: &str, arguments: Value| {
        prompts::get(name, arguments.as_object()).unwrap_err().message.into_owned()
    };
    assert_eq!(
        refused("get-approval", json!({ "details": "42 GB", "x": 1 })),
        "`action` is needed; `x` is not known here"
    );
    assert_eq!(refused("let-choose", json!({ "question": " " })), "`question` is needed");
    assert_eq!(refused("propose-changes", json!({ "record": 7 })), "`record` is a string");
    assert!(refused("sudo", json!({})).contains("get-approval, propose-changes, let-choose"));
    assert!(prompts::get("let-choose", None).is_err());
}

#[test]
fn a_client_gets_the_card_only_if_it_says_that_it_can_show_one() {
    assert!(app::shown_by(Some(&client(json!({ "mimeTypes": ["text/plain", app::KIND] })))));
    for other in [json!({}), json!({ "mimeTypes": ["text/html"] }), json!({ "mimeTypes": app::KIND })] {
        assert!(!app::shown_by(Some(&client(other))));
    }
    assert!(!app::shown_by(Some(&ClientCapabilities::default())) && !app::shown_by(None));
    let linked = |name: &str| {
        let mut tool = catalogue::tools().iter().find(|tool| tool.name == name).unwrap().clone();
        app::link(&mut tool);
        serde_json::to_value(&tool).unwrap()["_meta"]["ui"]["resourceUri"] == app::URI
    };
    for tool in catalogue::tools() {
        let creates =
            ["elicit_approval", "elicit_proposal", "elicit_selection"].contains(&tool.name.as_ref());
        assert_eq!(linked(&tool.name), creates, "{}", tool.name);
    }
}

#[test]
fn the_card_loads_nothing_makes_no_markup_of_text_and_is_small() {
    assert!(app::HTML.len() <= 12 * 1024, "{} bytes", app::HTML.len());
    for never in [
        "http://",
        "https://",
        " src=",
        "href=",
        "innerHTML",
        "outerHTML",
        "insertAdjacent",
        "document.write",
        "eval(",
        "fetch(",
        "XMLHttp",
        "WebSocket",
        "import(",
        "@import",
        "elicit_result",
        "elicit_cancel",
        "/api/",
    ] {
        assert!(!app::HTML.contains(never), "{never}");
    }
    assert!(app::HTML.contains(&format!("name: '{}'", app::TOOL)), "the one tool that it calls");
    assert_eq!(app::HTML.matches("tools/call").count(), 1);
}

#[test]
fn the_card_and_the_resource_tell_how_a_request_stands_and_nothing_of_its_content() {
    let (review, url) = (request(), PublicUrl::parse("https://x.test/s").unwrap());
    let now = sayso_domain::Moment(1_784_203_200_000 + 60_000);
    let shown = serde_json::to_value(app::answer(&review, &url, now)).unwrap()["structuredContent"].clone();
    let (id, page) = (
        "00000000000000000000000000000007",
        "https://x.test/s/review?elicitationId=00000000000000000000000000000007",
    );
    assert_eq!(
        shown,
        json!({
            "elicitationId": id, "kind": "approval", "message": "Deploy [U+202E]now", "status": "pending",
            "reviewUrl": page, "expiresAt": "2026-07-16T13:00:00.000Z", "remainingMs": 3_540_000
        })
    );
    let uri = format!("sayso://requests/{id}");
    assert_eq!(requests::id(&uri), Some(ReviewId::from_bits(7)));
    for other in ["sayso://requests/", "sayso://requests/7", "sayso://other/7", id, ""] {
        assert_eq!(requests::id(other), None, "{other}");
    }
    let told: Value = serde_json::from_str(&text(requests::contents(&uri, &review, &url))).unwrap();
    assert_eq!(
        told,
        json!({ "elicitationId": id, "kind": "approval", "status": "pending", "reviewUrl": page, "expiresAt": "2026-07-16T13:00:00.000Z" })
    );
    let Review::Open(open) = review else { panic!("open") };
    let withdrawn = Review::Closed(open.withdraw(Some("changed my mind".to_owned()), now));
    let shown = serde_json::to_value(app::answer(&withdrawn, &url, now)).unwrap();
    assert_eq!(
        (&shown["structuredContent"]["status"], &shown["structuredContent"]["outcome"]),
        (&json!("canceled"), &json!("canceled"))
    );
    assert!(!shown.to_string().contains("changed my mind"));
}

/// Answers of the card fit what its tool publishes, and every tool's answer may grow.
#[test]
fn what_tools_publish_is_honest() {
    let validator = jsonschema::draft202012::new(&Value::Object(
        app::tool().output_schema.as_ref().unwrap().as_ref().clone(),
    ))
    .unwrap();
    let shown =
        app::answer(&request(), &PublicUrl::parse("https://x.test").unwrap(), sayso_domain::Moment(0));
    assert!(validator.is_valid(shown.structured_content.as_ref().unwrap()));
    let reads = |tool: &Tool| tool.annotations.as_ref().unwrap().read_only_hint.unwrap();
    for tool in catalogue::tools().iter().chain([app::tool()]) {
        let hints = tool.annotations.as_ref().unwrap();
        let told =
            [hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint];
        assert!(told.iter().all(Option::is_some), "{} leaves a hint to be guessed", tool.name);
        assert!(!(reads(tool) && hints.destructive_hint == Some(true)), "{}", tool.name);
        assert_eq!(tool.title, hints.title, "{}", tool.name);
        assert!(tool.title.as_ref().is_some_and(|title| !title.is_empty()));
        let input = Value::Object(tool.input_schema.as_ref().clone());
        assert_eq!(input["additionalProperties"], false, "{}", tool.name);
        let output = Value::Object(tool.output_schema.as_ref().unwrap().as_ref().clone()).to_string();
        assert!(!output.contains("additionalProperties"), "the answer of {} may not grow", tool.name);
        assert!(!output.contains("\"required\""), "a refusal of {} would not fit", tool.name);
    }
    let changing: Vec<_> =
        catalogue::tools().iter().filter(|tool| !reads(tool)).map(|tool| tool.name.as_ref()).collect();
    assert_eq!(
        changing,
        ["elicit_approval", "elicit_proposal", "elicit_selection", "elicit_result", "elicit_cancel"]
    );
    assert!(reads(app::tool()));
}

#[test]
fn registries_and_the_card_of_the_server_are_told_what_cargo_knows() {
    let registry: Value = serde_json::from_str(server_card::REGISTRY).unwrap();
    let name = registry["name"].as_str().unwrap();
    let allowed = |part: &str, more: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(c))
    };
    let (space, own) = name.split_once('/').unwrap();
    assert!((3..=200).contains(&name.len()) && allowed(space, ".-") && allowed(own, "._-"));
    assert_eq!(own, env!("CARGO_PKG_NAME"));
    assert_eq!(registry["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(registry["description"], env!("CARGO_PKG_DESCRIPTION"));
    assert!(registry["description"].as_str().unwrap().chars().count() <= 100);
    assert_eq!(
        registry["$schema"],
        "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
    );
    let card = server_card::card(&PublicUrl::parse("https://review.example.com/sayso").unwrap());
    for key in ["name", "title", "description", "version"] {
        assert_eq!(card[key], registry[key], "{key}");
    }
    assert_eq!(card["remotes"][0]["url"], "https://review.example.com/sayso/mcp");
    assert_eq!(card["icons"][0]["src"], "https://review.example.com/sayso/icon.svg");
}
