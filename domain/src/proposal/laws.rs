//! The reference page's derived behaviour, rule by rule, and the laws that hold for every grid.

use super::{Draft, Entry, Grid, Move, Proposal};
use crate::{Ask, Code, Object, Pointer, diff};
use proptest::prelude::*;
use serde_json::{Value, json};

/// The example of the reference page.
pub(super) fn example() -> Value {
    json!({
        "message": "Sync NorthMark Strategies from Apollo into Salesforce",
        "columns": {
            "sources": [{ "key": "apollo", "label": "Apollo" }, { "key": "crunchbase", "label": "Crunchbase" }],
            "current": { "label": "Salesforce" }
        },
        "context": { "objectType": "Account", "recordId": null, "externalKey": "678cd3…" },
        "requestedSchema": {
            "type": "object",
            "properties": {
                "name": { "type": "string", "title": "Name", "default": "NorthMark Strategies" },
                "website": { "type": "string", "format": "uri", "title": "Website", "default": "https://www.northmarkstrategies.com/" },
                "employeeCount": { "type": "integer", "title": "Number of Employees", "default": 230 },
                "institutionTypes": {
                    "type": "array", "title": "Institution Types",
                    "items": { "enum": ["Asset Manager", "Private Equity", "Hedge Fund", "REIT"] },
                    "default": ["Asset Manager", "Private Equity"]
                }
            },
            "required": ["name"]
        },
        "fields": {
            "name": { "sources": { "apollo": "NorthMark Strategies", "crunchbase": "NorthMark Strategies Inc." }, "current": null },
            "website": { "sources": { "apollo": "https://www.northmarkstrategies.com/" }, "current": null },
            "employeeCount": { "sources": { "apollo": 230 }, "current": null },
            "institutionTypes": { "sources": { "apollo": ["Asset Manager", "Private Equity"] }, "current": [], "include": true }
        }
    })
}

fn parse(arguments: &Value) -> Proposal {
    Proposal::parse(arguments.as_object().unwrap()).unwrap().0
}

/// One row with this property and these cells.
fn one(property: &Value, cells: &Value, required: bool) -> Grid {
    let required: &[&str] = if required { &["p"] } else { &[] };
    parse(&json!({
        "message": "m",
        "columns": { "sources": [{ "key": "a", "label": "A" }, { "key": "b", "label": "B" }], "current": { "label": "C" } },
        "requestedSchema": { "type": "object", "properties": { "p": property }, "required": required },
        "fields": { "p": cells }
    }))
    .grid
}

fn starts_included(property: &Value, cells: &Value) -> bool {
    one(property, cells, false).start()[0].included
}

#[test]
fn the_example_starts_with_every_row_included_and_its_sources_boxed() {
    let grid = parse(&example()).grid;
    assert!(grid.start().iter().all(|entry| entry.included));
    let boxed: Vec<_> = grid.rows.iter().map(|row| [row.differs(0), row.differs(1)]).collect();
    assert_eq!(boxed, [[true, true], [true, false], [true, false], [true, false]]);
    assert_eq!(grid.rows.iter().map(super::Row::is_locked).collect::<Vec<_>>(), [true, false, false, false]);
    assert_eq!((grid.submit.as_str(), grid.cancel.as_str()), ("Submit Changes", "Cancel"));
}

#[test]
fn a_row_starts_included_if_its_proposal_differs_from_the_record() {
    let text = json!({ "type": "string", "default": "new" });
    assert!(starts_included(&text, &json!({ "current": "old" })));
    assert!(!starts_included(&text, &json!({ "current": "new" })));
    assert!(!starts_included(&text, &json!({ "current": "old", "include": false })));
    assert!(starts_included(&text, &json!({ "current": "new", "include": true })));
    let set = json!({ "type": "array", "items": { "enum": ["a", "b"] }, "default": ["b", "a"] });
    assert!(!starts_included(&set, &json!({ "current": ["a", "b"] })));
    assert!(!starts_included(&json!({ "type": "number", "default": 1.0 }), &json!({ "current": 1 })));
}

#[test]
fn without_a_default_nothing_is_proposed_and_a_blank_one_is_a_removal() {
    let plain = json!({ "type": "string" });
    assert!(!starts_included(&plain, &json!({ "current": "old" })));
    assert!(starts_included(&plain, &json!({ "current": "old", "include": true })));
    let blank = json!({ "type": "string", "default": "" });
    assert!(!starts_included(&blank, &json!({ "current": "old" })));
    assert!(starts_included(&blank, &json!({ "current": "old", "include": true })));
    let row = &one(&blank, &json!({ "current": "old" }), false).rows[0];
    assert!(row.removes(row.start().proposed.as_ref()));
}

