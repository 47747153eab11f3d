use super::*;
use crate::{
    chance::Chance,
    store::{Closing, Store},
};
use futures_util::{future::join_all, poll};
use sayso_domain::{
    Ask, Closed, Decision, Draft, Ending, Moment, Review, ReviewId,
    approval::{self, Approval},
    audit::{Actor, Entry, Event, Via},
    review::{Agent, Open, Reviewer},
};
use serde_json::json;
use sqlx::Connection;
use std::{pin::pin, task::Poll, time::Duration};
use tempfile::TempDir;
use tokio::{task::JoinSet, time::timeout};

/// A store, and a connection of somebody else to the same file.
struct House {
    writer: Arc<Writer>,
    store: Store,
    visitor: AnyConnection,
    _folder: TempDir,
}

impl House {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sayso.db");
        let store =
            Store::open(&format!("sqlite:{}", path.display()), Arc::new(Chance::seeded(1))).await.unwrap();
        let visitor = AnyConnection::connect(&format!("sqlite://{}", path.display())).await.unwrap();
        Self { writer: store.writer.clone(), store, visitor, _folder: folder }
    }

    /// What is stored, as others see it.
    async fn seen(&mut self) -> Vec<String> {
        sqlx::query_scalar("SELECT id FROM keys ORDER BY id").fetch_all(&mut self.visitor).await.unwrap()
    }

    /// A write that does nothing until it is let go, once it has begun.
    async fn hold(&self) -> (oneshot::Sender<()>, tokio::task::JoinHandle<Result<(), StoreError>>) {
        let (begun, has_begun) = oneshot::channel();
        let (go, may_go) = oneshot::channel::<()>();
        let writer = self.writer.clone();
        let held = tokio::spawn(async move {
            let work: Work = Box::new(|_| {
                async move {
                    let _ = begun.send(());
                    let _ = may_go.await;
                    Ok(())
                }
                .boxed()
            });
            writer.write(work).await
        });
        has_begun.await.unwrap();
        (go, held)
    }
}

type Work = Box<dyn for<'c> FnOnce(Turn<'c>) -> BoxFuture<'c, Result<(), StoreError>> + Send>;

/// Stores rows of these names, one after another.
fn put(ids: &'static [&'static str]) -> Work {
    Box::new(move |mut turn| {
        async move {
            for id in ids {
                sqlx::query("INSERT INTO keys (id, secret, made_at) VALUES ($1, '', 0)")
                    .bind(*id)
                    .execute(&mut *turn)
                    .await?;
            }
            Ok(())
        }
        .boxed()
    })
}

/// Nothing is wrong with it until the commit.
fn spoil() -> Work {
    Box::new(|mut turn| {
        async move {
            sqlx::query("PRAGMA defer_foreign_keys = ON").execute(&mut *turn).await?;
            sqlx::query(
                "INSERT INTO audit (id, review, at, actor, via, event) VALUES ('x', 'nobody', 1, '{}', '{}', '{}')",
            )
            .execute(&mut *turn)
            .await?;
            Ok(())
        }
        .boxed()
    })
}

#[tokio::test]
async fn nobody_is_answered_before_the_commit() {
    let mut house = House::new().await;
    let writer = house.writer.clone();
    let (first, _) = house.hold().await;
    // Both are in the queue before the first group ends, and so in the second.
    let mut one = pin!(writer.write(put(&["one"])));
    assert!(poll!(&mut one).is_pending());
    let (begun, has_begun) = oneshot::channel();
    let (go, may_go) = oneshot::channel::<()>();
    let mut other = pin!(writer.write(move |turn| {
        async move {
            let _ = begun.send(());
            let _ = may_go.await;
            put(&["other"])(turn).await
        }
        .boxed()
    }));
    assert!(poll!(&mut other).is_pending());
    first.send(()).unwrap();
    has_begun.await.unwrap();
    // The first one's row is written by now, but not committed.
    assert!(timeout(Duration::from_millis(100), &mut one).await.is_err());
    assert_eq!(house.seen().await, [""; 0]);
    go.send(()).unwrap();
    one.await.unwrap();
    assert_eq!(house.seen().await, ["one", "other"]);
    other.await.unwrap();
    assert_eq!(writer.commits(), 2);
}

#[tokio::test]
async fn a_write_that_fails_or_panics_hurts_no_other() {
    let mut house = House::new().await;
    let (go, _) = house.hold().await;
    let mut writes = JoinSet::new();
    let panics: Work = Box::new(|turn| {
        async move {
            put(&["panicked"])(turn).await?;
            panic!("as it should")
        }
        .boxed()
    });
    let at_once: Work = Box::new(|_| panic!("as it should"));
    for (index, work) in [put(&["a"]), put(&["b", "a"]), panics, at_once, put(&["c"])].into_iter().enumerate()
    {
        let writer = house.writer.clone();
        writes.spawn(async move {
            let done = AssertUnwindSafe(writer.write(work)).catch_unwind().await;
            (index, done.map(|done| done.is_ok()).map_err(|_| "panicked"))
        });
        tokio::task::yield_now().await;
    }
    go.send(()).unwrap();
    let mut done = writes.join_all().await;
    done.sort_by_key(|(index, _)| *index);
    let done: Vec<_> = done.into_iter().map(|(_, done)| done).collect();
    assert_eq!(done, [Ok(true), Ok(false), Err("panicked"), Err("panicked"), Ok(true)]);
    assert_eq!(house.seen().await, ["a", "c"]);
    assert_eq!(house.writer.commits(), 2, "the one that was held, and one for all the others");
}

