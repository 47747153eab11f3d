//! What the author of a template should know although it can be rendered.

use crate::error::place;
use crate::expression::Filtered;
use crate::scanner::{Kind, Piece};

/// Something that will not be as its author may think.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What kind of thing: `unknown_filter`, `raw_last`, `escape_twice`, `external_host` or `unclosed_row`.
    pub code: &'static str,
    /// One sentence, without a full stop.
    pub message: String,
    /// The line, from 1.
    pub line: usize,
    /// The character in that line, from 1.
    pub column: usize,
}

/// No template has more remarks than this made of it.
const AT_MOST: usize = 20;

/// Remarks on their way to be warnings: their places are bytes still.
#[derive(Debug, Default)]
pub(crate) struct Remarks(Vec<(usize, &'static str, String)>);

impl Remarks {
    /// The warnings about this source, in its order.
    pub fn warnings(mut self, source: &str) -> Vec<Warning> {
        self.0.sort_by_key(|(at, ..)| *at);
        let warning = |(at, code, message): (usize, &'static str, String)| {
            let (line, column) = place(source, at);
            Warning { code, message, line, column }
        };
        self.0.into_iter().take(AT_MOST).map(warning).collect()
    }

    fn push(&mut self, at: usize, code: &'static str, message: String) {
        // Twice as many as are told, so that sorting them still finds the first.
        if self.0.len() < 2 * AT_MOST {
            self.0.push((at, code, message));
        }
    }

    /// Filters that are not there.
    pub fn of_filters(&mut self, filtered: &Filtered) {
        for applied in filtered.filters.iter().filter(|applied| applied.filter.is_none()) {
            let name: String = applied.name.chars().take(40).collect();
            let message = format!("There is no filter `{name}`: its input passes through unchanged");
            self.push(applied.at, "unknown_filter", message);
        }
    }

    /// What is printed is escaped, whatever the last filter is.
    pub fn of_output(&mut self, filtered: &Filtered) {
        let Some(last) = filtered.filters.last() else { return };
        match &*last.name {
            "raw" => self.push(
                last.at,
                "raw_last",
                "`raw` does not opt out: every value is HTML-escaped".to_owned(),
            ),
            "escape" | "escape_once" | "xml_escape" => {
                let message =
                    format!("Every value is HTML-escaped anyway, so `{}` escapes it twice", last.name);
                self.push(last.at, "escape_twice", message);
            }
            _ => {}
        }
    }

    /// Hosts that the markup names, and rows that it does not close.
    pub fn of_markup(&mut self, pieces: &[Piece<'_>]) {
        let mut open: Vec<(usize, &'static str)> = Vec::new();
        for piece in pieces {
            let Kind::Markup(text) = piece.kind else { continue };
            let lower = text.to_ascii_lowercase();
            for (found, _) in lower.match_indices("//") {
                if let Some(host) = loaded_host(&lower, found) {
                    let message = format!(
                        "The document loads nothing from anywhere, so nothing comes from `{host}`; use a `data:` address"
                    );
                    self.push(piece.at + found, "external_host", message);
                }
            }
            for (found, _) in lower.match_indices('<') {
                tag(&lower[found..], piece.at + found, &mut open);
            }
        }
        for (at, name) in open {
            self.push(at, "unclosed_row", format!("This `<{name}>` is never closed"));
        }
    }
}

/// The host behind `//` at `at`, where it stands in a place from which a document loads.
fn loaded_host(text: &str, at: usize) -> Option<&str> {
    let before = text[..at].trim_end_matches(':').trim_end_matches(|c: char| c.is_ascii_alphanumeric());
    let before = before.trim_end_matches(['"', '\'', '(']).trim_end().trim_end_matches(['"', '\'', '(']);
    let loads = match before.strip_suffix('=') {
        Some(before) => match before.trim_end().rsplit(|c: char| !is_in_name(c)).next().unwrap_or_default() {
            "src" | "srcset" | "poster" | "background" | "data" => true,
            // A link loads nothing until somebody follows it, save that of a style sheet, an icon or a part of a drawing.
            "href" | "xlink:href" => before.rfind('<').is_some_and(|tag| {
                ["<link", "<image", "<use", "<feimage"].iter().any(|name| before[tag..].starts_with(name))
            }),
            _ => false,
        },
        None => before.ends_with("url") || before.ends_with("@import"),
    };
    if !loads {
        return None;
    }
    let host = text[at + 2..].split(['/', '"', '\'', ')', ' ', '>', '?', '#']).next()?;
    Some(host).filter(|host| !host.is_empty())
}

fn is_in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | ':')
}

const ROWS: [&str; 4] = ["table", "tr", "td", "th"];

/// Notes an opened or closed part of a table.
fn tag(text: &str, at: usize, open: &mut Vec<(usize, &'static str)>) {
    let (closes, rest) = match text.strip_prefix("</") {
        Some(rest) => (true, rest),
        None => (false, &text[1..]),
    };
    let name = rest.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    let Some(name) = ROWS.into_iter().find(|row| *row == name) else { return };
    if !closes {
        open.push((at, name));
    } else if let Some(last) = open.iter().rposition(|(_, opened)| *opened == name) {
        open.remove(last);
    }
}

#[cfg(test)]
mod tests {
    use crate::Template;

    fn codes(source: &str) -> Vec<(&'static str, usize)> {
        let template = Template::parse(source).expect("a template");
        template.warnings().iter().map(|warning| (warning.code, warning.column)).collect()
    }

    #[test]
    fn filters_are_told_where_they_stand() {
        assert_eq!(codes("{{ a | nosuch | upcase }}"), [("unknown_filter", 8)]);
        assert_eq!(codes("{{ a | raw }}{{ a | raw | upcase }}"), [("raw_last", 8)]);
        assert_eq!(codes("{% echo a | escape %}"), [("escape_twice", 13)]);
        assert_eq!(codes("{% assign a = b | escape %}"), []);
    }

    #[test]
    fn hosts_are_told_where_something_would_load_from_them() {
        assert_eq!(codes("<img src=\"https://a.example/x.png\">"), [("external_host", 17)]);
        assert_eq!(codes("<style>p{background:url(//a.example/x)}</style>").len(), 1);
        assert_eq!(codes("<a href=\"https://a.example\">x</a> https://b.example"), []);
        assert_eq!(codes("<link rel=stylesheet href='//a.example/x'>").len(), 1);
        assert_eq!(codes("<img src='data:image/png;base64,//8='>"), []);
        assert_eq!(codes("<img src = //host/x><img data-src=//host/x>"), [("external_host", 12)]);
        assert_eq!(codes("<style>@import url( \"http://host\" )</style>").len(), 1);
        assert_eq!(codes("<svg><use xlink:href='https://a.example/x'/></svg>").len(), 1);
    }

    #[test]
    fn rows_that_stay_open_are_told() {
        assert_eq!(codes("<table><tr><td>x</td></tr></table>"), []);
        assert_eq!(codes("<table><tr><td>x</td></table>"), [("unclosed_row", 8)]);
        assert_eq!(codes("{% for a in b %}<td>{{ a }}{% endfor %}"), [("unclosed_row", 17)]);
        assert_eq!(codes("<track><thead></thead>"), []);
    }
}
