//! The one way to write: on SQLite, writes that arrive together share one commit.
//!
//! A commit that survives a loss of power waits for the disk, however much there is in it. So while one group is being
//! committed, the writes that arrive meanwhile gather, and are the next group. Those of a kind of which there are many are done
//! together; if that fails, and for every other kind, each has a savepoint of its own, so that one that fails leaves no trace and
//! hurts no other. Nobody is answered before the commit that holds their write.

mod alike;

use super::{
    Inserted, StoreError,
    chain::{self, End},
    closings::{self, Close},
    creations::{self, Creation},
    rows::Places,
};
use alike::Alike;
use futures_util::{FutureExt, future::BoxFuture};
use sqlx::{Any, AnyConnection, AnyPool, pool::PoolConnection};
use std::{
    any::Any as Something,
    ops::{Deref, DerefMut},
    panic::{AssertUnwindSafe, resume_unwind},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};
use tokio::{
    runtime::Builder,
    sync::{mpsc, oneshot},
};
use tokio_util::sync::CancellationToken;

/// At most so many writes in one commit: the first of them waits for the last.
const GROUP: usize = 64;

/// Writes to the database.
pub(super) struct Writer {
    pool: AnyPool,
    /// On SQLite, which takes one writer at a time.
    queue: Option<Queue>,
    commits: Arc<AtomicU64>,
}

/// What a write works with: its transaction, and the end of the chain in it.
pub(super) struct Turn<'c> {
    pub(super) connection: &'c mut AnyConnection,
    pub(super) chain: &'c mut End,
}

impl Turn<'_> {
    /// How the places of values are written in its statements.
    pub(super) fn places(&self) -> Places {
        match self.chain {
            End::Shared => Places::Numbered,
            End::Held { .. } => Places::Counted,
        }
    }
}

impl Deref for Turn<'_> {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        self.connection
    }
}

impl DerefMut for Turn<'_> {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        self.connection
    }
}

/// Where writes wait for their group.
struct Queue {
    jobs: mpsc::Sender<Job>,
    closing: CancellationToken,
}

impl Queue {
    async fn send(&self, job: Job) -> Result<(), StoreError> {
        if self.closing.is_cancelled() {
            return Err(sqlx::Error::PoolClosed.into());
        }
        self.jobs.send(job).await.map_err(|_| sqlx::Error::PoolClosed.into())
    }
}

impl Writer {
    /// Every write is a transaction of its own, on any connection of the pool.
    pub(super) fn pooled(pool: AnyPool) -> Self {
        Self { pool, queue: None, commits: Arc::default() }
    }

    /// Writes that arrive together share a commit, on the one connection that the pool has.
    ///
    /// They are done on a thread of their own: every statement waits for sqlx's thread and back, and on the server's own
    /// threads each of these waits would end only after whatever calls are being read there.
    ///
    /// # Errors
    /// There is no connection, or no thread.
    pub(super) async fn grouped(pool: AnyPool) -> Result<Self, StoreError> {
        let (jobs, queue) = mpsc::channel(4 * GROUP);
        let closing = CancellationToken::new();
        let commits = Arc::default();
        let groups = Groups {
            connection: Some(pool.acquire().await?),
            pool: pool.clone(),
            commits: Arc::clone(&commits),
        };
        let runtime = Builder::new_current_thread().enable_all().build().map_err(sqlx::Error::Io)?;
        let run = groups.run(queue, closing.clone());
        std::thread::Builder::new()
            .name("writer".to_owned())
            .spawn(move || runtime.block_on(run))
            .map_err(sqlx::Error::Io)?;
        Ok(Self { pool, queue: Some(Queue { jobs, closing }), commits })
    }

