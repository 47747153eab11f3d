//! When two cells of the grid hold the same thing.
//!
//! Absent, `null`, `""` and `[]` are one thing: empty. Arrays compare as sets, numbers by value, objects by
//! their members; nothing else is folded together: `"1"` is not `1`.

use crate::number::Decimal;
use serde_json::Value;

/// Whether a cell holds nothing.
pub fn is_empty(cell: Option<&Value>) -> bool {
    match cell {
        None | Some(Value::Null) => true,
        Some(Value::String(text)) => text.is_empty(),
        Some(Value::Array(items)) => items.is_empty(),
        Some(_) => false,
    }
}

/// Whether two cells hold the same thing.
pub fn same(a: Option<&Value>, b: Option<&Value>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) if !is_empty(Some(a)) && !is_empty(Some(b)) => same_value(a, b),
        _ => is_empty(a) && is_empty(b),
    }
}

fn same_value(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => Decimal::of(a) == Decimal::of(b),
        (Value::Array(a), Value::Array(b)) => within(a, b) && within(b, a),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same_value(a, b)))
        }
        _ => a == b,
    }
}

fn within(some: &[Value], all: &[Value]) -> bool {
    some.iter().all(|a| all.iter().any(|b| same_value(a, b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn json(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn empty_is_one_thing() {
        let blanks = [None, Some(json!(null)), Some(json!("")), Some(json!([]))];
        for a in &blanks {
            for b in &blanks {
                assert!(same(a.as_ref(), b.as_ref()), "{a:?} {b:?}");
            }
            for full in [json!(0), json!(false), json!(" "), json!({})] {
                assert!(!same(a.as_ref(), Some(&full)) && !same(Some(&full), a.as_ref()), "{a:?} {full}");
            }
        }
    }

    /// Order of a set is no change, equal nested values give an empty diff.
    #[test]
    fn sets_have_no_order_and_numbers_no_spelling() {
        for (a, b) in [
            (r#"["a","b"]"#, r#"["b","a"]"#),
            (r#"["Item-1","Item-2"]"#, r#"["Item-2","Item-1"]"#),
            (r#"[["a"],["b"]]"#, r#"[["a"],["b"]]"#),
            (r#"["a","a","b"]"#, r#"["b","a"]"#),
            ("1.10", "1.1"),
            ("[1,2]", "[2.0,1e0]"),
            (r#"{"a":1,"b":[2,3]}"#, r#"{"b":[3,2],"a":1.0}"#),
        ] {
            assert!(same(Some(&json(a)), Some(&json(b))), "{a} {b}");
        }
        for (a, b) in [
            ("1", r#""1""#),
            (r#"["a"]"#, r#"["a","b"]"#),
            ("3791411052119578828", "3791411052119578829"),
            ("0", "false"),
            (r#"{"a":1}"#, r#"{"a":1,"b":2}"#),
        ] {
            assert!(!same(Some(&json(a)), Some(&json(b))), "{a} {b}");
        }
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (-3i32..3).prop_map(Value::from),
            "[ab]{0,2}".prop_map(Value::from),
        ];
        leaf.prop_recursive(2, 8, 3, |inner| prop::collection::vec(inner, 0..4).prop_map(Value::from))
    }

    proptest! {
        #[test]
        fn comparison_is_symmetric(a in prop::option::of(any_json()), b in prop::option::of(any_json())) {
            prop_assert_eq!(same(a.as_ref(), b.as_ref()), same(b.as_ref(), a.as_ref()));
            prop_assert!(same(a.as_ref(), a.as_ref()));
        }

        #[test]
        fn the_order_of_a_set_does_not_matter(items in prop::collection::vec(any_json(), 0..6), seed in any::<u64>()) {
            let mut shuffled = items.clone();
            let mut state = seed;
            for i in (1..shuffled.len()).rev() {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                shuffled.swap(i, usize::try_from(state >> 33).unwrap() % (i + 1));
            }
            prop_assert!(same(Some(&Value::from(items)), Some(&Value::from(shuffled))));
        }
    }
}
