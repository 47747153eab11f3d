//! Whether the database can be written, as every write tells: those of agents and people, and a pulse where nobody writes.

use super::{Kind, Store, StoreError};
use futures_util::FutureExt;
use sayso_domain::Moment;
use std::{
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    time::Duration,
};
use tokio::{sync::watch, time::timeout};

/// What keeps the database from being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// No connection can be had, or nothing comes back.
    Unreachable,
    /// The disk is full.
    Full,
    /// It may be read only.
    ReadOnly,
    /// The disk under it does not do what it should.
    Failing,
    /// What it holds is no database any more.
    Damaged,
    /// Somebody else has locked it.
    Locked,
    /// The file is not where it was, or another one is there: what is written now would be lost.
    Moved,
    /// It does not do what it should, and why is in the log.
    Unknown,
}

impl Trouble {
    /// The word that monitors look for.
    pub fn word(self) -> &'static str {
        match self {
            Self::Unreachable => "unreachable",
            Self::Full => "full",
            Self::ReadOnly => "read_only",
            Self::Failing => "failing",
            Self::Damaged => "damaged",
            Self::Locked => "locked",
            Self::Moved => "moved",
            Self::Unknown => "unknown",
        }
    }

    /// What is the matter, and what mends it.
    pub fn told(self) -> &'static str {
        match self {
            Self::Unreachable => "the database does not answer; the server goes on by itself when it does",
            Self::Full => "the disk of the database is full; the server goes on by itself when there is room",
            Self::ReadOnly => "the database may only be read; the server goes on by itself when it may write",
            Self::Failing => {
                "the disk of the database fails, or is full; the server goes on by itself when it can be written"
            }
            Self::Damaged => "the database is damaged; stop the server and put a backup in its place",
            Self::Locked => {
                "another program has locked the database; the server goes on by itself when it lets go"
            }
            Self::Moved => {
                "the file of the database was moved away or replaced, and nothing is written any more; put it back, or stop \
                 the server and start it with the right one"
            }
            Self::Unknown => "the database cannot be written; the server's log says more",
        }
    }

    /// What an error tells of the whole database; `None` where it concerns what was written only.
    fn of(error: &StoreError, kind: Kind) -> Option<Self> {
        let error = match error {
            StoreError::Database(error) => error,
            StoreError::NotCommitted(error) | StoreError::Together(error) => error.as_ref(),
            StoreError::Moved => return Some(Self::Moved),
            _ => return None,
        };
        let told = match error {
            sqlx::Error::Database(told) => told,
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::Protocol(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed => return Some(Self::Unreachable),
            _ => return None,
        };
        let code = told.code()?;
        match kind {
            Kind::Sqlite => Self::of_sqlite(code.parse().ok()?),
            Kind::Postgres => Self::of_sqlstate(&code),
        }
    }

    /// By SQLite's result codes, extended or not.
    fn of_sqlite(code: u32) -> Option<Self> {
        match code & 0xff {
            5 | 6 => Some(Self::Locked),
            8 => Some(Self::ReadOnly),
            10 => Some(Self::Failing),
            11 | 26 => Some(Self::Damaged),
            13 => Some(Self::Full),
            14 => Some(Self::Unreachable),
            _ => None,
        }
    }

    /// By the codes of PostgreSQL, appendix A of its manual.
    fn of_sqlstate(code: &str) -> Option<Self> {
        match code {
            "53100" => Some(Self::Full),
            "25006" | "42501" => Some(Self::ReadOnly),
            "3D000" => Some(Self::Unreachable),
            "XX001" | "XX002" => Some(Self::Damaged),
            _ => match code.get(..2)? {
                "08" | "28" | "53" | "57" => Some(Self::Unreachable),
                "58" => Some(Self::Failing),
                "XX" => Some(Self::Unknown),
                _ => None,
            },
        }
    }
}

/// What is known of the database at this moment.
#[derive(Debug)]
pub(super) struct Health {
    trouble: watch::Sender<Option<Trouble>>,
    /// Where it is a file.
    file: Option<Place>,
}

