//! The selection: one or more of up to five hundred options that an agent brings.

mod parse;

use crate::{Code, Fault, Faults, Object, Pointer, fault::excerpt, people::Reviewers};
use serde::{Deserialize, Serialize};

/// At most so many options.
pub const OPTIONS: usize = 500;

/// What an agent wants chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Selection {
    /// What the reviewer reads first.
    pub message: String,
    /// What there is to choose from, in the caller's order; at least one.
    pub options: Vec<Candidate>,
    /// At least so many are chosen.
    pub min: usize,
    /// At most so many are chosen, and never more than there are.
    pub max: usize,
    /// How the table is drawn.
    pub layout: Layout,
    /// What the button is called that sends the choice.
    pub submit: String,
    /// What the button is called that refuses all options.
    pub reject: String,
    /// Whom the agent wants to decide.
    #[serde(default, skip_serializing_if = "Reviewers::is_anybody")]
    pub reviewers: Reviewers,
    /// Whether a refusal has to say why.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub comment_on_reject: bool,
}

/// One option.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// What comes back: unique, not empty, never changed.
    pub id: String,
    /// Everything the caller says of it, the id included.
    pub data: Object,
}

/// How a caller has the table drawn; where it says nothing, a label a row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    /// The cells of a row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
    /// The cells of the heading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
    /// The footer of the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub footer: Option<String>,
    /// More about a row, shown while it is pointed at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hover: Option<String>,
    /// A style sheet for the cells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub css: Option<String>,
}

/// What a reviewer sends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Draft {
    /// These ids, in any order.
    Choose(Vec<String>),
    /// None of these.
    Reject,
}

/// A judged draft.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Answer(Draft);

impl Answer {
    /// The chosen ids in the order of the options, unless all were refused.
    pub fn chosen(&self) -> Option<&[String]> {
        match &self.0 {
            Draft::Choose(ids) => Some(ids),
            Draft::Reject => None,
        }
    }
}

impl Candidate {
    /// What it is called where no template says more: its label, else its id.
    pub fn label(&self) -> &str {
        let label = self.data.get("label").and_then(serde_json::Value::as_str);
        label.filter(|label| !label.trim().is_empty()).unwrap_or(&self.id)
    }
}

impl Selection {
    /// Whether more than one may be chosen.
    pub fn is_multiple(&self) -> bool {
        self.max > 1
    }

    /// How many are to be chosen, in words.
    pub fn range_in_words(&self) -> String {
        match (self.min, self.max) {
            (min, max) if min == max => format!("Choose {min}"),
            (0, max) => format!("Choose up to {max}"),
            (min, max) => format!("Choose {min} to {max}"),
        }
    }

    /// Judges a draft: every id is an option's own, none stands twice, and there are neither too few nor too many.
    ///
    /// # Errors
    /// Every fault at once, with pointers below `/selectedIds`.
    pub fn judge(&self, draft: &Draft) -> Result<Answer, Faults> {
        let Draft::Choose(ids) = draft else {
            return Ok(Answer(Draft::Reject));
        };
        let at = Pointer::root().child("selectedIds");
        let mut faults = Vec::new();
        for (index, id) in ids.iter().enumerate() {
            // A hostile form can hold any number of them; what is wrong with the first few tells enough.
            if faults.len() >= 20 {
                break;
            }
            if !self.options.iter().any(|option| option.id == *id) {
                let message = format!("“{}” is none of the options", excerpt(id));
                faults.push(Fault::new(&at.child(index), Code::UnknownOption, message).found(id.as_str()));
            } else if ids[..index].contains(id) {
                let message = format!("“{}” is chosen twice", excerpt(id));
                faults.push(Fault::new(&at.child(index), Code::Duplicate, message).found(id.as_str()));
            }
        }
        let chosen = ids.len();
        if chosen < self.min || chosen > self.max {
            let code = if chosen < self.min { Code::TooShort } else { Code::TooLong };
            let message = format!("{}; {chosen} chosen", self.range_in_words());
            faults.push(
                Fault::new(&at, code, message).found(chosen.to_string()).allowed(self.range_in_words()),
            );
        }
        Faults::check(faults)?;
        let ordered = self.options.iter().filter(|option| ids.contains(&option.id));
        Ok(Answer(Draft::Choose(ordered.map(|option| option.id.clone()).collect())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn selection(min: usize, max: usize) -> Selection {
        let arguments = json!({
            "message": "Which?", "minSelections": min, "maxSelections": max,
            "options": [{ "id": "a", "label": "A" }, { "id": "b" }, { "id": " c ", "label": " " }]
        });
        Selection::parse(arguments.as_object().unwrap()).unwrap().0
    }

    fn judge(selection: &Selection, ids: &[&str]) -> Result<Vec<String>, Vec<(String, Code)>> {
        let draft = Draft::Choose(ids.iter().map(|id| (*id).to_owned()).collect());
        match selection.judge(&draft) {
            Ok(answer) => Ok(answer.chosen().unwrap().to_vec()),
            Err(faults) => Err(faults.iter().map(|f| (f.pointer.to_string(), f.code)).collect()),
        }
    }

    #[test]
    fn ids_come_back_in_the_order_of_the_options() {
        assert_eq!(judge(&selection(1, 3), &[" c ", "a"]).unwrap(), ["a", " c "]);
        assert_eq!(selection(1, 1).judge(&Draft::Reject).unwrap().chosen(), None);
        assert_eq!(judge(&selection(0, 2), &[]).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn what_is_no_option_or_too_many_is_refused() {
        let both = selection(1, 1);
        assert_eq!(judge(&both, &[]).unwrap_err(), [("/selectedIds".to_owned(), Code::TooShort)]);
        assert_eq!(judge(&both, &["c"]).unwrap_err(), [("/selectedIds/0".to_owned(), Code::UnknownOption)]);
        assert_eq!(
            judge(&both, &["a", "a"]).unwrap_err(),
            [("/selectedIds/1".to_owned(), Code::Duplicate), ("/selectedIds".to_owned(), Code::TooLong)]
        );
    }

    #[test]
    fn labels_and_ranges_in_words() {
        let labels: Vec<_> = selection(1, 1).options.iter().map(|option| option.label().to_owned()).collect();
        assert_eq!(labels, ["A", "b", " c "]);
        let words = [(1, 1), (2, 2), (1, 3), (0, 2)].map(|(min, max)| selection(min, max).range_in_words());
        assert_eq!(words, ["Choose 1", "Choose 2", "Choose 1 to 3", "Choose up to 2"]);
    }

    #[test]
    fn what_is_stored_comes_back() {
        let stored = serde_json::to_string(&selection(1, 2)).unwrap();
        assert_eq!(serde_json::from_str::<Selection>(&stored).unwrap(), selection(1, 2));
        let _: Value = serde_json::from_str(&stored).unwrap();
    }
}
