//! The options of a selection, drawn by the caller's templates and chosen by controls of ours.
//!
//! No script runs in that document, and none is needed: a form of the server's own, one row an option, each row's cells
//! made safe on their own. What is chosen travels as the number of a row, so that no id is ever read as anything else.

mod document;
mod draw;
pub mod frame;
mod kept;
mod post;

pub(super) use draw::draw;
pub(crate) use draw::{Drawn, Remark};