impl Health {
    /// That of a database on another machine.
    pub(super) fn remote() -> Self {
        Self { trouble: watch::Sender::new(None), file: None }
    }

    /// That of a file which is there.
    pub(super) fn of_file(path: &Path) -> Self {
        Self { trouble: watch::Sender::new(None), file: Place::of(path) }
    }

    fn now(&self) -> Option<Trouble> {
        *self.trouble.borrow()
    }

    fn tell(&self, trouble: Option<Trouble>) {
        self.trouble.send_if_modified(|now| std::mem::replace(now, trouble) != trouble);
    }

    /// Writing to a file that is not where it was succeeds, and is in vain.
    pub(super) fn may_write(&self) -> Result<(), StoreError> {
        if self.now() == Some(Trouble::Moved) { Err(StoreError::Moved) } else { Ok(()) }
    }

    /// Learns from a write that somebody wanted.
    pub(super) fn learn<T>(&self, outcome: &Result<T, StoreError>, kind: Kind) {
        match outcome {
            Ok(_) if self.now() == Some(Trouble::Moved) => {}
            Ok(_) => self.tell(None),
            Err(error) => {
                if let Some(trouble) = Trouble::of(error, kind) {
                    self.tell(Some(trouble));
                }
            }
        }
    }
}

/// Which file it is, by more than its name.
#[derive(Debug)]
struct Place {
    path: PathBuf,
    identity: (u64, u64),
}

impl Place {
    fn of(path: &Path) -> Option<Self> {
        Some(Self { path: path.to_owned(), identity: identity(path)? })
    }

    fn is_there(&self) -> bool {
        identity(&self.path) == Some(self.identity)
    }
}

fn identity(path: &Path) -> Option<(u64, u64)> {
    let file = fs::metadata(path).ok()?;
    Some((file.dev(), file.ino()))
}

impl Store {
    /// Writes, for no other purpose than to learn whether that can be done.
    ///
    /// # Errors
    /// What keeps it from being written, as [`readiness`](Self::readiness) tells from now on.
    pub async fn beat(&self, now: Moment) -> Result<(), Trouble> {
        const AT_MOST: Duration = Duration::from_secs(10);
        if self.health.file.as_ref().is_some_and(|file| !file.is_there()) {
            self.health.tell(Some(Trouble::Moved));
            return Err(Trouble::Moved);
        }
        let beat = self.writer.write(move |mut turn| {
            async move {
                let done =
                    sqlx::query("UPDATE pulse SET at = $1 WHERE one = 1").bind(now.0).execute(&mut *turn);
                Ok(done.await?.rows_affected())
            }
            .boxed()
        });
        let trouble = match timeout(AT_MOST, beat).await {
            Ok(Ok(1)) => None,
            Ok(Ok(_)) => Some(Trouble::Damaged),
            Ok(Err(error)) => {
                tracing::debug!(%error, "the pulse");
                Some(Trouble::of(&error, self.kind).unwrap_or(Trouble::Unknown))
            }
            Err(_) => Some(Trouble::Unreachable),
        };
        self.health.tell(trouble);
        trouble.map_or(Ok(()), Err)
    }

    /// Whether the database can be written, as the last write has told, and read, as it is asked now. Nothing is written by this.
    ///
    /// # Errors
    /// What is the matter.
    pub async fn readiness(&self) -> Result<(), Trouble> {
        const AT_MOST: Duration = Duration::from_secs(2);
        if let Some(trouble) = self.health.now() {
            return Err(trouble);
        }
        let trouble = match timeout(AT_MOST, sqlx::query("SELECT 1").execute(&self.reader)).await {
            Ok(Ok(_)) => return Ok(()),
            Ok(Err(error)) => {
                tracing::error!(%error, "asking the database whether it is there");
                Trouble::of(&error.into(), self.kind).unwrap_or(Trouble::Unknown)
            }
            Err(_) => Trouble::Unreachable,
        };
        // The pulse finds out when that has passed.
        self.health.tell(Some(trouble));
        Err(trouble)
    }

