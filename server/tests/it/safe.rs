//! Looking changes nothing: whoever looks, at whatever address, however often. Scanners of mail, previews of links and
//! browsers that look ahead send what is sent here, to every route that the router knows.

use crate::house::{House, On, example, own_url};
use crate::on_both;
use crate::provider::{ann, begin, code, come_back, provider, sign_in};
use http::{Method, StatusCode};
use sayso::{
    chance::Chance,
    config::{Access, Rates, SignIn},
    token::Tokens,
};
use sayso_domain::Clock;
use serde_json::{Value, json};
use std::sync::Arc;

/// So often is each look at each route.
const TIMES: usize = 100;

type Headers = &'static [(&'static str, &'static str)];

/// Who looks, and how: each of these is sent so often, in turn if there are several of a kind.
const LOOKS: [(Method, &[Headers]); 5] = [
    (Method::GET, &[&[("accept", "text/html"), ("sec-fetch-site", "none"), ("sec-fetch-mode", "navigate")]]),
    (
        Method::HEAD,
        &[
            &[("user-agent", "Mozilla/5.0 (compatible; Proofpoint URL Defense)")],
            &[("user-agent", "Microsoft Office/16.0 (SafeLinks; ms-office)")],
        ],
    ),
    (
        Method::OPTIONS,
        &[
            &[("user-agent", "Microsoft Office Protocol Discovery")],
            &[("origin", "https://elsewhere.example"), ("access-control-request-method", "POST")],
        ],
    ),
    // Previews of links, and browsers that look ahead.
    (
        Method::GET,
        &[
            &[("user-agent", "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)")],
            &[("user-agent", "facebookexternalhit/1.1"), ("range", "bytes=0-524287")],
            &[("sec-purpose", "prefetch;prerender"), ("sec-fetch-site", "cross-site")],
            &[("purpose", "preview"), ("x-purpose", "preview")],
        ],
    ),
    // Scanners of mail, and other pages.
    (
        Method::GET,
        &[
            &[("user-agent", "Mozilla/5.0 (compatible; Barracuda Sentinel)"), ("accept", "*/*")],
            &[("accept", "text/event-stream"), ("origin", "https://elsewhere.example")],
        ],
    ),
];

/// A house with a request in every state, and their ids.
async fn furnished(house: &House) -> Vec<String> {
    let mut templated = example();
    templated["displayTemplate"] = json!("<b>{{ objectType }}</b>");
    let selection = json!({ "message": "m", "options": [{ "id": "a" }, { "id": "b" }] });
    let soon = json!({ "message": "m", "context": 1, "expiresInSeconds": 60 });
    let mut ids = vec![
        house.ask("elicit_proposal", templated).await,
        house.ask("elicit_selection", selection).await,
        house.ask("elicit_approval", json!({ "message": "m", "context": 1 })).await,
    ];
    let [rejected, approved, fetched, canceled, expired] = [
        house.propose().await,
        house.propose().await,
        house.propose().await,
        house.propose().await,
        house.ask("elicit_approval", soon).await,
    ];
    house.call("elicit_cancel", json!({ "elicitationId": canceled })).await;
    house.store_decision(&rejected, json!("cancel")).await;
    for id in [&fetched, &approved] {
        house.store_decision(id, json!({ "submit": { "name": "N" } })).await;
    }
    house.call("elicit_result", json!({ "elicitationId": fetched })).await;
    house.clock.wind(61);
    house.reviews.close_overdue(house.reviews.now()).await.unwrap();
    ids.extend([rejected, approved, fetched, canceled, expired, "0".repeat(32)]);
    // As `serve` does before it listens: the first form that is shown is not to make a key.
    Tokens::new(house.store.clone(), Arc::new(Chance::seeded(5))).ready(house.clock.now()).await.unwrap();
    ids
}

/// Every look at every route, each so often; which routes those were.
async fn look_at_everything(house: &House, ids: &[String], cookie: &str, times: usize) -> Vec<String> {
    let routes: Vec<String> = house.routes().into_iter().chain(["/nowhere".to_owned()]).collect();
    for route in &routes {
        let path = route.replace("{*file}", "sayso.js").replace("{*path}", "x");
        assert!(!path.contains('{'), "{route}: which addresses are these?");
        for (method, shapes) in LOOKS {
            // An odd number of ids, so that each shape meets all of them.
            let looks = ids.iter().cycle().zip(shapes.iter().cycle());
            for (id, headers) in looks.take(times) {
                let headers = [*headers, &[("cookie", cookie)]].concat();
                let path =
                    format!("{path}?elicitationId={id}&next=/review&state={id}&code=x&do=choose&pick=1");
                let answer = house.head_of(method.clone(), &path, &headers).await;
                assert_ne!(answer.status(), StatusCode::TOO_MANY_REQUESTS, "{path}: nobody looked");
            }
        }
    }
    routes
}

