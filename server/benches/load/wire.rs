//! A connection that is kept open: HTTP/1.1, as little of it as the measured servers need.

use std::{
    io::{Error, ErrorKind, Result},
    net::SocketAddr,
};
use tokio::net::TcpStream;

/// One connection, used by one call at a time.
pub struct Wire {
    stream: TcpStream,
    answer: Vec<u8>,
}

impl Wire {
    /// Connects.
    pub async fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, answer: Vec::new() })
    }

    /// Sends a request and reads its answer; see [`receive`](Self::receive).
    pub async fn call(&mut self, request: &[u8]) -> Result<&str> {
        self.send(request).await?;
        self.receive().await
    }

    /// Sends a request.
    pub async fn send(&mut self, mut request: &[u8]) -> Result<()> {
        while !request.is_empty() {
            match self.stream.try_write(request) {
                Ok(written) => request = &request[written..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => self.stream.writable().await?,
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The whole answer, head and body as they came; anything but a success is an error.
    pub async fn receive(&mut self) -> Result<&str> {
        self.answer.clear();
        while !is_whole(&self.answer) {
            self.stream.readable().await?;
            match self.stream.try_read_buf(&mut self.answer) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        let answer = std::str::from_utf8(&self.answer).map_err(Error::other)?;
        if answer.starts_with("HTTP/1.1 20") { Ok(answer) } else { Err(Error::other(answer.to_owned())) }
    }

    /// Gives the connection's buffer back while it waits for long: what is measured is the other side's memory, but both
    /// are on one machine.
    pub fn slim(&mut self) {
        self.answer = Vec::new();
    }
}

fn is_whole(answer: &[u8]) -> bool {
    let Some(end) = answer.windows(4).position(|four| four == b"\r\n\r\n") else {
        return false;
    };
    const LENGTH: &[u8] = b"\r\ncontent-length:";
    let head = &answer[..end + 2];
    let length = head
        .windows(LENGTH.len())
        .position(|window| window.eq_ignore_ascii_case(LENGTH))
        .and_then(|at| head[at + LENGTH.len()..].split(|byte| *byte == b'\r').next())
        .and_then(|length| std::str::from_utf8(length).ok()?.trim().parse::<usize>().ok());
    match length {
        Some(length) => answer.len() >= end + 4 + length,
        None => answer.ends_with(b"\r\n0\r\n\r\n"),
    }
}
