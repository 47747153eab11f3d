//! How the store comes to its database: by URL, with its tables brought to this version.

use super::{Kind, Store, StoreError, chain, glances::Glances, health::Health, writer::Writer};
use crate::chance::Chance;
use sqlx::{
    AnyConnection, AnyPool, Connection, Executor,
    any::{AnyConnectOptions, AnyPoolOptions},
    migrate::{MigrateError, Migrator},
};
use std::{path::Path, str::FromStr, sync::Arc, time::Duration};

static MIGRATIONS: Migrator = sqlx::migrate!("./migrations");

impl Store {
    /// Opens the database that the URL names, and brings its tables to this version.
    ///
    /// # Errors
    /// The URL names none, or the database cannot be reached or brought up to date.
    pub async fn open(url: &str, chance: Arc<Chance>) -> Result<Self, StoreError> {
        sqlx::any::install_default_drivers();
        let store = if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            let options =
                AnyConnectOptions::from_str(url).map_err(|_| StoreError::Url(without_secrets(url)))?;
            // A pool would wait and say only that it waited: the first connection says what is wrong.
            AnyConnection::connect_with(&options).await?.close().await?;
            let pool = AnyPoolOptions::new()
                .max_connections(16)
                .acquire_timeout(Duration::from_secs(10))
                .connect_with(options)
                .await?;
            migrate(&pool).await?;
            chain::begin(&pool, || format!("{:032x}", chance.bits())).await?;
            Self {
                writer: Arc::new(Writer::pooled(pool.clone())),
                reader: pool,
                chance,
                kind: Kind::Postgres,
                health: Arc::new(Health::remote()),
                glances: None,
            }
        } else if let Some(path) = url.strip_prefix("sqlite:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            if path.is_empty() || path.contains(['?', '#']) {
                return Err(StoreError::Url(url.to_owned()));
            }
            make_private(Path::new(path)).map_err(|error| StoreError::File(path.to_owned(), error))?;
            let options = AnyConnectOptions::from_str(&format!("sqlite://{path}?mode=rw"))
                .map_err(|_| StoreError::Url(url.to_owned()))?;
            let writer = sqlite(1).connect_with(options.clone()).await?;
            migrate(&writer).await?;
            chain::begin(&writer, || format!("{:032x}", chance.bits())).await?;
            let reader = sqlite(4).connect_with(options).await?;
            Self {
                writer: Arc::new(Writer::grouped(writer).await?),
                glances: Some(Glances::by(reader.clone())),
                reader,
                chance,
                kind: Kind::Sqlite,
                health: Arc::new(Health::of_file(Path::new(path))),
            }
        } else {
            return Err(StoreError::Url(without_secrets(url)));
        };
        Ok(store)
    }
}

/// Brings the tables to this version; those of a newer one are left alone.
async fn migrate(pool: &AnyPool) -> Result<(), StoreError> {
    MIGRATIONS.run(pool).await.map_err(|error| match error {
        MigrateError::VersionMissing(found) => {
            let known = MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or(0);
            if found > known { StoreError::Newer { found, known } } else { error.into() }
        }
        error => error.into(),
    })
}

/// Connections to a SQLite file on which an acknowledged commit survives a loss of power.
fn sqlite(connections: u32) -> AnyPoolOptions {
    AnyPoolOptions::new().max_connections(connections).acquire_timeout(Duration::from_secs(10)).test_before_acquire(false).after_connect(|connection, _| {
        Box::pin(async move {
            connection
                .execute("PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -1024;")
                .await?;
            Ok(())
        })
    })
}

/// Makes the file, and its folder, for this user's eyes only; what is there already stays as it is.
fn make_private(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    std::fs::OpenOptions::new().append(true).create(true).mode(0o600).open(path).map(|_| ())
}

/// A URL as it may be told: without what stands between `//` and `@`.
fn without_secrets(url: &str) -> String {
    match (url.split_once("//"), url.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}//…@{host}"),
        _ => url.to_owned(),
    }
}
