//! `sayso audit verify`: what the real binary says of exports, and how it ends.

use crate::house::{House, On, empty};
use sayso::{audit::Heads, chance::Chance, signing::Signer, store::Store};
use sayso_domain::{
    Moment,
    audit::{Actor, Entry, Event, Via},
};
use serde_json::Value;
use std::{
    fmt::Display,
    io::Write,
    path::PathBuf,
    process::{Command, Stdio},
    sync::Arc,
};
use tempfile::TempDir;

/// How it ended, and what it said on standard output and beside that.
type Said = (Option<i32>, String, String);

/// Runs it with this on its standard input.
fn verify(arguments: &[&str], input: &[u8]) -> Said {
    let mut program = Command::new(env!("CARGO_BIN_EXE_sayso"));
    program.env_clear().args(["audit", "verify"]).args(arguments);
    let piped = || Stdio::piped();
    let mut running = program.stdin(piped()).stdout(piped()).stderr(piped()).spawn().unwrap();
    // Whoever refuses the arguments does not read.
    let _ = running.stdin.take().unwrap().write_all(input);
    let output = running.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// An export of three entries, in a file.
struct Exported {
    folder: TempDir,
    text: String,
}

impl Exported {
    async fn new() -> Self {
        let house = House::on(On::Sqlite).await;
        for at in 1..=3 {
            let (actor, via, event) = (Actor::System, Via::INSIDE, Event::Fetched);
            house.store.record(&Entry { review: None, at: Moment(at), actor, via, event }).await.unwrap();
        }
        let signer = Signer::open(&house.store, &Chance::seeded(5), Moment(1)).await.unwrap();
        let mut text = Vec::new();
        Heads::new(house.store.clone(), signer, house.clock.clone()).export(&mut text).await.unwrap();
        Self { folder: tempfile::tempdir().unwrap(), text: String::from_utf8(text).unwrap() }
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path: PathBuf = self.folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.into_os_string().into_string().unwrap()
    }

    fn line(&self, at: usize) -> Value {
        serde_json::from_str(self.text.lines().nth(at).unwrap()).unwrap()
    }
}

#[track_caller]
fn good((code, out, told): &Said, holds: &[&str], holds_not: &[&str]) {
    assert_eq!((*code, told.as_str()), (Some(0), ""), "{out}");
    assert!(out.starts_with("whole: 3 entries of chain "), "{out}");
    for part in holds {
        assert!(out.contains(part), "{part}: {out}");
    }
    for part in holds_not {
        assert!(!out.contains(part), "{part}: {out}");
    }
}

/// One line on why, and nothing that could be taken for a success.
#[track_caller]
fn bad((code, out, told): &Said, why: impl Display) {
    assert_eq!((*code, out.as_str()), (Some(1), ""), "{told}");
    assert_eq!((told.lines().count(), told.starts_with("sayso: ")), (1, true), "{told}");
    assert!(told.contains(&why.to_string()), "{why}: {told}");
}

const WHOSE_KEYS: &str = "not proven: whose keys these are";
const MADE_ANEW: &str = "not proven: that it was not made anew";

#[tokio::test]
async fn an_export_is_read_from_a_file_or_from_standard_input() {
    let exported = Exported::new().await;
    let (text, file) = (exported.text.clone(), exported.file("trail.jsonl", &exported.text));
    good(&verify(&[&file], b""), &["signed heads: 1", WHOSE_KEYS, MADE_ANEW], &[]);
    assert_eq!(verify(&["-"], text.as_bytes()), verify(&[&file], b""));
    let (code, out, told) = verify(&[], text.as_bytes());
    assert_eq!((code, out.as_str(), told.contains("<FILE>")), (Some(2), "", true), "{told}");

    let changed = text.replacen("\"at\":2,", "\"at\":7,", 1);
    let cut: String = text.lines().take(3).map(|line| format!("{line}\n")).collect();
    let swapped: Vec<&str> = [0, 2, 1, 3, 4, 5].map(|at| text.lines().nth(at).unwrap()).to_vec();
    let long = format!("{text}{}", "x".repeat(1 << 20));
    for (bytes, why) in [
        (changed.as_bytes(), "line 3: entry 2 "),
        (changed.as_bytes(), "was changed"),
        (cut.as_bytes(), "line 4: the export is cut off after entry 2 "),
        (swapped.join("\n").as_bytes(), "line 2: entry 2 "),
        (b"".as_slice(), "line 1: the file is empty"),
        (b"\xff\n", "line 1: it is no UTF-8"),
        (b"{}\n", "line 1: it is not the first line of an export"),
        (b"hello\n", "line 1: it is no JSON"),
        (long.as_bytes(), "line 7: it is longer than 1048576 bytes"),
    ] {
        let file = exported.file("bad.jsonl", bytes);
        bad(&verify(&[&file], b""), format_args!("{file}: "));
        bad(&verify(&[&file], b""), why);
        bad(&verify(&["-"], bytes), why);
    }
    let nowhere = exported.folder.path().join("nowhere").display().to_string();
    bad(&verify(&[&nowhere], b""), format_args!("reading {nowhere}: "));
}

#[tokio::test]
async fn a_head_that_was_published_has_to_be_there() {
    let exported = Exported::new().await;
    let file = exported.file("trail.jsonl", &exported.text);
    let head = exported.line(2)["hash"].as_str().unwrap().to_owned();
    let in_it = format!("the given head {head} is in it");
    good(&verify(&[&file, "--head", &head], b""), &[&in_it, WHOSE_KEYS], &[MADE_ANEW]);
    good(&verify(&["--head", &head, "-"], exported.text.as_bytes()), &[&in_it], &[MADE_ANEW]);
    let other = "0".repeat(64);
    bad(&verify(&[&file, "--head", &other], b""), format_args!("no entry has the hash {other}"));
    for wrong in ["", "abc", &head[1..], &head.to_uppercase()] {
        bad(&verify(&[&file, "--head", wrong], b""), format_args!("`{wrong}` is no head"));
    }
}

#[tokio::test]
async fn the_keys_have_to_be_those_that_are_trusted() {
    let exported = Exported::new().await;
    let file = exported.file("trail.jsonl", &exported.text);
    let keys = exported.file("jwks.json", exported.text.lines().last().unwrap());
    good(&verify(&[&file, "--keys", &keys], b""), &[MADE_ANEW], &[WHOSE_KEYS]);
    let head = exported.line(3)["hash"].as_str().unwrap().to_owned();
    good(
        &verify(&["-", "--keys", &keys, "--head", &head], exported.text.as_bytes()),
        &[],
        &[WHOSE_KEYS, MADE_ANEW],
    );
    let (url, _folder) = empty(On::Sqlite).await;
    let another = Store::open(&url, Arc::new(Chance::seeded(6))).await.unwrap();
    let signer = Signer::open(&another, &Chance::seeded(6), Moment(1)).await.unwrap();
    let foreign = exported.file("foreign.json", signer.public_jwks().to_string());
    bad(&verify(&[&file, "--keys", &foreign], b""), "is not among those that you gave");
    for wrong in ["", "{}", "{\"keys\":[]}", "{\"keys\":[{\"kty\":\"RSA\"}]}"] {
        let keys = exported.file("wrong.json", wrong);
        bad(&verify(&[&file, "--keys", &keys], b""), format_args!("{keys} is no JSON Web Key Set"));
    }
    let nowhere = exported.folder.path().join("nowhere").display().to_string();
    bad(&verify(&[&file, "--keys", &nowhere], b""), format_args!("reading {nowhere}: "));
}
