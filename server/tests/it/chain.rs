//! The audit trail's chain: unbroken whoever writes, without holes, and every tampering with the database is told.

use crate::house::{HandWound, House, On, empty};
use crate::on_both;
use sayso::{
    audit::{EVERY, Heads},
    chance::Chance,
    signing::Signer,
    store::Store,
};
use sayso_domain::{
    Moment,
    audit::{Actor, Entry, Event, Via},
    chain::{Broken, Summary, Trusted, verify},
};
use sqlx::Connection;
use std::{borrow::Cow, sync::Arc, time::Duration};
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;

async fn heads(house: &House) -> Heads {
    let signer = Signer::open(&house.store, &Chance::seeded(5), Moment(1)).await.unwrap();
    Heads::new(house.store.clone(), signer, house.clock.clone())
}

async fn exported(house: &House) -> String {
    let mut out = Vec::new();
    heads(house).await.export(&mut out).await.unwrap();
    String::from_utf8(out).unwrap()
}

async fn check(house: &House) -> Result<Summary, Broken> {
    verify(exported(house).await.lines(), Trusted::default())
}

fn entry(at: i64) -> Entry {
    Entry { review: None, at: Moment(at), actor: Actor::System, via: Via::INSIDE, event: Event::Fetched }
}

on_both! {
    async fn many_writers_on_two_servers_leave_one_unbroken_chain(house: House) {
        let neighbour = house.neighbour().await;
        let mut racers = JoinSet::new();
        for racer in 0..64 {
            let store = if racer % 2 == 0 { house.store.clone() } else { neighbour.store.clone() };
            racers.spawn(async move {
                for count in 0..4 {
                    store.record(&entry(racer * 10 + count)).await.unwrap();
                }
            });
        }
        racers.join_all().await;
        assert_eq!(check(&house).await.unwrap().header.entries, 256);
        let house = house.restarted().await;
        house.store.record(&entry(9_999)).await.unwrap();
        let found = check(&house).await.unwrap();
        assert_eq!((found.header.entries, found.header.heads), (257, 2), "it goes on where it was");
    }

    async fn a_failed_write_leaves_no_hole(house: House) {
        house.store.record(&entry(1)).await.unwrap();
        let nowhere = Entry { review: Some("0".repeat(32).parse().unwrap()), ..entry(2) };
        let third = entry(3);
        let (failed, written) = tokio::join!(house.store.record(&nowhere), house.store.record(&third));
        assert!(failed.is_err() && written.is_ok());
        assert_eq!(check(&house).await.unwrap().header.entries, 2);
    }

    async fn heads_are_signed_again_and_again_until_the_server_stops(house: House) {
        assert_eq!(EVERY, Duration::from_secs(5 * 60));
        let signed = async || house.store.last_head().await.unwrap().map_or(0, |(seq, _)| seq);
        let (paused, mut pauses) = mpsc::unbounded_channel();
        let pause = move || {
            let (end, ended) = oneshot::channel::<()>();
            paused.send(end).unwrap();
            async { ended.await.unwrap() }
        };
        house.store.record(&entry(1)).await.unwrap();
        let stopping = CancellationToken::new();
        let running = tokio::spawn(heads(&house).await.run_by(pause, stopping.clone()));
        let first = pauses.recv().await.unwrap();
        assert_eq!(signed().await, 1, "when it begins");
        house.store.record(&entry(2)).await.unwrap();
        house.store.record(&entry(3)).await.unwrap();
        assert_eq!(signed().await, 1, "not at every entry");
        first.send(()).unwrap();
        let second = pauses.recv().await.unwrap();
        assert_eq!(signed().await, 3);
        second.send(()).unwrap();
        let _third = pauses.recv().await.unwrap();
        assert_eq!(house.store.heads(0, 9).await.unwrap().len(), 2, "nothing new, no new head");
        stopping.cancel();
        running.await.unwrap();
        assert_eq!(check(&house).await.unwrap().header.heads, 2);
    }

    async fn tampering_with_the_database_is_told(house: House) {
        for at in 1..=5 {
            house.store.record(&entry(at)).await.unwrap();
        }
        check(&house).await.unwrap();
        house.raw("UPDATE audit SET at = 77 WHERE seq = 3").await.unwrap();
        let told = check(&house).await.unwrap_err().why;
        assert!(told.starts_with("entry 3 ") && told.contains("was changed"), "{told}");
        house.raw("UPDATE audit SET at = 3 WHERE seq = 3").await.unwrap();
        check(&house).await.unwrap();
        house.raw("DELETE FROM audit WHERE seq = 2").await.unwrap();
        let told = check(&house).await.unwrap_err().why;
        assert!(told.starts_with("entry 3 ") && told.contains("follows entry 1"), "{told}");
        house.raw("DELETE FROM audit WHERE seq > 1").await.unwrap();
        assert!(check(&house).await.unwrap_err().why.contains("which is missing"));
        house.raw("UPDATE chains SET seq = 1").await.unwrap();
        let told = heads(&house).await.export(&mut Vec::new()).await.unwrap_err().to_string();
        assert!(told.contains("ends at entry 1") && told.contains("signed at entry 5"), "{told}");
    }
}

