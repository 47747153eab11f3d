//! The nodes of a parsed template.

mod block;
mod output;
mod repeat;
mod variable;

pub(crate) use block::{Branch, Case, Choice};
pub(crate) use output::{Cycle, Echo, Markup};
pub(crate) use repeat::{For, Interruption, Loop, Tablerow};
pub(crate) use variable::{Assign, Capture, Count};