    /// What keeps the database from being written, as it changes.
    pub fn trouble(&self) -> watch::Receiver<Option<Trouble>> {
        self.health.trouble.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;
    use sqlx::{AnyConnection, Connection, Executor};
    use std::sync::Arc;

    #[test]
    fn what_concerns_one_row_is_no_trouble_of_the_database() {
        assert_eq!(Trouble::of_sqlite(2067), None, "a unique index");
        assert_eq!(Trouble::of_sqlstate("23505"), None);
        assert_eq!(Trouble::of_sqlstate(""), None);
        assert_eq!(Trouble::of_sqlite(778), Some(Trouble::Failing), "an extended code");
        assert_eq!(Trouble::of_sqlstate("57P01"), Some(Trouble::Unreachable));
        assert_eq!(Trouble::of_sqlstate("XX001"), Some(Trouble::Damaged));
        assert_eq!(
            Trouble::of_sqlstate("XX000"),
            Some(Trouble::Unknown),
            "nobody restores a backup for that"
        );
    }

    #[test]
    fn a_write_that_fails_is_known_at_once_and_one_that_succeeds_ends_it() {
        let health = Health::remote();
        let fails = |error| Err::<(), _>(StoreError::Database(error));
        health.learn(&fails(sqlx::Error::RowNotFound), Kind::Postgres);
        assert_eq!(health.now(), None, "that is about a row");
        health.learn(&fails(sqlx::Error::PoolTimedOut), Kind::Postgres);
        assert_eq!(health.now(), Some(Trouble::Unreachable));
        health.learn(&Ok(()), Kind::Postgres);
        assert_eq!(health.now(), None);
        health.tell(Some(Trouble::Moved));
        health.learn(&Ok(()), Kind::Postgres);
        assert_eq!(health.now(), Some(Trouble::Moved), "what was written there is lost");
    }

    /// What SQLite says for itself where there is no more room, and where nothing may be written.
    #[tokio::test]
    async fn a_full_disk_and_a_file_to_read_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sayso.db");
        fs::write(&path, "").unwrap();
        sqlx::any::install_default_drivers();
        let mut connection = AnyConnection::connect(&format!("sqlite://{}", path.display())).await.unwrap();
        connection.execute("CREATE TABLE heap (what TEXT); PRAGMA max_page_count = 4").await.unwrap();
        let fill = "INSERT INTO heap VALUES (hex(zeroblob(100000)))";
        let full = connection.execute(fill).await.unwrap_err();
        assert_eq!(Trouble::of(&full.into(), Kind::Sqlite), Some(Trouble::Full));
        let full = connection.execute("PRAGMA query_only = ON; DELETE FROM heap").await.unwrap_err();
        assert_eq!(Trouble::of(&full.into(), Kind::Sqlite), Some(Trouble::ReadOnly));
    }

    #[tokio::test]
    async fn a_file_that_was_moved_is_not_written_until_it_is_back() {
        let folder = tempfile::tempdir().unwrap();
        let (path, aside) = (folder.path().join("sayso.db"), folder.path().join("aside.db"));
        let chance = Arc::new(Chance::seeded(1));
        let store = Store::open(&format!("sqlite:{}", path.display()), chance).await.unwrap();
        assert_eq!(store.beat(Moment(1)).await, Ok(()));
        fs::rename(&path, &aside).unwrap();
        assert_eq!(store.beat(Moment(2)).await, Err(Trouble::Moved));
        assert_eq!(store.readiness().await, Err(Trouble::Moved));
        fs::copy(&aside, &path).unwrap();
        assert_eq!(store.beat(Moment(3)).await, Err(Trouble::Moved), "a copy is another file");
        let refused = store.end_all_person_sessions().await;
        assert!(matches!(refused, Err(StoreError::Moved)), "{refused:?}");
        fs::rename(&aside, &path).unwrap();
        assert_eq!(store.beat(Moment(4)).await, Ok(()));
        assert_eq!(store.readiness().await, Ok(()));
        store.end_all_person_sessions().await.unwrap();
    }
}
