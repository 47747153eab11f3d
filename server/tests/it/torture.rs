//! The real binary, killed at random moments while agents ask and reviewers decide: what was acknowledged is there, once.
//!
//! The seed chooses the moments and is printed, but what falls into them is the machine's: a failure tells what was lost.

use crate::house::{example, modern_call};
use crate::process;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use sayso::{chance::Chance, store::Store};
use sayso_domain::{Review, ReviewId, audit::Event};
use serde_json::{Value, json};
use std::{
    collections::{HashMap, VecDeque},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};
use tokio::{
    process::Command,
    task::JoinSet,
    time::{sleep, timeout},
};

/// How often the server is killed, unless `TORTURE_KILLS` says otherwise.
const KILLS: usize = 200;
const AGENTS: usize = 6;
const REVIEWERS: usize = 4;

/// What the outside was told, against which the store is held in the end.
#[derive(Default)]
struct Told {
    /// Requests whose creation was acknowledged, by the key under which it was asked.
    created: HashMap<String, String>,
    /// What a reviewer was told that they had decided, or that somebody had before.
    decided: HashMap<String, Value>,
    /// How many reviewers were told that theirs was the decision.
    won: HashMap<String, usize>,
    /// What the agent fetched.
    fetched: HashMap<String, Value>,
    /// Requests that wait for a reviewer; each is given to all of them.
    desks: Vec<VecDeque<String>>,
}

struct Outside {
    http: reqwest::Client,
    base: String,
    told: Mutex<Told>,
    over: AtomicBool,
    /// Requests that broke because the server went away, to know that the killing was felt.
    felt: AtomicUsize,
}

