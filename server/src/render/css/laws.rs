//! What holds of every sheet, whatever was sent.

use super::rules::places;
use super::{FRAMEWORK_GUARD, property::property, scope, whole};
use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, Delimiter, ParseError, Parser, ParserState,
    QualifiedRuleParser, RuleBodyItemParser, RuleBodyParser,
};
use proptest::prelude::*;

/// Asserts of a result everything that makes it safe, by reading it again as a browser would.
pub(super) fn assert_safe(css: &str) {
    for never in ["</", "<!--", "@import", "@font-face", "expression(", "\0"] {
        assert!(!css.contains(never), "{never} in {css}");
    }
    for (at, _) in css.match_indices("url(") {
        assert!(css[at..].starts_with("url(\"data:image/"), "{css}");
    }
    assert_eq!(whole::check(css), Ok(()), "{css}");
    let mut input = Parser::new(css);
    for rule in RuleBodyParser::new(&mut input, &mut Reader { in_layer: false, in_rule: false }) {
        assert!(rule.is_ok(), "{css}");
    }
}

/// Reads a result strictly: all in one layer, every selector placed, every property known, nothing important.
struct Reader {
    in_layer: bool,
    in_rule: bool,
}

impl Reader {
    fn all(&mut self, input: &mut Parser) {
        for rule in RuleBodyParser::new(input, self) {
            assert!(rule.is_ok(), "{rule:?}");
        }
    }
}

impl<'i> QualifiedRuleParser<'i> for Reader {
    type Prelude = ();
    type QualifiedRule = ();
    type Error = ();

    fn parse_prelude(&mut self, input: &mut Parser<'i>) -> Result<(), ParseError<()>> {
        assert!(self.in_layer && !self.in_rule);
        input.parse_comma_separated(|input| {
            let start = input.position();
            input.parse_until_before(Delimiter::Comma, |input| {
                while input.next().is_ok() {}
                Ok::<(), ParseError<()>>(())
            })?;
            let selector = input.slice_from(start);
            let (bare, _) =
                selector.split_once("::").filter(|_| !selector.contains('"')).unwrap_or((selector, ""));
            let placed = places().any(|place| bare.ends_with(place))
                || selector.contains("*)::")
                || (bare.starts_with(":where(") && bare.ends_with(" .sayso-cell)"));
            assert!(placed, "{selector}");
            Ok(())
        })?;
        Ok(())
    }

    fn parse_block(&mut self, (): (), _: &ParserState, input: &mut Parser<'i>) -> Result<(), ParseError<()>> {
        self.in_rule = true;
        self.all(input);
        self.in_rule = false;
        Ok(())
    }
}

impl<'i> AtRuleParser<'i> for Reader {
    type Prelude = ();
    type AtRule = ();
    type Error = ();

    fn parse_prelude(&mut self, name: CowRcStr<'i>, input: &mut Parser<'i>) -> Result<(), ParseError<()>> {
        assert!(!self.in_rule);
        input.skip_whitespace();
        let start = input.position();
        while input.next().is_ok() {}
        assert!(self.in_layer || input.slice_from(start) == "sayso-caller");
        assert!(["media", "supports", "layer"].contains(&name.as_ref()), "{name}");
        Ok(())
    }

    fn rule_without_block(&mut self, (): (), _: &ParserState) -> Result<(), ()> {
        assert!(self.in_layer);
        Ok(())
    }

    fn parse_block(&mut self, (): (), _: &ParserState, input: &mut Parser<'i>) -> Result<(), ParseError<()>> {
        let outer = std::mem::replace(&mut self.in_layer, true);
        self.all(input);
        self.in_layer = outer;
        Ok(())
    }
}

impl<'i> DeclarationParser<'i> for Reader {
    type Declaration = ();
    type Error = ();

    fn parse_value(
        &mut self,
        name: CowRcStr<'i>,
        input: &mut Parser<'i>,
        _: &ParserState,
    ) -> Result<(), ParseError<()>> {
        assert!(property(&name).is_some() || name.starts_with("--caller-"), "{name}");
        while let Ok(token) = input.next() {
            assert!(*token != cssparser::Token::Delim('!') && !token.is_parse_error(), "{token:?}");
        }
        Ok(())
    }
}

impl RuleBodyItemParser<'_, (), ()> for Reader {
    fn parse_declarations(&self) -> bool {
        self.in_rule
    }

    fn parse_qualified(&self) -> bool {
        !self.in_rule
    }
}

