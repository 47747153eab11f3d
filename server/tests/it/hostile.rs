//! What somebody tries who may not decide: each is refused, changes nothing, and leaves no secret in the log.

use crate::agents::{ask_as, call_as, token};
use crate::house::{House, JSON, Log, On, example};
use crate::provider::{Begun, ann, begin, bob, code, come_back, provider, sign_in};
use http::{Method, StatusCode};
use sayso::config::SignIn;
use serde_json::{Value, json};

/// A house where people sign in and agents show tokens; two people, and what they and an agent carry.
struct Scene {
    house: House,
    provider: SignIn,
    ann: String,
    bob: String,
    agent: String,
}

impl Scene {
    async fn set(on: On) -> Self {
        let provider = provider().await;
        let house = House::on(on).await.signing_in(provider.clone()).await;
        let agent = token(&house, "crm").await;
        let (ann, bob) = (sign_in(&house, &provider, ann()).await, sign_in(&house, &provider, bob()).await);
        // So that what agents' use leaves in the store is there before anything is compared.
        call_as(&house, &agent, "elicit_status", json!({ "elicitationId": "x" })).await;
        crate::agents::until_noted(&house).await;
        Self { house, provider, ann, bob, agent }
    }

    /// A request that Ann is asked.
    async fn ask(&self, tool: &str, mut arguments: Value) -> String {
        arguments["reviewers"] = json!(["ann@example.com"]);
        let answer = call_as(&self.house, &self.agent, tool, arguments).await.message();
        answer["result"]["structuredContent"]["elicitationId"]
            .as_str()
            .unwrap_or_else(|| panic!("{answer}"))
            .to_owned()
    }

    async fn ask_selection(&self) -> String {
        self.ask("elicit_selection", json!({ "message": "m", "options": [{ "id": "a" }, { "id": "b" }] }))
            .await
    }

    /// The token of a selection's form, as `cookie` gets it.
    async fn form_token(&self, id: &str, cookie: &str) -> String {
        let path = format!("/frame/selection?elicitationId={id}");
        let page = self.house.send(Method::GET, &path, &[("cookie", cookie)], "").await;
        let (_, rest) =
            page.body.split_once("name=\"token\" value=\"").unwrap_or_else(|| panic!("{}", page.body));
        rest.split_once('"').unwrap().0.to_owned()
    }

    async fn result(&self, id: &str) -> Value {
        let answer = call_as(&self.house, &self.agent, "elicit_result", json!({ "elicitationId": id })).await;
        answer.message()["result"]["structuredContent"].take()
    }
}

const FORM: [(&str, &str); 3] = [
    ("content-type", "application/x-www-form-urlencoded"),
    ("origin", "null"),
    ("sec-fetch-site", "cross-site"),
];

