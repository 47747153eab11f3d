//! Connections: the loop that takes them, and how long it waits for whoever is slow.
//!
//! It is what `axum::serve` does, with an end to waiting: for the head of a request, for its body, and for whoever does not
//! read the answer. Each of the three would otherwise hold a connection for ever at no cost of its own.

mod body;
mod reading;

pub use body::in_time;

use crate::config::Patience;
use axum::{
    Router,
    body::Body,
    extract::{ConnectInfo, Request},
    serve::Listener,
};
use hyper::body::Incoming;
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto::Builder,
    service::TowerToHyperService,
};
use reading::Reading;
use std::{
    io,
    net::SocketAddr,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::ServiceExt;

/// At most so many bytes in the head of a request.
pub const HEAD_BYTES: usize = 64 << 10;

/// Serves until `stopping` is cancelled: then no more connections are taken, and it comes back when those that there are have
/// ended what they were at.
pub async fn serve(
    mut listener: TcpListener,
    router: Router,
    patience: Patience,
    stopping: CancellationToken,
) {
    // Made here once: every connection would make each route anew, and keep it as long.
    let router = router.with_state::<()>(());
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(patience.head).max_buf_size(HEAD_BYTES);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(patience.head)
        .keep_alive_timeout(patience.head)
        .max_header_list_size(u32::try_from(HEAD_BYTES).unwrap_or(u32::MAX));
    let builders = Arc::new(Builders { http1: builder.clone().http1_only(), either: builder });
    let connections = TaskTracker::new();
    loop {
        let (stream, address) = tokio::select! {
            taken = Listener::accept(&mut listener) => taken,
            () = stopping.cancelled() => break,
        };
        // An answer as an event stream goes out in two writes; without this, the second waits for the first to be acknowledged.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection keeps its delay");
        }
        let connection =
            Connection { builders: Arc::clone(&builders), router: router.clone(), patience, address };
        connections.spawn(connection.serve(stream, stopping.clone()));
    }
    drop(listener);
    connections.close();
    connections.wait().await;
}

/// How connections are served. hyper itself can tell HTTP/2 from HTTP/1, but gives what it read for that to the reader of the
/// one or the other as a first small read, which then makes room for a second one: 8 KB for as long as the connection lasts.
struct Builders {
    http1: Builder<TokioExecutor>,
    either: Builder<TokioExecutor>,
}

impl Builders {
    /// The one for this connection, as soon as the other side says something.
    async fn of(&self, stream: &TcpStream) -> io::Result<&Builder<TokioExecutor>> {
        // No method of HTTP/1 begins like that.
        const HTTP2: &[u8] = b"PRI";
        let mut seen = [0; HTTP2.len()];
        let count = stream.peek(&mut seen).await?;
        Ok(if count > 0 && HTTP2.starts_with(&seen[..count]) { &self.either } else { &self.http1 })
    }
}

struct Connection {
    builders: Arc<Builders>,
    router: Router,
    patience: Patience,
    address: SocketAddr,
}

impl Connection {
    async fn serve(self, stream: TcpStream, stopping: CancellationToken) {
        let Self { builders, router, patience, address } = self;
        // hyper waits for a head only once it knows the version; for that, and for the first request, it would wait for ever.
        let mut silent = pin!(tokio::time::sleep(patience.head));
        let builder = tokio::select! {
            builder = builders.of(&stream) => builder,
            () = silent.as_mut() => return,
            () = stopping.cancelled() => return,
        };
        let Ok(builder) = builder else { return };
        let asked = Arc::new(AtomicBool::new(false));
        let service = router.map_request({
            let asked = Arc::clone(&asked);
            move |request: Request<Incoming>| {
                asked.store(true, Ordering::Relaxed);
                let mut request = request.map(Body::new);
                request.extensions_mut().insert(ConnectInfo(address));
                request
            }
        });
        let stream = TokioIo::new(Reading::new(stream, patience.reader));
        let mut connection = pin!(builder.serve_connection(stream, TowerToHyperService::new(service)));
        let (mut waiting, mut going) = (true, true);
        loop {
            tokio::select! {
                ended = connection.as_mut() => {
                    if let Err(error) = ended {
                        tracing::debug!(%error, "a connection broke");
                    }
                    return;
                }
                () = silent.as_mut(), if waiting => {
                    if !asked.load(Ordering::Relaxed) {
                        return;
                    }
                    waiting = false;
                }
                () = stopping.cancelled(), if going => {
                    connection.as_mut().graceful_shutdown();
                    going = false;
                }
            }
        }
    }
}
