//! Callers' templates: rendered where they can hurt nobody, and shown in documents that can do nothing.
//!
//! A request never changes, and its template is rendered as of the moment at which it was asked: what a template makes of
//! a request is always the same, on every server, and is kept for as long as there is room.

mod cells;
mod css;
mod document;
pub mod frame;
pub mod options;
pub mod policy;
mod pool;

use options::Drawn;
use pool::{Pool, Unrun};
use quick_cache::{Weighter, sync::Cache};
use sayso_domain::{Ask, Moment, Review, ReviewId, review::Open, selection::Selection, sheet::Header};
use sayso_templates::{Budget, Data, Globals, ParseError, Template, Warning};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// Renders templates. Clones share their threads and what they keep.
#[derive(Clone)]
pub struct Renderer {
    pool: Pool,
    /// Templates by their source: many requests are asked with few templates.
    compiled: Arc<Cache<Arc<str>, Compiled, BySize>>,
    /// Documents by the request that they show.
    documents: Arc<Cache<ReviewId, Arc<Rendering>, BySize>>,
    /// Tables of options by the request that they belong to.
    tables: Arc<Cache<ReviewId, Arc<Drawn>, BySize>>,
}

type Compiled = Result<Arc<Template>, ParseError>;

/// What a template made of a context: a fragment of HTML, or why it is none.
pub type Rendering = Result<Fragment, Fault>;

/// HTML made of a template, not yet a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// The template's own markup, the data in it escaped.
    pub html: String,
    /// What changes whenever the document would: 16 hexadecimal digits.
    pub version: String,
}

/// Why a template shows nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where in the template, from 1; `None` where it is not the template's fault.
    pub place: Option<(usize, usize)>,
    /// What is wrong, without a full stop.
    pub message: String,
}

/// What there is to say about a template before anybody looks at it.
#[derive(Debug)]
pub struct Trial {
    /// What it made of the context.
    pub rendering: Rendering,
    /// What its author should know.
    pub warnings: Vec<Warning>,
}

/// All threads that render are taken, and stayed so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Busy;

impl Renderer {
    /// Starts the threads that render.
    ///
    /// # Errors
    /// The operating system gives no threads.
    pub fn start() -> std::io::Result<Self> {
        const COMPILED_BYTES: u64 = 8 << 20;
        const DOCUMENT_BYTES: u64 = 32 << 20;
        let threads = std::thread::available_parallelism().map_or(2, usize::from).clamp(2, 8);
        Ok(Self {
            pool: Pool::start(threads)?,
            compiled: Arc::new(Cache::with_weighter(1_000, COMPILED_BYTES, BySize)),
            documents: Arc::new(Cache::with_weighter(2_000, DOCUMENT_BYTES, BySize)),
            tables: Arc::new(Cache::with_weighter(200, DOCUMENT_BYTES, BySize)),
        })
    }

    /// How a page shows the context of a request; documents have their addresses below `base`.
    pub async fn header(&self, review: &Review, base: &str) -> Header {
        let open = review.request();
        if let (Review::Open(_), Ask::Selection(selection)) = (review, &open.ask) {
            let count = selection.options.len() as u64;
            let detailed = selection.layout.hover.is_some();
            return Header::Options { address: options::frame::address(base, open.id), count, detailed };
        }
        match self.document(open).await {
            None => Header::plain(&open.ask, false),
            Some(Ok(rendering)) => match rendering.as_ref() {
                Ok(fragment) => Header::Frame { address: frame::address(base, open.id, fragment) },
                Err(_) => Header::plain(&open.ask, true),
            },
            Some(Err(Busy)) => {
                tracing::warn!(review = %open.id, "no thread to render by: the page is shown without the template");
                Header::plain(&open.ask, true)
            }
        }
    }

    /// What the template of a request makes of its context; `None` where the caller brought no template.
    pub async fn document(&self, open: &Open) -> Option<Result<Arc<Rendering>, Busy>> {
        let source = open.ask.display_template()?;
        if let Some(kept) = self.documents.get(&open.id) {
            return Some(Ok(kept));
        }
        let rendering = self.render(source, open.ask.context(), open.at, seed(open.id)).await;
        Some(rendering.map(|(rendering, _)| {
            let rendering = Arc::new(rendering);
            self.documents.insert(open.id, Arc::clone(&rendering));
            rendering
        }))
    }

