//! What surrounds a rendering: what it may still spend, what time it is said to be, and where chance begins.

use jiff::Timestamp;

use crate::budget::Meter;

/// The surroundings of one rendering.
#[derive(Debug)]
pub(crate) struct Env {
    pub meter: Meter,
    pub now: Timestamp,
    pub seed: u64,
}
