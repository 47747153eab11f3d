//! What stands in an output or a tag: operands, operators and filters, as LiquidJS reads them.
//!
//! Operators are kept in postfix order, so that neither reading nor evaluating a chain of them needs the stack. Only what
//! stands in brackets or parentheses nests, and that is capped.

use std::sync::Arc;

use crate::cursor::Cursor;
use crate::error::{Malformed, malformed};
use crate::filters::{self, Filter};
use crate::literal;
use crate::value::Value;

/// How deep brackets and parentheses may stand in each other.
pub(crate) const MAX_DEPTH: usize = 24;

/// Something that has a value.
#[derive(Debug)]
pub(crate) enum Operand {
    Literal(Value),
    /// `a.b[c]`; a name in front is looked up.
    Variable(Key, Box<[Key]>),
    /// `"text"[0]`, `(1..3).size`.
    Property(Box<Operand>, Box<[Key]>),
    /// `(from..to)`.
    Range(Box<(Operand, Operand)>),
}

/// One step of a path.
#[derive(Debug)]
pub(crate) enum Key {
    Name(Arc<str>),
    Computed(Box<Operand>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Equal,
    Unequal,
    Less,
    Greater,
    LessOrEqual,
    GreaterOrEqual,
    Contains,
    Not,
    And,
    Or,
}

/// An operand, or what to do with those before it.
#[derive(Debug)]
pub(crate) enum Step {
    Operand(Operand),
    Operator(Operator),
}

/// `| name: a, b, key: c`.
#[derive(Debug)]
pub(crate) struct Applied {
    pub name: Arc<str>,
    /// Nothing where there is no such filter: the input passes through.
    pub filter: Option<Filter>,
    pub args: Vec<Operand>,
    pub named: Vec<(Arc<str>, Operand)>,
    pub at: usize,
}

/// An expression and the filters behind it.
#[derive(Debug)]
pub(crate) struct Filtered {
    pub steps: Vec<Step>,
    pub filters: Vec<Applied>,
}

/// Longest first where one begins another. Words end where a name would.
const OPERATORS: [(&str, Operator); 10] = [
    ("==", Operator::Equal),
    ("!=", Operator::Unequal),
    ("<=", Operator::LessOrEqual),
    (">=", Operator::GreaterOrEqual),
    ("<", Operator::Less),
    (">", Operator::Greater),
    ("contains", Operator::Contains),
    ("not", Operator::Not),
    ("and", Operator::And),
    ("or", Operator::Or),
];

impl Operator {
    /// `and` and `or` bind alike, and all are right-associative.
    fn precedence(self) -> u8 {
        match self {
            Operator::And | Operator::Or => 0,
            Operator::Not => 1,
            _ => 2,
        }
    }

