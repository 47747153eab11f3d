//! Host names that look like others: found in a text, judged label by label, and named as a resolver would.
//!
//! A host is what follows `://` or an `@` in an address, or a bare name with a dot whose last label could be a
//! top-level domain. It becomes a piece of its own if one of its labels
//!
//! - mixes scripts beyond what Japanese, Korean and Chinese write together with Latin (“highly restrictive” in
//!   Unicode's UTS 39), or holds a sign that passes for a slash or, among Latin letters, for a stroke;
//! - holds a Latin letter that passes for another one (`ɡ`);
//! - is of another script, and each of its letters passes for a Latin one. Such a label is honest where the
//!   top-level domain is of the same script and one letter of the host passes for nothing: `сор.рф`.
//!
//! A bare name may have grown together with the prose around it, as Hebrew prefixes and Thai words do: there only
//! scripts with letters like the Latin ones count as mixed. What is ASCII, punycode included, shows itself.

use super::{
    Piece,
    lookalikes::{like_latin, like_slash, like_stroke, odd_latin},
};
use icu_properties::{
    CodePointMapData,
    props::{GeneralCategory, GeneralCategoryGroup, Script},
};

/// Pushes what stands before the last lookalike host, and that host; what is left is plain.
pub(super) fn split<'a>(text: &'a str, pieces: &mut Vec<Piece<'a>>) -> &'a str {
    let (mut plain, mut at) = (0, 0);
    // Emphasis (`_so_`) and lists (`-so`) are no part of a host.
    while let Some(skip) = text[at..].find(|c| is_name(c) && !LINES.contains(&c)) {
        let start = at + skip;
        let host = text[start..start + host_len(&text[start..])].trim_end_matches(LINES);
        at = start + host.len();
        if !host.is_ascii() && place(&text[..start], host).is_some_and(|place| is_lookalike(host, place)) {
            if plain < start {
                pieces.push(Piece::Plain(&text[plain..start]));
            }
            pieces.push(Piece::Host { text: host, punycode: punycode(host) });
            plain = at;
        }
    }
    &text[plain..]
}

/// What a label may hold, but not begin or end with.
const LINES: [char; 2] = ['-', '_'];

/// The dots that part labels (UTS 46).
const DOTS: [char; 4] = ['.', '\u{3002}', '\u{ff0e}', '\u{ff61}'];

/// Whether a label may hold it. The joiners that reach this place are honest ones.
fn is_name(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || LINES.contains(&c);
    }
    let category = CodePointMapData::<GeneralCategory>::new().get(c);
    let letter = [GeneralCategoryGroup::Letter, GeneralCategoryGroup::Mark, GeneralCategoryGroup::Number];
    letter.iter().any(|group| group.contains(category))
        || matches!(c, '\u{b7}' | '\u{200c}' | '\u{200d}' | '\u{30fb}')
        || like_slash(c)
}

/// How much of the text is labels with single dots between them.
fn host_len(text: &str) -> usize {
    let mut len = 0;
    loop {
        let rest = &text[len..];
        let labelled = rest.trim_start_matches(is_name);
        len += rest.len() - labelled.len();
        let undotted = labelled.strip_prefix(DOTS).filter(|rest| rest.starts_with(is_name));
        let Some(undotted) = undotted else {
            return len;
        };
        len += labelled.len() - undotted.len();
    }
}

/// Where a host stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// After `://` or `user@`: it is a host, whatever it looks like.
    Address,
    /// In prose, by its shape alone.
    Prose,
}

/// Where this host stands, if it is one: in `see example.com`, not in `v1.β`, `/home/example.com` or `Акт_v2.pdf`.
fn place(before: &str, host: &str) -> Option<Place> {
    // No longer name resolves. The cost of punycode grows with the square of the length.
    if host.chars().count() > 253 {
        return None;
    }
    if before.ends_with("://") || before.strip_suffix('@').is_some_and(|user| user.ends_with(is_name)) {
        return Some(Place::Address);
    }
    let mut back = before.chars().rev();
    let slash = |c: Option<char>| matches!(c, Some('/' | '\\'));
    let (last, second) = (back.next(), back.next());
    // Browsers take `https:/` and `//` for what comes before a host, so that these are no path.
    let path = slash(last) && !slash(second) && second != Some(':');
    let (rest, top) = host.rsplit_once(DOTS)?;
    let word =
        top.chars().count() >= 2 && top.chars().all(|c| is_name(c) && !c.is_numeric() && !like_slash(c));
    // The full stop of Chinese and Japanese ends more sentences than labels.
    let dotted = top.is_ascii() || host[rest.len()..].starts_with('.');
    let coded = top.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("xn--"));
    let file = rest.rsplit(DOTS).next().is_some_and(|label| label.contains('_'));
    (((word && dotted) || coded) && !path && !file).then_some(Place::Prose)
}

