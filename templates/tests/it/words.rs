//! What generated templates and their contexts are made of.

/// Filters: the name, the kind of the input, the kinds of the arguments (those after `?` may be missing), the kind of the result.
/// Kinds: `t` text, `n` number, `l` list, `o` list of objects, `m` object, `d` date, `f` date format, `z` time zone, `b` boolean,
/// `k` name of a property, `a` anything, `B` base64. Other capitals are the words that one filter knows.
pub const FILTERS: &[(&str, char, &str, char)] = &[
    ("abs", 'n', "", 'n'),
    ("append", 't', "t", 't'),
    ("array_to_sentence_string", 'l', "?t", 't'),
    ("at_least", 'n', "n", 'n'),
    ("at_most", 'n', "n", 'n'),
    ("base64_decode", 'B', "", 't'),
    ("base64_encode", 't', "", 't'),
    ("capitalize", 't', "", 't'),
    ("ceil", 'n', "", 'n'),
    ("cgi_escape", 't', "", 't'),
    ("compact", 'l', "", 'l'),
    ("concat", 'l', "?l", 'l'),
    ("date", 'd', "?fz", 't'),
    ("date", 'd', "f", 't'),
    ("date_to_long_string", 'd', "?OU", 't'),
    ("date_to_rfc822", 'd', "", 't'),
    ("date_to_string", 'd', "?OU", 't'),
    ("date_to_xmlschema", 'd', "", 't'),
    ("default", 'a', "a?F", 'a'),
    ("divided_by", 'n', "n?b", 'n'),
    ("downcase", 't', "", 't'),
    ("escape", 't', "", 't'),
    ("escape_once", 't', "", 't'),
    ("find", 'o', "k?a", 'm'),
    ("find_index", 'o', "k?a", 'n'),
    ("first", 'l', "", 'a'),
    ("floor", 'n', "", 'n'),
    ("group_by", 'o', "k", 'l'),
    ("has", 'o', "k?a", 'b'),
    ("hmac_sha256", 't', "t", 't'),
    ("inspect", 'a', "?n", 't'),
    ("join", 'l', "?t", 't'),
    ("json", 'a', "?n", 't'),
    ("jsonify", 'a', "", 't'),
    ("last", 'l', "", 'a'),
    ("lstrip", 't', "?t", 't'),
    ("map", 'o', "k", 'l'),
    ("minus", 'n', "n", 'n'),
    ("modulo", 'n', "n", 'n'),
    ("newline_to_br", 't', "", 't'),
    ("normalize_whitespace", 't', "", 't'),
    ("number_of_words", 't', "?C", 'n'),
    ("plus", 'n', "n", 'n'),
    ("pop", 'l', "", 'l'),
    ("prepend", 't', "t", 't'),
    ("push", 'l', "a", 'l'),
    ("raw", 't', "", 't'),
    ("reject", 'o', "k?a", 'o'),
    ("remove", 't', "t", 't'),
    ("remove_first", 't', "t", 't'),
    ("remove_last", 't', "t", 't'),
    ("replace", 't', "t?t", 't'),
    ("replace_first", 't', "t?t", 't'),
    ("replace_last", 't', "t?t", 't'),
    ("reverse", 'l', "", 'l'),
    ("round", 'n', "?n", 'n'),
    ("rstrip", 't', "?t", 't'),
    ("sample", 'l', "?n", 'a'),
    ("sha256", 't', "", 't'),
    ("shift", 'l', "", 'l'),
    ("size", 'l', "", 'n'),
    ("size", 't', "", 'n'),
    ("slice", 'l', "n?n", 'l'),
    ("slice", 't', "n?n", 't'),
    ("slugify", 't', "?Sb", 't'),
    ("sort", 'l', "", 'l'),
    ("sort", 'o', "?k", 'o'),
    ("sort_natural", 'l', "", 'l'),
    ("sort_natural", 'o', "?k", 'o'),
    ("split", 't', "t", 'l'),
    ("squish", 't', "", 't'),
    ("strip", 't', "?t", 't'),
    ("strip_html", 't', "", 't'),
    ("strip_newlines", 't', "", 't'),
    ("sum", 'l', "?k", 'n'),
    ("times", 'n', "n", 'n'),
    ("to_integer", 'n', "", 'n'),
    ("truncate", 't', "?nt", 't'),
    ("truncatewords", 't', "?nt", 't'),
    ("uniq", 'l', "", 'l'),
    ("unshift", 'l', "a", 'l'),
    ("upcase", 't', "", 't'),
    ("uri_escape", 't', "", 't'),
    ("url_decode", 't', "", 't'),
    ("url_encode", 't', "", 't'),
    ("where", 'o', "k?a", 'o'),
    ("xml_escape", 't', "", 't'),
];

/// Filters that are left out on purpose: their argument is an expression in a string, which may hold itself.
pub const ABSENT_FILTERS: [&str; 6] =
    ["find_exp", "find_index_exp", "group_by_exp", "has_exp", "reject_exp", "where_exp"];

/// Tags that are left out on purpose: they read files.
pub const ABSENT_TAGS: [&str; 4] = ["block", "include", "layout", "render"];

/// Text between tags.
pub const MARKUP: &[&str] = &["", "text ", "<b>bold</b>", " \n ", "\n", "é日😀", "{ } %|& \" '"];
/// Text between tags that holds no `<`, `>` or quote.
pub const PLAIN: &[&str] = &["", "text ", " ", "\n", "Ä", "&", ";"];

