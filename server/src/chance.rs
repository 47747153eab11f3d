//! Where chance comes from: one seeded generator, handed in; tests seed it with a number.

use rand::{RngExt, SeedableRng, rngs::StdRng, rngs::SysRng};
use sayso_domain::{Moment, ReviewId};
use std::sync::Mutex;

/// A cryptographic generator behind a lock.
pub struct Chance(Mutex<StdRng>);

impl Chance {
    /// Seeded by the operating system.
    ///
    /// # Panics
    /// The operating system has no randomness to give: nothing here would be safe.
    pub fn from_system() -> Self {
        Self(Mutex::new(
            StdRng::try_from_rng(&mut SysRng).expect("the operating system has randomness to give"),
        ))
    }

    /// Seeded by a number, for tests: the same ids in every run.
    pub fn seeded(seed: u64) -> Self {
        Self(Mutex::new(StdRng::seed_from_u64(seed)))
    }

    /// 128 unguessable bits.
    pub fn bits(&self) -> u128 {
        self.0.lock().expect("no panic happens under this lock").random()
    }

    /// The id of a new review.
    pub fn review_id(&self) -> ReviewId {
        ReviewId::from_bits(self.bits())
    }

    /// The id of a new audit entry: in order of time, and unique among all servers on one database.
    pub fn entry_id(&self, at: Moment) -> String {
        format!("{:012x}{:020x}", at.0, self.bits() >> 48)
    }
}
