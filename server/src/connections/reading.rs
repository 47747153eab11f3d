//! A connection whose other side reads: one that takes nothing of its answer for too long is broken off. What it sends is taken
//! in small parts.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf, Take},
    time::Sleep,
};

/// At most so many bytes are read at once: hyper makes twice the room after every read that filled it, and looks only between
/// reads whether a head has become too long.
const AT_ONCE: u64 = 8 << 10;

/// A stream that waits only so long until it can write.
pub(super) struct Reading<S> {
    stream: Take<S>,
    at_most: Duration,
    /// When it gives up; while it can write, there is no such time.
    end: Option<Pin<Box<Sleep>>>,
}

impl<S: AsyncRead> Reading<S> {
    pub(super) fn new(stream: S, at_most: Duration) -> Self {
        Self { stream: stream.take(AT_ONCE), at_most, end: None }
    }
}

impl<S> Reading<S> {
    /// What came of writing, or that nobody reads.
    fn judge<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.end = None;
            return written;
        }
        let at_most = self.at_most;
        let end = self.end.get_or_insert_with(|| Box::pin(tokio::time::sleep(at_most)));
        end.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Reading<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.stream.set_limit(AT_ONCE);
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Reading<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(self.stream.get_mut()).poll_write(context, bytes);
        self.judge(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(self.stream.get_mut()).poll_write_vectored(context, bytes);
        self.judge(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.get_ref().is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(self.stream.get_mut()).poll_flush(context);
        self.judge(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(self.stream.get_mut()).poll_shutdown(context)
    }
}
