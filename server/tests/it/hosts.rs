//! Hosts: asked to show a link, remembered across a restart, told once. What they answer decides nothing.

use crate::house::{Answer, House, On, example, submit};
use crate::on_both;
use futures_util::StreamExt;
use http::{Method, Request, StatusCode};
use sayso_domain::{
    ReviewId,
    audit::Event,
    prompt::{Action, Channel},
};
use serde_json::{Value, json};
use std::time::Duration;
use tower::ServiceExt;

const ACCEPT: (&str, &str) = ("accept", "application/json, text/event-stream");
const TYPE: (&str, &str) = ("content-type", "application/json");

/// A client of a handshake revision, in a session of its own.
struct Client {
    session: String,
    revision: &'static str,
    principal: &'static str,
}

/// What a host of today advertises.
fn shows_links() -> Value {
    json!({ "elicitation": { "url": {} } })
}

impl Client {
    async fn connect(house: &House, revision: &'static str, capabilities: Value) -> Self {
        Self::connect_as(house, revision, capabilities, "local").await
    }

    async fn connect_as(
        house: &House,
        revision: &'static str,
        capabilities: Value,
        principal: &'static str,
    ) -> Self {
        let mut client = Self { session: String::new(), revision, principal };
        let params = json!({ "protocolVersion": revision, "capabilities": capabilities, "clientInfo": { "name": "host", "version": "1" } });
        let answer = client
            .post(house, &json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }))
            .await;
        client.session = answer.header("mcp-session-id").to_owned();
        assert_eq!(answer.message()["result"]["protocolVersion"], revision);
        let told =
            client.post(house, &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        assert_eq!(told.status, StatusCode::ACCEPTED, "{}", told.body);
        client
    }

    fn headers(&self) -> Vec<(&str, &str)> {
        let mut headers = vec![ACCEPT, TYPE, ("x-principal", self.principal)];
        if !self.session.is_empty() {
            headers
                .extend([("mcp-session-id", self.session.as_str()), ("mcp-protocol-version", self.revision)]);
        }
        headers
    }

    async fn post(&self, house: &House, message: &Value) -> Answer {
        house.send(Method::POST, "/mcp", &self.headers(), message.to_string()).await
    }

    /// Calls a tool; every message on the stream of the call, in order.
    async fn call(&self, house: &House, id: u32, tool: &str, arguments: Value) -> Vec<Value> {
        let params = json!({ "name": tool, "arguments": arguments });
        let answer = self
            .post(house, &json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }))
            .await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        messages(&answer.body)
    }

    async fn answer(&self, house: &House, request: &Value, action: &str) {
        let answer = json!({ "jsonrpc": "2.0", "id": request["id"], "result": { "action": action } });
        assert_eq!(self.post(house, &answer).await.status, StatusCode::ACCEPTED);
    }

    /// What the server says on its own, from now on.
    async fn listen(&self, house: &House) -> Listening {
        let mut request = Request::builder().method(Method::GET).uri("/mcp").header("host", "127.0.0.1:3000");
        for (name, value) in self.headers() {
            request = request.header(name, value);
        }
        let response =
            house.router.clone().oneshot(request.body(axum::body::Body::empty()).unwrap()).await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        Listening { stream: response.into_body().into_data_stream(), heard: String::new() }
    }
}

struct Listening {
    stream: axum::body::BodyDataStream,
    heard: String,
}

impl Listening {
    /// The first message of this method.
    async fn hear(&mut self, method: &str) -> Value {
        let listening = async {
            loop {
                if let Some(found) =
                    messages(&self.heard).into_iter().find(|message| message["method"] == method)
                {
                    return found;
                }
                let part = self.stream.next().await.expect("the stream goes on").unwrap();
                self.heard.push_str(&String::from_utf8_lossy(&part));
            }
        };
        tokio::time::timeout(Duration::from_secs(10), listening).await.expect("it is said")
    }
}

fn messages(stream: &str) -> Vec<Value> {
    let data = |line: &str| serde_json::from_str(line.strip_prefix("data:")?.trim()).ok();
    stream.lines().filter_map(data).collect()
}

