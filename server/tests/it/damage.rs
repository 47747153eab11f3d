//! A row that no version wrote, and a clock that goes back: what they touch is told honestly, and all else goes on.

use crate::house::{House, JSON, Log, On, agent, ask_of, example};
use crate::on_both;
use http::{Method, StatusCode};
use sayso::{audit::Heads, chance::Chance, signing::Signer};
use sayso_domain::{
    Moment, Status,
    chain::{Trusted, verify},
};
use serde_json::{Value, json};

/// Breaks what is stored of a request, and comes back with how.
async fn broken(house: &House, column: &str, value: &str, id: &str) -> String {
    house.raw(&format!("UPDATE reviews SET {column} = '{value}' WHERE id = '{id}'")).await.unwrap();
    format!("{column} = {value}")
}

/// Every way in which somebody can ask for a request: none of them shows it, decides it, or says that it is not there.
async fn no_route_takes_it(house: &House, id: &str, how: &str, kind: &str) {
    let before = house.dump().await;
    for path in ["/review", "/review/trail", "/frame", "/frame/selection", "/events"] {
        let answer = house.get(&format!("{path}?elicitationId={id}")).await;
        // A frame of one kind is not there for another, whatever is stored.
        let other = path.starts_with("/frame") && answer.status == StatusCode::NOT_FOUND;
        assert!(
            answer.status == StatusCode::INTERNAL_SERVER_ERROR || other,
            "{how} at {path}: {} {}",
            answer.status,
            answer.body
        );
        assert!(
            !answer.body.contains("NorthMark") && !answer.body.contains("inconsistent"),
            "{how}: {}",
            answer.body
        );
    }
    let refusal = if kind == "selection" { "reject" } else { "cancel" };
    for (function, draft) in [("submit", json!({ kind: refusal })), ("standing", Value::Null)] {
        let body = json!({ "id": id, "draft": draft, "digest": "x" }).to_string();
        let answer = house.send(Method::POST, &format!("/api/{function}"), &JSON, body).await;
        assert_eq!(answer.status, StatusCode::INTERNAL_SERVER_ERROR, "{how} at {function}: {}", answer.body);
    }
    let form = format!("elicitationId={id}&do=choose&pick=0&token=x&digest=x");
    let headers = [
        ("content-type", "application/x-www-form-urlencoded"),
        ("sec-fetch-site", "same-origin"),
        ("origin", "null"),
    ];
    let posted = house.send(Method::POST, "/frame/selection", &headers, form).await;
    assert!(!posted.status.is_success(), "{how}: {} {}", posted.status, posted.body);
    for tool in ["elicit_result", "elicit_cancel"] {
        let (told, is_error) = house.call(tool, json!({ "elicitationId": id })).await;
        assert!(is_error && told["code"] == "damaged", "{how} at {tool}: {told}");
    }
    assert_eq!(house.dump().await, before, "{how}");
}

on_both! {
    async fn what_cannot_be_read_is_neither_shown_nor_decided(house: House) {
        let log = Log::listen("info,sqlx=warn");
        let whole = house.propose().await;
        for (column, value) in [("ask", "{"), ("ask", "{\"proposal\":{\"NorthMark\":1}}"), ("ask", "null")] {
            let id = house.propose().await;
            let how = broken(&house, column, value, &id).await;
            no_route_takes_it(&house, &id, &how, "proposal").await;
            // How it stands can be read still, and until its deadline that is true.
            assert_eq!(house.call("elicit_status", json!({ "elicitationId": id })).await.0["status"], "pending");
            assert!(log.told().contains(&id) || house.database_url.starts_with("postgres"), "the log names it");
        }
        for (column, value) in [("answer", "{"), ("answer", "{\"selection\":{\"NorthMark\":1}}"), ("comment", "{")] {
            let id = house.propose().await;
            house.decide(&id, json!({ "submit": { "name": "N" } })).await;
            let how = broken(&house, column, value, &id).await;
            let (told, is_error) = house.call("elicit_result", json!({ "elicitationId": id })).await;
            assert!(is_error && told["code"] == "damaged", "{how}: never anything that nobody blessed: {told}");
            no_route_takes_it(&house, &id, &how, "proposal").await;
        }
        let selection = house.ask("elicit_selection", json!({ "message": "m", "options": [{ "id": "a" }] })).await;
        let how = broken(&house, "ask", "{", &selection).await;
        no_route_takes_it(&house, &selection, &how, "selection").await;
        assert!(!log.told().contains("NorthMark"), "what it holds is nobody's log's: {}", log.told());
        // Overdue, it cannot expire, and keeps no other from it.
        house.clock.wind(8 * 86_400);
        let swept = house.reviews.close_overdue(house.reviews.now()).await.unwrap();
        assert_eq!((swept.found, swept.unreadable.len()), (1, 4));
        assert_eq!(house.call("elicit_status", json!({ "elicitationId": whole })).await.0["status"], "expired");
        let (told, _) = house.call("elicit_await", json!({ "elicitationId": selection, "waitSeconds": 60 })).await;
        assert_eq!(told["code"], "damaged", "nobody waits for what cannot end: {told}");
    }

    async fn a_clock_that_goes_back_an_hour_ends_nothing_and_revives_nothing(house: House) {
        let ann = agent("ann");
        let short = house.reviews.open(ask_of(&example()), ann.clone(), 60).await.unwrap();
        house.clock.wind(60);
        assert_eq!(house.reviews.look_for(&ann, short.id).await.unwrap().unwrap().status(), Status::Expired);
        let pending = house.propose().await;
        let fetched = house.propose().await;
        house.decide(&fetched, json!("cancel")).await;
        house.clock.wind(-3_600);
        assert_eq!(house.reviews.look_for(&ann, short.id).await.unwrap().unwrap().status(), Status::Expired, "what ended has ended");
        assert_eq!(house.call("elicit_result", json!({ "elicitationId": fetched })).await.0["decision"], "rejected");
        assert_eq!(house.call("elicit_status", json!({ "elicitationId": pending })).await.0["status"], "pending");
        let next = house.propose().await;
        for id in [&pending, &next] {
            let decided = house.decide(id, json!({ "submit": { "name": "N" } })).await;
            assert!(decided["decided"].is_object(), "{decided}");
            assert_eq!(house.call("elicit_result", json!({ "elicitationId": id })).await.0["values"], json!({ "name": "N" }));
        }
        house.clock.wind(3_600);
        house.propose().await;
        let signer = Signer::open(&house.store, &Chance::seeded(5), Moment(1)).await.unwrap();
        let mut out = Vec::new();
        Heads::new(house.store.clone(), signer, house.clock.clone()).export(&mut out).await.unwrap();
        verify(std::str::from_utf8(&out).unwrap().lines(), Trusted::default()).unwrap();
    }
}