fn is_lookalike(host: &str, place: Place) -> bool {
    let top = host.rsplit(DOTS).next().filter(|top| top.len() < host.len());
    // A top-level domain in punycode is read as what it stands for.
    let top = top.map(|top| idna::domain_to_unicode(top).0).unwrap_or_default();
    let own = scripts(&top);
    let honest = |script: Script| {
        let plain = |text: &str| text.chars().any(|c| script_of(c) == Some(script) && !like_latin(c));
        own == [script] && (plain(host) || plain(&top))
    };
    host.split(DOTS).any(|label| {
        let scripts = scripts(label);
        let latin = scripts.contains(&Script::Latin);
        !go_together(&scripts, place)
            || label.chars().any(|c| like_slash(c) || odd_latin(c))
            || (latin && strokes(label))
            || (!latin
                && scripts.first().is_some_and(|&script| !honest(script))
                && label.chars().all(|c| script_of(c).is_none() || like_latin(c)))
    })
}

/// The scripts of the letters, each once, without what all scripts share.
fn scripts(label: &str) -> Vec<Script> {
    let mut scripts = Vec::new();
    for script in label.chars().filter_map(script_of) {
        if !scripts.contains(&script) {
            scripts.push(script);
        }
    }
    scripts
}

fn script_of(c: char) -> Option<Script> {
    let script = CodePointMapData::<Script>::new().get(c);
    (script != Script::Common && script != Script::Inherited).then_some(script)
}

/// Whether honest labels are written in these scripts at once.
fn go_together(scripts: &[Script], place: Place) -> bool {
    let within = |allowed: &[Script]| scripts.iter().all(|script| allowed.contains(script));
    scripts.len() <= 1
        || (place == Place::Prose && !scripts.iter().any(|script| LATIN_SHAPED.contains(script)))
        || within(&[Script::Latin, Script::Han, Script::Hiragana, Script::Katakana])
        || within(&[Script::Latin, Script::Han, Script::Hangul])
        || within(&[Script::Latin, Script::Han, Script::Bopomofo])
}

/// The scripts with many letters that pass for Latin ones.
const LATIN_SHAPED: [Script; 8] = [
    Script::Armenian,
    Script::Cherokee,
    Script::Coptic,
    Script::Cyrillic,
    Script::Deseret,
    Script::Georgian,
    Script::Greek,
    Script::Lisu,
];

/// Whether a bare stroke stands among Latin letters, as in `com丿evil`; before its like it is part of a word.
fn strokes(label: &str) -> bool {
    let after = label.chars().skip(1).zip(label.chars().skip(2).map(Some).chain([None]));
    label.chars().zip(after).any(|(before, (stroke, next))| {
        let parted = next.is_none_or(|next| next.is_ascii() || like_stroke(next));
        before.is_ascii_alphanumeric() && like_stroke(stroke) && parted
    })
}

