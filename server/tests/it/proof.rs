//! Receipts: checked as a stranger checks them, with the published keys, a stock library and what the agent was given.

use crate::house::{House, On, example};
use crate::on_both;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, jwk::JwkSet};
use sayso::{audit::Heads, chance::Chance, digest::of_value, proof::KIND, signing::Signer};
use sayso_domain::{
    Clock,
    chain::{Trusted, verify},
};
use serde_json::{Value, json};

/// What a gateway does: finds the key, checks the signature, reads the claims.
fn checked(receipt: &str, keys: &str) -> Result<Value, String> {
    let keys: JwkSet = serde_json::from_str(keys).unwrap();
    let head = jsonwebtoken::decode_header(receipt).map_err(|error| error.to_string())?;
    assert_eq!((head.alg, head.typ.as_deref()), (Algorithm::EdDSA, Some(KIND)));
    let key = keys.find(&head.kid.unwrap()).ok_or("no such key")?;
    let mut validation = Validation::new(Algorithm::EdDSA);
    validation.set_issuer(&["http://127.0.0.1:3000"]);
    validation.set_required_spec_claims(&["iss", "sub"]);
    validation.validate_exp = false;
    let key = DecodingKey::from_jwk(key).unwrap();
    decode::<Value>(receipt, &key, &validation).map(|token| token.claims).map_err(|error| error.to_string())
}

async fn result(house: &House, id: &str) -> Value {
    house.call("elicit_result", json!({ "elicitationId": id })).await.0
}

on_both! {
    async fn a_stranger_can_check_what_was_decided(house: House) {
        let approved = house.propose().await;
        house.decide(&approved, json!({ "submit": { "name": "Ann's", "employeeCount": 3791411052119578828_u64 } })).await;
        let rejected = house.propose().await;
        let digest = house.digest(&rejected).await;
        house.submit(json!({ "id": rejected, "draft": { "proposal": "cancel" }, "comment": "not ours", "digest": digest })).await;
        let keys = house.get("/.well-known/jwks.json").await;
        assert_eq!(keys.header("content-type"), "application/jwk-set+json");
        assert!(!keys.body.contains("\"d\""), "the private half stays here");
        for (id, decision) in [(&approved, "approved"), (&rejected, "rejected")] {
            let given = result(&house, id).await;
            let review = &given["review"];
            let claims = checked(review["receipt"].as_str().unwrap(), &keys.body).unwrap();
            assert_eq!((&claims["sub"], &claims["decision"]), (&json!(id), &json!(decision)));
            assert_eq!(claims["valuesDigest"], of_value(&given["values"]), "of what the agent was given");
            assert_eq!(claims["contextDigest"], of_value(&given["context"]));
            assert_eq!(claims["commentDigest"], of_value(&given["comment"]));
            for name in ["digest", "decidedBy", "decidedAt"] {
                assert_eq!(claims[name], review[name], "{name}");
            }
            assert_eq!(review["decidedAt"], given["decidedAt"]);
            assert_eq!(result(&house, id).await, given, "the same every time");
        }
    }

    async fn a_receipt_outlives_the_server_and_names_one_request(house: House) {
        let one = house.propose().await;
        let other = house.ask("elicit_proposal", example()).await;
        for id in [&one, &other] {
            house.decide(id, json!({ "submit": { "name": "n" } })).await;
        }
        let before = result(&house, &one).await;
        assert_ne!(before["review"]["digest"], result(&house, &other).await["review"]["digest"], "two requests that say the same");
        let house = house.restarted().await;
        assert_eq!(result(&house, &one).await, before);
    }

    async fn what_a_retired_key_signed_stays_good(house: House) {
        let id = house.propose().await;
        house.decide(&id, json!("cancel")).await;
        let before = result(&house, &id).await["review"]["receipt"].as_str().unwrap().to_owned();
        let signer = Signer::open(&house.store, &Chance::seeded(1), house.clock.now()).await.unwrap();
        let old = signer.kid().to_owned();
        Heads::new(house.store.clone(), signer, house.clock.clone()).sign().await.unwrap();
        let new = Signer::rotate(&house.store, &Chance::seeded(99), house.clock.now()).await.unwrap();
        // A server that runs goes on with the old key, which is still published.
        let running = house.get("/.well-known/jwks.json").await.body;
        let still = result(&house, &id).await["review"]["receipt"].as_str().unwrap().to_owned();
        assert!(still == before && checked(&still, &running).is_ok());
        let house = house.restarted().await;
        let keys = house.get("/.well-known/jwks.json").await.body;
        let published: Value = serde_json::from_str(&keys).unwrap();
        let kids: Vec<_> = published["keys"].as_array().unwrap().iter().map(|key| &key["kid"]).collect();
        assert_eq!(kids, [&json!(new), &json!(old)], "the one that signs first");
        let after = result(&house, &id).await["review"]["receipt"].as_str().unwrap().to_owned();
        assert_eq!(jsonwebtoken::decode_header(&after).unwrap().kid, Some(new.clone()));
        let claims = [&before, &after].map(|receipt| checked(receipt, &keys).unwrap());
        assert_eq!(claims[0], claims[1], "the same, by another key");
        // And the trail has heads by both.
        let signer = Signer::open(&house.store, &Chance::seeded(1), house.clock.now()).await.unwrap();
        let mut export = Vec::new();
        Heads::new(house.store.clone(), signer, house.clock.clone()).export(&mut export).await.unwrap();
        let export = String::from_utf8(export).unwrap();
        let found = verify(export.lines(), Trusted::default()).unwrap_or_else(|broken| panic!("{}", broken.why));
        assert_eq!(found.header.heads, 2, "{export}");
        assert!(export.contains(&format!("\"kid\":\"{old}\"")) && export.contains(&format!("\"kid\":\"{new}\"")));
    }

    async fn a_tampered_receipt_is_none(house: House) {
        let id = house.propose().await;
        house.decide(&id, json!("cancel")).await;
        let receipt = result(&house, &id).await["review"]["receipt"].as_str().unwrap().to_owned();
        let keys = house.get("/.well-known/jwks.json").await.body;
        let parts: Vec<&str> = receipt.split('.').collect();
        let claims = String::from_utf8(BASE64_URL_SAFE_NO_PAD.decode(parts[1]).unwrap()).unwrap();
        let forged = BASE64_URL_SAFE_NO_PAD.encode(claims.replace("rejected", "approved"));
        assert!(checked(&format!("{}.{forged}.{}", parts[0], parts[2]), &keys).is_err());
        assert!(checked(&receipt, &keys).is_ok());
        assert!(checked(&receipt[..receipt.len() - 2], &keys).is_err());
    }
}
