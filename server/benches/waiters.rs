//! A thousand agents wait while a person decides, one request after another.
//!
//! `cargo bench -p sayso --bench waiters` starts the release binary as a process of its own, so that its memory and its
//! threads are its own, with a SQLite file below `target`, and speaks HTTP/1.1 to it over loopback. It prints figures and
//! asserts nothing about time. `WAITERS_BIN` names another binary to measure. Linux only: it reads `/proc`.

use serde_json::{Value, json};
use std::{
    io::{Error, ErrorKind, Result},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    rc::Rc,
    time::Duration,
};
use tokio::{
    net::TcpStream,
    task::{JoinHandle, LocalSet, spawn_local},
    time::{Instant, sleep, timeout},
};

const WAITERS: usize = 1_000;
const DECISIONS: usize = 300;
const BETWEEN_DECISIONS: Duration = Duration::from_millis(20);
const CONNECTIONS: usize = 32;
const LOAD: Duration = Duration::from_secs(5);
const COLD_STARTS: usize = 9;

fn main() -> Result<()> {
    // `cargo bench` says --bench; `cargo test --benches` says nothing of the kind, and --test says so outright.
    let said = |word| std::env::args().any(|argument| argument == word);
    if !said("--bench") || said("--test") {
        println!("waiters: nothing to test; run it with cargo bench");
        return Ok(());
    }
    // One thread for the client: two cores are few, and the server wants them.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    LocalSet::new().block_on(&runtime, async {
        cold_starts().await?;
        let server = Server::start("waiters").await?;
        waiters(&server).await?;
        drop(server);
        let server = Server::start("load").await?;
        load(&server).await
    })
}

// ------------------------------------------------------------------------------------------------ what is measured

async fn cold_starts() -> Result<()> {
    let (mut healthy, mut at_start, mut used) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..COLD_STARTS {
        let begun = Instant::now();
        let server = Server::start("cold").await?;
        healthy.push(ms(begun.elapsed()));
        sleep(Duration::from_millis(500)).await;
        at_start.push(server.rss_kb());
        one_review(&server).await?;
        sleep(Duration::from_millis(500)).await;
        used.push(server.rss_kb());
    }
    println!("cold start to a healthy answer, on an empty database   {}", told(&mut healthy));
    println!("memory (RSS) after the start                           {}", told_mb(&mut at_start));
    println!("memory (RSS) after one review, its page included       {}", told_mb(&mut used));
    Ok(())
}

