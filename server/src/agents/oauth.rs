//! Access tokens of an issuer (OAuth 2.1, RFC 9068): `/mcp` is the resource, and others say who may use it.

mod keys;
pub mod metadata;

use super::{
    Caller,
    good::Good,
    refusal::Refusal,
    token::{Scope, Scopes},
};
use crate::config::{Oauth, PublicUrl};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use keys::{Keys, NoKey};
use sayso_domain::{Clock, Moment};
use serde::{Deserialize, de::IgnoredAny};
use serde_json::Number;
use std::sync::Arc;

/// Signatures of which nobody but the issuer has the key. Neither `none` nor a shared secret is one.
const ALGORITHMS: [Algorithm; 4] = [Algorithm::RS256, Algorithm::PS256, Algorithm::ES256, Algorithm::EdDSA];

/// So far may the issuer's clock be from ours, in milliseconds.
const LEEWAY: i64 = 60_000;

/// No issuer makes longer ones.
const MOST_BYTES: usize = 16 << 10;

/// What is taken of access tokens.
pub struct AccessTokens {
    issuer: String,
    audience: String,
    keys: Keys,
    clock: Arc<dyn Clock>,
}

/// What a token says.
#[derive(Deserialize)]
struct Claims {
    iss: String,
    aud: OneOrMore,
    exp: Number,
    nbf: Option<Number>,
    sub: Option<String>,
    client_id: Option<String>,
    scope: Option<String>,
    scp: Option<OneOrMore>,
    /// The token is worth something only together with a proof that we do not ask for.
    cnf: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl OneOrMore {
    fn all(&self) -> &[String] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::More(more) => more,
        }
    }
}

impl AccessTokens {
    /// Those of this issuer, for the server that is reached at `public_url`.
    ///
    /// # Errors
    /// Nothing can be fetched from here, as where the machine knows no authorities for TLS.
    pub fn new(oauth: &Oauth, public_url: &PublicUrl, clock: Arc<dyn Clock>) -> Result<Self, reqwest::Error> {
        Ok(Self {
            issuer: oauth.issuer.as_str().to_owned(),
            audience: oauth.audience.clone().unwrap_or_else(|| format!("{public_url}/mcp")),
            keys: Keys::new(&oauth.issuer, Arc::clone(&clock))?,
            clock,
        })
    }

    /// Whether a token says that it is of this issuer and for agents here. It need not be good: to whoever shows it where it
    /// opens nothing, that makes no difference.
    pub(super) fn is_meant(&self, text: &str) -> bool {
        let payload = text.split('.').nth(1).filter(|_| text.len() <= MOST_BYTES);
        let payload = payload.and_then(|part| BASE64_URL_SAFE_NO_PAD.decode(part).ok());
        let claims = payload.and_then(|payload| serde_json::from_slice::<Claims>(&payload).ok());
        claims.is_some_and(|claims| claims.iss == self.issuer && claims.aud.all().contains(&self.audience))
    }

    /// Whose token this is.
    pub(super) async fn know(&self, text: &str) -> Result<Caller, Refusal> {
        const SHAPE: Refusal = Refusal::Invalid("this is no token that this server knows");
        if text.len() > MOST_BYTES {
            return Err(SHAPE);
        }
        let header = decode_header(text).map_err(|_| SHAPE)?;
        if !ALGORITHMS.contains(&header.alg) {
            return Err(Refusal::Invalid("the token must be signed by RS256, PS256, ES256 or EdDSA"));
        }
        // What the same key signed for another purpose is no access token.
        let typ = header.typ.as_deref().unwrap_or("JWT").to_ascii_lowercase();
        if !matches!(typ.as_str(), "jwt" | "at+jwt" | "application/at+jwt") {
            return Err(Refusal::Invalid("the token is no access token by its typ"));
        }
        let kid = header.kid.ok_or(Refusal::Invalid("the token does not name its key (kid)"))?;
        let key = self.keys.find(&kid, header.alg).await.map_err(|missing| match missing {
            NoKey::Unknown => Refusal::Invalid("the token is signed by a key that is none of the issuer's"),
            NoKey::Unavailable => Refusal::Unavailable,
        })?;
        let key = DecodingKey::from_jwk(&key).map_err(|_| Refusal::Unavailable)?;
        // The signature is theirs to check, the rest ours: by our clock.
        let mut validation = Validation::new(header.alg);
        validation.required_spec_claims.clear();
        (validation.validate_exp, validation.validate_aud) = (false, false);
        let claims = decode::<Claims>(text, &key, &validation)
            .map_err(|_| Refusal::Invalid("the signature is not right, or a claim is missing"))?
            .claims;
        self.caller(&claims)
    }

    fn caller(&self, claims: &Claims) -> Result<Caller, Refusal> {
        let now = self.clock.now();
        if claims.iss != self.issuer {
            return Err(Refusal::Invalid("the token is of another issuer"));
        }
        if !claims.aud.all().contains(&self.audience) {
            return Err(Refusal::Invalid("the token is for another audience"));
        }
        if moment(&claims.exp).is_none_or(|end| now.0 >= end.0.saturating_add(LEEWAY)) {
            return Err(Refusal::Invalid("the token has expired"));
        }
        let early = |start: &Number| moment(start).is_none_or(|start| now.0 < start.0.saturating_sub(LEEWAY));
        if claims.nbf.as_ref().is_some_and(early) {
            return Err(Refusal::Invalid("the token is not good yet"));
        }
        if claims.cnf.is_some() {
            return Err(Refusal::Invalid("the token is bound to a key, of which this server asks no proof"));
        }
        let principal =
            self.principal(claims).ok_or(Refusal::Invalid("the token does not say whose it is"))?;
        let words = claims.scope.iter().chain(claims.scp.iter().flat_map(OneOrMore::all));
        let scopes = Scopes::among(words.flat_map(|words| words.split(' ')), Scope::of_issuer);
        match moment(&claims.exp) {
            Some(end) if !scopes.is_empty() => {
                Ok(Caller { principal, scopes, good: Good::Until(Moment(end.0.saturating_add(LEEWAY))) })
            }
            _ => Err(Refusal::Insufficient(Scope::Ask)),
        }
    }

    /// With the issuer in it, so that nobody of another one is ever the same; and with a colon, which no token's name has.
    fn principal(&self, claims: &Claims) -> Option<String> {
        const MOST: usize = 255;
        let plain =
            |text: &&String| !text.is_empty() && text.len() <= MOST && !text.chars().any(char::is_control);
        let of = |kind: &str, name: &String| format!("{kind}:{}#{name}", self.issuer);
        let subject = claims.sub.as_ref().map(|sub| plain(&sub).then(|| of("oauth", sub)));
        subject.unwrap_or_else(|| claims.client_id.as_ref().filter(plain).map(|id| of("oauth-client", id)))
    }
}

/// A NumericDate, which may have a fraction.
fn moment(number: &Number) -> Option<Moment> {
    let ms = number.as_f64()? * 1000.0;
    #[expect(clippy::cast_possible_truncation, reason = "it is held within what fits")]
    (ms.abs() < 1e18).then_some(Moment(ms as i64))
}