fn result(messages: &[Value]) -> &Value {
    &messages.last().unwrap()["result"]["structuredContent"]
}

fn id(created: &[Value]) -> String {
    result(created)["elicitationId"].as_str().unwrap().to_owned()
}

fn parse(id: &str) -> ReviewId {
    id.parse().unwrap()
}

/// What hosts answered, as the trail tells it. A test looks until it is there: it is written after the answer was taken.
async fn answers(house: &House, id: &str, count: usize) -> Vec<(Channel, Action, u64)> {
    for _ in 0..2_000 {
        let trail = house.store.trail(parse(id)).await.unwrap();
        let answered = trail.into_iter().filter_map(|entry| match entry.event {
            Event::HostAnswered { channel, reaction, .. } => Some((channel, reaction.action, reaction.after)),
            _ => None,
        });
        let answered: Vec<_> = answered.collect();
        if answered.len() >= count {
            return answered;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("nothing was recorded")
}

on_both! {
    async fn a_host_that_shows_links_is_asked_on_the_stream_of_the_creating_call(house: House) {
        let client = Client::connect(&house, "2025-11-25", shows_links()).await;
        // The request goes before the answer every time, or it would miss the stream.
        for call in 1..30 {
            let created = client.call(&house, call, "elicit_proposal", example()).await;
            let asked: Vec<_> = created.iter().map(|message| message["method"].as_str().unwrap_or("the answer")).collect();
            assert_eq!(asked, ["elicitation/create", "the answer"]);
            assert_ne!(created[0]["id"], 0, "some clients take 0 for no id");
            let (params, answer) = (&created[0]["params"], result(&created));
            assert_eq!((&params["mode"], &params["url"]), (&json!("url"), &answer["reviewUrl"]));
            assert_eq!(params["elicitationId"], answer["elicitationId"]);
            assert!(params["message"].as_str().unwrap().contains("NorthMark"));
            assert_eq!(answer["elicitationDelivered"], true);
        }
    }

    async fn what_a_host_answers_decides_nothing_and_is_in_the_trail(house: House) {
        let client = Client::connect(&house, "2025-06-18", shows_links()).await;
        for (call, (word, action)) in [("accept", Action::Accept), ("decline", Action::Decline), ("cancel", Action::Cancel)].into_iter().enumerate() {
            let created = client.call(&house, u32::try_from(call).unwrap() + 1, "elicit_proposal", example()).await;
            house.clock.wind(3);
            client.answer(&house, &created[0], word).await;
            let id = id(&created);
            assert_eq!(answers(&house, &id, 1).await, [(Channel::Pushed, action, 3_000)]);
            let (status, _) = house.call("elicit_status", json!({ "elicitationId": id })).await;
            assert_eq!(status["status"], "pending");
        }
    }

    async fn a_waiting_call_offers_the_link_once_where_software_answered(house: House) {
        let client = Client::connect(&house, "2025-11-25", shows_links()).await;
        let created = client.call(&house, 1, "elicit_proposal", example()).await;
        client.answer(&house, &created[0], "cancel").await;
        let id = id(&created);
        answers(&house, &id, 1).await;
        let waits = |remind: bool| json!({ "elicitationId": id, "waitSeconds": 1, "remind": remind });
        let waited = client.call(&house, 2, "elicit_await", waits(false)).await;
        assert_eq!(waited[0]["method"], "elicitation/create");
        assert_eq!((waited.len(), &result(&waited)["status"]), (2, &json!("pending")));
        let words = waited[1]["result"]["content"].to_string();
        assert!(words.contains(&format!("/review?elicitationId={id}")), "the model is told to show the link: {words}");
        client.answer(&house, &waited[0], "decline").await;
        answers(&house, &id, 2).await;
        assert_eq!(client.call(&house, 3, "elicit_await", waits(false)).await.len(), 1, "offered once");
        assert_eq!(client.call(&house, 4, "elicit_await", waits(true)).await.len(), 2, "and again where that is asked for");
    }

    async fn what_a_person_saw_is_not_offered_again(house: House) {
        let client = Client::connect(&house, "2025-11-25", shows_links()).await;
        let created = client.call(&house, 1, "elicit_proposal", example()).await;
        let id = id(&created);
        let wait = json!({ "elicitationId": id, "waitSeconds": 1 });
        assert_eq!(client.call(&house, 2, "elicit_await", wait.clone()).await.len(), 1, "it is open before them");
        house.clock.wind(2);
        client.answer(&house, &created[0], "cancel").await;
        answers(&house, &id, 1).await;
        assert_eq!(client.call(&house, 3, "elicit_await", wait).await.len(), 1);
    }

    async fn at_the_end_the_prompt_is_put_away_and_the_host_is_told(house: House) {
        let client = Client::connect(&house, "2025-11-25", shows_links()).await;
        let mut listening = client.listen(&house).await;
        let open = client.call(&house, 1, "elicit_proposal", example()).await;
        house.decide(&id(&open), json!("cancel")).await;
        let put_away = listening.hear("notifications/cancelled").await;
        assert_eq!(put_away["params"]["requestId"], open[0]["id"]);
        let complete = listening.hear("notifications/elicitation/complete").await;
        assert_eq!(complete["params"]["elicitationId"], id(&open));
    }

    async fn an_answered_prompt_is_completed_at_the_end(house: House) {
        let client = Client::connect(&house, "2025-11-25", shows_links()).await;
        let mut listening = client.listen(&house).await;
        let created = client.call(&house, 1, "elicit_proposal", example()).await;
        client.answer(&house, &created[0], "accept").await;
        answers(&house, &id(&created), 1).await;
        house.reviews.submit(parse(&id(&created)), &submit(json!({})), crate::house::reviewer("ann")).await.unwrap();
        let complete = listening.hear("notifications/elicitation/complete").await;
        assert_eq!(complete["params"]["elicitationId"], id(&created));
        assert!(!listening.heard.contains("notifications/cancelled"));
    }

    async fn since_2026_07_28_a_waiting_call_requires_the_dialog_first(house: House) {
        let (created, _) = modern(&house, "elicit_proposal", example(), json!({})).await;
        assert_eq!(created["structuredContent"]["elicitationDelivered"], false);
        let id = created["structuredContent"]["elicitationId"].as_str().unwrap();
        let wait = json!({ "elicitationId": id, "waitSeconds": 1 });
        let (asked, _) = modern(&house, "elicit_await", wait.clone(), json!({})).await;
        assert_eq!(asked["resultType"], "input_required");
        let request = &asked["inputRequests"]["review"];
        assert_eq!((&request["method"], &request["params"]["mode"]), (&json!("elicitation/create"), &json!("url")));
        assert_eq!(request["params"]["url"], created["structuredContent"]["reviewUrl"]);
        house.clock.wind(4);
        let state = asked["requestState"].as_str().unwrap();
        let back = |state: &str| json!({ "requestState": state, "inputResponses": { "review": { "action": "decline" } } });
        // Another's, for another call, or forged: not taken.
        let other = json!({ "elicitationId": id, "waitSeconds": 2 });
        for (arguments, state) in [(other, state.to_owned()), (wait.clone(), format!("{state}x")), (wait.clone(), "x".to_owned())] {
            let (_, error) = modern(&house, "elicit_await", arguments, back(&state)).await;
            assert_eq!(error["code"], -32602, "{error}");
        }
        let (waited, _) = modern(&house, "elicit_await", wait.clone(), back(state)).await;
        assert_eq!(waited["structuredContent"], json!({ "elicitationId": id, "status": "pending" }));
        assert_eq!(answers(&house, id, 1).await, [(Channel::InputRequired, Action::Decline, 4_000)]);
        let (again, _) = modern(&house, "elicit_await", wait, json!({})).await;
        assert_eq!(again["structuredContent"]["status"], "pending", "offered once");
        // The same state brought back says nothing new.
        assert_eq!(answers(&house, id, 1).await.len(), 1);
    }

    async fn a_session_outlives_the_server_and_is_one_principals(house: House) {
        let client = Client::connect_as(&house, "2025-11-25", shows_links(), "ann").await;
        let created = client.call(&house, 1, "elicit_proposal", example()).await;
        let house = house.restarted().await;
        let status = client.call(&house, 2, "elicit_status", json!({ "elicitationId": id(&created) })).await;
        assert_eq!(result(&status)["status"], "pending");
        let again = client.call(&house, 3, "elicit_proposal", example()).await;
        assert_eq!(again[0]["method"], "elicitation/create", "what the client advertised is known still");
        let thief = Client { session: client.session.clone(), revision: "2025-11-25", principal: "bob" };
        let nobody = Client { session: "00000000-0000-4000-8000-000000000000".to_owned(), revision: "2025-11-25", principal: "bob" };
        let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
        let refused = [thief.post(&house, &list).await, nobody.post(&house, &list).await];
        assert_eq!((refused[0].status, refused[1].status), (StatusCode::NOT_FOUND, StatusCode::NOT_FOUND));
        assert_eq!(refused[0].body, refused[1].body, "they are told alike");
        house.send(Method::DELETE, "/mcp", &thief.headers(), "").await;
        assert_eq!(client.post(&house, &list).await.status, StatusCode::OK, "nobody else ends it");
        house.send(Method::DELETE, "/mcp", &client.headers(), "").await;
        assert_eq!(client.post(&house, &list).await.status, StatusCode::NOT_FOUND);
        let house = house.restarted().await;
        assert_eq!(client.post(&house, &list).await.status, StatusCode::NOT_FOUND);
    }

    async fn a_stream_of_an_earlier_life_takes_no_other_calls_answer(house: House) {
        let client = Client::connect(&house, "2025-11-25", json!({})).await;
        let id = id(&client.call(&house, 1, "elicit_proposal", example()).await);
        let wait = json!({ "elicitationId": id, "waitSeconds": 1 });
        let params = json!({ "name": "elicit_await", "arguments": wait });
        let waiting = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params });
        let event = |body: &str| body.lines().find_map(|line| line.strip_prefix("id:")).unwrap().trim().to_owned();
        let before = event(&client.post(&house, &waiting).await.body);
        let house = house.restarted().await;
        assert_eq!(client.post(&house, &json!({ "jsonrpc": "2.0", "id": 3, "method": "ping" })).await.status, StatusCode::OK);
        // One call waits, and the client asks for the rest of a stream from before under every id that stream may have had.
        let (answer, ()) = futures_util::future::join(client.post(&house, &waiting), async {
            until_gauge(&house, "sayso_waiting_calls", 1).await;
            for stream in 0..8 {
                let (_, life) = before.split_once('.').unwrap();
                let named = format!("0/{stream}.{life}");
                let mut headers = client.headers();
                headers.push(("last-event-id", &named));
                let resumed = house.send(Method::GET, "/mcp", &headers, "").await;
                assert_eq!((resumed.status, messages(&resumed.body).len()), (StatusCode::OK, 0), "{}", resumed.body);
            }
        }).await;
        assert_eq!(result(&messages(&answer.body))["status"], "pending", "{}", answer.body);
    }

    async fn a_session_goes_on_at_another_server_and_is_forgotten_after_a_week_of_silence(house: House) {
        let client = Client::connect(&house, "2025-11-25", json!({})).await;
        let neighbour = house.neighbour().await;
        let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
        assert_eq!(client.post(&neighbour, &list).await.status, StatusCode::OK);
        house.clock.wind(6 * 86_400);
        assert_eq!(client.post(&neighbour, &list).await.status, StatusCode::OK);
        house.clock.wind(6 * 86_400);
        house.reviews.forget_silent_sessions().await.unwrap();
        let third = house.neighbour().await;
        assert_eq!(client.post(&third, &list).await.status, StatusCode::OK, "it was in use six days ago");
        house.clock.wind(8 * 86_400);
        house.reviews.forget_silent_sessions().await.unwrap();
        let fourth = house.neighbour().await;
        assert_eq!(client.post(&fourth, &list).await.status, StatusCode::NOT_FOUND);
    }

    async fn a_call_under_a_key_asks_once(house: House) {
        let client = Client::connect(&house, "2025-11-25", shows_links()).await;
        let mut keyed = example();
        keyed["idempotencyKey"] = json!("sync-42");
        let first = client.call(&house, 1, "elicit_proposal", keyed.clone()).await;
        let again = client.call(&house, 2, "elicit_proposal", keyed.clone()).await;
        assert_eq!((first.len(), again.len()), (2, 1), "no second prompt");
        let mut expected = result(&first).clone();
        expected["replayed"] = json!(true);
        assert_eq!(*result(&again), expected);
        keyed["message"] = json!("Something else");
        let other = client.call(&house, 3, "elicit_proposal", keyed).await;
        assert_eq!(other[0]["result"]["isError"], true);
        let fault = &result(&other)["faults"][0];
        assert_eq!((&fault["pointer"], &fault["code"]), (&json!("/idempotencyKey"), &json!("key_reused")));
        assert_eq!(house.store.trail(parse(&id(&first))).await.unwrap().iter().filter(|entry| entry.event == Event::Created).count(), 1);
        // Another agent's key is another key.
        let stranger = Client::connect_as(&house, "2025-11-25", json!({}), "bob").await;
        let mut same = example();
        same["idempotencyKey"] = json!("sync-42");
        assert_ne!(id(&stranger.call(&house, 1, "elicit_proposal", same).await), id(&first));
    }

    async fn a_key_raced_makes_one_request(house: House) {
        let neighbour = house.neighbour().await;
        let mut keyed = example();
        keyed["idempotencyKey"] = json!("raced");
        let calls = (0..32).map(|call| {
            let server = if call % 2 == 0 { &house } else { &neighbour };
            server.call("elicit_proposal", keyed.clone())
        });
        let answers = futures_util::future::join_all(calls).await;
        assert!(answers.iter().all(|(_, is_error)| !is_error));
        let ids: std::collections::BTreeSet<_> = answers.iter().map(|(answer, _)| answer["elicitationId"].to_string()).collect();
        assert_eq!(ids.len(), 1);
        assert_eq!(answers.iter().filter(|(answer, _)| answer.get("replayed").is_none()).count(), 1);
    }
}

