//! Selections: from an agent's call, through a form that needs no script, to the chosen ids.

use crate::house::{House, On};
use crate::on_both;
use http::{Method, StatusCode};
use serde_json::{Value, json};

fn which() -> Value {
    json!({
        "message": "Which Guggenheim did you mean?",
        "options": [
            { "id": "bilbao", "name": "Guggenheim Bilbao", "domain": "guggenheim-bilbao.eus" },
            { "id": "nyc", "name": "Solomon R. Guggenheim Museum", "domain": "guggenheim.org" },
            { "id": "venice\n<1>", "name": "Peggy Guggenheim Collection", "domain": "guggenheim-venice.it" }
        ],
        "headingTemplate": "<th>Name</th><th>Domain</th>",
        "rowTemplate": "<td>{{ option.name }}</td><td class=\"domain\">{{ option.domain }}</td>",
        "css": "td.domain{color:#666;font-family:monospace}tr:hover{background:rgba(0,0,0,.05)}"
    })
}

/// What a browser sends from a document whose origin is nobody's.
const FORM: [(&str, &str); 4] = [
    ("content-type", "application/x-www-form-urlencoded"),
    ("origin", "null"),
    ("sec-fetch-site", "cross-site"),
    ("sec-fetch-dest", "iframe"),
];

fn path(id: &str) -> String {
    format!("/frame/selection?elicitationId={id}")
}

fn token(document: &str) -> String {
    let (_, rest) = document.split_once("name=\"token\" value=\"").expect("a token");
    rest.split('"').next().unwrap().to_owned()
}

async fn fresh(house: &House, id: &str) -> String {
    token(&house.get(&path(id)).await.body)
}

/// Sends a form with the digest that it holds.
async fn send(house: &House, id: &str, form: &str) -> (StatusCode, String) {
    let form = format!("{form}&digest={}", house.digest(id).await);
    let answer = house.send(Method::POST, &path(id), &FORM, form).await;
    (answer.status, answer.body)
}

async fn status(house: &House, id: &str) -> String {
    let (answer, _) = house.call("elicit_status", json!({ "elicitationId": id })).await;
    answer["status"].as_str().unwrap().to_owned()
}

on_both! {
    async fn the_chosen_id_comes_back_to_the_byte(house: House) {
        let id = house.ask("elicit_selection", which()).await;
        let token = fresh(&house, &id).await;
        let (code, said) = send(&house, &id, &format!("token={token}&do=choose&pick=2")).await;
        assert_eq!((code, said.contains("Your choice was made.")), (StatusCode::OK, true));
        let (answer, is_error) = house.call("elicit_result", json!({ "elicitationId": id })).await;
        assert!(!is_error, "{answer}");
        assert_eq!(answer["selectedIds"], json!(["venice\n<1>"]));
        assert_eq!((&answer["decision"], &answer["context"]), (&json!("approved"), &Value::Null));
        // A second tab, whose token is as good as the first one's.
        let (_, said) = send(&house, &id, &format!("token={token}&do=choose&pick=0")).await;
        assert!(said.contains("A choice had been made already. What you sent changed nothing."), "{said}");
        let (again, _) = house.call("elicit_result", json!({ "elicitationId": id })).await;
        assert_eq!(again, answer);
    }

    async fn a_form_of_one_server_is_good_at_another(house: House) {
        let id = house.ask("elicit_selection", which()).await;
        let token = fresh(&house, &id).await;
        let neighbour = house.neighbour().await;
        let (code, table) = send(&neighbour, &id, &format!("token={token}&do=choose")).await;
        assert_eq!(code, StatusCode::UNPROCESSABLE_ENTITY, "the token is good, the choice is missing: {table}");
        let (code, _) = send(&house, &id, &format!("token={}&do=choose&pick=1", self::token(&table))).await;
        assert_eq!(code, StatusCode::OK);
        assert_eq!(status(&neighbour, &id).await, "approved");
    }

    async fn all_options_can_be_refused(house: House) {
        let id = house.ask("elicit_selection", which()).await;
        let token = fresh(&house, &id).await;
        send(&house, &id, &format!("token={token}&do=reject&pick=1")).await;
        let (answer, _) = house.call("elicit_result", json!({ "elicitationId": id })).await;
        assert_eq!(answer["decision"], "rejected");
        assert!(answer.get("selectedIds").is_none());
    }

    async fn without_a_good_token_nothing_is_decided_and_no_choice_is_lost(house: House) {
        let (id, other) = (house.ask("elicit_selection", which()).await, house.ask("elicit_selection", which()).await);
        let foreign = fresh(&house, &other).await;
        let own = fresh(&house, &id).await;
        for forged in ["", "x", foreign.as_str()] {
            let (code, table) = send(&house, &id, &format!("token={forged}&do=choose&pick=1")).await;
            assert_eq!(code, StatusCode::FORBIDDEN);
            assert!(table.contains("too old") && table.contains("title=\"nyc\" checked"), "{table}");
            assert_ne!(token(&table), forged, "a fresh one is there");
        }
        house.clock.wind(3_599);
        let (code, _) = send(&house, &id, &format!("token={own}&do=choose")).await;
        assert_eq!(code, StatusCode::UNPROCESSABLE_ENTITY, "good to the last second");
        assert_eq!(status(&house, &id).await, "pending");
        house.clock.wind(1);
        let (_, said) = send(&house, &id, &format!("token={own}&do=choose&pick=1")).await;
        assert!(said.contains("had expired already"), "{said}");
        assert_eq!(status(&house, &id).await, "expired");
    }
}

