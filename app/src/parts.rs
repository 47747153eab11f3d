//! The parts that pages are made of; everything that a part needs comes by its props.

mod approval_form;
mod cell;
pub(crate) mod comment;
mod context;
mod control;
#[cfg(feature = "ssr")]
mod control_html;
mod deadline;
mod decide;
mod fields;
#[cfg(feature = "ssr")]
mod fields_html;
mod frame;
mod hand;
mod heard;
#[cfg(feature = "ssr")]
mod json_html;
mod keys;
mod masthead;
mod options_frame;
mod outcome;
mod proposal_grid;
mod proposal_row;
mod proposal_table;
#[cfg(feature = "ssr")]
mod row_html;
mod told;
mod words;

pub use approval_form::ApprovalForm;
pub use context::ContextView;
pub use deadline::{Deadline, ago};
pub use decide::Sending;
pub use frame::SANDBOX;
pub use masthead::Masthead;
pub use options_frame::{OPTIONS_SANDBOX, OptionsFrame};
pub use outcome::OutcomeView;
pub use proposal_grid::ProposalGrid;
pub use words::Words;
#[cfg(feature = "ssr")]
pub use words::words_html;
