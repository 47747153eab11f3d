//! A house's database in the hands of somebody who has it, and new ones.

use super::{House, On};
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::TempDir;

impl House {
    /// Does what only somebody with the database in their hands can do.
    pub async fn raw(&self, sql: &str) -> Result<(), sqlx::Error> {
        let url = self.database_url.replace("sqlite:/", "sqlite:///");
        let mut connection = <sqlx::AnyConnection as sqlx::Connection>::connect(&url).await?;
        sqlx::query(sqlx::AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.map(|_| ())
    }

    /// Every row of every table, as text.
    pub async fn dump(&self) -> Vec<String> {
        let url = self.database_url.replace("sqlite:/", "sqlite:///");
        let mut connection = <sqlx::AnyConnection as sqlx::Connection>::connect(&url).await.unwrap();
        let (tables, columns) = if url.starts_with("sqlite:") {
            (
                "SELECT name FROM sqlite_master WHERE type = 'table'",
                "SELECT name FROM pragma_table_info('{}')",
            )
        } else {
            (
                "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'",
                "SELECT column_name::text FROM information_schema.columns WHERE table_schema = 'public' AND table_name = '{}'",
            )
        };
        let tables: Vec<String> = sqlx::query_scalar(tables).fetch_all(&mut connection).await.unwrap();
        let mut rows = Vec::new();
        for table in
            tables.iter().filter(|table| !table.starts_with(['_', ' ']) && *table != "sqlite_sequence")
        {
            let columns = sqlx::AssertSqlSafe(columns.replace("{}", table));
            let columns: Vec<String> = sqlx::query_scalar(columns).fetch_all(&mut connection).await.unwrap();
            let told =
                columns.iter().map(|name| format!("'{name}=' || COALESCE(CAST({name} AS TEXT), 'NULL')"));
            let sql = format!("SELECT {} FROM {table}", told.collect::<Vec<_>>().join(" || ' ' || "));
            let told: Vec<String> =
                sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_all(&mut connection).await.unwrap();
            rows.extend(told.into_iter().map(|row| format!("{table}: {row}")));
        }
        rows.sort();
        rows
    }
}

/// The URL of a database without a table, and the folder that it stands in where it is a file.
pub async fn empty(on: On) -> (String, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let url = match on {
        On::Sqlite => format!("sqlite:{}/sayso.db", folder.path().display()),
        On::Postgres => fresh_postgres().await,
    };
    (url, folder)
}

/// A new database on the Postgres that `./dev test` starts.
async fn fresh_postgres() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let Ok(url) = std::env::var("SAYSO_TEST_POSTGRES_URL") else {
        panic!(
            "these tests want a Postgres: run them by `./dev test`, or by `tools/postgres run cargo test`"
        );
    };
    let name = format!("t{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::SeqCst));
    sqlx::any::install_default_drivers();
    let mut connection = <sqlx::AnyConnection as sqlx::Connection>::connect(&url).await.unwrap();
    sqlx::raw_sql(sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}")))
        .execute(&mut connection)
        .await
        .unwrap();
    let (server, _) = url.rsplit_once('/').unwrap();
    format!("{server}/{name}")
}
