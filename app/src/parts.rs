//! The parts that pages are made of; everything that a part needs comes by its props.

mod cell;
mod control;
mod deadline;
mod hand;
mod keys;
mod masthead;
mod outcome;
mod proposal_grid;
mod proposal_row;
mod proposal_table;
#[cfg(feature = "ssr")]
mod row_html;

pub use deadline::{Deadline, ago};
pub use masthead::Masthead;
pub use outcome::OutcomeView;
pub use proposal_grid::{ProposalGrid, Sending};
