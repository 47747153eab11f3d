//! Whether an export is whole: line after line, holding none of them.

use super::{Head, Header, Link, NOTHING, Told, key::PublicKey};
use crate::canonical::canonical;
use serde_json::Value;
use std::fmt;

/// What whoever verifies brings along, from elsewhere than the export.
#[derive(Clone, Debug, Default)]
pub struct Trusted {
    /// The hash of an entry that the chain had, as it was published.
    pub head: Option<String>,
    /// The server's public keys; without them, those in the export are believed.
    pub keys: Option<Vec<PublicKey>>,
}

/// Why an export is not whole, and where that first shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub why: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

impl std::error::Error for Broken {}

/// What was found in an export that is whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// What the export said that it holds, which it does.
    pub header: Header,
    /// The last entry of the chain.
    pub last: Option<Link>,
    /// The hash of that.
    pub head: String,
    /// The names of the keys that signed a head.
    pub kids: Vec<String>,
}

/// Verifies a whole export.
///
/// # Errors
/// It is not whole, or was changed.
pub fn verify<'l>(lines: impl IntoIterator<Item = &'l str>, trusted: Trusted) -> Result<Summary, Broken> {
    let mut verifier = Verifier::new(trusted);
    for line in lines {
        verifier.line(line)?;
    }
    verifier.end()
}

/// Takes an export line by line.
pub struct Verifier {
    trusted: Trusted,
    line: usize,
    header: Option<Header>,
    unchained: u64,
    /// The id of the last entry from before there was a chain.
    last_unchained: String,
    entries: u64,
    last: Option<Link>,
    /// The hash of the last entry.
    hash: String,
    heads: Vec<(usize, Head, String)>,
    head_seen: bool,
    kids: Option<Vec<String>>,
}

type Verdict = Result<(), String>;

impl Verifier {
    /// Nothing is read yet.
    pub fn new(trusted: Trusted) -> Self {
        Self {
            trusted,
            line: 0,
            header: None,
            unchained: 0,
            last_unchained: String::new(),
            entries: 0,
            last: None,
            hash: NOTHING.to_owned(),
            heads: Vec::new(),
            head_seen: false,
            kids: None,
        }
    }

    /// Takes the next line, which comes without its end.
    ///
    /// # Errors
    /// It does not belong there.
    pub fn line(&mut self, line: &str) -> Result<(), Broken> {
        self.line += 1;
        self.take(line).map_err(|why| Broken { line: self.line, why })
    }

    /// Nothing follows.
    ///
    /// # Errors
    /// Something is missing.
    pub fn end(self) -> Result<Summary, Broken> {
        let line = self.line + 1;
        let cut = |why: String| Broken { line, why };
        let Some(header) = self.header else {
            return Err(cut("the file is empty".to_owned()));
        };
        let Some(kids) = self.kids else {
            let after = self.last.as_ref().map_or_else(|| "the header".to_owned(), name);
            return Err(cut(format!(
                "the export is cut off after {after}: its last line, the public keys, is missing"
            )));
        };
        if let Some(wanted) = self.trusted.head.filter(|_| !self.head_seen) {
            return Err(cut(format!(
                "no entry has the hash {wanted}: entries were cut off or rewritten, or it is of another chain"
            )));
        }
        Ok(Summary { header, last: self.last, head: self.hash, kids })
    }

