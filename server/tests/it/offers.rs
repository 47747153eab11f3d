//! What is offered beside calls of tools, as clients of both eras and browsers see it.

use crate::house::{Answer, House};
use axum::body::Body;
use http::{Method, StatusCode};
use serde_json::{Value, json};

const UI: &str = "io.modelcontextprotocol/ui";

/// Sends a request as a client of revision 2026-07-28 does.
async fn modern(house: &House, method: &str, params: Value, capabilities: Value) -> Value {
    let mut params = params;
    let name = ["uri", "name"].into_iter().find_map(|key| params[key].as_str().map(str::to_owned));
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "tests", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": capabilities
    });
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
    let mut headers = vec![
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", method),
    ];
    headers.extend(name.as_deref().map(|name| ("mcp-name", name)));
    house.send(Method::POST, "/mcp", &headers, body).await.message()
}

/// A session of a handshake revision.
struct Session<'a> {
    house: &'a House,
    id: String,
    hello: Value,
}

impl<'a> Session<'a> {
    async fn open(house: &'a House, capabilities: Value) -> Self {
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": { "name": "tests", "version": "1" } });
        let mut session = Self { house, id: String::new(), hello: Value::Null };
        let answer = session
            .post(json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }))
            .await;
        answer.header("mcp-session-id").clone_into(&mut session.id);
        session.hello = answer.message()["result"].clone();
        session.post(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        session
    }

    async fn post(&self, message: Value) -> Answer {
        let mut headers =
            vec![("content-type", "application/json"), ("accept", "application/json, text/event-stream")];
        headers.extend((!self.id.is_empty()).then_some(("mcp-session-id", self.id.as_str())));
        self.house.send(Method::POST, "/mcp", &headers, message.to_string()).await
    }

    async fn ask(&self, method: &str, params: Value) -> Value {
        self.post(json!({ "jsonrpc": "2.0", "id": 2, "method": method, "params": params })).await.message()
    }
}

fn shows_cards() -> Value {
    json!({ "extensions": { UI: { "mimeTypes": ["text/html;profile=mcp-app"] } } })
}

fn names(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn the_list_of_tools_is_the_same_each_time_and_says_how_long_it_holds() {
    let house = House::new().await;
    let first = modern(&house, "tools/list", json!({}), json!({})).await["result"].clone();
    assert_eq!(first, modern(&house, "tools/list", json!({}), json!({})).await["result"]);
    assert_eq!((&first["ttlMs"], &first["cacheScope"]), (&json!(300_000), &json!("private")));
    assert_eq!(
        &names(&first["tools"])[..8],
        [
            "elicit_approval",
            "elicit_proposal",
            "elicit_selection",
            "elicit_await",
            "elicit_status",
            "elicit_result",
            "elicit_cancel",
            "elicit_preview"
        ]
    );
    for tool in first["tools"].as_array().unwrap() {
        assert_eq!(tool["icons"][0]["src"], "http://127.0.0.1:3000/icon.svg");
        assert!(tool["title"].is_string() && tool.get("_meta").is_none(), "{tool}");
    }
}

#[tokio::test]
async fn hosts_that_show_cards_get_one_and_others_hear_nothing_of_it() {
    let house = House::new().await;
    let legacy = Session::open(&house, shows_cards()).await;
    let plain = Session::open(&house, json!({})).await;
    for tools in [
        modern(&house, "tools/list", json!({}), shows_cards()).await["result"]["tools"].clone(),
        legacy.ask("tools/list", json!({})).await["result"]["tools"].clone(),
    ] {
        let by_name =
            |name: &str| tools.as_array().unwrap().iter().find(|tool| tool["name"] == name).unwrap();
        for tool in ["elicit_approval", "elicit_proposal", "elicit_selection"] {
            assert_eq!(by_name(tool)["_meta"]["ui"]["resourceUri"], "ui://sayso/request");
            assert_eq!(by_name(tool)["_meta"]["ui/resourceUri"], "ui://sayso/request");
        }
        assert!(by_name("elicit_await").get("_meta").is_none());
        assert_eq!(by_name("sayso_card")["_meta"]["ui"]["visibility"], json!(["app"]));
    }
    assert!(!names(&plain.ask("tools/list", json!({})).await["result"]["tools"]).contains(&"sayso_card"));
    let listed = async |session: &Session<'_>| {
        names(&session.ask("resources/list", json!({})).await["result"]["resources"]).join(" ")
    };
    assert_eq!(listed(&plain).await, "get-approval propose-changes let-choose");
    assert_eq!(listed(&legacy).await, "get-approval propose-changes let-choose request-card");
    let read = legacy.ask("resources/read", json!({ "uri": "ui://sayso/request" })).await["result"].clone();
    let card = &read["contents"][0];
    assert_eq!(
        (&card["uri"], &card["mimeType"]),
        (&json!("ui://sayso/request"), &json!("text/html;profile=mcp-app"))
    );
    assert!(card["text"].as_str().unwrap().starts_with("<!doctype html>"));
    assert_eq!(card["_meta"]["ui"]["csp"]["connectDomains"], json!([]));
}

