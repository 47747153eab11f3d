//! The real binary, as a process of its own.

use crate::house::{example, modern_call};
use serde_json::{Value, json};
use std::{
    path::{Path, PathBuf},
    process::{Output, Stdio},
    time::Duration,
};
use tokio::{
    process::{Child, Command},
    time::{Instant, sleep},
};

/// A port that is free, as far as one can know.
pub fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Starts a server.
pub fn start(database_url: &str, port: u16, log: &Path) -> Child {
    begin(Command::new(env!("CARGO_BIN_EXE_sayso")), database_url, port, log)
}

/// Starts a server by a command that takes the arguments of one.
fn begin(mut command: Command, database_url: &str, port: u16, log: &Path) -> Child {
    let log = std::fs::OpenOptions::new().create(true).append(true).open(log).unwrap();
    command
        .args(["serve", "--listen", &format!("127.0.0.1:{port}"), "--database-url", database_url])
        // All reviewers are one address here, and hurry as no people do.
        .args(["--rate-limit", "pages=off,decisions=off"])
        .env_clear()
        .stdout(Stdio::null())
        .stderr(log)
        .kill_on_drop(true)
        .spawn()
        .unwrap()
}

/// Runs a command of the binary to its end.
pub async fn sayso(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sayso")).args(arguments).env_clear().output().await.unwrap()
}

/// A server that is to live through what happens to its database.
pub struct Server {
    child: Child,
    base: String,
    log: PathBuf,
    http: reqwest::Client,
    _folder: tempfile::TempDir,
}

impl Server {
    pub async fn start(database_url: &str) -> Self {
        Self::by(Command::new(env!("CARGO_BIN_EXE_sayso")), database_url).await
    }

    /// One whose files may not grow beyond what [`limit`](Self::limit) says, and that is told so instead of killed.
    pub async fn limited(database_url: &str) -> Self {
        let mut command = Command::new("/bin/bash");
        command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_sayso")]);
        Self::by(command, database_url).await
    }

    async fn by(command: Command, database_url: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (port, log) = (free_port(), folder.path().join("log"));
        let child = begin(command, database_url, port, &log);
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let base = format!("http://127.0.0.1:{port}");
        let server = Self { child, base, log, http, _folder: folder };
        server.until_ready().await;
        server
    }

    /// How large its files may be; `None`: as they like.
    pub async fn limit(&self, bytes: Option<u64>) {
        let limit = bytes.map_or("unlimited".to_owned(), |bytes| bytes.to_string());
        let id = self.child.id().unwrap().to_string();
        let done = Command::new("prlimit")
            .args(["--pid", &id, &format!("--fsize={limit}:unlimited")])
            .status()
            .await
            .expect("prlimit, which is part of util-linux");
        assert!(done.success());
    }

    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap()
    }

    /// What `GET` answers; `None` while nobody answers.
    pub async fn get(&self, path: &str) -> Option<(u16, String)> {
        let answer = self.http.get(format!("{}{path}", self.base)).send().await.ok()?;
        Some((answer.status().as_u16(), answer.text().await.ok()?))
    }

    /// Waits until `/readyz` answers so.
    pub async fn until(&self, status: u16, begins: &str) {
        const AT_MOST: Duration = Duration::from_secs(60);
        let begun = Instant::now();
        let mut last = None;
        while begun.elapsed() < AT_MOST {
            last = self.get("/readyz").await;
            if last.as_ref().is_some_and(|(found, told)| *found == status && told.starts_with(begins)) {
                return;
            }
            sleep(Duration::from_millis(50)).await;
        }
        panic!("/readyz never said {status} {begins}, but {last:?}; the server says:\n{}", self.log());
    }

    pub async fn until_ready(&self) {
        self.until(200, "ready").await;
    }

    /// What a tool answers, or the door before it.
    pub async fn call(&self, tool: &str, arguments: Value) -> Value {
        let (headers, body) = modern_call(tool, &arguments.to_string());
        let mut request = self.http.post(format!("{}/mcp", self.base)).body(body);
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let answer = request.send().await.unwrap();
        if answer.status() == 503 {
            return json!({ "code": "unavailable", "door": answer.text().await.unwrap() });
        }
        let text = answer.text().await.unwrap();
        let mut data = text.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim);
        let last = data.rfind(|data| !data.is_empty());
        let mut message: Value =
            serde_json::from_str(last.unwrap_or(&text)).unwrap_or_else(|_| panic!("{text}"));
        message["result"]["structuredContent"].take()
    }

    /// Creates the example; its id.
    pub async fn propose(&self) -> String {
        let answer = self.call("elicit_proposal", example()).await;
        answer["elicitationId"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    }

    /// Decides as the page does: the status of the answer, and the answer.
    pub async fn approve(&self, id: &str) -> (u16, String) {
        let (_, page) = self.get(&format!("/review?elicitationId={id}")).await.unwrap();
        let digest = page.split_once(r#""digest":""#).and_then(|(_, rest)| rest.split_once('"'));
        let (digest, _) = digest.unwrap_or_else(|| panic!("{page}"));
        let draft = json!({ "proposal": { "submit": { "name": "N" } } });
        let answer = self
            .http
            .post(format!("{}/api/submit", self.base))
            .header("content-type", "application/json")
            .header("accept", "application/json")
            .header("origin", &self.base)
            .header("x-sayso", "page")
            .body(json!({ "id": id, "draft": draft, "digest": digest }).to_string())
            .send()
            .await
            .unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    }

    /// It is the same process still, and nothing in it broke.
    pub async fn lives(&mut self) {
        assert!(self.child.try_wait().unwrap().is_none(), "it ended: {}", self.log());
        assert!(!self.log().contains("panicked"), "{}", self.log());
    }
}
