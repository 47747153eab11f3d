//! A house for a test: a store of its own, a clock wound by hand, ids from a seed, and the whole router in front.

use axum::{
    Router,
    body::{Body, HttpBody},
    middleware::{Next, from_fn},
    response::Response,
};
use http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::BodyExt;
use sayso::{
    agents::Agents,
    chance::Chance,
    config::{Access, Origin, PublicUrl, SignIn},
    crowd::Crowd,
    digest,
    guard::Ours,
    mcp::{
        self, Tools,
        sessions::{Principal, Sessions},
    },
    metrics::Metrics,
    pages::Pages,
    proof::Proofs,
    render::Renderer,
    render::{frame::Frames, options::frame::Options},
    reviewers::People,
    reviews::Reviews,
    router::{self, Doors},
    signing::Signer,
    store::Store,
    token::Tokens,
};
use sayso_domain::{
    Ask, Clock, Draft, Moment, Object, ReviewId,
    people::{Person, Visitor},
    proposal,
    proposal::Proposal,
    review::Agent,
    review::Reviewer,
    sheet::Sent,
};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

/// A clock that stands still until somebody winds it.
#[derive(Default)]
pub struct HandWound(AtomicI64);

impl HandWound {
    pub fn wind(&self, seconds: i64) {
        self.0.fetch_add(seconds * 1000, Ordering::SeqCst);
    }
}

impl Clock for HandWound {
    fn now(&self) -> Moment {
        Moment(1_784_203_200_000 + self.0.load(Ordering::SeqCst))
    }
}

/// Which database a test runs on.
#[derive(Clone, Copy, Debug)]
pub enum On {
    Sqlite,
    Postgres,
}

pub struct House {
    pub clock: Arc<HandWound>,
    pub store: Store,
    pub reviews: Reviews,
    pub router: Router,
    pub stopping: CancellationToken,
    pub database_url: String,
    seed: u64,
    sign_in: Option<SignIn>,
    _folder: TempDir,
}

impl House {
    pub async fn new() -> Self {
        Self::on(On::Sqlite).await
    }

    /// A house that is reached by another URL than its own address.
    pub async fn behind(public_url: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database_url = format!("sqlite:{}/sayso.db", folder.path().display());
        let url = PublicUrl::parse(public_url).unwrap();
        Self::open(database_url, folder, Arc::default(), 1, url, Access::default(), None).await
    }

