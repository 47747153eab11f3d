//! The threads on which templates are rendered: few, with a known stack, and never those that serve.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, mpsc},
    time::Duration,
};
use tokio::sync::{Semaphore, oneshot};

/// How long a piece of work waits for a thread.
const PATIENCE: Duration = Duration::from_millis(500);

/// What one render needs is proven where it is written; the rest is for what is around it.
const STACK: usize = 2 * sayso_templates::STACK;

type Job = Box<dyn FnOnce() + Send>;

/// Threads that wait for work.
#[derive(Clone)]
pub(super) struct Pool {
    jobs: mpsc::Sender<Job>,
    free: Arc<Semaphore>,
}

/// Why a piece of work has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unrun {
    /// No thread was free for half a second.
    Busy,
    /// It panicked; its thread lives on.
    Panicked,
}

impl Pool {
    /// Starts so many threads; they end with the last clone of the pool.
    pub(super) fn start(threads: usize) -> std::io::Result<Self> {
        let (jobs, waiting) = mpsc::channel::<Job>();
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..threads {
            let waiting = Arc::clone(&waiting);
            let work = move || {
                loop {
                    let job = waiting.lock().expect("no panic happens under this lock").recv();
                    match job {
                        Ok(job) => job(),
                        Err(mpsc::RecvError) => return,
                    }
                }
            };
            std::thread::Builder::new().name("render".to_owned()).stack_size(STACK).spawn(work)?;
        }
        Ok(Self { jobs, free: Arc::new(Semaphore::new(threads)) })
    }

    /// Runs a piece of work on a free thread. A caller that goes away leaves the thread taken until the work is done.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Unrun> {
        let free = Arc::clone(&self.free).acquire_owned();
        let Ok(Ok(taken)) = tokio::time::timeout(PATIENCE, free).await else {
            return Err(Unrun::Busy);
        };
        let (done, result) = oneshot::channel();
        let job = Box::new(move || {
            let made = catch_unwind(AssertUnwindSafe(work)).map_err(|_| Unrun::Panicked);
            drop(taken);
            let _ = done.send(made);
        });
        self.jobs.send(job).map_err(|_| Unrun::Busy)?;
        result.await.unwrap_or(Err(Unrun::Panicked))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_costs_its_own_work_only() {
        let pool = Pool::start(1).unwrap();
        assert_eq!(pool.run(|| -> u8 { panic!("on purpose") }).await, Err(Unrun::Panicked));
        assert_eq!(pool.run(|| 7).await, Ok(7));
    }

    #[tokio::test(start_paused = true)]
    async fn a_full_pool_says_so() {
        let pool = Pool::start(1).unwrap();
        let (open, gate) = mpsc::channel::<()>();
        let held = tokio::spawn({
            let pool = pool.clone();
            async move { pool.run(move || gate.recv().is_ok()).await }
        });
        while pool.free.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(pool.run(|| 7).await, Err(Unrun::Busy));
        open.send(()).unwrap();
        assert_eq!(held.await.unwrap(), Ok(true));
        assert_eq!(pool.run(|| 7).await, Ok(7));
    }
}
