//! Thousands wait while people decide.

use crate::{
    dialect::{Caller, Dialect},
    figures::{Samples, mb, ms},
    process::Process,
};
use serde_json::{Value, json};
use std::{
    io::{Error, Result},
    net::SocketAddr,
    time::Duration,
};
use tokio::{
    task::{JoinHandle, spawn_local},
    time::{Instant, sleep, sleep_until, timeout},
};

/// Which request, when its decision was sent, and when that was acknowledged.
type Decided = (usize, Instant, Instant);

/// So many decisions a second while most go on waiting.
const STEADY: u32 = 200;
const STEADY_FOR: Duration = Duration::from_secs(5);
/// The rest is decided within this time.
const ALL_WITHIN: Duration = Duration::from_secs(1);
/// People are many: so many connections decide.
const DECIDING: usize = 32;

/// A request, and the digest that its page sends back.
#[derive(Clone)]
struct Asked {
    id: String,
    digest: String,
}

/// When an agent got its answer.
type Waiting = JoinHandle<Result<Instant>>;

/// So many wait; some are decided steadily, then all the others within a second.
pub async fn run(dialect: Dialect, address: SocketAddr, process: Process, count: usize) -> Result<Value> {
    let idle = process.rss_kb();
    let ids = requests(dialect, address, count).await?;
    sleep(Duration::from_secs(1)).await;
    let open = process.rss_kb();
    let mut waiting: Vec<Option<Waiting>> = Vec::with_capacity(count);
    for Asked { id, .. } in &ids {
        let mut caller = Caller::open(dialect, address).await?;
        let request = caller.wait(id);
        caller.wire.send(&request).await?;
        waiting.push(Some(spawn_local(async move {
            caller.wire.slim();
            let answer = caller.wire.receive().await?;
            let at = Instant::now();
            if answer.contains("pending") { Err(Error::other(answer.to_owned())) } else { Ok(at) }
        })));
    }
    sleep(Duration::from_secs(3)).await;
    let waited_for = process.rss_kb();
    let (busy, begun) = (process.cpu(), Instant::now());
    sleep(Duration::from_secs(3)).await;
    let busy = (process.cpu() - busy) / begun.elapsed().as_secs_f64();
    if waiting.iter().flatten().any(JoinHandle::is_finished) {
        return Err(Error::other("somebody was answered before anything was decided"));
    }

    let steadily = (STEADY as usize * STEADY_FOR.as_secs() as usize).min(count / 2);
    // Spread over all who wait, not the first ones.
    let (first, rest): (Vec<usize>, Vec<usize>) = {
        let each = count / steadily;
        (0..count).partition(|index| index % each == 0 && index / each < steadily)
    };
    let steady = decide(dialect, address, &ids, &mut waiting, &first, 1.0 / f64::from(STEADY)).await?;
    #[expect(clippy::cast_precision_loss, reason = "thousands")]
    let between = ALL_WITHIN.as_secs_f64() / rest.len() as f64;
    let all = decide(dialect, address, &ids, &mut waiting, &rest, between).await?;
    #[expect(clippy::cast_precision_loss, reason = "kilobytes of a process")]
    let each = (waited_for as f64 - open as f64) / count as f64;
    Ok(json!({
        "waiters": count, "idle_mb": mb(idle), "open_mb": mb(open), "waiting_mb": mb(waited_for),
        "kb_each": (each * 10.0).round() / 10.0, "idle_cores": (busy * 1_000.0).round() / 1_000.0,
        "steady": steady, "all": all
    }))
}

/// So many requests, created on several connections at once.
async fn requests(dialect: Dialect, address: SocketAddr, count: usize) -> Result<Vec<Asked>> {
    let mut tasks: Vec<JoinHandle<Result<Vec<Asked>>>> = Vec::new();
    for part in 0..DECIDING {
        tasks.push(spawn_local(async move {
            let mut caller = Caller::open(dialect, address).await?;
            let mut ids = Vec::new();
            for n in (part..count).step_by(DECIDING) {
                let id = caller.created(n).await?;
                let digest = caller.shown(&id).await?;
                ids.push(Asked { id, digest });
            }
            Ok(ids)
        }));
    }
    let mut ids = Vec::with_capacity(count);
    for task in tasks {
        ids.extend(task.await??);
    }
    Ok(ids)
}

/// Decides these requests one after another, each `between` seconds after the one before, however long each takes.
async fn decide(
    dialect: Dialect,
    address: SocketAddr,
    ids: &[Asked],
    waiting: &mut [Option<Waiting>],
    which: &[usize],
    between: f64,
) -> Result<Value> {
    let begun = Instant::now();
    let mut tasks: Vec<JoinHandle<Result<Vec<Decided>>>> = Vec::new();
    for part in 0..DECIDING {
        let turns: Vec<_> = which
            .iter()
            .enumerate()
            .skip(part)
            .step_by(DECIDING)
            .map(|(turn, index)| (turn, *index))
            .collect();
        let ids: Vec<_> = turns.iter().map(|(_, index)| ids[*index].clone()).collect();
        tasks.push(spawn_local(async move {
            let mut caller = Caller::open(dialect, address).await?;
            let mut decided = Vec::with_capacity(turns.len());
            for ((turn, index), asked) in turns.into_iter().zip(ids) {
                #[expect(clippy::cast_precision_loss, reason = "thousands")]
                sleep_until(begun + Duration::from_secs_f64(between * turn as f64)).await;
                let request = caller.decide(&asked.id, &asked.digest);
                let sent = Instant::now();
                caller.wire.call(&request).await?;
                decided.push((index, sent, Instant::now()));
            }
            Ok(decided)
        }));
    }
    let mut decided = Vec::with_capacity(which.len());
    for task in tasks {
        decided.extend(task.await??);
    }
    let took = begun.elapsed();
    let (mut deciding, mut waking, mut both) = (Samples::default(), Samples::default(), Samples::default());
    for (index, sent, answered) in decided {
        let waiter = waiting[index].take().ok_or_else(|| Error::other("decided twice"))?;
        let woken = timeout(Duration::from_secs(20), waiter)
            .await
            .map_err(|_| Error::other("a waiter slept on after its decision"))???;
        deciding.add(answered - sent);
        // A waiter may well hear of it before whoever decided does.
        waking.add(woken.saturating_duration_since(answered));
        both.add(woken - sent);
    }
    Ok(json!({
        "decisions": which.len(), "over_ms": ms(took).round(), "decision_ms": deciding.figures(),
        "decision_answered_to_woken_ms": waking.figures(), "decision_sent_to_woken_ms": both.figures()
    }))
}