/// Calls a tool as a client of revision 2026-07-28 that shows links does; its result, and its error.
async fn modern(house: &House, tool: &str, arguments: Value, more: Value) -> (Value, Value) {
    let mut params = json!({ "name": tool, "arguments": arguments, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "host", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": shows_links()
    } });
    params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string();
    let headers = [
        ACCEPT,
        TYPE,
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
        ("mcp-name", tool),
    ];
    let mut message = house.send(Method::POST, "/mcp", &headers, body).await.message();
    (message["result"].take(), message["error"].take())
}

#[tokio::test]
async fn a_host_that_does_not_show_links_is_not_asked() {
    let house = House::new().await;
    for capabilities in [json!({}), json!({ "elicitation": {} }), json!({ "elicitation": { "form": {} } })] {
        let client = Client::connect(&house, "2025-11-25", capabilities).await;
        let created = client.call(&house, 1, "elicit_proposal", example()).await;
        assert_eq!((created.len(), &result(&created)["elicitationDelivered"]), (1, &json!(false)));
        let wait = json!({ "elicitationId": id(&created), "waitSeconds": 1 });
        assert_eq!(client.call(&house, 2, "elicit_await", wait).await.len(), 1);
    }
}

#[tokio::test]
async fn a_bad_key_is_a_fault_beside_the_others() {
    let house = House::new().await;
    for (key, code) in [
        (json!(""), "too_short"),
        (json!("k".repeat(201)), "too_long"),
        (json!(7), "wrong_type"),
        (json!("a\0"), "wrong_format"),
    ] {
        let (answer, is_error) =
            house.call("elicit_approval", json!({ "idempotencyKey": key, "message": 1 })).await;
        assert!(is_error);
        let faults = answer["faults"].as_array().unwrap();
        let told =
            |pointer: &str| faults.iter().find(|fault| fault["pointer"] == pointer).unwrap()["code"].clone();
        assert_eq!(
            (told("/idempotencyKey"), told("/message")),
            (json!(code), json!("wrong_type")),
            "{answer}"
        );
    }
}

