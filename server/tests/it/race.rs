//! Many hands on one review: exactly one ending, on both databases, also between two servers.

use crate::house::{House, On, agent, ask, cancel, submit, visitor};
use crate::on_both;
use futures_util::future::join_all;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use sayso::{reviews::Withdrawal, store::Kind};
use sayso_domain::{
    Review, Status,
    audit::Event,
    sheet::{Sent, Submitted},
};
use serde_json::json;
use std::{sync::Arc, time::Duration};
use tokio::{sync::Barrier, task::JoinSet};

const RACERS: usize = 64;

on_both! {
    async fn of_64_reviewers_one_decides(house: House) {
        let open = house.reviews.open(ask(), agent("ann"), 60).await.unwrap();
        let barrier = Arc::new(Barrier::new(RACERS));
        let digest = house.digest(&open.id.to_string()).await;
        let mut racers = JoinSet::new();
        for racer in 0..RACERS {
            let (reviews, barrier, id) = (house.reviews.clone(), Arc::clone(&barrier), open.id);
            let digest = digest.clone();
            racers.spawn(async move {
                barrier.wait().await;
                let draft = if racer % 2 == 0 { submit(json!({ "name": format!("{racer}") })) } else { cancel() };
                let sent = Sent { draft, comment: String::new(), digest };
                reviews.submit(id, &sent, visitor(&format!("{racer}"))).await.unwrap()
            });
        }
        let (mut winners, mut told) = (Vec::new(), Vec::new());
        while let Some(submitted) = racers.join_next().await {
            match submitted.unwrap() {
                Submitted::Decided(outcome) => winners.push(outcome),
                Submitted::TooLate(outcome) => told.push(outcome),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!((winners.len(), told.len()), (1, RACERS - 1));
        assert!(told.iter().all(|outcome| *outcome == winners[0]), "everybody is told of the one who won");
        let trail = house.store.trail(open.id).await.unwrap();
        let count = |wanted: fn(&Event) -> bool| trail.iter().filter(|entry| wanted(&entry.event)).count();
        assert_eq!(count(|event| matches!(event, Event::Decided(_))), 1);
        assert_eq!(count(|event| matches!(event, Event::SecondDecision)), RACERS - 1);
    }

    /// Cancel and submit at the same instant, by two servers.
    async fn of_a_decision_and_a_withdrawal_one_lands(house: House) {
        let neighbour = house.neighbour().await;
        for _ in 0..12 {
            let open = house.reviews.open(ask(), agent("ann"), 60).await.unwrap();
            let sent = house.sent(open.id, cancel()).await;
            let ann = agent("ann");
            let (decided, withdrawn) = tokio::join!(
                house.reviews.submit(open.id, &sent, visitor("Ann")),
                neighbour.reviews.withdraw(&ann, open.id, None)
            );
            let status = house.reviews.look(open.id).await.unwrap().as_ref().map(Review::status);
            match (decided.unwrap(), withdrawn.unwrap()) {
                (Submitted::Decided(_), Withdrawal::TooLate(Status::Rejected)) => assert_eq!(status, Some(Status::Rejected)),
                (Submitted::TooLate(first), Withdrawal::Canceled) => assert_eq!((first.status, status), (Status::Canceled, Some(Status::Canceled))),
                other => panic!("{other:?}"),
            }
        }
    }
}

/// What may end a request.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Hand {
    Decide,
    Cancel,
    Expire,
}

/// What a hand was told of each request: that it ended it, or as what it had ended before.
#[derive(Debug, PartialEq)]
enum Told {
    Won(Status),
    Late(Status),
}

on_both! {
    async fn decide_and_decide(house: House) {
        meet(house, [Hand::Decide, Hand::Decide]).await;
    }

    async fn decide_and_expire(house: House) {
        meet(house, [Hand::Decide, Hand::Expire]).await;
    }

    async fn decide_and_cancel(house: House) {
        meet(house, [Hand::Decide, Hand::Cancel]).await;
    }

    async fn cancel_and_expire(house: House) {
        meet(house, [Hand::Cancel, Hand::Expire]).await;
    }
}

/// Two hands on each of 1,000 requests, on Postgres one of them on another server: one wins, the other is told the truth, who
/// waits wakes to it.
async fn meet(house: House, hands: [Hand; 2]) {
    const BATCHES: usize = 10;
    const AT_ONCE: usize = 100;
    let neighbour = match house.store.kind() {
        Kind::Postgres => Some(house.neighbour().await),
        Kind::Sqlite => None,
    };
    let places = [&house, neighbour.as_ref().unwrap_or(&house)];
    let mut chance = StdRng::seed_from_u64(7);
    let mut endings = [0; 2];
    for _ in 0..BATCHES {
        let opened = join_all((0..AT_ONCE).map(|_| house.reviews.open(ask(), agent("ann"), 60))).await;
        let ids: Vec<_> = opened.into_iter().map(|open| open.unwrap().id).collect();
        let waiting = ids.iter().map(|id| {
            let (reviews, id) = (house.reviews.clone(), *id);
            tokio::spawn(async move { reviews.wait(&agent("ann"), id, Duration::from_secs(60)).await })
        });
        let waiting: Vec<_> = waiting.collect();
        let acting = places.into_iter().zip(hands).enumerate().flat_map(|(at, (place, hand))| {
            // An expiry comes for all of them at once.
            let ids = if hand == Hand::Expire { &ids[..1] } else { &ids[..] };
            ids.iter().map(move |id| (at, place, hand, *id)).collect::<Vec<_>>()
        });
        let acting: Vec<_> = acting.collect();
        let barrier = Arc::new(Barrier::new(acting.len()));
        let mut hands_on = JoinSet::new();
        for (at, place, hand, id) in acting {
            let sent = place.sent(id, cancel()).await;
            let (reviews, clock, barrier) =
                (place.reviews.clone(), Arc::clone(&place.clock), Arc::clone(&barrier));
            let pause = chance.random_range(0..30);
            hands_on.spawn(async move {
                barrier.wait().await;
                for _ in 0..pause {
                    tokio::task::yield_now().await;
                }
                let told = match hand {
                    Hand::Decide => {
                        match reviews.submit(id, &sent, visitor(&format!("{at}"))).await.unwrap() {
                            Submitted::Decided(outcome) => Told::Won(outcome.status),
                            Submitted::TooLate(outcome) => Told::Late(outcome.status),
                            other => panic!("{other:?}"),
                        }
                    }
                    Hand::Cancel => match reviews.withdraw(&agent("ann"), id, None).await.unwrap() {
                        Withdrawal::Canceled => Told::Won(Status::Canceled),
                        Withdrawal::TooLate(status) => Told::Late(status),
                        Withdrawal::Unknown => panic!("it is there"),
                    },
                    Hand::Expire => {
                        clock.wind(60);
                        reviews.close_overdue(reviews.now()).await.unwrap();
                        return None;
                    }
                };
                Some((at, id, told))
            });
        }
        let told: Vec<_> = hands_on.join_all().await.into_iter().flatten().collect();
        for (id, waiter) in ids.iter().zip(waiting) {
            let status = house.reviews.look(*id).await.unwrap().unwrap().status();
            let of_it: Vec<_> = told.iter().filter(|(_, of, _)| of == id).collect();
            let won: Vec<_> = of_it.iter().filter(|(_, _, told)| matches!(told, Told::Won(_))).collect();
            assert_eq!(won.len(), usize::from(status != Status::Expired), "{of_it:?}");
            assert!(
                of_it.iter().all(|(_, _, Told::Won(said) | Told::Late(said))| *said == status),
                "{status:?} {of_it:?}"
            );
            assert_eq!(waiter.await.unwrap().unwrap(), Some(status));
            let trail = house.store.trail(*id).await.unwrap();
            let endings_told = trail
                .iter()
                .filter(|entry| matches!(entry.event, Event::Decided(_) | Event::Canceled | Event::Expired));
            assert_eq!(endings_told.count(), 1, "{trail:?}");
            let winner = won.first().map_or_else(
                || hands.iter().position(|hand| *hand == Hand::Expire).unwrap(),
                |(at, _, _)| *at,
            );
            endings[winner] += 1;
        }
    }
    eprintln!("{hands:?}: {endings:?}");
    assert!(endings.iter().all(|count| *count > 0), "both won now and then: {endings:?}");
}