    fn take(&mut self, line: &str) -> Verdict {
        let value: Value = serde_json::from_str(line).map_err(|error| format!("it is no JSON: {error}"))?;
        if canonical(&value) != line {
            return Err("it is not written as an export writes it (RFC 8785)".to_owned());
        }
        if self.kids.is_some() {
            return Err("something follows the public keys, which are the last line".to_owned());
        }
        let Some(header) = self.header.clone() else {
            let header = read_header(&value).filter(|header| header.line() == line);
            let header =
                header.ok_or("it is not the first line of an export in format sayso-audit, version 1")?;
            if header.review.is_some() && self.trusted.head.is_some() {
                return Err(
                    "the entries of one request cannot be held against a head: export everything".to_owned()
                );
            }
            self.header = Some(header);
            return Ok(());
        };
        if value.get("keys").is_some() {
            self.keys(&header, &value)
        } else if let Some(head) = value.get("head") {
            let (head, signature) = read_head(head)
                .filter(|(head, signature)| head.line(signature) == line)
                .ok_or("it is no head: it has other members than one")?;
            self.head(&header, head, signature)
        } else if value.get("chain").is_some() {
            let (link, hash) = read_link(&value)
                .filter(|(link, hash)| link.line(hash) == line)
                .ok_or("it is no entry: it has other members than one")?;
            self.link(&header, link, hash)
        } else {
            let told = read_told(&value)
                .filter(|told| told.line() == line)
                .ok_or("it is no entry: it has other members than one")?;
            self.unchained(&header, told)
        }
    }

    fn unchained(&mut self, header: &Header, told: Told) -> Verdict {
        if self.last.is_some() {
            return Err(format!("entry {} has no hash and stands among those that have one", told.id));
        }
        if told.id <= self.last_unchained {
            return Err(format!("entry {} is out of order, or there twice", told.id));
        }
        of_review(header, &told)?;
        self.unchained += 1;
        self.last_unchained = told.id;
        Ok(())
    }

    fn link(&mut self, header: &Header, link: Link, hash: String) -> Verdict {
        let whole = header.review.is_none();
        let this = name(&link);
        let is = link.hash();
        if is != hash {
            return Err(format!("{this} was changed: its hash is said to be {hash} and is {is}"));
        }
        of_review(header, &link.told)?;
        if let Some(last) = self.last.as_ref().filter(|last| last.chain != link.chain) {
            return Err(format!("{this} is of chain {}, and those before it of {}", link.chain, last.chain));
        }
        let before = self.last.as_ref().map_or(0, |last| last.seq);
        if link.seq <= before {
            return Err(format!("{this} is out of order, or there twice: entry {before} stands before it"));
        }
        if whole && link.seq != before + 1 {
            return Err(format!("{this} follows entry {before}: what was between them is missing"));
        }
        if whole && link.prev != self.hash {
            return Err(format!(
                "{this} does not follow the entry before it, whose hash is {} and not {}: one of both was put in its place",
                self.hash, link.prev
            ));
        }
        self.entries += 1;
        self.head_seen |= self.trusted.head.as_ref() == Some(&hash);
        self.hash = hash;
        self.last = Some(link);
        Ok(())
    }

    fn head(&mut self, header: &Header, head: Head, signature: String) -> Verdict {
        if header.review.is_some() {
            return Err("a head stands among the entries of one request".to_owned());
        }
        if self.heads.last().is_some_and(|(_, before, _)| before.seq >= head.seq) {
            return Err(format!("the head at entry {} is out of order, or there twice", head.seq));
        }
        let last = self.last.as_ref().map(|last| (last.chain.as_str(), last.seq));
        if last != Some((&head.chain, head.seq)) {
            return Err(format!(
                "the head at entry {} does not stand behind that entry, which is missing",
                head.seq
            ));
        }
        if head.hash != self.hash {
            return Err(format!(
                "the head at entry {} was signed over the hash {}, and that entry has {}: it was rewritten",
                head.seq, head.hash, self.hash
            ));
        }
        self.heads.push((self.line, head, signature));
        Ok(())
    }

