//! `sayso token …`: makes, lists and revokes agents' tokens in the database of the settings.

use super::token::{Name, NameError, Scopes, Secret};
use crate::{
    chance::Chance,
    config::{Create, List, Revoke},
    store::{
        Store, StoreError,
        tokens::{Elder, Token},
    },
};
use sayso_domain::{
    Moment,
    audit::{Actor, Door, Entry, Event, Via},
};
use serde_json::json;

/// Why a command about tokens was not done.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The store could not.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The name is none.
    #[error(transparent)]
    Name(#[from] NameError),
    /// There is one already.
    #[error(
        "`{0}` has a token already: pass --rotate for a new one beside which the old one soon ends, or revoke it first with \
         `sayso token revoke {0}`"
    )]
    Taken(String),
    /// There is nothing to revoke.
    #[error("no token is called `{0}`, by name or by id, and not revoked yet; `sayso token list` shows all")]
    Unknown(String),
}

/// A token that was made: what it is, and what is known of it.
#[derive(Debug)]
pub struct Made {
    /// Told once, to whoever made it.
    pub secret: Secret,
    /// What the store keeps.
    pub token: Token,
}

/// What is done on the server's machine.
const VIA: Via = Via { door: Door::Command, address: None };

fn entry(at: Moment, event: Event) -> Entry {
    Entry { review: None, at, actor: Actor::System, via: VIA, event }
}

/// Makes a token.
///
/// # Errors
/// The name is none or has a token already, or the store failed; nothing is made then.
pub async fn create(store: &Store, chance: &Chance, what: &Create, now: Moment) -> Result<Made, TokenError> {
    let name = Name::parse(&what.name)?;
    let scopes = if what.scope.is_empty() { Scopes::ALL } else { Scopes::of(&what.scope) };
    let ends = |seconds: u64| Moment(now.0.saturating_add_unsigned(seconds.saturating_mul(1000)));
    let secret = Secret::new(chance);
    let token = Token {
        // With a colon, which no name has.
        id: format!("t:{:012x}", chance.bits() >> 80),
        name: name.to_string(),
        scopes: scopes.to_string(),
        made_at: now.0,
        expires_at: what.expires_in.map(|seconds| ends(seconds.0).0),
        revoked_at: None,
        used_at: None,
    };
    let event = Event::TokenCreated {
        id: token.id.clone(),
        name: token.name.clone(),
        scopes: token.scopes.clone(),
        expires: token.expires_at.map(Moment),
    };
    let elder = if what.rotate { Elder::EndsAt(ends(what.overlap.0)) } else { Elder::Forbidden };
    if store.new_token(&token, &secret.digest(), elder, &entry(now, event)).await? {
        Ok(Made { secret, token })
    } else {
        Err(TokenError::Taken(token.name))
    }
}

/// What whoever made a token reads beside it.
pub fn told(made: &Made) -> String {
    let Token { id, name, scopes, expires_at, .. } = &made.token;
    let end =
        expires_at.map_or_else(|| "does not expire".to_owned(), |end| format!("expires {}", Moment(end)));
    format!(
        "made {id} for `{name}`: may {}, {end}\nThis is the only time that it is shown. Agents send it as `Authorization: Bearer sayso_…`.",
        scopes.replace(' ', " and ")
    )
}

/// All tokens as text: a table, or JSON. No secret is in either.
///
/// # Errors
/// The store.
pub async fn list(store: &Store, what: &List, now: Moment) -> Result<String, TokenError> {
    let tokens = store.tokens().await?;
    let moment = |at: Option<i64>| at.map(|at| Moment(at).to_string());
    let state = |token: &Token| match token {
        Token { revoked_at: Some(_), .. } => "revoked",
        token if token.is_live(now) => "live",
        _ => "expired",
    };
    if what.json {
        let told = tokens.iter().map(|token| {
            json!({
                "id": token.id, "name": token.name, "scopes": token.scopes.split(' ').collect::<Vec<_>>(), "state": state(token),
                "createdAt": moment(Some(token.made_at)), "expiresAt": moment(token.expires_at),
                "revokedAt": moment(token.revoked_at), "lastUsedAt": moment(token.used_at)
            })
        });
        return Ok(format!("{:#}\n", serde_json::Value::from_iter(told)));
    }
    let mut rows =
        vec![["ID", "NAME", "SCOPES", "STATE", "CREATED", "EXPIRES", "LAST USED"].map(str::to_owned)];
    rows.extend(tokens.iter().map(|token| {
        let dash = |at: Option<i64>| moment(at).unwrap_or_else(|| "-".to_owned());
        [
            token.id.clone(),
            token.name.clone(),
            token.scopes.clone(),
            state(token).to_owned(),
            dash(Some(token.made_at)),
            dash(token.expires_at),
            dash(token.used_at),
        ]
    }));
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: Vec<_> = (0..7).map(width).collect();
    let line = |row: &[String; 7]| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    Ok(rows.iter().map(line).collect())
}

/// Revokes the token of this id, or every token of this name; which ones.
///
/// # Errors
/// There is none that is not revoked yet, or the store failed.
pub async fn revoke(store: &Store, what: &Revoke, now: Moment) -> Result<Vec<Token>, TokenError> {
    let meant = |token: &Token| token.id == what.which || token.name == what.which;
    let mut revoked = Vec::new();
    for token in store.tokens().await?.into_iter().filter(|token| token.revoked_at.is_none() && meant(token))
    {
        let event = Event::TokenRevoked { id: token.id.clone(), name: token.name.clone() };
        if store.revoke_token(&token.id, &entry(now, event)).await? {
            revoked.push(token);
        }
    }
    if revoked.is_empty() {
        Err(TokenError::Unknown(what.which.chars().take(80).collect()))
    } else {
        Ok(revoked)
    }
}