/// One review from end to end: asked, looked at, decided, fetched.
async fn one_review(server: &Server) -> Result<()> {
    let mut wire = Wire::open(server.address).await?;
    let id = create(&mut wire, 0).await?;
    let page = format!("GET /review?elicitationId={id} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    expect(&wire.call(page.as_bytes()).await?, "</html>")?;
    expect(&wire.call(&decision(server.address, &id)).await?, "approved")?;
    let result = tool(server.address, "elicit_result", &json!({ "elicitationId": id }));
    expect(&wire.call(&result).await?, "consumed")
}

async fn waiters(server: &Server) -> Result<()> {
    let idle = server.rss_kb();
    let mut wire = Wire::open(server.address).await?;
    let mut ids = Vec::with_capacity(WAITERS);
    for n in 0..WAITERS {
        ids.push(create(&mut wire, n).await?);
    }
    let before = server.rss_kb();

    let mut waiting: Vec<JoinHandle<Result<Instant>>> = Vec::with_capacity(WAITERS);
    for id in &ids {
        // Sent one after another, so that no queue of the listener overflows.
        let mut wire = Wire::open(server.address).await?;
        let call = tool(server.address, "elicit_await", &json!({ "elicitationId": id, "waitSeconds": 120 }));
        wire.send(&call).await?;
        waiting.push(spawn_local(async move {
            let answer = wire.receive().await?;
            let at = Instant::now();
            expect(&answer, "approved").map(|()| at)
        }));
    }
    sleep(Duration::from_secs(2)).await;
    let (busy, begun) = (server.cpu(), Instant::now());
    sleep(Duration::from_secs(3)).await;
    let busy = (server.cpu() - busy) / begun.elapsed().as_secs_f64();
    let after = server.rss_kb();
    if waiting.iter().any(JoinHandle::is_finished) {
        return Err(Error::other("somebody was answered before anything was decided"));
    }

    let (mut deciding, mut waking, mut from_send) = (Vec::new(), Vec::new(), Vec::new());
    // Spread over all who wait, not the first ones.
    for at in (0..DECISIONS).map(|n| n * WAITERS / DECISIONS) {
        let request = decision(server.address, &ids[at]);
        let sent = Instant::now();
        let answer = wire.call(&request).await?;
        let decided = Instant::now();
        expect(&answer, "approved")?;
        let woken = timeout(Duration::from_secs(10), &mut waiting[at])
            .await
            .map_err(|_| Error::other("a waiter slept on after its decision"))???;
        deciding.push(ms(decided - sent));
        waking.push(
            ms(woken.saturating_duration_since(decided)) - ms(decided.saturating_duration_since(woken)),
        );
        from_send.push(ms(woken - sent));
        sleep(BETWEEN_DECISIONS).await;
    }

    println!("\n{WAITERS} waiters, {DECISIONS} decisions one after another");
    println!("decision sent to decision answered                     {}", told(&mut deciding));
    println!("decision answered to waiter answered (< 0: before it)  {}", told(&mut waking));
    println!("decision sent to waiter answered                       {}", told(&mut from_send));
    println!(
        "memory (RSS): idle {}, {WAITERS} requests open {}, waited for {}",
        mb(idle),
        mb(before),
        mb(after)
    );
    #[expect(clippy::cast_precision_loss, reason = "kilobytes of a process")]
    let each = (after as f64 - before as f64) / WAITERS as f64;
    println!("a waiter: {each:.1} KB; while nothing happens they cost {:.1} % of a core", busy * 100.0);
    Ok(())
}

async fn load(server: &Server) -> Result<()> {
    println!("\n{CONNECTIONS} connections for {} s", LOAD.as_secs());
    let address = server.address;
    let creates = rate(address, Rc::new(move |n| tool(address, "elicit_proposal", &proposal(n)))).await?;
    println!("elicit_proposal  {creates}");
    let id = create(&mut Wire::open(address).await?, 0).await?;
    let status = tool(address, "elicit_status", &json!({ "elicitationId": id }));
    println!("elicit_status    {}", rate(address, Rc::new(move |_| status.clone())).await?);
    Ok(())
}

/// Calls on all connections without a pause; every answer must say `pending`.
async fn rate(address: Address, request: Rc<dyn Fn(usize) -> Vec<u8>>) -> Result<String> {
    let begun = Instant::now();
    let mut callers: Vec<JoinHandle<Result<Vec<f64>>>> = Vec::new();
    for caller in 0..CONNECTIONS {
        let (mut wire, request) = (Wire::open(address).await?, Rc::clone(&request));
        callers.push(spawn_local(async move {
            let mut took = Vec::new();
            while begun.elapsed() < LOAD {
                let request = request(caller * 1_000_000 + took.len());
                let sent = Instant::now();
                let answer = wire.call(&request).await?;
                took.push(ms(sent.elapsed()));
                expect(&answer, "pending")?;
            }
            Ok(took)
        }));
    }
    let mut took = Vec::new();
    for caller in callers {
        took.extend(caller.await??);
    }
    #[expect(clippy::cast_precision_loss, reason = "calls of a few seconds")]
    let rate = took.len() as f64 / begun.elapsed().as_secs_f64();
    Ok(format!("{rate:.0} a second; {}", told(&mut took)))
}

// ------------------------------------------------------------------------------------------------ what is said

type Address = std::net::SocketAddr;

/// A proposal of twelve rows, about 4 KB.
fn proposal(n: usize) -> Value {
    let names = || (0..12).map(|row| format!("field_{row:02}"));
    let property =
        |row: usize| json!({ "type": "string", "maxLength": 200, "default": format!("{row}.75 kg") });
    let cells = |row: usize| {
        json!({ "sources": {
            "registry": format!("https://registry.example/entry/{:06}", row * 7919),
            "supplier": format!("supplier sheet row {row}, column \"net weight\", page 3")
        }, "current": format!("{row}.25 kg") })
    };
    json!({
        "message": format!("Review batch {n}"),
        "columns": {
            "sources": [{ "key": "registry", "label": "Registry" }, { "key": "supplier", "label": "Supplier sheet" }],
            "current": { "label": "Catalogue" }
        },
        "requestedSchema": {
            "type": "object",
            "properties": names().enumerate().map(|(row, name)| (name, property(row))).collect::<serde_json::Map<_, _>>()
        },
        "fields": names().enumerate().map(|(row, name)| (name, cells(row))).collect::<serde_json::Map<_, _>>()
    })
}

async fn create(wire: &mut Wire, n: usize) -> Result<String> {
    let answer = wire.call(&tool(wire.address, "elicit_proposal", &proposal(n))).await?;
    let (_, rest) = answer
        .split_once(r#""elicitationId":""#)
        .ok_or_else(|| Error::other(format!("no id in {answer}")))?;
    Ok(rest.chars().take_while(|c| *c != '"').collect())
}

/// A call of a tool in the stateless form of MCP: no handshake, no session.
fn tool(address: Address, name: &str, arguments: &Value) -> Vec<u8> {
    const REVISION: &str = "2026-07-28";
    let body = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": name, "arguments": arguments, "_meta": {
            "io.modelcontextprotocol/protocolVersion": REVISION,
            "io.modelcontextprotocol/clientInfo": { "name": "waiters", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {}
        } }
    });
    let headers = format!(
        "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: {REVISION}\r\nMcp-Method: tools/call\r\nMcp-Name: {name}\r\n"
    );
    post(address, "/mcp", &headers, &body)
}