/// Whoever a body names, it is decided by whom the server knows, or by nobody.
async fn who_decides_is_not_in_the_body(scene: &Scene) {
    const NAMES: [&str; 6] = ["decidedBy", "by", "reviewer", "actor", "visitor", "person"];
    let Scene { house, ann, bob, .. } = scene;
    let lies = [
        ("x-forwarded-user", "mallory@example.com"),
        ("x-principal", "mallory"),
        ("x-reviewer", "mallory@example.com"),
        ("forwarded", "for=mallory"),
    ];
    for name in NAMES {
        for lie in [
            json!("mallory@example.com"),
            json!({ "name": "mallory@example.com" }),
            json!({ "reviewer": "mallory" }),
        ] {
            let mut outside = json!({ "draft": { "proposal": "cancel" } });
            outside[name] = lie.clone();
            let mut beside = json!({ "draft": { "proposal": "cancel" } });
            beside["draft"][name] = lie.clone();
            let mut within = json!({ "draft": { "proposal": { "submit": { "name": "N" } } } });
            within["draft"]["proposal"][name] = lie.clone();
            let mut among = json!({ "draft": { "proposal": { "submit": { "name": "N" } } } });
            among["draft"]["proposal"]["submit"][name] = lie;
            for mut body in [outside, beside, within, among] {
                let id = scene.ask("elicit_proposal", example()).await;
                body["id"] = json!(id);
                body["digest"] = json!(house.digest(&id).await);
                let before = house.store.trail(id.parse().unwrap()).await.unwrap();
                // Whom nobody asked decides nothing by saying who they are.
                let headers = [&JSON[..], &[("cookie", bob.as_str())], &lies].concat();
                let answer = house.send(Method::POST, "/api/submit", &headers, body.to_string()).await;
                assert!(!answer.body.contains("decided\":"), "{body}: {}", answer.body);
                assert_eq!(scene.result(&id).await["code"], "pending", "{body}");
                // Who was asked does, by her own name, or not at all.
                let headers = [&JSON[..], &[("cookie", ann.as_str())], &lies].concat();
                let answer = house.send(Method::POST, "/api/submit", &headers, body.to_string()).await;
                let trail =
                    format!("{:?}", &house.store.trail(id.parse().unwrap()).await.unwrap()[before.len()..]);
                let result = scene.result(&id).await;
                if answer.body.contains("decided\":") {
                    assert_eq!(result["review"]["decidedBy"], "ann@example.com", "{body}");
                } else {
                    assert_eq!(result["code"], "pending", "{body}: {}", answer.body);
                }
                for told in [&answer.body, &trail, &result.to_string()] {
                    assert!(!told.contains("mallory"), "{body}: {told}");
                }
            }
        }
        let id = scene.ask_selection().await;
        let (form, path) = (scene.form_token(&id, ann).await, format!("/frame/selection?elicitationId={id}"));
        let digest = house.digest(&id).await;
        let body = format!("token={form}&digest={digest}&do=choose&pick=0&{name}=mallory");
        house.send(Method::POST, &path, &[&FORM[..], &lies].concat(), body).await;
        let result = scene.result(&id).await;
        assert!(
            result["code"] == "pending" || result["review"]["decidedBy"] == "ann@example.com",
            "{name}: {result}"
        );
    }
}

/// An agent's token at every route and by every method but those that look, even in a reviewer's own browser.
async fn a_token_opens_no_reviewers_door(scene: &Scene) {
    let Scene { house, ann, agent, .. } = scene;
    let (id, selection) = (scene.ask("elicit_proposal", example()).await, scene.ask_selection().await);
    let form = scene.form_token(&selection, ann).await;
    let bodies = [
        json!({ "id": id, "draft": { "proposal": "cancel" }, "digest": house.digest(&id).await }).to_string(),
        format!("token={form}&digest={}&do=reject", house.digest(&selection).await),
    ];
    let before = house.dump().await;
    let routes = house.routes();
    for route in routes.iter().filter(|route| *route != "/mcp") {
        let path = route.replace("{*file}", "x").replace("{*path}", "x");
        let path = format!("{path}?elicitationId={selection}");
        for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
            for (authorization, more) in [
                (format!("Bearer {agent}"), None),
                (format!("bEARER  {agent} "), None),
                (format!("Bearer {agent}"), Some(("authorization", "Basic eDp5"))),
                (format!("Bearer {agent}x"), None),
            ] {
                for (body, head) in bodies.iter().zip([&JSON[..], &FORM[..]]) {
                    let mut headers =
                        [head, &[("authorization", authorization.as_str()), ("cookie", ann)]].concat();
                    headers.extend(more);
                    let answer = house.send(method.clone(), &path, &headers, body.clone()).await;
                    assert_eq!(answer.status, StatusCode::FORBIDDEN, "{method} {path} {authorization}");
                }
            }
        }
        // It opens nothing to look at either.
        let bearer = format!("Bearer {agent}");
        let with = house.head_of(Method::GET, &path, &[("authorization", &bearer)]).await;
        let without = house.head_of(Method::GET, &path, &[]).await;
        assert_eq!(with.status(), without.status(), "{path}");
    }
    assert_eq!(house.dump().await, before, "nothing was decided, and nobody signed out");
}

