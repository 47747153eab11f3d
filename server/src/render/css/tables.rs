//! Sheets that hostile callers would send, with what must be gone, and sheets that honest ones send, with what must stay.

use super::laws::assert_safe;
use super::{Broken, Sheet, scope};

fn kept(css: &str) -> Sheet {
    let sheet = scope(css).unwrap_or_else(|broken| panic!("{css}: {broken:?}"));
    assert_safe(&sheet.css);
    sheet
}

/// The sheet; what must not be in the result; the code of the first remark, or nothing where there is none.
const HOSTILE: &[(&str, &[&str], &str)] = &[
    // What loads.
    ("@import 'https://e.example/x.css';td{color:red}", &["import", "e.example"], "at_rule"),
    (r"@\69mport url(//e.example);td{color:red}", &["e.example"], "at_rule"),
    ("@font-face{font-family:x;src:url(//e.example)}", &["font", "e.example"], "at_rule"),
    ("td{background:url(https://e.example/a.png)}", &["url", "e.example"], "url"),
    ("td{background:url('https://e.example/a.png')}", &["url", "e.example"], "url"),
    (r"td{background:\75rl(//e.example/a)}", &["e.example"], "url"),
    (r"td{background:u\72 l(//e.example/a)}", &["e.example"], "url"),
    ("td{background:url(data:text/html,x)}", &["data"], "url"),
    ("td{background:url(javascript:alert(1))}", &["script"], "broken"),
    ("td{background:image-set('//e.example/a' 1x)}", &["e.example"], "value"),
    ("td{background:-webkit-image-set(url(//e.example/a) 1x)}", &["e.example"], "value"),
    ("td{background:src('//e.example/a')}", &["e.example"], "value"),
    ("td{background:image('//e.example/a')}", &["e.example"], "value"),
    ("td{background:cross-fade(url(//e.example/a),red)}", &["e.example"], "value"),
    ("td{background:element(#form)}", &["element"], "value"),
    ("td{background:paint(x)}", &["paint"], "value"),
    ("td{--x:url(//e.example);background:var(--x)}", &["e.example"], "url"),
    ("td{cursor:url(data:image/png;base64,AAAA) 64 64,none}", &["cursor"], "url"),
    ("td{cursor:none}", &["cursor"], "value"),
    ("td::after{content:url(//e.example)}", &["e.example"], "url"),
    ("td{list-style-image:url(//e.example)}", &["e.example"], "url"),
    ("@namespace x url(//e.example);td{color:red}", &["e.example"], "at_rule"),
    ("@supports (background:url(//e.example)){td{color:red}}", &["e.example"], "url"),
    // What ran once.
    ("td{width:expression(alert(1))}", &["expression"], "value"),
    ("td{-moz-binding:url(//e.example#x)}", &["binding"], "property"),
    ("td{behavior:url(x.htc)}", &["behavior"], "property"),
    // What leaves the element.
    ("td::after{content:'</style><script>alert(1)</script>'}", &["</", "<s"], ""),
    (r"td[title='</style><form action=//e.example>']{color:red}", &["</", "<f"], ""),
    (r".\3c\2f style\3e {color:red}", &["</", "<"], ""),
    ("<!-- td{color:red} --> th{color:red}", &["<!--", "-->"], "syntax"),
    ("td{background:url('data:image/svg+xml,</style><script>')}", &["</", "<s"], ""),
    ("td{color:red}\0</style>{color:blue}", &["\0", "</", "blue"], "selector"),
    // What reaches for the controls.
    ("input{display:none}", &["input{", "input:where(.sayso-cell)", "input,"], ""),
    ("*{visibility:hidden}", &["*{", "*,"], ""),
    ("form,label,button,fieldset{opacity:0}", &["form{", "button{", "fieldset{"], ""),
    (".sayso-pick{display:none}", &["pick"], "selector"),
    (r".\53 AYSO-pick{opacity:0}", &["pick", "opacity"], "selector"),
    ("td.domain,.sayso-pick input{opacity:.5}", &["pick", "input"], "selector"),
    ("td:not(.sayso-cell){display:none}", &["none"], "selector"),
    ("td:first-child{display:none}", &["td:first-child{"], ""),
    ("[class^=sayso]{color:red}", &["]{"], ""),
    ("input[name=token][value^=a]{color:red}", &["value", "token"], "selector"),
    ("tr:has(input:checked) td{color:red}", &["has", "checked"], "selector"),
    ("input:checked+td{color:red}", &["checked"], "selector"),
    (":host td,::part(x),::slotted(td){color:red}", &["host", "part", "slotted"], "selector"),
    ("@scope (form){:scope{display:none}}", &["scope", "none"], "at_rule"),
    ("td{&+td{color:red}form &{color:blue}}", &["red", "blue"], "nesting"),
    ("td{@media print{color:red}}", &["red"], "nesting"),
    ("td::file-selector-button,input::-webkit-slider-thumb{color:red}", &["red"], "selector"),
    // What is behind, around or before the controls.
    ("tr{display:none}", &["tr>*", "tr)"], "place"),
    (
        "tr{position:relative;transform:translateX(-99px);filter:blur(9px)}",
        &["position", "form", "filter"],
        "property",
    ),
    ("tr{opacity:0;visibility:hidden}", &["tr)"], "place"),
    ("tr{background:url(data:image/png;base64,AA)}", &["tr){"], "place"),
    ("tr{background:linear-gradient(red,blue)}", &["tr){"], "place"),
    ("tr{height:0;line-height:0;font-size:0}", &["tr){"], "place"),
    ("tr::before{content:'Chosen'}", &["tr)"], ""),
    ("tr{cursor:pointer;transition:all 99s}", &["tr)"], "place"),
    ("body{background:#000;color:#000}", &["background"], "place"),
    ("html{display:none}:root{color-scheme:dark;zoom:9}", &["none", "scheme", "zoom"], "place"),
    ("table{direction:rtl}", &["table>*){", "table){"], ""),
    ("tbody{text-decoration:line-through}", &["sayso-table"], "place"),
    // What covers from a cell.
    ("td{position:fixed;inset:0;z-index:9}", &["fixed", "inset", "z-index"], "property"),
    ("td b{position:absolute;left:-200px}", &["absolute", "left"], "property"),
    ("td b{margin-left:-200px}", &["margin"], "value"),
    ("td b{margin:calc(-1 * 200px)}", &["margin"], "value"),
    ("td b{--m:-200px;margin-left:var(--m)}", &["margin"], "value"),
    ("td b{text-indent:-200px;letter-spacing:-9px}", &["indent", "spacing"], "value"),
    ("td b{transform:scale(99);translate:-99px;rotate:9deg;scale:9}", &["scale", "rotate"], "property"),
    ("td{box-shadow:-99px 0 0 99px #fff;outline:99px solid}", &["where(.sayso-cell)"], "place"),
    ("td{display:contents}", &["contents"], "value"),
    ("td{--d:contents;display:var(--d)}", &["display:"], "value"),
    ("td{display:inherit;display:block}", &["inherit", "where(.sayso-cell)"], "value"),
    (
        "td{overflow:visible;contain:none;clip-path:none}",
        &["contain", "clip", "where(.sayso-cell)"],
        "property",
    ),
    ("td{filter:drop-shadow(-99px 0 red);mix-blend-mode:difference}", &["filter", "blend"], "property"),
    ("td{animation:a 1s}@keyframes a{to{opacity:0}}", &["animation", "keyframes"], "property"),
    ("td{transition:display 99s allow-discrete}", &["transition"], "value"),
    ("td{all:unset}", &["all"], "property"),
    (
        "td{pointer-events:none;appearance:none;content-visibility:hidden}",
        &["events", "appearance", "content"],
        "property",
    ),
    ("td b{font-size:99999px;width:1e9px}", &["font-size", "width"], "value"),
    // What takes a name of ours, or a place before us.
    (":root{--sayso-x:1;--ink:transparent}", &["--sayso", "--ink"], ""),
    ("@property --ink{syntax:'*';inherits:true}", &["property"], "at_rule"),
    ("@layer sayso-guard{td{color:red!important}}", &["important", "}@layer"], ""),
    ("@layer sayso-caller, sayso-guard;", &["}@layer"], ""),
    ("td{color:red!important;--x:1!important}", &["!"], ""),
    (
        "@counter-style x{symbols:'a'}@page{margin:0}@container (width>1px){td{color:red}}",
        &["@c", "@page"],
        "at_rule",
    ),
    (
        "@view-transition{navigation:auto}@position-try --x{top:0}@starting-style{td{opacity:0}}",
        &["@v", "@p", "@s"],
        "at_rule",
    ),
    ("--x:hover{color:red}--y{color:red}", &["red"], "syntax"),
    ("a~b~c~d~e{color:red}", &["~"], "selector"),
    ("td{color:red", &[], "broken"),
    ("td{content:\"}", &[], "broken"),
    ("td{color:red}/* td{color:red}", &[], "broken"),
    ("td{color:red}}", &[], "broken"),
    ("this is no css", &[], "broken"),
];

