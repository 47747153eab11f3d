//! The properties that a caller may set, with what, and on what.
//!
//! A list of what is allowed: a property that browsers learn tomorrow is not in it.

/// Where a declaration may stand; a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Levels(u8);

impl Levels {
    /// On what is in a cell.
    pub const INSIDE: Self = Self(1);
    /// On a cell itself, whose neighbour is ours.
    pub const CELL: Self = Self(2);
    /// On a row, a section or the table, behind cells of ours.
    pub const BEHIND: Self = Self(4);
    /// On the document.
    pub const ROOT: Self = Self(8);
    /// Said of a row, the table or the document, but meant for what is in them, and so handed on to the cells.
    pub const HANDED_ON: Self = Self(16);
    /// Said of a row, and handed on to its cells.
    pub const HANDED_ON_BY_ROWS: Self = Self(32);

    const BOTH: Self = Self::INSIDE.and(Self::CELL);
    const INHERITED: Self = Self::BOTH.and(Self::HANDED_ON);
    /// A custom property: it does nothing by itself.
    pub const EVERYWHERE: Self = Self::BOTH.and(Self::BEHIND).and(Self::ROOT);

    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// What a property may be set to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// Words, numbers, colours, texts and the functions that are known.
    Free,
    /// The same, and pictures.
    Picture,
    /// Words and numbers that are not negative, written out: what is computed could be negative.
    Positive,
    /// One of these words. No `var()`: it could be any word.
    Word(&'static [&'static str]),
    /// What `content` takes.
    Content,
    /// What `transition` takes, without `allow-discrete`.
    Motion,
}