/// The card sees how a request ended although the agent has fetched it; its looking is recorded nowhere.
#[tokio::test]
async fn the_card_looks_and_changes_nothing() {
    let house = House::new().await;
    let id = house.propose().await;
    let look = async || house.call("sayso_card", json!({ "elicitationId": id })).await.0;
    let first = look().await;
    assert_eq!(
        (&first["status"], &first["kind"], &first["remainingMs"], first.get("outcome")),
        (&json!("pending"), &json!("proposal"), &json!(3_600_000), None)
    );
    house.decide(&id, json!({ "submit": { "name": "NorthMark" } })).await;
    assert_eq!((&look().await["status"], &look().await["outcome"]), (&json!("approved"), &json!("approved")));
    assert_eq!(house.call("elicit_status", json!({ "elicitationId": id })).await.0["status"], "approved");
    house.call("elicit_result", json!({ "elicitationId": id })).await;
    let last = look().await;
    assert_eq!((&last["status"], &last["outcome"]), (&json!("consumed"), &json!("approved")));
    assert!(!last.to_string().contains("NorthMark\""), "{last}");
    let (unknown, is_error) = house.call("sayso_card", json!({ "elicitationId": "0".repeat(32) })).await;
    assert!(is_error && unknown["code"] == "not_found");
    let (faulty, is_error) = house.call("sayso_card", json!({ "id": 7 })).await;
    assert!(is_error && faulty["faults"].as_array().unwrap().len() == 2, "{faulty}");
}

#[tokio::test]
async fn a_request_can_be_read_by_its_own_agent_and_reading_is_no_fetch() {
    let house = House::new().await;
    let id = house.propose().await;
    let uri = format!("sayso://requests/{id}");
    let session = Session::open(&house, json!({})).await;
    let template = session.ask("resources/templates/list", json!({})).await["result"].clone();
    assert_eq!(template["resourceTemplates"][0]["uriTemplate"], "sayso://requests/{id}");
    let read = async || {
        let read = session.ask("resources/read", json!({ "uri": uri })).await["result"].clone();
        assert_eq!(read["contents"][0]["mimeType"], "application/json");
        serde_json::from_str::<Value>(read["contents"][0]["text"].as_str().unwrap()).unwrap()
    };
    assert_eq!(
        read().await,
        json!({
            "elicitationId": id, "kind": "proposal", "status": "pending", "expiresAt": "2026-07-16T13:00:00.000Z",
            "reviewUrl": format!("http://127.0.0.1:3000/review?elicitationId={id}")
        })
    );
    house.decide(&id, json!({ "submit": { "name": "NorthMark" } })).await;
    for _ in 0..2 {
        assert_eq!(read().await["status"], "approved");
    }
    assert_eq!(house.call("elicit_status", json!({ "elicitationId": id })).await.0["status"], "approved");
    let modern = modern(&house, "resources/read", json!({ "uri": uri }), json!({})).await;
    assert_eq!((&modern["result"]["ttlMs"], &modern["result"]["cacheScope"]), (&json!(0), &json!("private")));
}

/// What belongs to somebody else is told like what nobody has, in the words of the client's revision.
#[tokio::test]
async fn what_is_not_there_and_what_is_anothers_cannot_be_told_apart() {
    let house = House::new().await;
    let by = crate::house::agent("somebody else");
    let foreign = house.reviews.open(crate::house::ask(), by, 3600).await.unwrap().id;
    let session = Session::open(&house, json!({})).await;
    let mut told = Vec::new();
    for id in [foreign.to_string(), "0".repeat(32)] {
        let uri = format!("sayso://requests/{id}");
        let mut legacy = session.ask("resources/read", json!({ "uri": uri })).await["error"].clone();
        let mut modern =
            modern(&house, "resources/read", json!({ "uri": uri }), json!({})).await["error"].clone();
        assert_eq!((&legacy["code"], &modern["code"]), (&json!(-32002), &json!(-32602)));
        assert_eq!(legacy["data"]["uri"].take(), uri);
        assert_eq!(modern["data"]["uri"].take(), uri);
        told.push((legacy, modern, house.call("sayso_card", json!({ "elicitationId": id })).await));
    }
    assert_eq!(told[0], told[1]);
    for uri in
        ["", "sayso://requests/x", "skill://sayso/x/SKILL.md", "file:///etc/passwd", "ui://sayso/other"]
    {
        assert_eq!(
            session.ask("resources/read", json!({ "uri": uri })).await["error"]["code"],
            -32002,
            "{uri}"
        );
    }
}