#[tokio::test]
async fn the_doctor_tells_what_became_of_prompts() {
    let house = House::new().await;
    let client = Client::connect(&house, "2025-11-25", shows_links()).await;
    for (call, (seconds, action)) in [(0, "cancel"), (9, "accept")].into_iter().enumerate() {
        let created =
            client.call(&house, u32::try_from(call).unwrap() + 1, "elicit_proposal", example()).await;
        house.clock.wind(seconds);
        client.answer(&house, &created[0], action).await;
        answers(&house, &id(&created), 1).await;
    }
    let report = client.call(&house, 9, "elicit_doctor", json!({})).await;
    let report = result(&report);
    assert_eq!(report["host"]["client"], json!({ "name": "host", "version": "1" }));
    assert_eq!((&report["host"]["era"], &report["host"]["showsLinks"]), (&json!("session"), &json!(true)));
    let prompts = &report["prompts"];
    assert_eq!(
        (&prompts["sent"], &prompts["seen"], &prompts["bySoftware"]),
        (&json!(2), &json!(1), &json!(1))
    );
    assert_eq!(
        (&prompts["latest"][0]["action"], &prompts["latest"][0]["afterMs"]),
        (&json!("accept"), &json!(9_000))
    );
    assert!(report["advice"].to_string().contains("under 2 seconds"));
    let (other, _) = house.call("elicit_doctor", json!({})).await;
    assert_eq!(
        (&other["host"]["era"], &other["prompts"]["sent"]),
        (&json!("stateless"), &json!(0)),
        "another host's are not its own"
    );
}