/// What is to be known of a property; `None` for one that callers may not set. The name is in small letters.
pub(super) fn property(name: &str) -> Option<(Kind, Levels)> {
    use Kind::{Content, Free, Motion, Picture, Positive, Word};
    use Levels as L;
    Some(match name {
        "color"
        | "font"
        | "font-family"
        | "font-feature-settings"
        | "font-kerning"
        | "font-size"
        | "font-size-adjust"
        | "font-stretch"
        | "font-style"
        | "font-synthesis"
        | "font-variant"
        | "font-variant-caps"
        | "font-variant-east-asian"
        | "font-variant-ligatures"
        | "font-variant-numeric"
        | "font-variant-position"
        | "font-variation-settings"
        | "font-weight"
        | "font-optical-sizing"
        | "line-height"
        | "text-align"
        | "text-align-last"
        | "text-transform"
        | "text-wrap"
        | "white-space"
        | "word-break"
        | "overflow-wrap"
        | "word-wrap"
        | "hyphens"
        | "tab-size"
        | "line-break"
        | "quotes"
        | "direction" => (Free, L::INHERITED),
        // Negative, they draw texts over their neighbours.
        "letter-spacing" | "word-spacing" | "text-indent" => (Positive, L::INHERITED),

        "background-color" => (Free, L::BOTH.and(L::BEHIND)),
        "background" | "background-image" => (Picture, L::BOTH),
        "background-attachment" => (Word(&["scroll", "local"]), L::BOTH),
        "background-clip"
        | "background-origin"
        | "background-position"
        | "background-position-x"
        | "background-position-y"
        | "background-repeat"
        | "background-size" => (Free, L::BOTH),

        "border-top"
        | "border-bottom"
        | "border-top-color"
        | "border-top-style"
        | "border-top-width"
        | "border-bottom-color"
        | "border-bottom-style"
        | "border-bottom-width"
        | "border-block"
        | "border-block-start"
        | "border-block-end"
        | "vertical-align" => (Free, L::BOTH.and(L::HANDED_ON_BY_ROWS)),
        "border"
        | "border-color"
        | "border-style"
        | "border-width"
        | "border-left"
        | "border-left-color"
        | "border-left-style"
        | "border-left-width"
        | "border-right"
        | "border-right-color"
        | "border-right-style"
        | "border-right-width"
        | "border-inline"
        | "border-inline-start"
        | "border-inline-end"
        | "border-radius"
        | "border-top-left-radius"
        | "border-top-right-radius"
        | "border-bottom-left-radius"
        | "border-bottom-right-radius" => (Free, L::BOTH),
        "padding"
        | "padding-top"
        | "padding-right"
        | "padding-bottom"
        | "padding-left"
        | "padding-block"
        | "padding-block-start"
        | "padding-block-end"
        | "padding-inline"
        | "padding-inline-start"
        | "padding-inline-end" => (Free, L::BOTH),
        "width" | "min-width" | "max-width" | "inline-size" | "min-inline-size" | "max-inline-size"
        | "box-sizing" | "opacity" | "text-overflow" => (Free, L::BOTH),
        "text-decoration"
        | "text-decoration-color"
        | "text-decoration-line"
        | "text-decoration-style"
        | "text-decoration-thickness"
        | "text-decoration-skip-ink"
        | "text-underline-offset"
        | "text-underline-position" => (Free, L::BOTH),
        "list-style" | "list-style-image" => (Picture, L::BOTH),
        "list-style-type" | "list-style-position" => (Free, L::BOTH),
        "visibility" => (Word(&["visible", "hidden"]), L::BOTH),
        // No picture: a pointer that is drawn elsewhere than it points.
        "cursor" => {
            (Word(&["auto", "default", "pointer", "help", "text", "not-allowed", "zoom-in"]), L::BOTH)
        }
        "transition"
        | "transition-property"
        | "transition-duration"
        | "transition-delay"
        | "transition-timing-function" => (Motion, L::BOTH),
        "user-select" | "-webkit-user-select" => (Word(&["auto", "text", "all", "none"]), L::BOTH),

        "content" => (Content, L::INSIDE),
        "counter-reset" | "counter-increment" | "counter-set" => (Free, L::INSIDE),
        // On a cell, only what leaves it a cell: see `on_cell`. No `contents`, which is no box that could be held.
        "display" => (
            Word(&[
                "none",
                "table-cell",
                "block",
                "inline",
                "inline-block",
                "flow-root",
                "list-item",
                "flex",
                "inline-flex",
                "grid",
                "inline-grid",
                "table",
                "inline-table",
                "-webkit-box",
            ]),
            L::BOTH,
        ),
        "margin"
        | "margin-top"
        | "margin-right"
        | "margin-bottom"
        | "margin-left"
        | "margin-block"
        | "margin-block-start"
        | "margin-block-end"
        | "margin-inline"
        | "margin-inline-start"
        | "margin-inline-end" => (Positive, L::INSIDE),
        "height" | "min-height" | "max-height" | "block-size" | "min-block-size" | "max-block-size"
        | "aspect-ratio" | "object-fit" | "object-position" | "image-rendering" => (Free, L::INSIDE),
        "overflow" | "overflow-x" | "overflow-y" => {
            (Word(&["visible", "hidden", "clip", "auto", "scroll"]), L::INSIDE)
        }
        "flex"
        | "flex-basis"
        | "flex-direction"
        | "flex-flow"
        | "flex-grow"
        | "flex-shrink"
        | "flex-wrap"
        | "order"
        | "align-content"
        | "align-items"
        | "align-self"
        | "justify-content"
        | "justify-items"
        | "justify-self"
        | "place-content"
        | "place-items"
        | "place-self"
        | "gap"
        | "row-gap"
        | "column-gap"
        | "grid"
        | "grid-area"
        | "grid-auto-columns"
        | "grid-auto-flow"
        | "grid-auto-rows"
        | "grid-column"
        | "grid-column-end"
        | "grid-column-start"
        | "grid-row"
        | "grid-row-end"
        | "grid-row-start"
        | "grid-template"
        | "grid-template-areas"
        | "grid-template-columns"
        | "grid-template-rows"
        | "float"
        | "clear" => (Free, L::INSIDE),
        "border-collapse" | "border-spacing" | "caption-side" | "empty-cells" | "table-layout" => {
            (Free, L::INSIDE)
        }
        "box-shadow" | "outline" | "outline-color" | "outline-style" | "outline-width"
        | "-webkit-line-clamp" | "line-clamp" | "-webkit-box-orient" => (Free, L::INSIDE),
        _ => return None,
    })
}

/// The words for `display` that leave a cell a cell, or remove it.
pub(super) fn on_cell(display: &str) -> bool {
    matches!(display, "none" | "table-cell")
}