#[test]
fn hostile_sheets_lose_what_makes_them_hostile() {
    assert!(HOSTILE.len() > 40);
    for (css, gone, code) in HOSTILE {
        if *code == "broken" {
            assert!(scope(css).is_err(), "{css}");
            continue;
        }
        let sheet = kept(css);
        for gone in *gone {
            assert!(!sheet.css.contains(gone), "FAIL {gone} in {css}: {}", sheet.css);
        }
        let first = sheet.dropped.first().map_or("", |dropped| dropped.code);
        assert_eq!(first, *code, "{css}: {:?}", sheet.dropped);
    }
}

/// The sheet; what must be in the result.
const HONEST: &[(&str, &[&str])] = &[
    ("td.domain{color:#666}", &["td.domain:where(.sayso-cell,.sayso-cell *){color:#666;}"]),
    ("tr:hover td{color:red}", &["tr:hover td:where(.sayso-cell,.sayso-cell *){color:red;}"]),
    ("th{text-align:left;padding:.5em 1em}", &["th:where", "{text-align:left;padding:0.5em 1em;}"]),
    (
        "tbody tr:nth-child(even){background:#f6f6f6}",
        &["tbody tr:nth-child(2n+0):where(.sayso-table>*>tr){background-color:#f6f6f6;}"],
    ),
    (
        "tr{border-bottom:1px solid #ddd}",
        &[":where(tr:where(.sayso-table>*>tr) .sayso-cell){border-bottom:1px solid #ddd;}"],
    ),
    (
        "body{font:14px/1.5 Georgia,serif}",
        &[":where(body:where(:root,body) .sayso-cell){font:14px / 1.5 Georgia, serif;}"],
    ),
    (
        ":root{--a:#c00}td{color:var(--a,red)}",
        &[":root:where(:root,body){--caller-a:#c00;}", "{color:var(--caller-a, var(--a, red));}"],
    ),
    ("@media (prefers-color-scheme:dark){td{color:#eee}}", &["@media (prefers-color-scheme: dark){td:where"]),
    (
        "@media screen and (max-width:600px){td.extra{display:none}}",
        &["@media screen and (max-width: 600px){", "{display:none;}"],
    ),
    ("@media (400px<=width<600px){td{color:red}}", &["@media (400px <= width < 600px){"]),
    (
        "@supports (display:grid) and (not (color:lch(0 0 0))){td i{color:red}}",
        &["@supports (display: grid) and (not (color: "],
    ),
    (
        ".badge{display:inline-block;border-radius:999px;padding:0 8px}",
        &["{display:inline-block;border-radius:999px;padding:0 8px;}"],
    ),
    (
        ".bar{height:8px;width:calc(var(--w) * 1%);background:linear-gradient(to right,#0a0,#dfd)}",
        &[
            "height:8px;width:calc(var(--caller-w, var(--w)) * 1%);background:linear-gradient(to right, #0a0, #dfd);",
        ],
    ),
    (
        "td::before{content:'→ ' attr(data-x);color:gray}",
        &["td:where(.sayso-cell,.sayso-cell *)::before{content:\"→ \" attr(data-x);color:gray;}"],
    ),
    (
        ".logo{background:url(data:image/png;base64,iVBORw0=) no-repeat}",
        &["background:url(\"data:image/png;base64,iVBORw0=\") no-repeat;"],
    ),
    (
        "td>ul>li:not(:last-child)+li{margin:0 auto}",
        &["td>ul>li:not(:last-child)+li:where(.sayso-cell *){margin:0 auto;}"],
    ),
    (
        "td.n{max-width:200px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}",
        &["td.n:where(.sayso-cell){max-width:200px;text-overflow:ellipsis;white-space:nowrap;}"],
    ),
    ("*{box-sizing:border-box}", &["*:where(.sayso-cell,.sayso-cell *){box-sizing:border-box;}"]),
    ("/* a */ td /* b */ .x , th{color:RED}", &["td .x:where", ",th:where", "{color:RED;}"]),
    (r".w-1\/2{width:50%}", &["2:where(.sayso-cell,.sayso-cell *){width:50%;}"]),
    ("a[href^='https:' i]{text-decoration:underline dotted}", &["a[href^=\"https:\" i]:where"]),
    ("@layer base,theme;@layer base{td{color:red}}", &["@layer base,theme;@layer base{td:where"]),
    (
        ".row{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:4px 8px}",
        &["grid-template-columns:repeat(2, minmax(0, 1fr));gap:4px 8px;"],
    ),
    (
        "td:hover{background:color-mix(in oklab,red 10%,transparent);transition:background .2s ease-in}",
        &["color-mix(in oklab, red 10%, transparent)", "transition:background 0.2s ease-in;"],
    ),
    ("td{color:red;;color:blue}; th{}", &["{color:red;color:blue;}"]),
];

