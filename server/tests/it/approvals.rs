//! Approvals, from an agent's call to its answer, and what the page and its frame say between.

use crate::house::{House, On};
use crate::on_both;
use http::StatusCode;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::task::JoinSet;

fn deploy() -> Value {
    json!({
        "message": "Approve the deploy",
        "context": { "service": "elicitly-api", "version": "v2.4.0" },
        "displayTemplate": "<p>Deploying <strong>{{ context.service }} {{ context.version }}</strong></p>",
        "requestedSchema": {
            "type": "object",
            "properties": {
                "approver": { "type": "string", "title": "Your name", "minLength": 2 },
                "confidence": { "type": "integer", "title": "Confidence %", "minimum": 0, "maximum": 100 }
            },
            "required": ["approver", "confidence"]
        }
    })
}

/// The address of the frame in a page.
fn frame(page: &str) -> Option<String> {
    let (_, rest) = page.split_once("src=\"/frame/")?;
    Some(format!("/frame/{}", rest.split('"').next()?.replace("&amp;", "&")))
}

on_both! {
    async fn a_form_comes_back_as_it_was_filled_in(house: House) {
        let id = house.ask("elicit_approval", deploy()).await;
        let values = json!({ "submit": { "confidence": 0, "approver": "Ann" } });
        let decided = house.decide_on("approval", &id, values).await;
        assert_eq!(decided["decided"]["status"], "approved");
        let (answer, is_error) = house.call("elicit_result", json!({ "elicitationId": id })).await;
        assert!(!is_error, "{answer}");
        assert_eq!(
            answer["formSubmission"].to_string(),
            r#"{"approver":"Ann","confidence":0}"#
        );
        assert_eq!(answer["context"], deploy()["context"]);
        assert_eq!((&answer["status"], &answer["decision"]), (&json!("consumed"), &json!("approved")));
        assert!(answer.get("action").is_none() && answer.get("values").is_none());
    }

    async fn a_payload_comes_back_to_the_byte(house: House) {
        let context = r#"{"z":1.10,"a":[3791411052119578828,"ü",null],"":{}}"#;
        let answer = house.call_text("elicit_approval", &format!(r#"{{"message":"m","context":{context}}}"#)).await;
        let id = answer.message()["result"]["structuredContent"]["elicitationId"].as_str().unwrap().to_owned();
        house.decide_on("approval", &id, json!({ "submit": {} })).await;
        let answer = house.call_text("elicit_result", &format!(r#"{{"elicitationId":"{id}"}}"#)).await;
        assert!(answer.body.contains(&format!(r#""context":{context}"#)), "{}", answer.body);
        assert_eq!(answer.message()["result"]["structuredContent"]["formSubmission"], Value::Null);
    }

    async fn what_the_form_does_not_admit_decides_nothing(house: House) {
        let id = house.ask("elicit_approval", deploy()).await;
        let faulty = house.decide_on("approval", &id, json!({ "submit": { "approver": "A", "more": 1 } })).await;
        let pointers: Vec<_> = faulty["faulty"].as_array().unwrap().iter().map(|f| f["pointer"].as_str().unwrap()).collect();
        assert_eq!(pointers, ["/values/confidence", "/values/approver", "/values/more"]);
        // A draft of another kind decides nothing either, not even a refusal.
        let other = house.decide_on("proposal", &id, json!("cancel")).await;
        assert!(other["faulty"].is_array(), "{other}");
        let (status, _) = house.call("elicit_status", json!({ "elicitationId": id })).await;
        assert_eq!(status["status"], "pending");
        house.decide_on("approval", &id, json!("decline")).await;
        let (answer, _) = house.call("elicit_result", json!({ "elicitationId": id })).await;
        assert_eq!((&answer["decision"], &answer["formSubmission"]), (&json!("rejected"), &Value::Null));
    }
}

#[tokio::test]
async fn a_template_is_shown_in_a_frame_that_can_do_nothing() {
    let house = House::on(On::Sqlite).await;
    let id = house.ask("elicit_approval", deploy()).await;
    let page = house.get(&format!("/review?elicitationId={id}")).await;
    assert!(page.body.contains(r#"sandbox="allow-scripts""#));
    assert!(!page.body.contains("v2.4.0"), "the payload is in its frame, and nowhere else");
    let address = frame(&page.body).expect("a frame");
    let document = house.get(&address).await;
    assert_eq!(document.status, StatusCode::OK);
    assert!(document.body.contains("<p>Deploying <strong>elicitly-api v2.4.0</strong></p>"));
    assert_eq!(
        document.header("content-security-policy"),
        "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
         img-src data:; connect-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
    );
    assert_eq!(document.header("connection-allowlist"), "()");
    assert_eq!(document.header("cache-control"), "private, max-age=31536000, immutable");
    assert_eq!(document.header("x-content-type-options"), "nosniff");
    assert_eq!(document.header("referrer-policy"), "no-referrer");
    let unkeyed = house.get(&format!("/frame/display?elicitationId={id}")).await;
    assert_eq!((unkeyed.status, unkeyed.header("cache-control")), (StatusCode::OK, "private, no-cache"));
    let steered = [("sec-fetch-dest", "iframe"), ("sec-fetch-site", "cross-site")];
    let steered = house.send(http::Method::GET, &address, &steered, "").await;
    assert_eq!((steered.status, steered.length), (StatusCode::NO_CONTENT, 0));
    for nothing in
        ["", "?elicitationId=", "?elicitationId=no-id", "?elicitationId=00000000000000000000000000000000"]
    {
        let answer = house.get(&format!("/frame/display{nothing}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{nothing}");
        assert!(answer.header("content-security-policy").starts_with("sandbox allow-scripts;"));
    }
}

/// Data never becomes markup, whatever the template does with it.
#[tokio::test]
async fn what_is_filled_into_a_template_is_escaped() {
    let house = House::on(On::Sqlite).await;
    let id = house
        .ask(
            "elicit_approval",
            json!({
                "message": "m", "context": { "s": "<script>x()</script>" },
                "displayTemplate": "<p>{{ context.s | raw }}{% assign t = context.s %}{% echo t %}</p>"
            }),
        )
        .await;
    let document = house.get(&format!("/frame/display?elicitationId={id}")).await;
    assert_eq!(document.body.matches("&lt;script&gt;x()&lt;/script&gt;").count(), 2);
    assert!(!document.body.contains("<script>x()"));
}

#[tokio::test]
async fn a_broken_template_never_blocks_and_its_author_is_told_where() {
    let house = House::on(On::Sqlite).await;
    for template in ["<p>\n  {% if context.a %}", "<p>\n  {% for i in (1..100000000) %}x{% endfor %}"] {
        let arguments =
            json!({ "message": "m", "context": { "a": "shown anyway" }, "displayTemplate": template });
        let (answer, is_error) = house.call("elicit_approval", arguments).await;
        assert!(!is_error, "{answer}");
        let warning = &answer["warnings"][0];
        assert_eq!(
            (&warning["pointer"], &warning["code"]),
            (&json!("/displayTemplate"), &json!("template_falls_back"))
        );
        assert_eq!((&warning["line"], &warning["column"]), (&json!(2), &json!(3)), "{warning}");
        let id = answer["elicitationId"].as_str().unwrap();
        let page = house.get(&format!("/review?elicitationId={id}")).await;
        assert!(frame(&page.body).is_none());
        assert!(page.body.contains("shown anyway") && page.body.contains("cannot be shown"));
        assert_eq!(
            house.get(&format!("/frame/display?elicitationId={id}")).await.status,
            StatusCode::NOT_FOUND
        );
    }
}

#[tokio::test]
async fn a_proposal_has_its_header_and_a_note_where_that_fails() {
    let house = House::on(On::Sqlite).await;
    let mut arguments = crate::house::example();
    arguments["displayTemplate"] = json!("<h2>{{ context.objectType }}</h2>");
    let id = house.ask("elicit_proposal", arguments.clone()).await;
    let page = house.get(&format!("/review?elicitationId={id}")).await;
    let document = house.get(&frame(&page.body).expect("a header")).await;
    assert!(document.body.contains("<h2>Account</h2>"));
    arguments["displayTemplate"] = json!("{% nonsense %}");
    let id = house.ask("elicit_proposal", arguments).await;
    let page = house.get(&format!("/review?elicitationId={id}")).await;
    assert!(frame(&page.body).is_none() && page.body.contains("cannot be shown"));
    assert!(!page.body.contains("678cd3"), "the context of a proposal is not for the reviewer");
}

/// A dry run that leaves nothing behind.
#[tokio::test]
async fn a_preview_tells_everything_and_stores_nothing() {
    let house = House::on(On::Sqlite).await;
    let (answer, is_error) =
        house.call("elicit_preview", json!({ "tool": "elicit_approval", "arguments": deploy() })).await;
    assert!(!is_error, "{answer}");
    assert_eq!(
        (&answer["ok"], &answer["faults"], &answer["warnings"]),
        (&json!(true), &json!([]), &json!([]))
    );
    assert_eq!(
        answer["rendered"]["displayTemplate"],
        "<p>Deploying <strong>elicitly-api v2.4.0</strong></p>"
    );
    let outline = answer["outline"].as_str().unwrap();
    for told in [
        "Approve the deploy",
        "Your name *: a text",
        "Confidence % *: a whole number",
        "[ Decline ]  [ Submit ]",
    ] {
        assert!(outline.contains(told), "{outline}");
    }
    let faulty =
        json!({ "tool": "elicit_approval", "arguments": { "message": "", "labels": { "ok": "x" } } });
    let (answer, is_error) = house.call("elicit_preview", faulty).await;
    assert!(!is_error, "a preview of bad arguments is a good preview: {answer}");
    let pointers: Vec<_> =
        answer["faults"].as_array().unwrap().iter().map(|f| f["pointer"].as_str().unwrap()).collect();
    assert_eq!((&answer["ok"], pointers), (&json!(false), vec!["/message", "", "/labels/ok"]));
    let (answer, is_error) =
        house.call("elicit_preview", json!({ "tool": "elicit_result", "arguments": {} })).await;
    assert!(is_error);
    assert_eq!(answer["faults"][0]["pointer"], "/tool");
    let huge = json!({ "message": "m", "context": vec!["\u{1}".repeat(1000); 150], "displayTemplate": "{{ context }}" });
    let (answer, is_error) =
        house.call("elicit_preview", json!({ "tool": "elicit_approval", "arguments": huge })).await;
    assert!(!is_error);
    assert!(answer.to_string().len() <= 256 << 10, "{}", answer.to_string().len());
    assert_eq!(house.reviews.next_deadline(house.reviews.now()).await.unwrap(), None, "nothing was stored");
}

/// While hostile templates take all threads, other pages are served.
#[tokio::test(flavor = "multi_thread")]
async fn a_hostile_template_costs_nobody_else_anything() {
    let house = Arc::new(House::on(On::Sqlite).await);
    let good = house.ask("elicit_approval", deploy()).await;
    let hostile = "{% for a in (1..1000) %}{% for b in (1..1000) %}{% assign x = x | append: 'xxxxxxxxxx' %}{% endfor %}{% endfor %}";
    let hostile = json!({ "message": "m", "context": {}, "displayTemplate": hostile });
    let mut attackers = JoinSet::new();
    for _ in 0..40 {
        let (house, hostile) = (Arc::clone(&house), hostile.clone());
        attackers.spawn(async move { house.call("elicit_approval", hostile).await });
    }
    for _ in 0..20 {
        let page = house.get(&format!("/review?elicitationId={good}")).await;
        assert_eq!(page.status, StatusCode::OK);
    }
    for (answer, is_error) in attackers.join_all().await {
        assert!(!is_error, "{answer}");
        let code = answer["warnings"][0]["code"].as_str().unwrap();
        assert!(["template_falls_back", "template_untried"].contains(&code), "{answer}");
    }
}