/// String literals, without their quotes.
pub const LITERALS: &[&str] = &[
    "a", "", " ", ",", "k", "<i>", "é", "😀", "abc", "2", "\\n", "b,a", "l", "$&", ".", "Hello", "\\u0041",
    "&amp;", "a b",
];
/// String literals whose decoded or unescaped form holds markup.
pub const SLY_LITERALS: &[&str] =
    &["a", "", " ", ",", "k", "x", "&lt;", "%3Cx%3E", "\\u003cx", "\\74x", "PHg+Jg==", "b"];

/// Base64, not all of it valid UTF-8 or padded.
pub const BASE64: &[&str] =
    &["aGVsbG8=", "PGk+", "w6k", "/+8=", "YQ", "8J+YgA==", "aGVs bG8=", "", "4pyTIMOg"];

/// Numbers as a template writes them.
pub const NUMBERS: &[&str] =
    &["1", "0", "2", "3", "-1", "-2", "10", "1.5", "0.5", "-2.5", "100", "007", "1.", "3.14159", "1000000"];

/// Names of properties, as arguments.
pub const KEYS: &[&str] = &["k", "n", "s", "d.e", "none", "on", "size", "0", "first"];

/// Formats of the `date` filter.
pub const FORMATS: &[&str] = &[
    "%Y-%m-%d",
    "%H:%M:%S",
    "%a %A %b %B %h",
    "%c",
    "%x",
    "%X",
    "%C %y %e %j",
    "%I %l %k %p %P",
    "%L %N %3N",
    "%s",
    "%u %w",
    "%U %W",
    "%z %Z",
    "%:z",
    "%q",
    "%t|%n|%%",
    "%-d %-m",
    "%_d %_m %_H",
    "%^a %^B",
    "%#p %#a",
    "%5Y %010d %3e",
    "%E %O %Ey",
    "%",
    "%F %T %D %R %v",
    "plain <b>",
    "%-I %-j %0e",
    "",
    "%5N %12N",
    "%-5d %_5Y %^10b",
    "é %d 日",
];
/// Time zones of the `date` filter.
pub const ZONES: &[&str] = &[
    "0",
    "60",
    "-330",
    "\"UTC\"",
    "\"Europe/Berlin\"",
    "\"America/New_York\"",
    "\"Asia/Kolkata\"",
    "\"Nowhere/Land\"",
    "nul",
    "\"Asia/Tokyo\"",
];

/// Texts of a context.
pub const TEXTS: &[&str] = &[
    "abc",
    "Hello, World",
    "",
    " ",
    "  pad\t ",
    "<b>bold</b> & \"q\" 'a'",
    "line 1\nline 2\r\n\nline 4",
    "a,b,,c,,",
    "42",
    "-3.75",
    "1e3",
    "0x1f",
    "12abc",
    "Grüße, ñandú & Œuvre ẞ",
    "東京 タワー 漢字",
    "👩‍👩‍👧 fam 😀😀",
    "aGVsbG8=",
    "a%20b+c%3C",
    "a%zzb",
    "&lt;p&gt; &amp;amp; &#39;",
    "<script>x</script>y<style>z</style><!-- c --><p>t</p>",
    "UPPER lower ǅ İ ŉ ß",
    "one two  three\u{a0}four five six",
    "\u{feff}bom\u{3000}",
    "true",
    "__proto__",
    "k",
    "$1 $& $$ \\",
    "the quick brown fox jumps over the lazy dog and then some more of it",
    "a/b?c=d&e=f#g[h](i)",
];

/// Numbers of a context, as JSON.
pub const JSON_NUMBERS: &[&str] = &[
    "1",
    "0",
    "7",
    "-3",
    "2.5",
    "-0.5",
    "0.1",
    "3",
    "100",
    "1e21",
    "1e-7",
    "123456789",
    "9007199254740991",
    "-2.5",
    "1.005",
    "1e300",
    "-0",
    "0.30000000000000004",
    "1234.5678",
    "-1e-9",
    "2147483648",
    "5e-324",
];

/// Dates of a context, as JSON.
pub const DATES: &[&str] = &[
    "\"2024-03-05T07:08:09.123Z\"",
    "\"2024-03-05\"",
    "\"now\"",
    "\"today\"",
    "1700000000",
    "\"1152098955\"",
    "\"2024-03-05T23:30:00+02:00\"",
    "\"2024-12-31T23:59:59\"",
    "\"2023-01-01 00:00:00\"",
    "\"March 5, 2024\"",
    "\"Tue, 05 Mar 2024 07:08:09 GMT\"",
    "\"5 Mar 2024 10:11\"",
    "\"2024/02/29\"",
    "\"not a date\"",
    "\"2024-13-45\"",
    "\"\"",
    "-62135596800",
    "1.5",
    "\"1969-12-31T23:59:59.999Z\"",
    "\"2024-06-15T12:00:00-07:00\"",
    "\"2024-03-05 07:08:09 UTC\"",
    "\"2024-03-05 07:08:09 +0100\"",
    "\"2024-03\"",
    "\"2024\"",
    "true",
    "1e20",
    "null",
    "\"3/5/2024\"",
    "\"Mar 5 2024 1:02 PM\"",
];

/// Tags that generated templates use.
pub const TAGS: [&str; 17] = [
    "#",
    "assign",
    "break",
    "capture",
    "case",
    "comment",
    "continue",
    "cycle",
    "decrement",
    "echo",
    "for",
    "if",
    "increment",
    "liquid",
    "raw",
    "tablerow",
    "unless",
];
