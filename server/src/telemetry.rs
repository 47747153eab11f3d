//! Logs: one line an event, for eyes on a terminal, as JSON otherwise. Ids and kinds, never what a request holds.

use std::io::IsTerminal;
use tracing_subscriber::EnvFilter;

/// Starts logging to standard error; `RUST_LOG` chooses what.
pub fn start() {
    // rmcp logs whole messages when asked for more than this; what a request holds belongs to nobody's log.
    let filter =
        EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info,rmcp=warn,sqlx=warn"));
    let logs = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        // It would say on standard error that standard error cannot be written, and panic over that: where the disk of the log
        // is full, the log has holes and everything else goes on.
        .log_internal_errors(false);
    if std::io::stderr().is_terminal() { logs.compact().init() } else { logs.json().init() }
}
