//! Answers that stay open: how many of them somebody may hold, and until when.

use axum::{body::Body, response::Response};
use futures_util::StreamExt;
use http::header;
use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard},
};

/// How many answers are open, of each holder. It takes no more room than there are.
pub struct Streams<K: Hash + Eq + Clone>(Arc<Mutex<HashMap<K, usize>>>);

/// One of them, for as long as this is kept.
pub struct Held<K: Hash + Eq + Clone> {
    streams: Streams<K>,
    key: K,
}

impl<K: Hash + Eq + Clone> Clone for Streams<K> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<K: Hash + Eq + Clone> Default for Streams<K> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<K: Hash + Eq + Clone> Streams<K> {
    /// One more of this holder, if it has less than `most`.
    pub fn hold(&self, key: K, most: usize) -> Option<Held<K>> {
        let mut map = self.map();
        let open = map.get(&key).copied().unwrap_or(0);
        if open >= most {
            return None;
        }
        map.insert(key.clone(), open + 1);
        drop(map);
        Some(Held { streams: self.clone(), key })
    }

    /// How many are open of this holder.
    pub fn of(&self, key: &K) -> usize {
        self.map().get(key).copied().unwrap_or(0)
    }

    fn map(&self) -> MutexGuard<'_, HashMap<K, usize>> {
        self.0.lock().expect("no panic happens under this lock")
    }
}

impl<K: Hash + Eq + Clone> Drop for Held<K> {
    fn drop(&mut self) {
        let mut map = self.streams.map();
        match map.get_mut(&self.key) {
            Some(open) if *open > 1 => *open -= 1,
            _ => drop(map.remove(&self.key)),
        }
    }
}

/// An answer that keeps `held` as long as it is open, and ends when `over` comes; one that is whole is left as it is.
pub fn until<T: Send + 'static>(
    response: Response,
    held: T,
    over: impl Future<Output = ()> + Send + 'static,
) -> Response {
    let kind = response.headers().get(header::CONTENT_TYPE);
    if !kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream")) {
        return response;
    }
    response.map(|body| {
        let events = body.into_data_stream().take_until(Box::pin(over));
        Body::from_stream(events.inspect(move |_| {
            let _ = &held;
        }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_holds_so_many_and_what_is_let_go_can_be_held_again() {
        let streams = Streams::default();
        let (one, two) = (streams.hold("ann", 2).unwrap(), streams.hold("ann", 2).unwrap());
        assert!(streams.hold("ann", 2).is_none());
        assert!(streams.hold("bob", 2).is_some(), "each has their own");
        drop(one);
        assert_eq!((streams.of(&"ann"), streams.of(&"bob")), (1, 0));
        assert!(streams.hold("ann", 2).is_some());
        drop(two);
        assert!(streams.map().is_empty(), "nobody is remembered who holds nothing");
    }
}
