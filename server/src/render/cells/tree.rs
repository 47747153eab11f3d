//! The tree that the parser builds: nodes in one vector, so that neither building nor freeing it ever recurses.

use html5ever::interface::{Attribute, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{QualName, local_name, ns};
use std::{
    borrow::Cow,
    cell::{Cell, RefCell},
};

/// The place of a node among all nodes.
pub(super) type Id = usize;

/// A node, linked with those around it.
pub(super) struct Node {
    /// What it is.
    pub(super) content: Content,
    /// Its first child.
    pub(super) first: Option<Id>,
    /// The sibling after it.
    pub(super) next: Option<Id>,
    last: Option<Id>,
    previous: Option<Id>,
    parent: Option<Id>,
}

/// What a node is.
pub(super) enum Content {
    /// An element.
    Element(QualName, Vec<Attribute>),
    /// Text, never empty.
    Text(StrTendril),
    /// Comments, the document itself, what is in a `<template>`: nothing that is shown.
    Other,
}

/// How the parser knows a node. The name goes along, because the parser borrows it at any time.
#[derive(Clone)]
pub(super) struct Handle {
    id: Id,
    name: QualName,
}

/// Receives what the parser finds. The first node is the document.
pub(super) struct Tree {
    nodes: RefCell<Vec<Node>>,
    weight: Cell<usize>,
}

impl Default for Tree {
    fn default() -> Self {
        Self { nodes: RefCell::new(vec![Node::new(Content::Other)]), weight: Cell::new(0) }
    }
}

impl Node {
    fn new(content: Content) -> Self {
        Self { content, first: None, next: None, last: None, previous: None, parent: None }
    }
}

impl Tree {
    /// How many nodes and attributes there are.
    pub(super) fn weight(&self) -> usize {
        self.weight.get()
    }

    fn add(&self, content: Content) -> Id {
        let attributes = if let Content::Element(_, attributes) = &content { attributes.len() } else { 0 };
        self.weight.set(self.weight.get() + 1 + attributes);
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(Node::new(content));
        nodes.len() - 1
    }

    fn handle(&self, content: Content) -> Handle {
        let name = match &content {
            Content::Element(name, _) => name.clone(),
            Content::Text(_) | Content::Other => nameless(),
        };
        Handle { id: self.add(content), name }
    }

    /// Puts a node or a text among the children of a parent, before one of them or last.
    fn insert(&self, parent: Id, before: Option<Id>, child: NodeOrText<Handle>) {
        let id = match child {
            NodeOrText::AppendNode(handle) => {
                self.detach(handle.id);
                handle.id
            }
            NodeOrText::AppendText(text) => {
                let mut nodes = self.nodes.borrow_mut();
                let neighbour = before.map_or(nodes[parent].last, |before| nodes[before].previous);
                if let Some(Content::Text(there)) = neighbour.map(|id| &mut nodes[id].content) {
                    there.push_tendril(&text);
                    return;
                }
                drop(nodes);
                self.add(Content::Text(text))
            }
        };
        let nodes = &mut *self.nodes.borrow_mut();
        let previous = before.map_or(nodes[parent].last, |before| nodes[before].previous);
        nodes[id].parent = Some(parent);
        nodes[id].previous = previous;
        nodes[id].next = before;
        lead(nodes, parent, previous, Some(id));
        trail(nodes, parent, before, Some(id));
    }

    fn detach(&self, id: Id) {
        let nodes = &mut *self.nodes.borrow_mut();
        let Some(parent) = nodes[id].parent.take() else { return };
        let (previous, next) = (nodes[id].previous.take(), nodes[id].next.take());
        lead(nodes, parent, previous, next);
        trail(nodes, parent, next, previous);
    }
}

/// Makes a node the one after another, or the first of its parent.
fn lead(nodes: &mut [Node], parent: Id, previous: Option<Id>, to: Option<Id>) {
    match previous {
        Some(previous) => nodes[previous].next = to,
        None => nodes[parent].first = to,
    }
}

/// Makes a node the one before another, or the last of its parent.
fn trail(nodes: &mut [Node], parent: Id, next: Option<Id>, to: Option<Id>) {
    match next {
        Some(next) => nodes[next].previous = to,
        None => nodes[parent].last = to,
    }
}

fn nameless() -> QualName {
    QualName::new(None, ns!(), local_name!(""))
}

impl TreeSink for Tree {
    type Handle = Handle;
    type Output = Vec<Node>;
    type ElemName<'a> = &'a QualName;

    fn finish(self) -> Vec<Node> {
        self.nodes.into_inner()
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        Handle { id: 0, name: nameless() }
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> &'a QualName {
        &target.name
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, _: ElementFlags) -> Handle {
        self.handle(Content::Element(name, attributes))
    }

    fn create_comment(&self, _: StrTendril) -> Handle {
        self.handle(Content::Other)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Handle {
        self.handle(Content::Other)
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.insert(parent.id, None, child);
    }

    fn append_based_on_parent_node(
        &self,
        element: &Handle,
        previous_element: &Handle,
        child: NodeOrText<Handle>,
    ) {
        let parent = self.nodes.borrow()[element.id].parent;
        match parent {
            Some(parent) => self.insert(parent, Some(element.id), child),
            None => self.insert(previous_element.id, None, child),
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    /// Nothing of a template is shown: a node that hangs nowhere takes what is in it.
    fn get_template_contents(&self, _: &Handle) -> Handle {
        self.handle(Content::Other)
    }

    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        x.id == y.id
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        let parent = self.nodes.borrow()[sibling.id].parent;
        // Without a parent there is nothing that the child could be shown in.
        if let Some(parent) = parent {
            self.insert(parent, Some(sibling.id), child);
        }
    }

    /// Only ever asked of `<html>` and `<body>`, which we do not write.
    fn add_attrs_if_missing(&self, _: &Handle, _: Vec<Attribute>) {}

    fn remove_from_parent(&self, target: &Handle) {
        self.detach(target.id);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        loop {
            let first = self.nodes.borrow()[node.id].first;
            let Some(id) = first else { break };
            self.insert(new_parent.id, None, NodeOrText::AppendNode(Handle { id, name: nameless() }));
        }
    }
}