#[tokio::test]
async fn a_failed_commit_is_told_to_everybody_in_it() {
    let mut house = House::new().await;
    let (go, _) = house.hold().await;
    let (one, other, own) = {
        let writer = house.writer.clone();
        let mut one = pin!(writer.write(put(&["a"])));
        let mut other = pin!(writer.write(spoil()));
        let mut own = pin!(writer.write(put(&["b", "b"])));
        assert!(
            poll!(&mut one).is_pending() && poll!(&mut other).is_pending() && poll!(&mut own).is_pending()
        );
        go.send(()).unwrap();
        tokio::join!(one, other, own)
    };
    for outcome in [one, other] {
        assert!(matches!(outcome, Err(StoreError::NotCommitted(_))), "{outcome:?}");
    }
    assert!(matches!(own, Err(StoreError::Database(_))), "its own error comes first: {own:?}");
    assert_eq!(house.seen().await, [""; 0]);
    house.writer.write(put(&["a"])).await.unwrap();
    assert_eq!(house.seen().await, ["a"], "the connection is good for the next group");
}

#[tokio::test]
async fn who_goes_away_hurts_nobody() {
    let mut house = House::new().await;
    let writer = house.writer.clone();
    let (go, held) = house.hold().await;
    {
        let mut gone = pin!(writer.write(put(&["gone"])));
        assert!(poll!(&mut gone).is_pending());
    }
    let mut stays = pin!(writer.write(put(&["stays"])));
    assert!(poll!(&mut stays).is_pending());
    // The caller of the write that is under way goes away as well.
    held.abort();
    assert!(held.await.unwrap_err().is_cancelled());
    go.send(()).unwrap();
    stays.await.unwrap();
    assert_eq!(house.seen().await, ["stays"], "who left before its turn has written nothing");
}

