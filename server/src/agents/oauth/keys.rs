//! The keys of an issuer: found by its metadata, kept, and fetched again where one is not known.

use crate::config::Issuer;
use jsonwebtoken::{
    Algorithm,
    jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, PublicKeyUse},
};
use reqwest::{Client, Url, redirect::Policy};
use sayso_domain::{Clock, Moment};
use serde::Deserialize;
use serde_json::Value;
use std::{
    sync::{Arc, RwLock},
    time::Duration,
};
use tokio::sync::Mutex;

/// Fetched again at most so often, whoever names whatever key, in milliseconds.
const AT_MOST_EVERY: u64 = 30_000;

/// Fetched again after so long in any case: a key that the issuer took back is to go.
const FRESH: u64 = 3_600_000;

/// Where the issuer does not answer, the keys that it had are good for so long.
const GOOD: u64 = 86_400_000;

/// No document of an issuer is longer.
const MOST_BYTES: usize = 256 << 10;

const PATIENCE: Duration = Duration::from_secs(5);

/// The keys of one issuer.
pub(super) struct Keys {
    issuer: Issuer,
    client: Client,
    clock: Arc<dyn Clock>,
    known: RwLock<Known>,
    /// Held by the one who fetches.
    fetching: Mutex<()>,
}

#[derive(Clone, Default)]
struct Known {
    keys: Arc<[Jwk]>,
    fetched: Option<Moment>,
    tried: Option<Moment>,
}

/// Why there is no key.
pub(super) enum NoKey {
    /// The issuer has none of this name, for this algorithm.
    Unknown,
    /// The issuer could not be asked.
    Unavailable,
}

/// What an issuer says of itself.
#[derive(Deserialize)]
struct Metadata {
    issuer: String,
    jwks_uri: String,
}

#[derive(Deserialize)]
struct KeySet {
    keys: Vec<Value>,
}