    /// The table of a selection's options, without its controls.
    ///
    /// # Errors
    /// No thread was free.
    pub(crate) async fn drawn(&self, open: &Open) -> Result<Arc<Drawn>, Busy> {
        if let Some(kept) = self.tables.get(&open.id) {
            return Ok(kept);
        }
        let Ask::Selection(selection) = &open.ask else { return Ok(Arc::default()) };
        let drawn = Arc::new(self.draw(selection, open.at, seed(open.id)).await?);
        self.tables.insert(open.id, Arc::clone(&drawn));
        Ok(drawn)
    }

    /// Draws a selection as if it were asked at this moment.
    ///
    /// # Errors
    /// No thread was free.
    pub(crate) async fn draw(&self, selection: &Selection, at: Moment, seed: u64) -> Result<Drawn, Busy> {
        let selection = selection.clone();
        match self.pool.run(move || options::draw(&selection, at, seed)).await {
            Ok(drawn) => Ok(drawn),
            Err(Unrun::Busy) => Err(Busy),
            Err(Unrun::Panicked) => {
                tracing::error!("drawing options panicked");
                Err(Busy)
            }
        }
    }

    /// Tries a template on the context that it is meant for, as if it were asked at this moment.
    ///
    /// # Errors
    /// No thread was free.
    pub async fn trial(&self, source: &str, context: Option<&Value>, at: Moment) -> Result<Trial, Busy> {
        let (rendering, compiled) = self.render(source, context, at, 0).await?;
        let warnings = compiled.map(|template| template.warnings().to_vec()).unwrap_or_default();
        Ok(Trial { rendering, warnings })
    }

    async fn render(
        &self,
        source: &str,
        context: Option<&Value>,
        at: Moment,
        seed: u64,
    ) -> Result<(Rendering, Compiled), Busy> {
        let source: Arc<str> = source.into();
        let kept = self.compiled.get(&source);
        let known = kept.is_some();
        let (key, context) = (Arc::clone(&source), context.cloned());
        let work = move || {
            let compiled = kept.unwrap_or_else(|| Template::parse(&source).map(Arc::new));
            let rendering = match &compiled {
                Ok(template) => render(template, context.as_ref(), at, seed),
                Err(error) => Err(Fault::from(error)),
            };
            (rendering, compiled)
        };
        match self.pool.run(work).await {
            Ok((rendering, compiled)) => {
                if !known {
                    self.compiled.insert(key, compiled.clone());
                }
                Ok((rendering, compiled))
            }
            Err(Unrun::Panicked) => {
                tracing::error!("rendering a template panicked; the page falls back");
                let message = "the template could not be rendered".to_owned();
                let fault = Fault { place: None, message: message.clone() };
                Ok((Err(fault), Err(ParseError { line: 1, column: 1, message })))
            }
            Err(Unrun::Busy) => Err(Busy),
        }
    }
}

