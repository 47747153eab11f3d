//! Laws for whatever strangers write: a parser of its own is asked what it makes of what we wrote.

use super::super::tree::{Content, Id, Node, Tree};
use super::super::{allow, *};
use html5ever::tendril::TendrilSink;
use html5ever::{QualName, ns};
use proptest::prelude::*;

const PLACES: [Place; 4] = [Place::Row, Place::Heading, Place::Footer, Place::Detail];

/// Markup as it is never written on purpose.
fn soup() -> impl Strategy<Value = String> {
    let elements = "a abbr applet article b base body br button caption center code col colgroup dd details div dl dt em \
        embed fieldset font form frameset h1 h2 head hr html i iframe image img input label li link listing main \
        marquee math menu meta mi mtext annotation-xml nobr noembed noframes noscript object ol optgroup option p \
        param plaintext pre rp rt ruby script search section select small span strong style summary svg desc \
        foreignObject table tbody td template textarea tfoot th thead title tr tt u ul wbr xmp x-y";
    let elements: Vec<&str> = elements.split_ascii_whitespace().collect();
    let attributes = [
        "",
        "",
        "",
        "",
        " class='a sayso-b'",
        " id=x",
        " style=color:red;top:0",
        " onclick=x",
        " href=x",
        " colspan=3",
        " title='<td>\"&quot;\r&#13;'",
        " a=\"",
        " b='",
        " /",
        "/",
        " type=hidden",
        " dir=RTL",
        " src=data:image/png,x",
        " =x",
    ];
    let bits = [
        "x",
        " ",
        "\n",
        "text",
        "&lt;",
        "&amp;lt;",
        "&#13;",
        "&#0;",
        "\0",
        "\r\n",
        "<",
        "</",
        "<!--",
        "-->",
        "<!",
        "<?",
        "<![CDATA[",
        "]]>",
        "\"",
        "'",
        ">",
        "&",
        "&nbsp",
        "\u{feff}",
        "<!DOCTYPE html>",
        "é",
        "\u{b}",
        "\u{c}",
    ];
    let open = (prop::sample::select(elements.clone()), prop::sample::select(attributes.to_vec()))
        .prop_map(|(element, attribute)| format!("<{element}{attribute}>"));
    let close = prop::sample::select(elements).prop_map(|element| format!("</{element}>"));
    let bit = prop::sample::select(bits.to_vec()).prop_map(str::to_owned);
    let table = prop::sample::select(vec![
        "<td>", "</td>", "</tr>", "</table>", "<tr>", "<table>", "<p>", "<b>", "<a>", "<li>",
    ])
    .prop_map(str::to_owned);
    let piece = prop_oneof![4 => open, 2 => close, 3 => bit, 3 => table, 1 => any::<String>()];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn children(tree: &[Node], id: Id) -> Vec<Id> {
    std::iter::successors(tree[id].first, |id| tree[*id].next).collect()
}

fn name(tree: &[Node], id: Id) -> &str {
    match &tree[id].content {
        Content::Element(name, _) => &name.local,
        Content::Text(_) => "#text",
        Content::Other => "#other",
    }
}

/// All below a node in the order of the document, without what is in elements that are left out with their text.
fn below(tree: &[Node], id: Id) -> Vec<Id> {
    let mut found = Vec::new();
    let mut todo = children(tree, id);
    todo.reverse();
    while let Some(id) = todo.pop() {
        found.push(id);
        let is_left_out = matches!(&tree[id].content, Content::Element(name, _)
            if name.ns != ns!(html) || allow::kind(&name.local) == allow::Kind::Nothing);
        if !is_left_out {
            todo.extend(children(tree, id).into_iter().rev());
        }
    }
    found
}

fn text(tree: &[Node], id: Id) -> String {
    let texts = below(tree, id).into_iter().filter_map(|id| match &tree[id].content {
        Content::Text(text) => Some(&**text),
        _ => None,
    });
    texts.collect::<String>().split_ascii_whitespace().collect()
}

fn document(html: &str) -> Vec<Node> {
    html5ever::parse_document(Tree::default(), Default::default()).one(html)
}

fn fragment(html: &str, place: Place) -> Vec<Node> {
    let mut options = html5ever::ParseOpts::default();
    options.tokenizer.discard_bom = false;
    options.tree_builder.scripting_enabled = false;
    let context = QualName::new(None, ns!(html), place.context());
    html5ever::parse_fragment(Tree::default(), options, context, vec![], false).one(html)
}

/// The one body of a document, and the names of what is in it.
fn body(tree: &[Node]) -> Id {
    let html = children(tree, 0)[0];
    children(tree, html)[1]
}

fn names(tree: &[Node], id: Id) -> Vec<&str> {
    children(tree, id).into_iter().map(|id| name(tree, id)).collect()
}

fn columns(tree: &[Node], row: Id) -> usize {
    let span = |id: Id| match &tree[id].content {
        Content::Element(_, attributes) => {
            let span = attributes.iter().find(|attribute| &*attribute.name.local == "colspan");
            span.map_or(1, |span| span.value.parse().unwrap())
        }
        _ => panic!("only cells are in a row"),
    };
    children(tree, row).into_iter().map(span).sum()
}

/// What may be written, written out a second time.
fn assert_allowed(tree: &[Node], cell: Id) {
    const ELEMENTS: &str = " a abbr article aside b bdi bdo blockquote br cite code dd del dfn div dl dt em figcaption \
        figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li mark ol p pre q s samp section small span strong \
        sub sup time u ul var wbr ";
    const ATTRIBUTES: &str = " alt class colspan dir height lang scope src start style title width ";
    for id in std::iter::once(cell).chain(below(tree, cell)) {
        let Content::Element(element, attributes) = &tree[id].content else { continue };
        let is_cell = id == cell && matches!(&*element.local, "td" | "th");
        assert_eq!(element.ns, ns!(html));
        assert!(is_cell || ELEMENTS.contains(&format!(" {} ", element.local)), "{}", element.local);
        for attribute in attributes {
            assert!(ATTRIBUTES.contains(&format!(" {} ", attribute.name.local)), "{}", attribute.name.local);
            assert!(!attribute.value.contains("sayso-"));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// The control of a row stays in its row, the row below it stays whole, and nothing leaves the table.
    #[test]
    fn a_row_stays_in_its_row(html in soup(), is_heading in any::<bool>()) {
        let cleaned = clean(&html, if is_heading { Place::Heading } else { Place::Row });
        let tree = document(&format!(
            "<!DOCTYPE html><form><table><tbody><tr><td>FIRST<input></td>{}</tr><tr><td>SECOND<input></td></tr></tbody>\
             </table></form>",
            cleaned.html
        ));
        prop_assert_eq!(names(&tree, body(&tree)), ["form"]);
        let form = children(&tree, body(&tree))[0];
        prop_assert_eq!(names(&tree, form), ["table"]);
        let table = children(&tree, form)[0];
        prop_assert_eq!(names(&tree, table), ["tbody"]);
        let rows = children(&tree, children(&tree, table)[0]);
        prop_assert_eq!(rows.len(), 2);
        let first = children(&tree, rows[0]);
        prop_assert_eq!(names(&tree, first[0]), ["#text", "input"]);
        prop_assert_eq!(text(&tree, first[0]), "FIRST");
        prop_assert_eq!(columns(&tree, rows[0]), cleaned.cells + 1);
        first[1..].iter().for_each(|cell| assert_allowed(&tree, *cell));
        let second = children(&tree, rows[1]);
        prop_assert_eq!(second.len(), 1);
        prop_assert_eq!(names(&tree, second[0]), ["#text", "input"]);
        prop_assert_eq!(text(&tree, second[0]), "SECOND");
    }

    #[test]
    fn a_footer_stays_a_footer(html in soup()) {
        let cleaned = clean(&html, Place::Footer);
        let tree = document(&format!("<!DOCTYPE html><table><tfoot>{}</tfoot></table>END", cleaned.html));
        prop_assert_eq!(names(&tree, body(&tree)), ["table", "#text"]);
        let foot = children(&tree, children(&tree, body(&tree))[0])[0];
        prop_assert_eq!(name(&tree, foot), "tfoot");
        let rows = children(&tree, foot);
        prop_assert!(rows.iter().all(|row| name(&tree, *row) == "tr"));
        prop_assert_eq!(rows.iter().map(|row| columns(&tree, *row)).max().unwrap_or(0), cleaned.cells);
        prop_assert_eq!(cleaned.html.matches("<tr>").count(), rows.len());
        for row in rows {
            children(&tree, row).into_iter().for_each(|cell| assert_allowed(&tree, cell));
        }
    }

    #[test]
    fn a_detail_stays_in_its_cell(html in soup()) {
        let cleaned = clean(&html, Place::Detail);
        let tree = document(&format!(
            "<!DOCTYPE html><table><tr><td>FIRST<td><div>{}</div><i></i><td>THIRD</table>",
            cleaned.html
        ));
        prop_assert_eq!(names(&tree, body(&tree)), ["table"]);
        let table = children(&tree, body(&tree))[0];
        let row = children(&tree, children(&tree, table)[0])[0];
        let cells = children(&tree, row);
        prop_assert_eq!(cells.len(), 3);
        prop_assert_eq!(names(&tree, cells[1]), ["div", "i"]);
        assert_allowed(&tree, children(&tree, cells[1])[0]);
        prop_assert_eq!(text(&tree, cells[2]), "THIRD");
    }

    #[test]
    fn cleaning_twice_is_cleaning_once(html in soup()) {
        for place in PLACES {
            let once = clean(&html, place);
            let twice = clean(&once.html, place);
            prop_assert_eq!(&twice.html, &once.html, "{:?} of {}", place, html);
            prop_assert_eq!(twice.cells, once.cells);
        }
    }

    /// What a browser would have shown in such a place is still there.
    #[test]
    fn text_stays(html in soup()) {
        for place in PLACES {
            let cleaned = clean(&html, place).html;
            let (before, after) = (fragment(&html, place), fragment(&cleaned, place));
            prop_assert_eq!(text(&after, 0), text(&before, 0), "{:?} of {} is {}", place, html, cleaned);
        }
    }
}