/// Why the keys could not be fetched.
#[derive(Debug, thiserror::Error)]
enum FetchError {
    #[error("{0}")]
    Http(#[from] reqwest::Error),
    #[error("a document of more than {MOST_BYTES} bytes")]
    TooLong,
    #[error("a document that says something else: {0}")]
    Unparsable(#[from] serde_json::Error),
    #[error("the metadata are of the issuer `{0}`")]
    OtherIssuer(String),
    #[error("the keys are at `{0}`, where they could be changed on the way")]
    Place(String),
}

impl Known {
    fn find(&self, kid: &str, alg: Algorithm) -> Option<Jwk> {
        self.keys.iter().find(|key| key.common.key_id.as_deref() == Some(kid) && fits(key, alg)).cloned()
    }

    fn is_due(&self, now: Moment) -> bool {
        !within(self.tried, now, AT_MOST_EVERY)
    }
}

/// Whether it was less than `ms` ago. What lies ahead was before the clock went back.
fn within(then: Option<Moment>, now: Moment, ms: u64) -> bool {
    then.is_some_and(|then| then <= now && then.until(now) < ms)
}

impl Keys {
    pub(super) fn new(issuer: &Issuer, clock: Arc<dyn Clock>) -> Result<Self, reqwest::Error> {
        let mut client = Client::builder().timeout(PATIENCE).redirect(Policy::none());
        if issuer.as_str().starts_with("http:") {
            client = client.no_proxy();
        }
        Ok(Self {
            issuer: issuer.clone(),
            client: client.build()?,
            clock,
            known: RwLock::default(),
            fetching: Mutex::default(),
        })
    }

    fn known(&self) -> Known {
        self.known.read().expect("no panic happens under this lock").clone()
    }

    /// The key of this name, if it is one for this algorithm.
    pub(super) async fn find(&self, kid: &str, alg: Algorithm) -> Result<Jwk, NoKey> {
        let now = self.clock.now();
        let known = self.known();
        let found = known.find(kid, alg);
        if let Some(key) = &found
            && within(known.fetched, now, FRESH)
        {
            return Ok(key.clone());
        }
        if known.is_due(now) {
            // Who has a key that is a little old does not wait for somebody else.
            let turn = if found.is_some() {
                self.fetching.try_lock().ok()
            } else {
                Some(self.fetching.lock().await)
            };
            if turn.is_some() && self.known().is_due(now) {
                self.fetch(now).await;
            }
        }
        let known = self.known();
        match known.find(kid, alg) {
            _ if !within(known.fetched, now, GOOD) => Err(NoKey::Unavailable),
            Some(key) => Ok(key),
            None => Err(NoKey::Unknown),
        }
    }

    async fn fetch(&self, now: Moment) {
        let write = |change: &dyn Fn(&mut Known)| {
            change(&mut self.known.write().expect("no panic happens under this lock"))
        };
        write(&|known| known.tried = Some(now));
        match self.fetched().await {
            Ok(keys) => {
                tracing::info!(issuer = self.issuer.as_str(), keys = keys.len(), "fetched the issuer's keys");
                write(&|known| (known.keys, known.fetched) = (keys.clone(), Some(now)));
            }
            Err(error) => tracing::warn!(issuer = self.issuer.as_str(), %error, "fetching the issuer's keys"),
        }
    }

    async fn fetched(&self) -> Result<Arc<[Jwk]>, FetchError> {
        let metadata = self.metadata().await?;
        let place = self.place(&metadata.jwks_uri)?;
        let set: KeySet = serde_json::from_slice(&self.document(place).await?)?;
        // A key of a kind that is not known here is no reason to do without the others.
        Ok(set.keys.into_iter().filter_map(|key| serde_json::from_value(key).ok()).collect())
    }

    /// By OpenID Connect Discovery, else by RFC 8414.
    async fn metadata(&self) -> Result<Metadata, FetchError> {
        let issuer = self.issuer.as_str().trim_end_matches('/');
        let start = issuer.find("://").map_or(0, |at| at + 3);
        let (host, path) = issuer.split_at(issuer[start..].find('/').map_or(issuer.len(), |at| start + at));
        let places = [
            format!("{issuer}/.well-known/openid-configuration"),
            format!("{host}/.well-known/oauth-authorization-server{path}"),
        ];
        let mut error = None;
        for place in places {
            let read = async {
                let place = Url::parse(&place).map_err(|_| FetchError::Place(place.clone()))?;
                let metadata: Metadata = serde_json::from_slice(&self.document(place).await?)?;
                // Else one who speaks for another host could say which keys are this one's.
                if metadata.issuer == self.issuer.as_str() {
                    Ok(metadata)
                } else {
                    Err(FetchError::OtherIssuer(metadata.issuer))
                }
            };
            match read.await {
                Ok(metadata) => return Ok(metadata),
                Err(first) => error = error.or(Some(first)),
            }
        }
        Err(error.expect("there are two places"))
    }

    /// Where the keys are: at the other end of TLS, or on the same machine as an issuer there.
    fn place(&self, text: &str) -> Result<Url, FetchError> {
        let wrong = || FetchError::Place(text.chars().take(200).collect());
        let (url, issuer) =
            (Url::parse(text).map_err(|_| wrong())?, Url::parse(self.issuer.as_str()).map_err(|_| wrong())?);
        if url.scheme() == "https" || url.origin() == issuer.origin() { Ok(url) } else { Err(wrong()) }
    }

    async fn document(&self, place: Url) -> Result<Vec<u8>, FetchError> {
        let mut response = self.client.get(place).send().await?.error_for_status()?;
        let mut document = Vec::new();
        while let Some(part) = response.chunk().await? {
            if document.len() + part.len() > MOST_BYTES {
                return Err(FetchError::TooLong);
            }
            document.extend_from_slice(&part);
        }
        Ok(document)
    }
}

/// Whether a key is one for this algorithm. The issuer says what its keys are for; a token does not.
fn fits(key: &Jwk, alg: Algorithm) -> bool {
    /// 2048 bits in base64url.
    const SHORTEST: usize = 341;
    let named = matches!(
        (key.common.key_algorithm, alg),
        (None, _)
            | (Some(KeyAlgorithm::RS256), Algorithm::RS256)
            | (Some(KeyAlgorithm::PS256), Algorithm::PS256)
            | (Some(KeyAlgorithm::ES256), Algorithm::ES256)
            | (Some(KeyAlgorithm::EdDSA), Algorithm::EdDSA)
    );
    let kind = match (&key.algorithm, alg) {
        (AlgorithmParameters::RSA(rsa), Algorithm::RS256 | Algorithm::PS256) => rsa.n.len() >= SHORTEST,
        (AlgorithmParameters::EllipticCurve(ec), Algorithm::ES256) => ec.curve == EllipticCurve::P256,
        (AlgorithmParameters::OctetKeyPair(pair), Algorithm::EdDSA) => pair.curve == EllipticCurve::Ed25519,
        _ => false,
    };
    named && kind && matches!(key.common.public_key_use, None | Some(PublicKeyUse::Signature))
}
