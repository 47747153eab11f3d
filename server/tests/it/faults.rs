//! A database that fails while the server runs: everybody is told so, `/readyz` too, nothing is half-stored, and the same
//! process goes on when it can.

use crate::{
    postgres::Own,
    process::{Server, sayso},
};
use serde_json::json;
use sqlx::{AssertSqlSafe, Connection};
use std::{os::unix::fs::PermissionsExt, path::Path, time::Duration};
use tokio::time::timeout;

/// What the server said to an agent and to a person was not done, and what was there before stands as it was.
async fn nothing_is_lost(server: &mut Server, before: &str) {
    server.until_ready().await;
    let named = json!({ "elicitationId": before });
    assert_eq!(server.call("elicit_status", named.clone()).await["status"], "pending");
    let (status, told) = server.approve(before).await;
    assert!(status == 200 && told.contains("decided"), "{status} {told}");
    assert_eq!(server.call("elicit_result", named).await["values"], json!({ "name": "N" }));
    assert_eq!(
        server.call("elicit_status", json!({ "elicitationId": server.propose().await })).await["status"],
        "pending"
    );
    server.lives().await;
}

async fn chain_verifies(url: &str, folder: &Path) {
    let export = sayso(&["audit", "export", "--database-url", url]).await;
    let file = folder.join("trail.jsonl");
    std::fs::write(&file, &export.stdout).unwrap();
    let verified = sayso(&["audit", "verify", file.to_str().unwrap()]).await;
    assert!(verified.stdout.starts_with(b"whole: "), "{verified:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_postgres() {
    let database = Own::start().await;
    let mut server = Server::start(&database.url).await;
    let id = server.propose().await;
    let long = json!({ "elicitationId": id, "waitSeconds": 300 });
    let patience = Duration::from_secs(60);
    let (waited, ()) = tokio::join!(timeout(patience, server.call("elicit_await", long)), async {
        // It waits as soon as it is counted.
        while !server.get("/metrics").await.is_some_and(|(_, told)| told.contains("sayso_waiting_calls 1")) {}
        database.kill().await;
    });
    assert_eq!(waited.expect("nobody waits for a database that is gone")["code"], "unavailable");
    server.until(503, "unreachable: ").await;
    assert_eq!(server.get("/healthz").await.unwrap().0, 200);
    let called =
        timeout(patience, server.call("elicit_status", json!({ "elicitationId": id }))).await.unwrap();
    assert_eq!(called["code"], "unavailable");
    let (status, page) =
        timeout(patience, server.get(&format!("/review?elicitationId={id}"))).await.unwrap().unwrap();
    assert!(status == 503 && page.contains("Not available just now"), "{status} {page}");
    assert!(server.get("/metrics").await.unwrap().1.contains("sayso_database_writable 0"));
    database.start_again().await;
    nothing_is_lost(&mut server, &id).await;
    assert!(server.log().contains("the database can be written again"), "{}", server.log());
}

/// Does it as whoever runs the database, and ends all other connections, so that it holds for those to come.
async fn sql(url: &str, sql: &str) {
    sqlx::any::install_default_drivers();
    let mut connection = sqlx::AnyConnection::connect(url).await.unwrap();
    // A setting of the database holds for this connection, too.
    for sql in ["SET default_transaction_read_only = off", sql] {
        sqlx::query(AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.unwrap();
    }
    let others = "SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity \
                  WHERE datname = current_database() AND pid <> pg_backend_pid()";
    sqlx::query(others).execute(&mut connection).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_postgres_that_may_only_be_read() {
    let database = Own::start().await;
    let mut server = Server::start(&database.url).await;
    let id = server.propose().await;
    sql(&database.url, "ALTER DATABASE sayso SET default_transaction_read_only = on").await;
    // The pulse may take half a minute; a write that fails is known at once.
    while server.call("elicit_proposal", crate::house::example()).await["code"] != "unavailable" {}
    server.until(503, "read_only: ").await;
    let named = json!({ "elicitationId": id });
    assert_eq!(server.call("elicit_status", named).await["status"], "pending", "it can be read");
    let (status, told) = server.approve(&id).await;
    assert!(status == 500 && !told.contains("decided\":"), "{status} {told}");
    sql(&database.url, "ALTER DATABASE sayso RESET default_transaction_read_only").await;
    nothing_is_lost(&mut server, &id).await;
}

/// A disk without room, as the file system tells it: no file may grow.
#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sayso.db");
    let url = format!("sqlite:{}", file.display());
    let mut server = Server::limited(&url).await;
    let id = server.propose().await;
    let log = file.with_extension("db-wal").metadata().unwrap().len();
    server.limit(Some(log)).await;
    let refused = server.call("elicit_proposal", crate::house::example()).await;
    assert_eq!(refused["code"], "unavailable", "{refused}");
    server.until(503, "failing: ").await;
    assert_eq!(server.get("/healthz").await.unwrap().0, 200);
    let (status, told) = server.approve(&id).await;
    assert!(status == 500 && !told.contains("decided\":"), "{status} {told}");
    assert_eq!(server.call("elicit_cancel", json!({ "elicitationId": id })).await["code"], "unavailable");
    server.limit(None).await;
    nothing_is_lost(&mut server, &id).await;
    drop(server);
    chain_verifies(&url, folder.path()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_replaced_under_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let (file, aside) = (folder.path().join("sayso.db"), folder.path().join("aside.db"));
    let url = format!("sqlite:{}", file.display());
    let mut server = Server::limited(&url).await;
    let id = server.propose().await;
    std::fs::rename(&file, &aside).unwrap();
    std::fs::write(&file, b"").unwrap();
    // Something has to fail, or the pulse looks in half a minute.
    server.limit(Some(0)).await;
    let refused = server.call("elicit_proposal", crate::house::example()).await;
    assert_eq!(refused["code"], "unavailable", "{refused}");
    server.limit(None).await;
    server.until(503, "moved: ").await;
    let refused = server.call("elicit_proposal", crate::house::example()).await;
    assert_eq!(refused["code"], "unavailable", "it would be lost: {refused}");
    std::fs::rename(&aside, &file).unwrap();
    nothing_is_lost(&mut server, &id).await;
}

#[tokio::test]
async fn a_file_that_may_only_be_read_ends_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let (file, binary) = (folder.path().join("sayso.db"), folder.path().join("sayso"));
    let url = format!("sqlite:{}", file.display());
    drop(Server::start(&url).await);
    // Whoever may do everything is refused nothing: somebody else starts it, who has to be able to reach it.
    std::fs::copy(env!("CARGO_BIN_EXE_sayso"), &binary).unwrap();
    for (path, mode) in [(folder.path(), 0o755), (&binary, 0o755), (&file, 0o444)] {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    }
    let mut command = tokio::process::Command::new("/bin/bash");
    let as_nobody = "if [ \"$(id -u)\" = 0 ]; then exec setpriv --reuid 65534 --clear-groups \"$@\"; else exec \"$@\"; fi";
    let (binary, serve) =
        (binary.to_str().unwrap(), ["serve", "--listen", "127.0.0.1:0", "--database-url", &url]);
    let done =
        command.args(["-c", as_nobody, "-", binary]).args(serve).env_clear().env("PATH", "/usr/bin:/bin");
    let done = timeout(Duration::from_secs(60), done.output()).await.expect("it does not start").unwrap();
    let told = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(1), "{told}");
    assert!(told.contains(&format!("the database file {}: Permission denied", file.display())), "{told}");
}