/// On a thread of the pool.
fn render(template: &Template, context: Option<&Value>, at: Moment, seed: u64) -> Rendering {
    let now = jiff::Timestamp::from_millisecond(at.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    let mut globals = Globals::new(now, seed);
    if let Some(context) = context {
        let context = Data::new(context)
            .map_err(|error| Fault { place: None, message: format!("`context`: {error}") })?;
        globals = globals.with("context", &context);
    }
    let rendered = template.render(&globals, &Budget::default())?;
    let version = document::version(&rendered.html);
    Ok(Fragment { html: rendered.html, version })
}

/// Where a request's chance begins: always at the same place.
fn seed(id: ReviewId) -> u64 {
    let digest = Sha256::digest(id.to_string());
    u64::from_le_bytes(digest[..8].try_into().expect("a digest has 32 bytes"))
}

impl From<&ParseError> for Fault {
    fn from(error: &ParseError) -> Self {
        Self { place: Some((error.line, error.column)), message: error.message.clone() }
    }
}

impl From<sayso_templates::RenderError> for Fault {
    fn from(error: sayso_templates::RenderError) -> Self {
        Self { place: Some((error.line, error.column)), message: error.message }
    }
}

#[derive(Clone)]
struct BySize;

impl Weighter<Arc<str>, Compiled> for BySize {
    fn weight(&self, source: &Arc<str>, _: &Compiled) -> u64 {
        // What a template is parsed into takes a few times its source.
        source.len() as u64 * 8 + 256
    }
}

impl Weighter<ReviewId, Arc<Drawn>> for BySize {
    fn weight(&self, _: &ReviewId, drawn: &Arc<Drawn>) -> u64 {
        drawn.bytes() + 256
    }
}

impl Weighter<ReviewId, Arc<Rendering>> for BySize {
    fn weight(&self, _: &ReviewId, rendering: &Arc<Rendering>) -> u64 {
        rendering.as_ref().as_ref().map_or(0, |fragment| fragment.html.len() as u64) + 256
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sayso_domain::{approval::Approval, review::Agent};
    use serde_json::json;

    fn open(template: &str) -> Open {
        let arguments =
            json!({ "message": "m", "context": { "name": "<Ann>" }, "displayTemplate": template });
        let (approval, seconds) = Approval::parse(arguments.as_object().unwrap()).unwrap();
        let by = Agent { principal: "ann".to_owned(), client: None };
        let id = "0123456789abcdef0123456789abcdef".parse().unwrap();
        Open::new(id, Ask::Approval(approval), by, Moment(1_784_203_200_000), seconds)
    }

    fn html(rendering: &Rendering) -> &str {
        &rendering.as_ref().unwrap().html
    }

    /// What was rendered once is neither parsed nor rendered again: not even a thread is needed.
    #[tokio::test(start_paused = true)]
    async fn an_unchanged_request_costs_nothing_twice() {
        let mut renderer = Renderer::start().unwrap();
        let open = open("<b>{{ context.name }}</b> {{ 'now' | date: '%Y-%m-%d' }}");
        let first = renderer.document(&open).await.unwrap().unwrap();
        assert_eq!(html(&first), "<b>&lt;Ann&gt;</b> 2026-07-16");
        renderer.pool = Pool::start(0).unwrap();
        let second = renderer.document(&open).await.unwrap().unwrap();
        assert!(Arc::ptr_eq(&first, &second));
        let other = Open { id: "fedcba9876543210fedcba9876543210".parse().unwrap(), ..open };
        assert_eq!(
            renderer.document(&other).await.unwrap().unwrap_err(),
            Busy,
            "another request needs a thread"
        );
        let review = Review::Open(other);
        assert!(matches!(renderer.header(&review, "").await, Header::Payload { instead: true, .. }));
    }

    /// Two servers, or one after a restart, make the same document of a request, whatever its template draws.
    #[tokio::test]
    async fn every_server_makes_the_same_document() {
        let open = open(
            "{% assign a = '1,2,3,4,5,6,7,8,9' | split: ',' %}{{ a | sample: 9 | join }}{{ 'now' | date: '%s' }}",
        );
        let (one, two) = (Renderer::start().unwrap(), Renderer::start().unwrap());
        let (one, two) = (one.document(&open).await, two.document(&open).await);
        assert_eq!(one.unwrap().unwrap(), two.unwrap().unwrap());
    }

    #[tokio::test]
    async fn what_is_wrong_is_told_with_its_place() {
        let renderer = Renderer::start().unwrap();
        let trial = renderer.trial("a\n {% nonsense %}", None, Moment(0)).await.unwrap();
        assert_eq!(trial.rendering.unwrap_err().place, Some((2, 2)));
        let deep = (0..200).fold(json!(1), |inside, _| json!([inside]));
        let trial = renderer.trial("{{ context }}", Some(&deep), Moment(0)).await.unwrap();
        assert_eq!(trial.rendering.unwrap_err().place, None);
    }
}