    pub async fn on(on: On) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database_url = match on {
            On::Sqlite => format!("sqlite:{}/sayso.db", folder.path().display()),
            On::Postgres => fresh_postgres().await,
        };
        Self::open(database_url, folder, Arc::default(), 1, own_url(), Access::default(), None).await
    }

    /// The same house where people sign in.
    pub async fn signing_in(self, sign_in: SignIn) -> Self {
        self.store.shut().await;
        let (folder, clock) = (self._folder, self.clock);
        Self::open(
            self.database_url,
            folder,
            clock,
            self.seed + 1,
            own_url(),
            Access::default(),
            Some(sign_in),
        )
        .await
    }

    /// The same house after its server has gone and come back: same database, same clock, nothing in memory.
    pub async fn restarted(self) -> Self {
        self.store.shut().await;
        let (folder, clock) = (self._folder, self.clock);
        Self::open(
            self.database_url,
            folder,
            clock,
            self.seed + 1,
            own_url(),
            Access::default(),
            self.sign_in,
        )
        .await
    }

    /// Another server on the same database.
    pub async fn neighbour(&self) -> Self {
        self.guarded(own_url(), Access::default()).await
    }

    /// Another server on the same database, reached by this URL, at which agents come in like this.
    pub async fn guarded(&self, public_url: PublicUrl, access: Access) -> Self {
        let (url, folder) = (self.database_url.clone(), tempfile::tempdir().unwrap());
        let (clock, sign_in) = (Arc::clone(&self.clock), self.sign_in.clone());
        Self::open(url, folder, clock, self.seed + 100, public_url, access, sign_in).await
    }

    async fn open(
        database_url: String,
        folder: TempDir,
        clock: Arc<HandWound>,
        seed: u64,
        public_url: PublicUrl,
        access: Access,
        sign_in: Option<SignIn>,
    ) -> Self {
        let chance = Arc::new(Chance::seeded(seed));
        let store = Store::open(&database_url, Arc::clone(&chance)).await.unwrap();
        let stopping = CancellationToken::new();
        let reviews = Reviews::new(store.clone(), clock.clone(), Arc::clone(&chance), stopping.clone());
        let hosts = public_url.hosts(ADDRESS.parse().unwrap());
        let renderer = Renderer::start().unwrap();
        let guests = [Origin::parse(GUEST).unwrap()];
        let tokens = Tokens::new(store.clone(), Arc::clone(&chance));
        let people =
            People::new(reviews.clone(), tokens.clone(), Arc::clone(&chance), &public_url, sign_in.clone());
        let frames = Frames::new(reviews.clone(), renderer.clone(), people.clone());
        // From a generator of its own: what the tests name after seeds stays as it was.
        let signer = Signer::open(&store, &Chance::seeded(seed + 10_000), clock.now()).await.unwrap();
        let proofs = Proofs::new(signer, &public_url);
        let tools =
            Tools::new(reviews.clone(), renderer.clone(), tokens.clone(), proofs.clone(), public_url.clone())
                .telling_people_apart(people.sign_in());
        let sessions = Sessions::new(store.clone(), clock.clone(), Arc::clone(&chance));
        let crowd = Crowd::new(people.clone(), &access);
        let metrics = Metrics::new(reviews.clone(), sessions.clone(), tools.waiters(), crowd.clone());
        let mcp = mcp::service(
            tools,
            sessions,
            &public_url,
            &hosts,
            &guests,
            stopping.clone(),
            #[cfg(feature = "conformance")]
            false,
        );
        let options =
            Options::new(reviews.clone(), renderer.clone(), tokens, people.clone(), public_url.prefix());
        let pages = Pages::new(reviews.clone(), renderer, people, public_url.clone(), chance);
        let agents = Agents::new(reviews.clone(), clock.clone(), &access, &public_url).unwrap();
        let doors = Doors {
            agents,
            crowd,
            patience: access.patience,
            proofs,
            reviews: reviews.clone(),
            pages,
            frames,
            options,
            mcp,
            metrics,
        };
        let ours = Ours::new(&hosts).with_guests(&guests);
        let router = router::router(doors, ours, &public_url).layer(from_fn(as_whom));
        Self { clock, store, reviews, router, stopping, database_url, seed, sign_in, _folder: folder }
    }

    /// Does what only somebody with the database in their hands can do.
    pub async fn raw(&self, sql: &str) -> Result<(), sqlx::Error> {
        let url = self.database_url.replace("sqlite:/", "sqlite:///");
        let mut connection = <sqlx::AnyConnection as sqlx::Connection>::connect(&url).await?;
        sqlx::query(sqlx::AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.map(|_| ())
    }

    /// Every row of every table, as text.
    pub async fn dump(&self) -> Vec<String> {
        let url = self.database_url.replace("sqlite:/", "sqlite:///");
        let mut connection = <sqlx::AnyConnection as sqlx::Connection>::connect(&url).await.unwrap();
        let (tables, columns) = if url.starts_with("sqlite:") {
            (
                "SELECT name FROM sqlite_master WHERE type = 'table'",
                "SELECT name FROM pragma_table_info('{}')",
            )
        } else {
            (
                "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'",
                "SELECT column_name::text FROM information_schema.columns WHERE table_schema = 'public' AND table_name = '{}'",
            )
        };
        let tables: Vec<String> = sqlx::query_scalar(tables).fetch_all(&mut connection).await.unwrap();
        let mut rows = Vec::new();
        for table in
            tables.iter().filter(|table| !table.starts_with(['_', ' ']) && *table != "sqlite_sequence")
        {
            let columns = sqlx::AssertSqlSafe(columns.replace("{}", table));
            let columns: Vec<String> = sqlx::query_scalar(columns).fetch_all(&mut connection).await.unwrap();
            let told =
                columns.iter().map(|name| format!("'{name}=' || COALESCE(CAST({name} AS TEXT), 'NULL')"));
            let sql = format!("SELECT {} FROM {table}", told.collect::<Vec<_>>().join(" || ' ' || "));
            let told: Vec<String> =
                sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_all(&mut connection).await.unwrap();
            rows.extend(told.into_iter().map(|row| format!("{table}: {row}")));
        }
        rows.sort();
        rows
    }

    /// Every route, as axum knows them: it tells them to nobody but to who debugs it.
    pub fn routes(&self) -> BTreeSet<String> {
        let told = format!("{:?}", self.router);
        let paths = told.split("RouteId(").filter_map(|part| part.split_once("): \"")?.1.split_once('"'));
        paths.map(|(path, _)| path.to_owned()).filter(|path| !path.contains("__private")).collect()
    }

    /// Sends a request as [`send`](Self::send) does; comes back with the head of the answer.
    pub async fn head_of(&self, method: Method, path: &str, headers: &[(&str, &str)]) -> Response {
        let mut request = Request::builder().method(method).uri(path);
        if !headers.iter().any(|(name, _)| *name == "host") {
            request = request.header("host", "127.0.0.1:3000");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
    }

    /// Sends a request through the whole router, as from this machine unless `headers` say otherwise.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        if !headers.iter().any(|(name, _)| *name == "host") {
            request = request.header("host", "127.0.0.1:3000");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let body = body.into();
        // As clients do who know what they send.
        if let Some(length) = HttpBody::size_hint(&body).exact().filter(|length| *length > 0) {
            request = request.header("content-length", length);
        }
        let response = self.router.clone().oneshot(request.body(body).unwrap()).await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let body = response.into_body().collect().await.unwrap().to_bytes();
        Answer { status, headers, body: String::from_utf8_lossy(&body).into_owned(), length: body.len() }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, &[], Body::empty()).await
    }

    /// Calls a tool as [`call_text`](Self::call_text) does; comes back with the head of the answer.
    pub async fn begin_call(&self, tool: &str, arguments: &Value) -> Response {
        let (headers, body) = modern_call(tool, &arguments.to_string());
        let mut request =
            Request::builder().method(Method::POST).uri("/mcp").header("host", "127.0.0.1:3000");
        for (name, value) in headers {
            request = request.header(name, value);
        }
        self.router.clone().oneshot(request.body(Body::from(body)).unwrap()).await.unwrap()
    }

    /// Calls a tool as a client of revision 2026-07-28 does, arguments as JSON text; the result as it stands.
    pub async fn call_text(&self, tool: &str, arguments: &str) -> Answer {
        let (headers, body) = modern_call(tool, arguments);
        self.send(Method::POST, "/mcp", &headers, body).await
    }

    /// Calls a tool; its structured content, and whether it is an error.
    pub async fn call(&self, tool: &str, arguments: Value) -> (Value, bool) {
        let result = self.call_text(tool, &arguments.to_string()).await.message()["result"].take();
        (result["structuredContent"].clone(), result["isError"] == true)
    }

    /// Creates the example; its id.
    pub async fn propose(&self) -> String {
        self.ask("elicit_proposal", example()).await
    }

    /// Creates a request; its id.
    pub async fn ask(&self, tool: &str, arguments: Value) -> String {
        let (answer, is_error) = self.call(tool, arguments).await;
        assert!(!is_error, "{answer}");
        answer["elicitationId"].as_str().unwrap().to_owned()
    }

    /// Decides on a proposal as the page does; what became of it.
    pub async fn decide(&self, id: &str, draft: Value) -> Value {
        self.decide_on("proposal", id, draft).await
    }

    /// Decides on a request of some kind as the page does; what became of it.
    pub async fn decide_on(&self, kind: &str, id: &str, draft: Value) -> Value {
        self.submit(json!({ "id": id, "draft": { kind: draft }, "digest": self.digest(id).await })).await
    }

    /// Sends what a page sends; what became of it.
    pub async fn submit(&self, whole: Value) -> Value {
        let answer = self.send(Method::POST, "/api/submit", &JSON, whole.to_string()).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        serde_json::from_str(&answer.body).unwrap()
    }

    /// The digest that the page of a request sends back; of nothing where there is none.
    pub async fn digest(&self, id: &str) -> String {
        let review = match id.parse() {
            Ok(id) => self.reviews.look(id).await.unwrap(),
            Err(_) => None,
        };
        review.map(|review| digest::of_request(review.request())).unwrap_or_default()
    }

    /// A draft with the digest of what it is about, as a page sends it.
    pub async fn sent(&self, id: ReviewId, draft: Draft) -> Sent {
        Sent { draft, comment: String::new(), digest: self.digest(&id.to_string()).await }
    }
}

