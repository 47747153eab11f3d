//! A server in a process of its own, so that its memory and its threads are its own. Linux only: it reads `/proc`.

use crate::dialect::{Caller, Dialect};
use std::{
    io::{Error, Result},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};
use tokio::time::{Instant, sleep};

/// A server that ends with this value.
pub struct Server {
    process: Child,
    /// Where it listens.
    pub address: SocketAddr,
    folder: Option<PathBuf>,
}

impl Server {
    /// Our own, on an empty SQLite file below `target`.
    pub async fn ours(name: &str) -> Result<Self> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder)?;
        let address = free_address()?;
        let mut command = Command::new(binary());
        command.args(arguments(address, &folder));
        let mut server = Self::start(command, address)?;
        server.folder = Some(folder);
        server.listens().await?;
        Ok(server)
    }

    /// Starts a server that will listen at this address.
    pub fn start(mut command: Command, address: SocketAddr) -> Result<Self> {
        let process = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        Ok(Self { process, address, folder: None })
    }

    /// Comes back when it takes connections.
    pub async fn listens(&self) -> Result<()> {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(30) {
            if tokio::net::TcpStream::connect(self.address).await.is_ok() {
                return Ok(());
            }
            sleep(Duration::from_millis(1)).await;
        }
        Err(Error::other("the server does not listen"))
    }

    /// Its process.
    pub fn process(&self) -> Process {
        Process(self.process.id())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        if let Some(folder) = &self.folder {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

/// Our own release binary, or the one that `LOAD_BIN` names.
pub fn binary() -> String {
    std::env::var("LOAD_BIN").unwrap_or_else(|_| env!("CARGO_BIN_EXE_sayso").to_owned())
}

/// What to call it with. All reviewers are one address here, which as such would have to take turns; a binary of another version
/// may not know these limits.
pub fn arguments(address: SocketAddr, folder: &Path) -> Vec<String> {
    let (address, database) = (address.to_string(), format!("sqlite:{}", folder.join("sayso.db").display()));
    let mut arguments = vec!["serve", "--listen", &address, "--database-url", &database];
    if std::env::var_os("LOAD_BIN").is_none() {
        arguments.extend(["--rate-limit", "decisions=off,pages=off"]);
    }
    arguments.into_iter().map(str::to_owned).collect()
}

/// An address on which nobody listens.
pub fn free_address() -> Result<SocketAddr> {
    std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()
}

/// From the start of a process to the answer to its first call, and its memory half a second later.
pub async fn cold(dialect: Dialect, command: Command, address: SocketAddr) -> Result<(Duration, u64)> {
    let begun = Instant::now();
    let server = Server::start(command, address)?;
    server.listens().await?;
    Caller::open(dialect, address).await?.created(0).await?;
    let took = begun.elapsed();
    sleep(Duration::from_millis(500)).await;
    Ok((took, server.process().rss_kb()))
}

/// A process by its number.
#[derive(Clone, Copy)]
pub struct Process(pub u32);

impl Process {
    fn read(self, file: &str) -> String {
        std::fs::read_to_string(format!("/proc/{}/{file}", self.0)).unwrap_or_default()
    }

    /// Its memory, in kilobytes.
    pub fn rss_kb(self) -> u64 {
        let status = self.read("status");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or_default()
    }

    /// Seconds of processor time so far; Linux counts them in hundredths.
    pub fn cpu(self) -> f64 {
        let stat = self.read("stat");
        let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
    }
}
