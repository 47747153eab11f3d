//! What the document of five hundred options costs: drawn by a template of four cells, made safe, and sent.
//!
//! `cargo bench -p sayso --bench options` puts the pieces together in its own process, without a socket, and prints figures. It
//! asserts nothing about time. Linux only: it reads `/proc`.

use axum::{Router, body::Body, routing::get};
use http::Request;
use http_body_util::BodyExt;
use sayso::{
    chance::Chance,
    clock::SystemClock,
    config::PublicUrl,
    render::{
        Renderer,
        options::frame::{Options, show},
    },
    reviewers::People,
    reviews::Reviews,
    store::Store,
    token::Tokens,
};
use sayso_domain::{Ask, review::Agent, selection::Selection};
use serde_json::json;
use std::{error::Error, sync::Arc};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

const DOCUMENTS: usize = 100;
const OPTIONS: usize = 500;

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo bench` says --bench; `cargo test --benches` says nothing of the kind, and --test says so outright.
    let said = |word| std::env::args().any(|argument| argument == word);
    if !said("--bench") || said("--test") {
        println!("options: nothing to test; run it with cargo bench");
        return Ok(());
    }
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?.block_on(measure())
}

async fn measure() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let chance = Arc::new(Chance::seeded(1));
    let store =
        Store::open(&format!("sqlite:{}/bench.db", folder.path().display()), Arc::clone(&chance)).await?;
    let clock = Arc::new(SystemClock);
    let reviews = Reviews::new(store.clone(), clock, Arc::clone(&chance), CancellationToken::new());
    let tokens = Tokens::new(store, Arc::clone(&chance));
    let url = PublicUrl::parse("http://127.0.0.1:3000")?;
    let people = People::new(reviews.clone(), tokens.clone(), chance, &url, None);
    let options = Options::new(reviews.clone(), Renderer::start()?, tokens, people, "");
    let router = Router::new().route("/", get(show)).with_state(options);

    let mut addresses = Vec::new();
    for _ in 0..DOCUMENTS {
        let by = Agent { principal: "bench".to_owned(), client: None };
        let open = reviews.open(Ask::Selection(selection()?), by, 3600).await?;
        addresses.push(format!("/?elicitationId={}", open.id));
    }
    println!("{OPTIONS} options, {DOCUMENTS} documents         wall, median    CPU, mean      bytes");
    for name in ["drawn for the first time", "drawn before"] {
        let (begun, mut each, mut bytes) = (cpu_ms()?, Vec::new(), 0);
        for address in &addresses {
            let before = Instant::now();
            let response = router.clone().oneshot(Request::get(address).body(Body::empty())?).await?;
            bytes = response.into_body().collect().await?.to_bytes().len();
            each.push(before.elapsed().as_secs_f64() * 1000.0);
        }
        each.sort_by(f64::total_cmp);
        let cpu = (cpu_ms()? - begun) / DOCUMENTS as f64;
        println!("{name:<30} {:>12.2} ms {cpu:>9.2} ms {bytes:>10}", each[DOCUMENTS / 2]);
    }
    Ok(())
}

fn selection() -> Result<Selection, Box<dyn Error>> {
    let option = |number: usize| {
        json!({
            "id": format!("id-{number}"), "name": format!("Candidate <number> {number}"), "city": "Bilbao",
            "domain": format!("c{number}.example"), "updated": "2026-01-01"
        })
    };
    let arguments = json!({
        "message": "Which?",
        "options": (0..OPTIONS).map(option).collect::<Vec<_>>(),
        "rowTemplate": "<td><b>{{ option.name }}</b></td><td>{{ option.city | upcase }}</td>\
             <td class=\"domain\">{{ option.domain }}</td><td>{{ option.updated | date: '%d %b %Y' }}</td>",
        "headingTemplate": "<th>Name</th><th>City</th><th>Domain</th><th>Updated</th>",
        "css": "td.domain{color:#666;font-family:monospace}"
    });
    let arguments = arguments.as_object().ok_or("an object")?;
    let (selection, _) = Selection::parse(arguments).map_err(|faults| format!("{faults:?}"))?;
    Ok(selection)
}

/// CPU time of this process, in milliseconds; the kernel counts in hundredths of a second.
fn cpu_ms() -> Result<f64, Box<dyn Error>> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let behind_name = stat.rsplit_once(") ").ok_or("a name")?.1;
    let ticks = behind_name.split(' ').skip(11).take(2).map(str::parse::<f64>);
    Ok(ticks.sum::<Result<f64, _>>()? * 10.0)
}