#[test]
fn honest_sheets_keep_what_they_say() {
    assert!(HONEST.len() >= 20);
    for (css, stays) in HONEST {
        let sheet = kept(css);
        for stays in *stays {
            assert!(sheet.css.contains(stays), "FAIL {stays} in {css}: {}", sheet.css);
        }
    }
}

/// The example of the documentation, as it is written there.
#[test]
fn the_example_works_as_written() {
    let css = "td.domain{color:#666;font-family:monospace}tr:hover{background:rgba(0,0,0,.05)}";
    let expected = "@layer sayso-caller{\
        td.domain:where(.sayso-cell,.sayso-cell *){color:#666;font-family:monospace;}\
        tr:hover:where(.sayso-cell *){background:rgba(0, 0, 0, 0.05);}\
        tr:hover:where(.sayso-table>*>tr){background-color:rgba(0, 0, 0, 0.05);}}";
    assert_eq!(kept(css), Sheet { css: expected.to_owned(), dropped: Vec::new() });
}

#[test]
fn remarks_have_their_place_and_an_end() {
    let sheet = kept("td{color:red}\n  td{top:0}");
    let dropped = &sheet.dropped[0];
    assert_eq!(
        (dropped.code, dropped.what.as_str(), dropped.line, dropped.column),
        ("property", "top", 2, 6)
    );
    assert_eq!(kept(&"td{top:0}".repeat(50)).dropped.len(), 20);
    assert_eq!(kept("\u{feff}td{color:red}").css, kept("td{color:red}").css);
    assert_eq!(kept(" /* nothing */ ").css, "");
    let Err(Broken { line, column, .. }) = scope("td{}\n th{") else { panic!("it is not closed") };
    assert_eq!((line, column), (2, 4));
    assert!(scope(&" ".repeat(super::MAX_SOURCE + 1)).is_err());
}

/// Neither depth nor number takes much: this thread has a fraction of what ours have.
#[test]
fn deep_and_long_sheets_end() {
    let sheets = [
        "(".repeat(20_000),
        "{".repeat(20_000),
        "a{b:".repeat(5_000),
        format!("a{{color:{}{}}}", "calc(".repeat(31), ")".repeat(31)),
        format!("{}a{{color:red}}{}", "@media print{".repeat(30), "}".repeat(30)),
        format!("{}a{}{{color:red}}", ":is(".repeat(31), ")".repeat(31)),
        format!("{}a{{color:red}}", "a,".repeat(9_000)),
        format!("{}a{{color:red}}", "a ".repeat(9_000)),
        "tr{color:red}".repeat(1_500),
        "\\".repeat(20_000),
    ];
    let work = move || {
        for css in &sheets {
            if let Ok(sheet) = scope(css) {
                assert!(sheet.css.len() < 400_000, "{}", sheet.css.len());
            }
        }
    };
    std::thread::Builder::new().stack_size(256 << 10).spawn(work).unwrap().join().unwrap();
}
