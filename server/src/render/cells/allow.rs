//! What of strangers' markup is written at all. Whatever is not named here is left out.

use super::report::{Code, Report};
use std::borrow::Cow;

/// How an element is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Within a line, wherever it stands.
    Inline,
    /// A link, to nowhere.
    Link,
    /// A box of its own, which a paragraph cannot hold.
    Block,
    /// A box that must not hold another of its kind.
    Heading,
    /// An item of a list.
    Item,
    /// A term or a definition of a `<dl>`.
    Term,
    /// A place to break a line, without content.
    Break,
    /// A line across, without content.
    Rule,
    /// A picture.
    Picture,
    /// A box that keeps nothing of its nature: written as `<div>`.
    Box,
    /// Only what is in it is written.
    Content,
    /// Neither it nor what is in it is written: nobody is shown its text.
    Nothing,
}

/// How an HTML element is written.
///
/// Nothing here takes the focus or a click, refers to anything, or is known to the parser as more than a line, a box or
/// a list. `<details>` would open, `<label>` and everything in a form would meet our controls, `<ruby>` nests by rules of
/// its own, and tables in tables are what rows are closed with.
pub(super) fn kind(element: &str) -> Kind {
    match element {
        "abbr" | "b" | "bdi" | "bdo" | "cite" | "code" | "del" | "dfn" | "em" | "i" | "ins" | "kbd"
        | "mark" | "q" | "s" | "samp" | "small" | "span" | "strong" | "sub" | "sup" | "time" | "u"
        | "var" => Kind::Inline,
        "a" => Kind::Link,
        "article" | "aside" | "blockquote" | "div" | "dl" | "figcaption" | "figure" | "footer" | "header"
        | "ol" | "p" | "pre" | "section" | "ul" => Kind::Block,
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => Kind::Heading,
        "li" => Kind::Item,
        "dd" | "dt" => Kind::Term,
        "br" | "wbr" => Kind::Break,
        "hr" => Kind::Rule,
        "img" => Kind::Picture,
        "address" | "caption" | "center" | "details" | "dialog" | "dir" | "fieldset" | "form" | "hgroup"
        | "legend" | "main" | "menu" | "nav" | "search" | "summary" | "td" | "th" => Kind::Box,
        "canvas" | "iframe" | "noembed" | "noframes" | "noscript" | "object" | "script" | "style"
        | "template" | "title" => Kind::Nothing,
        _ => Kind::Content,
    }
}

/// The value with which an attribute is written on an element; `None` where it is left out, as has then been told.
///
/// Pictures stand in the document itself: `data:` of a type that is a picture. An SVG picture in an `<img>` runs and
/// fetches nothing.
pub(super) fn attribute<'v>(
    element: &str,
    name: &str,
    value: &'v str,
    report: &mut Report,
) -> Option<Cow<'v, str>> {
    let kept = match (name, element) {
        ("class", _) => return class(value, report),
        ("style", _) => return style(value, report).map(Cow::Owned),
        ("title", _) | ("alt", "img") => Some(value.into()),
        ("lang", _) if is_language(value) => Some(value.into()),
        ("dir", _) => keyword(value, &["ltr", "rtl", "auto"]),
        ("src", "img") if is_picture(value) => Some(value.into()),
        ("width" | "height", "img") => number(value).filter(|pixels| *pixels <= 2_000).map(decimal),
        ("start", "ol") => number(value).map(decimal),
        ("scope", "th") => keyword(value, &["col", "row", "colgroup", "rowgroup"]),
        // Read with its cell.
        ("colspan", "td" | "th") => return None,
        _ => None,
    };
    if kept.is_none() {
        report.note(Code::Attribute, name);
    }
    kept
}

/// How many columns a cell takes, by its `colspan`. A cell takes one row: `rowspan` would reach into other options.
pub(super) fn columns(colspan: &str) -> usize {
    const MOST: usize = 20;
    let digits = colspan.trim_ascii_start();
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    // Too many digits for a number are too many columns.
    if end == 0 { 1 } else { digits[..end].parse().unwrap_or(MOST).clamp(1, MOST) }
}