/// The version before there was a chain, as its migrations made it, with a request and what had happened to it.
async fn from_before_the_chain(url: &str) {
    const CHAIN: i64 = 5;
    sqlx::any::install_default_drivers();
    let mut migrations = sqlx::migrate!("./migrations");
    assert!(migrations.iter().any(|step| step.version == CHAIN && step.description == "chain"));
    migrations.migrations =
        Cow::Owned(migrations.iter().filter(|step| step.version < CHAIN).cloned().collect());
    let url = match url.strip_prefix("sqlite:") {
        Some(path) => format!("sqlite://{path}?mode=rwc"),
        None => url.to_owned(),
    };
    let mut connection = sqlx::AnyConnection::connect(&url).await.unwrap();
    migrations.run(&mut connection).await.unwrap();
    let id = "0123456789abcdef".repeat(2);
    for sql in [
        format!(
            "INSERT INTO reviews (id, ask, principal, opened_at, deadline, state) VALUES ('{id}', '{{}}', 'ann', 1, 2, 'open')"
        ),
        format!(
            "INSERT INTO audit (id, review, at, actor, via, event) VALUES ('1', '{id}', 1, '{{\"agent\":\"ann\"}}', \
             '{{\"door\":\"mcp\"}}', '\"created\"'), ('2', NULL, 2, '\"system\"', '{{\"door\":\"inside\"}}', '\"signed_in\"')"
        ),
    ] {
        sqlx::query(sqlx::AssertSqlSafe(sql)).execute(&mut connection).await.unwrap();
    }
    connection.close().await.unwrap();
}

/// A chain begins with the first entry that this version writes; those before it are counted, and nothing is said of them.
async fn a_chain_begins_in_a_database_that_had_none(on: On) {
    let (url, _folder) = empty(on).await;
    from_before_the_chain(&url).await;
    let chance = Arc::new(Chance::seeded(1));
    let counts = async |store: &Store| {
        let signer = Signer::open(store, &chance, Moment(1)).await.unwrap();
        let mut out = Vec::new();
        let clock = Arc::new(HandWound::default());
        Heads::new(store.clone(), signer, clock).export(&mut out).await.unwrap();
        let header = verify(String::from_utf8(out).unwrap().lines(), Trusted::default()).unwrap().header;
        (header.unchained, header.entries, header.heads)
    };
    let store = Store::open(&url, Arc::clone(&chance)).await.unwrap();
    assert_eq!(counts(&store).await, (2, 0, 0));
    store.record(&entry(3)).await.unwrap();
    assert_eq!(counts(&store).await, (2, 1, 1));
    store.shut().await;
    let store = Store::open(&url, Arc::clone(&chance)).await.unwrap();
    store.record(&entry(4)).await.unwrap();
    assert_eq!(counts(&store).await, (2, 2, 2), "it goes on");
    store.shut().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chain_begins_on_sqlite() {
    a_chain_begins_in_a_database_that_had_none(On::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chain_begins_on_postgres() {
    a_chain_begins_in_a_database_that_had_none(On::Postgres).await;
}
