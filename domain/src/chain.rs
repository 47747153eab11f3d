//! The audit trail as it can be proven: entries that hold each other's hashes, and heads that are signed.

pub mod key;
