//! The provider: what it says of itself, where people are sent, and whom it vouches for.
//!
//! What it says of itself is fetched when it is first needed, and kept for an hour. Where a token's signature has no key among
//! those kept, it is fetched anew, once a minute at most: providers change their keys.

use super::{NotSignedIn, http::Http, pending::Secrets};
use crate::config::{PublicUrl, SignIn};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use openidconnect::{
    AccessToken, AuthType, AuthenticationFlow, AuthorizationCode, ClaimsVerificationError, ClientId,
    ClientSecret, CsrfToken, IssuerUrl, LogoutRequest, Nonce, OAuth2TokenResponse, PkceCodeChallenge,
    PkceCodeVerifier, PostLogoutRedirectUrl, ProviderMetadataWithLogout, RedirectUrl, RequestTokenError,
    Scope, TokenResponse,
    core::{CoreClient, CoreClientAuthMethod, CoreIdToken, CoreJwsSigningAlgorithm, CoreResponseType},
};
use sayso_domain::{Moment, people::Person};
use serde_json::Value;
use std::time::Duration;
use tokio::{sync::Mutex, time::Instant};

/// The signatures that are taken: none that a client's own secret makes, and never none.
const SIGNATURES: [CoreJwsSigningAlgorithm; 9] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::EdDsa,
];

/// At most so many groups of a person are kept, and so many characters of each text that the provider gives.
const GROUPS: usize = 500;
const CHARACTERS: usize = 254;

/// The provider cannot be asked; what exactly is in the log.
#[derive(Debug, thiserror::Error)]
#[error("the sign-in provider: {0}")]
pub struct Unavailable(String);

/// A provider of identities.
pub(super) struct Provider {
    http: Http,
    settings: SignIn,
    /// Where people come back to who have signed in there, and who have signed out there.
    redirect: String,
    signed_out: String,
    known: Mutex<Known>,
}

/// What is known of it. Whoever fetches it holds the lock: it is fetched once, however many wait for it.
#[derive(Default)]
struct Known {
    metadata: Option<(Instant, ProviderMetadataWithLogout)>,
    failed: Option<(Instant, String)>,
}

impl Provider {
    pub(super) fn new(settings: SignIn, public_url: &PublicUrl) -> Self {
        let (redirect, signed_out) =
            (format!("{public_url}/sign-in/callback"), format!("{public_url}/sign-out"));
        Self { http: Http::new(), settings, redirect, signed_out, known: Mutex::default() }
    }

    pub(super) fn issuer(&self) -> &str {
        &self.settings.issuer
    }

    /// What the provider says of itself, no older than this.
    async fn metadata(&self, at_most: Duration) -> Result<ProviderMetadataWithLogout, Unavailable> {
        const AFTER_TROUBLE: Duration = Duration::from_secs(3);
        let mut known = self.known.lock().await;
        if let Some((at, metadata)) = &known.metadata
            && at.elapsed() < at_most
        {
            return Ok(metadata.clone());
        }
        if let Some((at, why)) = &known.failed
            && at.elapsed() < AFTER_TROUBLE
        {
            return Err(Unavailable(why.clone()));
        }
        let issuer = IssuerUrl::new(self.settings.issuer.clone()).map_err(unavailable)?;
        match ProviderMetadataWithLogout::discover_async(issuer, &self.http).await {
            Ok(metadata) => {
                known.metadata = Some((Instant::now(), metadata.clone()));
                known.failed = None;
                Ok(metadata)
            }
            Err(error) => {
                let why = told(&error);
                known.failed = Some((Instant::now(), why.clone()));
                Err(Unavailable(why))
            }
        }
    }

    async fn usual_metadata(&self) -> Result<ProviderMetadataWithLogout, Unavailable> {
        const KEPT: Duration = Duration::from_secs(3600);
        self.metadata(KEPT).await
    }