    fn read(cursor: &mut Cursor<'_>) -> Option<Self> {
        cursor.skip_blank();
        let found = OPERATORS.into_iter().find(|(text, _)| cursor.is_at(text))?;
        let start = cursor.at();
        cursor.take(found.0);
        let is_word = found.0.starts_with(|c: char| c.is_ascii_alphabetic());
        if is_word && cursor.peek().is_some_and(crate::cursor::is_word) {
            cursor.back_to(start);
            return None;
        }
        Some(found.1)
    }
}

/// Reads an expression and its filters, up to where they end.
pub(crate) fn filtered(cursor: &mut Cursor<'_>) -> Result<Filtered, Malformed> {
    let steps = steps(cursor)?;
    if steps.is_empty() {
        return Err(malformed(cursor.at(), format!("a value is expected here; found {}", snapshot(cursor))));
    }
    let mut filters = Vec::new();
    while let Some(applied) = applied(cursor)? {
        filters.push(applied);
    }
    Ok(Filtered { steps, filters })
}

fn steps(cursor: &mut Cursor<'_>) -> Result<Vec<Step>, Malformed> {
    let mut steps = Vec::new();
    let mut waiting: Vec<Operator> = Vec::new();
    while !cursor.is_at_end() {
        if let Some(operator) = Operator::read(cursor) {
            while let Some(last) = waiting.pop_if(|last| last.precedence() > operator.precedence()) {
                steps.push(Step::Operator(last));
            }
            waiting.push(operator);
        } else if let Some(operand) = operand(cursor, 0)? {
            steps.push(Step::Operand(operand));
        } else {
            break;
        }
    }
    steps.extend(waiting.into_iter().rev().map(Step::Operator));
    Ok(steps)
}

fn applied(cursor: &mut Cursor<'_>) -> Result<Option<Applied>, Malformed> {
    cursor.skip_blank();
    match cursor.peek() {
        None | Some(')' | ',') => return Ok(None),
        Some('|') => drop(cursor.step()),
        Some(_) => {
            return Err(malformed(
                cursor.at(),
                format!("`|` and a filter are expected here; found {}", snapshot(cursor)),
            ));
        }
    }
    cursor.skip_blank();
    let at = cursor.at();
    let name = cursor.word();
    if name.is_empty() {
        if cursor.is_at_end() {
            return Ok(None);
        }
        return Err(malformed(
            at,
            format!("the name of a filter is expected here; found {}", snapshot(cursor)),
        ));
    }
    let mut applied =
        Applied { name: name.into(), filter: filters::find(name), args: Vec::new(), named: Vec::new(), at };
    cursor.skip_blank();
    match cursor.peek() {
        Some(':') => arguments(cursor, &mut applied)?,
        None | Some('|' | ')' | ',') => {}
        Some(_) => {
            let message =
                format!("`:` is expected between a filter and its arguments; found {}", snapshot(cursor));
            return Err(malformed(cursor.at(), message));
        }
    }
    Ok(Some(applied))
}

fn arguments(cursor: &mut Cursor<'_>, applied: &mut Applied) -> Result<(), Malformed> {
    loop {
        cursor.step();
        cursor.skip_blank();
        let start = cursor.at();
        if let Some(value) = operand(cursor, 0)? {
            let key = cursor.since(start);
            cursor.skip_blank();
            if cursor.take(":") {
                let value = operand(cursor, 0)?.unwrap_or(Operand::Literal(Value::Undefined));
                applied.named.push((key.into(), value));
            } else {
                applied.args.push(value);
            }
        }
        cursor.skip_blank();
        match cursor.peek() {
            Some(',') => {}
            None | Some('|' | ')') => return Ok(()),
            Some(_) => {
                let message =
                    format!("`,` or `|` is expected behind an argument; found {}", snapshot(cursor));
                return Err(malformed(cursor.at(), message));
            }
        }
    }
}

/// Reads one operand, if there is one.
pub(crate) fn operand(cursor: &mut Cursor<'_>, depth: usize) -> Result<Option<Operand>, Malformed> {
    if depth > MAX_DEPTH {
        let message =
            format!("brackets nest more than {MAX_DEPTH} deep; assign a part of this to a variable first");
        return Err(malformed(cursor.at(), message));
    }
    cursor.skip_blank();
    let first = match literal::read(cursor) {
        Some(value) => Some(Operand::Literal(value)),
        None if cursor.is_at("(") => Some(range(cursor, depth)?),
        None => None,
    };
    let Some(first) = first else {
        let mut keys = keys(cursor, true, depth)?.into_iter();
        return Ok(keys.next().map(|root| Operand::Variable(root, keys.collect())));
    };
    let keys = keys(cursor, false, depth)?;
    Ok(Some(if keys.is_empty() { first } else { Operand::Property(Box::new(first), keys.into()) }))
}

fn range(cursor: &mut Cursor<'_>, depth: usize) -> Result<Operand, Malformed> {
    let at = cursor.at();
    let not_a_range = |cursor: &Cursor<'_>| {
        malformed(
            at,
            format!("only a range such as `(1..3)` stands in parentheses; found {}", snapshot(cursor)),
        )
    };
    cursor.step();
    let from = operand(cursor, depth + 1)?.ok_or_else(|| not_a_range(cursor))?;
    cursor.skip_blank();
    if !cursor.take("..") {
        return Err(not_a_range(cursor));
    }
    let to = operand(cursor, depth + 1)?.ok_or_else(|| not_a_range(cursor))?;
    cursor.skip_blank();
    if !cursor.take(")") {
        return Err(not_a_range(cursor));
    }
    Ok(Operand::Range(Box::new((from, to))))
}