    /// Does what `work` says in one transaction, and comes back when it is committed. Where `work` fails, nothing of it is
    /// written. A caller that goes away before its turn has written nothing; later, all of it or nothing.
    ///
    /// On SQLite `work` has the database to itself. On Postgres others write at the same time: there, what decides between
    /// two of them has to be one statement.
    ///
    /// # Errors
    /// Those of `work`, and the database; nothing is written then.
    pub(super) async fn write<T, W>(&self, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: for<'c> FnOnce(Turn<'c>) -> BoxFuture<'c, Result<T, StoreError>> + Send + 'static,
    {
        let Some(queue) = &self.queue else {
            let mut transaction = self.pool.begin().await?;
            let done = work(Turn { connection: &mut transaction, chain: &mut End::Shared }).await?;
            transaction.commit().await?;
            self.commits.fetch_add(1, Ordering::Relaxed);
            return Ok(done);
        };
        let (answer, answered) = oneshot::channel();
        queue.send(Job::Other(Box::new(Waiting { work: Some(work), outcome: None, answer }))).await?;
        match answered.await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(panic)) => resume_unwind(panic),
            Err(_) => Err(sqlx::Error::PoolClosed.into()),
        }
    }

    /// Stores a new review as [`write`](Self::write) does what it is given; all that are in one group are stored together.
    ///
    /// # Errors
    /// The database; nothing is stored then.
    pub(super) async fn create(&self, creation: Creation) -> Result<Inserted, StoreError> {
        if let Some(queue) = &self.queue {
            return queue.together(Job::Create, creation).await;
        }
        self.write(|turn| async move { Ok(creations::insert(turn, &[&creation]).await?[0]) }.boxed()).await
    }

    /// Ends a review in the same way, unless it has ended before; whether it did.
    ///
    /// # Errors
    /// The database; nothing is changed then.
    pub(super) async fn close(&self, close: Close) -> Result<bool, StoreError> {
        if let Some(queue) = &self.queue {
            return queue.together(Job::Close, close).await;
        }
        self.write(|turn| async move { Ok(closings::close(turn, &[&close]).await?[0]) }.boxed()).await
    }

    /// How many commits all writes have taken so far.
    pub(super) fn commits(&self) -> u64 {
        self.commits.load(Ordering::Relaxed)
    }

    /// Takes no more writes, and comes back when those that were taken are done.
    pub(super) async fn shut(&self) {
        if let Some(queue) = &self.queue {
            queue.closing.cancel();
        }
        // Waits for every connection that is out; on SQLite it comes back when the queue is empty.
        self.pool.close().await;
    }
}

/// The other end of the queue: the thread that owns the one connection.
struct Groups {
    /// `None` after trouble, until there is a new one.
    connection: Option<PoolConnection<Any>>,
    pool: AnyPool,
    commits: Arc<AtomicU64>,
}

impl Groups {
    async fn run(mut self, mut queue: mpsc::Receiver<Job>, closing: CancellationToken) {
        let mut group = Vec::with_capacity(GROUP);
        loop {
            tokio::select! {
                taken = queue.recv_many(&mut group, GROUP) => if taken == 0 { break },
                // What is in the queue already still comes out of it.
                () = closing.cancelled(), if !queue.is_closed() => { queue.close(); continue }
            }
            group.retain(Job::is_awaited);
            if group.is_empty() {
                continue;
            }
            let committed = self.commit(&mut group).await.map_err(Arc::new);
            for job in group.drain(..) {
                job.answer(committed.as_ref().err());
            }
        }
        // Here and now: nothing runs on this thread any more once this is over.
        if let Some(connection) = self.connection.take()
            && let Err(error) = connection.close().await
        {
            tracing::debug!(%error, "closing the connection that wrote");
        }
    }

    async fn commit(&mut self, group: &mut [Job]) -> Result<(), sqlx::Error> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.pool.acquire().await?,
        };
        let done = together(&mut connection, group).await;
        if done.is_ok() {
            self.commits.fetch_add(1, Ordering::Relaxed);
        } else if let Err(error) = say(&mut connection, "ROLLBACK").await {
            // Either SQLite has rolled back by itself, or nobody knows: a new connection is sure to be in no transaction.
            tracing::debug!(%error, "rolling back a group of writes");
            let _ = connection.close().await;
            return done;
        }
        self.connection = Some(connection);
        done
    }
}

/// One transaction for all: what is alike together, and each other write within a savepoint.
async fn together(connection: &mut AnyConnection, group: &mut [Job]) -> Result<(), sqlx::Error> {
    let mut end = chain::hold(connection).await?;
    let begun = end.clone();
    if let Err(error) = alike(connection, &mut end, group).await {
        tracing::debug!(%error, "writing together what is alike: each is written alone");
        if say(connection, chain::BACK).await.is_err() {
            // SQLite has rolled back by itself.
            return Err(error);
        }
        end = begun;
    }
    let mut before = "SAVEPOINT one";
    for job in group.iter_mut().filter(|job| !job.is_done()) {
        say(connection, before).await?;
        let begun = end.clone();
        if !job.run(Turn { connection, chain: &mut end }).await {
            say(connection, "ROLLBACK TO one").await?;
            end = begun;
        }
        // Ended one by one: what SQLite keeps to go back to a savepoint stays small, and in memory.
        before = "RELEASE one; SAVEPOINT one";
    }
    chain::release(connection, end).await
}

