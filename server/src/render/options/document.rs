//! The document in which options are chosen: every control, word and button in it is ours.

use super::Drawn;
use sayso_app::words_html;
use sayso_domain::{Comment, selection::Selection};
use std::{collections::BTreeSet, fmt::Write};

const STYLE: &str = include_str!("../../../../style/options.css");

/// From so many options on there is a filter.
const FILTERED: usize = 30;

/// A form as it is sent to a person.
pub(super) struct Form<'a> {
    pub(super) selection: &'a Selection,
    pub(super) drawn: &'a Drawn,
    /// Where it is sent.
    pub(super) action: &'a str,
    pub(super) token: &'a str,
    /// The rows that are chosen, by their numbers.
    pub(super) chosen: &'a BTreeSet<usize>,
    /// What the person filters by.
    pub(super) filter: &'a str,
    /// The digest of the request, which comes back.
    pub(super) digest: &'a str,
    /// What the person says beside the decision.
    pub(super) comment: &'a str,
    /// Why what was sent was not taken.
    pub(super) reason: Option<&'a str>,
}

impl Form<'_> {
    pub(super) fn write(&self) -> String {
        let shown: Vec<usize> = self.shown();
        let mut html = String::with_capacity(8_000 + self.drawn.rows.len() * 400);
        let _ = write!(
            html,
            "<form class=\"sayso-form{}\" method=\"post\" action=\"{}\" autocomplete=\"off\">\
             <input type=\"hidden\" name=\"token\" value=\"{}\"><input type=\"hidden\" name=\"digest\" value=\"{}\">\
             <button class=\"sayso-default\" name=\"do\" value=\"filter\" tabindex=\"-1\" aria-hidden=\"true\"></button>",
            if self.drawn.is_detailed() { " sayso-detailed" } else { "" },
            attribute(self.action),
            attribute(self.token),
            attribute(self.digest)
        );
        self.filter(&mut html, shown.len());
        self.hidden_choices(&mut html, &shown);
        self.table(&mut html, &shown);
        self.actions(&mut html);
        if self.drawn.is_detailed() {
            html.push_str(
                "<div class=\"sayso-room\">Point at an option, or step to it, to read more about it.</div>",
            );
        }
        html.push_str("</form>");
        document(&self.drawn.css, &html)
    }

    /// The rows whose label, id or any text holds what is filtered by.
    fn shown(&self) -> Vec<usize> {
        let wanted = self.filter.trim().to_lowercase();
        let matches = |index: &usize| {
            let option = &self.selection.options[*index];
            wanted.is_empty()
                || option.id.to_lowercase().contains(&wanted)
                || texts(&option.data).any(|text| text.to_lowercase().contains(&wanted))
        };
        (0..self.selection.options.len()).filter(matches).collect()
    }

    fn filter(&self, html: &mut String, shown: usize) {
        let all = self.selection.options.len();
        if all < FILTERED {
            return;
        }
        let _ = write!(
            html,
            "<div class=\"sayso-filter\"><input class=\"sayso-query\" type=\"search\" name=\"q\" value=\"{}\" \
             aria-label=\"Filter the options\" placeholder=\"Filter\" maxlength=\"200\">\
             <button class=\"sayso-button\" name=\"do\" value=\"filter\">Filter</button>\
             <span class=\"sayso-count\" role=\"status\">{shown} of {all} shown, {} chosen</span></div>",
            attribute(self.filter),
            self.chosen.len()
        );
    }

    /// What is chosen and not in view stays chosen.
    fn hidden_choices(&self, html: &mut String, shown: &[usize]) {
        for index in self.chosen.iter().filter(|index| shown.binary_search(index).is_err()) {
            let _ = write!(html, "<input type=\"hidden\" name=\"kept\" value=\"{index}\">");
        }
    }

    fn table(&self, html: &mut String, shown: &[usize]) {
        html.push_str("<div class=\"sayso-scroll\"><table class=\"sayso-table\">");
        if let Some(heading) = &self.drawn.heading {
            let _ = write!(
                html,
                "<thead><tr><th class=\"sayso-pick\" scope=\"col\" aria-label=\"Choose\"></th>{heading}</tr></thead>"
            );
        }
        html.push_str("<tbody>");
        let kind = if self.selection.is_multiple() { "checkbox" } else { "radio" };
        for index in shown {
            let (option, row) = (&self.selection.options[*index], &self.drawn.rows[*index]);
            let checked = if self.chosen.contains(index) { " checked" } else { "" };
            let name = attribute(&sayso_domain::reveal::to_text(option.label()));
            // The tip says it to those who look: no css of a caller's can hide that.
            let _ = write!(
                html,
                "<tr class=\"sayso-row\"><td class=\"sayso-pick\"><input type=\"{kind}\" name=\"pick\" value=\"{index}\" \
                 aria-label=\"{name}\" title=\"{name}\"{checked}></td>{}</tr>",
                row.cells
            );
            if let Some(detail) = &row.detail {
                let _ = write!(
                    html,
                    "<tr class=\"sayso-detail\"><th class=\"sayso-about\" scope=\"row\">{}</th>\
                     <td class=\"sayso-cell\">{detail}</td></tr>",
                    words_html(option.label())
                );
            }
        }
        html.push_str("</tbody>");
        if let Some(footer) = &self.drawn.footer {
            let _ = write!(html, "<tfoot>{footer}</tfoot>");
        }
        html.push_str("</table></div>");
        if shown.is_empty() {
            html.push_str("<p class=\"sayso-none\">No option matches.</p>");
        }
    }

    fn actions(&self, html: &mut String) {
        let reason = self
            .reason
            .map(|reason| format!("<p class=\"sayso-reason\" role=\"alert\">{}</p>", words_html(reason)));
        let _ = write!(
            html,
            "<footer class=\"sayso-actions\">{}<label class=\"sayso-comment\">Comment ({})<textarea class=\"sayso-words\" \
             name=\"comment\" rows=\"1\" maxlength=\"{}\">\n{}</textarea></label><span class=\"sayso-range\">{}</span>\
             <button class=\"sayso-button sayso-no\" name=\"do\" value=\"reject\">{}</button>\
             <button class=\"sayso-button sayso-go\" name=\"do\" value=\"choose\">{}</button></footer>",
            reason.unwrap_or_default(),
            if self.selection.comment_on_reject { "needed to refuse" } else { "optional" },
            Comment::CHARACTERS,
            attribute(self.comment),
            self.selection.range_in_words(),
            words_html(&self.selection.reject),
            words_html(&self.selection.submit)
        );
    }
}

/// A document that says one thing.
pub(super) fn said(words: &str) -> String {
    document("", &format!("<p class=\"sayso-said\" role=\"status\">{}</p>", words_html(words)))
}

fn document(css: &str, body: &str) -> String {
    let guard = super::super::css::FRAMEWORK_GUARD;
    format!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><title>Options</title>\
         <style>{guard}</style><style>@layer sayso-base{{{STYLE}}}</style><style>{css}</style></head><body class=\"sayso-body\">{body}</body></html>"
    )
}

/// All texts in what a caller says of an option.
fn texts(data: &sayso_domain::Object) -> impl Iterator<Item = &str> {
    data.values().filter_map(serde_json::Value::as_str)
}

fn attribute(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}