/// A session is what it was made as, to the digit.
async fn a_tampered_cookie_is_nobodys(scene: &Scene) {
    let Scene { house, ann, bob, .. } = scene;
    let id = scene.ask("elicit_proposal", example()).await;
    let value = ann.strip_prefix("sayso=").unwrap();
    let other = |digit: &str| if digit == "0" { "1" } else { "0" };
    let mut tampered: Vec<String> = [0, 31, 63]
        .map(|at| format!("sayso={}{}{}", &value[..at], other(&value[at..=at]), &value[at + 1..]))
        .to_vec();
    let digest = sayso_digest(value);
    tampered.extend([
        format!("sayso={}", value.to_uppercase()),
        format!("sayso={}", &value[..63]),
        format!("sayso={value}0"),
        format!("sayso={digest}"),
        format!("sayso=%{value}"),
        format!("__Host-sayso={value}"),
        format!("Sayso={value}"),
        format!("sayso={}; x={value}", "0".repeat(64)),
        format!("x=\"sayso={value}\""),
    ]);
    let before = house.dump().await;
    for cookie in &tampered {
        if cookie == ann {
            continue;
        }
        let page =
            house.send(Method::GET, &format!("/review?elicitationId={id}"), &[("cookie", cookie)], "").await;
        assert_eq!(page.status, StatusCode::UNAUTHORIZED, "{cookie}");
        let headers = [&JSON[..], &[("cookie", cookie.as_str())]].concat();
        let digest = house.digest(&id).await;
        let body = json!({ "id": id, "draft": { "proposal": "cancel" }, "digest": digest }).to_string();
        let answer = house.send(Method::POST, "/api/submit", &headers, body).await;
        assert!(answer.body.contains("refused"), "{cookie}: {}", answer.body);
        house.send(Method::POST, "/sign-out", &[("cookie", cookie), JSON[3], JSON[4]], "").await;
    }
    assert_eq!(house.dump().await, before, "and ends nobody's session");
    // Of two of this name the first counts, and never both.
    let both = format!("{bob}; {ann}");
    let page =
        house.send(Method::GET, &format!("/review?elicitationId={id}"), &[("cookie", &both)], "").await;
    assert_eq!(page.status, StatusCode::FORBIDDEN, "{}", page.body);
}

fn sayso_digest(value: &str) -> String {
    use sha2::{Digest, Sha256};
    Sha256::digest(value).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Another site makes Ann's browser send something, with all that it carries.
async fn another_site_is_refused_at_every_route(scene: &Scene) {
    let Scene { house, ann, .. } = scene;
    let (id, selection) = (scene.ask("elicit_proposal", example()).await, scene.ask_selection().await);
    let form = scene.form_token(&selection, ann).await;
    let (digest, chosen) = (house.digest(&id).await, house.digest(&selection).await);
    let before = house.dump().await;
    for route in house.routes() {
        let path = route.replace("{*file}", "x").replace("{*path}", "x");
        let path = format!("{path}?elicitationId={selection}");
        for (origin, site) in [
            (Some("https://evil.example"), Some("cross-site")),
            (Some("https://evil.example"), None),
            (Some("http://127.0.0.1:3001"), Some("same-site")),
            (Some("http://127.0.0.1:3000.evil.example"), None),
            (Some("null"), Some("cross-site")),
            (Some("null"), None),
            (None, Some("cross-site")),
            (None, Some("same-site")),
            (Some("http://127.0.0.1:3000"), Some("cross-site")),
            (Some(crate::house::GUEST), Some("cross-site")),
        ] {
            // The document of a selection has no origin: there, the token decides, and this one is Ann's own.
            let is_frames =
                route.ends_with("/frame/selection") && origin.is_none_or(|origin| origin == "null");
            let is_guests = route.ends_with("/mcp") && origin == Some(crate::house::GUEST);
            if is_frames || is_guests {
                continue;
            }
            let from = [origin.map(|origin| ("origin", origin)), site.map(|site| ("sec-fetch-site", site))];
            let from: Vec<_> = from.into_iter().flatten().chain([("cookie", ann.as_str())]).collect();
            let draft = json!({ "id": id, "draft": { "proposal": "cancel" }, "digest": digest }).to_string();
            for (head, body) in [
                (&[JSON[0], JSON[1]][..], draft.clone()),
                (&[FORM[0]][..], format!("token={form}&digest={chosen}&do=reject")),
                (&[("content-type", "text/plain")][..], draft),
            ] {
                let answer = house.send(Method::POST, &path, &[head, &from].concat(), body).await;
                assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path} {origin:?} {site:?}");
            }
        }
    }
    assert_eq!(house.dump().await, before);
}

