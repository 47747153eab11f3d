//! How the provider is asked: encrypted, no redirects, not for long, and not for more than an answer can be.

use futures_util::future::BoxFuture;
use openidconnect::{AsyncHttpClient, HttpRequest, HttpResponse};
use std::time::Duration;

/// At most so many bytes in an answer.
const ANSWER_BYTES: usize = 1 << 20;

/// Asks providers.
pub(super) struct Http(reqwest::Client);

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoAnswer {
    /// The network, or what is at the other end.
    #[error("{}", chain(.0))]
    Network(#[from] reqwest::Error),
    /// It would not end.
    #[error("the answer is longer than {ANSWER_BYTES} bytes")]
    TooLong,
    /// It cannot be put together.
    #[error(transparent)]
    Malformed(#[from] http::Error),
}

impl Http {
    pub(super) fn new() -> Self {
        const AT_MOST: Duration = Duration::from_secs(10);
        // Whoever comes second finds it done, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(AT_MOST)
            .connect_timeout(AT_MOST / 2)
            .user_agent(concat!("sayso/", env!("CARGO_PKG_VERSION")))
            .build()
            .expect("a client of these settings can be made");
        Self(client)
    }

    pub(super) async fn ask(&self, request: HttpRequest) -> Result<HttpResponse, NoAnswer> {
        let (parts, body) = request.into_parts();
        let asked = self.0.request(parts.method, parts.uri.to_string()).headers(parts.headers).body(body);
        let mut answer = asked.send().await?;
        let mut response = http::Response::builder().status(answer.status());
        for (name, value) in answer.headers() {
            response = response.header(name, value);
        }
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk().await? {
            if body.len() + chunk.len() > ANSWER_BYTES {
                return Err(NoAnswer::TooLong);
            }
            body.extend_from_slice(&chunk);
        }
        Ok(response.body(body)?)
    }
}

impl<'c> AsyncHttpClient<'c> for Http {
    type Error = NoAnswer;
    type Future = BoxFuture<'c, Result<HttpResponse, NoAnswer>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(self.ask(request))
    }
}

/// An error and what is below it, in one line, without the address: its query could hold what is nobody's to read.
fn chain(error: &reqwest::Error) -> String {
    let mut told = String::from(if error.is_timeout() { "no answer in time" } else { "the request failed" });
    let mut below = std::error::Error::source(error);
    while let Some(error) = below {
        told.push_str(": ");
        told.push_str(&error.to_string());
        below = error.source();
    }
    told
}
