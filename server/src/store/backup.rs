//! A copy of a SQLite database while servers use it.

use sqlx::{AnyConnection, Connection, Executor};
use std::{
    fs::{self, File, OpenOptions},
    io,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

/// Why there is no copy.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// It is no SQLite database that is copied.
    #[error("only a SQLite database is copied by this; copy a Postgres database by `pg_dump`")]
    NotSqlite,
    /// There is nothing to copy.
    #[error("there is no database {0}")]
    Nothing(PathBuf),
    /// There is something where the copy should be.
    #[error("{0} is there already; name another file, or take it away")]
    Exists(PathBuf),
    /// The file of the copy could not be written.
    #[error("writing {0}: {1}")]
    File(PathBuf, io::Error),
    /// The database could not be read.
    #[error("copying the database: {0}")]
    Database(#[from] sqlx::Error),
}

/// Copies the SQLite database that the URL names into a file: as it is at one moment, without what a server is writing, and
/// without keeping servers from writing. The file is there as a whole, for this user's eyes only, or not at all.
///
/// # Errors
/// There is no copy then.
pub async fn backup(url: &str, to: &Path) -> Result<(), BackupError> {
    let path = url.strip_prefix("sqlite:").ok_or(BackupError::NotSqlite)?;
    let path = path.strip_prefix("//").unwrap_or(path);
    if !Path::new(path).exists() {
        return Err(BackupError::Nothing(path.into()));
    }
    let beside = Beside::make(to)?;
    sqlx::any::install_default_drivers();
    let mut connection = AnyConnection::connect(&format!("sqlite://{path}?mode=rw")).await?;
    connection.execute("PRAGMA busy_timeout = 5000").await?;
    let name = beside.0.to_string_lossy().into_owned();
    sqlx::query("VACUUM INTO $1").bind(name).execute(&mut connection).await?;
    connection.close().await?;
    beside.put(to)
}

/// The file in which the copy grows; it goes when this does.
struct Beside(PathBuf);

impl Beside {
    fn make(to: &Path) -> Result<Self, BackupError> {
        if to.symlink_metadata().is_ok() {
            return Err(BackupError::Exists(to.into()));
        }
        let mut name = to.as_os_str().to_owned();
        name.push(format!(".{}.part", std::process::id()));
        let path = PathBuf::from(name);
        // SQLite writes into a file that is there and empty, and leaves alone who may read it.
        match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
            Ok(_) => Ok(Self(path)),
            Err(error) => Err(BackupError::File(path, error)),
        }
    }

    /// Gives the whole file its name, unless somebody has taken that meanwhile.
    fn put(self, to: &Path) -> Result<(), BackupError> {
        let wrong = |error| BackupError::File(to.into(), error);
        File::open(&self.0).and_then(|file| file.sync_all()).map_err(wrong)?;
        fs::hard_link(&self.0, to).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => BackupError::Exists(to.into()),
            _ => wrong(error),
        })?;
        let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(wrong)
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