#[test]
fn a_required_row_is_locked_while_the_record_lacks_it() {
    for (current, locked) in [
        (json!(null), true),
        (json!(""), true),
        (json!([]), true),
        (json!("x"), false),
        (json!(0), false),
        (json!(false), false),
    ] {
        let grid = one(
            &json!({ "type": "string", "default": "new" }),
            &json!({ "current": current, "include": false }),
            true,
        );
        let mut entries = grid.start();
        assert_eq!(entries[0].included, locked, "{current}");
        grid.make_all(&mut entries, &Move::Include(false));
        assert_eq!(entries[0].included, locked, "{current}");
    }
}

#[test]
fn double_clicks_copy_and_include_or_leave_out() {
    let cells = json!({ "sources": { "a": 230, "b": "201–500" }, "current": 12 });
    let grid = one(&json!({ "type": "integer", "default": 12 }), &cells, false);
    let row = &grid.rows[0];
    let mut entry = row.start();
    assert_eq!(entry, Entry { proposed: Some(json!(12)), included: false });
    row.make(&mut entry, Move::TakeSource(1));
    assert_eq!(entry, Entry { proposed: Some(json!("201–500")), included: true }, "shown as it is");
    assert_eq!(row.fault(&entry).map(|fault| fault.code), Some(Code::WrongType), "with its error");
    row.make(&mut entry, Move::KeepCurrent);
    assert_eq!(entry, Entry { proposed: Some(json!(12)), included: false });
    row.make(&mut entry, Move::TakeSource(0));
    row.make(&mut entry, Move::Restore);
    assert_eq!(entry, Entry { proposed: Some(json!(12)), included: true }, "values only, includes stay");
}

#[test]
fn there_is_nothing_to_copy_from_an_empty_cell() {
    let grid = one(&json!({ "type": "string", "default": "x" }), &json!({ "sources": { "a": "" } }), false);
    let start = grid.start();
    for nothing in [Move::TakeSource(0), Move::TakeSource(1), Move::TakeSource(9), Move::KeepCurrent] {
        let mut entries = start.clone();
        grid.make_all(&mut entries, &nothing);
        assert_eq!(entries, start, "{nothing:?}");
    }
}

/// A cleared field stays cleared; a cleared number has no value and holds its row back while included.
#[test]
fn a_cleared_field_stays_cleared() {
    let grid = one(&json!({ "type": "integer", "default": 5 }), &json!({}), false);
    let row = &grid.rows[0];
    let mut entry = row.start();
    row.make(&mut entry, Move::Propose(row.field.emptied()));
    assert_eq!(entry.proposed, None);
    assert_eq!(
        grid.draft(std::slice::from_ref(&entry))
            .unwrap_err()
            .iter()
            .map(|fault| fault.code)
            .collect::<Vec<_>>(),
        [Code::Missing]
    );
    row.make(&mut entry, Move::Include(false));
    assert_eq!(grid.draft(&[entry]), Ok(Draft::Submit(Object::new())));

    let text = one(&json!({ "type": "string" }), &json!({}), false);
    assert_eq!(text.rows[0].field.emptied(), Some(json!("")));
    let mail = one(&json!({ "type": "string", "format": "email" }), &json!({}), false);
    assert_eq!(mail.rows[0].field.emptied(), None);
}

#[test]
fn a_submit_carries_the_included_rows_in_the_order_of_the_grid() {
    let proposal = parse(&example());
    let mut entries = proposal.grid.start();
    proposal.grid.rows[1].make(&mut entries[1], Move::Include(false));
    proposal.grid.rows[2].make(&mut entries[2], Move::Propose(Some(json!(231))));
    let draft = proposal.grid.draft(&entries).unwrap();
    let answer = Ask::Proposal(proposal).judge(&crate::Draft::Proposal(draft)).unwrap();
    let crate::Answer::Proposal(answer) = answer else { panic!("an answer to a proposal") };
    let values = Value::from(answer.values().unwrap().clone());
    assert_eq!(
        values.to_string(),
        r#"{"name":"NorthMark Strategies","employeeCount":231,"institutionTypes":["Asset Manager","Private Equity"]}"#
    );
}

