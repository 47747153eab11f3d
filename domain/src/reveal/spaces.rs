//! Blank stretches that push text out of view.

use super::{Shown, code_point, times};

/// So many blanks may stand in one stretch before text on the same line: deep indentation and a table's columns.
pub(super) const MOST_BLANKS: usize = 32;

/// A space of any kind, or a tab.
pub(super) fn is_blank(c: char) -> bool {
    c == ' ' || c == '\t' || unusual(c).is_some()
}

/// How long the blank stretch is that `rest` starts with, and what it is shown as if it is no honest one.
///
/// The stretch counts as a whole: spaces of two kinds in turns are padding as much as those of one.
pub(super) fn run(rest: &str) -> (usize, Option<Shown>) {
    let after = rest.trim_start_matches(is_blank);
    let blanks = &rest[..rest.len() - after.len()];
    let count = blanks.chars().count();
    let pushes = !after.is_empty() && !after.starts_with('\n') && !after.starts_with("\r\n");
    let unusuals = blanks.chars().filter(|&c| unusual(c).is_some()).count();
    let padding = unusuals >= 2 || (count > MOST_BLANKS && pushes);
    (blanks.len(), padding.then(|| shown(blanks, count)))
}

fn shown(blanks: &str, count: usize) -> Shown {
    let first = blanks.chars().next().unwrap_or(' ');
    let (sign, name) = if blanks.chars().any(|c| c != first) {
        ("␠".to_owned(), "blank space")
    } else if let Some(name) = unusual(first) {
        (code_point(first), name)
    } else if first == '\t' {
        ("␉".to_owned(), "tabs")
    } else {
        ("␠".to_owned(), "spaces")
    };
    (times(sign, count), name)
}

/// What a space other than U+0020 is called: the rest of Unicode's category Zs.
fn unusual(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{a0}' => "no-break space",
        '\u{1680}' => "Ogham space mark",
        '\u{2000}' | '\u{2002}' => "en space",
        '\u{2001}' | '\u{2003}' => "em space",
        '\u{2004}'..='\u{2006}' => "part of an em space",
        '\u{2007}' => "figure space",
        '\u{2008}' => "punctuation space",
        '\u{2009}' => "thin space",
        '\u{200a}' => "hair space",
        '\u{202f}' => "narrow no-break space",
        '\u{205f}' => "mathematical space",
        '\u{3000}' => "ideographic space",
        _ => return None,
    })
}
