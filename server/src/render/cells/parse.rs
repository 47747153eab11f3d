//! Reading strangers' markup as a browser would, in time and memory that grow with its length and not with its square.
//!
//! The tree builder follows the standard, which lets a few bytes ask for a lot: every open element is looked through for
//! every tag, and each `<b>` that nobody closed is opened anew in every paragraph. A gate before it keeps both few.

use super::tree::{Handle, Node, Tree};
use html5ever::buffer_queue::BufferQueue;
use html5ever::interface::{ElementFlags, Tracer, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{LocalName, QualName, TokenizerResult, ns};
use std::cell::Cell;

/// Elements that may be open, or waiting to be opened anew, at a time. More than any depth that we write.
const MOST_OPEN: usize = 150;
/// Nodes and attributes of a tree; beyond them, and beyond one for each byte, only text is read on.
const MOST_NODES: usize = 100_000;
/// Attributes of a tag: the tokenizer compares each with all before it.
const MOST_ATTRIBUTES: usize = 64;
/// Bytes that are parsed at all.
const MOST_BYTES: usize = 4 << 20;

/// A fragment, read.
pub(super) struct Parsed {
    /// The children of its root are those of the first child of its first node.
    pub(super) tree: Vec<Node>,
    /// Whether tags were passed over because too many elements were open.
    pub(super) is_flattened: bool,
}

/// Reads markup as what stands in an element of the given name.
pub(super) fn fragment(html: &str, context: LocalName) -> Parsed {
    let tree = Tree::default();
    let name = QualName::new(None, ns!(html), context);
    let context = tree.create_element(name, Vec::new(), ElementFlags::default());
    // The document that it is for runs no scripts either.
    let options = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let builder = TreeBuilder::new_for_fragment(tree, context, None, options);
    let room = html.len().min(MOST_NODES) + 1_000;
    let gate = Gate { builder, room, is_flattened: Cell::new(false) };
    // A fragment is not where a file begins: U+FEFF is a character like others.
    let options = TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() };
    let tokenizer = Tokenizer::new(gate, options);
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(html));
    // It pauses where a browser would run a script.
    while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
    tokenizer.end();
    let Gate { builder, is_flattened, .. } = tokenizer.sink;
    Parsed { tree: builder.sink.finish(), is_flattened: is_flattened.get() }
}

/// Whether markup is too much for the tokenizer itself.
pub(super) fn is_excessive(html: &str) -> bool {
    if html.len() > MOST_BYTES {
        return true;
    }
    // Where the tokenizer would see a tag depends on what is open. Every place that could be one is looked at, and the
    // looks, which may overlap, are counted.
    let bytes = html.as_bytes();
    let mut looks = 8 * bytes.len() + 4_096;
    for (start, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'<') {
        let name = match &bytes[start + 1..] {
            [b'/', name @ ..] | name => name,
        };
        if !name.first().is_some_and(u8::is_ascii_alphabetic) {
            continue;
        }
        let (attributes, length) = count_attributes(name);
        if attributes > MOST_ATTRIBUTES || length > looks {
            return true;
        }
        looks -= length;
    }
    false
}

/// How many attributes the tag has whose name begins here (no more than are one too many), and how long it is.
fn count_attributes(tag: &[u8]) -> (usize, usize) {
    fn skip(tag: &[u8], from: usize, over: impl Fn(u8) -> bool) -> usize {
        tag[from..].iter().position(|byte| !over(*byte)).map_or(tag.len(), |length| from + length)
    }
    let is_space = |byte: u8| byte.is_ascii_whitespace();
    let ends_name = |byte: u8| is_space(byte) || byte == b'/' || byte == b'>';
    let mut at = skip(tag, 0, |byte| !ends_name(byte));
    for attributes in 0..=MOST_ATTRIBUTES {
        at = skip(tag, at, |byte| is_space(byte) || byte == b'/');
        if at == tag.len() || tag[at] == b'>' {
            return (attributes, at);
        }
        // An equals sign that stands first is part of the name.
        at = skip(tag, at + 1, |byte| !ends_name(byte) && byte != b'=');
        let equals = skip(tag, at, is_space);
        if tag.get(equals) != Some(&b'=') {
            continue;
        }
        at = skip(tag, equals + 1, is_space);
        at = match tag.get(at) {
            Some(quote @ (b'"' | b'\'')) => (skip(tag, at + 1, |byte| byte != *quote) + 1).min(tag.len()),
            _ => skip(tag, at, |byte| !is_space(byte) && byte != b'>'),
        };
    }
    (MOST_ATTRIBUTES + 1, at)
}

/// Stands between the tokenizer and the tree builder, and passes over tags where there are too many elements.
struct Gate {
    builder: TreeBuilder<Handle, Tree>,
    /// How many nodes and attributes there may be.
    room: usize,
    is_flattened: Cell<bool>,
}

impl Gate {
    fn lets_pass(&self, tag: &Tag) -> bool {
        // These decide how the tokenizer goes on, and leave nothing open behind them.
        let is_raw = matches!(
            tag.name.as_ref(),
            "iframe"
                | "noembed"
                | "noframes"
                | "plaintext"
                | "script"
                | "style"
                | "textarea"
                | "title"
                | "xmp"
        );
        if is_raw {
            return true;
        }
        if self.builder.sink.weight() > self.room {
            return false;
        }
        // A cell closes the one before it.
        tag.kind == TagKind::EndTag
            || matches!(tag.name.as_ref(), "td" | "th" | "tr")
            || self.count_open() < MOST_OPEN
    }

    fn count_open(&self) -> usize {
        struct Counter(Cell<usize>);
        impl Tracer for Counter {
            type Handle = Handle;
            fn trace_handle(&self, _: &Handle) {
                self.0.set(self.0.get() + 1);
            }
        }
        let counter = Counter(Cell::new(0));
        self.builder.trace_handles(&counter);
        counter.0.get()
    }
}

impl TokenSink for Gate {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        match token {
            Token::TagToken(tag) if !self.lets_pass(&tag) => {
                self.is_flattened.set(true);
                TokenSinkResult::Continue
            }
            // Nobody is shown it.
            Token::CommentToken(_) => TokenSinkResult::Continue,
            token => self.builder.process_token(token, line),
        }
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}
