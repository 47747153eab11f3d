//! What the caller's templates make of the options, once for a request: a request never changes.

use super::super::{
    Fault,
    cells::{self, Place},
    css,
};
use sayso_domain::{
    Moment, Object,
    selection::{Candidate, Selection},
};
use sayso_templates::{Budget, Data, Globals, Template};
use serde_json::Value;
use std::time::Duration;

/// What one row may cost: five hundred of them are rendered in one go.
const ROW: Budget =
    Budget { steps: 20_000, memory: 1 << 20, output: 64 << 10, deadline: Duration::from_millis(500) };

/// All rows together may be so many bytes.
const TOGETHER: usize = 4 << 20;

/// A table without its controls.
#[derive(Debug, Default)]
pub(crate) struct Drawn {
    /// The rows, in the order of the options.
    pub(crate) rows: Vec<Row>,
    /// The cells of the heading, if there are any.
    pub(crate) heading: Option<String>,
    /// The footer, if there is one.
    pub(crate) footer: Option<String>,
    /// The caller's style sheet, made safe.
    pub(crate) css: String,
    /// What could not be shown as written: the argument, and what is wrong with it.
    pub(crate) faults: Vec<(&'static str, Fault)>,
    /// What was left out of what could be shown, each thing once.
    pub(crate) remarks: Vec<Remark>,
}

/// Something that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Remark {
    /// Of which argument.
    pub(crate) argument: &'static str,
    /// The code of the warning.
    pub(crate) code: &'static str,
    /// What it was.
    pub(crate) what: String,
    /// Where in the argument, where that is known.
    pub(crate) place: Option<(usize, usize)>,
}

/// What is shown of an option.
#[derive(Debug)]
pub(crate) struct Row {
    /// Its cells.
    pub(crate) cells: String,
    /// More about it, while it is pointed at.
    pub(crate) detail: Option<String>,
}

