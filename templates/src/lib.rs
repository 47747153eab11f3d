//! Liquid templates that a stranger wrote, rendered the way LiquidJS renders them, within fixed budgets, and with every value
//! escaped.
//!
//! ```
//! use sayso_templates::{Budget, Data, Globals, Template};
//! use serde_json::json;
//!
//! let template = Template::parse("<p>Hello {{ who | upcase }}</p>")?;
//! let who = Data::new(&json!("<you>"))?;
//! let globals = Globals::new("2026-01-01T00:00:00Z".parse()?, 0).with("who", &who);
//! assert_eq!(template.render(&globals, &Budget::default())?.html, "<p>Hello &lt;YOU&gt;</p>");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What a template may cost is counted, not timed, and refused before it is paid: the same template with the same data passes
//! everywhere or nowhere. Time and chance are arguments, too. Parsing and rendering need at most [`STACK`] bytes of stack and
//! do not panic; who renders what strangers wrote does it on threads of its own all the same.

mod budget;
mod compare;
mod cursor;
mod env;
mod error;
mod evaluate;
mod expression;
mod filters;
mod literal;
mod node;
mod number;
mod parser;
mod scanner;
mod scope;
mod state;
mod template;
mod value;
mod warning;

pub use budget::Budget;
pub use error::{Cause, ParseError, RenderError};
pub use scope::{Data, Globals};
pub use template::{MAX_SOURCE, Rendered, STACK, Template};
pub use value::TooDeep;
pub use warning::Warning;
