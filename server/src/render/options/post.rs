//! What a person's browser sends from the document of the options: bounded, and read as nothing but what it is.

use std::collections::BTreeSet;

/// At most so many bytes, and so many fields: five hundred rows need a tenth of it.
pub(super) const BYTES: usize = 64 << 10;
const FIELDS: usize = 1_200;

/// A form as it was sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sent {
    pub(super) filter: String,
    /// The chosen rows by their numbers, those out of view included.
    pub(super) chosen: BTreeSet<usize>,
    /// A row that is none, as it was sent.
    pub(super) stranger: Option<String>,
    pub(super) verb: Verb,
    /// What the person says beside it.
    pub(super) comment: String,
    /// Of what was shown.
    pub(super) digest: String,
}

/// What the person pressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Verb {
    Choose,
    Reject,
    /// Also what Enter does: it can never decide.
    #[default]
    Filter,
}

impl Sent {
    /// Reads the body of a form about so many options.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub(super) fn parse(body: &[u8], options: usize) -> Result<Self, &'static str> {
        let mut sent = Self::default();
        for (count, (name, value)) in form_urlencoded::parse(body).enumerate() {
            if count >= FIELDS {
                return Err("more fields than this form has");
            }
            match name.as_ref() {
                // Read before, by `token_in`.
                "token" => {}
                "comment" => sent.comment = value.into_owned(),
                "digest" => sent.digest = value.into_owned(),
                "q" => sent.filter = value.chars().take(200).collect(),
                "pick" | "kept" => match value.parse().ok().filter(|row| *row < options) {
                    Some(row) => drop(sent.chosen.insert(row)),
                    None => sent.stranger = Some(value.chars().take(80).collect()),
                },
                "do" => {
                    sent.verb = match value.as_ref() {
                        "choose" => Verb::Choose,
                        "reject" => Verb::Reject,
                        _ => Verb::Filter,
                    };
                }
                _ => return Err("a field that this form does not have"),
            }
        }
        Ok(sent)
    }
}

/// The token of a form that is not read yet; empty where there is none.
pub(super) fn token_in(body: &[u8]) -> String {
    let token = form_urlencoded::parse(body).take(FIELDS).find(|(name, _)| name == "token");
    token.map(|(_, token)| token.into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_numbers_and_nothing_else_decides() {
        let sent = Sent::parse(b"token=t&do=choose&pick=2&pick=2&kept=0&q=a%26b", 3).unwrap();
        assert_eq!((sent.chosen.into_iter().collect::<Vec<_>>(), sent.verb), (vec![0, 2], Verb::Choose));
        assert_eq!((sent.filter.as_str(), sent.stranger), ("a&b", None));
        assert_eq!(Sent::parse(b"pick=3", 3).unwrap().stranger.as_deref(), Some("3"));
        assert_eq!(Sent::parse(b"pick=1", 3).unwrap().verb, Verb::Filter, "Enter");
        assert!(Sent::parse(b"picks=1", 3).is_err());
        assert!(Sent::parse("pick=1&".repeat(FIELDS + 1).as_bytes(), 3).is_err());
        assert!(Sent::parse(&[0xff, b'=', 0xff], 3).is_err());
    }
}
