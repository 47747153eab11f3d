//! Many hands on one review: exactly one ending, on both databases, also between two servers.

use crate::house::{House, On, agent, ask, cancel, reviewer, submit};
use crate::on_both;
use sayso::reviews::Withdrawal;
use sayso_domain::{Review, Status, audit::Event, sheet::Submitted};
use serde_json::json;
use std::sync::Arc;
use tokio::{sync::Barrier, task::JoinSet};

const RACERS: usize = 64;

on_both! {
    async fn of_64_reviewers_one_decides(house: House) {
        let open = house.reviews.open(ask(), agent("ann"), 60).await.unwrap();
        let barrier = Arc::new(Barrier::new(RACERS));
        let mut racers = JoinSet::new();
        for racer in 0..RACERS {
            let (reviews, barrier, id) = (house.reviews.clone(), Arc::clone(&barrier), open.id);
            racers.spawn(async move {
                barrier.wait().await;
                let draft = if racer % 2 == 0 { submit(json!({ "name": format!("{racer}") })) } else { cancel() };
                reviews.submit(id, &draft, reviewer(&format!("{racer}"))).await.unwrap()
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
            let draft = cancel();
            let ann = agent("ann");
            let (decided, withdrawn) = tokio::join!(
                house.reviews.submit(open.id, &draft, reviewer("Ann")),
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