#[tokio::test]
async fn the_document_is_ours_and_its_cells_are_theirs() {
    let house = House::on(On::Sqlite).await;
    let id = house.ask("elicit_selection", which()).await;
    let page = house.get(&format!("/review?elicitationId={id}")).await;
    assert!(page.body.contains("sandbox=\"allow-forms\"") && !page.body.contains("allow-scripts"));
    let document = house.get(&path(&id)).await;
    assert_eq!(document.status, StatusCode::OK);
    assert_eq!(
        document.header("content-security-policy"),
        "sandbox allow-forms; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; \
         base-uri 'none'; frame-ancestors 'self'"
    );
    // Of connections too, a form needs one: to here.
    assert_eq!(document.header("connection-allowlist"), "(response-origin)");
    assert_eq!(document.header("cache-control"), "no-store");
    assert_eq!(document.body.matches("type=\"radio\" name=\"pick\"").count(), 3);
    assert!(!document.body.contains("<script"));
    assert!(document.body.contains("<td class=\"sayso-cell domain\">guggenheim.org</td>"));
    for told in ["Choose 1", "<bdi>Choose</bdi>", "<bdi>Reject — refine search</bdi>"] {
        assert!(document.body.contains(told), "{told}");
    }
    // Looking, twice, changed nothing.
    assert_eq!(status(&house, &id).await, "pending");
}

