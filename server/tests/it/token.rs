//! Tokens: bound to a request and a purpose, ending with it, and honoured across a change of keys.

use crate::house::{House, On};
use crate::on_both;
use sayso::{
    chance::Chance,
    token::{Honour, Purpose, Tokens},
};
use sayso_domain::{Clock, Moment, ReviewId};
use std::sync::Arc;

const HOUR: i64 = 3_600_000;

fn id(text: &str) -> ReviewId {
    text.repeat(32).parse().unwrap()
}

/// A good token is hers.
fn ann() -> Honour {
    Honour::Good { bearer: "ann".to_owned() }
}

fn tokens(house: &House) -> Tokens {
    Tokens::new(house.store.clone(), Arc::new(Chance::seeded(77)))
}

on_both! {
    async fn a_token_is_good_for_one_request_until_its_end(house: House) {
        let (tokens, now) = (tokens(&house), house.clock.now());
        let far = Moment(now.0 + 24 * HOUR);
        let token = tokens.mint(Purpose::Select, id("a"), "ann", far, now).await.unwrap();
        let good = async |id: ReviewId, at: i64| tokens.honours(&token, Purpose::Select, id, Moment(now.0 + at)).await.unwrap() == ann();
        assert!(good(id("a"), 0).await && good(id("a"), HOUR - 1).await);
        assert!(!good(id("a"), HOUR).await, "an hour at most");
        assert!(!good(id("b"), 0).await, "another request");
        let soon = tokens.mint(Purpose::Select, id("a"), "ann", Moment(now.0 + 5), now).await.unwrap();
        assert!(tokens.honours(&soon, Purpose::Select, id("a"), Moment(now.0 + 4)).await.unwrap() == ann());
        assert_eq!(tokens.honours(&soon, Purpose::Select, id("a"), Moment(now.0 + 5)).await.unwrap(), Honour::TooOld { bearer: "ann".to_owned() }, "no longer than the request");
    }

    async fn nothing_else_is_a_token(house: House) {
        let (tokens, now) = (tokens(&house), house.clock.now());
        let token = tokens.mint(Purpose::Select, id("a"), "ann", Moment(now.0 + HOUR), now).await.unwrap();
        let parts: Vec<&str> = token.split('.').collect();
        let [key, ends, bearer, seal] = parts[..] else { panic!("{token}") };
        let later = ends.parse::<i64>().unwrap() - 1;
        for forged in [
            String::new(), "...".to_owned(), format!("{key}.{ends}.{bearer}"), format!("{key}.{later}.{bearer}.{seal}"),
            format!("00000000.{ends}.{bearer}.{seal}"), format!("{key}.{ends}.{bearer}.{}", "0".repeat(64)),
            format!("{token}0"), format!("{key}.{ends}.{bearer}.{}é", &seal[..62]), format!("{key}.-1.{bearer}.{seal}"),
            format!("{key}.{ends}.bob.{seal}"), format!("{key}.{ends}..{seal}"), format!("{key}.{ends}.{seal}"),
        ] {
            assert!(!(tokens.honours(&forged, Purpose::Select, id("a"), now).await.unwrap() != Honour::None), "{forged}");
        }
    }

    async fn a_new_key_signs_and_the_old_one_is_honoured_until_its_tokens_end(house: House) {
        let (tokens, now) = (tokens(&house), house.clock.now());
        let old = tokens.mint(Purpose::Select, id("a"), "ann", Moment(now.0 + 24 * HOUR), now).await.unwrap();
        tokens.rotate(now).await.unwrap();
        let new = tokens.mint(Purpose::Select, id("a"), "ann", Moment(now.0 + 24 * HOUR), now).await.unwrap();
        assert_ne!(old.split('.').next(), new.split('.').next());
        let neighbour = house.neighbour().await;
        let elsewhere = Tokens::new(neighbour.store.clone(), Arc::new(Chance::seeded(5)));
        for token in [old, new] {
            assert!(elsewhere.honours(&token, Purpose::Select, id("a"), Moment(now.0 + HOUR - 1)).await.unwrap() == ann());
        }
    }
}

#[tokio::test]
async fn a_key_is_not_told() {
    let house = House::on(On::Sqlite).await;
    let key = tokens(&house).rotate(house.clock.now()).await.unwrap();
    assert!(!format!("{key:?}").contains(&key.secret));
}
