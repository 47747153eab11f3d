//! People: who stands before a page, whom an agent wants to decide, and whether that person may.

use crate::{Code, Fault, Pointer, form::Format, review::Reviewer};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// At most so many are named in one request.
pub const NAMED: usize = 50;
/// At most so many characters in an address or in a group's name.
pub const NAME_CHARACTERS: usize = 254;

/// What stands before the name of a group.
const GROUP: &str = "group:";

/// Somebody who has signed in, as the provider says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// The provider's own name for them, which never changes.
    pub subject: String,
    /// Their address, where the provider does not doubt it.
    pub email: Option<String>,
    /// What they are called.
    pub name: Option<String>,
    /// The groups that they are in.
    pub groups: Vec<String>,
}

impl Person {
    /// What they are called in answers and in the trail: their address, and without one what the provider calls them.
    pub fn known_as(&self) -> String {
        self.email.clone().unwrap_or_else(|| format!("subject:{}", self.subject))
    }
}

/// Who stands before a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Visitor {
    /// The one person whose own server this is: it runs open.
    Local,
    /// Somebody who has signed in, and is in a group that reviews here.
    Reviewer(Person),
    /// Somebody who has signed in, and is in no group that reviews here.
    Outsider(Person),
    /// Somebody who has not signed in.
    Stranger,
}

/// Why a visitor may neither see nor decide a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Denied {
    /// They have not signed in, or no longer are.
    SignIn,
    /// They have signed in, and others are asked.
    NotYours(Person),
}

impl Denied {
    /// What somebody is told who tries to decide nevertheless.
    pub fn in_words(&self) -> String {
        match self {
            Self::SignIn => "You are not signed in any more, so nothing was decided. Open this page in another tab, sign in \
                             there, then come back and try again: what you entered is still here."
                .to_owned(),
            Self::NotYours(person) => {
                format!("This is not {}'s to decide. Nothing was decided.", person.known_as())
            }
        }
    }
}

impl Visitor {
    /// The person who has signed in.
    pub fn person(&self) -> Option<&Person> {
        match self {
            Self::Reviewer(person) | Self::Outsider(person) => Some(person),
            Self::Local | Self::Stranger => None,
        }
    }

    /// Who decides, if this visitor may decide what these are asked.
    ///
    /// # Errors
    /// They may not.
    pub fn decides(&self, asked: &Reviewers) -> Result<Reviewer, Denied> {
        match self {
            Self::Local => Ok(Reviewer { name: "local".to_owned() }),
            Self::Reviewer(person) if asked.admit(person) => Ok(Reviewer { name: person.known_as() }),
            Self::Reviewer(person) | Self::Outsider(person) => Err(Denied::NotYours(person.clone())),
            Self::Stranger => Err(Denied::SignIn),
        }
    }
}

/// Whom an agent asks: nobody in particular, or these people and groups.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Reviewers(Vec<Named>);

/// A person or a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
enum Named {
    /// By address, in small letters.
    Person(String),
    Group(String),
}

impl Reviewers {
    /// Whether nobody in particular is asked.
    pub fn is_anybody(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this person is among them.
    pub fn admit(&self, person: &Person) -> bool {
        let email = person.email.as_ref().map(|email| email.to_lowercase());
        let is = |named: &Named| match named {
            Named::Person(address) => email.as_ref() == Some(address),
            Named::Group(group) => person.groups.contains(group),
        };
        self.is_anybody() || self.0.iter().any(is)
    }

    /// Them in words, unless nobody in particular is asked.
    pub fn in_words(&self) -> Option<String> {
        let word = |named: &Named| match named {
            Named::Person(address) => address.clone(),
            Named::Group(group) => format!("the group {group}"),
        };
        (!self.is_anybody()).then(|| self.0.iter().map(word).collect::<Vec<_>>().join(", "))
    }

    /// The argument `reviewers`: an array of addresses and groups.
    ///
    /// # Errors
    /// Every fault at once.
    pub fn parse(given: &Value, at: &Pointer) -> Result<Self, Vec<Fault>> {
        let wanted = format!("an array of 1 to {NAMED} e-mail addresses or `group:NAME`");
        let Value::Array(given) = given else {
            return Err(vec![Fault::wrong_type(at, &wanted, given)]);
        };
        if given.is_empty() || given.len() > NAMED {
            let code = if given.is_empty() { Code::TooShort } else { Code::TooLong };
            let message = format!("1 to {NAMED} reviewers; this has {}", given.len());
            let fault = Fault::new(at, code, message).found(given.len().to_string()).allowed(wanted);
            return Err(vec![
                fault.fix("Leave `reviewers` out to let every reviewer decide, or name a group"),
            ]);
        }
        let (mut named, mut faults) = (Vec::new(), Vec::new());
        for (index, entry) in given.iter().enumerate() {
            match Named::read(entry, &at.child(index)) {
                Ok(entry) if named.contains(&entry) => {}
                Ok(entry) => named.push(entry),
                Err(fault) => faults.push(*fault),
            }
        }
        if faults.is_empty() { Ok(Self(named)) } else { Err(faults) }
    }
}

impl Named {
    fn read(given: &Value, at: &Pointer) -> Result<Self, Box<Fault>> {
        const WANTED: &str = "an e-mail address, or `group:` and the name of a group";
        let Value::String(text) = given else {
            return Err(Box::new(Fault::wrong_type(at, WANTED, given)));
        };
        let length = text.trim().chars().count();
        if length > NAME_CHARACTERS + GROUP.len() {
            let message = format!("At most {NAME_CHARACTERS} characters; this has {length}");
            return Err(Box::new(Fault::new(at, Code::TooLong, message).found(length.to_string())));
        }
        Self::try_from(text.clone()).map_err(|_| {
            let message = "This is neither an e-mail address nor a group";
            Box::new(
                Fault::new(at, Code::WrongFormat, message)
                    .found(text.as_str())
                    .allowed(WANTED)
                    .fix("Write it like `ann@example.com` or `group:finance`"),
            )
        })
    }
}

impl TryFrom<String> for Named {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        let text = text.trim();
        if text.contains(char::is_control) {
            return Err("a control character");
        }
        match text.strip_prefix(GROUP).map(str::trim) {
            Some("") => Err("a group without a name"),
            Some(group) => Ok(Self::Group(group.to_owned())),
            None if Format::Email.admits(text) => Ok(Self::Person(text.to_lowercase())),
            None => Err("neither an address nor a group"),
        }
    }
}