#[tokio::test]
async fn what_is_no_form_of_ours_is_refused_with_its_reason() {
    let house = House::on(On::Sqlite).await;
    let mut arguments = which();
    arguments["minSelections"] = json!(2);
    arguments["maxSelections"] = json!(2);
    let id = house.ask("elicit_selection", arguments).await;
    let token = fresh(&house, &id).await;
    let body = |rest: &str| format!("token={token}&do=choose{rest}");
    for (form, code, told) in [
        (body("&pick=1"), StatusCode::UNPROCESSABLE_ENTITY, "Choose 2; 1 chosen"),
        (body("&pick=0&pick=1&pick=2"), StatusCode::UNPROCESSABLE_ENTITY, "Choose 2; 3 chosen"),
        (body("&pick=0&pick=0"), StatusCode::UNPROCESSABLE_ENTITY, "Choose 2; 1 chosen"),
        (body("&pick=0&pick=7"), StatusCode::UNPROCESSABLE_ENTITY, "none of the options"),
        (body("&pick=0&pick=nyc"), StatusCode::UNPROCESSABLE_ENTITY, "none of the options"),
        (body("&more=1"), StatusCode::BAD_REQUEST, "does not have"),
        (body(&"&pick=1".repeat(10_000)), StatusCode::PAYLOAD_TOO_LARGE, "more than"),
        (body(&"&q".repeat(2_000)), StatusCode::BAD_REQUEST, "more fields"),
        (body("&pick=0&pick=1&do=filter"), StatusCode::OK, "Choose 2"),
    ] {
        let (answered, table) = send(&house, &id, &form).await;
        assert_eq!(answered, code, "{form:.60}");
        assert!(table.contains(told) && table.contains("name=\"token\""), "{told}");
    }
    let multipart = [("content-type", "multipart/form-data; boundary=x"), ("origin", "null")];
    let answer = house.send(Method::POST, &path(&id), &multipart, body("&pick=0&pick=1")).await;
    assert_eq!(answer.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert_eq!(status(&house, &id).await, "pending");
    send(&house, &id, &body("&pick=2&pick=0")).await;
    let (answer, _) = house.call("elicit_result", json!({ "elicitationId": id })).await;
    assert_eq!(answer["selectedIds"], json!(["bilbao", "venice\n<1>"]), "in the order of the options");
}

/// The token is the authority of this one address; everywhere else, nobody's origin is nobody.
#[tokio::test]
async fn nobodys_origin_is_let_in_nowhere_else() {
    let house = House::on(On::Sqlite).await;
    let id = house.ask("elicit_selection", which()).await;
    for path in ["/api/submit", "/mcp", "/frame/display", "/api/frame/selections"] {
        let answer = house.send(Method::POST, path, &FORM, "x=1").await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
    }
    let approval = house.ask("elicit_approval", json!({ "message": "m", "context": 1 })).await;
    assert_eq!(house.get(&path(&approval)).await.status, StatusCode::NOT_FOUND);
    assert_eq!(
        house.send(Method::POST, &path(&approval), &FORM, "do=reject").await.status,
        StatusCode::NOT_FOUND
    );
    // The page's own way of deciding is closed to nobody's origin, and open to the page.
    let decided = house.decide_on("selection", &id, json!({ "choose": ["nyc"] })).await;
    assert_eq!(decided["decided"]["blessed"], json!({ "options": [["nyc", "nyc"]] }));
}

#[tokio::test]
async fn a_filter_keeps_what_is_chosen_and_decides_nothing() {
    let house = House::on(On::Sqlite).await;
    let options: Vec<_> = (0..40).map(|n| json!({ "id": format!("id-{n}"), "label": format!("Candidate {n}"), "city": if n % 2 == 0 { "Bilbao" } else { "Venice" } })).collect();
    let arguments = json!({ "message": "Which?", "options": options, "maxSelections": 5 });
    let id = house.ask("elicit_selection", arguments).await;
    let first = house.get(&path(&id)).await.body;
    assert!(first.contains("40 of 40 shown, 0 chosen"));
    let token = token(&first);
    let (_, table) = send(&house, &id, &format!("token={token}&do=filter&q=bilbao&pick=1&pick=2")).await;
    assert!(table.contains("20 of 40 shown, 2 chosen"), "{table}");
    assert!(table.contains("name=\"kept\" value=\"1\""), "hidden, and chosen still");
    let (_, table) = send(&house, &id, &format!("token={token}&q=Candidate+39&kept=1&pick=2")).await;
    assert!(table.contains("1 of 40 shown, 2 chosen"), "Enter filters");
    assert_eq!(status(&house, &id).await, "pending");
    send(&house, &id, &format!("token={token}&do=choose&q=x&kept=1&kept=2&pick=39")).await;
    let (answer, _) = house.call("elicit_result", json!({ "elicitationId": id })).await;
    assert_eq!(answer["selectedIds"], json!(["id-1", "id-2", "id-39"]));
}

#[tokio::test]
async fn an_agent_is_told_what_will_not_be_as_written() {
    let house = House::on(On::Sqlite).await;
    let mut arguments = which();
    arguments["rowTemplate"] = json!("{{ option.name }}<input name=pick value=1>");
    arguments["hoverTemplate"] = json!("{% if %}");
    arguments["css"] = json!("@import url(//a.example/x.css); .sayso-pick{display:none} td{color:red}");
    let (answer, is_error) = house.call("elicit_selection", arguments.clone()).await;
    assert!(!is_error, "{answer}");
    let told: Vec<_> = answer["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|w| (w["pointer"].as_str().unwrap(), w["code"].as_str().unwrap()))
        .collect();
    for expected in [
        ("/hoverTemplate", "template_falls_back"),
        ("/rowTemplate", "row_without_cell"),
        ("/rowTemplate", "markup_dropped"),
        ("/css", "css_dropped"),
    ] {
        assert!(told.contains(&expected), "{expected:?} is not in {told:?}");
    }
    let preview = json!({ "tool": "elicit_selection", "arguments": arguments });
    let (preview, _) = house.call("elicit_preview", preview).await;
    assert_eq!(preview["ok"], true);
    assert_eq!(preview["rendered"]["rowTemplate"].as_array().unwrap().len(), 3);
    assert!(preview["outline"].as_str().unwrap().contains("( ) bilbao"));
}

/// The page learns of an end at once, whoever brings it about.
#[tokio::test]
async fn the_page_hears_of_the_end() {
    let house = House::on(On::Sqlite).await;
    let id = house.ask("elicit_selection", which()).await;
    let token = fresh(&house, &id).await;
    let address = format!("/events?elicitationId={id}");
    let (events, ()) = tokio::join!(house.get(&address), async {
        while house.reviews.waited_for() == 0 {
            tokio::task::yield_now().await;
        }
        send(&house, &id, &format!("token={token}&do=choose&pick=0")).await;
    });
    assert_eq!(events.header("content-type"), "text/event-stream");
    assert!(
        events.body.contains("event: ended") && events.body.contains("data: approved"),
        "{}",
        events.body
    );
}
