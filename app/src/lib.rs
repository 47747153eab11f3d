//! What a person sees: the pages, their parts, and the server functions that they call.
//!
//! The same components render on the server and come alive in the browser. Nothing here knows the server: a page
//! gets its data as props, and what it asks of the server goes through [`desk::Desk`], which the server mounts.

pub mod api;
pub mod desk;
pub mod document;
pub mod pages;
pub mod parts;

/// A stranger's text as HTML, in an isolate of its own and with its marks.
#[cfg(feature = "ssr")]
pub use parts::words_html;
