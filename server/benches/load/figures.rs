//! What was measured, in figures.

use serde_json::{Value, json};
use std::time::Duration;

/// Milliseconds.
pub fn ms(took: Duration) -> f64 {
    took.as_secs_f64() * 1_000.0
}

/// How long things took, in milliseconds.
#[derive(Default)]
pub struct Samples(Vec<f64>);

impl Samples {
    /// One more.
    pub fn add(&mut self, took: Duration) {
        self.0.push(ms(took));
    }

    /// All of another's.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The median, the 99th percentile and the longest.
    pub fn figures(&mut self) -> Value {
        self.0.sort_by(f64::total_cmp);
        let at = |share: usize| {
            let index = (self.0.len() * share / 100).min(self.0.len().saturating_sub(1));
            self.0.get(index).map(|ms| (ms * 100.0).round() / 100.0)
        };
        json!({ "p50": at(50), "p99": at(99), "max": at(100) })
    }
}

/// Megabytes.
#[expect(clippy::cast_precision_loss, reason = "kilobytes of a process")]
pub fn mb(kb: u64) -> f64 {
    (kb as f64 / 102.4).round() / 10.0
}
