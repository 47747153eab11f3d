//! What tests ask, and by whom.

use sayso_domain::{
    Ask, Draft, Object,
    people::{Person, Visitor},
    proposal::{self, Proposal},
    review::{Agent, Reviewer},
};
use serde_json::{Value, json};

/// The example of the reference page, shortened where nothing hangs on it.
pub fn example() -> Value {
    json!({
        "message": "Sync NorthMark Strategies from Apollo into Salesforce",
        "columns": { "sources": [{ "key": "apollo", "label": "Apollo" }, { "key": "crunchbase", "label": "Crunchbase" }], "current": { "label": "Salesforce" } },
        "context": { "objectType": "Account", "recordId": null, "externalKey": "678cd3…" },
        "requestedSchema": {
            "type": "object",
            "properties": {
                "name": { "type": "string", "title": "Name", "default": "NorthMark Strategies" },
                "employeeCount": { "type": "integer", "title": "Number of Employees", "default": 230 },
                "institutionTypes": { "type": "array", "title": "Institution Types", "items": { "enum": ["Asset Manager", "Private Equity"] }, "default": ["Asset Manager"] }
            },
            "required": ["name"]
        },
        "fields": {
            "name": { "sources": { "apollo": "NorthMark Strategies", "crunchbase": "NorthMark Strategies Inc." }, "current": null },
            "employeeCount": { "sources": { "apollo": 230 }, "current": null },
            "institutionTypes": { "sources": { "apollo": ["Asset Manager"] }, "current": [], "include": true }
        }
    })
}

pub fn ask() -> Ask {
    ask_of(&example())
}

pub fn ask_of(arguments: &Value) -> Ask {
    Ask::Proposal(Proposal::parse(arguments.as_object().unwrap()).unwrap().0)
}

pub fn agent(principal: &str) -> Agent {
    Agent { principal: principal.to_owned(), client: Some("tests".to_owned()) }
}

pub fn reviewer(name: &str) -> Reviewer {
    Reviewer { name: name.to_owned() }
}

/// Somebody who has signed in, by address.
pub fn visitor(email: &str) -> Visitor {
    Visitor::Reviewer(Person {
        subject: email.to_owned(),
        email: Some(email.to_owned()),
        name: None,
        groups: Vec::new(),
    })
}

pub fn submit(values: Value) -> Draft {
    let values: Object = values.as_object().unwrap().clone();
    Draft::Proposal(proposal::Draft::Submit(values))
}

pub fn cancel() -> Draft {
    Draft::Proposal(proposal::Draft::Cancel)
}
