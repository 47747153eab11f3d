//! `sayso audit export`: the trail as lines of JSON that prove themselves.

use super::{AuditError, Heads};
use sayso_domain::{
    ReviewId,
    chain::{Header, keys_line},
};
use serde_json::json;
use std::io::Write;

/// So many entries are in memory at once.
const PAGE: i64 = 500;

impl Heads {
    /// Writes everything, with a head behind the last entry: entries that are written meanwhile are not in it.
    ///
    /// # Errors
    /// The store, the trail is not what was signed before, or nobody reads.
    pub async fn export(&self, out: &mut impl Write) -> Result<(), AuditError> {
        let upto = self.sign().await?;
        let (unchained, heads) = self.store.count_beside_chain(upto).await?;
        let jwks = self.signer.public_jwks();
        let header = Header {
            review: None,
            entries: count(upto),
            unchained: count(unchained),
            heads: count(heads),
            keys: jwks["keys"].as_array().map_or(0, |keys| keys.len() as u64),
        };
        writeln!(out, "{}", header.line())?;
        let mut after = String::new();
        loop {
            let page = self.store.unchained(&after, PAGE).await?;
            let Some(last) = page.last() else { break };
            after = last.id.clone();
            for told in &page {
                writeln!(out, "{}", told.line())?;
            }
        }
        for after in (0..upto).step_by(usize::try_from(PAGE).unwrap_or(usize::MAX)) {
            let until = upto.min(after + PAGE);
            let mut heads = self.store.heads(after, until).await?.into_iter().peekable();
            for (link, hash) in self.store.links(after, until).await? {
                writeln!(out, "{}", link.line(&hash))?;
                while let Some((head, signature)) = heads.next_if(|(head, _)| head.seq <= link.seq) {
                    writeln!(out, "{}", head.line(&signature))?;
                }
            }
            // Those whose entry is not there: whoever verifies is to see them.
            for (head, signature) in heads {
                writeln!(out, "{}", head.line(&signature))?;
            }
        }
        writeln!(out, "{}", keys_line(&jwks))?;
        Ok(out.flush()?)
    }

    /// Writes the entries of one request, each of which stands for itself.
    ///
    /// # Errors
    /// The store, there is no such request, or nobody reads.
    pub async fn export_one(&self, id: ReviewId, out: &mut impl Write) -> Result<(), AuditError> {
        let (unchained, links) = self.store.proof_of(id).await?;
        if unchained.is_empty() && links.is_empty() {
            return Err(AuditError::NoSuchReview(id));
        }
        let header = Header {
            review: Some(id.to_string()),
            entries: links.len() as u64,
            unchained: unchained.len() as u64,
            heads: 0,
            keys: 0,
        };
        writeln!(out, "{}", header.line())?;
        for told in unchained {
            writeln!(out, "{}", told.line())?;
        }
        for (link, hash) in links {
            writeln!(out, "{}", link.line(&hash))?;
        }
        writeln!(out, "{}", keys_line(&json!({ "keys": [] })))?;
        Ok(out.flush()?)
    }
}

fn count(rows: i64) -> u64 {
    u64::try_from(rows).unwrap_or(0)
}
