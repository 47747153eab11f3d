//! Mistakes that other engines were seen to make, each with the right answer.

use serde_json::{Value, json};

use crate::render;

fn shown(template: &str, context: Value) -> String {
    render(template, &context).unwrap_or_else(|error| format!("error: {error}"))
}

#[test]
fn escapes_are_liquidjs_and_once_more_where_asked() {
    let context = json!({ "s": "\"'&<>" });
    assert_eq!(shown("{{ s }}", context.clone()), "&#34;&#39;&amp;&lt;&gt;");
    assert_eq!(shown("{{ s | escape }}", context), "&amp;#34;&amp;#39;&amp;amp;&amp;lt;&amp;gt;");
    let image = "data:image/png;base64,iVBORw0KGgo+/A==";
    assert_eq!(shown("<img src=\"{{ src }}\">", json!({ "src": image })), format!("<img src=\"{image}\">"));
}

#[test]
fn truth_is_javascripts() {
    for (value, truth) in [
        (json!(0), "no"),
        (json!(""), "no"),
        (json!(null), "no"),
        (json!(false), "no"),
        (json!([]), "yes"),
        (json!({}), "yes"),
        (json!("0"), "yes"),
    ] {
        assert_eq!(shown("{% if n %}yes{% else %}no{% endif %}", json!({ "n": value })), truth, "{value}");
    }
}

#[test]
fn nothing_inherited_is_ever_visible() {
    let names = "{{ o.constructor }}{{ o.__proto__ }}{{ o.toString }}{{ a.map }}{{ 'x'.constructor }}{{ constructor }}";
    assert_eq!(shown(names, json!({ "o": {}, "a": [1] })), "");
    assert_eq!(shown("{{ 'x' | constructor }}", json!({})), "x");
    assert!(shown("{% toString %}", json!({})).starts_with("error: "));
}

#[test]
fn markup_is_stripped_in_linear_time() {
    for hostile in ["<".repeat(100_000), "<script".repeat(20_000), "<!--".repeat(30_000)] {
        assert!(render("{{ s | strip_html | size }}", &json!({ "s": hostile })).is_ok());
    }
}

#[test]
fn what_would_take_too_much_is_refused_before_it_is_made() {
    for hostile in [
        "{{ 'now' | date: '%999999999d' }}",
        "{% assign a='1,2,3' | split: ',' %}{% for i in (1..32) %}{% assign a = a | concat: a %}{% endfor %}",
        "{% for i in (1..9999999999999) %}x{% endfor %}",
    ] {
        assert!(shown(hostile, json!({})).contains("costs too much"), "{hostile}");
    }
}

#[test]
fn defaults_take_the_place_of_nothing_and_of_false_unless_told() {
    assert_eq!(
        shown("{{ '' | default: 'd' }}{{ nil | default: 'd' }}{{ 0 | default: 'd' }}", json!({})),
        "ddd"
    );
    let context = json!({ "flag": false });
    assert_eq!(shown("{{ flag | default: true }}", context.clone()), "true");
    assert_eq!(shown("{{ flag | default: true, allow_false: true }}", context), "false");
}

#[test]
fn what_is_no_number_counts_as_zero() {
    assert_eq!(shown("{{ 'abc' | plus: 1 }}", json!({})), "1");
}

#[test]
fn errors_tell_their_place_in_characters() {
    assert_eq!(shown("{{ 'é' | nofilter }}", json!({})), "é");
    assert!(shown("é\nüü{% nosuch %}", json!({})).contains("line 2, column 3: there is no tag `nosuch`"));
}
