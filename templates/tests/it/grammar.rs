//! Templates and contexts made out of bytes. The same bytes always make the same template, and fewer or smaller bytes make a
//! simpler one, so that proptest can shrink what fails.

use serde_json::{Map, Value, json};

use crate::words;

/// What a template may hold.
#[derive(Clone, Copy)]
pub struct Style {
    /// The text between tags.
    pub texts: &'static [&'static str],
    /// String literals, without their quotes.
    pub literals: &'static [&'static str],
    /// Filters that are left out.
    pub without: &'static [&'static str],
}

/// Everything that LiquidJS and this crate should print alike.
pub const PARITY: Style =
    Style { texts: words::MARKUP, literals: words::LITERALS, without: &["raw", "sample"] };

/// No `<` in the template's own text: one in the output comes from a value, then, and was not escaped.
pub const PLAIN: Style = Style { texts: words::PLAIN, literals: words::SLY_LITERALS, without: &[] };

/// A template.
pub fn template(bytes: &[u8], style: Style) -> String {
    let mut grammar = Grammar { choices: Choices { bytes }, style, depth: 0, loops: 0 };
    let pieces = 1 + grammar.choices.below(3);
    (0..pieces).map(|_| grammar.piece()).collect()
}

/// A template with a few edits that nobody thought about.
pub fn mutated(template: &str, bytes: &[u8]) -> String {
    let mut choices = Choices { bytes };
    let mut template: Vec<char> = template.chars().collect();
    for _ in 0..1 + choices.below(3) {
        let start = (choices.below(256) * 256 + choices.below(256)) % (template.len() + 1);
        let end = (start + [0, 0, 1, 2, 5][choices.below(5)]).min(template.len());
        let piece = if choices.below(4) == 0 { "" } else { choices.pick(words::PIECES) };
        template.splice(start..end, piece.chars());
    }
    template.into_iter().collect()
}

/// A context: the variables that [`template`] speaks of. `text` makes each text of it out of a proposal.
pub fn context(bytes: &[u8], text: impl Fn(&str) -> String) -> Value {
    let mut choices = Choices { bytes };
    let mut t = |choices: &mut Choices| json!(text(choices.pick(words::TEXTS)));
    let mut context = Map::new();
    for name in ["s1", "s2", "s3"] {
        context.insert(name.into(), t(&mut choices));
    }
    for name in ["n1", "n2", "n3"] {
        context.insert(name.into(), number(&mut choices));
    }
    for name in ["d1", "d2"] {
        let date = serde_json::from_str(choices.pick(words::DATES)).expect("the dates are JSON");
        context.insert(name.into(), if let Value::String(date) = date { json!(text(&date)) } else { date });
    }
    let texts: Vec<Value> = (0..choices.below(5)).map(|_| t(&mut choices)).collect();
    let numbers: Vec<Value> = (0..choices.below(6)).map(|_| number(&mut choices)).collect();
    let objects: Vec<Value> = (0..choices.below(5)).map(|_| object(&mut choices, &mut t)).collect();
    let mixed = json!([number(&mut choices), t(&mut choices), null, true, [1, [t(&mut choices)]], false, 3]);
    let lists = [("l1", json!(texts)), ("l2", json!(numbers)), ("l3", mixed), ("os", json!(objects))];
    context.extend(lists.map(|(name, list)| (name.to_owned(), list)));
    context.insert("m1".into(), object(&mut choices, &mut t));
    context.insert(
        "m2".into(),
        json!({"size": 9, "b": t(&mut choices), "a": [1, 2], "1": "one", "first": t(&mut choices)}),
    );
    context.extend(
        [("yes", json!(true)), ("no", json!(false)), ("nul", json!(null))].map(|(n, v)| (n.to_owned(), v)),
    );
    context.extend([("el", json!([])), ("em", json!({})), ("es", json!(""))].map(|(n, v)| (n.to_owned(), v)));
    Value::Object(context)
}

fn object(choices: &mut Choices, text: &mut impl FnMut(&mut Choices) -> Value) -> Value {
    let mut object = Map::new();
    object.insert("k".into(), text(choices));
    object.insert("n".into(), number(choices));
    if choices.below(3) > 0 {
        object.insert("on".into(), json!(choices.below(2) == 1));
    }
    if choices.below(3) > 0 {
        object.insert("d".into(), json!({"e": number(choices), "f": [text(choices), 2]}));
    }
    if choices.below(4) == 0 {
        object.insert("s".into(), Value::Null);
    }
    Value::Object(object)
}

fn number(choices: &mut Choices) -> Value {
    serde_json::from_str(choices.pick(words::JSON_NUMBERS)).expect("the numbers are JSON")
}