impl Outside {
    /// Says it again until the server lives to answer. No answer in time is a failure: nothing may hang.
    async fn post(&self, path: &str, headers: &[(&str, &str)], body: &str) -> Value {
        const AT_MOST: Duration = Duration::from_secs(40);
        loop {
            let mut request = self.http.post(format!("{}{path}", self.base)).body(body.to_owned());
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            let answered = async { request.send().await?.text().await };
            let answered =
                timeout(AT_MOST, answered).await.unwrap_or_else(|_| panic!("hangs: {path} {body}"));
            let parsed = answered.ok().and_then(|text| {
                let mut data = text.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim);
                let last = data.rfind(|data| !data.is_empty());
                serde_json::from_str::<Value>(last.unwrap_or(&text)).ok()
            });
            match parsed {
                Some(value) => return value,
                None => {
                    self.felt.fetch_add(1, SeqCst);
                    sleep(Duration::from_millis(5)).await;
                }
            }
        }
    }

    async fn call(&self, tool: &str, arguments: &Value) -> Value {
        loop {
            let (headers, body) = modern_call(tool, &arguments.to_string());
            let mut result = self.post("/mcp", &headers, &body).await["result"].take();
            let content = result["structuredContent"].take();
            // The store went away, not the server.
            if content.is_object() && content["code"] != "unavailable" {
                return content;
            }
            self.felt.fetch_add(1, SeqCst);
            sleep(Duration::from_millis(5)).await;
        }
    }

    /// An agent: asks, waits, fetches, fetches again.
    async fn ask(&self, name: usize) {
        for count in 0.. {
            if self.over.load(SeqCst) {
                return;
            }
            let key = format!("{name}-{count}");
            let mut arguments = example();
            arguments["idempotencyKey"] = json!(key);
            let opened = self.call("elicit_proposal", &arguments).await;
            let id = opened["elicitationId"].as_str().unwrap_or_else(|| panic!("{opened}")).to_owned();
            {
                let mut told = self.told.lock().unwrap();
                told.created.insert(key, id.clone());
                for desk in &mut told.desks {
                    desk.push_back(id.clone());
                }
            }
            let named = json!({ "elicitationId": id, "waitSeconds": 5 });
            while self.call("elicit_await", &named).await["status"] == "pending" {}
            let named = json!({ "elicitationId": id });
            let first = self.call("elicit_result", &named).await;
            let again = self.call("elicit_result", &named).await;
            assert_eq!(first, again, "a result never changes");
            self.told.lock().unwrap().fetched.insert(id, first);
        }
    }

    /// The digest that the page of a request holds, as soon as the server lives to show it.
    async fn shown(&self, id: &str) -> String {
        loop {
            let page = async {
                self.http.get(format!("{}/review?elicitationId={id}", self.base)).send().await?.text().await
            };
            let page = page.await.unwrap_or_default();
            let digest = page.split_once(r#""digest":""#).and_then(|(_, rest)| rest.split_once('"'));
            if let Some((digest, _)) = digest {
                return digest.to_owned();
            }
            self.felt.fetch_add(1, SeqCst);
            sleep(Duration::from_millis(5)).await;
        }
    }

    /// A reviewer: decides whatever comes, in a race with all others, each with a value of their own.
    async fn review(&self, desk: usize) {
        loop {
            let next = self.told.lock().unwrap().desks[desk].pop_front();
            let Some(id) = next else {
                if self.over.load(SeqCst) {
                    return;
                }
                sleep(Duration::from_millis(2)).await;
                continue;
            };
            let draft = json!({ "submit": { "name": format!("reviewer {desk}") } });
            let digest = self.shown(&id).await;
            let body = json!({ "id": id, "draft": { "proposal": draft }, "digest": digest }).to_string();
            let page = [
                ("content-type", "application/json"),
                ("accept", "application/json"),
                ("origin", self.base.as_str()),
                ("x-sayso", "page"),
            ];
            let (outcome, mine) = loop {
                let said = self.post("/api/submit", &page, &body).await;
                if let Some(outcome) = said.get("decided") {
                    break (outcome.clone(), true);
                } else if let Some(outcome) = said.get("too_late") {
                    break (outcome.clone(), false);
                }
                // The store went away, not the server.
                self.felt.fetch_add(1, SeqCst);
                sleep(Duration::from_millis(5)).await;
            };
            let mut told = self.told.lock().unwrap();
            *told.won.entry(id.clone()).or_default() += usize::from(mine);
            let before = told.decided.insert(id.clone(), outcome.clone());
            assert!(before.is_none_or(|before| before == outcome), "{id} was decided twice");
        }
    }
}

