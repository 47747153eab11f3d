//! Letters that pass for others in a host name. A choice of Unicode's confusables: those that fool a reader in a
//! sans-serif face, not those that are merely alike.

/// Letters of other scripts that pass for a Latin letter.
const LIKE_LATIN: &str = concat!(
    "авсеԁԍһіїјӏорԛгѕԝхуүҽпьъѵѡёАВЕЅІЇЈКМНОРСТУХҮԚԜҺӀЁ", // Cyrillic
    "αικνορτυχγωηςϲϳόίάύΐϊΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ",              // Greek
    "ագզէլհյոսւցքօՕՍՏ",                                  // Armenian
    "იოყძხჽჿ",                                           // Georgian
    "ⲟⲣⲥⲓⲕⲭⲩⲁⲞⲢⲤⲒⲔⲬⲨⲀ",                                  // Coptic
    "ᎠᎡᎢᎥᎩᎪᎫᎬᎳᎵᎷᎻᎽᎾᏀᏂᏃᏆᏎᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏩᏪᏮᏰᏳᏴꭰꭱꭲꭵꭹꭺꭻꭼꮃꮇꮋꮍꮓꮪꮯꮶꮩꮤꮲꮮ", // Cherokee
);

/// Whether a letter of another script passes for a Latin one.
pub(super) fn like_latin(c: char) -> bool {
    // Nearly all of Lisu is made of Latin capitals.
    matches!(c, '\u{a4d0}'..='\u{a4f7}') || LIKE_LATIN.contains(c)
}

/// Whether a Latin letter of phonetic script passes for one that people type: `ɡ`, `ɑ` and the small capitals.
pub(super) fn odd_latin(c: char) -> bool {
    matches!(c, 'ɑ' | 'ɡ' | 'ɩ' | 'ɪ' | 'ʀ' | 'ʏ' | 'ɢ' | 'ɴ' | 'ʙ' | 'ʜ' | 'ʟ' | 'ǀ' | 'ǃ' | 'ꜱ' | 'ᴀ'..='ᴢ')
}

/// Whether a sign passes for the slash that ends a host.
pub(super) fn like_slash(c: char) -> bool {
    matches!(c, '\u{2044}' | '\u{2215}' | '\u{29f8}')
}

/// Whether an ideograph or a syllable is a stroke that passes for a slash, a hyphen or a dot among Latin letters.
pub(super) fn like_stroke(c: char) -> bool {
    matches!(c, 'ノ' | 'ソ' | 'ゾ' | 'ン' | '丿' | '一' | '丶' | '丨' | 'ー' | '\u{30fb}')
}

#[cfg(test)]
mod tests {
    use super::LIKE_LATIN;
    use icu_properties::{CodePointMapData, props::Script};

    #[test]
    fn no_lookalike_is_latin_itself() {
        for c in LIKE_LATIN.chars() {
            let script = CodePointMapData::<Script>::new().get(c);
            assert!(script != Script::Latin && script != Script::Common, "{c} U+{:04X}", u32::from(c));
        }
    }
}