/// Pieces of sheets, good and bad, to be thrown together.
fn piece() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "td",
        "tr",
        ".a",
        "#b",
        "*",
        ":hover",
        "::before",
        ":is(",
        ":not(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "(",
        ";",
        ":",
        ",",
        " ",
        ">",
        "+",
        "~",
        "color",
        "background",
        "display",
        "margin",
        "content",
        "--x",
        "var(--x",
        "red",
        "#fff",
        "1px",
        "-2e3em",
        "50%",
        "1e99",
        "!important",
        "url(data:image/png,x)",
        "url('//e'",
        "url(x",
        "@media",
        "@import",
        "@layer",
        "@supports",
        "a.b",
        "/*",
        "*/",
        "'",
        "\"",
        "\\",
        "\\75 ",
        "</style>",
        "<!--",
        "-->",
        "\0",
        "\n",
        "calc(",
        "attr(x)",
        "@",
        "&",
        "/",
        "<",
        "=",
        "e3",
        "1",
        "\\65 ",
        "sayso-pick",
        ":root",
        "body",
        "table",
        "expression(",
        "transition",
        "is",
        "\u{feff}",
        "ß",
        "nth-child(",
    ];
    prop_oneof![
        9 => prop::sample::select(PIECES).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ]
}

/// Rules that are well-formed at least, of parts that may be anything.
fn rule() -> impl Strategy<Value = String> {
    let part = |most| prop::collection::vec(piece(), 1..most).prop_map(|pieces| pieces.concat());
    let name =
        prop::sample::select(&["color", "background", "margin", "content", "display", "--x", "font"][..]);
    let declaration = (name, part(4)).prop_map(|(name, value)| format!("{name}:{value};"));
    let block = prop::collection::vec(declaration, 0..4).prop_map(|all| all.concat());
    (part(6), block).prop_map(|(selector, block)| format!("{selector}{{{block}}}"))
}

proptest! {
    #[test]
    fn whatever_comes_is_safe(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        if let Ok(sheet) = scope(&String::from_utf8_lossy(&bytes)) {
            assert_safe(&sheet.css);
        }
    }

    #[test]
    fn whatever_is_thrown_together_is_safe(pieces in prop::collection::vec(piece(), 0..60)) {
        if let Ok(sheet) = scope(&pieces.concat()) {
            assert_safe(&sheet.css);
        }
    }

    #[test]
    fn whatever_rules_there_are_are_safe(rules in prop::collection::vec(rule(), 1..5)) {
        if let Ok(sheet) = scope(&rules.concat()) {
            assert_safe(&sheet.css);
            prop_assert!(sheet.dropped.len() <= 20);
        }
        for rule in rules {
            if let Ok(sheet) = scope(&rule) {
                assert_safe(&sheet.css);
            }
        }
    }

    /// What was kept is kept: without its place it is the same sheet, and loses nothing more.
    #[test]
    fn what_is_kept_once_is_kept(
        selectors in prop::collection::vec(r"(td|th|b|\.[a-z\\/é]{1,3}|\*)( |>|\+)(i|a:hover|li:nth-child\([1-9]n\+[1-9]\)|\[title='[<a-z(]{0,3}'\])", 1..3),
        declarations in prop::collection::vec(
            r#"(color|background|font|padding|border):(red|#abc|\.5em|-1px|1e2|"[@<a-z(\\]{1,2}x"|rgb\(1,2,3\)|calc\(1px \+ 2%\)|url\(data:image/a\))( |,|/)?(x|4px)?"#,
            1..4,
        ),
    ) {
        let css = format!("{}{{{}}}", selectors.join(","), declarations.join(";"));
        if let Ok(first) = scope(&css) {
            let bare = first.css.strip_prefix("@layer sayso-caller{").and_then(|rest| rest.strip_suffix('}'));
            let bare = bare.unwrap_or_default().replace(":where(.sayso-cell,.sayso-cell *)", "");
            let second = scope(&bare).unwrap();
            prop_assert_eq!(first.css, second.css);
            prop_assert_eq!(second.dropped, []);
        }
    }
}

/// The guard is one layer before all others, and everything in it is important: else it would lose.
#[test]
fn the_guard_wins() {
    assert_eq!(whole::check(FRAMEWORK_GUARD), Ok(()));
    assert!(!FRAMEWORK_GUARD.contains("</") && FRAMEWORK_GUARD.is_ascii());
    let rules = FRAMEWORK_GUARD.split_once("@layer sayso-guard, sayso-base, sayso-caller;").unwrap().1;
    let rules = rules.split_once("@layer sayso-guard {").unwrap().1;
    for line in rules.lines().filter(|line| line.trim_end().ends_with(';')) {
        assert!(line.ends_with(" !important;"), "{line}");
    }
}