/// What a provider, or whoever pretends to be one, sends back that is not what was asked.
async fn a_sign_in_is_not_forged(scene: &Scene) -> Vec<String> {
    let Scene { house, provider, .. } = scene;
    let mut secrets = Vec::new();
    let now = sayso_domain::Clock::now(&*house.clock).0 / 1000;
    for (claims, more) in [
        (json!({ "nonce": "replayed-nonce-1234" }), json!({})),
        (json!({ "aud": "another-audience" }), json!({})),
        (json!({ "iss": "https://evil.example" }), json!({})),
        (json!({ "exp": now - 1 }), json!({})),
        (json!({}), json!({ "forged": true })),
        (json!({}), json!({ "alg": "none" })),
        (json!({}), json!({ "challenge": "stolen" })),
        (json!({ "sub": " " }), json!({})),
    ] {
        let begun: Begun = begin(house, "/review").await;
        let mut person = ann();
        person.as_object_mut().unwrap().extend(claims.as_object().unwrap().clone());
        let (code, state) = (code(house, provider, &begun, &person, &more), begun.asked["state"].clone());
        let answer = come_back(house, &begun, &code, &state).await;
        assert_eq!(
            (answer.status, answer.header("set-cookie")),
            (StatusCode::FORBIDDEN, ""),
            "{claims} {more}"
        );
        let again = come_back(house, &begun, &code, &state).await;
        assert_eq!(again.status, StatusCode::BAD_REQUEST, "a state comes back once");
        secrets.extend([code, state, begun.asked["nonce"].clone(), begun.cookie]);
    }
    secrets
}

/// All of it, on one thread so that all of its log is heard.
async fn all_of_it(on: On) {
    // At the loudest that an operator would turn on.
    let log = Log::listen("info,sayso=trace,rmcp=warn,sqlx=warn");

    let scene = Scene::set(on).await;
    who_decides_is_not_in_the_body(&scene).await;
    a_token_opens_no_reviewers_door(&scene).await;
    a_tampered_cookie_is_nobodys(&scene).await;
    another_site_is_refused_at_every_route(&scene).await;
    let mut secrets = a_sign_in_is_not_forged(&scene).await;
    let Scene { house, provider, ann, bob, agent } = &scene;
    let wrong = format!("{}AA", &agent[..agent.len() - 2]);
    for wrong in [&wrong, "sayso_short", "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm4ifQ."] {
        let refused = call_as(house, wrong, "elicit_status", json!({ "elicitationId": "x" })).await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
    }
    let id = ask_as(house, agent).await;
    house.send(Method::GET, &format!("/review?elicitationId={id}"), &[("cookie", ann)], "").await;
    let selection = scene.ask_selection().await;
    secrets.push(scene.form_token(&selection, ann).await);
    let signing_out = [("cookie", bob.as_str()), JSON[3], JSON[4]];
    assert_eq!(house.send(Method::POST, "/sign-out", &signing_out, "").await.status, StatusCode::OK);

    let told = log.told();
    for line in ["credentials refused", "somebody was not signed in", "created", "closed"] {
        assert!(told.contains(line), "`{line}` was not logged, so nothing was heard: {told}");
    }
    let secret = provider.client_secret.as_ref().unwrap().told();
    secrets.extend([secret, &wrong[6..], &agent[6..]].map(str::to_owned));
    secrets.extend([ann, bob].map(|cookie| cookie.strip_prefix("sayso=").unwrap().to_owned()));
    // What was asked and answered belongs to nobody's log either.
    secrets.extend(["NorthMark", "mallory", "eyJ", "replayed-nonce-1234"].map(str::to_owned));
    let seal = |text: &String| text.rsplit('.').next().unwrap().to_owned();
    secrets.extend(secrets.iter().map(seal).filter(|seal| seal.len() > 20).collect::<Vec<_>>());
    for secret in secrets {
        assert!(!told.contains(&secret), "{secret} is in the log: {told}");
    }
}

#[tokio::test]
async fn whatever_is_tried_nobody_decides_who_may_not_sqlite() {
    all_of_it(On::Sqlite).await;
}

#[tokio::test]
async fn whatever_is_tried_nobody_decides_who_may_not_postgres() {
    all_of_it(On::Postgres).await;
}