/// Where decisions come from. When the bytes are used up, the first (and simplest) choice is taken.
struct Choices<'a> {
    bytes: &'a [u8],
}

impl Choices<'_> {
    fn below(&mut self, count: usize) -> usize {
        let Some((first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        usize::from(*first) % count
    }

    fn pick<'w>(&mut self, words: &[&'w str]) -> &'w str {
        words[self.below(words.len())]
    }
}

struct Grammar<'a> {
    choices: Choices<'a>,
    style: Style,
    depth: usize,
    loops: usize,
}

impl Grammar<'_> {
    fn one_in(&mut self, count: usize) -> bool {
        self.choices.below(count) == count - 1
    }

    fn pick<'w>(&mut self, words: &[&'w str]) -> &'w str {
        self.choices.pick(words)
    }

    fn body(&mut self) -> String {
        self.depth += 1;
        let pieces = 1 + self.choices.below(2);
        let body = (0..pieces).map(|_| self.piece()).collect();
        self.depth -= 1;
        body
    }

    fn piece(&mut self) -> String {
        let kinds = if self.depth > 2 { 10 } else { 26 };
        match self.choices.below(kinds) {
            0..4 => self.output(),
            4 => self.pick(self.style.texts).to_owned(),
            5 => self.tag(|g| format!("echo {}", g.filtered('a'))),
            6 => {
                let name = self.pick(&["v", "w", "s1"]);
                self.tag(|g| format!("assign {name} = {}", g.filtered('a'))) + &format!("{{{{ {name} }}}}")
            }
            7 => {
                let name = self.pick(&["c", "n1", "s1"]);
                let step = self.pick(&["increment", "decrement"]);
                self.tag(|_| format!("{step} {name}"))
            }
            8 => self.cycle(),
            9 if self.loops > 0 => {
                let leave = self.pick(&["break", "continue"]);
                self.tag(|_| leave.to_owned())
            }
            9 => self.output(),
            10 | 11 => self.if_tag("if"),
            12 => self.if_tag("unless"),
            13 | 14 => self.case(),
            15..19 => self.for_tag(),
            19 | 20 => self.table_row(),
            21 | 22 => {
                let body = self.body();
                self.tag(|_| "capture cap".to_owned())
                    + &body
                    + &self.tag(|_| "endcapture".to_owned())
                    + "{{ cap }}"
            }
            23 => {
                let inside = self.pick(&["{{ s1 }}", "x", "{% if %}", "{{ ", " {%- y -%} "]);
                // With a dash on its left it would not end the block, and tags behind it would be text.
                self.tag(|_| "raw".to_owned()) + inside + "{% endraw " + self.trim() + "%}"
            }
            24 => {
                let inside = self.pick(&["x", "{{ s1 }}", "{% if %}", ""]);
                let comment =
                    self.tag(|_| "comment".to_owned()) + inside + &self.tag(|_| "endcomment".to_owned());
                comment + &self.tag(|_| "# a note".to_owned())
            }
            _ => self.liquid(),
        }
    }

    /// `{% … %}`, now and then with whitespace control.
    fn tag(&mut self, inside: impl FnOnce(&mut Self) -> String) -> String {
        let inside = inside(self);
        let (left, right) = (self.trim(), self.trim());
        format!("{{%{left} {inside} {right}%}}")
    }

    fn trim(&mut self) -> &'static str {
        if self.one_in(8) { "-" } else { "" }
    }

    fn output(&mut self) -> String {
        let value = self.filtered('a');
        let (left, right) = (self.trim(), self.trim());
        format!("{{{{{left} {value} {right}}}}}")
    }

    fn cycle(&mut self) -> String {
        let group = if self.one_in(3) { self.pick(&["\"g\": ", "s1: ", "1: "]) } else { "" };
        self.tag(|g| {
            let values: Vec<String> = (0..1 + g.choices.below(3)).map(|_| g.value('a')).collect();
            format!("cycle {group}{}", values.join(", "))
        })
    }

    fn if_tag(&mut self, name: &str) -> String {
        let mut tag = self.tag(|g| format!("{name} {}", g.condition())) + &self.body();
        if self.one_in(3) {
            tag += &self.tag(|g| format!("elsif {}", g.condition()));
            tag += &self.body();
        }
        if self.choices.below(2) == 0 {
            tag += &self.tag(|_| "else".to_owned());
            tag += &self.body();
        }
        tag + &self.tag(|_| format!("end{name}"))
    }

    fn case(&mut self) -> String {
        let kind = if self.choices.below(2) == 0 { 't' } else { 'n' };
        let mut tag = self.tag(|g| format!("case {}", g.filtered(kind)));
        for _ in 0..1 + self.choices.below(3) {
            let or = self.pick(&[", ", " or "]);
            tag += &self.tag(|g| {
                let values: Vec<String> = (0..1 + g.choices.below(3)).map(|_| g.value(kind)).collect();
                format!("when {}", values.join(or))
            });
            tag += &self.body();
        }
        if self.choices.below(2) == 0 {
            tag += &self.tag(|_| "else".to_owned());
            tag += &self.body();
        }
        tag + &self.tag(|_| "endcase".to_owned())
    }

    fn for_tag(&mut self) -> String {
        let mut tag = self.tag(|g| {
            let list = g.iterable();
            let mut head = format!("for i in {list}");
            for modifier in ["limit", "offset"] {
                if g.one_in(4) {
                    head +=
                        &format!(" {modifier}:{}", g.pick(&["1", "2", "n1", "0", "-1", "3", "nul", "\"1\""]));
                }
            }
            if g.one_in(5) {
                head += " reversed";
            }
            if g.one_in(12) {
                head += " offset: continue";
            }
            head
        });
        self.loops += 1;
        if self.choices.below(2) == 0 {
            let property =
                self.pick(&["index", "index0", "rindex", "rindex0", "first", "last", "length", "name"]);
            tag += &format!("{{{{ i }}}}/{{{{ forloop.{property} }}}};");
        }
        tag += &self.body();
        self.loops -= 1;
        if self.one_in(4) {
            tag += &self.tag(|_| "else".to_owned());
            tag += &self.body();
        }
        tag + &self.tag(|_| "endfor".to_owned())
    }

    fn table_row(&mut self) -> String {
        let mut tag = self.tag(|g| {
            let mut head = format!("tablerow i in {}", g.iterable());
            for modifier in ["cols", "limit", "offset"] {
                if g.one_in(3) {
                    head +=
                        &format!(" {modifier}:{}", g.pick(&["2", "1", "3", "0", "n2", "-1", "nul", "s1"]));
                }
            }
            head
        });
        let property =
            self.pick(&["col", "col0", "col_first", "col_last", "row", "index", "last", "length", "rindex0"]);
        tag += &format!("{{{{ i }}}}:{{{{ tablerowloop.{property} }}}}");
        tag += &self.body();
        tag + &self.tag(|_| "endtablerow".to_owned())
    }

    fn liquid(&mut self) -> String {
        self.tag(|g| {
            let (first, second) = (g.filtered('a'), g.filtered('a'));
            match g.choices.below(3) {
                0 => format!("liquid\n  echo {first}\n  echo {second}\n"),
                1 => format!("liquid\n assign v = {first}\n if v\n echo v\n else\n echo {second}\n endif"),
                _ => format!("liquid for i in l1\n echo i\n # note\n endfor\n echo {first}"),
            }
        })
    }

    fn iterable(&mut self) -> String {
        match self.choices.below(8) {
            0..3 => self.pick(&["l1", "l2", "l3"]).to_owned(),
            3 => "os".to_owned(),
            4 => self.pick(&["m1", "m2", "em", "el", "s1", "es", "nul", "n1", "none", "yes"]).to_owned(),
            _ => self.range(),
        }
    }

    fn range(&mut self) -> String {
        let low = self.pick(&["1", "0", "-1", "2", "\"1\"", "nul", "1.5"]);
        format!("({low}..{})", self.pick(&["3", "5", "1", "l2.size", "0", "\"2\"", "s1", "4.5", "none"]))
    }

    fn condition(&mut self) -> String {
        let mut condition = self.comparison();
        for _ in 0..self.choices.below(4).saturating_sub(1) {
            let operator = self.pick(&["and", "or"]);
            condition = format!("{condition} {operator} {}", self.comparison());
        }
        condition
    }

    fn comparison(&mut self) -> String {
        let not = if self.one_in(10) { "not " } else { "" };
        let kind = ['n', 't', 'a', 'l', 'b'][self.choices.below(5)];
        let left = self.value(kind);
        if self.choices.below(4) == 0 {
            return format!("{not}{left}");
        }
        let operator = self.pick(&["==", "!=", "<", ">", "<=", ">=", "contains"]);
        let right = if self.one_in(3) { self.value('a') } else { self.value(kind) };
        format!("{not}{left} {operator} {right}")
    }

    /// A value with filters, most of which suit it.
    fn filtered(&mut self, kind: char) -> String {
        let mut kind = if kind == 'a' {
            ['t', 'n', 'l', 'o', 'd', 't', 'm', 'a', 'B'][self.choices.below(9)]
        } else {
            kind
        };
        let mut value = if self.one_in(12) { self.condition() } else { self.value(kind) };
        for _ in 0..[0, 1, 1, 2, 1, 3][self.choices.below(6)] {
            if self.one_in(10) {
                kind = '*';
            }
            let suiting: Vec<_> = words::FILTERS
                .iter()
                .filter(|(name, input, ..)| {
                    (*input == kind || kind == '*' || *input == 'a') && !self.style.without.contains(name)
                })
                .collect();
            if suiting.is_empty() {
                kind = '*';
                continue;
            }
            let (name, _, args, result) = suiting[self.choices.below(suiting.len())];
            value += &format!(" | {name}");
            value += &self.arguments(args);
            kind = if *result == 'a' { '*' } else { *result };
        }
        if self.one_in(60) {
            value += " | no_such_filter: 1, a: 2";
        }
        value
    }

    fn arguments(&mut self, kinds: &str) -> String {
        let mut arguments = Vec::new();
        let mut optional = false;
        for kind in kinds.chars() {
            if kind == '?' {
                optional = true;
            } else if optional && self.choices.below(2) == 0 {
                break;
            } else {
                arguments.push(self.argument(kind));
            }
        }
        if arguments.is_empty() { String::new() } else { format!(": {}", arguments.join(", ")) }
    }

    fn argument(&mut self, kind: char) -> String {
        if self.one_in(20) {
            return self.value('a');
        }
        match kind {
            'k' => format!("\"{}\"", self.pick(words::KEYS)),
            'f' => format!("\"{}\"", self.pick(words::FORMATS)),
            'z' => self.pick(words::ZONES).to_owned(),
            'O' => self.pick(&["\"ordinal\"", "\"x\"", "nul"]).to_owned(),
            'U' => self.pick(&["\"US\"", "\"UK\""]).to_owned(),
            'F' => self.pick(&["allow_false: true", "allow_false: false", "allow_false: yes"]).to_owned(),
            'C' => self.pick(&["\"cjk\"", "\"auto\"", "\"x\""]).to_owned(),
            'S' => self
                .pick(&["\"pretty\"", "\"ascii\"", "\"latin\"", "\"raw\"", "\"none\"", "\"default\""])
                .to_owned(),
            // A long width or a high power is not what differs: small numbers, mostly.
            'n' if self.choices.below(3) > 0 => self.pick(words::NUMBERS).to_owned(),
            kind => self.value(kind),
        }
    }

    fn value(&mut self, kind: char) -> String {
        match kind {
            't' => match self.choices.below(8) {
                0..4 => self.pick(&["s1", "s2", "s3"]).to_owned(),
                4 => self
                    .pick(&[
                        "m1.k",
                        "l1[0]",
                        "l1.first",
                        "os[0].k",
                        "m2[\"b\"]",
                        "m1['k']",
                        "l1[-1]",
                        "os.last.k",
                    ])
                    .to_owned(),
                _ => format!("\"{}\"", self.pick(self.style.literals)),
            },
            'n' => match self.choices.below(6) {
                0..3 => self.pick(&["n1", "n2", "n3"]).to_owned(),
                3 => self
                    .pick(&["m1.n", "l2[0]", "l2.size", "m1.d.e", "s1.size", "m1.size", "m2.size", "l2.last"])
                    .to_owned(),
                _ => self.pick(words::NUMBERS).to_owned(),
            },
            'l' => match self.choices.below(6) {
                0..3 => self.pick(&["l1", "l2", "l3"]).to_owned(),
                3 => self.pick(&["el", "m1.d.f", "m2.a", "l3[4]"]).to_owned(),
                4 => "os".to_owned(),
                _ => self.range(),
            },
            'o' => "os".to_owned(),
            'm' => self.pick(&["m1", "m2", "em", "os[0]", "m1.d", "os.first"]).to_owned(),
            'B' => format!("\"{}\"", self.pick(words::BASE64)),
            'd' => self.pick(&["d1", "d2", "d1", "n1"]).to_owned(),
            'b' => self.pick(&["true", "false", "yes", "no", "m1.on"]).to_owned(),
            _ => {
                let kind = ['t', 'n', 'l', 'm', 'd', 'b', 'N'][self.choices.below(7)];
                if kind == 'N' {
                    self.pick(&[
                        "nil", "none", "nul", "empty", "blank", "none.x.y", "m1.none", "l1[99]", "s1[0]",
                        "null", "es",
                    ])
                    .to_owned()
                } else {
                    self.value(kind)
                }
            }
        }
    }
}
