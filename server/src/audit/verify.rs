//! `sayso audit verify`: whether an export is whole, without a database and without settings.

use sayso_domain::{
    Moment,
    chain::{Broken, Summary, Trusted, Verifier, key::PublicKey},
};
use serde_json::Value;
use std::{
    fmt::Write as _,
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

/// No line of an export is longer.
const LINE: u64 = 1 << 20;

/// Why an export was not found whole.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// A file cannot be read.
    #[error("reading {0}: {1}")]
    Unreadable(String, io::Error),
    /// The file of keys holds none.
    #[error(
        "{0} is no JSON Web Key Set with Ed25519 keys, as /.well-known/jwks.json and the last line of an export are"
    )]
    NoKeys(String),
    /// The given head is none.
    #[error("`{0}` is no head: a head is 64 hexadecimal digits, the `hash` of an entry")]
    NoHead(String),
    /// The export is not whole.
    #[error("{0}: {1}")]
    Broken(String, Broken),
}

/// Verifies the export in a file, or on standard input where that is `-`; what there is to say of it.
///
/// # Errors
/// It cannot be read, or is not whole.
pub fn verify(file: &str, head: Option<&str>, keys: Option<&Path>) -> Result<String, VerifyError> {
    let trusted = Trusted { head: head.map(read_head).transpose()?, keys: keys.map(read_keys).transpose()? };
    let told = (trusted.head.clone(), trusted.keys.is_some());
    let unreadable = |error| VerifyError::Unreadable(file.to_owned(), error);
    let input: Box<dyn Read> = if file == "-" {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(file).map_err(unreadable)?)
    };
    let (mut input, mut verifier) = (BufReader::new(input), Verifier::new(trusted));
    let broken = |broken| VerifyError::Broken(file.to_owned(), broken);
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if (&mut input).take(LINE).read_until(b'\n', &mut line).map_err(unreadable)? == 0 {
            break;
        }
        if line.pop_if(|end| *end == b'\n').is_none() && line.len() as u64 == LINE {
            return Err(broken(Broken { line: number, why: format!("it is longer than {LINE} bytes") }));
        }
        let text = str::from_utf8(&line)
            .map_err(|_| broken(Broken { line: number, why: "it is no UTF-8".to_owned() }))?;
        verifier.line(text).map_err(broken)?;
    }
    Ok(say(&verifier.end().map_err(broken)?, told.0.as_deref(), told.1))
}

fn read_head(head: &str) -> Result<String, VerifyError> {
    let is = head.len() == 64 && head.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if is { Ok(head.to_owned()) } else { Err(VerifyError::NoHead(head.to_owned())) }
}

/// The keys of a JSON Web Key Set; those of other kinds are not looked at.
fn read_keys(path: &Path) -> Result<Vec<PublicKey>, VerifyError> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| VerifyError::Unreadable(name.clone(), error))?;
    let jwks: Value = serde_json::from_str(&text).unwrap_or_default();
    let keys: Vec<_> =
        jwks["keys"].as_array().into_iter().flatten().filter_map(PublicKey::from_jwk).collect();
    if keys.is_empty() { Err(VerifyError::NoKeys(name)) } else { Ok(keys) }
}

/// What is proven, and what is not.
fn say(found: &Summary, head: Option<&str>, keys: bool) -> String {
    let header = &found.header;
    let mut told = String::new();
    let mut line = |text: String| {
        let _ = writeln!(told, "{text}");
    };
    if let Some(review) = &header.review {
        line(format!("request {review}: {} entries, each unchanged since its hash was made", header.entries));
        line("not proven: that none is missing, and that the hashes are those of the chain; export everything for that".to_owned());
    } else if let Some(last) = &found.last {
        line(format!("whole: {} entries of chain {}, unbroken from the first", header.entries, last.chain));
        line(format!("last entry: {} of {}, hash {}", last.seq, Moment(last.told.at), found.head));
        line(format!("signed heads: {}, by {}", header.heads, found.kids.join(", ")));
        line(match head {
            Some(head) => format!("the given head {head} is in it"),
            None => "not proven: that it was not made anew from an earlier entry on; give a published head by --head".to_owned(),
        });
        if !keys {
            line("not proven: whose keys these are; give the server's by --keys".to_owned());
        }
    } else {
        line("whole: no entry has been written to the chain yet".to_owned());
    }
    if header.unchained > 0 {
        line(format!(
            "not proven: {} entries from before there was a chain, which have no hash",
            header.unchained
        ));
    }
    told.truncate(told.trim_end().len());
    told
}
