//! What was left out of a template's markup, told to whoever wrote it.

/// One thing that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Dropped {
    /// Why.
    pub code: Code,
    /// Which element, attribute, class or property, cut at 40 characters; empty where the code says it all.
    pub name: String,
}

/// Why something was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Code {
    /// An element that is not allowed. Its text stays, where it is text that browsers show.
    Element,
    /// An attribute that is not allowed there, or not with this value.
    Attribute,
    /// A class that is ours: it begins with `sayso-`.
    Class,
    /// A declaration in a `style` attribute that could reach beyond its cell, or may not be what it seems.
    Style,
    /// Elements nested deeper than a cell may be; their text stays.
    Depth,
    /// More columns or rows than a table may have; what was in them stands in the last cell.
    Cells,
    /// Markup that is too much to be read: the beginning of its source is shown.
    Excess,
}

impl Code {
    /// Its name, which never changes its meaning.
    pub(in super::super) fn as_str(self) -> &'static str {
        match self {
            Self::Element => "element",
            Self::Attribute => "attribute",
            Self::Class => "class",
            Self::Style => "style",
            Self::Depth => "depth",
            Self::Cells => "cells",
            Self::Excess => "excess",
        }
    }
}

/// Collects what was left out.
#[derive(Default)]
pub(super) struct Report(Vec<Dropped>);

impl Report {
    /// Tells of a thing, unless it has been told or there has been enough.
    pub(super) fn note(&mut self, code: Code, name: &str) {
        const MOST: usize = 20;
        const LONGEST: usize = 40;
        let name = name.char_indices().nth(LONGEST).map_or(name, |(end, _)| &name[..end]);
        let is_told = self.0.iter().any(|told| told.code == code && told.name == name);
        if self.0.len() < MOST && !is_told {
            self.0.push(Dropped { code, name: name.to_owned() });
        }
    }

    /// Everything that was told.
    pub(super) fn finish(self) -> Vec<Dropped> {
        self.0
    }
}