#[tokio::test]
async fn a_shutdown_ends_what_was_begun_and_takes_no_more() {
    let mut house = House::new().await;
    let writer = house.writer.clone();
    let (go, held) = house.hold().await;
    let mut waiting = pin!(writer.write(put(&["waiting"])));
    assert!(poll!(&mut waiting).is_pending());
    let store = house.store.clone();
    let mut shut = pin!(store.shut());
    assert!(timeout(Duration::from_millis(100), &mut shut).await.is_err(), "there is something to end");
    let late = writer.write(put(&["late"])).await;
    assert!(matches!(late, Err(StoreError::Database(sqlx::Error::PoolClosed))), "{late:?}");
    go.send(()).unwrap();
    shut.await;
    held.await.unwrap().unwrap();
    assert!(matches!(poll!(&mut waiting), Poll::Ready(Ok(()))), "it was answered before the store was shut");
    assert_eq!(house.seen().await, ["waiting"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn writes_that_arrive_together_share_commits() {
    let mut house = House::new().await;
    let mut writes = JoinSet::new();
    for id in 0..64 {
        let writer = house.writer.clone();
        writes.spawn(async move {
            let work: Work = Box::new(move |mut turn| {
                let insert = sqlx::query("INSERT INTO keys (id, secret, made_at) VALUES ($1, '', 0)")
                    .bind(format!("{id:02}"));
                async move { Ok(insert.execute(&mut *turn).await.map(|_| ())?) }.boxed()
            });
            writer.write(work).await.unwrap();
        });
    }
    writes.join_all().await;
    assert_eq!(house.seen().await.len(), 64);
    assert!(house.writer.commits() <= 32, "{} commits for 64 writes", house.writer.commits());
}

/// A request and how it ends, each in its own way: decided by `person`, or expired.
fn asked(bits: u128) -> Open {
    let arguments = json!({ "message": "m", "context": {} });
    let (approval, seconds) = Approval::parse(arguments.as_object().unwrap()).unwrap();
    let by = Agent { principal: "p".to_owned(), client: None };
    Open::new(ReviewId::from_bits(bits), Ask::Approval(approval), by, Moment(1_000), seconds)
}

fn decided(open: Open, person: &str) -> (Closed, Entry) {
    let (reviewer, at) = (Reviewer { name: person.to_owned() }, Moment(2_000));
    let actor = Actor::from(&reviewer);
    let id = open.id;
    let closed = open.answer(&Draft::Approval(approval::Draft::Decline), reviewer, None, at).unwrap();
    (
        closed,
        Entry { review: Some(id), at, actor, via: Via::INSIDE, event: Event::Decided(Decision::Rejected) },
    )
}

/// An entry of the system.
fn told(open: &Open, event: Event) -> Entry {
    Entry { review: Some(open.id), at: open.at, actor: Actor::System, via: Via::INSIDE, event }
}

/// What the database does not let in, or does not let end, keeps nothing else of its group from it.
#[tokio::test]
async fn what_fails_together_is_done_alone() {
    let mut house = House::new().await;
    let opens: Vec<Open> = (1..=6).map(asked).collect();
    for open in &opens[..3] {
        house.store.insert(open, None, &told(open, Event::Created)).await.unwrap();
    }
    for (when, which) in
        [("BEFORE UPDATE ON reviews WHEN OLD.id", 1), ("BEFORE INSERT ON reviews WHEN NEW.id", 4)]
    {
        let sql = format!(
            "CREATE TRIGGER no{which} {when} = '{}' BEGIN SELECT RAISE(ABORT, 'no'); END",
            opens[which].id
        );
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&mut house.visitor).await.unwrap();
    }
    let (go, _) = house.hold().await;
    let entries: Vec<Entry> = opens.iter().map(|open| told(open, Event::Created)).collect();
    let endings: Vec<(Closed, Entry)> = opens[..3].iter().map(|open| decided(open.clone(), "ann")).collect();
    let closings = endings.iter().map(|(closed, entry)| house.store.close(closed, entry));
    let creations =
        opens[3..].iter().zip(&entries[3..]).map(|(open, entry)| house.store.insert(open, None, entry));
    let (mut closings, mut creations) = (join_all(closings), join_all(creations));
    assert!(poll!(&mut closings).is_pending() && poll!(&mut creations).is_pending());
    go.send(()).unwrap();
    let (closings, creations) = tokio::join!(closings, creations);
    let done = |outcomes: Vec<bool>| assert_eq!(outcomes, [true, false, true]);
    done(closings.iter().map(|closing| matches!(closing, Ok(Closing::Won))).collect());
    done(creations.iter().map(|created| matches!(created, Ok(Inserted::New))).collect());
    let events = house.store.links(0, i64::MAX).await.unwrap();
    assert_eq!(events.iter().map(|(link, _)| link.seq).collect::<Vec<_>>(), (1..=9).collect::<Vec<_>>());
    assert!(matches!(house.store.find(opens[1].id).await, Ok(Some(Review::Open(_)))));
    assert!(
        house.store.trail(opens[4].id).await.unwrap().is_empty(),
        "no entry tells of what was not stored"
    );
}

/// What ends together is one commit; of two that end the same request the first does, and what does not fit its request ends
/// nothing; each tells of itself alone.
#[tokio::test]
async fn requests_that_end_together_end_each_once() {
    let house = House::new().await;
    let opens: Vec<Open> = (1..=5).map(asked).collect();
    for open in &opens {
        house.store.insert(open, None, &told(open, Event::Created)).await.unwrap();
    }
    // Known already, and not told again.
    house.store.viewed(opens[2].id, "ann", &told(&opens[2], Event::Viewed)).await.unwrap();
    let (go, _) = house.hold().await;
    let before = house.writer.commits();
    let too_early = Closed::recorded(opens[4].clone(), Moment(2_000), Ending::Expired, None);
    let expired = Entry {
        review: Some(opens[4].id),
        at: Moment(2_000),
        actor: Actor::System,
        via: Via::INSIDE,
        event: Event::Expired,
    };
    let mut endings: Vec<(Closed, Entry)> =
        opens[..4].iter().map(|open| decided(open.clone(), "ann")).collect();
    endings.insert(1, decided(opens[0].clone(), "bob"));
    endings.push((too_early, expired));
    endings.push(decided(opens[4].clone(), "cy"));
    let mut closings: Vec<_> =
        endings.iter().map(|(closed, entry)| Box::pin(house.store.close(closed, entry))).collect();
    for closing in &mut closings {
        assert!(poll!(closing).is_pending());
    }
    go.send(()).unwrap();
    let won: Vec<bool> = join_all(closings)
        .await
        .into_iter()
        .map(|closing| matches!(closing.unwrap(), Closing::Won))
        .collect();
    assert_eq!(won, [true, false, true, true, true, false, true]);
    assert_eq!(house.writer.commits(), before + 2, "the one that was held, and one for all of them");
    for (open, person) in opens.iter().zip(["ann", "ann", "ann", "ann", "cy"]) {
        let Some(Review::Closed(closed)) = house.store.find(open.id).await.unwrap() else {
            panic!("it has ended")
        };
        assert!(matches!(closed.ending(), Ending::Answered { by, .. } if by.name == person), "{closed:?}");
        let trail = house.store.trail(open.id).await.unwrap();
        let events: Vec<_> = trail.into_iter().map(|entry| entry.event).collect();
        assert_eq!(events, [Event::Created, Event::Viewed, Event::Decided(Decision::Rejected)]);
    }
}
