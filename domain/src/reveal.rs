//! A stranger's text as a person should see it: what hides, reorders or passes itself off as something else
//! becomes a visible mark, and everything else stays as it is, byte for byte.
//!
//! | what is marked | where it stays plain |
//! | --- | --- |
//! | bidi controls, zero-width and all other default-ignorable code points | where honest text needs a joiner, a selector or a tag |
//! | C0 and C1 controls, U+2028, U+2029, a carriage return alone | tab, `\n` and `\r\n` |
//! | private use, noncharacters, interlinear annotation | |
//! | the blank braille cell | one between two cells |
//! | two or more unusual spaces (a no-break space is one) in one blank stretch | one of them, as typography has it |
//! | more than 32 blanks with something after them on the line | |
//! | a host that looks like another (feature `hosts`, the server's alone) | an honest international name |
//!
//! What marks, hosts and plain stretches look like is for the page to say: nothing here knows of HTML.

mod code_points;
mod honest;
#[cfg(feature = "hosts")]
mod host;
#[cfg(test)]
mod laws;
#[cfg(feature = "hosts")]
mod lookalikes;
mod spaces;

/// A stretch of text as a person should see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// What shows itself honestly.
    Plain(&'a str),
    /// What a person would not see, or would see in another order or place: one code point or a run of it, or a
    /// blank stretch.
    Mark {
        /// What to show in its place: `U+202E`, `U+200B×3`, `␠×200`.
        shown: String,
        /// What it is, in words: “right-to-left override”.
        name: &'static str,
        /// What stands in the text.
        text: &'a str,
    },
    /// A host name that looks like another one. Only with the feature `hosts`.
    Host {
        /// What stands in the text.
        text: &'a str,
        /// The name that a resolver would ask for: `xn--pple-43d.com`.
        punycode: String,
    },
}

impl<'a> Piece<'a> {
    /// What stands in the text. All of them, one after the other, are the text.
    pub fn text(&self) -> &'a str {
        match self {
            Self::Plain(text) | Self::Mark { text, .. } | Self::Host { text, .. } => text,
        }
    }
}

/// The text in pieces, in its order. An empty text has none, and no two plain ones follow each other.
///
/// ```
/// use sayso_domain::reveal::{Piece, reveal};
///
/// let name = "right-to-left override";
/// let mark = Piece::Mark { shown: "U+202E".to_owned(), name, text: "\u{202e}" };
/// assert_eq!(reveal("cat \u{202e}txt.exe"), [Piece::Plain("cat "), mark, Piece::Plain("txt.exe")]);
/// ```
pub fn reveal(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    if is_plain_ascii(text) {
        push_plain(text, &mut pieces);
        return pieces;
    }
    let (mut plain, mut at) = (0, 0);
    while let Some(first) = text[at..].chars().next() {
        let (len, mark) =
            if spaces::is_blank(first) { spaces::run(&text[at..]) } else { hidden_run(text, at, first) };
        if let Some((shown, name)) = mark {
            push_plain(&text[plain..at], &mut pieces);
            pieces.push(Piece::Mark { shown, name, text: &text[at..at + len] });
            plain = at + len;
        }
        at += len;
    }
    push_plain(&text[plain..], &mut pieces);
    pieces
}

/// Whether there is nothing to mark. It costs one look at each byte where the text is ASCII.
pub fn is_plain(text: &str) -> bool {
    is_plain_ascii(text) || matches!(reveal(text).as_slice(), [Piece::Plain(_)])
}

/// The text for a place that has no marks of its own, such as an outline: `cat [U+202E]txt.exe`,
/// `аpple.com (xn--pple-43d.com)`.
pub fn to_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for piece in reveal(text) {
        match piece {
            Piece::Plain(text) => out.push_str(text),
            Piece::Mark { shown, .. } => out.extend(["[", &shown, "]"]),
            Piece::Host { text, punycode } => out.extend([text, " (", &punycode, ")"]),
        }
    }
    out
}

/// What a blank stretch or a run of one code point is shown as, and its name.
type Shown = (String, &'static str);

/// How long the run is that starts with `first` at `at`, and what it is shown as if it hides. An honest code
/// point is a run of its own.
fn hidden_run(text: &str, at: usize, first: char) -> (usize, Option<Shown>) {
    let hides = |at: usize| code_points::name(first).filter(|_| !honest::is_needed(&text[..at], &text[at..]));
    let Some(name) = hides(at) else {
        return (first.len_utf8(), None);
    };
    // Alike and hiding are one mark, so that ten thousand of them do not become what pushes text out of view.
    let mut len = first.len_utf8();
    while text[at + len..].starts_with(first) && hides(at + len).is_some() {
        len += first.len_utf8();
    }
    (len, Some((times(code_point(first), len / first.len_utf8()), name)))
}

fn code_point(c: char) -> String {
    format!("U+{:04X}", u32::from(c))
}

fn times(shown: String, count: usize) -> String {
    if count == 1 { shown } else { format!("{shown}×{count}") }
}

fn push_plain<'a>(text: &'a str, pieces: &mut Vec<Piece<'a>>) {
    // A lookalike host holds a letter beyond ASCII.
    #[cfg(feature = "hosts")]
    let text = if text.is_ascii() { text } else { host::split(text, pieces) };
    if !text.is_empty() {
        pieces.push(Piece::Plain(text));
    }
}

