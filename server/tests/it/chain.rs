//! The audit trail's chain: unbroken whoever writes, without holes, and every tampering with the database is told.

use crate::house::{House, On};
use crate::on_both;
use sayso::{audit::Heads, chance::Chance, signing::Signer};
use sayso_domain::{
    Moment,
    audit::{Actor, Entry, Event, Via},
    chain::{Broken, Summary, Trusted, verify},
};
use tokio::task::JoinSet;

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
