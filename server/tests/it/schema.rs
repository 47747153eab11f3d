//! Databases of other versions: an older one is brought up with everything in it, a newer one is left alone.

use crate::house::{House, On, ask, empty};
use crate::{on_both, process::sayso};
use sayso::{chance::Chance, store::Store};
use serde_json::json;
use sqlx::{AnyConnection, AssertSqlSafe, Connection, migrate::Migrator};
use std::sync::Arc;

static MIGRATIONS: Migrator = sqlx::migrate!("./migrations");

/// What is pending in a database as it was after some migration, by the columns that every version has.
async fn pending_since(url: &str, version: i64) -> String {
    sqlx::any::install_default_drivers();
    let mode = if url.starts_with("sqlite:") { "?mode=rwc" } else { "" };
    let mut connection =
        AnyConnection::connect(&format!("{}{mode}", url.replace("sqlite:/", "sqlite:///"))).await.unwrap();
    MIGRATIONS.run_to(version, &mut connection).await.unwrap();
    let id = format!("{version:032x}");
    let columns = "INSERT INTO reviews (id, ask, principal, opened_at, deadline, state)";
    let sql = format!("{columns} VALUES ('{id}', $1, 'local', 1784203200000, 1784203800000, 'open')");
    let asked = serde_json::to_string(&ask()).unwrap();
    sqlx::query(AssertSqlSafe(sql)).bind(asked).execute(&mut connection).await.unwrap();
    let entry = match version {
        1..4 => "INSERT INTO audit (id, review, at, actor, event) VALUES ($1, $2, 1784203200000, $3, $4)",
        _ => {
            "INSERT INTO audit (id, review, at, actor, event, via) VALUES ($1, $2, 1784203200000, $3, $4, '{\"door\":\"mcp\"}')"
        }
    };
    // A chain holds what its own version writes: before it, entries stood alone.
    if version < 5 {
        sqlx::query(entry)
            .bind("01")
            .bind(&id)
            .bind(r#"{"agent":"local"}"#)
            .bind(r#""created""#)
            .execute(&mut connection)
            .await
            .unwrap();
    }
    connection.close().await.unwrap();
    id
}

async fn is_brought_up(url: String, version: i64) {
    let id = pending_since(&url, version).await;
    let house = House::with(url).await;
    let named = json!({ "elicitationId": id });
    assert_eq!(house.call("elicit_status", named.clone()).await.0["status"], "pending", "{version}");
    let decided = house.decide(&id, json!({ "submit": { "name": "N" } })).await;
    assert!(decided["decided"].is_object(), "{version}: {decided}");
    assert_eq!(house.call("elicit_result", named).await.0["values"], json!({ "name": "N" }));
    let trail = house.get(&format!("/review/trail?elicitationId={id}")).await;
    assert!(trail.status.is_success() && trail.body.contains("approved"), "{version}: {}", trail.body);
    house.store.shut().await;
    let export = sayso(&["audit", "export", "--database-url", &house.database_url]).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trail.jsonl");
    std::fs::write(&file, &export.stdout).unwrap();
    let verified = sayso(&["audit", "verify", file.to_str().unwrap()]).await;
    assert!(verified.status.success(), "{version}: {verified:?}");
}

fn versions() -> impl Iterator<Item = i64> {
    MIGRATIONS.iter().map(|migration| migration.version)
}

async fn every_older_version(on: On) {
    for version in versions() {
        let (url, _folder) = empty(on).await;
        is_brought_up(url, version).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_older_version_is_brought_up_sqlite() {
    every_older_version(On::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_older_version_is_brought_up_postgres() {
    every_older_version(On::Postgres).await;
}

on_both! {
    async fn a_newer_version_is_left_alone(house: House) {
        let id = house.propose().await;
        house.store.shut().await;
        let before = house.dump().await;
        let newer = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) VALUES (9001, 'to come', TRUE, ";
        let checksum = if house.database_url.starts_with("sqlite:") { "x'00'" } else { "'\\x00'" };
        house.raw(&format!("{newer}{checksum}, 1)")).await.unwrap();
        let known = versions().max().unwrap();
        let refused = Store::open(&house.database_url, Arc::new(Chance::seeded(3))).await.err().unwrap().to_string();
        let told = format!("the database is of a newer sayso: its tables are at version 9001, and this one knows them up to {known}");
        assert!(refused.starts_with(&told), "{refused}");
        // By whatever command.
        for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["keys", "rotate"], &["token", "list"], &["audit", "export"]] {
            let done = sayso(&[command, &["--database-url", &house.database_url]].concat()).await;
            let said = String::from_utf8_lossy(&done.stderr);
            assert!(done.status.code() == Some(1) && said.contains(&told), "{command:?}: {said}");
        }
        assert_eq!(house.dump().await, before);
        house.raw("DELETE FROM _sqlx_migrations WHERE version = 9001").await.unwrap();
        let house = house.restarted().await;
        assert_eq!(house.call("elicit_status", json!({ "elicitationId": id })).await.0["status"], "pending");
    }
}
