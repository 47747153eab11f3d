//! No single change to an export goes unseen, wherever it is made.

use super::{key::PublicKey, *};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use ed25519_dalek::{Signer, SigningKey};
use proptest::prelude::*;
use proptest::sample::Index;

fn key(seed: u8) -> SigningKey {
    SigningKey::from_bytes(&[seed; 32])
}

fn public(key: &SigningKey) -> PublicKey {
    PublicKey::from_bytes(key.verifying_key().as_bytes()).unwrap()
}

/// An export of so many entries, with heads behind some of them and the last.
fn export(entries: usize, chain: &str, signs: &SigningKey) -> Vec<String> {
    let mut lines = Vec::new();
    let (mut prev, mut heads) = (NOTHING.to_owned(), 0);
    for at in 1..=entries {
        let told = Told {
            id: format!("{at:08x}"),
            at: 1_000 + at as i64,
            review: (at % 3 > 0).then(|| format!("{:032x}", at % 2)),
            actor: json!({ "agent": "ann\u{e9}\n" }),
            via: json!({ "door": "mcp", "address": "127.0.0.1" }),
            event: if at % 2 == 0 {
                json!("created")
            } else {
                json!({ "decided": { "client": null, "after": at } })
            },
        };
        let link = Link { chain: chain.to_owned(), seq: at as i64, told, prev };
        prev = link.hash();
        lines.push(link.line(&prev));
        if at == entries || at % 4 == 0 {
            let (hash, kid) = (prev.clone(), public(signs).kid());
            let head = Head { chain: chain.to_owned(), seq: at as i64, hash, at: 2_000, kid };
            lines.push(head.line(&URL_SAFE_NO_PAD.encode(signs.sign(head.text().as_bytes()).to_bytes())));
            heads += 1;
        }
    }
    let header = Header { review: None, entries: entries as u64, unchained: 0, heads, keys: 1 };
    lines.insert(0, header.line());
    lines.push(keys_line(&json!({ "keys": [public(signs).jwk()] })));
    lines
}

fn check(lines: &[String], trusted: Trusted) -> Result<Summary, Broken> {
    verify(lines.iter().map(String::as_str), trusted)
}

fn why(lines: &[String]) -> String {
    check(lines, Trusted::default()).unwrap_err().to_string()
}

/// Where the values are that hold no others.
fn leaves(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(name, member)| leaves(member, &format!("{at}/{name}"), found));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| leaves(item, &format!("{at}/{index}"), found));
        }
        _ => found.push(at.to_owned()),
    }
}

/// Another value of the same kind, where there is one.
fn other(value: &Value) -> Value {
    match value {
        Value::String(text) => json!(format!("{text}x")),
        Value::Number(number) => json!(number.as_i64().unwrap() + 1),
        _ => json!("something"),
    }
}

#[derive(Clone, Debug)]
enum Change {
    Value { line: Index, leaf: Index },
    Remove { line: Index, leaf: Index },
    Byte { line: Index, at: Index, to: char },
    Drop(Index),
    Twice(Index, Index),
    Swap(Index, Index),
    CutOff(Index),
}

fn change() -> impl Strategy<Value = Change> {
    let place = any::<Index>;
    prop_oneof![
        (place(), place()).prop_map(|(line, leaf)| Change::Value { line, leaf }),
        (place(), place()).prop_map(|(line, leaf)| Change::Remove { line, leaf }),
        (place(), place(), any::<char>()).prop_map(|(line, at, to)| Change::Byte { line, at, to }),
        (place(), place(), "[0-9a-f\"{}: ,]".prop_map(|text| text.chars().next().unwrap()))
            .prop_map(|(line, at, to)| Change::Byte { line, at, to }),
        place().prop_map(Change::Drop),
        (place(), place()).prop_map(|(line, to)| Change::Twice(line, to)),
        (place(), place()).prop_map(|(one, other)| Change::Swap(one, other)),
        place().prop_map(Change::CutOff),
    ]
}

