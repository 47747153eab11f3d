//! What templates write and what is shown of it; the laws that hold for whatever they write are in [`laws`].

mod laws;

use super::*;

fn row(html: &str) -> String {
    clean(html, Place::Row).html
}

fn told(html: &str) -> Vec<(&'static str, String)> {
    let dropped = clean(html, Place::Row).dropped;
    dropped.into_iter().map(|dropped| (dropped.code.as_str(), dropped.name)).collect()
}

/// What is right is not touched.
#[test]
fn plain_cells_stay_as_they_are() {
    for html in [
        "<td>Ann</td><td class=\"domain muted\">a.example</td>",
        "<th scope=\"row\">Ann</th><td colspan=\"2\" title=\"&quot;x&quot;\" lang=\"en-GB\" dir=\"rtl\">a &amp; b &lt; c</td>",
        "<td><p>One <b>two</b><br>three</p><ul><li>four<ol start=\"3\"><li>five</li></ol></li></ul></td>",
        "<td><dl><div><dt>a</dt><dd>b</dd></div><dt>c</dt><dd>d</dd></dl></td>",
        "<td><pre>\n  x\n</pre><h3>y</h3><hr><a>z</a></td>",
        "<td><img src=\"data:image/png;base64,AAAA\" alt=\"a\" width=\"16\" height=\"16\"></td>",
        "<td style=\"text-align:right;color:rgb(1, 2, 3);background:#eee\">1</td>",
    ] {
        let cleaned = clean(html, Place::Row);
        assert_eq!((cleaned.html.as_str(), cleaned.dropped.as_slice()), (html, &[][..]));
    }
}

#[test]
fn a_row_does_not_end_before_its_end() {
    assert_eq!(row("<td>a</td></tr></table></form><td>b"), "<td>a</td><td>b</td>");
    assert_eq!(row("</td></tr></tbody></table></form></div>"), "<td></td>");
    assert_eq!(row("<tr><td>a</td></tr><tr><td>b</td></tr>"), "<td>a</td><td>b</td>");
    assert_eq!(
        row("<td>a<!-- </td>--><td title='</td></tr>'>b"),
        "<td>a</td><td title=\"&lt;/td&gt;&lt;/tr&gt;\">b</td>"
    );
    assert_eq!(row("<td><textarea></td></tr>"), "<td>&lt;/td&gt;&lt;/tr&gt;</td>");
    assert_eq!(row("<td>a<plaintext></td><td>b"), "<td>a&lt;/td&gt;&lt;td&gt;b</td>");
}

#[test]
fn what_has_no_cell_gets_one() {
    assert_eq!(row(""), "<td></td>");
    assert_eq!(row(" \n<!-- x --> <b></b><script>x</script>"), "<td></td>");
    assert_eq!(
        row("Ann <b>x</b>\n<td>b</td>\n  c"),
        "<td>Ann <b>x</b>\n</td><td>b</td><td>c</td>".replace("<td>c", "<td>\n  c")
    );
    assert_eq!(clean("Name", Place::Heading).html, "<th>Name</th>");
    assert_eq!(clean("", Place::Heading).html, "<th></th>");
    assert_eq!(clean("<i></i> ", Place::Footer), Cleaned { html: String::new(), cells: 0, dropped: vec![] });
    assert_eq!(clean("<td>a</td></tr>b", Place::Detail).html, "ab");
}

#[test]
fn a_footer_is_a_row_or_several_or_cells() {
    let footer = |html| clean(html, Place::Footer);
    let cleaned = footer("<tr class=\"x\"><td>a</td></tr> <tr><td colspan=3>b</td></tr>");
    assert_eq!(cleaned.html, "<tr><td>a</td></tr><tr><td colspan=\"3\">b</td></tr>");
    assert_eq!(cleaned.cells, 3);
    assert_eq!(footer("<td>a</td><td>b</td>").html, "<tr><td>a</td><td>b</td></tr>");
    assert_eq!(footer("<tfoot><tr><th>a</tfoot></table>").html, "<tr><th>a</th></tr>");
    assert_eq!(footer("12 options").html, "<tr><td>12 options</td></tr>");
    let many = footer(&"<tr><td>x</td></tr>".repeat(30));
    assert_eq!(many.html.matches("<tr>").count(), MAX_ROWS);
    assert_eq!(many.html.matches('x').count(), 30);
    assert_eq!(many.dropped, [Dropped { code: Code::Cells, name: String::new() }]);
}

#[test]
fn nothing_is_left_that_could_be_used_or_referred_to() {
    let html = "<td><form action=/x><label for=a>L</label><input name=option value=2><button formaction=/y>B</button>\
        <select name=s><option>O</select></form><a href=javascript:x id=a name=b target=_top>A</a></td>";
    assert_eq!(row(html), "<td><div>LBO</div><a>A</a></td>");
    let html =
        "<td onclick=x tabindex=0 role=radio aria-checked=true hidden slot=a is=b popover rowspan=9>x</td>";
    assert_eq!(row(html), "<td>x</td>");
    let html = "<td><svg><a xlink:href=x>a</a><style>*{}</style></svg><math><mi>b</mi></math><iframe>c</iframe>\
        <object>d</object><embed><base href=x><meta http-equiv=refresh><link rel=x><template>e</template>\
        <details open><summary>f</summary>g</details><noscript>h</noscript><x-y>i</x-y></td>";
    assert_eq!(row(html), "<td><div><div>f</div>g</div>i</td>");
    assert_eq!(row("<td><img src=https://a.example/x.png alt=Logo></td>"), "<td><img alt=\"Logo\"></td>");
    assert_eq!(
        row("<td><img src='data:text/html,x'><img src=' DATA:image/svg+xml,x'>").matches("src").count(),
        1
    );
    assert_eq!(
        row("<td class='a SAYSO-pick b sayso-x'>x<i class=sayso-y>"),
        "<td class=\"a b\">x<i></i></td>"
    );
}