    /// Where a person is sent to sign in.
    pub(super) async fn address(&self, secrets: Secrets) -> Result<String, Unavailable> {
        let metadata = self.usual_metadata().await?;
        let offered = metadata.scopes_supported().cloned().unwrap_or_default();
        let groups = Scope::new(self.settings.groups_claim.clone());
        let redirect = RedirectUrl::new(self.redirect.clone()).map_err(unavailable)?;
        let client = self.client(&metadata).set_redirect_uri(redirect);
        let verifier = PkceCodeVerifier::new(secrets.verifier);
        let request = client
            .authorize_url(
                AuthenticationFlow::<CoreResponseType>::AuthorizationCode,
                || CsrfToken::new(secrets.state),
                || Nonce::new(secrets.nonce),
            )
            .add_scopes(["email", "profile"].map(|scope| Scope::new(scope.to_owned())))
            .add_scopes(offered.contains(&groups).then_some(groups))
            .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier));
        Ok(request.url().0.to_string())
    }

    /// Where a person is sent to sign out at the provider as well (OpenID Connect RP-Initiated Logout 1.0); `None` where it has
    /// no such address, or cannot be asked.
    ///
    /// It is told our client id and no `id_token_hint`: for that, the ID token would have to be kept as long as the session, and
    /// whoever has a copy of the database would hold what the provider says of everybody in it. The price is that the provider
    /// asks the person once whether they mean it.
    pub(super) async fn farewell(&self) -> Option<String> {
        // However old: somebody who goes does not wait for what hardly ever changes.
        let metadata = match self.metadata(Duration::MAX).await {
            Ok(metadata) => metadata,
            Err(error) => {
                tracing::warn!(%error, "signing somebody out");
                return None;
            }
        };
        let address = metadata.additional_metadata().end_session_endpoint.clone()?;
        let plain = self.settings.issuer.starts_with("http://");
        if !(address.url().scheme() == "https" || plain && address.url().scheme() == "http") {
            tracing::warn!(address = address.as_str(), "the provider's end_session_endpoint is not https");
            return None;
        }
        let back = PostLogoutRedirectUrl::new(self.signed_out.clone()).ok()?;
        let request = LogoutRequest::from(address)
            .set_client_id(ClientId::new(self.settings.client_id.clone()))
            .set_post_logout_redirect_uri(back);
        Some(request.http_get_url().to_string())
    }

    /// Whom the provider vouches for in exchange for this code.
    pub(super) async fn person(
        &self,
        code: String,
        secrets: Secrets,
        now: Moment,
    ) -> Result<Person, NotSignedIn> {
        let metadata = self.usual_metadata().await.map_err(NotSignedIn::Unavailable)?;
        let redirect = RedirectUrl::new(self.redirect.clone()).map_err(|error| gone(&error))?;
        let client = self.client(&metadata).set_redirect_uri(redirect);
        let answer = client
            .exchange_code(AuthorizationCode::new(code))
            .map_err(|error| gone(&error))?
            .set_pkce_verifier(PkceCodeVerifier::new(secrets.verifier))
            .request_async(&self.http)
            .await
            .map_err(|error| match &error {
                RequestTokenError::Request(_) => gone(&error),
                _ => NotSignedIn::Refused(format!("the provider does not honour its code: {}", told(&error))),
            })?;
        let token = answer
            .id_token()
            .ok_or_else(|| NotSignedIn::Refused("the provider sent no ID token".to_owned()))?;
        let claims = self.claims(&metadata, token, Nonce::new(secrets.nonce), now).await?;
        let more = match metadata.userinfo_endpoint() {
            Some(address) if self.wants_more(&claims) => {
                self.more(address.as_str(), answer.access_token(), &claims["sub"]).await?
            }
            _ => Value::Null,
        };
        person(&claims, &more, &self.settings.groups_claim)
    }

    /// The claims of an ID token that is for us, of now, in answer to what was asked, and signed by the provider.
    async fn claims(
        &self,
        metadata: &ProviderMetadataWithLogout,
        token: &CoreIdToken,
        nonce: Nonce,
        now: Moment,
    ) -> Result<Value, NotSignedIn> {
        const ANEW: Duration = Duration::from_secs(60);
        let check = |metadata: &ProviderMetadataWithLogout| {
            let client = self.client(metadata);
            let verifier = client.id_token_verifier().set_allowed_algs(SIGNATURES).set_time_fn(move || {
                serde_json::from_value(Value::String(now.to_string())).expect("a moment is RFC 3339")
            });
            token.claims(&verifier, &nonce).map(|_| ())
        };
        let checked = match check(metadata) {
            Err(ClaimsVerificationError::SignatureVerification(_)) => {
                check(&self.metadata(ANEW).await.map_err(NotSignedIn::Unavailable)?)
            }
            checked => checked,
        };
        checked.map_err(|error| NotSignedIn::Refused(format!("its ID token: {}", told(&error))))?;
        // The very bytes whose signature was checked.
        let payload = token.to_string();
        let payload = payload.split('.').nth(1).and_then(|part| BASE64_URL_SAFE_NO_PAD.decode(part).ok());
        payload
            .and_then(|payload| serde_json::from_slice(&payload).ok())
            .ok_or_else(|| NotSignedIn::Refused("its ID token cannot be read".to_owned()))
    }

    fn wants_more(&self, claims: &Value) -> bool {
        claims.get("email").is_none() || claims.get(&self.settings.groups_claim).is_none()
    }

    /// What else the provider says of the same person.
    async fn more(&self, address: &str, token: &AccessToken, subject: &Value) -> Result<Value, NotSignedIn> {
        let request = http::Request::get(address)
            .header("authorization", format!("Bearer {}", token.secret()))
            .header("accept", "application/json")
            .body(Vec::new())
            .map_err(|error| gone(&error))?;
        let answer = self.http.ask(request).await.map_err(|error| gone(&error))?;
        let more: Value = match answer.status().is_success() {
            true => serde_json::from_slice(answer.body()).unwrap_or_default(),
            false => Value::Null,
        };
        // Said of somebody else, it is said of nobody.
        Ok(if more.get("sub") == Some(subject) { more } else { Value::Null })
    }

    fn client(
        &self,
        metadata: &ProviderMetadataWithLogout,
    ) -> CoreClient<
        openidconnect::EndpointSet,
        openidconnect::EndpointNotSet,
        openidconnect::EndpointNotSet,
        openidconnect::EndpointNotSet,
        openidconnect::EndpointMaybeSet,
        openidconnect::EndpointMaybeSet,
    > {
        let secret = self.settings.client_secret.as_ref();
        let secret = secret.map(|secret| ClientSecret::new(secret.told().to_owned()));
        let id = ClientId::new(self.settings.client_id.clone());
        let client = CoreClient::from_provider_metadata(metadata.clone(), id, secret);
        let methods = metadata.token_endpoint_auth_methods_supported().cloned().unwrap_or_default();
        let only_in_body = methods.contains(&CoreClientAuthMethod::ClientSecretPost)
            && !methods.contains(&CoreClientAuthMethod::ClientSecretBasic);
        if only_in_body { client.set_auth_type(AuthType::RequestBody) } else { client }
    }
}

