//! Calls without a pause on many connections.

use crate::{
    dialect::{Caller, Dialect},
    figures::Samples,
};
use serde_json::{Value, json};
use std::{
    io::{Error, Result},
    net::SocketAddr,
    rc::Rc,
    time::Duration,
};
use tokio::{
    task::{JoinHandle, spawn_local},
    time::Instant,
};

/// Which call is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// A request is created: 3 KB, on the disk when it is answered.
    Create,
    /// How a request stands.
    Status,
}

impl Call {
    /// The call of that name.
    ///
    /// # Errors
    /// There is none.
    pub fn named(name: &str) -> Result<Self> {
        match name {
            "create" => Ok(Self::Create),
            "status" => Ok(Self::Status),
            other => Err(Error::other(format!("`{other}` is no call: use create or status"))),
        }
    }
}

/// How many requests the statuses are asked of, in turns.
const ASKED_OF: usize = 64;

/// Calls for so long on so many connections: how many a second, and how long each took.
pub async fn run(
    dialect: Dialect,
    address: SocketAddr,
    call: Call,
    connections: usize,
    lasting: Duration,
) -> Result<Value> {
    let mut ids = Vec::new();
    if call == Call::Status {
        let mut caller = Caller::open(dialect, address).await?;
        for n in 0..ASKED_OF {
            ids.push(caller.created(n).await?);
        }
    }
    let ids = Rc::new(ids);
    let mut callers = Vec::with_capacity(connections);
    for _ in 0..connections {
        callers.push(Caller::open(dialect, address).await?);
    }
    let begun = Instant::now();
    let mut tasks: Vec<JoinHandle<Result<Samples>>> = Vec::with_capacity(connections);
    for (number, mut caller) in callers.into_iter().enumerate() {
        let ids = Rc::clone(&ids);
        tasks.push(spawn_local(async move {
            let mut samples = Samples::default();
            let statuses: Vec<Vec<u8>> = ids.iter().map(|id| caller.status(id)).collect();
            while begun.elapsed() < lasting {
                let n = number * 1_000_000 + samples.len();
                let sent = Instant::now();
                let answer = match call {
                    Call::Create => caller.creating(n).await?,
                    Call::Status => caller.wire.call(&statuses[n % statuses.len()]).await?,
                };
                samples.add(sent.elapsed());
                if !answer.contains("pending") {
                    return Err(Error::other(answer.to_owned()));
                }
            }
            Ok(samples)
        }));
    }
    let mut samples = Samples::default();
    for task in tasks {
        samples.extend(task.await??);
    }
    #[expect(clippy::cast_precision_loss, reason = "calls of a few seconds")]
    let rate = samples.len() as f64 / begun.elapsed().as_secs_f64();
    Ok(json!({ "calls": samples.len(), "rate": rate.round(), "ms": samples.figures() }))
}