/// The headers and the body of a call by a client of revision 2026-07-28.
pub fn modern_call<'a>(tool: &'a str, arguments: &str) -> ([(&'a str, &'a str); 5], String) {
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments},"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{{"name":"crm-enrichment","version":"1"}},"io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
    );
    let headers = [
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
        ("mcp-name", tool),
    ];
    (headers, body)
}

/// Tests say whose request it is; what checks credentials will.
async fn as_whom(mut request: axum::extract::Request, next: Next) -> Response {
    if let Some(name) = request.headers().get("x-principal").cloned() {
        request.extensions_mut().insert(Principal(name.to_str().unwrap().to_owned()));
    }
    next.run(request).await
}
/// The one other origin whose pages may call `/mcp`.
pub const GUEST: &str = "https://inspector.example";

const ADDRESS: &str = "127.0.0.1:3000";

pub fn own_url() -> PublicUrl {
    PublicUrl::of(ADDRESS.parse().unwrap())
}

/// The headers of the page's own requests.
pub const JSON: [(&str, &str); 5] = [
    ("x-sayso", "page"),
    ("content-type", "application/json"),
    ("accept", "application/json"),
    ("origin", "http://127.0.0.1:3000"),
    ("sec-fetch-site", "same-origin"),
];

pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: String,
    /// Bytes of the body as they travelled.
    pub length: usize,
}

