//! What the store promises, on both databases.

use crate::house::{House, On, agent, ask, ask_of, cancel, example, reviewer, submit};
use crate::on_both;
use sayso::store::{
    After, Closing, Inserted, StoreError,
    sessions::{self, Session},
};
use sayso_domain::{
    Closed, Decision, Moment, Review, ReviewId, Status,
    audit::{Actor, Entry, Event},
    review::{Open, Repeat},
};
use serde_json::{Value, json};
use sqlx::Connection;

fn open(bits: u128, at: i64, seconds: u32) -> Open {
    Open::new(ReviewId::from_bits(bits), ask(), agent("ann"), Moment(at), seconds)
}

fn entry(open: &Open, event: Event) -> Entry {
    Entry::of(open.id, open.at, Actor::System, event)
}

async fn insert(house: &House, open: &Open) {
    house.store.insert(open, None, &entry(open, Event::Created)).await.unwrap();
}

async fn close(house: &House, closed: &Closed) -> Closing {
    let event = entry(closed.open(), Event::Decided(Decision::Approved));
    house.store.close(closed, &event).await.unwrap()
}

on_both! {
    async fn what_is_stored_comes_back_to_the_letter(house: House) {
        let mut arguments = example();
        arguments["context"] = serde_json::from_str(r#"{ "z": 3791411052119578828, "a": 1.10, "nul": "\u0000é\u202e", "big": 123456789012345678901234567890 }"#).unwrap();
        arguments["requestedSchema"]["properties"]["employeeCount"]["maximum"] = serde_json::from_str("1.50e3").unwrap();
        let open = Open::new(ReviewId::from_bits(9), ask_of(&arguments), agent("ann"), Moment(5), 60);
        insert(&house, &open).await;
        let found = house.store.find(open.id).await.unwrap();
        assert_eq!(found, Some(Review::Open(open)));
        assert_eq!(found.unwrap().request().ask.context().map(Value::to_string), Some(arguments["context"].to_string()));
        assert_eq!(house.store.find(ReviewId::from_bits(10)).await.unwrap(), None);
    }

    async fn a_review_closes_once_and_the_first_stays(house: House) {
        let open = open(1, 1_000, 60);
        insert(&house, &open).await;
        let yes = open.clone().answer(&submit(json!({ "name": "n" })), reviewer("Ann"), None, Moment(2_000)).unwrap();
        let no = open.clone().answer(&cancel(), reviewer("Bob"), None, Moment(2_001)).unwrap();
        assert!(matches!(close(&house, &yes).await, Closing::Won));
        let Closing::Lost(Some(first)) = close(&house, &no).await else { panic!("lost to the first") };
        assert_eq!(*first, Review::Closed(yes));
        assert_eq!(house.store.trail(open.id).await.unwrap().len(), 3, "asked, seen, decided: a lost closing leaves no entry");
        let nobody = open_of(77).answer(&cancel(), reviewer("Bob"), None, Moment(2_000)).unwrap();
        assert!(matches!(close(&house, &nobody).await, Closing::Lost(None)));
    }

    async fn of_one_principals_sessions_those_silent_longest_end(house: House) {
        let session = |principal: &str| Session { principal: principal.to_owned(), state: "{}".to_owned() };
        house.store.keep_session("bobs", &session("bob"), Moment(0)).await.unwrap();
        for count in 0..=sessions::EACH {
            house.store.keep_session(&format!("s{count}"), &session("ann"), Moment(1 + count)).await.unwrap();
        }
        assert_eq!(house.store.session("s0").await.unwrap(), None);
        assert_eq!(house.store.session("s1").await.unwrap(), Some(session("ann")));
        assert_eq!(house.store.session("bobs").await.unwrap(), Some(session("bob")));
        house.store.keep_session("bobs", &session("ann"), Moment(9)).await.unwrap();
        assert_eq!(house.store.session("bobs").await.unwrap(), Some(session("bob")), "nobody takes another's");
    }

    async fn the_deadline_is_the_database_s_business_too(house: House) {
        // The clock of whoever closes says one thing, the stored deadline another: the deadline wins.
        let stored = open(1, 1_000, 60);
        insert(&house, &stored).await;
        let mut mistaken = stored.clone();
        mistaken.deadline = Moment(i64::MAX);
        let late = mistaken.clone().answer(&cancel(), reviewer("Ann"), None, stored.deadline).unwrap();
        assert!(matches!(close(&house, &late).await, Closing::Lost(Some(first)) if matches!(*first, Review::Open(_))));
        mistaken.deadline = Moment(0);
        let early = expired(mistaken, Moment(30_000));
        assert!(matches!(close(&house, &early).await, Closing::Lost(Some(first)) if matches!(*first, Review::Open(_))));
        let in_time = expired(stored.clone(), Moment(stored.deadline.0 + 5));
        assert!(matches!(close(&house, &in_time).await, Closing::Won));
        let Some(Review::Closed(closed)) = house.store.find(stored.id).await.unwrap() else { panic!("closed") };
        assert_eq!((closed.outcome(), closed.at()), (Status::Expired, stored.deadline));
    }

    async fn a_withdrawal_keeps_its_reason(house: House) {
        for (bits, reason) in [(1, Some("no longer needed".to_owned())), (2, None)] {
            let open = open(bits, 1_000, 60);
            insert(&house, &open).await;
            let closed = open.withdraw(reason, Moment(2_000));
            assert!(matches!(close(&house, &closed).await, Closing::Won));
            assert_eq!(house.store.find(closed.open().id).await.unwrap(), Some(Review::Closed(closed)));
        }
    }

    async fn overdue_reviews_come_oldest_first(house: House) {
        for (bits, seconds) in [(1, 300), (2, 100), (3, 200), (4, 900)] {
            insert(&house, &open(bits, 0, seconds)).await;
        }
        assert_eq!(house.store.next_deadline(Moment(0)).await.unwrap(), Some(Moment(100_000)));
        let overdue = house.store.overdue(Moment(300_000), &After::default(), 10).await.unwrap();
        assert_eq!(overdue.open.iter().map(|open| open.id).collect::<Vec<_>>(), [2, 3, 1].map(ReviewId::from_bits));
        assert_eq!(overdue.next, None);
        for open in overdue.open {
            close(&house, &expired(open, Moment(300_000))).await;
        }
        assert!(house.store.overdue(Moment(300_000), &After::default(), 10).await.unwrap().open.is_empty());
        assert_eq!(house.store.next_deadline(Moment(0)).await.unwrap(), Some(Moment(900_000)));
    }

    async fn overdue_reviews_come_in_parts_and_what_cannot_be_read_keeps_none_back(house: House) {
        for bits in 1..=5 {
            insert(&house, &open(bits, 0, 100)).await;
        }
        house.raw(&format!("UPDATE reviews SET ask = '{{' WHERE id = '{}'", ReviewId::from_bits(3))).await.unwrap();
        let mut after = Some(After::default());
        let (mut read, mut unread) = (Vec::new(), Vec::new());
        while let Some(from) = after {
            let part = house.store.overdue(Moment(100_000), &from, 2).await.unwrap();
            read.extend(part.open.iter().map(|open| open.id));
            unread.extend(part.unreadable.iter().map(ToString::to_string));
            after = part.next;
        }
        assert_eq!(read, [1, 2, 4, 5].map(ReviewId::from_bits));
        let told = format!("inconsistent row: review {}, what is asked", ReviewId::from_bits(3));
        assert_eq!(unread, [told]);
        assert_eq!(house.store.next_deadline(Moment(100_000)).await.unwrap(), None, "or the sweeper never rests");
    }

    async fn of_those_that_arrive_together_each_is_stored_and_a_key_stands_for_one(house: House) {
        let keys = (1..=64_u128).map(|bits| (bits % 2 == 0).then(|| Repeat { key: format!("k{}", bits % 8), digest: "d".into() }));
        let opens: Vec<_> = (1..=64).zip(keys).map(|(bits, repeat)| (open(bits, 1_000, 60), repeat)).collect();
        let inserted = futures_util::future::join_all(opens.iter().map(|(open, repeat)| async {
            house.store.insert(open, repeat.as_ref(), &entry(open, Event::Created)).await.unwrap()
        }));
        for ((open, repeat), inserted) in opens.iter().zip(inserted.await) {
            let (found, trail) = (house.store.find(open.id).await.unwrap(), house.store.trail(open.id).await.unwrap());
            assert_eq!(found.is_some(), inserted == Inserted::New);
            assert_eq!(trail.len(), usize::from(inserted == Inserted::New), "an entry for each that is there, and for no other");
            if let Some(repeat) = repeat {
                let (first, digest) = house.store.repeated("ann", &repeat.key).await.unwrap().unwrap();
                assert_eq!((first == open.id, digest.as_str()), (inserted == Inserted::New, "d"));
            }
        }
        let (_, seq, _) = house.store.chain().await.unwrap();
        assert_eq!(seq, 32 + 4, "half of them have no key, and the others have four");
    }

    async fn of_looks_that_arrive_together_each_gets_its_own_answer(house: House) {
        for bits in 1..=40 {
            insert(&house, &open(bits, 1_000, 60)).await;
        }
        close(&house, &open(7, 1_000, 60).withdraw(None, Moment(2_000))).await;
        house.raw(&format!("UPDATE reviews SET ask = '{{', principal = 'bob' WHERE id = '{}'", ReviewId::from_bits(8))).await.unwrap();
        let looks = (0..=160_u128).map(|at| {
            let (bits, principal) = (at % 44, if at % 3 == 0 { "bob" } else { "ann" });
            let glance = house.store.glance_own(ReviewId::from_bits(bits), principal);
            async move { (bits, principal, glance.await.unwrap().map(|glance| glance.status)) }
        });
        for (bits, principal, status) in futures_util::future::join_all(looks.collect::<Vec<_>>()).await {
            let expected = match (bits, principal) {
                (8, "bob") => Some(Status::Pending),
                (0 | 8 | 41.., _) | (_, "bob") => None,
                (7, _) => Some(Status::Canceled),
                _ => Some(Status::Pending),
            };
            assert_eq!(status, expected, "{bits} for {principal}");
        }
        house.store.shut().await;
        let after = house.store.glance_own(ReviewId::from_bits(1), "ann").await;
        assert!(after.is_err(), "nobody waits for a store that is shut: {after:?}");
    }

    async fn only_the_first_fetch_counts_and_every_fetch_is_told(house: House) {
        let open = open(1, 1_000, 60);
        insert(&house, &open).await;
        let fetched = |at| Entry::of(ReviewId::from_bits(1), Moment(at), Actor::Agent("ann".into()), Event::Fetched);
        house.store.fetched(open.id, &fetched(1_500)).await.unwrap();
        assert_eq!(house.store.find(open.id).await.unwrap().unwrap().status(), Status::Pending, "nothing to fetch yet");
        close(&house, &open.clone().answer(&cancel(), reviewer("Ann"), None, Moment(2_000)).unwrap()).await;
        for at in [3_000, 4_000] {
            house.store.fetched(open.id, &fetched(at)).await.unwrap();
        }
        let Some(Review::Closed(closed)) = house.store.find(open.id).await.unwrap() else { panic!("closed") };
        assert_eq!(closed.fetched(), Some(Moment(3_000)));
        let events: Vec<_> = house.store.trail(open.id).await.unwrap().into_iter().map(|entry| (entry.at.0, entry.event)).collect();
        let decided = Event::Decided(Decision::Approved);
        assert_eq!(events, [(1_000, Event::Created), (1_000, Event::Viewed), (1_000, decided), (1_500, Event::Fetched), (3_000, Event::Fetched), (4_000, Event::Fetched)]);
    }

    async fn a_row_that_cannot_be_is_refused_by_the_table(house: House) {
        insert(&house, &open(1, 1_000, 60)).await;
        for nonsense in ["state = 'answered'", "reviewer = 'Ann'", "state = 'expired'", "fetched_at = 5", "state = 'maybe'"] {
            assert!(raw(&house, &format!("UPDATE reviews SET {nonsense}")).await.is_err(), "{nonsense}");
        }
        assert!(raw(&house, "INSERT INTO audit (id, review, at, actor, event) VALUES ('x', 'nobody', 1, '{}', '{}')").await.is_err());
    }

    async fn a_row_of_another_version_is_told_and_not_guessed(house: House) {
        let open = open(1, 1_000, 60);
        insert(&house, &open).await;
        raw(&house, r#"UPDATE reviews SET ask = '{"riddle":{}}'"#).await.unwrap();
        assert!(matches!(house.store.find(open.id).await, Err(StoreError::InconsistentRow { what: "what is asked", .. })));
        assert!(matches!(house.store.find(ReviewId::from_bits(2)).await, Ok(None)));
    }

    /// A glance says what a whole look says, at every moment of a review's life.
    async fn a_glance_says_what_a_look_says(house: House) {
        async fn compare(house: &House, id: ReviewId) {
            let review = house.store.find(id).await.unwrap().unwrap();
            let glance = house.store.glance(id).await.unwrap().unwrap();
            assert_eq!((&glance.principal, glance.deadline), (&review.request().by.principal, review.request().deadline));
            for now in [0, 60_999, 61_000].map(Moment) {
                let status = if glance.is_overdue(now) { Status::Expired } else { glance.status };
                assert_eq!(status, review.clone().as_of(now).status());
            }
        }
        let all = [1, 2, 3, 4].map(open_of);
        for open in &all {
            insert(&house, open).await;
            compare(&house, open.id).await;
        }
        let [yes, no, expires, withdrawn] = all;
        let endings = [
            yes.answer(&submit(json!({ "name": "n" })), reviewer("Ann"), None, Moment(2_000)).unwrap(),
            no.answer(&cancel(), reviewer("Ann"), None, Moment(2_000)).unwrap(),
            expired(expires, Moment(61_000)),
            withdrawn.withdraw(None, Moment(2_000)),
        ];
        for closed in endings {
            assert!(matches!(close(&house, &closed).await, Closing::Won));
            compare(&house, closed.open().id).await;
            house.store.fetched(closed.open().id, &entry(closed.open(), Event::Fetched)).await.unwrap();
            compare(&house, closed.open().id).await;
        }
        assert_eq!(house.store.glance(ReviewId::from_bits(77)).await.unwrap(), None);
    }

    async fn a_change_and_its_entry_are_one(house: House) {
        let first = open(1, 1_000, 60);
        insert(&house, &first).await;
        assert!(house.store.insert(&first, None, &entry(&first, Event::Created)).await.is_err(), "the same id twice");
        assert_eq!(house.store.trail(first.id).await.unwrap().len(), 1);
    }
}

fn expired(open: Open, now: Moment) -> Closed {
    match open.expire(now) {
        Review::Closed(closed) => closed,
        Review::Open(open) => panic!("{} is not due", open.id),
    }
}

fn open_of(bits: u128) -> Open {
    open(bits, 1_000, 60)
}

async fn raw(house: &House, sql: &str) -> Result<(), sqlx::Error> {
    let url = house.database_url.replace("sqlite:/", "sqlite:///");
    let mut connection = sqlx::AnyConnection::connect(&url).await?;
    if url.starts_with("sqlite") {
        sqlx::query("PRAGMA foreign_keys = ON").execute(&mut connection).await?;
    }
    sqlx::query(sqlx::AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.map(|_| ())
}
