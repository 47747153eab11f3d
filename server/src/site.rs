//! What browsers load: the WASM, its script, the style and the icon, inside the binary.
//!
//! A release embeds `target/site`; a debug build reads it from there at every request, so that a style can be
//! changed while the server runs. Addresses carry a hash of the content and are kept by browsers for ever.

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use http::{HeaderMap, StatusCode, header};
use rust_embed::{EmbeddedFile, RustEmbed};
use sayso_app::document::{Assets, Style};

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../target/site"]
#[allow_missing = true]
struct Files;

/// Where pages below this prefix find what they load; a `linked` style can be changed under a living page.
pub fn assets(prefix: &str, linked: bool) -> Assets {
    let address = |ending: &str| {
        let hash = Files::get(&format!("pkg/sayso.{ending}")).map(|file| hash(&file)).unwrap_or_default();
        format!("{prefix}/pkg/sayso.{hash}.{ending}")
    };
    let text = |path: &str| {
        Files::get(path).map(|file| String::from_utf8_lossy(&file.data).into_owned()).unwrap_or_default()
    };
    let style = if linked { Style::Linked(address("css")) } else { Style::Inline(text("pkg/sayso.css")) };
    let icon =
        format!("data:image/svg+xml,{}", text("icon.svg").trim().replace('#', "%23").replace('"', "'"));
    Assets { base: prefix.to_owned(), style, icon, js: address("js"), wasm: address("wasm") }
}

/// Whether there is anything to load; without it pages can be read, but nothing can be decided.
pub fn is_built() -> bool {
    Files::get("pkg/sayso.wasm").is_some()
}

/// The file of an address below `/pkg/`, whose name carries its hash.
pub fn hashed(file: &str, request: &HeaderMap) -> Response {
    let plain = match *file.split('.').collect::<Vec<_>>().as_slice() {
        [name, hash, ending] => Some((format!("pkg/{name}.{ending}"), hash)),
        _ => None,
    };
    let found = plain.and_then(|(path, wanted)| {
        Files::get(&path).filter(|file| hash(file) == wanted).map(|file| (path, file))
    });
    match found {
        Some((path, file)) => answer(&path, file, request, "public, max-age=31536000, immutable"),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// A file that is asked for by its plain name.
pub fn plain(path: &str, request: &HeaderMap) -> Response {
    match Files::get(path) {
        Some(file) => answer(path, file, request, "public, max-age=3600"),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

fn answer(path: &str, file: EmbeddedFile, request: &HeaderMap, keep: &'static str) -> Response {
    let kind = match path.rsplit_once('.') {
        Some((_, "wasm")) => "application/wasm",
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "svg")) => "image/svg+xml",
        _ => "application/octet-stream",
    };
    let accepted = request
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    let brotli = accepted
        .map(str::trim)
        .any(|coding| coding == "br" || coding.starts_with("br;") && !coding.ends_with("q=0"));
    let packed = brotli.then(|| Files::get(&format!("{path}.br"))).flatten();
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, keep),
        (header::VARY, "accept-encoding"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    match packed {
        Some(packed) => {
            (headers, [(header::CONTENT_ENCODING, "br")], Body::from(packed.data)).into_response()
        }
        None => (headers, Body::from(file.data)).into_response(),
    }
}

fn hash(file: &EmbeddedFile) -> String {
    file.metadata.sha256_hash()[..6].iter().map(|byte| format!("{byte:02x}")).collect()
}