/// What the page sends when a person submits.
fn decision(address: Address, id: &str) -> Vec<u8> {
    let values = json!({ "field_00": "1.75 kg", "field_01": "2.75 kg", "field_02": "7.5 kg" });
    let body = json!({ "id": id, "draft": { "proposal": { "submit": values } } });
    post(address, "/api/submit", "Accept: application/json\r\n", &body)
}

fn post(address: Address, path: &str, headers: &str, body: &Value) -> Vec<u8> {
    let body = body.to_string();
    format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n{headers}Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

fn expect(answer: &str, word: &str) -> Result<()> {
    if answer.contains(word) {
        Ok(())
    } else {
        Err(Error::other(format!("`{word}` is not in the answer: {answer}")))
    }
}

// ------------------------------------------------------------------------------------------------ server and wire

/// A server of its own process, on an empty database. It ends with this value.
struct Server {
    process: Child,
    address: Address,
    folder: PathBuf,
}

impl Server {
    async fn start(name: &str) -> Result<Self> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder)?;
        let address = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let binary = std::env::var("WAITERS_BIN").unwrap_or_else(|_| env!("CARGO_BIN_EXE_sayso").to_owned());
        let process = Command::new(binary)
            .args(["serve", "--listen", &address.to_string(), "--database-url"])
            .arg(format!("sqlite:{}", folder.join("sayso.db").display()))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let server = Self { process, address, folder };
        let health = format!("GET /healthz HTTP/1.1\r\nHost: {address}\r\n\r\n");
        for _ in 0..10_000 {
            if let Ok(mut wire) = Wire::open(address).await {
                return expect(&wire.call(health.as_bytes()).await?, "alive").map(|()| server);
            }
            sleep(Duration::from_millis(1)).await;
        }
        Err(Error::other("the server does not listen"))
    }

    fn proc(&self, file: &str) -> String {
        std::fs::read_to_string(format!("/proc/{}/{file}", self.process.id())).unwrap_or_default()
    }

    fn rss_kb(&self) -> u64 {
        let status = self.proc("status");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or_default()
    }

    /// Seconds of processor time so far; Linux counts them in hundredths.
    fn cpu(&self) -> f64 {
        let stat = self.proc("stat");
        let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A connection that is kept open: HTTP/1.1, as little of it as this server needs.
struct Wire {
    stream: TcpStream,
    address: Address,
}

impl Wire {
    async fn open(address: Address) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, address })
    }

    async fn call(&mut self, request: &[u8]) -> Result<String> {
        self.send(request).await?;
        self.receive().await
    }

    async fn send(&mut self, mut request: &[u8]) -> Result<()> {
        while !request.is_empty() {
            self.stream.writable().await?;
            match self.stream.try_write(request) {
                Ok(written) => request = &request[written..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The whole answer, head and body as they came.
    async fn receive(&mut self) -> Result<String> {
        let mut answer = Vec::new();
        while !is_whole(&answer) {
            self.stream.readable().await?;
            match self.stream.try_read_buf(&mut answer) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        let answer = String::from_utf8_lossy(&answer).into_owned();
        expect(answer.lines().next().unwrap_or_default(), " 200 ")
            .map_err(|_| Error::other(answer.clone()))?;
        Ok(answer)
    }
}

fn is_whole(answer: &[u8]) -> bool {
    let Some(end) = answer.windows(4).position(|four| four == b"\r\n\r\n") else {
        return false;
    };
    let head = String::from_utf8_lossy(&answer[..end]).to_ascii_lowercase();
    let length =
        head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse::<usize>().ok());
    match length {
        Some(length) => answer.len() >= end + 4 + length,
        None => answer.ends_with(b"\r\n0\r\n\r\n"),
    }
}

// ------------------------------------------------------------------------------------------------ figures

fn ms(took: Duration) -> f64 {
    took.as_secs_f64() * 1_000.0
}

fn told(samples: &mut [f64]) -> String {
    samples.sort_by(f64::total_cmp);
    let at = |share: usize| samples[(samples.len() * share / 100).min(samples.len() - 1)];
    format!("median {:.2} ms, p99 {:.2} ms, max {:.2} ms", at(50), at(99), at(100))
}

fn told_mb(samples: &mut [u64]) -> String {
    samples.sort_unstable();
    format!("median {}, max {}", mb(samples[samples.len() / 2]), mb(samples[samples.len() - 1]))
}

#[expect(clippy::cast_precision_loss, reason = "kilobytes of a process")]
fn mb(kb: u64) -> String {
    format!("{:.1} MB", kb as f64 / 1024.0)
}
