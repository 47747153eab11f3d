//! The port: what a page may ask of the server that mounts it.

use sayso_domain::{
    ReviewId,
    sheet::{Sent, Standing, Submitted},
};
use std::{future::Future, pin::Pin, sync::Arc};

/// An answer that comes later.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = Result<T, Trouble>> + Send + 'a>>;

/// Where reviewers' requests are served, on behalf of the person whose request it is.
///
/// The server provides one as a context for every server function.
pub trait Desk: Send + Sync {
    /// How a request stands, for a page that somebody looks at.
    fn standing(&self, id: ReviewId) -> Later<'_, Standing>;

    /// A person decides.
    fn submit(&self, id: ReviewId, sent: Sent) -> Later<'_, Submitted>;
}

/// The desk of the present request.
pub type TheDesk = Arc<dyn Desk>;

/// The server could not do what was asked; what exactly is in its log and no concern of the page.
#[derive(Clone, Copy, Debug)]
pub struct Trouble;
