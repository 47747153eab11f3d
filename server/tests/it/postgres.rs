//! A Postgres of one test's own, which may be killed.

use std::{path::Path, process::Stdio};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, ChildStdin, Command},
};

/// A Postgres that ends with this.
pub struct Own {
    pub url: String,
    _keeper: Child,
    /// Its end is the keeper's.
    _open: ChildStdin,
}

fn tool() -> Command {
    Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("../tools/postgres"))
}

impl Own {
    pub async fn start() -> Self {
        let mut keeper = tool()
            .args(["run", "bash", "-c", "echo \"$SAYSO_TEST_POSTGRES_URL\"; cat >/dev/null"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (open, told) = (keeper.stdin.take().unwrap(), keeper.stdout.take().unwrap());
        let url = BufReader::new(told).lines().next_line().await.unwrap().expect("a Postgres of its own");
        Self { url, _keeper: keeper, _open: open }
    }

    /// Kills it as a loss of power would, and starts it again.
    pub async fn crash(&self) {
        self.tool("crash").await;
    }

    /// Kills it as a loss of power would.
    pub async fn kill(&self) {
        self.tool("kill").await;
    }

    /// Starts it again.
    pub async fn start_again(&self) {
        self.tool("start").await;
    }

    async fn tool(&self, what: &str) {
        assert!(tool().args([what, &self.url]).status().await.unwrap().success(), "{what}");
    }
}
