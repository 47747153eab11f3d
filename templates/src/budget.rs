//! What a rendering may spend. Every cost is charged before it is paid, and the same template with the same data always spends
//! the same: whether a template is refused never depends on the machine or on its load.

use std::cell::Cell;
use std::time::{Duration, Instant};

use thiserror::Error;

/// The limits of one rendering.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Nodes rendered, items visited, comparisons made.
    pub steps: u64,
    /// Bytes that all values made on the way may take together, freed or not.
    pub memory: u64,
    /// Bytes of the rendered document.
    pub output: usize,
    /// Wall-clock backstop, far beyond what the other limits allow. The only limit that is not deterministic.
    pub deadline: Duration,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { steps: 500_000, memory: 16 << 20, output: 2 << 20, deadline: Duration::from_secs(10) }
    }
}

/// Why a rendering stopped, before the place in the template is known.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub(crate) enum Stop {
    /// A limit of the [`Budget`] (or a fixed cap, such as the depth of a value) would be passed.
    #[error("{0}")]
    Budget(String),
    /// LiquidJS refuses this too.
    #[error("{0}")]
    Refused(String),
}

/// What has been spent of a [`Budget`] so far.
#[derive(Debug)]
pub(crate) struct Meter {
    limits: Budget,
    started: Instant,
    steps: Cell<u64>,
    memory: Cell<u64>,
}

impl Meter {
    pub fn new(limits: &Budget) -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "the backstop measures real time; nothing rendered depends on it"
        )]
        let started = Instant::now();
        Meter { limits: limits.clone(), started, steps: Cell::new(0), memory: Cell::new(0) }
    }

    /// Charges `count` steps. Call it before doing the work.
    pub fn step(&self, count: u64) -> Result<(), Stop> {
        let before = self.steps.get();
        let steps = before.saturating_add(count);
        self.steps.set(steps);
        if steps > self.limits.steps {
            return Err(Stop::Budget(format!("more than {} steps", self.limits.steps)));
        }
        // Looking at the clock is dear: once every 4,096 steps is often enough for a backstop.
        if before >> 12 != steps >> 12 && self.started.elapsed() > self.limits.deadline {
            return Err(Stop::Budget(format!("more than {:?} of time", self.limits.deadline)));
        }
        Ok(())
    }

    /// Charges `bytes` of memory. Call it before allocating.
    pub fn memory(&self, bytes: usize) -> Result<(), Stop> {
        let memory = self.memory.get().saturating_add(bytes as u64);
        self.memory.set(memory);
        if memory > self.limits.memory {
            return Err(self.too_much_memory());
        }
        Ok(())
    }

    fn too_much_memory(&self) -> Stop {
        Stop::Budget(format!("more than {} bytes of values", self.limits.memory))
    }

    /// Whether `bytes` of memory may still be charged, for what is charged when it is made and would be too large to make.
    pub fn room(&self, bytes: usize) -> Result<(), Stop> {
        if self.memory.get().saturating_add(bytes as u64) > self.limits.memory {
            return Err(self.too_much_memory());
        }
        Ok(())
    }

    /// Whether a document of `length` bytes may still be written.
    pub fn output(&self, length: usize) -> Result<(), Stop> {
        if length > self.limits.output {
            return Err(Stop::Budget(format!("more than {} bytes of output", self.limits.output)));
        }
        Ok(())
    }

    /// Steps charged so far.
    pub fn steps(&self) -> u64 {
        self.steps.get()
    }
}
