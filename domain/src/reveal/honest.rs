//! Where honest text needs a code point that hides elsewhere. Each rule looks at the neighbours alone, and lets one
//! such code point stand where it changes how a visible neighbour is drawn: there is no room left to hide in.
//!
//! - A joiner or non-joiner directly after a virama, or between two letters of one script that joins.
//! - A zero-width joiner between two pictographs (the first with its selector or skin tone).
//! - U+FE0E or U+FE0F directly after a pictograph, or between a keycap's character and U+20E3.
//! - Tags after a black flag, if they spell a region and end as they should.
//! - A variation selector directly after the Han or Mongolian letter that it varies.
//! - A carriage return before its line feed, a blank braille cell between two cells.

/// Whether honest text needs the code point that `rest` starts with, which stands after `before`.
pub(super) fn is_needed(before: &str, rest: &str) -> bool {
    let mut after = rest.chars();
    let Some(c) = after.next() else {
        return false;
    };
    let (previous, next) = (before.chars().next_back().unwrap_or(' '), after.next().unwrap_or(' '));
    match c {
        '\r' => next == '\n',
        '\u{200c}' => joins(previous, next),
        '\u{200d}' => joins(previous, next) || (is_pictograph(next) && ends_with_pictograph(before)),
        '\u{fe0e}' => is_pictograph(previous),
        '\u{fe0f}' => {
            is_pictograph(previous) || (matches!(previous, '0'..='9' | '#' | '*') && next == '\u{20e3}')
        }
        '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}' | '\u{e007f}' => is_flag(before, rest),
        '\u{fe00}'..='\u{fe02}' | '\u{e0100}'..='\u{e01ef}' => is_han(previous),
        '\u{180b}'..='\u{180d}' | '\u{180f}' => is_mongolian(previous),
        '\u{180e}' => is_mongolian(previous) && is_mongolian(next),
        '\u{2800}' => is_braille(previous) && is_braille(next),
        _ => false,
    }
}

/// Blocks of the scripts whose letters take another shape beside a joiner or a non-joiner.
const JOINING: [(char, char); 26] = [
    ('\u{600}', '\u{6ff}'),     // Arabic …
    ('\u{750}', '\u{77f}'),     // … its supplement …
    ('\u{870}', '\u{8ff}'),     // … and its extensions
    ('\u{700}', '\u{74f}'),     // Syriac
    ('\u{7c0}', '\u{7ff}'),     // N’Ko
    ('\u{840}', '\u{85f}'),     // Mandaic
    ('\u{900}', '\u{97f}'),     // Devanagari
    ('\u{980}', '\u{9ff}'),     // Bengali
    ('\u{a00}', '\u{a7f}'),     // Gurmukhi
    ('\u{a80}', '\u{aff}'),     // Gujarati
    ('\u{b00}', '\u{b7f}'),     // Oriya
    ('\u{b80}', '\u{bff}'),     // Tamil
    ('\u{c00}', '\u{c7f}'),     // Telugu
    ('\u{c80}', '\u{cff}'),     // Kannada
    ('\u{d00}', '\u{d7f}'),     // Malayalam
    ('\u{d80}', '\u{dff}'),     // Sinhala
    ('\u{1000}', '\u{109f}'),   // Myanmar
    ('\u{1780}', '\u{17ff}'),   // Khmer
    ('\u{1800}', '\u{18af}'),   // Mongolian
    ('\u{1b00}', '\u{1b7f}'),   // Balinese
    ('\u{a980}', '\u{a9df}'),   // Javanese
    ('\u{fb50}', '\u{fdff}'),   // Arabic presentation forms A …
    ('\u{fe70}', '\u{fefc}'),   // … and B
    ('\u{10d00}', '\u{10d3f}'), // Hanifi Rohingya
    ('\u{11000}', '\u{1107f}'), // Brahmi
    ('\u{1e900}', '\u{1e95f}'), // Adlam
];

/// Whether a joiner or a non-joiner between the two changes how they are drawn.
fn joins(previous: char, next: char) -> bool {
    let script = |c: char| {
        let block = JOINING.iter().position(|&(first, last)| (first..=last).contains(&c))?;
        // Arabic has five blocks; the first is their name.
        (c.is_alphabetic() || is_virama(c)).then_some(if matches!(block, 1 | 2 | 21 | 22) {
            0
        } else {
            block
        })
    };
    is_virama(previous) || script(previous).is_some_and(|one| script(next) == Some(one))
}

/// The sign that takes a consonant's vowel away; what follows says whether the two fuse. The blocks of India have
/// it in one place.
fn is_virama(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{d7f}' if u32::from(c) & 0x7f == 0x4d)
        || matches!(
            c,
            '\u{dca}' | '\u{1039}' | '\u{103a}' | '\u{17d2}' | '\u{1b44}' | '\u{a9c0}' | '\u{11046}'
        )
}

/// Blocks and single characters that emoji are made of. All of them are visible, so that a few too many do no harm.
fn is_pictograph(c: char) -> bool {
    matches!(c,
        '©' | '®' | '‼' | '⁉' | '™' | 'ℹ' | '\u{2194}'..='\u{2199}' | '↩' | '↪' | '\u{2300}'..='\u{23ff}' | 'Ⓜ'
        | '\u{25aa}'..='\u{25fe}' | '\u{2600}'..='\u{27bf}' | '⤴' | '⤵' | '\u{2b05}'..='\u{2b55}' | '〰' | '〽'
        | '㊗' | '㊙' | '\u{1f000}'..='\u{1f1e5}' | '\u{1f200}'..='\u{1f3fa}' | '\u{1f400}'..='\u{1faff}')
}

/// Whether a pictograph ends the text, with a selector or a skin tone after it or without.
fn ends_with_pictograph(text: &str) -> bool {
    let mut before = text.chars().rev();
    match before.next() {
        Some('\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}') => before.next().is_some_and(is_pictograph),
        Some(c) => is_pictograph(c),
        None => false,
    }
}

/// Whether the tag that `rest` starts with is part of a flag: a black flag, the tags of a region's three to six
/// letters and digits, the closing tag.
fn is_flag(before: &str, rest: &str) -> bool {
    let is_tag = |c: &char| matches!(c, '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}');
    // One more than a region has at most is enough to tell that there are too many.
    let behind = before.chars().rev().take(7).take_while(is_tag).count();
    let ahead = rest.chars().take(7).take_while(is_tag).count();
    before.chars().rev().nth(behind) == Some('\u{1f3f4}')
        && rest.chars().nth(ahead) == Some('\u{e007f}')
        && (3..=6).contains(&(behind + ahead))
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

fn is_mongolian(c: char) -> bool {
    matches!(c, '\u{1820}'..='\u{18aa}')
}

fn is_braille(c: char) -> bool {
    matches!(c, '\u{2801}'..='\u{28ff}')
}