#[test]
fn what_was_not_asked_or_is_of_the_wrong_type_is_refused() {
    let grid = parse(&example()).grid;
    let draft = json!({ "employeeCount": "230", "website": "no address", "owner": "me", "name": "n" });
    let faults = grid.judge(&Draft::Submit(draft.as_object().unwrap().clone())).unwrap_err();
    let told: Vec<_> = faults.iter().map(|fault| (fault.pointer.as_str(), fault.code)).collect();
    assert_eq!(
        told,
        [
            ("/values/employeeCount", Code::WrongType),
            ("/values/website", Code::WrongFormat),
            ("/values/owner", Code::UnknownField)
        ]
    );
}

#[test]
fn every_fault_of_the_arguments_is_told_at_once() {
    let mut arguments = example();
    arguments["message"] = json!("x".repeat(2_001));
    arguments["columns"] =
        json!({ "sources": [{ "key": "a", "label": "A" }, { "key": "a", "label": "" }], "current": {} });
    arguments["fields"] = json!({ "name": { "sources": { "apollo": 1 }, "include": "yes", "was": 1 }, "nome": {}, "website": 3 });
    arguments["labels"] = json!({ "ok": " ", "no": "x", "cancel": "y".repeat(41) });
    arguments["timeoutSeconds"] = json!("60");
    arguments["displayTemplate"] = json!("é".repeat(10_241));
    arguments["urgent"] = json!(true);
    let faults = Proposal::parse(arguments.as_object().unwrap()).unwrap_err();
    let told: Vec<_> = faults.iter().map(|fault| (fault.pointer.as_str(), fault.code)).collect();
    assert_eq!(
        told,
        [
            ("/urgent", Code::UnknownProperty),
            ("/message", Code::TooLong),
            ("/columns/sources/1/label", Code::TooShort),
            ("/columns/sources/1/key", Code::Duplicate),
            ("/columns/current/label", Code::Missing),
            ("/displayTemplate", Code::TooLong),
            ("/labels/no", Code::UnknownProperty),
            ("/labels/ok", Code::TooShort),
            ("/labels/cancel", Code::TooLong),
            ("/timeoutSeconds", Code::WrongType),
            ("/fields/name/was", Code::UnknownProperty),
            ("/fields/name/include", Code::WrongType),
            ("/fields/nome", Code::UnknownField),
            ("/fields/website", Code::WrongType),
        ]
    );
    let nothing = Proposal::parse(&Object::new()).unwrap_err();
    let told: Vec<_> = nothing.iter().map(|fault| (fault.pointer.as_str(), fault.code)).collect();
    assert_eq!(told, ["/message", "/columns", "/requestedSchema", "/fields"].map(|at| (at, Code::Missing)));
}

#[test]
fn labels_are_trimmed_and_seconds_clamped() {
    let mut arguments = example();
    arguments["labels"] = json!({ "ok": "  Apply  " });
    for (given, seconds) in
        [(json!(59), 60), (json!(60.9), 60), (json!(1e9), 86_400), (json!(-5), 60), (json!(600), 600)]
    {
        arguments["timeoutSeconds"] = given;
        let (proposal, lasts) = Proposal::parse(arguments.as_object().unwrap()).unwrap();
        assert_eq!(
            (proposal.grid.submit.as_str(), proposal.grid.cancel.as_str(), lasts),
            ("Apply", "Cancel", seconds)
        );
    }
}

fn any_cell() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!(null)),
        Just(json!("")),
        Just(json!([])),
        any::<bool>().prop_map(Value::from),
        "[ab ]{0,3}".prop_map(Value::from),
        (-5i32..5).prop_map(Value::from),
        Just(serde_json::from_str("3791411052119578828").unwrap()),
        Just(serde_json::from_str("1.10").unwrap()),
        prop::collection::vec(prop::sample::select(vec!["a", "b", "c"]), 0..3).prop_map(Value::from),
        Just(json!("2026-03-24T12:00:00+02:00")),
        Just(json!({ "a": [1] })),
    ]
}

