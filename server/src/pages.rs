//! What reviewers' browsers get: documents, the server functions, and the desk behind them. The only module that
//! knows `leptos_axum`.

pub mod sign_in;
pub mod trail;

use crate::{
    chance::Chance,
    config::PublicUrl,
    digest, guard,
    render::{
        Renderer,
        frame::{status_of, status_of_trouble},
    },
    reviewers::People,
    reviews::{Reviews, Sight},
    site,
    store::StoreError,
};
use axum::{
    body::Body,
    extract::{Path, Query, Request, State},
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use leptos::prelude::{RenderHtml, get_configuration, provide_context};
use sayso_app::{
    api::HEADER,
    desk::{Desk, Later, TheDesk, Trouble},
    document::Document,
    pages::{
        home_html, missing_html, people, review_html,
        trouble::{Cannot, trouble_html},
    },
};
use sayso_domain::{
    Review, ReviewId, Sheet, Status,
    audit::Door,
    fault::excerpt,
    people::{Denied, Visitor},
    reveal,
    sheet::{Sent, Standing, Submitted},
};
use serde::Deserialize;
use std::{sync::Arc, time::Duration};

/// At most so many bytes in a draft: what an agent may ask fits into 1 MiB, and so does what a person answers.
pub const DRAFT_BYTES: usize = 1 << 20;

/// What the pages stand on.
#[derive(Clone)]
pub struct Pages {
    reviews: Reviews,
    renderer: Renderer,
    people: People,
    public_url: PublicUrl,
    chance: Arc<Chance>,
    /// Where `cargo leptos watch` listens, if it started this server.
    reload: Option<Reload>,
}

#[derive(Clone)]
struct Reload {
    script: String,
    address: String,
}

impl Pages {
    /// Puts the pieces together.
    pub fn new(
        reviews: Reviews,
        renderer: Renderer,
        people: People,
        public_url: PublicUrl,
        chance: Arc<Chance>,
    ) -> Self {
        Self { reviews, renderer, people, public_url, chance, reload: Reload::from_environment() }
    }
}

/// The link that an agent shows to a person.
#[derive(Deserialize)]
pub struct Link {
    #[serde(rename = "elicitationId")]
    id: Option<String>,
}

/// `GET /review?elicitationId=…`: the page of a request, for whom may decide it, or that there is none. Looking changes
/// nothing.
pub async fn review(State(pages): State<Pages>, Query(link): Query<Link>, headers: HeaderMap) -> Response {
    let (review, visitor) = match pages.sight(&link, &headers).await {
        Ok(seen) => seen,
        Err(refused) => return *refused,
    };
    let header = pages.renderer.header(&review, pages.public_url.prefix()).await;
    let sheet = Sheet::of(&review, digest::of_request(review.request()), header, pages.reviews.now());
    let data = serde_json::to_string(&sheet).expect("a sheet is plain JSON");
    let title = format!("{} · Sayso", excerpt(&reveal::to_text(&sheet.message)));
    let nonce = pages.nonce();
    let trail = pages.trail_of(sheet.id);
    let body = review_html(sheet) + &pages.person(&visitor, Some(trail));
    let html = pages.document(&title, &nonce, |document| document.live(&data, &body));
    page(StatusCode::OK, html, &policy(&nonce, Scripts::Own, pages.reload.as_ref()))
}

/// `GET /events?elicitationId=…`: one event, `ended`, as soon as the request is no longer pending.
pub async fn events(State(pages): State<Pages>, Query(link): Query<Link>, headers: HeaderMap) -> Response {
    /// Longer than a request lives; whoever goes away ends it.
    const AT_MOST: Duration = Duration::from_secs(8 * 24 * 3600);
    let Some(id) = link.id.and_then(|id| id.parse().ok()) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let sight = async {
        let visitor = pages.people.caller(&headers).await?.visitor;
        pages.reviews.show(id, &visitor).await
    };
    match sight.await {
        Ok(Sight::Review(_)) => {}
        Ok(Sight::Unknown) => return StatusCode::NOT_FOUND.into_response(),
        Ok(Sight::Denied(denied)) => return status_of(&denied).into_response(),
        Err(error) => {
            tracing::error!(%error, review = %id, "waiting for an end");
            return status_of_trouble(&error).into_response();
        }
    }
    let ended = async move {
        match pages.reviews.ended(id, AT_MOST).await {
            Ok(Some(Status::Pending)) => Event::default().comment("the server stops"),
            Ok(status) => Event::default().event("ended").data(status.map_or("unknown", Status::word)),
            Err(error) => {
                tracing::error!(%error, review = %id, "waiting for an end");
                Event::default().comment("the store does not answer")
            }
        }
    };
    let events = futures_util::stream::once(async move { Ok::<_, std::convert::Infallible>(ended.await) });
    Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(20))).into_response()
}

