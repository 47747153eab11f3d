//! What holds for every text.

use super::{Piece, is_plain, reveal};
use proptest::prelude::*;

/// Default_Ignorable_Code_Point, written out a second time.
const IGNORABLE: [(u32, u32); 17] = [
    (0xad, 0xad),
    (0x34f, 0x34f),
    (0x61c, 0x61c),
    (0x115f, 0x1160),
    (0x17b4, 0x17b5),
    (0x180b, 0x180f),
    (0x200b, 0x200f),
    (0x202a, 0x202e),
    (0x2060, 0x206f),
    (0x3164, 0x3164),
    (0xfe00, 0xfe0f),
    (0xfeff, 0xfeff),
    (0xffa0, 0xffa0),
    (0xfff0, 0xfff8),
    (0x1bca0, 0x1bca3),
    (0x1d173, 0x1d17a),
    (0xe0000, 0xe0fff),
];

/// The tables here and in `code_points` and `spaces` say what the Unicode database says.
#[cfg(feature = "hosts")]
#[test]
fn the_tables_are_those_of_unicode() {
    use super::{code_points, spaces};
    use icu_properties::{
        CodePointMapData, CodePointSetData,
        props::{DefaultIgnorableCodePoint, GeneralCategory, NoncharacterCodePoint},
    };
    let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
    let noncharacter = CodePointSetData::new::<NoncharacterCodePoint>();
    let category = CodePointMapData::<GeneralCategory>::new();
    for c in '\0'..=char::MAX {
        let code = u32::from(c);
        let listed = IGNORABLE.iter().any(|&(first, last)| (first..=last).contains(&code));
        assert_eq!(listed, ignorable.contains(c), "U+{code:04X}");
        let category = category.get(c);
        let separates =
            matches!(category, GeneralCategory::LineSeparator | GeneralCategory::ParagraphSeparator);
        let hides = matches!(category, GeneralCategory::Control | GeneralCategory::PrivateUse) || separates;
        let blank = spaces::is_blank(c) && c != '\t';
        assert_eq!(blank, category == GeneralCategory::SpaceSeparator, "U+{code:04X}");
        let named = code_points::name(c).is_some();
        let apart = matches!(c, '\u{2800}' | '\u{fff9}'..='\u{fffb}');
        let expected = listed || noncharacter.contains(c) || apart || (hides && c != '\t' && c != '\n');
        assert_eq!(named, expected, "U+{code:04X}");
    }
}

/// All of them, among Latin letters, where none is honest.
#[test]
fn no_ignorable_code_point_hides_between_latin_letters() {
    for c in IGNORABLE.iter().flat_map(|&(first, last)| first..=last).filter_map(char::from_u32) {
        let text = format!("a{c}b");
        let pieces = reveal(&text);
        assert!(matches!(pieces[1], Piece::Mark { text, .. } if text.starts_with(c)), "{:x}", u32::from(c));
        assert!(!is_plain(&text) && pieces.len() == 3);
    }
}

/// What makes a code point beside it honest, and what does not.
const VISIBLE: [&str; 18] = [
    "a",
    "b.com",
    "אב",
    "می",
    "क\u{94d}",
    "👩",
    "❤",
    "🏴",
    "1",
    "葛",
    "\u{20e3}",
    "а",
    "://",
    "@",
    ".",
    "。",
    "⠓",
    "_",
];
const SOMETIMES_HONEST: [&str; 7] =
    ["\u{200d}", "\u{200c}", "\u{fe0f}", "\u{e0067}", "\u{e007f}", "\u{1f3fd}", "\u{2800}"];
const BLANK: [&str; 6] = [" ", "\t", "\n", "\r", "\u{a0}", "\u{3000}"];

/// Texts of what matters here.
fn tricky() -> impl Strategy<Value = String> {
    let one = |all: &'static [&'static str]| prop::sample::select(all).prop_map(str::to_owned);
    let ignorable = prop::sample::select(&IGNORABLE[..]).prop_flat_map(|(first, last)| first..=last);
    let blanks =
        (prop::sample::select(&BLANK[..]), 0usize..40).prop_map(|(blank, times)| blank.repeat(times));
    let piece = prop_oneof![
        4 => ignorable.prop_filter_map("a surrogate", char::from_u32).prop_map(String::from),
        4 => one(&VISIBLE),
        4 => one(&SOMETIMES_HONEST),
        2 => blanks,
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn the_pieces_are_the_text(text in prop_oneof![tricky(), any::<String>()]) {
        let pieces = reveal(&text);
        prop_assert_eq!(pieces.iter().map(Piece::text).collect::<String>(), text.as_str());
        prop_assert!(pieces.iter().all(|piece| !piece.text().is_empty()));
        prop_assert!(pieces.windows(2).all(|two| !matches!(two, [Piece::Plain(_), Piece::Plain(_)])));
        let marked = pieces.iter().any(|piece| !matches!(piece, Piece::Plain(_)));
        prop_assert_eq!(is_plain(&text), !marked);
    }

    /// Wherever an ignorable code point stays plain, it stands alone between visible ones, or in a flag.
    #[test]
    fn what_stays_plain_has_no_room_to_hide_in(text in tricky()) {
        let ignorable = |c: char| IGNORABLE.iter().any(|&(first, last)| (first..=last).contains(&u32::from(c)));
        let tag = |c: char| ('\u{e0030}'..='\u{e007f}').contains(&c);
        let selector = |c: char| matches!(c, '\u{180b}'..='\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}');
        let mut behind = ' ';
        for piece in reveal(&text) {
            for c in piece.text().chars() {
                if !matches!(piece, Piece::Mark { .. }) && ignorable(c) {
                    prop_assert!(tag(c) || selector(c) || matches!(c, '\u{200c}' | '\u{200d}'), "{:?}", text);
                    // Alone, but for the joiner after a pictograph's selector.
                    let joined = c == '\u{200d}' && behind == '\u{fe0f}';
                    prop_assert!(tag(c) || joined || !ignorable(behind), "{:?}", text);
                    let keycap = c == '\u{fe0f}' && !behind.is_ascii_alphabetic();
                    prop_assert!(keycap || !behind.is_ascii(), "{:?}", text);
                }
                behind = c;
            }
        }
    }

    #[test]
    fn plain_ascii_is_one_plain_piece(text in "([!-~]{1,9}[ \t]{0,3}(\n|\r\n)?){1,20}") {
        prop_assert_eq!(reveal(&text), [Piece::Plain(text.as_str())]);
    }
}