/// Whether the text is ASCII and certainly has nothing to mark.
fn is_plain_ascii(text: &str) -> bool {
    let (bytes, mut blanks) = (text.as_bytes(), 0);
    bytes.iter().enumerate().all(|(at, byte)| {
        blanks = if matches!(byte, b' ' | b'\t') { blanks + 1 } else { 0 };
        match byte {
            b' ' | b'\t' => blanks <= spaces::MOST_BLANKS,
            b'\r' => bytes.get(at + 1) == Some(&b'\n'),
            b'\n' | 0x21..=0x7e => true,
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a person is shown, and that nothing is lost on the way.
    fn check(text: &str, shown: &str) {
        assert_eq!(to_text(text), shown, "{text:?}");
        assert_eq!(reveal(text).iter().map(Piece::text).collect::<String>(), text);
        assert_eq!(is_plain(text), text == shown, "{text:?}");
    }

    #[test]
    fn a_bidi_override_is_seen() {
        check("cat \u{202e}txt.exe", "cat [U+202E]txt.exe");
        check("שלום עולם \u{202e}abc", "שלום עולם [U+202E]abc");
        check("a\u{2067}b\u{2069}\u{200f}\u{61c}", "a[U+2067]b[U+2069][U+200F][U+061C]");
    }

    #[test]
    fn what_has_no_width_is_seen() {
        check("rm -rf /tmp/\u{200b}important", "rm -rf /tmp/[U+200B]important");
        check("a\u{e010b}b", "a[U+E010B]b");
        check("hi\u{e0072}\u{e006d}", "hi[U+E0072][U+E006D]");
        check(
            "so\u{ad}ft \u{34f}\u{3164}\u{feff}\u{1d173}",
            "so[U+00AD]ft [U+034F][U+3164][U+FEFF][U+1D173]",
        );
        check("x\u{200b}\u{200b}\u{200b}y", "x[U+200B×3]y");
    }

    #[test]
    fn padding_does_not_push_text_out_of_view() {
        let wide = "\u{3000}".repeat(200);
        check(&format!("echo ok{wide}rm -rf ~"), "echo ok[U+3000×200]rm -rf ~");
        check(&format!("ok{}rm", " ".repeat(33)), "ok[␠×33]rm");
        check(&format!("ok{}rm", "\t".repeat(40)), "ok[␉×40]rm");
        check("ok \u{3000} \u{3000} rm", "ok[␠×5]rm");
        for plain in [format!("ok{}rm", " ".repeat(32)), format!("ok{}\nrm", " ".repeat(99))] {
            check(&plain, &plain);
        }
    }

    #[test]
    fn controls_and_private_matters_are_seen() {
        check("\u{1b}[2J\u{7}a\rb\r\r\nc\t\r\n", "[U+001B][2J[U+0007]a[U+000D]b[U+000D]\r\nc\t\r\n");
        check("\u{85}\u{2028}\u{2029}\u{7f}", "[U+0085][U+2028][U+2029][U+007F]");
        check("\u{e000}\u{f0000}\u{10fffd}", "[U+E000][U+F0000][U+10FFFD]");
        check("\u{fdd0}\u{1ffff}\u{fffd}\u{fff9}", "[U+FDD0][U+1FFFF]\u{fffd}[U+FFF9]");
        check("a\u{2800}b ⠓\u{2800}⠊", "a[U+2800]b ⠓\u{2800}⠊");
    }

    #[test]
    fn every_mark_has_a_name_and_blanks_have_theirs() {
        let name = |text| {
            reveal(text).iter().find_map(|piece| match piece {
                Piece::Mark { name, .. } => Some(*name),
                _ => None,
            })
        };
        assert_eq!(name("\u{202e}"), Some("right-to-left override"));
        assert_eq!(name("\u{0}"), Some("null character"));
        assert_eq!(name("\u{a0}\u{a0}"), Some("no-break space"));
        assert_eq!(name("\u{a0} \u{2003}"), Some("blank space"));
        assert_eq!(name("a"), None);
    }

    #[test]
    fn honest_text_stays_as_it_is() {
        for text in [
            "",
            "plain",
            "שָׁלוֹם עוֹלָם",
            "السلام عليكم",
            "می\u{200c}خواهم، نامه\u{200c}ای",
            "क\u{94d}\u{200d}ष र\u{94d}\u{200d}य",
            "র\u{200d}\u{9cd}য",
            "ന\u{d4d}\u{200d} ",
            "👨\u{200d}👩\u{200d}👧\u{200d}👦 👩🏽\u{200d}💻 ❤\u{fe0f}\u{200d}🔥 🏴\u{200d}☠\u{fe0f}",
            "❤\u{fe0f} ☎\u{fe0e} ©\u{fe0f}",
            "1\u{fe0f}\u{20e3} #\u{fe0f}\u{20e3}",
            "🇩🇪 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
            "葛\u{e0100}城",
            "10\u{202f}000\u{a0}€ «\u{a0}oui\u{a0}»",
            "\u{3000}日本語",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn the_same_code_points_out_of_place_are_seen() {
        for (text, shown) in [
            ("pay\u{200d}pal", "pay[U+200D]pal"),
            ("pay\u{200c}pal", "pay[U+200C]pal"),
            ("می\u{200c}\u{200c}خواهم", "می[U+200C×2]خواهم"),
            ("a\u{200c}خ", "a[U+200C]خ"),
            ("क\u{94d}\u{200d}\u{200d}ष", "क\u{94d}\u{200d}[U+200D]ष"),
            ("👨\u{200d}a", "👨[U+200D]a"),
            ("❤\u{fe0f}\u{fe0f}", "❤\u{fe0f}[U+FE0F]"),
            ("a\u{fe0f}1\u{fe0f}", "a[U+FE0F]1[U+FE0F]"),
            ("🏴\u{e0067}\u{e0062}", "🏴[U+E0067][U+E0062]"),
            ("😀\u{e0067}\u{e0062}\u{e0065}\u{e007f}", "😀[U+E0067][U+E0062][U+E0065][U+E007F]"),
        ] {
            check(text, shown);
        }
    }
}
