//! The sessions of people in the store: how many one person has, and which of them ends.

use crate::house::{House, On};
use crate::on_both;
use sayso::store::people::{EACH, PersonSession};
use sayso_domain::{Moment, people::Person};

fn session(subject: &str, at: i64) -> PersonSession {
    let person = Person { subject: subject.to_owned(), email: None, name: None, groups: Vec::new() };
    PersonSession { person, made: Moment(at), seen: Moment(at) }
}

on_both! {
    async fn of_one_persons_sessions_the_one_that_was_silent_longest_ends(house: House) {
        let keep = async |id: &str, subject: &str, at: i64| {
            house.store.keep_person(id, None, &session(subject, at)).await.unwrap();
        };
        let is_there = async |id: &str| house.store.person_session(id).await.unwrap().is_some();
        keep("bobs", "bob", 0).await;
        for count in 0..EACH {
            keep(&format!("s{count}"), "ann", 100 + count).await;
        }
        assert_eq!(EACH, 20);
        assert!(is_there("s0").await, "so many are hers at once");
        // The first that began is in use; so it is the second that has been silent longest.
        house.store.person_seen("s0", Moment(500)).await.unwrap();
        keep("s20", "ann", 600).await;
        assert!(is_there("s0").await && !is_there("s1").await && is_there("s2").await && is_there("s20").await);
        keep("s21", "ann", 601).await;
        assert!(!is_there("s2").await && is_there("s3").await);
        assert!(is_there("bobs").await, "nobody ends another's");
        // One in place of another is not one more.
        house.store.keep_person("s22", Some("s21"), &session("ann", 602)).await.unwrap();
        assert!(is_there("s3").await && !is_there("s21").await && is_there("s22").await);
    }
}