/// Does the new reviews together, then the closings.
async fn alike(connection: &mut AnyConnection, end: &mut End, group: &mut [Job]) -> Result<(), sqlx::Error> {
    let creations: Vec<&Creation> = group.iter().filter_map(Job::creation).collect();
    let turn = Turn { connection: &mut *connection, chain: &mut *end };
    let mut inserted = creations::insert(turn, &creations).await?.into_iter();
    let closings: Vec<&Close> = group.iter().filter_map(Job::closing).collect();
    let mut closed = closings::close(Turn { connection, chain: end }, &closings).await?.into_iter();
    for job in group {
        match job {
            Job::Create(creation) => creation.outcome = inserted.next().map(Ok),
            Job::Close(closing) => closing.outcome = closed.next().map(Ok),
            Job::Other(_) => {}
        }
    }
    Ok(())
}

async fn say(connection: &mut AnyConnection, sql: &'static str) -> Result<(), sqlx::Error> {
    sqlx::query(sql).execute(connection).await.map(|_| ())
}

/// One of a group.
enum Job {
    /// A new review, which is stored together with all others of the group.
    Create(Box<Alike<Creation, Inserted>>),
    /// A review that ends, together with all others of the group.
    Close(Box<Alike<Close, bool>>),
    /// Any other write.
    Other(Box<dyn Write>),
}

impl Job {
    fn creation(&self) -> Option<&Creation> {
        if let Self::Create(creation) = self { Some(&creation.write) } else { None }
    }

    fn closing(&self) -> Option<&Close> {
        if let Self::Close(closing) = self { Some(&closing.write) } else { None }
    }

    /// Whether it was done together with its kind.
    fn is_done(&self) -> bool {
        match self {
            Self::Create(creation) => creation.outcome.is_some(),
            Self::Close(closing) => closing.outcome.is_some(),
            Self::Other(_) => false,
        }
    }

    /// Does it alone, within a savepoint; whether it may stay.
    async fn run(&mut self, turn: Turn<'_>) -> bool {
        match self {
            Self::Create(creation) => {
                let inserted = creations::insert(turn, &[&creation.write]).await;
                creation.alone(inserted.map(|inserted| inserted[0]))
            }
            Self::Close(closing) => {
                let closed = closings::close(turn, &[&closing.write]).await;
                closing.alone(closed.map(|closed| closed[0]))
            }
            Self::Other(write) => write.run(turn).await,
        }
    }

    fn is_awaited(&self) -> bool {
        match self {
            Self::Create(creation) => creation.is_awaited(),
            Self::Close(closing) => closing.is_awaited(),
            Self::Other(write) => write.is_awaited(),
        }
    }

    fn answer(self, not_committed: Option<&Arc<sqlx::Error>>) {
        match self {
            Self::Create(creation) => creation.answer(not_committed),
            Self::Close(closing) => closing.answer(not_committed),
            Self::Other(write) => write.answer(not_committed),
        }
    }
}

/// A write in a group, whatever it comes back with.
trait Write: Send {
    /// Whether somebody still waits for it.
    fn is_awaited(&self) -> bool;

    /// Does it, within a savepoint; whether it may stay.
    fn run<'c>(&'c mut self, turn: Turn<'c>) -> BoxFuture<'c, bool>;

    /// Tells whoever waits what became of it.
    fn answer(self: Box<Self>, not_committed: Option<&Arc<sqlx::Error>>);
}

/// What a write came back with; a panic is its caller's.
type Outcome<T> = Result<Result<T, StoreError>, Box<dyn Something + Send>>;

struct Waiting<T, W> {
    work: Option<W>,
    outcome: Option<Outcome<T>>,
    answer: oneshot::Sender<Outcome<T>>,
}

impl<T, W> Write for Waiting<T, W>
where
    T: Send + 'static,
    W: for<'c> FnOnce(Turn<'c>) -> BoxFuture<'c, Result<T, StoreError>> + Send + 'static,
{
    fn is_awaited(&self) -> bool {
        !self.answer.is_closed()
    }

    fn run<'c>(&'c mut self, turn: Turn<'c>) -> BoxFuture<'c, bool> {
        async move {
            if let Some(work) = self.work.take() {
                // It may panic before its future does.
                let work = async move { work(turn).await };
                self.outcome = Some(AssertUnwindSafe(work).catch_unwind().await);
            }
            matches!(self.outcome, Some(Ok(Ok(_))))
        }
        .boxed()
    }

    fn answer(self: Box<Self>, not_committed: Option<&Arc<sqlx::Error>>) {
        let outcome = match (self.outcome, not_committed) {
            (Some(Ok(Ok(_))) | None, Some(error)) => Ok(Err(StoreError::NotCommitted(Arc::clone(error)))),
            (Some(outcome), _) => outcome,
            (None, None) => Ok(Err(sqlx::Error::PoolClosed.into())),
        };
        // Nobody hears it who has gone away.
        let _ = self.answer.send(outcome);
    }
}

#[cfg(test)]
mod tests;
