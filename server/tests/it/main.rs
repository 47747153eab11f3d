//! The server's tests in one binary: stories and laws over a house with a hand-wound clock and seeded ids.

mod agents;
mod approvals;
mod chain;
mod client;
mod comments;
mod docs;
mod guests;
mod hosts;
mod house;
mod issuer;
mod mcp;
mod offers;
mod pages;
mod postgres;
mod proof;
mod race;
mod repeat;
mod reviewers;
mod selections;
mod sessions;
mod signing;
mod store;
mod story;
mod token;
mod torture;
mod workspace;