/// Draws the table of a selection; a template that cannot be shown makes all rows plain.
pub(crate) fn draw(selection: &Selection, at: Moment, seed: u64) -> Drawn {
    let mut drawn = Drawn::default();
    let now = jiff::Timestamp::from_millisecond(at.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    let globals = Globals::new(now, seed);
    let layout = &selection.layout;
    if let Some(sheet) = &layout.css {
        match css::scope(sheet) {
            Ok(sheet) => {
                drawn.remarks.extend(sheet.dropped.into_iter().map(|dropped| Remark {
                    argument: "css",
                    code: "css_dropped",
                    what: format!("{} ({})", dropped.what, dropped.code),
                    place: Some((dropped.line as usize, dropped.column as usize)),
                }));
                drawn.css = sheet.css;
            }
            Err(broken) => {
                let place = Some((broken.line as usize, broken.column as usize));
                drawn.faults.push(("css", Fault { place, message: broken.message }));
            }
        }
    }
    let rows = layout.row.as_ref().map(|source| all(source, selection, &globals, Place::Row));
    let details = layout.hover.as_ref().map(|source| all(source, selection, &globals, Place::Detail));
    let rows = drawn.taken("rowTemplate", rows);
    let details = drawn.taken("hoverTemplate", details);
    let plain = |option: &Candidate| plain_cell(option.label());
    let rows = rows.unwrap_or_else(|| selection.options.iter().map(plain).collect());
    let mut details = details.map(Vec::into_iter);
    let row = |cells: String| {
        let detail = details.as_mut().and_then(Iterator::next);
        Row { cells, detail: detail.filter(|html| !html.is_empty()) }
    };
    drawn.rows = rows.into_iter().map(row).collect();
    for (argument, source, place) in [
        ("headingTemplate", &layout.heading, Place::Heading),
        ("footerTemplate", &layout.footer, Place::Footer),
    ] {
        let Some(source) = source else { continue };
        match Template::parse(source).map_err(|error| Fault::from(&error)).and_then(|template| {
            Ok(cells::clean(&template.render(&globals, &Budget::default())?.html, place))
        }) {
            Ok(cleaned) if argument == "headingTemplate" => drawn.heading = Some(marked(&cleaned.html)),
            Ok(cleaned) => {
                let rows = marked(&cleaned.html).replace("<tr>", "<tr><td class=\"sayso-pick\"></td>");
                drawn.footer = Some(rows).filter(|rows| !rows.is_empty());
            }
            Err(fault) => drawn.faults.push((argument, fault)),
        }
    }
    drawn
}

/// The cells of each row, and what was left out of any.
type Cells = (Vec<String>, Vec<cells::Dropped>);

impl Drawn {
    /// Whether there is more about any option.
    pub(crate) fn is_detailed(&self) -> bool {
        self.rows.iter().any(|row| row.detail.is_some())
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        let row = |row: &Row| row.cells.len() + row.detail.as_ref().map_or(0, String::len);
        (self.rows.iter().map(row).sum::<usize>() + self.css.len()) as u64
    }

    fn taken(&mut self, argument: &'static str, made: Option<Result<Cells, Fault>>) -> Option<Vec<String>> {
        match made? {
            Ok((cells, dropped)) => {
                self.remarks.extend(dropped.into_iter().map(|dropped| Remark::of(argument, &dropped)));
                Some(cells)
            }
            Err(fault) => {
                self.faults.push((argument, fault));
                None
            }
        }
    }
}

impl Remark {
    fn of(argument: &'static str, dropped: &cells::Dropped) -> Self {
        let what = format!("{} ({})", dropped.name, dropped.code.as_str());
        Self { argument, code: "markup_dropped", what, place: None }
    }
}

/// What a template makes of every option, made safe row by row.
fn all(source: &str, selection: &Selection, globals: &Globals, place: Place) -> Result<Cells, Fault> {
    let template = Template::parse(source).map_err(|error| Fault::from(&error))?;
    let (mut bytes, mut dropped) = (0, Vec::new());
    let mut made = Vec::with_capacity(selection.options.len());
    for (index, option) in selection.options.iter().enumerate() {
        let told = |fault: Fault| Fault { message: format!("option {index}: {}", fault.message), ..fault };
        let data = data(&option.data).map_err(told)?;
        let rendered = template.render(&globals.clone().with("option", &data), &ROW);
        let rendered = rendered.map_err(|error| told(error.into()))?;
        bytes += rendered.html.len();
        if bytes > TOGETHER {
            let message = format!("all rows together make more than {TOGETHER} bytes");
            return Err(Fault { place: None, message });
        }
        let cleaned = cells::clean(&rendered.html, place);
        made.push(marked(&cleaned.html));
        // Rows of one template lose the same things; each is told once.
        let new = cleaned.dropped.into_iter().filter(|thing| !dropped.contains(thing)).collect::<Vec<_>>();
        dropped.extend(new.into_iter().take(20_usize.saturating_sub(dropped.len())));
    }
    Ok((made, dropped))
}

fn data(option: &Object) -> Result<Data, Fault> {
    let told = |error| Fault { place: None, message: format!("{error}") };
    Data::new(&Value::Object(option.clone())).map_err(told)
}

/// Cells that are told from ours by their class, which no template can write. In cleaned markup `<td` and `<th` begin a
/// cell and nothing else, and no value holds a `>`.
fn marked(cells: &str) -> String {
    let mut html = String::with_capacity(cells.len() + 64);
    let mut rest = cells;
    while let Some(at) = rest.find("<t") {
        let (before, tag) = rest.split_at(at);
        html.push_str(before);
        let end = tag.find('>').map_or(tag.len(), |end| end + 1);
        let (tag, after) = tag.split_at(end);
        if tag.starts_with("<td") || tag.starts_with("<th") {
            match tag.split_once(" class=\"") {
                Some((start, classes)) => html.extend([start, " class=\"sayso-cell ", classes]),
                None => html.extend([&tag[..3], " class=\"sayso-cell\"", &tag[3..]]),
            }
        } else {
            html.push_str(tag);
        }
        rest = after;
    }
    html.push_str(rest);
    html
}

/// A cell that holds a text and nothing else.
fn plain_cell(text: &str) -> String {
    format!("<td class=\"sayso-cell\">{}</td>", sayso_app::words_html(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn selection(extra: Value) -> Selection {
        let mut arguments = json!({
            "message": "Which?",
            "options": [{ "id": "a", "label": "<A>", "domain": "a.example" }, { "id": "b" }]
        });
        arguments.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        Selection::parse(arguments.as_object().unwrap()).unwrap().0
    }

    fn cells(drawn: &Drawn) -> Vec<&str> {
        drawn.rows.iter().map(|row| row.cells.as_str()).collect()
    }

    #[test]
    fn without_templates_a_row_is_its_label() {
        let drawn = draw(&selection(json!({})), Moment(0), 0);
        assert_eq!(
            cells(&drawn),
            [
                "<td class=\"sayso-cell\"><bdi>&lt;A&gt;</bdi></td>",
                "<td class=\"sayso-cell\"><bdi>b</bdi></td>"
            ]
        );
        assert!(drawn.faults.is_empty() && drawn.heading.is_none());
    }

    #[test]
    fn what_templates_make_is_theirs_and_told_from_ours() {
        let drawn = draw(
            &selection(json!({
                "rowTemplate": "<td>{{ option.id }}</td><td class=\"domain sayso-pick\">{{ option.domain }}</td></tr></table><input>",
                "headingTemplate": "<th>Id</th><th>Domain</th>",
                "footerTemplate": "<td>2 in all</td>",
                "hoverTemplate": "<b>{{ option.label }}</b>",
                "css": "td.domain{color:#666}"
            })),
            Moment(0),
            0,
        );
        assert_eq!(
            drawn.rows[0].cells,
            "<td class=\"sayso-cell\">a</td><td class=\"sayso-cell domain\">a.example</td>"
        );
        assert_eq!(drawn.rows[0].detail.as_deref(), Some("<b>&lt;A&gt;</b>"));
        assert_eq!(
            drawn.heading.as_deref(),
            Some("<th class=\"sayso-cell\">Id</th><th class=\"sayso-cell\">Domain</th>")
        );
        assert_eq!(
            drawn.footer.as_deref(),
            Some("<tr><td class=\"sayso-pick\"></td><td class=\"sayso-cell\">2 in all</td></tr>")
        );
        assert!(drawn.css.contains("color"));
    }

    #[test]
    fn a_template_that_fails_for_one_row_leaves_all_rows_plain() {
        let drawn = draw(
            &selection(json!({ "rowTemplate": "<td>{{ option.label | append: 1, 2 }}</td>" })),
            Moment(0),
            0,
        );
        assert_eq!(cells(&drawn)[1], "<td class=\"sayso-cell\"><bdi>b</bdi></td>");
        let (argument, fault) = &drawn.faults[0];
        assert_eq!(*argument, "rowTemplate");
        assert!(fault.message.starts_with("option 0: "), "{}", fault.message);
    }
}