#[test]
fn tables_in_cells_become_boxes() {
    let html = "<td><table class=t><caption>a</caption><tr><td class=x>b<td>c</table>d<table>e<td>f</table></td><td>g</td>";
    assert_eq!(
        row(html),
        "<td><div>a</div><div class=\"x\">b</div><div>c</div>de<div>f</div></td><td>g</td>"
    );
    assert_eq!(
        row("<td><p>a<table><td><p>b<ul><li>c"),
        "<td><p>a</p><div><p>b</p><ul><li>c</li></ul></div></td>"
    );
}

#[test]
fn declarations_stay_in_their_cell() {
    let style = |value: &str| row(&format!("<td style=\"{value}\">x</td>"));
    assert_eq!(
        style("COLOR : Red ; ; text-align:\tright"),
        "<td style=\"color:Red;text-align:right\">x</td>"
    );
    for reaching in [
        "position:fixed",
        "color:red!important",
        "background:url(data:x)",
        "color:var(--x)",
        "color:rgb(1",
        "color:rgb(rgb(1))",
        "color:1)rgb(1",
        "font-family:'a'",
        "color:re\\64",
        "color:/**/red",
        "color",
        "font-size:9999px",
        "--x:1",
    ] {
        assert_eq!(style(reaching), "<td>x</td>", "{reaching}");
    }
}

#[test]
fn what_was_left_out_is_told_once_and_not_at_length() {
    let html =
        "<td onclick=x class=sayso-a style='top:0'>a<blink>b<blink>c</td><td onclick=y rowspan=2>d</td>";
    let expected = [
        ("attribute", "onclick"),
        ("class", "sayso-a"),
        ("style", "top"),
        ("element", "blink"),
        ("attribute", "rowspan"),
    ];
    assert_eq!(told(html), expected.map(|(code, name)| (code, name.to_owned())));
    let many: String = (0..500).map(|i| format!("<x-{i}{}>", "y".repeat(100))).collect();
    let told = told(&many);
    assert_eq!(told.len(), 20);
    assert!(told.iter().all(|(_, name)| name.len() <= 40));
}

#[test]
fn columns_are_counted_and_few() {
    let cells = |html: &str| clean(html, Place::Row).cells;
    assert_eq!(cells("<td>a</td><td colspan=2>b</td><th colspan=0>c</th><td colspan=' 3x'>d</td>"), 7);
    assert_eq!(cells("<td colspan=99999999999999999999>a</td>"), 20);
    let cleaned = clean(&"<td colspan=20>x</td>".repeat(9), Place::Row);
    assert_eq!(cleaned.cells, MAX_COLUMNS);
    assert!(cleaned.html.contains("<td colspan=\"10\">x<div>x</div><div>x</div>"));
}

/// On a stack that no recursion over it would fit in.
#[test]
fn no_markup_is_too_deep_or_too_much() {
    let size = 1 << 17;
    let deep = |tag: &str| tag.repeat(size / tag.len());
    let cases = [
        deep("<div>"),
        deep("<td><b>"),
        deep("<p><b><i>x"),
        deep("<table><td>"),
        deep("<svg><p>"),
        deep("<template>"),
        deep("<a b=\""),
        deep("<a b c "),
        deep("<"),
        deep("</td></tr></table>"),
        (0..size / 20).map(|i| format!("<p><b class={i}>x</p>")).collect(),
        format!("<td><b title={}>{}", "x".repeat(size / 2), "<p>x</p>".repeat(size / 16)),
    ];
    let work = move || {
        for case in cases {
            for place in [Place::Row, Place::Footer, Place::Detail] {
                assert!(clean(&case, place).html.len() <= 6 * case.len() + 1_000, "{}", &case[..40]);
            }
        }
    };
    std::thread::Builder::new().stack_size(256 << 10).spawn(work).unwrap().join().unwrap();
}

/// What was deep is flattened once, and then as deep as may be.
#[test]
fn the_deepest_that_is_written_can_be_read() {
    for element in ["b", "div", "span", "ul><li", "dl><dd", "b class=x><div", "p><b"] {
        let once = row(&format!("<td>{}x", format!("<{element}>").repeat(500)));
        assert_eq!(row(&once), once);
        assert!(once.contains('x'));
    }
}

#[test]
fn what_cannot_be_parsed_is_shown_as_its_source() {
    let html = format!("<td {}>x</td>", (0..65).map(|i| format!("a{i}=\"b c\" ")).collect::<String>());
    let cleaned = clean(&html, Place::Row);
    assert!(cleaned.html.starts_with("<td>&lt;td a0=\"b c\" a1"), "{}", cleaned.html);
    assert_eq!(cleaned.dropped, [Dropped { code: Code::Excess, name: String::new() }]);
    assert_eq!(row(&cleaned.html), cleaned.html);
    assert_eq!(row(&format!("<td title=\"{}\">x", "a b ".repeat(99))).matches("a b").count(), 99);
}