fn class<'v>(value: &'v str, report: &mut Report) -> Option<Cow<'v, str>> {
    let is_ours =
        |name: &str| name.as_bytes().get(..6).is_some_and(|start| start.eq_ignore_ascii_case(b"sayso-"));
    let mut kept = String::with_capacity(value.len());
    for name in value.split_ascii_whitespace() {
        if is_ours(name) {
            report.note(Code::Class, name);
        } else {
            if !kept.is_empty() {
                kept.push(' ');
            }
            kept.push_str(name);
        }
    }
    (!kept.is_empty()).then_some(Cow::Owned(kept))
}

/// Declarations that change how a cell's own text looks, and not where anything is or how much room it takes.
///
/// Values are words, numbers and colours. Without quotes, escapes, slashes, variables and functions other than those of
/// colours, a value reads the same to every parser, and fetches nothing.
fn style(value: &str, report: &mut Report) -> Option<String> {
    let mut kept = String::new();
    for declaration in value.split(';').filter(|declaration| !declaration.trim_ascii().is_empty()) {
        let (property, value) = declaration.split_once(':').unwrap_or((declaration, ""));
        let property = property.trim_ascii().to_ascii_lowercase();
        if is_harmless(&property) && is_plain(value) {
            if !kept.is_empty() {
                kept.push(';');
            }
            kept.push_str(&property);
            kept.push(':');
            kept.push_str(&value.split_ascii_whitespace().collect::<Vec<_>>().join(" "));
        } else {
            report.note(Code::Style, &property);
        }
    }
    (!kept.is_empty()).then_some(kept)
}

fn is_harmless(property: &str) -> bool {
    matches!(
        property,
        "background"
            | "background-color"
            | "color"
            | "font-family"
            | "font-style"
            | "font-variant-numeric"
            | "font-weight"
            | "overflow-wrap"
            | "text-align"
            | "text-decoration"
            | "text-decoration-color"
            | "text-decoration-line"
            | "text-decoration-style"
            | "text-transform"
            | "white-space"
            | "word-break"
    )
}

fn is_plain(value: &str) -> bool {
    const COLOURS: [&str; 9] = ["hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "rgb", "rgba"];
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b" #%(),-.\t\n".contains(&byte);
    if value.trim_ascii().is_empty() || !value.bytes().all(is_allowed) {
        return false;
    }
    let mut rest = value;
    while let Some((before, after)) = rest.split_once('(') {
        let name = before.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '-').next().unwrap_or_default();
        let Some((arguments, after)) = after.split_once(')') else { return false };
        let is_colour = COLOURS.iter().any(|colour| colour.eq_ignore_ascii_case(name));
        if !is_colour || before.contains(')') || arguments.contains('(') {
            return false;
        }
        rest = after;
    }
    !rest.contains(')')
}

fn is_picture(address: &str) -> bool {
    const TYPES: [&str; 5] = ["gif", "jpeg", "png", "svg+xml", "webp"];
    let Some((start, data)) = address.trim_ascii().split_at_checked("data:image/".len()) else {
        return false;
    };
    let Some(end) = data.find([';', ',']) else { return false };
    start.eq_ignore_ascii_case("data:image/")
        && TYPES.iter().any(|known| known.eq_ignore_ascii_case(&data[..end]))
}

fn is_language(tag: &str) -> bool {
    (1..=35).contains(&tag.len()) && tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn keyword(value: &str, known: &[&'static str]) -> Option<Cow<'static, str>> {
    let found = known.iter().copied().find(|known| known.eq_ignore_ascii_case(value));
    found.map(Cow::Borrowed)
}

fn number(value: &str) -> Option<u32> {
    let is_short = (1..=5).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_digit());
    if is_short { value.parse().ok() } else { None }
}

fn decimal(number: u32) -> Cow<'static, str> {
    number.to_string().into()
}
