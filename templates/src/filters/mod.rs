//! The filters, by name. A filter is a plain function of its input, its arguments and the [`Env`].
//!
//! LiquidJS's `*_exp` filters are left out on purpose: an expression made at render time is a template inside the template, and
//! one that names itself is a bomb.

mod array;
mod base64;
mod call;
mod date;
mod digest;
mod html;
mod identity;
mod json;
mod math;
mod misc;
mod path;
mod select;
mod slugify;
mod sort;
mod string;
mod strip;
#[cfg(test)]
pub(crate) mod testing;
mod url;
mod words;

use std::sync::Arc;

use crate::budget::Stop;
pub(crate) use crate::env::Env;
use crate::value::Value;

pub(crate) use call::{Output, add};

/// One application of a filter.
pub(crate) struct Call<'a> {
    pub input: Value,
    pub args: &'a [Value],
    pub named: &'a [(Arc<str>, Value)],
    pub env: &'a Env,
}

pub(crate) type Filter = fn(Call<'_>) -> Result<Value, Stop>;

/// The filter of this name. LiquidJS passes its input through where there is none.
pub(crate) fn find(name: &str) -> Option<Filter> {
    FILTERS.binary_search_by(|(there, _)| there.cmp(&name)).ok().map(|index| FILTERS[index].1)
}

/// Every filter, in the order of their names.
const FILTERS: &[(&str, Filter)] = &[
    ("abs", math::abs),
    ("append", string::append),
    ("array_to_sentence_string", words::array_to_sentence_string),
    ("at_least", math::at_least),
    ("at_most", math::at_most),
    ("base64_decode", base64::decode),
    ("base64_encode", base64::encode),
    ("capitalize", string::capitalize),
    ("ceil", math::ceil),
    ("cgi_escape", url::cgi_escape),
    ("compact", array::compact),
    ("concat", array::concat),
    ("date", date::date),
    ("date_to_long_string", date::date_to_long_string),
    ("date_to_rfc822", date::date_to_rfc822),
    ("date_to_string", date::date_to_string),
    ("date_to_xmlschema", date::date_to_xmlschema),
    ("default", misc::default),
    ("divided_by", math::divided_by),
    ("downcase", string::downcase),
    ("escape", html::escape),
    ("escape_once", html::escape_once),
    ("find", select::find),
    ("find_index", select::find_index),
    ("first", array::first),
    ("floor", math::floor),
    ("group_by", identity::group_by),
    ("has", select::has),
    ("hmac_sha256", digest::hmac_sha256),
    ("inspect", json::json),
    ("join", array::join),
    ("json", json::json),
    ("jsonify", json::json),
    ("last", array::last),
    ("lstrip", strip::lstrip),
    ("map", array::map),
    ("minus", math::minus),
    ("modulo", math::modulo),
    ("newline_to_br", html::newline_to_br),
    ("normalize_whitespace", strip::normalize_whitespace),
    ("number_of_words", words::number_of_words),
    ("plus", math::plus),
    ("pop", array::pop),
    ("prepend", string::prepend),
    ("push", array::push),
    ("raw", misc::raw),
    ("reject", select::reject),
    ("remove", string::remove),
    ("remove_first", string::remove_first),
    ("remove_last", string::remove_last),
    ("replace", string::replace),
    ("replace_first", string::replace_first),
    ("replace_last", string::replace_last),
    ("reverse", array::reverse),
    ("round", math::round),
    ("rstrip", strip::rstrip),
    ("sample", array::sample),
    ("sha256", digest::sha256),
    ("shift", array::shift),
    ("size", array::size),
    ("slice", array::slice),
    ("slugify", slugify::slugify),
    ("sort", sort::sort),
    ("sort_natural", sort::sort_natural),
    ("split", string::split),
    ("squish", strip::squish),
    ("strip", strip::strip),
    ("strip_html", html::strip_html),
    ("strip_newlines", strip::strip_newlines),
    ("sum", array::sum),
    ("times", math::times),
    ("to_integer", math::to_integer),
    ("truncate", words::truncate),
    ("truncatewords", words::truncatewords),
    ("uniq", identity::uniq),
    ("unshift", array::unshift),
    ("upcase", string::upcase),
    ("uri_escape", url::uri_escape),
    ("url_decode", url::url_decode),
    ("url_encode", url::url_encode),
    ("where", select::where_),
    ("xml_escape", html::escape),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_their_own() {
        assert!(FILTERS.is_sorted_by(|left, right| left.0 < right.0));
        assert!(find("upcase").is_some());
        for absent in ["constructor", "toString", "__proto__", "where_exp", "find_exp", ""] {
            assert!(find(absent).is_none(), "{absent}");
        }
    }
}
