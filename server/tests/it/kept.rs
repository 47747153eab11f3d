//! What somebody had chosen whose session was over when they sent it is there again when they have signed in anew, for them alone,
//! and it decides nothing by itself.

use crate::house::{Answer, House, On};
use crate::on_both;
use crate::provider::{ann, as_whom, bob, provider, sign_in};
use http::{Method, StatusCode};
use serde_json::json;

async fn ask(house: &House) -> String {
    let options = json!([{ "id": "a" }, { "id": "b" }, { "id": "c" }]);
    house
        .ask("elicit_selection", json!({ "message": "m", "options": options, "timeoutSeconds": 86_400 }))
        .await
}

async fn open(house: &House, id: &str, cookie: &str) -> Answer {
    as_whom(house, &format!("/frame/selection?elicitationId={id}"), cookie).await
}

fn token(form: &Answer) -> String {
    let (_, rest) = form.body.split_once("name=\"token\" value=\"").expect("a form with a token");
    rest.split_once('"').unwrap().0.to_owned()
}

/// Sends the form as the frame does, which has no cookie to send.
async fn send(house: &House, id: &str, token: &str, rest: &str) -> Answer {
    let headers = [
        ("content-type", "application/x-www-form-urlencoded"),
        ("origin", "null"),
        ("sec-fetch-site", "cross-site"),
    ];
    let body = format!("token={token}&digest={}&{rest}", house.digest(id).await);
    house.send(Method::POST, &format!("/frame/selection?elicitationId={id}"), &headers, body).await
}

/// The rows that are ticked.
fn ticked(form: &Answer) -> Vec<&str> {
    assert_eq!(form.status, StatusCode::OK, "{}", form.body);
    let inputs = form.body.split("<input ").filter(|input| input.contains("name=\"pick\""));
    let ticked = inputs.filter(|input| input.split('>').next().unwrap().ends_with(" checked"));
    ticked.map(|input| input.split("aria-label=\"").nth(1).unwrap().split('"').next().unwrap()).collect()
}

async fn pending(house: &House, id: &str) -> bool {
    house.call("elicit_status", json!({ "elicitationId": id })).await.0["status"] == "pending"
}

const KEPT: &str = "Your choice is kept";
const AGAIN: &str = "Your choice is here again";

on_both! {
    async fn a_choice_outlives_its_session_and_waits_to_be_sent_again(house: House) {
        let provider = provider().await;
        let house = house.signing_in(provider.clone()).await;
        let (id, other) = (ask(&house).await, ask(&house).await);
        let there = sign_in(&house, &provider, ann()).await;
        let old = token(&open(&house, &id, &there).await);
        house.clock.wind(8 * 3600);
        let refused = send(&house, &id, &old, "do=choose&pick=1&comment=%22why%22").await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
        assert!(refused.body.contains(KEPT) && refused.body.contains("Nothing was decided"), "{}", refused.body);
        assert!(!refused.body.contains("token") && !refused.body.contains("why"), "nothing for whoever sits there now");

        let bob = sign_in(&house, &provider, bob()).await;
        let ann = sign_in(&house, &provider, ann()).await;
        let before = house.dump().await;
        for _ in 0..2 {
            let form = open(&house, &id, &ann).await;
            assert_eq!(ticked(&form), ["b"]);
            assert!(form.body.contains(AGAIN) && form.body.contains("&quot;why&quot;</textarea>"), "{}", form.body);
        }
        for form in [open(&house, &id, &bob).await, open(&house, &other, &ann).await] {
            assert!(ticked(&form).is_empty() && !form.body.contains(AGAIN) && !form.body.contains("why"));
        }
        assert_eq!(house.dump().await, before, "looking changes nothing");
        assert!(pending(&house, &id).await, "nor does signing in decide");
        let form = open(&house, &id, &ann).await;
        assert_eq!(send(&house, &id, &token(&form), "do=choose&pick=1").await.status, StatusCode::OK);
        let (result, _) = house.call("elicit_result", json!({ "elicitationId": id })).await;
        assert_eq!(result["selectedIds"], json!(["b"]));
    }

    async fn what_is_kept_ends(house: House) {
        let provider = provider().await;
        let house = house.signing_in(provider.clone()).await;
        let id = ask(&house).await;
        let first = sign_in(&house, &provider, ann()).await;
        let old = token(&open(&house, &id, &first).await);
        house.store.end_all_person_sessions().await.unwrap();
        assert!(send(&house, &id, &old, "do=filter&pick=1").await.body.contains(KEPT));
        let ann = sign_in(&house, &provider, ann()).await;
        let form = open(&house, &id, &ann).await;
        assert_eq!(ticked(&form), ["b"]);
        let form = send(&house, &id, &token(&form), "do=filter&pick=2").await;
        assert_eq!(ticked(&form), ["c"]);
        assert!(ticked(&open(&house, &id, &ann).await).is_empty(), "they have sent something since");

        assert!(send(&house, &id, &old, "do=choose&pick=0&kept=77").await.body.contains(KEPT));
        assert_eq!(ticked(&open(&house, &id, &ann).await), ["a"], "and no row that is none");
        house.clock.wind(600);
        assert!(ticked(&open(&house, &id, &ann).await).is_empty(), "ten minutes");
        assert!(pending(&house, &id).await);
    }

    async fn nobody_leaves_a_choice_for_somebody_else(house: House) {
        let provider = provider().await;
        let house = house.signing_in(provider.clone()).await;
        let id = ask(&house).await;
        let (ann, bob) = (sign_in(&house, &provider, ann()).await, sign_in(&house, &provider, bob()).await);
        let (anns, bobs) = (token(&open(&house, &id, &ann).await), token(&open(&house, &id, &bob).await));
        let out = [("cookie", bob.as_str()), ("origin", "null"), ("sec-fetch-site", "same-origin")];
        house.send(Method::POST, "/sign-out", &out, "").await;
        let holder = |token: &str| token.split(['.', '-']).nth(3).unwrap().to_owned();
        let stolen = bobs.replace(&holder(&bobs), &holder(&anns));
        assert_ne!(stolen, bobs);
        for forged in [stolen.as_str(), "", "local", "x-y", &bobs.replace('-', "_")] {
            let refused = send(&house, &id, forged, "do=choose&pick=1").await;
            assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
            assert!(!refused.body.contains(KEPT), "{forged}");
        }
        assert!(ticked(&open(&house, &id, &ann).await).is_empty());
        assert!(send(&house, &id, &bobs, "do=choose&pick=1").await.body.contains(KEPT));
        assert!(!send(&house, &id, &bobs, "what=ever").await.body.contains(KEPT), "no form of ours");
    }
}