/// The person of these claims; those of the ID token come first.
fn person(claims: &Value, more: &Value, groups_claim: &str) -> Result<Person, NotSignedIn> {
    let text = |value: &Value| {
        let text = value.as_str().map(str::trim).filter(|text| !text.is_empty())?;
        (text.chars().count() <= CHARACTERS && !text.contains(char::is_control)).then(|| text.to_owned())
    };
    let subject =
        text(&claims["sub"]).ok_or_else(|| NotSignedIn::Refused("its ID token names nobody".to_owned()))?;
    // An address and the word on it come from the same place.
    let source = if claims.get("email").is_some() { claims } else { more };
    let doubted = matches!(&source["email_verified"], Value::Bool(false))
        || source["email_verified"].as_str().is_some_and(|word| word != "true");
    let email = text(&source["email"]).filter(|_| !doubted).map(|email| email.to_lowercase());
    let name = text(&claims["name"]).or_else(|| text(&more["name"]));
    let groups = claims.get(groups_claim).or_else(|| more.get(groups_claim));
    let groups = match groups {
        Some(Value::Array(groups)) => groups.iter().filter_map(text).take(GROUPS).collect(),
        Some(group) => text(group).into_iter().collect(),
        None => Vec::new(),
    };
    Ok(Person { subject, email, name, groups })
}

fn unavailable(error: impl std::error::Error) -> Unavailable {
    Unavailable(told(&error))
}

fn gone(error: &impl std::error::Error) -> NotSignedIn {
    NotSignedIn::Unavailable(Unavailable(told(error)))
}

/// An error and what is below it, in one line.
fn told(error: &dyn std::error::Error) -> String {
    let mut told = error.to_string();
    let mut below = error.source();
    while let Some(error) = below {
        told.push_str(": ");
        told.push_str(&error.to_string());
        below = error.source();
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn known(claims: &Value, more: &Value) -> Person {
        person(claims, more, "groups").unwrap()
    }

    #[test]
    fn an_address_counts_unless_it_is_doubted() {
        let email = |claims: Value| known(&claims, &Value::Null).email;
        let ann = Some("ann@example.com".to_owned());
        assert_eq!(email(json!({ "sub": "1", "email": "Ann@Example.com" })), ann);
        assert_eq!(email(json!({ "sub": "1", "email": "ann@example.com", "email_verified": true })), ann);
        assert_eq!(email(json!({ "sub": "1", "email": "ann@example.com", "email_verified": false })), None);
        assert_eq!(email(json!({ "sub": "1", "email": "ann@example.com", "email_verified": "false" })), None);
        assert_eq!(email(json!({ "sub": "1", "email": "a\nb@example.com" })), None);
        let doubted = json!({ "sub": "1", "email": "ann@example.com", "email_verified": false });
        assert_eq!(known(&json!({ "sub": "1" }), &doubted).email, None);
        let vouched = json!({ "sub": "1", "email": "bob@example.com", "email_verified": true });
        assert_eq!(known(&doubted, &vouched).email, None, "a word on another address");
    }

    #[test]
    fn groups_are_texts_and_bounded() {
        let groups = |groups: Value| known(&json!({ "sub": "1", "groups": groups }), &Value::Null).groups;
        assert_eq!(groups(json!(["a", 5, "", " b "])), ["a", "b"]);
        assert_eq!(groups(json!("a")), ["a"]);
        assert!(groups(json!({ "a": true })).is_empty());
        assert_eq!(groups(json!(vec!["g"; 2000])).len(), GROUPS);
        assert_eq!(known(&json!({ "sub": "1" }), &json!({ "groups": ["c"] })).groups, ["c"]);
        assert!(person(&json!({ "email": "a@b" }), &Value::Null, "groups").is_err(), "nobody");
    }
}
