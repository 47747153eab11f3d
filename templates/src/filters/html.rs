//! Filters for HTML. The output is escaped once more anyway: these are for texts that shall show markup.

use super::{Call, Output};
use crate::budget::Stop;
use crate::value::Value;

pub(super) fn escape(call: Call<'_>) -> Result<Value, Stop> {
    let mut out = Output::new(call.meter());
    escape_to(&call.text()?, &mut out)?;
    out.finish()
}

/// Escapes what is not escaped yet.
pub(super) fn escape_once(call: Call<'_>) -> Result<Value, Stop> {
    let text = call.text()?;
    let mut out = Output::new(call.meter());
    let mut rest: &str = &text;
    while let Some(at) = rest.find('&') {
        escape_to(&rest[..at], &mut out)?;
        rest = &rest[at..];
        let entity = ENTITIES.iter().find(|(_, entity)| rest.starts_with(entity));
        let entity = entity.map_or("&amp;", |(_, entity)| entity);
        out.push_str(entity)?;
        rest = rest.strip_prefix(entity).unwrap_or(&rest[1..]);
    }
    escape_to(rest, &mut out)?;
    out.finish()
}

pub(super) fn newline_to_br(call: Call<'_>) -> Result<Value, Stop> {
    let text = call.text()?;
    let mut out = Output::new(call.meter());
    let mut lines = text.split('\n').peekable();
    while let Some(line) = lines.next() {
        if lines.peek().is_none() {
            out.push_str(line)?;
        } else {
            out.push_str(line.strip_suffix('\r').unwrap_or(line))?;
            out.push_str("<br />\n")?;
        }
    }
    out.finish()
}

/// Removes scripts, styles, comments and tags; what is never closed stays.
pub(super) fn strip_html(call: Call<'_>) -> Result<Value, Stop> {
    let text = call.text()?;
    let mut out = Output::new(call.meter());
    let mut blocks = vec![("<script", "</script>"), ("<style", "</style>"), ("<!--", "-->"), ("<", ">")];
    let mut rest: &str = &text;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at])?;
        rest = &rest[at..];
        let mut after = None;
        // An opener whose closer is not there now will not find it later either. Forgetting it keeps the time linear.
        blocks.retain(|(opener, closer)| {
            if after.is_none()
                && let Some(inside) = rest.strip_prefix(opener)
            {
                after = inside.find(closer).map(|end| &inside[end + closer.len()..]);
                return after.is_some();
            }
            true
        });
        let Some(after) = after else { break };
        rest = after;
    }
    out.push_str(rest)?;
    out.finish()
}

/// The characters that are escaped, and what LiquidJS writes for them.
const ENTITIES: [(char, &str); 5] =
    [('&', "&amp;"), ('<', "&lt;"), ('>', "&gt;"), ('"', "&#34;"), ('\'', "&#39;")];

fn escape_to(text: &str, out: &mut Output<'_>) -> Result<(), Stop> {
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<', '>', '"', '\'']) {
        out.push_str(&rest[..at])?;
        let special = rest[at..].chars().next();
        for (_, entity) in ENTITIES.iter().filter(|(character, _)| Some(*character) == special) {
            out.push_str(entity)?;
        }
        rest = &rest[at + 1..];
    }
    out.push_str(rest)
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use serde_json::json;

    use crate::filters::testing::apply;

    #[test]
    fn escaping() {
        assert_eq!(
            apply("escape", json!("<a href=\"x\">'&amp;"), &[]),
            r#""&lt;a href=&#34;x&#34;&gt;&#39;&amp;amp;""#
        );
        assert_eq!(apply("escape", json!([1, null, "<"]), &[]), r#""1&lt;""#);
        assert_eq!(
            apply("escape_once", json!("&lt;<&#39;&#x27;&amp;amp;&"), &[]),
            r#""&lt;&lt;&#39;&amp;#x27;&amp;amp;&amp;""#
        );
        assert_eq!(apply("newline_to_br", json!("a\r\nb\nc\r"), &[]), r#""a<br />\nb<br />\nc\r""#);
    }

    #[test]
    fn stripping_html() {
        let strip = |text: &str| apply("strip_html", json!(text), &[]);
        assert_eq!(strip("a<b>c</b><!-- > -->d<script>x<b></script>e"), r#""acde""#);
        assert_eq!(strip("a<script>b<i>c"), r#""abc""#);
        assert_eq!(strip("1 < 2"), r#""1 < 2""#);
        assert_eq!(strip("<!-- <b>x"), r#""x""#);
    }

    #[test]
    fn stripping_html_takes_linear_time() {
        let text = "<script".repeat(60_000);
        #[expect(clippy::disallowed_methods, reason = "the test is about time")]
        let start = Instant::now();
        assert!(apply("strip_html", json!(text), &[]).starts_with('"'));
        assert!(start.elapsed().as_secs() < 5);
    }
}