/// What `/metrics` says of a number.
async fn gauge(house: &House, name: &str) -> usize {
    let metrics = house.get("/metrics").await.body;
    let line = metrics.lines().find_map(|line| line.strip_prefix(name)).expect("it is told");
    line.trim().parse().unwrap()
}

async fn until_gauge(house: &House, name: &str, wanted: usize) {
    for _ in 0..2_000 {
        if gauge(house, name).await == wanted {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("{name} is {} and not {wanted}", gauge(house, name).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_dropped_or_cancelled_waits_no_longer() {
    let house = House::new().await;
    let id = house.propose().await;
    let wait = json!({ "elicitationId": id, "waitSeconds": 300 });
    {
        // Its answer begins at once, so that nobody takes the silence for the end of it.
        let call = house.begin_call("elicit_await", &wait).await;
        assert_eq!(
            (call.status(), call.headers()["content-type"].to_str().unwrap()),
            (StatusCode::OK, "text/event-stream")
        );
        until_gauge(&house, "sayso_waiting_calls", 1).await;
    }
    until_gauge(&house, "sayso_waiting_calls", 0).await;
    until_gauge(&house, "sayso_watched_reviews", 0).await;

    let client = Client::connect(&house, "2025-11-25", json!({})).await;
    assert_eq!(gauge(&house, "sayso_live_sessions").await, 1);
    let call = client.call(&house, 7, "elicit_await", wait);
    let cancelled = async {
        until_gauge(&house, "sayso_waiting_calls", 1).await;
        let told =
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 } });
        client.post(&house, &told).await;
        until_gauge(&house, "sayso_waiting_calls", 0).await;
    };
    tokio::select! {
        () = cancelled => {}
        // Its stream may end first; then without an answer.
        messages = call => {
            assert!(messages.iter().all(|message| message.get("result").is_none()), "{messages:?}");
            until_gauge(&house, "sayso_waiting_calls", 0).await;
        }
    }
}
