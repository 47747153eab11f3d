//! The three ways to ask, as a text for models each: what prompts and skills are made of.

use std::sync::LazyLock;

/// A way to ask a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// May I do this?
    Approval,
    /// May I write this, field by field?
    Proposal,
    /// Which of these?
    Selection,
}

/// A text, as an author of skills writes it: `---`, a few `key: value` lines, `---`, and Markdown.
#[derive(Debug)]
pub struct Text {
    /// The name by which prompt and skill are known.
    pub name: &'static str,
    /// When to use it.
    pub description: &'static str,
    /// What it teaches.
    pub body: &'static str,
    /// All of it, to the letter.
    pub whole: &'static str,
}

static TEXTS: LazyLock<[Text; 3]> = LazyLock::new(|| {
    [
        include_str!("skills/get-approval.md"),
        include_str!("skills/propose-changes.md"),
        include_str!("skills/let-choose.md"),
    ]
    .map(|whole| Text::parse(whole).expect("the file of a skill has a name and a description"))
});

impl Flow {
    /// Every flow, in the order in which it is listed.
    pub const ALL: [Self; 3] = [Self::Approval, Self::Proposal, Self::Selection];

    /// What there is to read about it.
    pub fn text(self) -> &'static Text {
        &TEXTS[self as usize]
    }

    /// What people call it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Approval => "Get a person's approval",
            Self::Proposal => "Propose changes to a record",
            Self::Selection => "Let a person choose",
        }
    }
}

impl Text {
    /// Takes a file apart. Our own files hold one line a key, so no YAML parser is needed; a test holds them to that.
    fn parse(whole: &'static str) -> Option<Self> {
        let (front, body) = whole.strip_prefix("---\n")?.split_once("\n---\n")?;
        let mut lines = front.lines();
        let name = lines.next()?.strip_prefix("name: ")?;
        let description = lines.next()?.strip_prefix("description: ")?;
        lines.next().is_none().then_some(Self { name, description, body: body.trim_start(), whole })
    }
}
