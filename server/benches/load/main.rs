//! The server under load: calls a second, cold start, memory, and thousands who wait.
//!
//! `cargo bench -p sayso --bench load` starts the release binary as a process of its own, with a SQLite file below
//! `target`, and speaks HTTP/1.1 to it over loopback. It prints figures and asserts nothing about time. `LOAD_BIN` names
//! another binary to measure. With arguments it measures one thing of a server that somebody else started, and prints JSON:
//! that is how `compare.mjs` measures several servers in turns.

mod calls;
mod dialect;
mod figures;
mod process;
mod waiters;
mod wire;

use calls::Call;
use dialect::Dialect;
use figures::{Samples, mb};
use process::{Process, Server, cold, free_address};
use serde_json::json;
use std::{
    io::{Error, Result},
    process::Command,
    time::Duration,
};
use tokio::task::LocalSet;

const USAGE: &str = "usage: load calls DIALECT ADDRESS create|status CONNECTIONS SECONDS\n       \
                     load waiters DIALECT ADDRESS PID COUNT\n       \
                     load cold DIALECT ADDRESS COMMAND…";

const CONNECTIONS: usize = 32;
const LASTING: Duration = Duration::from_secs(5);
const COLD_STARTS: usize = 9;
const WAITERS: usize = 5_000;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // One thread for the client: two cores are few, and the server wants them.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let words: Vec<&str> =
        arguments.iter().map(String::as_str).filter(|argument| *argument != "--bench").collect();
    LocalSet::new().block_on(&runtime, async {
        match words.as_slice() {
            // `cargo test --benches` says --test, or nothing at all.
            [] if arguments.is_empty() => println!("load: nothing to test; run it with cargo bench"),
            ["--test", ..] => println!("load: nothing to test; run it with cargo bench"),
            [] => ours().await?,
            ["calls", dialect, address, call, connections, seconds] => {
                let (dialect, call) = (Dialect::named(dialect)?, Call::named(call)?);
                let lasting = Duration::from_secs_f64(parse(seconds)?);
                let figures =
                    calls::run(dialect, parse(address)?, call, parse(connections)?, lasting).await?;
                println!("{figures}");
            }
            ["waiters", dialect, address, process, count] => {
                let process = Process(parse(process)?);
                let figures =
                    waiters::run(Dialect::named(dialect)?, parse(address)?, process, parse(count)?).await?;
                println!("{figures}");
            }
            ["cold", dialect, address, program, rest @ ..] => {
                let mut command = Command::new(program);
                command.args(rest);
                let (took, rss) = cold(Dialect::named(dialect)?, command, parse(address)?).await?;
                println!("{}", json!({ "first_answer_ms": figures::ms(took), "rss_mb": mb(rss) }));
            }
            _ => return Err(Error::other(USAGE)),
        }
        Ok(())
    })
}

fn parse<T: std::str::FromStr>(text: &str) -> Result<T> {
    text.parse().map_err(|_| Error::other(format!("`{text}` is not understood\n{USAGE}")))
}

/// All there is to say about our own.
async fn ours() -> Result<()> {
    let mut starts = Samples::default();
    let mut idle = Vec::new();
    for _ in 0..COLD_STARTS {
        let (address, folder) = (free_address()?, tempfile::tempdir()?);
        let mut command = Command::new(process::binary());
        command.args(process::arguments(address, folder.path()));
        let (took, rss) = cold(Dialect::Sayso, command, address).await?;
        starts.add(took);
        idle.push(rss);
    }
    idle.sort_unstable();
    println!("cold start to the first request created, ms: {}", starts.figures());
    println!("memory (RSS) half a second later, MB, median: {}", mb(idle[idle.len() / 2]));

    for dialect in [Dialect::Sayso, Dialect::SaysoSessions] {
        let server = Server::ours("calls").await?;
        for call in [Call::Create, Call::Status] {
            // The first seconds of a process are not what it is like.
            calls::run(dialect, server.address, call, CONNECTIONS, Duration::from_secs(1)).await?;
            let figures = calls::run(dialect, server.address, call, CONNECTIONS, LASTING).await?;
            println!("{call:?} by {dialect:?} on {CONNECTIONS} connections: {figures}");
        }
        println!("memory (RSS) after that, MB: {}", mb(server.process().rss_kb()));
    }
    let server = Server::ours("waiters").await?;
    let figures = waiters::run(Dialect::Sayso, server.address, server.process(), WAITERS).await?;
    println!("{figures:#}");
    Ok(())
}