    fn keys(&mut self, header: &Header, jwks: &Value) -> Verdict {
        let count = |what, said: u64, found: u64| {
            let why = || {
                format!("the export is to hold {said} {what} and holds {found}: it was cut off or added to")
            };
            if said == found { Ok(()) } else { Err(why()) }
        };
        count("entries", header.entries, self.entries)?;
        count("entries without a hash", header.unchained, self.unchained)?;
        count("heads", header.heads, self.heads.len() as u64)?;
        if header.review.is_some() && self.entries + self.unchained == 0 {
            return Err("the export of one request holds no entry".to_owned());
        }
        if let Some(last) = self.last.as_ref().filter(|_| header.review.is_none())
            && self.heads.last().is_none_or(|(_, head, _)| head.seq != last.seq)
        {
            return Err(format!("no signed head stands behind {}, the last", name(last)));
        }
        let keys = read_keys(jwks).filter(|_| jwks.as_object().is_some_and(|jwks| jwks.len() == 1));
        let keys = keys.ok_or("the last line is no set of Ed25519 keys, each under its thumbprint")?;
        count("keys", header.keys, keys.len() as u64)?;
        if let Some(trusted) = &self.trusted.keys
            && let Some(foreign) = keys.iter().find(|key| !trusted.contains(key))
        {
            return Err(format!("the key {} is not among those that you gave", foreign.kid()));
        }
        let mut kids = Vec::new();
        for (line, head, signature) in &self.heads {
            let key = keys.iter().find(|key| key.kid() == head.kid);
            let wrong = |why: &str| format!("the head at entry {} (line {line}) {why}", head.seq);
            let key =
                key.ok_or_else(|| wrong(&format!("is signed by a key that is not here, {}", head.kid)))?;
            if !key.vouches(head.text().as_bytes(), signature) {
                return Err(wrong(&format!("is not what the key {} has signed", head.kid)));
            }
            if !kids.contains(&head.kid) {
                kids.push(head.kid.clone());
            }
        }
        self.kids = Some(kids);
        Ok(())
    }
}

fn name(link: &Link) -> String {
    format!("entry {} ({})", link.seq, link.told.id)
}

fn of_review(header: &Header, told: &Told) -> Verdict {
    match &header.review {
        Some(review) if told.review.as_ref() != Some(review) => {
            Err(format!("entry {} is not of request {review}", told.id))
        }
        _ => Ok(()),
    }
}

// What is read here leaves members out that do not belong: who calls writes it again, and compares.

fn read_header(value: &Value) -> Option<Header> {
    Some(Header {
        review: optional(value.get("review")?)?,
        entries: value["entries"].as_u64()?,
        unchained: value["unchained"].as_u64()?,
        heads: value["heads"].as_u64()?,
        keys: value["keys"].as_u64()?,
    })
}

fn read_told(value: &Value) -> Option<Told> {
    Some(Told {
        id: text(&value["id"])?,
        at: value["at"].as_i64()?,
        review: optional(value.get("review")?)?,
        actor: value.get("actor")?.clone(),
        via: value.get("via")?.clone(),
        event: value.get("event")?.clone(),
    })
}

pub(super) fn read_link(value: &Value) -> Option<(Link, String)> {
    let link = Link {
        chain: text(&value["chain"])?,
        seq: value["seq"].as_i64()?,
        told: read_told(value)?,
        prev: text(&value["prev"])?,
    };
    Some((link, text(&value["hash"])?))
}

fn read_head(value: &Value) -> Option<(Head, String)> {
    let head = Head {
        chain: text(&value["chain"])?,
        seq: value["seq"].as_i64()?,
        hash: text(&value["hash"])?,
        at: value["at"].as_i64()?,
        kid: text(&value["kid"])?,
    };
    Some((head, text(&value["signature"])?))
}

/// The keys, if each is written as we write it, and none twice.
fn read_keys(jwks: &Value) -> Option<Vec<PublicKey>> {
    let mut keys = Vec::new();
    for jwk in jwks["keys"].as_array()? {
        let key = PublicKey::from_jwk(jwk).filter(|key| key.jwk() == *jwk && !keys.contains(key))?;
        keys.push(key);
    }
    Some(keys)
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn optional(value: &Value) -> Option<Option<String>> {
    if value.is_null() { Some(None) } else { text(value).map(Some) }
}