/// `GET /`: what this is and how an agent is connected, and who is signed in.
pub async fn home(State(pages): State<Pages>, headers: HeaderMap) -> Response {
    let mut body = home_html(format!("{}/mcp", pages.public_url));
    match pages.people.caller(&headers).await {
        Ok(caller) if caller.visitor != Visitor::Stranger => body += &pages.person(&caller.visitor, None),
        Ok(_) => {}
        Err(error) => tracing::error!(%error, "looking who is signed in"),
    }
    pages.still(StatusCode::OK, "Sayso", &body)
}

/// Every other address.
pub async fn missing(State(pages): State<Pages>) -> Response {
    pages.missing()
}

/// `POST /api/…`: a server function, with the desk of the person who calls it.
pub async fn api(State(pages): State<Pages>, request: Request<Body>) -> Response {
    if request.headers().get(HEADER).is_none_or(|value| value != "page") {
        let words = "Only a page of this server decides; nothing was decided.";
        return (StatusCode::FORBIDDEN, words).into_response();
    }
    let visitor = match pages.people.caller(request.headers()).await {
        Ok(caller) => caller.visitor,
        Err(error) => {
            tracing::error!(%error, "serving a reviewer");
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        }
    };
    let reviews = pages.reviews.by(guard::via(Door::Page, request.extensions()));
    let desk: TheDesk = Arc::new(PersonsDesk { reviews, visitor });
    let provide = move || provide_context(Arc::clone(&desk));
    let response = leptos_axum::handle_server_fns_with_context(provide, request).await.into_response();
    if response.status() != StatusCode::INTERNAL_SERVER_ERROR {
        return response;
    }
    // Leptos answers so whatever went wrong; what it could not read is the sender's fault and not the server's.
    let body = axum::body::to_bytes(response.into_body(), DRAFT_BYTES).await.unwrap_or_default();
    if [&b"Deserialization"[..], b"Args", b"MissingArg"].iter().any(|unreadable| body.starts_with(unreadable))
    {
        return (
            StatusCode::BAD_REQUEST,
            "This is no draft that a page of this server sends; nothing was decided.",
        )
            .into_response();
    }
    (StatusCode::INTERNAL_SERVER_ERROR, body).into_response()
}

/// `GET /pkg/…`.
pub async fn asset(Path(file): Path<String>, headers: HeaderMap) -> Response {
    site::hashed(&file, &headers)
}

/// `GET /icon.svg`.
pub async fn icon(headers: HeaderMap) -> Response {
    site::plain("icon.svg", &headers)
}

impl Pages {
    /// The review that a link names and who looks at it, if they may see it; else what they get instead.
    async fn sight(&self, link: &Link, headers: &HeaderMap) -> Result<(Box<Review>, Visitor), Box<Response>> {
        let id: Option<ReviewId> = link.id.as_ref().and_then(|id| id.parse().ok());
        let sight = async {
            let visitor = self.people.caller(headers).await?.visitor;
            let sight = match id {
                Some(id) => self.reviews.show(id, &visitor).await?,
                None if visitor == Visitor::Stranger => Sight::Denied(Denied::SignIn),
                None => Sight::Unknown,
            };
            Ok::<_, StoreError>((sight, visitor))
        };
        match sight.await {
            Ok((Sight::Review(review), visitor)) => Ok((review, visitor)),
            Ok((Sight::Unknown, _)) => Err(Box::new(self.missing())),
            Ok((Sight::Denied(denied), _)) => Err(Box::new(self.denied(&denied, id))),
            Err(error) => Err(Box::new(self.unavailable(&error))),
        }
    }

    fn missing(&self) -> Response {
        self.still(StatusCode::NOT_FOUND, "No such request · Sayso", &missing_html())
    }

    /// What somebody gets where the store has no answer.
    fn unavailable(&self, error: &StoreError) -> Response {
        tracing::error!(%error, "showing a review");
        let cannot = if error.is_damage() { Cannot::BeRead } else { Cannot::JustNow };
        self.still(status_of_trouble(error), "Not available \u{b7} Sayso", &trouble_html(cannot))
    }

