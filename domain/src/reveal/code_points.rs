//! The code points that a person does not see, or that make others stand where they do not belong, by name.

/// What a code point that hides or reorders is called; `None` for one that shows itself, for `\t`, and for the
/// spaces, which hide only in company.
pub(super) fn name(c: char) -> Option<&'static str> {
    // Nearly all text: ASCII that prints, and the scripts between the last of C1 and the first ignorable letter.
    if matches!(c, ' '..='~' | '\t' | '\u{ae}'..='\u{34e}') {
        return None;
    }
    Some(match c {
        '\u{61c}' => "Arabic letter mark",
        '\u{200e}' => "left-to-right mark",
        '\u{200f}' => "right-to-left mark",
        '\u{202a}' => "left-to-right embedding",
        '\u{202b}' => "right-to-left embedding",
        '\u{202c}' => "pop directional formatting",
        '\u{202d}' => "left-to-right override",
        '\u{202e}' => "right-to-left override",
        '\u{2066}' => "left-to-right isolate",
        '\u{2067}' => "right-to-left isolate",
        '\u{2068}' => "first strong isolate",
        '\u{2069}' => "pop directional isolate",

        '\u{ad}' => "soft hyphen",
        '\u{34f}' => "combining grapheme joiner",
        '\u{180e}' => "Mongolian vowel separator",
        '\u{200b}' => "zero-width space",
        '\u{200c}' => "zero-width non-joiner",
        '\u{200d}' => "zero-width joiner",
        '\u{2060}' => "word joiner",
        '\u{2061}'..='\u{2064}' => "invisible operator",
        '\u{feff}' => "byte order mark",
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' => "Hangul filler",
        '\u{180b}'..='\u{180d}' | '\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => {
            "variation selector"
        }
        '\u{e0001}' | '\u{e0020}'..='\u{e007f}' => "tag character",
        // The rest of Default_Ignorable_Code_Point, the unassigned ones among them.
        '\u{17b4}' | '\u{17b5}' | '\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{fff0}'..='\u{fff8}' => {
            "invisible character"
        }
        '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}' => {
            "invisible character"
        }

        '\n' => return None,
        '\0' => "null character",
        '\u{7}' => "bell",
        '\u{8}' => "backspace",
        '\u{b}' => "vertical tab",
        '\u{c}' => "form feed",
        '\r' => "carriage return",
        '\u{1b}' => "escape",
        '\u{7f}' => "delete",
        '\u{85}' => "next line",
        '\u{2028}' => "line separator",
        '\u{2029}' => "paragraph separator",
        _ if c.is_control() => "control character",

        '\u{2800}' => "blank braille cell",
        '\u{fff9}'..='\u{fffb}' => "interlinear annotation",
        '\u{fdd0}'..='\u{fdef}' => "noncharacter",
        _ if u32::from(c) & 0xfffe == 0xfffe => "noncharacter",
        '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}' => "private-use character",
        _ => return None,
    })
}
