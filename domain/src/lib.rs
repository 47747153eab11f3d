//! The nouns and rules of Sayso: what an agent may ask, what a person may answer, and what closes a review.
//!
//! No I/O, no clock, no chance: time and ids come in as arguments, so that the browser and the server run the
//! very same code. Nothing here knows of MCP, HTTP, SQL or HTML.
//!
//! Numbers keep their text (`serde_json` with `arbitrary_precision`) and objects keep their order: what an agent
//! sent as `1.10` goes back as `1.10`.

pub mod approval;
pub mod arguments;
pub mod ask;
pub mod audit;
pub mod calendar;
pub mod canonical;
#[cfg(feature = "chain")]
pub mod chain;
pub mod clock;
pub mod comment;
pub mod diff;
pub mod fault;
pub mod form;
pub mod id;
pub mod number;
pub mod people;
pub mod pointer;
pub mod prompt;
pub mod proposal;
pub mod reveal;
pub mod review;
pub mod selection;
pub mod sheet;
mod wire;

pub use ask::{Answer, Ask, Decision, Draft};
pub use clock::{Clock, Moment};
pub use comment::Comment;
pub use fault::{Code, Fault, Faults};
pub use id::ReviewId;
pub use pointer::Pointer;
pub use review::{Closed, Ending, Open, Review, Status};
pub use sheet::Sheet;

/// A JSON object whose members keep the caller's order.
pub type Object = serde_json::Map<String, serde_json::Value>;
