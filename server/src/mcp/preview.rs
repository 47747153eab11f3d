//! `elicit_preview`: what would become of a call that creates a request, with nothing stored.

use super::{
    args::{Asked, Creating},
    outline::{self, Shown},
    warnings::{self, Warning},
};
use crate::render::{Busy, Renderer, Trial, options::Drawn};
use sayso_domain::{Ask, Faults, Moment, Object, selection::Selection};
use serde_json::{Value, json};

/// At most so many bytes in the answer, and so many of them rendered HTML.
const AT_MOST: usize = 256 << 10;
const HTML: usize = 128 << 10;
const OUTLINE: usize = 64 << 10;

/// What there is to say about a request before a person sees it.
pub(super) struct Rehearsal {
    pub(super) warnings: Vec<Warning>,
    trial: Option<Result<Trial, Busy>>,
    drawn: Option<Drawn>,
}

/// Tries the template of a request, so that nobody finds out first on the page; `told_apart` whether people sign in here.
pub(super) async fn rehearse(
    renderer: &Renderer,
    ask: &Ask,
    arguments: &Object,
    told_apart: bool,
    now: Moment,
) -> Rehearsal {
    let mut warnings = warnings::of_data(arguments, told_apart);
    if let Ask::Selection(selection) = ask {
        let drawn = renderer.draw(selection, now, 0).await;
        warnings.extend(warnings::of_options(selection, drawn.as_ref().map_err(|busy| *busy)));
        return Rehearsal { warnings, trial: None, drawn: drawn.ok() };
    }
    let trial = match ask.display_template() {
        Some(template) => Some(renderer.trial(template, ask.context(), now).await),
        None => None,
    };
    if let Some(trial) = &trial {
        let instead = match ask {
            Ask::Approval(approval) if approval.subject.payload().is_some() => "the context as JSON",
            Ask::Approval(_) | Ask::Proposal(_) | Ask::Selection(_) => "a short note",
        };
        warnings.extend(warnings::of_template(
            "displayTemplate",
            trial.as_ref().map_err(|busy| *busy),
            instead,
        ));
    }
    Rehearsal { warnings, trial, drawn: None }
}

/// The answer of `elicit_preview`.
pub(super) async fn preview(
    renderer: &Renderer,
    tool: Creating,
    arguments: &Object,
    told_apart: bool,
    now: Moment,
) -> Value {
    let answer = match tool.parse(arguments.clone()) {
        Err(faults) => refused(&faults, &warnings::of_data(arguments, told_apart)),
        Ok(Asked { ask, .. }) => {
            let Rehearsal { warnings, trial, drawn } =
                rehearse(renderer, &ask, arguments, told_apart, now).await;
            let fragment = trial.and_then(Result::ok).and_then(|trial| trial.rendering.ok());
            let shown = if fragment.is_some() { Shown::Template } else { Shown::Plain };
            let mut rendered = Object::new();
            if let Some(fragment) = fragment {
                rendered.insert("displayTemplate".to_owned(), cut(fragment.html, HTML).into());
            }
            if let (Some(drawn), Ask::Selection(selection)) = (drawn, &ask) {
                rows(&mut rendered, drawn, selection);
            }
            json!({
                "ok": true, "faults": [], "warnings": warnings, "rendered": rendered,
                "outline": cut(outline::of(&ask, shown), OUTLINE)
            })
        }
    };
    if answer.to_string().len() <= AT_MOST { answer } else { shortened(&answer) }
}

/// What the templates of a selection made, as far as there is room.
fn rows(rendered: &mut Object, drawn: Drawn, selection: &Selection) {
    let mut room = HTML;
    let mut fits = |html: &String| {
        let there_is = html.len() <= room;
        room = room.saturating_sub(html.len());
        there_is
    };
    if selection.layout.row.is_some() {
        let cells = drawn.rows.into_iter().map(|row| row.cells).take_while(&mut fits);
        rendered.insert("rowTemplate".to_owned(), cells.collect::<Vec<_>>().into());
    }
    for (argument, html) in [("headingTemplate", drawn.heading), ("footerTemplate", drawn.footer)] {
        if let Some(html) = html.filter(&mut fits) {
            rendered.insert(argument.to_owned(), html.into());
        }
    }
}

/// As much of an answer as may be said: what is escaped in JSON takes several times its length, so the HTML and the
/// outline go first, and of the lists as many as there is room for stay.
fn shortened(answer: &Value) -> Value {
    const EACH: usize = 96 << 10;
    let part = |name: &str| {
        let mut room = EACH;
        let all = answer[name].as_array().map(Vec::as_slice).unwrap_or_default();
        let fits = |item: &&Value| {
            let length = item.to_string().len();
            let there_is = length <= room;
            room = room.saturating_sub(length + 1);
            there_is
        };
        let told: Vec<&Value> = all.iter().take_while(fits).collect();
        (json!(told), all.len() - told.len())
    };
    let ((faults, more_faults), (warnings, more_warnings)) = (part("faults"), part("warnings"));
    let outline = format!(
        "Left out, with the HTML, {more_faults} faults and {more_warnings} warnings: the preview is larger than 256 KiB."
    );
    json!({ "ok": answer["ok"], "faults": faults, "warnings": warnings, "rendered": {}, "outline": outline })
}

fn refused(faults: &Faults, warnings: &[Warning]) -> Value {
    json!({ "ok": false, "faults": faults, "warnings": warnings, "rendered": {}, "outline": "" })
}

/// At most so many bytes of a text.
fn cut(mut text: String, at_most: usize) -> String {
    if text.len() > at_most {
        let end = (0..=at_most).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        text.truncate(end);
        text.push_str("… (cut here)");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_much_is_counted() {
        let fault = json!({ "message": "x".repeat(1000) });
        let answer = json!({ "ok": false, "faults": vec![fault; 1000], "warnings": [], "rendered": {}, "outline": "" });
        let short = shortened(&answer);
        assert!(short.to_string().len() <= AT_MOST);
        let told = short["faults"].as_array().unwrap().len();
        assert!(told > 50 && short["outline"].as_str().unwrap().contains(&format!("{} faults", 1000 - told)));
    }

    #[test]
    fn texts_are_cut_between_characters() {
        assert_eq!(cut("aéb".to_owned(), 2), "a… (cut here)");
        assert_eq!(cut("aéb".to_owned(), 4), "aéb");
    }
}