async fn torture(database_url: &str, mut crash: impl AsyncFnMut(usize)) {
    let kills = std::env::var("TORTURE_KILLS").map_or(KILLS, |kills| kills.parse().unwrap());
    let seed = rand::random::<u64>();
    eprintln!("seed {seed}, {kills} kills");
    let mut chance = StdRng::seed_from_u64(seed);
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let _ = rustls::crypto::ring::default_provider().install_default();
    let outside = Arc::new(Outside {
        http: reqwest::Client::builder().no_proxy().build().unwrap(),
        base: format!("http://127.0.0.1:{port}"),
        told: Mutex::new(Told { desks: vec![VecDeque::new(); REVIEWERS], ..Told::default() }),
        over: AtomicBool::new(false),
        felt: AtomicUsize::new(0),
    });
    let mut server = process::start(database_url, port, &log);
    let mut people = JoinSet::new();
    for name in 0..AGENTS {
        let outside = Arc::clone(&outside);
        people.spawn(async move { outside.ask(name).await });
    }
    for desk in 0..REVIEWERS {
        let outside = Arc::clone(&outside);
        people.spawn(async move { outside.review(desk).await });
    }
    for kill in 0..kills {
        // Before it listens, while it reads what was, and in the midst of work.
        sleep(Duration::from_millis(chance.random_range(20..400))).await;
        crash(kill).await;
        server.kill().await.unwrap();
        server = process::start(database_url, port, &log);
    }
    outside.over.store(true, SeqCst);
    let ended = timeout(Duration::from_secs(120), async {
        while let Some(person) = people.join_next().await {
            person.unwrap();
        }
    });
    let ended = ended.await;
    let said = std::fs::read_to_string(&log).unwrap();
    ended.unwrap_or_else(|_| panic!("somebody hangs; the server says:\n{said}"));
    assert!(!said.contains("panicked"), "{said}");
    server.kill().await.unwrap();

    let store = Store::open(database_url, Arc::new(Chance::seeded(1))).await.unwrap();
    let told = std::mem::take(&mut *outside.told.lock().unwrap());
    eprintln!("{} requests, {} broken calls", told.created.len(), outside.felt.load(SeqCst));
    assert!(told.created.len() > kills / 4, "there was work to lose: {}", told.created.len());
    assert!(outside.felt.load(SeqCst) > kills / 4, "the killing was felt");
    for (key, id) in &told.created {
        let review_id: ReviewId = id.parse().unwrap();
        let (stored, _) =
            store.repeated("local", key).await.unwrap().expect("an acknowledged creation is there");
        assert_eq!(stored, review_id, "the key stands for one request");
        let Some(Review::Closed(closed)) = store.find(review_id).await.unwrap() else {
            panic!("{id} was decided and is not");
        };
        let outcome = &told.decided[id];
        assert_eq!(outcome["status"], closed.outcome().word());
        assert!(told.won.get(id).is_none_or(|won| *won <= 1), "{id}: more than one decided");
        let values = &outcome["blessed"]["values"];
        let fetched = &told.fetched[id];
        assert_eq!(fetched["decision"], "approved");
        assert!(
            values.to_string().contains(fetched["values"]["name"].as_str().unwrap()),
            "{values} {fetched}"
        );
        let trail = store.trail(review_id).await.unwrap();
        let count = |wanted: fn(&Event) -> bool| trail.iter().filter(|entry| wanted(&entry.event)).count();
        assert_eq!(count(|event| matches!(event, Event::Created)), 1, "{id}");
        assert_eq!(count(|event| matches!(event, Event::Decided(_))), 1, "{id}");
    }
    store.shut().await;
    the_chain_verifies(database_url, folder.path()).await;
}

/// By the real binary, as an auditor would.
async fn the_chain_verifies(database_url: &str, folder: &std::path::Path) {
    let sayso = async |arguments: &[&str]| {
        let done =
            Command::new(env!("CARGO_BIN_EXE_sayso")).args(arguments).env_clear().output().await.unwrap();
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.success(), "{arguments:?}: {said}");
        done.stdout
    };
    let export = sayso(&["audit", "export", "--database-url", database_url]).await;
    let file = folder.join("trail.jsonl");
    std::fs::write(&file, &export).unwrap();
    let said = String::from_utf8(sayso(&["audit", "verify", file.to_str().unwrap()]).await).unwrap();
    assert!(said.starts_with("whole: "), "{said}");
    eprintln!("{said}");
    let changed = String::from_utf8(export).unwrap().replacen("\"created\"", "\"expired\"", 1);
    std::fs::write(&file, changed).unwrap();
    let mut verify = Command::new(env!("CARGO_BIN_EXE_sayso"));
    let done = verify.args(["audit", "verify", file.to_str().unwrap()]).env_clear().output().await.unwrap();
    assert_eq!(done.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&done.stderr).contains("was changed"));
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite() {
    let folder = tempfile::tempdir().unwrap();
    torture(&format!("sqlite:{}/sayso.db", folder.path().display()), async |_| {}).await;
}

/// Every fifth time the database is killed as well, and comes back by itself.
#[tokio::test(flavor = "multi_thread")]
async fn postgres() {
    let database = crate::postgres::Own::start().await;
    torture(&database.url, async |kill| {
        if kill % 5 == 4 {
            database.crash().await;
        }
    })
    .await;
}
