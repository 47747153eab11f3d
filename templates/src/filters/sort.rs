//! Sorting. The order of mixed values is not consistent in JavaScript, which std's sort would answer with a panic; this one is
//! stable, asks the same questions as V8's for lists that one run of insertions sorts, and charges for every comparison.

use std::cmp::Ordering;

use super::Call;
use super::array::{dig, property};
use crate::budget::Stop;
use crate::compare::{compare_units, relate};
use crate::value::print::scan;
use crate::value::{Array, Value};

/// In JavaScript's order; nothing comes last, and what cannot be compared counts as equal.
pub(super) fn sort(call: Call<'_>) -> Result<Value, Stop> {
    let meter = call.meter();
    sorted(&call, |_, key| Ok(key), |left, right| Ok(relate(left, right, meter)?.unwrap_or(Ordering::Equal)))
}

/// As texts, and regardless of case.
pub(super) fn sort_natural(call: Call<'_>) -> Result<Value, Stop> {
    let meter = call.meter();
    let lower = |alone: bool, key: Value| {
        if key.is_nil() || alone {
            return Ok(key);
        }
        let text = key.spell(meter)?;
        meter.memory(text.len().saturating_mul(3))?;
        Ok(Value::Text(text.to_lowercase().into()))
    };
    sorted(&call, lower, |left, right| {
        let (Value::Text(left), Value::Text(right)) = (left, right) else { return Ok(Ordering::Equal) };
        scan(left.len().min(right.len()), meter)?;
        Ok(compare_units(left, right))
    })
}

fn sorted(
    call: &Call<'_>,
    prepare: impl Fn(bool, Value) -> Result<Value, Stop>,
    compare: impl Fn(&Value, &Value) -> Result<Ordering, Stop>,
) -> Result<Value, Stop> {
    let path = property(call)?;
    let items = call.items()?;
    let mut pairs = Vec::with_capacity(items.len());
    for item in items.iter() {
        let key = match &path {
            Some(path) => dig(item, path, call.env)?,
            None => item.clone(),
        };
        pairs.push((prepare(items.len() == 1, key)?, item.clone()));
    }
    merge_sort(&mut pairs, &|(left, _), (right, _)| match (left.is_nil(), right.is_nil()) {
        (true, true) => Ok(Ordering::Equal),
        (true, false) => Ok(Ordering::Greater),
        (false, true) => Ok(Ordering::Less),
        (false, false) => {
            call.meter().step(1)?;
            compare(left, right)
        }
    })?;
    Array::new(pairs.into_iter().map(|(_, item)| item).collect(), call.meter())
}

/// Up to this length V8 only inserts.
const RUN: usize = 63;

/// Sorts runs by insertion and merges them. Any answers of `compare` lead to some order of the same items.
fn merge_sort<T: Clone>(
    items: &mut [T],
    compare: &impl Fn(&T, &T) -> Result<Ordering, Stop>,
) -> Result<(), Stop> {
    if items.len() <= RUN {
        return insertion_sort(items, compare);
    }
    let middle = items.len() / 2;
    merge_sort(&mut items[..middle], compare)?;
    merge_sort(&mut items[middle..], compare)?;
    let mut merged = Vec::with_capacity(items.len());
    let (mut left, mut right) = (items[..middle].iter().peekable(), items[middle..].iter().peekable());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        // The left one of two equals comes first: that is what makes the order stable.
        let next = if compare(b, a)?.is_lt() { right.next() } else { left.next() };
        merged.extend(next.cloned());
    }
    merged.extend(left.chain(right).cloned());
    items.clone_from_slice(&merged);
    Ok(())
}

/// V8's binary insertion, after the run that the list begins with.
fn insertion_sort<T>(
    items: &mut [T],
    compare: &impl Fn(&T, &T) -> Result<Ordering, Stop>,
) -> Result<(), Stop> {
    for start in leading_run(items, compare)?..items.len() {
        let (mut left, mut right) = (0, start);
        while left < right {
            let middle = left + (right - left) / 2;
            if compare(&items[start], &items[middle])?.is_lt() {
                right = middle;
            } else {
                left = middle + 1;
            }
        }
        items[left..=start].rotate_right(1);
    }
    Ok(())
}

/// How many items at the beginning are in order. Strictly falling ones are turned round first.
fn leading_run<T>(
    items: &mut [T],
    compare: &impl Fn(&T, &T) -> Result<Ordering, Stop>,
) -> Result<usize, Stop> {
    let [first, second, ..] = items else { return Ok(items.len()) };
    let falling = compare(second, first)?.is_lt();
    let mut length = 2;
    while length < items.len() && compare(&items[length], &items[length - 1])?.is_lt() == falling {
        length += 1;
    }
    if falling {
        items[..length].reverse();
    }
    Ok(length)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::filters::testing::{apply, run};

    #[test]
    fn sorting() {
        assert_eq!(apply("sort", json!([3, null, 1, 2]), &[]), "[1,2,3,null]");
        assert_eq!(apply("sort", json!(["b", "C", "a"]), &[]), r#"["C","a","b"]"#);
        assert_eq!(apply("sort", json!(["10", 9, "x"]), &[]), r#"[9,"10","x"]"#);
        assert_eq!(
            apply("sort", json!([{ "a": { "b": 2 } }, { "a": { "b": 1 } }]), &[json!("a.b")]),
            r#"[{"a":{"b":1}},{"a":{"b":2}}]"#
        );
        assert_eq!(apply("sort_natural", json!(["b", "C", "a", 10, null]), &[]), r#"[10,"a","b","C",null]"#);
        assert_eq!(apply("sort", json!("ba"), &[]), r#"["ba"]"#);
    }

    #[test]
    fn long_lists_are_sorted_stably() {
        let list: Vec<Json> = (0..1000).map(|n| json!({ "k": n * 7919 % 10, "n": n })).collect();
        let Ok(value) =
            run("sort", Value::from_json(&json!(list)).expect("shallow"), &[Value::Text("k".into())])
        else {
            panic!("within the budget")
        };
        let Value::Array(array) = value else { panic!("a list") };
        let mut expected: Vec<i64> = (0..1000).collect();
        expected.sort_by_key(|n| n * 7919 % 10);
        let env = crate::filters::testing::env();
        for (item, expected) in array.items().iter().zip(expected) {
            assert_eq!(dig(item, "n", &env).and_then(|n| n.to_number(&env.meter)), Ok(expected as f64));
        }
    }

    #[test]
    fn inconsistent_orders_only_shuffle() {
        let mut items: Vec<u32> = (0..500).collect();
        let answers = std::cell::Cell::new(1u32);
        merge_sort(&mut items, &|_, _| {
            answers.set(answers.get().wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
            Ok((answers.get() >> 16).cmp(&0x8000))
        })
        .expect("no charge");
        items.sort_unstable();
        assert_eq!(items, (0..500).collect::<Vec<u32>>());
    }
}