/// The same at the place where an agent's name counts, with two of them.
#[tokio::test]
async fn two_agents_read_their_own_requests_and_not_each_others() {
    let house = House::new().await;
    let offers = sayso::mcp::offers::Offers::new(
        house.reviews.clone(),
        sayso::config::PublicUrl::parse("https://x.test").unwrap(),
    );
    let agents = [crate::house::agent("ann"), crate::house::agent("bob")];
    for (own, other) in [(0, 1), (1, 0)] {
        let open = house.reviews.open(crate::house::ask(), agents[own].clone(), 3600).await.unwrap();
        let uri = format!("sayso://requests/{}", open.id);
        assert!(offers.read(&agents[own], &uri).await.is_ok());
        assert_eq!(offers.read(&agents[other], &uri).await.unwrap_err().code.0, -32002);
    }
}

#[tokio::test]
async fn prompts_and_skills_are_listed_and_read() {
    let house = House::new().await;
    let session = Session::open(&house, json!({})).await;
    let capabilities = &session.hello["capabilities"];
    for told in ["prompts", "resources", "tools"] {
        assert!(capabilities[told].is_object(), "{told}: {capabilities}");
    }
    assert_eq!(capabilities["extensions"], json!({ UI: {}, "io.modelcontextprotocol/skills": {} }));
    let prompts = session.ask("prompts/list", json!({})).await["result"]["prompts"].clone();
    assert_eq!(names(&prompts), ["get-approval", "propose-changes", "let-choose"]);
    assert_eq!(prompts[2]["arguments"][0]["name"], "question");
    assert_eq!(prompts[2]["arguments"][0]["required"], true);
    let arguments = json!({ "name": "let-choose", "arguments": { "question": "Which Guggenheim?" } });
    let prompt = session.ask("prompts/get", arguments).await["result"]["messages"][0].clone();
    assert_eq!(prompt["role"], "user");
    assert!(
        prompt["content"]["text"]
            .as_str()
            .unwrap()
            .contains("The question:\nWhich Guggenheim?\n\nThis is how:")
    );
    assert_eq!(session.ask("prompts/get", json!({ "name": "x" })).await["error"]["code"], -32602);

    for skills in [
        session.ask("skills/list", json!({})).await["result"]["skills"].clone(),
        modern(&house, "skills/list", json!({}), json!({})).await["result"]["skills"].clone(),
    ] {
        assert_eq!(skills.as_array().unwrap().len(), 3);
        for skill in skills.as_array().unwrap() {
            let uri = skill["uri"].as_str().unwrap();
            let got = session.ask("skills/get", json!({ "uri": uri })).await["result"]["skill"].clone();
            assert_eq!(got, *skill);
            let read =
                session.ask("resources/read", json!({ "uri": uri })).await["result"]["contents"][0].clone();
            assert_eq!(read["mimeType"], "text/markdown");
            assert_eq!(
                read["text"].as_str().unwrap().len(),
                skill["resources"][0]["size"].as_u64().unwrap() as usize
            );
        }
    }
    let unknown = session.ask("skills/get", json!({ "uri": "skill://sayso/other/SKILL.md" })).await;
    assert_eq!(unknown["error"]["code"], -32602);
}

#[tokio::test]
async fn the_card_of_the_server_stands_where_clients_look() {
    let house = House::behind("https://review.example.com/sayso").await;
    let host = [("host", "review.example.com")];
    for path in ["/.well-known/mcp/server-card.json", "/mcp/server-card", "/sayso/mcp/server-card"] {
        let answer = house.send(Method::GET, path, &host, Body::empty()).await;
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (StatusCode::OK, "application/mcp-server-card+json")
        );
        assert_eq!(answer.header("cache-control"), "public, max-age=3600");
        let card: Value = serde_json::from_str(&answer.body).unwrap();
        assert_eq!(card["remotes"][0]["url"], "https://review.example.com/sayso/mcp");
        assert_eq!(card["version"], env!("CARGO_PKG_VERSION"));
        let versions = card["remotes"][0]["supportedProtocolVersions"].as_array().unwrap();
        for version in ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] {
            assert!(versions.contains(&json!(version)), "{version}");
        }
    }
}

/// What the card claims is what a connection shows.
#[tokio::test]
async fn every_revision_on_the_card_is_served() {
    let house = House::new().await;
    let card: Value = serde_json::from_str(&house.get("/mcp/server-card").await.body).unwrap();
    let discovered = modern(&house, "server/discover", json!({}), json!({})).await["result"].clone();
    assert_eq!(discovered["supportedVersions"], card["remotes"][0]["supportedProtocolVersions"]);
}