fn keys(cursor: &mut Cursor<'_>, begins: bool, depth: usize) -> Result<Vec<Key>, Malformed> {
    let mut keys = Vec::new();
    loop {
        if cursor.is_at("[") {
            let at = cursor.at();
            cursor.step();
            keys.push(match operand(cursor, depth + 1)? {
                Some(Operand::Literal(Value::Text(name))) => Key::Name(name),
                Some(other) => Key::Computed(Box::new(other)),
                None => Key::Name("".into()),
            });
            if !cursor.skip_to("]") {
                return Err(malformed(at, "this `[` is not closed; end it with `]`"));
            }
            continue;
        }
        if begins && keys.is_empty() {
            let name = cursor.word();
            if !name.is_empty() {
                keys.push(Key::Name(name.into()));
                continue;
            }
        }
        // A path may begin with a dot, and a dot that nothing follows is passed over.
        if !cursor.is_at(".") || cursor.is_at("..") {
            return Ok(keys);
        }
        cursor.step();
        let name = cursor.word();
        if name.is_empty() {
            return Ok(keys);
        }
        keys.push(Key::Name(name.into()));
    }
}

/// The beginning of what is left, for a message.
pub(crate) fn snapshot(cursor: &Cursor<'_>) -> String {
    let rest = cursor.rest();
    match rest.char_indices().nth(24) {
        _ if rest.is_empty() => "nothing".to_owned(),
        Some((end, _)) => format!("`{}…`", &rest[..end]),
        None => format!("`{rest}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(source: &str) -> Result<Filtered, Malformed> {
        filtered(&mut Cursor::new(source, 0, source.len()))
    }

    fn operators(source: &str) -> Vec<Operator> {
        let steps = read(source).expect("well-formed").steps;
        steps.iter().filter_map(|step| if let Step::Operator(op) = step { Some(*op) } else { None }).collect()
    }

    #[test]
    fn and_and_or_bind_alike_from_the_right() {
        assert_eq!(operators("a and b or c"), [Operator::Or, Operator::And]);
        assert_eq!(operators("a or b and c"), [Operator::And, Operator::Or]);
        assert_eq!(operators("not a == b and c"), [Operator::Equal, Operator::Not, Operator::And]);
    }

    #[test]
    fn words_that_begin_like_operators_are_names() {
        let steps = read("order").expect("a name").steps;
        assert!(
            matches!(&steps[..], [Step::Operand(Operand::Variable(Key::Name(name), _))] if &**name == "order")
        );
        assert!(matches!(&read("nothing").unwrap().steps[..], [Step::Operand(_)]));
    }

    #[test]
    fn nesting_is_capped_without_a_stack() {
        for (open, close) in [("a[", "]"), ("(1..", ")")] {
            let deep = |depth| format!("{}1{}", open.repeat(depth), close.repeat(depth));
            assert!(read(&deep(MAX_DEPTH)).is_ok());
            assert!(read(&deep(10_000)).expect_err("too deep").message.contains("deep"));
        }
        assert!(read(&format!("a{}", " | f: c | g".repeat(500))).is_ok());
        assert!(read(&format!("a{}", " and a".repeat(2_000))).is_ok());
    }

    #[test]
    fn filters_have_positional_and_named_arguments() {
        let filtered = read("a | default: 'x', allow_false: true | nosuch").expect("well-formed");
        assert_eq!(filtered.filters.len(), 2);
        assert_eq!((filtered.filters[0].args.len(), filtered.filters[0].named.len()), (1, 1));
        assert!(filtered.filters[1].filter.is_none());
    }
}
