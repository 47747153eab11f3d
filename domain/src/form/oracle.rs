//! The law of forms: [`Form::check`] says what the `jsonschema` crate says, on random schemas and random values.

use super::Form;
use crate::{Code, Object, Pointer};
use proptest::prelude::*;
use serde_json::{Value, json};

fn parse(schema: &Value) -> Result<Form, Vec<(String, Code)>> {
    Form::parse(schema, &Pointer::root())
        .map_err(|faults| faults.into_iter().map(|fault| (fault.pointer.to_string(), fault.code)).collect())
}

fn form(properties: &Value) -> Form {
    parse(&json!({ "type": "object", "properties": properties })).unwrap()
}

/// The same schema as an ordinary validator reads it: a multi-select is a set, a form has no further members.
fn oracle(schema: &Value) -> jsonschema::Validator {
    let mut schema = schema.clone();
    schema["additionalProperties"] = json!(false);
    for property in schema["properties"].as_object_mut().unwrap().values_mut() {
        if property["type"] == "array" {
            property["uniqueItems"] = json!(true);
        }
    }
    jsonschema::options()
        .with_draft(jsonschema::Draft::Draft202012)
        .should_validate_formats(true)
        .build(&schema)
        .unwrap()
}

fn any_number() -> BoxedStrategy<Value> {
    prop_oneof![
        (-30i64..30).prop_map(|n| n.to_string()),
        (-300i64..300, 0u32..3).prop_map(|(n, zeros)| format!(
            "{n}.{:0width$}",
            0,
            width = zeros as usize + 1
        )),
        (-300i64..300, 1u32..99).prop_map(|(n, fraction)| format!("{n}.{fraction}")),
        (1i64..30, 0u32..4).prop_map(|(n, power)| format!("{n}e{power}")),
        Just("18446744073709551616".to_owned()),
        Just("9223372036854775807".to_owned()),
    ]
    .prop_map(|text| serde_json::from_str(&text).unwrap())
    .boxed()
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-cé😀 ]{0,6}",
        "(https?|a1|1a|)(:|://|)[a-c.:/?#%@\\[ é0-9]{0,8}",
        "[a-c.+' ]{0,4}@{0,2}[a-c.-]{0,5}",
        "20(00|23|24)-(0[0-9]|1[0-3])-(0[0-9]|[1-3][0-9])",
        "2024-02-(28|29|30)[Tt ]([01][0-9]|2[0-5]):[0-6][0-9]:([0-5][0-9]|60)(\\.[0-9]{0,3})?([Zz]|[+-][0-2][0-9]:[0-6][0-9]|)",
        "(a@b\\.c|https://a\\.b/|2024-02-29|2024-02-29T12:00:00Z)",
    ]
}

fn any_value() -> impl Strategy<Value = Value> {
    let options = || prop::sample::select(vec!["a", "b", "c", "d"]);
    prop_oneof![
        4 => any_text().prop_map(Value::from),
        3 => any_number(),
        1 => any::<bool>().prop_map(Value::from),
        2 => options().prop_map(Value::from),
        3 => prop::collection::vec(options(), 0..4).prop_map(Value::from),
        1 => Just(Value::Null),
        1 => prop::collection::vec(any_number(), 0..2).prop_map(Value::from),
        1 => Just(json!({ "a": 1 })),
    ]
}

fn limits(
    low: &'static str,
    high: &'static str,
    limit: BoxedStrategy<Value>,
) -> impl Strategy<Value = Object> {
    (prop::option::of(limit.clone()), prop::option::of(limit)).prop_map(move |(min, max)| {
        [(low, min), (high, max)]
            .into_iter()
            .filter_map(|(key, limit)| Some((key.to_owned(), limit?)))
            .collect()
    })
}

fn any_property() -> impl Strategy<Value = Value> {
    let with = |base: Value| {
        move |more: Object| {
            let mut property = base.clone();
            property.as_object_mut().unwrap().extend(more);
            property
        }
    };
    let count = || (0u64..5).prop_map(Value::from).boxed();
    let formats = prop::sample::select(vec!["uri", "email", "date", "date-time"]);
    let patterns = prop::sample::select(vec!["^a", "b$", "[bc]+", "^\\d{4}", "é"]);
    prop_oneof![
        limits("minLength", "maxLength", count()).prop_map(with(json!({ "type": "string" }))),
        patterns.prop_map(|pattern| json!({ "type": "string", "pattern": pattern })),
        formats.prop_map(|format| json!({ "type": "string", "format": format })),
        limits("minimum", "maximum", any_number()).prop_map(with(json!({ "type": "number" }))),
        limits("minimum", "maximum", any_number()).prop_map(with(json!({ "type": "integer" }))),
        Just(json!({ "type": "boolean" })),
        Just(json!({ "type": "string", "enum": ["a", "b"], "enumNames": ["A", "B"] })),
        Just(json!({ "type": "string", "oneOf": [{ "const": "a", "title": "A" }, { "const": "c" }] })),
        limits("minItems", "maxItems", count()).prop_map(with(json!({ "type": "array", "items": { "enum": ["a", "b", "c", "d"] } }))),
        limits("minItems", "maxItems", count())
            .prop_map(with(json!({ "type": "array", "items": { "anyOf": [{ "const": "a", "title": "A" }, { "const": "b" }, { "const": "c" }, { "const": "d" }] } }))),
    ]
}

