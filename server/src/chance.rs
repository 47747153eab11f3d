//! Where chance comes from: one seeded generator, handed in; tests seed it with a number.

use rand::{RngExt, SeedableRng, rngs::StdRng, rngs::SysRng};
use sayso_domain::{Moment, ReviewId};
use std::sync::{
    Mutex,
    atomic::{AtomicU32, Ordering},
};

/// A cryptographic generator behind a lock, and the count of the entries that it named.
pub struct Chance {
    generator: Mutex<StdRng>,
    entries: AtomicU32,
}

impl Chance {
    /// Seeded by the operating system.
    ///
    /// # Panics
    /// The operating system has no randomness to give: nothing here would be safe.
    pub fn from_system() -> Self {
        Self::of(StdRng::try_from_rng(&mut SysRng).expect("the operating system has randomness to give"))
    }

    /// Seeded by a number, for tests: the same ids in every run.
    pub fn seeded(seed: u64) -> Self {
        Self::of(StdRng::seed_from_u64(seed))
    }

    fn of(generator: StdRng) -> Self {
        Self { generator: Mutex::new(generator), entries: AtomicU32::new(0) }
    }

    /// 128 unguessable bits.
    pub fn bits(&self) -> u128 {
        self.generator.lock().expect("no panic happens under this lock").random()
    }

    /// The id of a new review.
    pub fn review_id(&self) -> ReviewId {
        ReviewId::from_bits(self.bits())
    }

    /// The id of a new audit entry: in order of time, those of one server in the order in which they were written, and
    /// unique among all servers on one database.
    pub fn entry_id(&self, at: Moment) -> String {
        let count = self.entries.fetch_add(1, Ordering::Relaxed);
        format!("{:012x}{count:08x}{:012x}", at.0, self.bits() >> 80)
    }
}
