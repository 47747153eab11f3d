//! A house for a test: a store of its own, a clock wound by hand, ids from a seed, and the whole router in front.

mod calls;
mod database;
mod given;
mod log;

use axum::{
    Router,
    middleware::{Next, from_fn},
    response::Response,
};
use sayso::{
    agents::Agents,
    chance::Chance,
    config::{Access, Origin, PublicUrl, SignIn},
    crowd::Crowd,
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
use sayso_domain::{Clock, Moment};
use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

pub use calls::*;
pub use database::empty;
pub use given::*;
pub use log::Log;

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
        let (database_url, folder) = database::empty(on).await;
        Self::open(database_url, folder, Arc::default(), 1, own_url(), Access::default(), None).await
    }

    /// A house on a database that is there.
    pub async fn with(database_url: String) -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self::open(database_url, folder, Arc::default(), 7, own_url(), Access::default(), None).await
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

    /// Every route, as axum knows them: it tells them to nobody but to who debugs it.
    pub fn routes(&self) -> BTreeSet<String> {
        let told = format!("{:?}", self.router);
        let paths = told.split("RouteId(").filter_map(|part| part.split_once("): \"")?.1.split_once('"'));
        paths.map(|(path, _)| path.to_owned()).filter(|path| !path.contains("__private")).collect()
    }
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