impl Answer {
    /// The JSON-RPC message with an id, whether it came as JSON or as the last event of a stream.
    pub fn message(&self) -> Value {
        let data = self
            .body
            .lines()
            .filter_map(|line| line.strip_prefix("data:"))
            .map(str::trim)
            .rfind(|data| !data.is_empty());
        serde_json::from_str(data.unwrap_or(&self.body))
            .unwrap_or_else(|_| panic!("{}: {}", self.status, self.body))
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

/// The example of the reference page, shortened where nothing hangs on it.
pub fn example() -> Value {
    json!({
        "message": "Sync NorthMark Strategies from Apollo into Salesforce",
        "columns": { "sources": [{ "key": "apollo", "label": "Apollo" }, { "key": "crunchbase", "label": "Crunchbase" }], "current": { "label": "Salesforce" } },
        "context": { "objectType": "Account", "recordId": null, "externalKey": "678cd3…" },
        "requestedSchema": {
            "type": "object",
            "properties": {
                "name": { "type": "string", "title": "Name", "default": "NorthMark Strategies" },
                "employeeCount": { "type": "integer", "title": "Number of Employees", "default": 230 },
                "institutionTypes": { "type": "array", "title": "Institution Types", "items": { "enum": ["Asset Manager", "Private Equity"] }, "default": ["Asset Manager"] }
            },
            "required": ["name"]
        },
        "fields": {
            "name": { "sources": { "apollo": "NorthMark Strategies", "crunchbase": "NorthMark Strategies Inc." }, "current": null },
            "employeeCount": { "sources": { "apollo": 230 }, "current": null },
            "institutionTypes": { "sources": { "apollo": ["Asset Manager"] }, "current": [], "include": true }
        }
    })
}

pub fn ask() -> Ask {
    ask_of(&example())
}

pub fn ask_of(arguments: &Value) -> Ask {
    Ask::Proposal(Proposal::parse(arguments.as_object().unwrap()).unwrap().0)
}

pub fn agent(principal: &str) -> Agent {
    Agent { principal: principal.to_owned(), client: Some("tests".to_owned()) }
}

pub fn reviewer(name: &str) -> Reviewer {
    Reviewer { name: name.to_owned() }
}

/// Somebody who has signed in, by address.
pub fn visitor(email: &str) -> Visitor {
    Visitor::Reviewer(Person {
        subject: email.to_owned(),
        email: Some(email.to_owned()),
        name: None,
        groups: Vec::new(),
    })
}

pub fn submit(values: Value) -> Draft {
    let values: Object = values.as_object().unwrap().clone();
    Draft::Proposal(proposal::Draft::Submit(values))
}

pub fn cancel() -> Draft {
    Draft::Proposal(proposal::Draft::Cancel)
}

/// A new database on the Postgres that `./dev test` starts.
async fn fresh_postgres() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let Ok(url) = std::env::var("SAYSO_TEST_POSTGRES_URL") else {
        panic!(
            "these tests want a Postgres: run them by `./dev test`, or by `tools/postgres run cargo test`"
        );
    };
    let name = format!("t{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::SeqCst));
    sqlx::any::install_default_drivers();
    let mut connection = <sqlx::AnyConnection as sqlx::Connection>::connect(&url).await.unwrap();
    sqlx::raw_sql(sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}")))
        .execute(&mut connection)
        .await
        .unwrap();
    let (server, _) = url.rsplit_once('/').unwrap();
    format!("{server}/{name}")
}

/// Writes a test that runs on both databases.
#[macro_export]
macro_rules! on_both {
    ($($(#[$note:meta])* async fn $name:ident($house:ident: House) $body:block)*) => {
        $($(#[$note])* mod $name {
            use super::*;
            async fn run($house: House) $body

            #[tokio::test(flavor = "multi_thread")]
            async fn sqlite() {
                run(House::on(On::Sqlite).await).await;
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn postgres() {
                run(House::on(On::Postgres).await).await;
            }
        })*
    };
}
