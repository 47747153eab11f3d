//! `sayso backup`: the real binary copies a database that is being written to.

use crate::house::{House, On, agent, ask, cancel, visitor};
use sayso::{chance::Chance, store::Store};
use sayso_domain::{ReviewId, Status};
use std::{
    os::unix::fs::PermissionsExt,
    path::Path,
    process::Output,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
};
use tokio::process::Command;

async fn sayso(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sayso")).args(arguments).env_clear().output().await.unwrap()
}

async fn backup(url: &str, to: &Path) -> Result<(), String> {
    let done = sayso(&["backup", to.to_str().unwrap(), "--database-url", url]).await;
    if done.status.success() { Ok(()) } else { Err(String::from_utf8(done.stderr).unwrap()) }
}

/// Everything that was acknowledged before the copy began is in it, whatever is written meanwhile, and its chain is whole.
#[tokio::test(flavor = "multi_thread")]
async fn a_copy_is_whole_while_the_server_writes() {
    let house = House::on(On::Sqlite).await;
    let folder = tempfile::tempdir().unwrap();
    let open = async || house.reviews.open(ask(), agent("ann"), 600).await.unwrap().id;
    let (decided, pending) = (open().await, open().await);
    house.reviews.submit(decided, &house.sent(decided, cancel()).await, visitor("Ann")).await.unwrap();

    let over = Arc::new(AtomicBool::new(false));
    let writing = tokio::spawn({
        let (reviews, over) = (house.reviews.clone(), Arc::clone(&over));
        async move {
            let mut written = Vec::<ReviewId>::new();
            while !over.load(SeqCst) {
                written.push(reviews.open(ask(), agent("ann"), 600).await.unwrap().id);
            }
            written
        }
    });
    let mut copies = Vec::new();
    for at in 0..5 {
        let copy = folder.path().join(format!("{at}.db"));
        backup(&house.database_url, &copy).await.unwrap();
        copies.push(copy);
    }
    over.store(true, SeqCst);
    let written = writing.await.unwrap();
    assert!(!written.is_empty(), "it was written to meanwhile");

    for copy in &copies {
        assert_eq!(copy.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        let url = format!("sqlite:{}", copy.display());
        let trail = folder.path().join("trail.jsonl");
        let export = sayso(&["audit", "export", "--database-url", &url]).await;
        std::fs::write(&trail, export.stdout).unwrap();
        let verified = sayso(&["audit", "verify", trail.to_str().unwrap()]).await;
        assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
        let store = Store::open(&url, Arc::new(Chance::seeded(7))).await.unwrap();
        let status = async |id| store.find(id).await.unwrap().map(|review| review.status());
        assert_eq!(
            (status(decided).await, status(pending).await),
            (Some(Status::Rejected), Some(Status::Pending))
        );
        // What was written meanwhile is there up to one moment, and nothing after it.
        let mut there = Vec::new();
        for id in &written {
            there.push(status(*id).await.is_some());
        }
        assert!(there.is_sorted_by(|before, after| before >= after));
        store.shut().await;
    }
    let left: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().ends_with(".part")), "{left:?}");
}

#[tokio::test]
async fn what_is_there_is_left_alone_and_said() {
    let house = House::on(On::Sqlite).await;
    let folder = tempfile::tempdir().unwrap();
    let taken = folder.path().join("taken.db");
    std::fs::write(&taken, "mine").unwrap();
    assert!(backup(&house.database_url, &taken).await.unwrap_err().contains("is there already"));
    assert_eq!(std::fs::read_to_string(&taken).unwrap(), "mine");
    let nowhere = folder.path().join("none/copy.db");
    assert!(backup(&house.database_url, &nowhere).await.unwrap_err().contains("writing"));
    let to = folder.path().join("copy.db");
    let nothing = format!("sqlite:{}/none.db", folder.path().display());
    assert!(backup(&nothing, &to).await.unwrap_err().contains("there is no database"));
    assert!(!Path::new(nothing.strip_prefix("sqlite:").unwrap()).exists(), "and none is made");
    let told = backup("postgres://sayso:secret@127.0.0.1/sayso", &to).await.unwrap_err();
    assert!(told.contains("pg_dump") && !told.contains("secret"), "{told}");
    let other = folder.path().join("text.db");
    std::fs::write(&other, "no database, but long enough for SQLite to look at it").unwrap();
    let told = backup(&format!("sqlite:{}", other.display()), &to).await.unwrap_err();
    assert!(told.contains("copying the database"), "{told}");
    assert!(!to.exists());
}