fn apply(change: &Change, lines: &mut Vec<String>) {
    let of_line = |lines: &[String], line: &Index, leaf: &Index| {
        let line = line.index(lines.len());
        let value: Value = serde_json::from_str(&lines[line]).unwrap();
        let mut found = Vec::new();
        leaves(&value, "", &mut found);
        (line, value, found.swap_remove(leaf.index(found.len())))
    };
    match change {
        Change::Value { line, leaf } => {
            let (line, mut value, leaf) = of_line(lines, line, leaf);
            let place = value.pointer_mut(&leaf).unwrap();
            *place = other(place);
            lines[line] = canonical(&value);
        }
        Change::Remove { line, leaf } => {
            let (line, mut value, leaf) = of_line(lines, line, leaf);
            let (parent, name) = leaf.rsplit_once('/').unwrap();
            match value.pointer_mut(parent).unwrap() {
                Value::Object(members) => drop(members.remove(name)),
                parent => *parent = json!([]),
            }
            lines[line] = canonical(&value);
        }
        Change::Byte { line, at, to } => {
            let line = line.index(lines.len());
            let mut text: Vec<char> = lines[line].chars().collect();
            let at = at.index(text.len());
            text[at] = *to;
            lines[line] = text.into_iter().collect();
        }
        Change::Drop(line) => drop(lines.remove(line.index(lines.len()))),
        Change::Twice(line, to) => {
            let line = lines[line.index(lines.len())].clone();
            let to = to.index(lines.len() + 1);
            lines.insert(to, line);
        }
        Change::Swap(one, other) => {
            let (one, other) = (one.index(lines.len()), other.index(lines.len()));
            lines.swap(one, other);
        }
        Change::CutOff(from) => lines.truncate(from.index(lines.len())),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn no_single_change_goes_unseen(entries in 1_usize..9, change in change()) {
        let whole = export(entries, "c", &key(1));
        prop_assert!(check(&whole, Trusted::default()).is_ok());
        let mut changed = whole.clone();
        apply(&change, &mut changed);
        prop_assume!(changed != whole);
        prop_assert!(check(&changed, Trusted::default()).is_err(), "{changed:#?}");
    }
}

#[test]
fn the_first_bad_entry_is_named() {
    let whole = export(6, "c", &key(1));
    let summary = check(&whole, Trusted::default()).unwrap();
    assert_eq!((summary.header.entries, summary.last.unwrap().seq), (6, 6));
    let with = |change: &dyn Fn(&mut Vec<String>)| {
        let mut lines = whole.clone();
        change(&mut lines);
        why(&lines)
    };
    let changed = with(&|lines| lines[2] = lines[2].replace("127.0.0.1", "127.0.0.2"));
    assert!(changed.starts_with("line 3: entry 2 (00000002) was changed"), "{changed}");
    let dropped = with(&|lines| drop(lines.remove(2)));
    assert!(dropped.starts_with("line 3: entry 3 (00000003) follows entry 1"), "{dropped}");
    let swapped = with(&|lines| lines.swap(1, 2));
    assert!(swapped.starts_with("line 2: entry 2 (00000002) follows entry 0"), "{swapped}");
    let twice = with(&|lines| lines.insert(2, lines[1].clone()));
    assert!(twice.starts_with("line 3: entry 1 (00000001) is out of order, or there twice"), "{twice}");
    // With a hash of its own that fits: the next one does not follow.
    let rewritten = with(&|lines| {
        let mut value: Value = serde_json::from_str(&lines[2]).unwrap();
        value["event"] = json!("canceled");
        let (mut link, _) = super::verify::read_link(&value).unwrap();
        lines[2] = link.line(&link.hash());
        link.told.at = 0;
        assert_ne!(link.line(&link.hash()), lines[2]);
    });
    assert!(rewritten.starts_with("line 4: entry 3 (00000003) does not follow"), "{rewritten}");
    let cut = with(&|lines| lines.truncate(3));
    assert!(cut.starts_with("line 4: the export is cut off after entry 2"), "{cut}");
}

/// Whoever rewrites all of it with the counts that fit has still not the key, nor what was published elsewhere.
#[test]
fn a_chain_made_anew_needs_the_key_and_meets_what_was_published() {
    let (ours, theirs) = (export(6, "c", &key(1)), export(5, "c", &key(2)));
    let head = check(&ours, Trusted::default()).unwrap().head;
    let held = Trusted { head: Some(head.clone()), keys: Some(vec![public(&key(1))]) };
    check(&ours, held).unwrap();
    let keys = Trusted { keys: Some(vec![public(&key(1))]), ..Trusted::default() };
    let told = check(&theirs, keys).unwrap_err();
    assert!(told.why.contains("is not among those that you gave"), "{told}");
    let shorter = export(4, "c", &key(1));
    assert!(check(&shorter, Trusted::default()).is_ok(), "by itself it is a chain");
    let told = check(&shorter, Trusted { head: Some(head.clone()), keys: None }).unwrap_err();
    assert!(told.why.starts_with(&format!("no entry has the hash {head}")), "{told}");
    // A head that stood some entries ago still counts.
    let published = check(&shorter, Trusted::default()).unwrap().head;
    check(&ours, Trusted { head: Some(published), keys: None }).unwrap();
    // A head of ours behind an entry of theirs.
    let mut mixed = theirs;
    mixed[5] = ours[5].clone();
    assert!(why(&mixed).contains("is signed by a key that is not here"), "{}", why(&mixed));
}

#[test]
fn of_one_request_each_entry_stands_for_itself() {
    let whole = export(6, "c", &key(1));
    let review = format!("{:032x}", 1);
    let mut lines: Vec<_> =
        whole.iter().filter(|line| line.contains(&format!("\"review\":\"{review}\""))).cloned().collect();
    let header =
        Header { review: Some(review), entries: lines.len() as u64, unchained: 0, heads: 0, keys: 0 };
    lines.insert(0, header.line());
    lines.push(keys_line(&json!({ "keys": [] })));
    check(&lines, Trusted::default()).unwrap();
    assert!(check(&lines, Trusted { head: Some(NOTHING.to_owned()), keys: None }).is_err());
    let changed: Vec<_> = lines.iter().map(|line| line.replace("127.0.0.1", "127.0.0.2")).collect();
    assert!(why(&changed).contains("was changed"));
    let foreign = whole[3].clone();
    lines.insert(1, foreign);
    assert!(why(&lines).contains("is not of request"), "{}", why(&lines));
}