impl From<Named> for String {
    fn from(named: Named) -> Self {
        match named {
            Named::Person(address) => address,
            Named::Group(group) => format!("{GROUP}{group}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn parse(given: Value) -> Result<Reviewers, Vec<(String, Code)>> {
        Reviewers::parse(&given, &Pointer::root().child("reviewers"))
            .map_err(|faults| faults.iter().map(|fault| (fault.pointer.to_string(), fault.code)).collect())
    }

    fn person(email: Option<&str>, groups: &[&str]) -> Person {
        Person {
            subject: "7".into(),
            email: email.map(str::to_owned),
            name: None,
            groups: groups.iter().map(|group| (*group).to_owned()).collect(),
        }
    }

    #[test]
    fn addresses_are_compared_without_their_letters_size_and_groups_with_it() {
        let asked = parse(json!([" Ann@Example.com ", "group: Finance", "ann@example.COM"])).unwrap();
        assert_eq!(serde_json::to_value(&asked).unwrap(), json!(["ann@example.com", "group:Finance"]));
        assert_eq!(asked.in_words().unwrap(), "ann@example.com, the group Finance");
        assert!(asked.admit(&person(Some("ANN@example.com"), &[])));
        assert!(asked.admit(&person(None, &["Finance"])));
        assert!(!asked.admit(&person(Some("bob@example.com"), &["finance"])));
        assert!(!asked.admit(&person(None, &[])), "somebody without an address is not everybody");
        assert!(Reviewers::default().admit(&person(None, &[])));
        assert!(Reviewers::default().in_words().is_none());
    }

    #[test]
    fn every_fault_is_told_with_its_place() {
        let at = |index: usize| format!("/reviewers/{index}");
        assert_eq!(
            parse(json!(["ann", 5, "group:", "group:x", "a\nb@c.example", "x".repeat(300)])).unwrap_err(),
            [
                (at(0), Code::WrongFormat),
                (at(1), Code::WrongType),
                (at(2), Code::WrongFormat),
                (at(4), Code::WrongFormat),
                (at(5), Code::TooLong)
            ]
        );
        assert_eq!(parse(json!([])).unwrap_err(), [("/reviewers".to_owned(), Code::TooShort)]);
        assert_eq!(parse(json!(vec!["a@b"; 51])).unwrap_err(), [("/reviewers".to_owned(), Code::TooLong)]);
        assert_eq!(parse(json!("a@b")).unwrap_err(), [("/reviewers".to_owned(), Code::WrongType)]);
        assert_eq!(parse(json!(null)).unwrap_err(), [("/reviewers".to_owned(), Code::WrongType)]);
    }

    #[test]
    fn only_who_is_asked_decides() {
        let (ann, bob) = (person(Some("ann@example.com"), &[]), person(Some("bob@example.com"), &[]));
        let asked = parse(json!(["ann@example.com"])).unwrap();
        assert_eq!(Visitor::Reviewer(ann.clone()).decides(&asked).unwrap().name, "ann@example.com");
        assert_eq!(Visitor::Reviewer(bob.clone()).decides(&asked), Err(Denied::NotYours(bob)));
        assert_eq!(Visitor::Outsider(ann.clone()).decides(&asked), Err(Denied::NotYours(ann)));
        assert_eq!(Visitor::Stranger.decides(&Reviewers::default()), Err(Denied::SignIn));
        assert_eq!(Visitor::Local.decides(&asked).unwrap().name, "local");
        assert_eq!(person(None, &[]).known_as(), "subject:7");
    }
}
