//! What happens to a request, told from the waist: waiting, waking, expiring, restarting.

use crate::house::{House, On, agent, ask, cancel, example, submit, visitor};
use crate::on_both;
use sayso::{reviews::Withdrawal, store::StoreError};
use sayso_domain::{Draft, Review, ReviewId, Status, sheet::Submitted};
use serde_json::json;
use std::time::Duration;

const LONG: Duration = Duration::from_secs(120);

async fn decide(house: &House, id: ReviewId, draft: Draft) -> Result<Submitted, StoreError> {
    house.reviews.submit(id, &house.sent(id, draft).await, visitor("Ann")).await
}

/// Lets a waiter take its place: it has when the bell knows of it.
async fn until_waited_for(house: &House) {
    while house.reviews.waited_for() == 0 {
        tokio::task::yield_now().await;
    }
}

on_both! {
    async fn a_waiter_wakes_at_the_decision(house: House) {
        let ann = agent("ann");
        let open = house.reviews.open(ask(), ann.clone(), 600).await.unwrap();
        let waiting = tokio::spawn({
            let (reviews, ann) = (house.reviews.clone(), ann.clone());
            async move { reviews.wait(&ann, open.id, LONG).await.unwrap() }
        });
        until_waited_for(&house).await;
        decide(&house, open.id, submit(json!({ "name": "n" }))).await.unwrap();
        // On SQLite a waiter looks again by itself only after ten seconds: sooner, it was the bell.
        let woken = tokio::time::timeout(Duration::from_secs(5), waiting).await.expect("the bell wakes the waiter");
        assert_eq!(woken.unwrap(), Some(Status::Approved));
        assert_eq!(house.reviews.waited_for(), 0, "nothing is kept for who has gone");
        assert_eq!(house.reviews.look(open.id).await.unwrap().unwrap().status(), Status::Approved, "waiting consumes nothing");
    }

    async fn a_decision_at_one_server_wakes_the_waiter_at_another_on_postgres(house: House) {
        let neighbour = house.neighbour().await;
        let ann = agent("ann");
        let open = house.reviews.open(ask(), ann.clone(), 600).await.unwrap();
        // On SQLite there is one server: the bell is enough, and a far decision shows at the next look.
        if house.store.kind() == sayso::store::Kind::Postgres {
            let waiting = tokio::spawn({
                let (reviews, ann) = (neighbour.reviews.clone(), ann.clone());
                async move { reviews.wait(&ann, open.id, LONG).await.unwrap() }
            });
            until_waited_for(&neighbour).await;
            decide(&house, open.id, cancel()).await.unwrap();
            assert_eq!(waiting.await.unwrap(), Some(Status::Rejected));
        } else {
            decide(&house, open.id, cancel()).await.unwrap();
            assert_eq!(neighbour.reviews.wait(&ann, open.id, LONG).await.unwrap(), Some(Status::Rejected));
        }
    }

    async fn a_request_expires_at_its_deadline_and_nobody_decides_it_any_more(house: House) {
        let ann = agent("ann");
        let open = house.reviews.open(ask(), ann.clone(), 60).await.unwrap();
        let waiting = tokio::spawn({
            let (reviews, ann) = (house.reviews.clone(), ann.clone());
            async move { reviews.wait(&ann, open.id, LONG).await.unwrap() }
        });
        until_waited_for(&house).await;
        house.clock.wind(60);
        assert_eq!(house.reviews.look(open.id).await.unwrap().unwrap().status(), Status::Expired, "before anybody recorded it");
        let late = decide(&house, open.id, cancel()).await.unwrap();
        assert!(matches!(late, Submitted::TooLate(outcome) if outcome.status == Status::Expired && outcome.at == open.deadline));
        let withdrawn = house.reviews.withdraw(&ann, open.id, None).await.unwrap();
        assert!(matches!(withdrawn, Withdrawal::TooLate(Status::Expired)));
        assert_eq!(house.reviews.close_overdue(house.reviews.now()).await.unwrap().found, 0, "recorded before anybody was told");
        assert_eq!(waiting.await.unwrap(), Some(Status::Expired));
    }

    async fn everything_survives_a_restart(house: House) {
        let ann = agent("ann");
        let decided = house.reviews.open(ask(), ann.clone(), 600).await.unwrap();
        let pending = house.reviews.open(ask(), ann.clone(), 600).await.unwrap();
        decide(&house, decided.id, submit(json!({ "employeeCount": 7 }))).await.unwrap();
        let house = house.restarted().await;
        assert_eq!(house.reviews.wait(&ann, decided.id, LONG).await.unwrap(), Some(Status::Approved));
        assert_eq!(house.reviews.look(pending.id).await.unwrap(), Some(Review::Open(pending.clone())));
        house.clock.wind(600);
        assert_eq!(house.reviews.wait(&ann, pending.id, LONG).await.unwrap(), Some(Status::Expired));
    }

    async fn an_agent_knows_its_own_requests_only(house: House) {
        let open = house.reviews.open(ask(), agent("ann"), 600).await.unwrap();
        let bob = agent("bob");
        assert_eq!(house.reviews.look_for(&bob, open.id).await.unwrap(), None);
        assert_eq!(house.reviews.wait(&bob, open.id, LONG).await.unwrap(), None);
        assert_eq!(house.reviews.fetch(&bob, open.id).await.unwrap(), None);
        assert!(matches!(house.reviews.withdraw(&bob, open.id, None).await.unwrap(), Withdrawal::Unknown));
        assert_eq!(house.reviews.look(open.id).await.unwrap().unwrap().status(), Status::Pending);
    }
}

#[tokio::test]
async fn a_server_that_stops_answers_its_waiters() {
    let house = House::new().await;
    let ann = agent("ann");
    let open = house.reviews.open(ask(), ann.clone(), 600).await.unwrap();
    let waiting = tokio::spawn({
        let reviews = house.reviews.clone();
        async move { reviews.wait(&ann, open.id, LONG).await.unwrap() }
    });
    until_waited_for(&house).await;
    house.stopping.cancel();
    assert_eq!(waiting.await.unwrap(), Some(Status::Pending));
}

/// The main job, through the router: agent, page, person, agent.
#[tokio::test]
async fn a_proposal_goes_all_the_way() {
    let house = House::new().await;
    let id = house.propose().await;
    let page = house.get(&format!("/review?elicitationId={id}")).await;
    assert!(
        page.body.contains("Sync NorthMark Strategies") && page.body.contains("data-field=\"employeeCount\"")
    );
    let values = json!({ "institutionTypes": ["Private Equity"], "name": "NorthMark" });
    let decided = house.decide(&id, json!({ "submit": values })).await;
    assert_eq!(decided["decided"]["status"], "approved");
    assert_eq!(
        house.call("elicit_await", json!({ "elicitationId": id })).await.0,
        json!({ "elicitationId": id, "status": "approved" })
    );
    let expected = json!({
        "review": null, "comment": null, "status": "consumed", "decision": "approved", "action": "submit", "context": example()["context"],
        "decidedAt": "2026-07-16T12:00:00.000Z", "values": { "name": "NorthMark", "institutionTypes": ["Private Equity"] }
    });
    for _ in 0..2 {
        let (mut given, is_error) = house.call("elicit_result", json!({ "elicitationId": id })).await;
        assert_eq!(given["review"].take()["decidedBy"], "local");
        assert_eq!((given, is_error), (expected.clone(), false));
    }
    assert_eq!(house.call("elicit_status", json!({ "elicitationId": id })).await.0["status"], "consumed");
}