    /// What somebody gets who may not see a request: nothing of it.
    fn denied(&self, denied: &Denied, id: Option<ReviewId>) -> Response {
        let base = self.public_url.prefix().to_owned();
        match denied {
            Denied::SignIn => {
                let next = id.map(|id| format!("?next=%2Freview%3FelicitationId%3D{id}")).unwrap_or_default();
                let body = people::sign_in_html(format!("{base}/sign-in{next}"));
                self.still(status_of(denied), "Sign in · Sayso", &body)
            }
            Denied::NotYours(person) => {
                let body = people::not_yours_html(person.known_as(), base);
                self.still(status_of(denied), "Not yours to decide · Sayso", &body)
            }
        }
    }

    /// The line that says who stands before a page.
    fn person(&self, visitor: &Visitor, trail: Option<String>) -> String {
        people::person_html(
            visitor.person().map(|person| person.known_as()),
            self.public_url.prefix().to_owned(),
            trail,
        )
    }

    fn still(&self, status: StatusCode, title: &str, body: &str) -> Response {
        let nonce = self.nonce();
        let html = self.document(title, &nonce, |document| document.still(body));
        page(status, html, &policy(&nonce, Scripts::None, self.reload.as_ref()))
    }

    fn document(&self, title: &str, nonce: &str, write: impl FnOnce(Document<'_>) -> String) -> String {
        let assets = site::assets(self.public_url.prefix(), self.reload.is_some());
        let reload = self.reload.as_ref().map(|reload| reload.script.as_str());
        write(Document { title, assets: &assets, nonce, reload })
    }

    fn nonce(&self) -> String {
        format!("{:032x}", self.chance.bits())
    }
}

/// The desk before which somebody stands, who decides what is theirs to decide.
struct PersonsDesk {
    reviews: Reviews,
    visitor: Visitor,
}

impl Desk for PersonsDesk {
    fn standing(&self, id: ReviewId) -> Later<'_, Standing> {
        Box::pin(async move {
            Ok(match self.reviews.show(id, &self.visitor).await.map_err(trouble)? {
                Sight::Review(review) => {
                    self.reviews.seen(&review, &self.visitor).await.map_err(trouble)?;
                    Standing::of(&review, self.reviews.now())
                }
                Sight::Unknown | Sight::Denied(_) => Standing::Unknown,
            })
        })
    }

    fn submit(&self, id: ReviewId, sent: Sent) -> Later<'_, Submitted> {
        Box::pin(async move { self.reviews.submit(id, &sent, self.visitor.clone()).await.map_err(trouble) })
    }
}

fn trouble(error: StoreError) -> Trouble {
    tracing::error!(%error, "serving a reviewer");
    Trouble
}

fn page(status: StatusCode, html: String, policy: &str) -> Response {
    let fixed = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        // What a request holds is nobody's to keep but the server's.
        (header::CACHE_CONTROL, "no-store"),
    ];
    let mut response = (status, fixed, html).into_response();
    if let Ok(policy) = HeaderValue::from_str(policy) {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// What scripts a page has.
#[derive(Clone, Copy)]
enum Scripts {
    /// The one that carries the nonce, and what that imports from this server.
    Own,
    None,
}

/// What a page may do: load from this server, run its scripts, style itself by the sheet that carries the nonce, and
/// be framed by nobody.
fn policy(nonce: &str, scripts: Scripts, reload: Option<&Reload>) -> String {
    let scripts = match (scripts, reload) {
        (Scripts::Own, _) => format!("'nonce-{nonce}' 'self' 'wasm-unsafe-eval'"),
        (Scripts::None, Some(_)) => format!("'nonce-{nonce}'"),
        (Scripts::None, None) => "'none'".to_owned(),
    };
    let connect = reload.map(|reload| format!(" {}", reload.address)).unwrap_or_default();
    format!(
        "default-src 'none'; script-src {scripts}; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; \
         connect-src 'self'{connect}; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
}

impl Reload {
    fn from_environment() -> Option<Self> {
        std::env::var_os("LEPTOS_WATCH")?;
        let options = get_configuration(Some("Leptos.toml")).ok()?.leptos_options;
        let address = format!("ws://127.0.0.1:{}", options.reload_port);
        let script = leptos::hydration::AutoReload(leptos::hydration::AutoReloadProps {
            disable_watch: false,
            options,
        })
        .to_html();
        Some(Self { script, address })
    }
}