fn any_grid() -> impl Strategy<Value = Grid> {
    let property = prop::sample::select(vec![
        json!({ "type": "string" }),
        json!({ "type": "number" }),
        json!({ "type": "integer", "default": 3 }),
        json!({ "type": "boolean", "default": false }),
        json!({ "type": "string", "default": "" }),
        json!({ "type": "string", "enum": ["a", "b"], "default": "a" }),
        json!({ "type": "array", "items": { "enum": ["a", "b", "c"] }, "default": ["b", "a"] }),
        json!({ "type": "string", "format": "date-time" }),
    ]);
    let cells = (
        prop::option::of(any_cell()),
        prop::option::of(any_cell()),
        any_cell(),
        prop::option::of(any::<bool>()),
    );
    prop::collection::vec((property, cells, any::<bool>()), 1..6).prop_map(|rows| {
        let (mut properties, mut fields, mut required) = (Object::new(), Object::new(), Vec::new());
        for (index, (property, (a, b, current, include), must)) in rows.into_iter().enumerate() {
            let name = format!("p{index}");
            let sources: Object = [("a", a), ("b", b)].into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect();
            let mut cells = json!({ "sources": sources, "current": current });
            if let Some(include) = include {
                cells["include"] = include.into();
            }
            properties.insert(name.clone(), property);
            fields.insert(name.clone(), cells);
            if must {
                required.push(name);
            }
        }
        parse(&json!({
            "message": "m",
            "columns": { "sources": [{ "key": "a", "label": "A" }, { "key": "b", "label": "B" }], "current": { "label": "C" } },
            "requestedSchema": { "type": "object", "properties": properties, "required": required }, "fields": fields
        }))
        .grid
    })
}

proptest! {
    #[test]
    fn a_source_that_is_copied_and_submitted_comes_back_to_the_letter(grid in any_grid(), row in any::<prop::sample::Index>(), source in 0usize..2) {
        let index = row.index(grid.rows.len());
        let row = &grid.rows[index];
        let mut entries = grid.start();
        grid.make_all(&mut entries, &Move::Include(false));
        for (other, entry) in entries.iter_mut().enumerate() {
            entry.included = other == index;
        }
        row.make(&mut entries[index], Move::TakeSource(source));
        let taken = row.sources[source].clone().filter(|value| !diff::is_empty(Some(value)));
        match (taken, grid.draft(&entries)) {
            (Some(taken), Ok(draft)) => {
                let answer = grid.judge(&draft).unwrap();
                let values = answer.values().unwrap();
                prop_assert_eq!(values[&row.field.name].to_string(), taken.to_string());
                prop_assert_eq!(values.len(), 1);
            }
            (Some(taken), Err(faults)) => {
                prop_assert!(row.field.check(&taken, &Pointer::root()).is_some(), "{:?}", faults);
                prop_assert_eq!(entries[index].proposed.as_ref(), Some(&taken));
            }
            (None, _) => prop_assert_eq!(&entries[index].proposed, &row.field.default),
        }
    }

    #[test]
    fn accept_all_then_reject_all_leaves_the_locked_rows(grid in any_grid()) {
        let mut entries = grid.start();
        grid.make_all(&mut entries, &Move::Include(true));
        prop_assert!(entries.iter().all(|entry| entry.included));
        grid.make_all(&mut entries, &Move::Include(false));
        for (row, entry) in grid.rows.iter().zip(&entries) {
            prop_assert_eq!(entry.included, row.is_locked());
        }
    }

    #[test]
    fn an_empty_source_is_never_boxed_and_an_equal_one_neither(grid in any_grid()) {
        for row in &grid.rows {
            for (index, source) in row.sources.iter().enumerate() {
                let boxed = !diff::is_empty(source.as_ref()) && !diff::same(source.as_ref(), row.current.as_ref());
                prop_assert_eq!(row.differs(index), boxed);
            }
        }
    }

    #[test]
    fn restoring_brings_back_what_was_proposed_and_nothing_else(grid in any_grid(), moves in prop::collection::vec((0usize..5, 0usize..4), 0..12)) {
        let mut entries = grid.start();
        for (row, which) in moves {
            let row = row % grid.rows.len();
            let made = [Move::TakeSource(0), Move::TakeSource(1), Move::KeepCurrent, Move::Propose(None)][which].clone();
            grid.rows[row].make(&mut entries[row], made);
        }
        let included: Vec<_> = entries.iter().map(|entry| entry.included).collect();
        grid.make_all(&mut entries, &Move::Restore);
        prop_assert_eq!(entries.iter().map(|entry| entry.included).collect::<Vec<_>>(), included);
        for (row, entry) in grid.rows.iter().zip(&entries) {
            prop_assert_eq!(&entry.proposed, &row.field.default);
        }
    }
}
