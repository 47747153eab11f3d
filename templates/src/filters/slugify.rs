//! The filter `slugify`, with Jekyll's modes.

use unicode_general_category::{GeneralCategory, get_general_category};

use super::call::is_given;
use super::{Call, Output};
use crate::budget::Stop;
use crate::number::is_space;
use crate::value::Value;

/// Puts one hyphen for every run of characters that the mode does not keep, and none at the ends. A mode that is not known, like
/// `none`, keeps them all.
pub(super) fn slugify(call: Call<'_>) -> Result<Value, Stop> {
    let text = call.text()?;
    let mode = match call.arg(0)? {
        Value::Undefined => "default".into(),
        mode => mode.spell(call.meter())?,
    };
    let cased = is_given(&call.arg(1)?);
    call.work(text.len())?;
    let slug = match &*mode {
        "default" => hyphenate(text.chars(), is_word, &call)?,
        "raw" => hyphenate(text.chars(), |c| !is_space(c), &call)?,
        "pretty" => hyphenate(text.chars(), |c| is_word(c) || "._~!$&'()+,;=@".contains(c), &call)?,
        "ascii" => hyphenate(text.chars(), |c| c.is_ascii_alphanumeric(), &call)?,
        "latin" => {
            let plain = text.chars().flat_map(|c| {
                let letters = without_accent(c);
                letters.chars().chain(letters.is_empty().then_some(c))
            });
            hyphenate(plain, is_word, &call)?
        }
        _ => {
            call.meter().memory(text.len())?;
            text.to_string()
        }
    };
    if cased {
        return Ok(Value::Text(slug.into()));
    }
    call.meter().memory(slug.len().saturating_mul(3))?;
    Ok(Value::Text(slug.to_lowercase().into()))
}

fn hyphenate(
    text: impl Iterator<Item = char>,
    keep: impl Fn(char) -> bool,
    call: &Call<'_>,
) -> Result<String, Stop> {
    let mut out = Output::new(call.meter());
    let mut in_gap = false;
    for c in text {
        let kept = keep(c);
        if kept {
            out.push(c)?;
        } else if !in_gap {
            out.push('-')?;
        }
        in_gap = !kept;
    }
    let slug = out.into_text();
    // One hyphen at each end, even one of the text's own where the mode keeps those.
    let slug = slug.strip_prefix('-').unwrap_or(&slug);
    Ok(slug.strip_suffix('-').unwrap_or(slug).to_owned())
}

/// A letter, a mark or a decimal digit.
fn is_word(c: char) -> bool {
    use GeneralCategory as Is;
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    matches!(
        get_general_category(c),
        Is::UppercaseLetter
            | Is::LowercaseLetter
            | Is::TitlecaseLetter
            | Is::ModifierLetter
            | Is::OtherLetter
            | Is::NonspacingMark
            | Is::SpacingMark
            | Is::EnclosingMark
            | Is::DecimalNumber
    )
}

/// What LiquidJS's mode `latin` writes for a letter; nothing where it leaves the letter alone.
fn without_accent(c: char) -> &'static str {
    match c {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' => "a",
        'æ' => "ae",
        'ç' => "c",
        'è' | 'é' | 'ê' | 'ë' => "e",
        'ì' | 'í' | 'î' | 'ï' => "i",
        'ð' => "d",
        'ñ' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' => "o",
        'ù' | 'ú' | 'û' | 'ü' => "u",
        'ý' | 'ÿ' => "y",
        'ß' => "ss",
        'œ' => "oe",
        'þ' => "th",
        'ẞ' => "SS",
        'Œ' => "OE",
        'Þ' => "TH",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::filters::testing::apply;

    #[test]
    fn modes() {
        let slug = |mode: &str| apply("slugify", json!(" The _Café_ Œuvre, №5.html "), &[json!(mode)]);
        assert_eq!(slug("default"), r#""the-café-œuvre-5-html""#);
        assert_eq!(slug("raw"), r#""the-_café_-œuvre,-№5.html""#);
        assert_eq!(slug("pretty"), r#""the-_café_-œuvre,-5.html""#);
        assert_eq!(slug("ascii"), r#""the-caf-uvre-5-html""#);
        assert_eq!(slug("latin"), r#""the-cafe-oeuvre-5-html""#);
        assert_eq!(slug("none"), r#"" the _café_ œuvre, №5.html ""#);
        assert_eq!(apply("slugify", json!("A B"), &[json!("default"), json!(true)]), r#""A-B""#);
        assert_eq!(apply("slugify", json!("--a--"), &[json!("raw")]), r#""-a-""#);
    }
}
