//! What a test's own thread logs.

use std::{
    io,
    sync::{Arc, Mutex},
};
use tracing::subscriber::DefaultGuard;
use tracing_subscriber::{EnvFilter, fmt::MakeWriter};

/// Hears what is logged on this thread for as long as it is kept.
pub struct Log {
    heard: Heard,
    _listening: DefaultGuard,
}

#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Log {
    pub fn listen(filter: &str) -> Self {
        let heard = Heard::default();
        let logs = tracing_subscriber::fmt()
            .with_env_filter(EnvFilter::new(filter))
            .with_ansi(false)
            .with_writer(heard.clone())
            .finish();
        Self { heard, _listening: tracing::subscriber::set_default(logs) }
    }

    pub fn told(&self) -> String {
        String::from_utf8(self.heard.0.lock().unwrap().clone()).unwrap()
    }
}

impl io::Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Heard {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}