/// The same house for a crowd.
async fn unlimited(house: &House) -> House {
    let off = ["pages=off", "decisions=off", "sign-ins=off", "person=off"].map(str::to_owned);
    house.guarded(own_url(), Access { rates: Rates::parse(&off).unwrap(), ..Access::default() }).await
}

/// What is not the same before and after.
fn changes(before: &[String], after: &[String]) -> Vec<String> {
    let lines = |these: &[String], those: &[String], sign: &str| {
        let gone = these.iter().filter(|line| !those.contains(line));
        gone.map(|line| format!("{sign} {line}")).collect::<Vec<_>>()
    };
    [lines(before, after, "-"), lines(after, before, "+")].concat()
}

impl House {
    async fn store_decision(&self, id: &str, draft: Value) {
        let decided = self.decide(id, draft).await;
        assert!(decided["decided"].is_object(), "{decided}");
    }
}

on_both! {
    async fn nobody_who_looks_changes_anything(house: House) {
        let ids = furnished(&house).await;
        let before = house.dump().await;
        assert!(before.iter().any(|row| row.starts_with("reviews: ")) && before.iter().any(|row| row.starts_with("audit: ")));
        let open = unlimited(&house).await;
        let routes = look_at_everything(&open, &ids, "", TIMES).await;
        for known in ["/review", "/events", "/api/submit", "/frame/selection", "/sign-in/callback", "/mcp", "/.well-known/jwks.json", "/readyz"] {
            assert!(routes.iter().any(|route| route == known), "{known} is not among {routes:?}");
        }
        assert_eq!(changes(&before, &house.dump().await), [""; 0]);
        // That a change would be seen.
        house.store_decision(&ids[0], json!("cancel")).await;
        assert_ne!(changes(&before, &house.dump().await), [""; 0]);
    }

    async fn where_people_sign_in_nobody_who_looks_changes_anything_either(house: House) {
        let ids = furnished(&house).await;
        let provider = provider().await;
        let house = house.signing_in(provider.clone()).await;
        let ann = sign_in(&house, &provider, ann()).await;
        let (open, before) = (unlimited(&house).await, house.dump().await);
        // To sign in begins at the provider and in the browser; here it leaves nothing.
        look_at_everything(&open, &ids, "", TIMES).await;
        assert_eq!(changes(&before, &house.dump().await), [""; 0], "a stranger");
        look_at_everything(&open, &ids, &ann, TIMES).await;
        assert_eq!(changes(&before, &house.dump().await), [""; 0], "somebody who has signed in");
        // The one thing that a look leaves: that a session is in use, once a minute.
        house.clock.wind(60);
        look_at_everything(&open, &ids, &ann, 1).await;
        let changed = changes(&before, &house.dump().await);
        let [old, new] = &changed[..] else { panic!("{changed:?}") };
        let but_when = |row: &str| row[2..].split(" seen_at=").next().unwrap().to_owned();
        assert!(old.starts_with("- people_sessions: ") && but_when(old) == but_when(new), "{changed:?}");
    }

    async fn only_the_browser_that_began_a_sign_in_ends_it(house: House) {
        let provider = provider().await;
        let house = house.signing_in(provider.clone()).await;
        let begun = begin(&house, "/review").await;
        let (open, before) = (unlimited(&house).await, house.dump().await);
        let (good, state) = (vouched(&house, &provider, &begun), begun.asked["state"].clone());
        let path = format!("/sign-in/callback?code={good}&state={state}");
        for _ in 0..TIMES {
            let scanner = open.send(Method::GET, &path, &[("user-agent", "SafeLinks")], "").await;
            assert_eq!(scanner.status, StatusCode::BAD_REQUEST, "{}", scanner.body);
            let ahead = [("cookie", begun.cookie.as_str()), ("sec-purpose", "prefetch")];
            let ahead = open.send(Method::GET, &path, &ahead, "").await;
            assert_eq!((ahead.status, ahead.header("set-cookie")), (StatusCode::SERVICE_UNAVAILABLE, ""));
        }
        assert_eq!(changes(&before, &house.dump().await), [""; 0]);
        assert_eq!(come_back(&house, &begun, &good, &state).await.status, StatusCode::SEE_OTHER);
        let changed = changes(&before, &house.dump().await).join("\n");
        for table in ["+ people_sessions: ", "+ people_states: ", "+ audit: "] {
            assert_eq!(changed.matches(table).count(), 1, "{table} in {changed}");
        }
        assert!(!changed.contains("reviews: "), "{changed}");
    }
}

fn vouched(house: &House, provider: &SignIn, begun: &crate::provider::Begun) -> String {
    code(house, provider, begun, &ann(), &Value::Object(serde_json::Map::new()))
}
