//! The key that signs: one for all servers on a database, and the same after a restart.

use crate::house::{House, On};
use crate::on_both;
use sayso::{chance::Chance, signing::Signer, store::StoreError};
use sayso_domain::{Moment, chain::key::PublicKey};
use tokio::task::JoinSet;

on_both! {
    async fn servers_that_come_at_once_agree_on_one_key(house: House) {
        let neighbour = house.neighbour().await;
        let mut opening = JoinSet::new();
        for seed in 0..16 {
            let store = if seed % 2 == 0 { house.store.clone() } else { neighbour.store.clone() };
            opening.spawn(async move { Signer::open(&store, &Chance::seeded(1000 + seed), Moment(5)).await.unwrap() });
        }
        let signers = opening.join_all().await;
        let one = &signers[0];
        assert!(signers.iter().all(|signer| signer.public_jwks() == one.public_jwks()));
        assert_eq!(one.public_jwks()["keys"].as_array().unwrap().len(), 1);
        let jwk = &one.public_jwks()["keys"][0];
        assert_eq!(jwk["kid"], one.kid());
        assert!(PublicKey::from_jwk(jwk).unwrap().vouches(b"text", &signers[7].sign_text(b"text")));
        let house = house.restarted().await;
        let again = Signer::open(&house.store, &Chance::seeded(7), Moment(9)).await.unwrap();
        assert_eq!(again.kid(), one.kid());
    }

    async fn a_damaged_key_is_told_and_none_is_made_in_its_place(house: House) {
        Signer::open(&house.store, &Chance::seeded(1), Moment(5)).await.unwrap();
        for (damage, told) in [("seed = 'short'", "damaged"), ("seed = '00' || substr(seed, 3)", "damaged")] {
            house.raw(&format!("UPDATE signing_keys SET {damage}")).await.unwrap();
            let Err(error) = Signer::open(&house.store, &Chance::seeded(2), Moment(6)).await else { panic!("{damage}") };
            assert!(matches!(error, StoreError::SigningKey(_)) && error.to_string().contains(told), "{error}");
        }
    }
}
