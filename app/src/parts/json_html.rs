//! A payload as pretty-printed JSON: in the caller's order, numbers as written, to be folded and copied. Written on the
//! server only; the browser leaves it as it stands.

use super::words::{escape, marked};
use serde_json::Value;

/// Up to so many values, everything is unfolded at the start.
const UNFOLDED: usize = 400;
/// In a payload of more values, so many levels are.
const UNFOLDED_LEVELS: usize = 2;
/// A payload of more values stands as one text: that many foldable things would be slower than they are useful.
const FOLDABLE: usize = 20_000;
/// A text of more characters is folded after its beginning.
const LONG: usize = 600;

/// The payload, and hidden beside it its exact text for whoever copies it.
pub(super) fn view(payload: &Value) -> String {
    let exact = serde_json::to_string_pretty(payload).expect("a JSON value is JSON");
    let count = count(payload);
    let mut html = String::with_capacity(exact.len() * 4);
    if count > FOLDABLE {
        html.push_str("<pre>");
        html.push_str(&marked(&exact));
        html.push_str("</pre>");
    } else {
        let levels = if count > UNFOLDED { UNFOLDED_LEVELS } else { usize::MAX };
        Writer { html: &mut html, levels }.value(None, payload, 0, true);
    }
    // A line break at the start of a textarea is swallowed.
    html.push_str("<textarea data-exact=\"\" hidden readonly>\n");
    escape(&exact, &mut html);
    html.push_str("</textarea>");
    html
}

fn count(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(count).sum::<usize>(),
        Value::Object(members) => 1 + members.values().map(count).sum::<usize>(),
        _ => 1,
    }
}

struct Writer<'a> {
    html: &'a mut String,
    levels: usize,
}

impl Writer<'_> {
    fn value(&mut self, key: Option<&str>, value: &Value, level: usize, last: bool) {
        match value {
            Value::Array(items) if !items.is_empty() => {
                self.open(key, '[', items.len(), "item", level);
                let end = items.len() - 1;
                items.iter().enumerate().for_each(|(at, item)| self.value(None, item, level + 1, at == end));
                self.close(']', last);
            }
            Value::Object(members) if !members.is_empty() => {
                self.open(key, '{', members.len(), "member", level);
                let end = members.len() - 1;
                for (at, (name, member)) in members.iter().enumerate() {
                    self.value(Some(name), member, level + 1, at == end);
                }
                self.close('}', last);
            }
            leaf => {
                self.html.push_str("<div>");
                self.key(key);
                self.leaf(leaf);
                self.comma(last);
                self.html.push_str("</div>");
            }
        }
    }

    fn open(&mut self, key: Option<&str>, bracket: char, count: usize, unit: &str, level: usize) {
        let open = if level < self.levels { " open" } else { "" };
        self.html.push_str(&format!("<details{open}><summary>"));
        self.key(key);
        let many = if count == 1 { "" } else { "s" };
        self.html.push_str(&format!("{bracket} <i>{count} {unit}{many}</i></summary><div class=\"in\">"));
    }

    fn close(&mut self, bracket: char, last: bool) {
        self.html.push_str("</div>");
        self.html.push(bracket);
        self.comma(last);
        self.html.push_str("</details>");
    }

    fn key(&mut self, key: Option<&str>) {
        if let Some(key) = key {
            self.html.push_str("<b>");
            self.text(&quoted(key));
            self.html.push_str("</b>: ");
        }
    }

    fn leaf(&mut self, value: &Value) {
        let Value::String(text) = value else {
            // Never long, save a number that is: numbers stand as they were written.
            self.html.push_str("<span>");
            self.text(&value.to_string());
            return self.html.push_str("</span>");
        };
        let text = quoted(text);
        match text.char_indices().nth(LONG) {
            None => {
                self.html.push_str("<q>");
                self.text(&text);
                self.html.push_str("</q>");
            }
            Some((end, _)) => {
                // Not inside an escape such as `\n`, which is shown as one.
                let end = text[..end].trim_end_matches('\\').len();
                self.html.push_str("<details class=\"long\"><summary><q>");
                self.text(&text[..end]);
                let more = text[end..].chars().count();
                self.html.push_str(&format!("</q><i>{more} more characters</i></summary><q>"));
                self.text(&text[end..]);
                self.html.push_str("</q></details>");
            }
        }
    }

    /// A piece of JSON text; after an escaped line break, the line breaks.
    fn text(&mut self, text: &str) {
        self.html.push_str("<bdi>");
        let mut rest = text;
        while let Some(end) = line_break(rest) {
            self.html.push_str(&marked(&rest[..end]));
            self.html.push_str("<s>\\n</s>\n");
            rest = &rest[end + 2..];
        }
        self.html.push_str(&marked(rest));
        self.html.push_str("</bdi>");
    }

    fn comma(&mut self, last: bool) {
        if !last {
            self.html.push(',');
        }
    }
}

/// Where the first escaped line break stands, if there is one.
fn line_break(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text[at..].find('\\')?;
        match text.as_bytes().get(at + 1)? {
            b'n' => return Some(at),
            // What follows a backslash belongs to it, a second backslash too; all of them are ASCII.
            _ => at += 2,
        }
    }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// What a person reads, without the markup, and without what is said about folding.
    fn read(html: &str) -> String {
        let html = html.split("<textarea").next().unwrap();
        let (mut text, mut tag, mut said) = (String::new(), String::new(), false);
        let mut inside = false;
        for character in html.chars() {
            match character {
                '<' => (inside, tag) = (true, String::new()),
                '>' => {
                    inside = false;
                    said = tag == "i" || said && tag != "/i";
                }
                other if inside => tag.push(other),
                other if !said => text.push(other),
                _ => {}
            }
        }
        text.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    }

    /// Order, number text and every character are the caller's.
    #[test]
    fn what_is_read_is_what_was_sent() {
        let text = r#"{"b":1.10,"a":[3791411052119578828,1e+400,null,true,"<b>&\"x\""],"e":{},"f":[],"t":"two\nlines in C:\\new"}"#;
        let payload: Value = serde_json::from_str(text).unwrap();
        let read: String = read(&view(&payload)).chars().filter(|c| !c.is_whitespace()).collect();
        assert_eq!(read, text.replace(' ', ""));
        assert_eq!(view(&payload).matches("<s>").count(), 1);
    }

    #[test]
    fn markup_is_text() {
        let html = view(&json!({ "</textarea><script>": "<img src=x onerror=alert(1)>" }));
        assert!(!html.contains("<script") && !html.contains("<img"));
        assert_eq!(html.matches("</textarea>").count(), 1);
    }

    #[test]
    fn long_texts_and_large_payloads_are_folded_and_whole() {
        let long = "ab\\".repeat(LONG);
        let html = view(&json!({ "long": long }));
        assert!(html.contains("<details class=\"long\">"));
        assert!(read(&html).contains(&quoted(&long)));
        let many = view(&json!({ "a": { "b": { "c": vec![1; UNFOLDED] } } }));
        assert_eq!(many.matches("<details open>").count(), UNFOLDED_LEVELS);
        let huge = view(&json!(vec!["<"; FOLDABLE]));
        assert!(huge.starts_with("<pre>") && !huge.contains("<details"));
    }
}