const NAMES: [&str; 4] = ["p", "q", "r", "s"];

fn any_schema() -> impl Strategy<Value = Value> {
    (prop::collection::vec(any_property(), 1..4), any::<[bool; 4]>()).prop_map(|(properties, required)| {
        let properties: Object = NAMES.iter().map(|name| (*name).to_owned()).zip(properties).collect();
        let required: Vec<_> =
            properties.keys().zip(required).filter_map(|(name, yes)| yes.then_some(name.clone())).collect();
        json!({ "type": "object", "properties": properties, "required": required })
    })
}

fn any_values() -> impl Strategy<Value = Object> {
    prop::collection::vec((prop::sample::select(NAMES.to_vec()), any_value()), 0..5)
        .prop_map(|members| members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn a_form_admits_what_its_schema_admits(schema in any_schema(), values in any_values()) {
        // A schema that admits nothing at all is refused at the door, and has no form to compare.
        if let Ok(form) = parse(&schema) {
            let ours = form.check(&values, &Pointer::root());
            let theirs = oracle(&schema).is_valid(&Value::from(values));
            prop_assert_eq!(ours.is_ok(), theirs, "{:?}", ours);
        }
    }

    #[test]
    fn one_field_admits_what_its_property_admits(property in any_property(), value in any_value()) {
        let schema = json!({ "type": "object", "properties": { "p": property } });
        if let Ok(form) = parse(&schema) {
            let ours = form.fields()[0].check(&value, &Pointer::root());
            let theirs = oracle(&schema).is_valid(&json!({ "p": value }));
            prop_assert_eq!(ours.is_none(), theirs, "{:?}", ours);
        }
    }
}

/// Values keep their type, nothing is made up, nothing is coerced.
#[test]
fn values_are_what_they_are() {
    let form = form(&json!({
        "n": { "type": "integer" }, "ok": { "type": "boolean" }, "s": { "type": "string" },
        "tags": { "type": "array", "items": { "type": "string", "enum": ["foo", "bar"] }, "uniqueItems": true, "minItems": 1 }
    }));
    let check = |values: Value| {
        let faults = form.check(values.as_object().unwrap(), &Pointer::root()).err();
        faults.into_iter().flatten().map(|fault| (fault.pointer.to_string(), fault.code)).collect::<Vec<_>>()
    };
    assert_eq!(check(json!({ "n": 0, "ok": false, "s": "", "tags": ["foo"] })), []);
    assert_eq!(check(serde_json::from_str(r#"{ "n": 9223372036854775808 }"#).unwrap()), []);
    for wrong in [json!(""), json!("42"), json!(null), json!(1.5), json!([1])] {
        assert_eq!(check(json!({ "n": wrong })), [("/n".to_owned(), Code::WrongType)], "{wrong}");
    }
    assert_eq!(check(json!({ "tags": [] })), [("/tags".to_owned(), Code::TooShort)]);
    assert_eq!(check(json!({ "tags": ["foo", null] })), [("/tags".to_owned(), Code::WrongType)]);
    assert_eq!(check(json!({ "tags": ["foo", "foo"] })), [("/tags".to_owned(), Code::Duplicate)]);
    assert_eq!(check(json!({ "other": { "a": 1 } })), [("/other".to_owned(), Code::UnknownField)]);

    let required = parse(&json!({ "type": "object", "properties": { "scoops": { "type": "integer", "minimum": 1 } }, "required": ["scoops"] })).unwrap();
    let faults = required.check(&Object::new(), &Pointer::root()).unwrap_err();
    assert_eq!(faults.iter().map(|fault| fault.code).collect::<Vec<_>>(), [Code::Missing]);
}

/// What a form cannot show is refused where it stands, never shown as something else.
#[test]
fn what_is_outside_the_subset_is_refused_where_it_stands() {
    for (property, pointer, code) in [
        (json!({ "type": ["number", "null"] }), "/type", Code::Unsupported),
        (json!({ "$ref": "#/$defs/Status" }), "/$ref", Code::Unsupported),
        (json!({ "type": "object", "properties": {} }), "/type", Code::Unsupported),
        (json!({ "type": "array", "items": { "type": "object" } }), "/items", Code::Unsupported),
        (json!({ "type": "array" }), "/items", Code::Missing),
        (json!({ "allOf": [] }), "/allOf", Code::Unsupported),
        (json!({}), "/type", Code::Missing),
        (json!({ "type": "string", "enum": [] }), "/enum", Code::TooShort),
        (json!({ "type": "string", "enum": ["a", "a"] }), "/enum/1", Code::Duplicate),
        (json!({ "type": "string", "enum": ["a", 1] }), "/enum/1", Code::WrongType),
        (
            json!({ "type": "string", "enum": ["a"], "enumNames": ["A", "B"] }),
            "/enumNames",
            Code::Contradiction,
        ),
        (json!({ "type": "string", "oneOf": [{ "title": "A" }] }), "/oneOf/0/const", Code::Missing),
        (json!({ "type": "string", "format": "ipv4" }), "/format", Code::Unsupported),
        (json!({ "type": "string", "minLength": 3, "maxLength": 2 }), "/minLength", Code::Contradiction),
        (json!({ "type": "string", "minLength": -1 }), "/minLength", Code::WrongType),
        (json!({ "type": "integer", "exclusiveMinimum": 1 }), "/exclusiveMinimum", Code::Unsupported),
        (json!({ "type": "number", "minimum": 1, "default": 0 }), "/default", Code::InvalidDefault),
        (json!({ "type": "string", "default": null }), "/default", Code::InvalidDefault),
        (json!("string"), "", Code::WrongType),
    ] {
        let faults = parse(&json!({ "type": "object", "properties": { "p": property } })).unwrap_err();
        assert_eq!(faults, [(format!("/properties/p{pointer}"), code)], "{property}");
    }
    #[cfg(feature = "regex")]
    assert_eq!(
        parse(&json!({ "type": "object", "properties": { "p": { "type": "string", "pattern": "(?=a)" } } }))
            .unwrap_err(),
        [("/properties/p/pattern".to_owned(), Code::InvalidPattern)]
    );
}

#[test]
fn every_fault_of_a_schema_is_told_at_once() {
    let schema = json!({
        "type": "array", "$defs": {}, "additionalProperties": true,
        "properties": { "a": { "type": "object" }, "b": { "type": "string", "minLength": "1", "format": 2 } },
        "required": ["a", "z", 3]
    });
    let faults = parse(&schema).unwrap_err();
    let pointers: Vec<_> = faults.iter().map(|(pointer, _)| pointer.as_str()).collect();
    assert_eq!(
        pointers,
        [
            "/$defs",
            "/type",
            "/additionalProperties",
            "/required/1",
            "/required/2",
            "/properties/a/type",
            "/properties/b/minLength",
            "/properties/b/format"
        ]
    );
}

/// The titles are shown, the values come back, in the caller's order.
#[test]
fn options_have_values_and_titles() {
    let form = form(&json!({
        "mode": { "type": "string", "enum": ["x", "y"], "enumNames": ["Ex", "y"] },
        "lvl": { "type": "array", "items": { "anyOf": [{ "const": "1", "title": "A" }, { "const": "2", "title": "B" }] } }
    }));
    let super::Kind::Choice(mode) = &form.fields()[0].kind else { panic!("a choice") };
    assert_eq!(mode.iter().map(super::Choice::label).collect::<Vec<_>>(), ["Ex", "y"]);
    let super::Kind::Choices(levels) = &form.fields()[1].kind else { panic!("choices") };
    assert_eq!(
        levels.options.iter().map(|o| (o.value.as_str(), o.label())).collect::<Vec<_>>(),
        [("1", "A"), ("2", "B")]
    );
}

#[test]
fn a_form_survives_the_way_to_the_browser() {
    let form = form(&json!({
        "a": { "type": "number", "minimum": 1.10, "default": 3 }, "b": { "type": "string", "pattern": "^x", "maxLength": 9 },
        "c": { "type": "array", "items": { "enum": ["q"] }, "default": ["q"] }, "d": { "type": "boolean", "title": "D" }
    }));
    let wire = serde_json::to_string(&form).unwrap();
    assert_eq!(serde_json::from_str::<Form>(&wire).unwrap(), form);
}
