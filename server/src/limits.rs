//! How often somebody may come: a bucket for each, in a table of bounded size.

use crate::config::Rate;
use axum::response::{IntoResponse, Response};
use http::{StatusCode, header};
use quick_cache::sync::Cache;
use std::{
    convert::Infallible,
    hash::Hash,
    net::{IpAddr, Ipv6Addr},
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::time::Instant;

/// So many are remembered of each kind. Who is forgotten begins anew, with a full bucket.
const REMEMBERED: usize = 10_000;

/// One bucket for each key. It is a moment only: when it would be full again (the "theoretical arrival time" of the generic
/// cell rate algorithm).
pub struct Limit<K> {
    /// How long one takes, and how long all take that a bucket holds; none where there is no limit.
    takes: Option<(Duration, Duration)>,
    full_at: Cache<K, Arc<Mutex<Instant>>>,
}

impl<K: Hash + Eq + Clone> Limit<K> {
    /// Buckets of this rate; none at all where there is no rate.
    pub fn new(rate: Option<Rate>) -> Self {
        let takes = rate.map(|rate| (rate.every(), rate.every() * rate.burst.get()));
        Self { takes, full_at: Cache::new(REMEMBERED) }
    }

    /// Buckets that hold so many, and get one more each time.
    pub fn slowly(every: Duration, burst: u32) -> Self {
        Self { takes: Some((every, every * burst)), full_at: Cache::new(REMEMBERED) }
    }

    /// Takes one out of the bucket of `key`.
    ///
    /// # Errors
    /// It is empty; comes back with how long until there is one in it.
    pub fn take(&self, key: &K, now: Instant) -> Result<(), Duration> {
        let Some((one, all)) = self.takes else { return Ok(()) };
        let bucket = self
            .full_at
            .get_or_insert_with(key, || Ok::<_, Infallible>(Arc::new(Mutex::new(now))))
            .unwrap_or_else(|never| match never {});
        let mut full_at = bucket.lock().expect("no panic happens under this lock");
        let missing = full_at.saturating_duration_since(now);
        // With what would be missing then, is it still within what the bucket holds?
        let after = missing + one;
        if after > all {
            return Err(after - all);
        }
        *full_at = now + after;
        Ok(())
    }
}

/// Who an address is: of IPv6, a customer has at least a /64 and may come from anywhere in it.
pub fn neighbourhood(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() & (u128::MAX << 64)).into(),
        v4 @ IpAddr::V4(_) => v4,
    }
}

/// The answer to whoever is to come again, in whole seconds.
pub fn later(status: StatusCode, wait: Duration, why: &'static str) -> Response {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    (status, [(header::RETRY_AFTER, seconds.max(1))], why).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(text: &str) -> Option<Rate> {
        Rate::parse(text).unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn a_bucket_is_emptied_and_fills_again() {
        let limit = Limit::new(rate("2/3"));
        let now = Instant::now();
        for _ in 0..3 {
            assert_eq!(limit.take(&"a", now), Ok(()));
        }
        assert_eq!(limit.take(&"a", now), Err(Duration::from_millis(500)));
        assert_eq!(limit.take(&"a", now), Err(Duration::from_millis(500)), "who is refused takes nothing");
        assert_eq!(limit.take(&"b", now), Ok(()), "each has their own");
        let later = now + Duration::from_millis(500);
        assert_eq!(limit.take(&"a", later), Ok(()));
        assert!(limit.take(&"a", later).is_err());
        let much_later = now + Duration::from_secs(3_600);
        let taken = (0..10).filter(|_| limit.take(&"a", much_later).is_ok()).count();
        assert_eq!(taken, 3, "it never holds more");
    }

    #[tokio::test]
    async fn what_is_off_is_off_and_the_table_does_not_grow() {
        let now = Instant::now();
        let off = Limit::new(rate("off"));
        assert!((0..10_000).all(|_| off.take(&1, now).is_ok()));
        let limit = Limit::new(rate("1/1"));
        for key in 0..5 * REMEMBERED {
            assert_eq!(limit.take(&key, now), Ok(()));
        }
        assert!(limit.full_at.len() <= REMEMBERED + REMEMBERED / 10, "{}", limit.full_at.len());
    }

    #[test]
    fn neighbours_share_a_bucket() {
        let of = |text: &str| neighbourhood(text.parse().unwrap()).to_string();
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:1"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert_eq!(of("::ffff:192.0.2.1"), "192.0.2.1");
    }
}
