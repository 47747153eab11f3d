//! Nothing that comes out of a value is markup, whatever tags and filters it went through.

use proptest::prelude::*;
use serde_json::json;

use crate::{grammar, render};

/// What every text of the context starts with.
const HOSTILE: &str = "<x>\"'&";

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_value_becomes_markup(
        template in prop::collection::vec(any::<u8>(), 0..120),
        context in prop::collection::vec(any::<u8>(), 0..80),
    ) {
        let template = grammar::template(&template, grammar::PLAIN);
        let mut context = grammar::context(&context, |text| format!("{HOSTILE}{text}"));
        // The name of a property is data, too.
        context["m1"][HOSTILE] = json!(HOSTILE);
        context[HOSTILE] = json!(HOSTILE);
        if let Ok(html) = render(&template, &context) {
            let rest = without_table_tags(&html);
            prop_assert!(!rest.contains(['<', '>', '"', '\'']), "{template:?} prints {html:?}");
        }
    }
}

/// The document without the markup that `tablerow` itself makes.
fn without_table_tags(html: &str) -> String {
    let mut rest = html.replace("</td>", "").replace("</tr>", "");
    for opening in ["<tr class=\"row", "<td class=\"col"] {
        while let Some(start) = rest.find(opening) {
            let number = &rest[start + opening.len()..];
            let Some(length) = number.find("\">") else { break };
            // Anything but a number is left standing for the caller to find.
            if !number[..length].chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | '.'))
                && !matches!(&number[..length], "NaN" | "Infinity" | "-Infinity")
            {
                break;
            }
            rest.replace_range(start..start + opening.len() + length + 2, "");
        }
    }
    rest
}

#[test]
fn raw_does_not_opt_out() {
    assert_eq!(render("{{ s | raw }}", &json!({"s": "<x>"})).as_deref(), Ok("&lt;x&gt;"));
    assert_eq!(render("{% echo s | raw %}", &json!({"s": "<x>"})).as_deref(), Ok("&lt;x&gt;"));
    assert_eq!(render("{% cycle s %}", &json!({"s": "<x>"})).as_deref(), Ok("&lt;x&gt;"));
}

#[test]
fn captured_markup_is_escaped_when_it_is_printed() {
    let template = "{% capture c %}<b>{{ s }}</b>{% endcapture %}{{ c }}";
    assert_eq!(render(template, &json!({"s": "<x>"})).as_deref(), Ok("&lt;b&gt;&amp;lt;x&amp;gt;&lt;/b&gt;"));
}