/// The name that a resolver asks for; label by label where the name as a whole is not one it could ask for.
fn punycode(host: &str) -> String {
    if let Ok(ascii) = idna::domain_to_ascii(host) {
        return ascii;
    }
    let label = |label: &str| {
        let label = label.to_lowercase();
        match idna::punycode::encode_str(&label).filter(|_| !label.is_ascii()) {
            Some(encoded) => format!("xn--{encoded}"),
            None => label.escape_unicode().to_string(),
        }
    };
    host.split(DOTS).map(label).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::super::{Piece, is_plain, reveal, to_text};

    #[test]
    fn a_lookalike_host_is_named_as_it_is_asked_for() {
        for (text, host, punycode) in [
            ("https://\u{430}pple.com", "\u{430}pple.com", "xn--pple-43d.com"),
            ("see \u{430}pple.com/a.", "\u{430}pple.com", "xn--pple-43d.com"),
            ("<me@p\u{430}ypal.com>", "p\u{430}ypal.com", "xn--pypal-4ve.com"),
            ("https://user:pw@\u{430}pple.com:8080/", "\u{430}pple.com", "xn--pple-43d.com"),
            ("https://\u{430}dmin/", "\u{430}dmin", "xn--dmin-43d"),
            // All of it Cyrillic, all of it like “apple”, and in capitals.
            (
                "http://\u{430}\u{440}\u{440}\u{4cf}\u{435}.com",
                "\u{430}\u{440}\u{440}\u{4cf}\u{435}.com",
                "xn--80ak6aa92e.com",
            ),
            ("https:/\u{430}pple.com", "\u{430}pple.com", "xn--pple-43d.com"),
            ("https://ok.example/?to=//\u{430}pple.com", "\u{430}pple.com", "xn--pple-43d.com"),
            ("\u{430}pple\u{3002}com", "\u{430}pple\u{3002}com", "xn--pple-43d.com"),
            ("https://ไapple.com", "ไapple.com", "xn--apple-ejr.com"),
            ("_\u{430}pple.com_", "\u{430}pple.com", "xn--pple-43d.com"),
            ("a_b.\u{430}pple.com", "a_b.\u{430}pple.com", "a_b.xn--pple-43d.com"),
            ("https://example.com丿a.example", "example.com丿a.example", "example.xn--coma-ni5f.example"),
            ("\u{410}PPLE.COM", "\u{410}PPLE.COM", "xn--pple-43d.com"),
            // Greek, Armenian, and Latin that is not what it seems.
            ("g\u{3bf}\u{3bf}gle.com", "g\u{3bf}\u{3bf}gle.com", "xn--ggle-0nda.com"),
            ("\u{578}\u{585}\u{578}.org", "\u{578}\u{585}\u{578}.org", "xn--mbba2b.org"),
            ("\u{261}oogle.com", "\u{261}oogle.com", "xn--oogle-qmc.com"),
            // The top-level domain is the lookalike.
            ("example.\u{441}\u{43e}", "example.\u{441}\u{43e}", "example.xn--n1af"),
            (
                "https://example.com\u{2044}.evil.example",
                "example.com\u{2044}.evil.example",
                "example.xn--com-qt0a.evil.example",
            ),
        ] {
            let hosts: Vec<_> =
                reveal(text).into_iter().filter(|piece| !matches!(piece, Piece::Plain(_))).collect();
            assert_eq!(hosts, [Piece::Host { text: host, punycode: punycode.to_owned() }], "{text}");
        }
        assert_eq!(to_text("at \u{430}pple.com, now"), "at \u{430}pple.com (xn--pple-43d.com), now");
    }

    #[test]
    fn an_honest_host_stays_as_it_is() {
        for text in [
            "https://xn--pple-43d.com",
            "https://münchen.de/straße and info@müller.example",
            "例え.jp と https://ドメイン名例.jp。",
            "sonyソニー.jp 삼성kr.com",
            "https://пример.рф/путь, почта@пример.рф",
            "пример.орг и сор.рф и сор.xn--p1ai",
            "دبي.امارات",
            "भारत.भारत क\u{94d}\u{200d}ष.भारत",
            "नाम\u{94d}\u{200c}क.com",
            "παράδειγμα.ελ ישראל.קום",
            "т.е. конец.Начало 5.2μm α.β",
            // Prose that touches the host, and files that are none.
            "ל-google.com בgoogle.com ที่example.com example.com에서 我用μTorrent。很好",
            "Акт_v2.pdf https://example.com/файл-new.html /home/файл-new.html",
            "l·l.cat",
        ] {
            assert!(is_plain(text), "{text} → {}", to_text(text));
        }
    }

    #[test]
    fn what_is_too_long_to_resolve_is_no_host() {
        assert!(is_plain(&format!("https://{}.com", "\u{430}a".repeat(200_000))));
    }

    #[test]
    fn a_mark_in_a_host_is_seen_too() {
        assert_eq!(to_text("https://app\u{200b}le.com"), "https://app[U+200B]le.com");
    }
}
