//! The door: who may speak to this server at all, whatever they ask for.
//!
//! A page of another site can make a browser send requests here, and by a name of its own that resolves to this
//! machine it could even read the answers. So a request must name a host that is ours, and what a browser
//! sends to change anything must come from a page that is ours. A program that is no browser is not stopped here.
//!
//! Pages of a few other origins may be guests: they may call `/mcp` and read what says how, and nothing else.

use crate::config::{Network, Origin};
use axum::{
    extract::{ConnectInfo, Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use http::{Extensions, HeaderMap, HeaderName, Method, StatusCode, header, request::Parts};
use sayso_domain::audit::{Door, Via};
use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};
use tower_http::cors::{AllowOrigin, CorsLayer};

/// The hosts that are ours, and the origins that are guests at `/mcp`.
#[derive(Clone)]
pub struct Ours {
    hosts: Arc<[String]>,
    guests: Arc<[Origin]>,
    proxies: Arc<[Network]>,
}

impl Ours {
    /// These hosts, each with its port unless that is the scheme's own.
    pub fn new(hosts: &[String]) -> Self {
        let hosts = hosts.iter().map(|host| host.to_ascii_lowercase()).collect();
        Self { hosts, guests: Arc::default(), proxies: Arc::default() }
    }

    /// The same, behind these proxies: what they say of where a request came from is believed.
    pub fn behind(self, proxies: &[Network]) -> Self {
        Self { proxies: proxies.into(), ..self }
    }

    fn proxy(&self, address: IpAddr) -> bool {
        self.proxies.iter().any(|proxy| proxy.has(address))
    }

    /// From where a request came: over our own proxies back to the first that is none of them. Whatever stands before that in
    /// the header, anybody can have written.
    fn origin_of(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let named = headers.get_all("x-forwarded-for").iter().rev().flat_map(|header| {
            header.to_str().unwrap_or("unreadable").rsplit(',').map(parse_address).collect::<Vec<_>>()
        });
        let mut address = peer;
        for next in named {
            match next {
                Some(next) if self.proxy(address) => address = next,
                _ => break,
            }
        }
        address.to_canonical()
    }

    /// The same, with these origins as guests.
    pub fn with_guests(self, guests: &[Origin]) -> Self {
        Self { guests: guests.into(), ..self }
    }

    fn host(&self, host: &str) -> bool {
        self.hosts.iter().any(|ours| ours.eq_ignore_ascii_case(host))
    }

    fn guest(&self, origin: &str) -> bool {
        self.guests.iter().any(|guest| guest.is(origin))
    }

    /// What tells browsers that guests may call a route, and with which headers. No cookie is ever asked for.
    pub fn cors(&self) -> CorsLayer {
        const REMEMBERED: Duration = Duration::from_secs(600);
        let ours = self.clone();
        let allowed = move |origin: &http::HeaderValue, _: &Parts| {
            origin.to_str().is_ok_and(|origin| ours.origin(origin) || ours.guest(origin))
        };
        CorsLayer::new()
            .allow_origin(AllowOrigin::predicate(allowed))
            .allow_methods([Method::GET, Method::POST, Method::DELETE])
            .allow_headers([
                header::ACCEPT,
                header::AUTHORIZATION,
                header::CONTENT_TYPE,
                HeaderName::from_static("last-event-id"),
                HeaderName::from_static("mcp-method"),
                HeaderName::from_static("mcp-name"),
                HeaderName::from_static("mcp-protocol-version"),
                HeaderName::from_static("mcp-session-id"),
            ])
            .expose_headers([
                HeaderName::from_static("mcp-session-id"),
                header::RETRY_AFTER,
                header::WWW_AUTHENTICATE,
            ])
            .max_age(REMEMBERED)
    }

    fn origin(&self, origin: &str) -> bool {
        origin
            .split_once("://")
            .is_some_and(|(scheme, host)| matches!(scheme, "http" | "https") && self.host(host))
    }
}

/// What is decided by token, below whatever prefix.
pub const BY_TOKEN: &str = "/frame/selection";

/// Where guests are let in, below whatever prefix.
pub const MCP: &str = "/mcp";

/// From which address a request came, as a proxy that is believed said it.
#[derive(Clone, Copy)]
struct CameFrom(IpAddr);

/// An address as proxies write it, with a port or without.
fn parse_address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    bare.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()))
}

/// From which address a request came: as the server saw it, or as a proxy said that the operator trusts.
pub fn address(extensions: &Extensions) -> Option<IpAddr> {
    if let Some(CameFrom(address)) = extensions.get::<CameFrom>() {
        return Some(*address);
    }
    extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(address)| address.ip())
}

/// By which door a request came, and from where.
pub fn via(door: Door, extensions: &Extensions) -> Via {
    Via { door, address: address(extensions) }
}

/// Lets a request in, or says why not.
pub async fn check(State(ours): State<Ours>, mut request: Request, next: Next) -> Response {
    if let Some(peer) = address(request.extensions()).filter(|peer| ours.proxy(*peer)) {
        let address = ours.origin_of(peer, request.headers());
        request.extensions_mut().insert(CameFrom(address));
    }
    let host = request
        .uri()
        .authority()
        .map(http::uri::Authority::as_str)
        .or_else(|| text(request.headers(), &header::HOST));
    if !host.is_some_and(|host| ours.host(host)) {
        return refuse(
            "this server does not answer to that host name; set --public-url to the name by which it is reached",
        );
    }
    let safe = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    // The document of a selection's options has no origin of its own; a token is its authority, and nothing else is.
    let by_token = *request.method() == Method::POST && request.uri().path().ends_with(BY_TOKEN);
    let guest = request.uri().path().ends_with(MCP)
        && text(request.headers(), &header::ORIGIN).is_some_and(|origin| ours.guest(origin));
    // Of another origin it is not that document; without a word on its origin it may be, of an old browser.
    let by_token = by_token && text(request.headers(), &header::ORIGIN).is_none_or(|origin| origin == "null");
    if !safe && !by_token && !guest {
        let site = request.headers().get("sec-fetch-site").and_then(|value| value.to_str().ok());
        match (text(request.headers(), &header::ORIGIN), site) {
            // What a form of a page says that lets no address out; a browser vouches for where it comes from, and of a document
            // without an origin it says `cross-site`.
            (Some("null"), Some("same-origin")) => {}
            (Some(origin), _) if !ours.origin(origin) => {
                return refuse("requests from pages of other origins are not taken");
            }
            (_, Some(site)) if !matches!(site, "same-origin" | "none") => {
                return refuse("requests from pages of other sites are not taken");
            }
            _ => {}
        }
    }
    next.run(request).await
}

fn text<'a>(headers: &'a HeaderMap, name: &header::HeaderName) -> Option<&'a str> {
    // A header that is there but unreadable is nobody's.
    headers.get(name).map(|value| value.to_str().unwrap_or("unreadable"))
}

fn refuse(why: &'static str) -> Response {
    (StatusCode::FORBIDDEN, why).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_is_believed_and_nobody_else() {
        let trusted = ["10.0.0.0/8", "::1"].map(|text| Network::parse(text).unwrap());
        let ours = Ours::new(&[]).behind(&trusted);
        let from = |peer: &str, said: &[&str]| {
            let name = HeaderName::from_static("x-forwarded-for");
            let headers = said.iter().map(|said| (name.clone(), said.parse().unwrap())).collect();
            ours.origin_of(peer.parse().unwrap(), &headers).to_string()
        };
        assert_eq!(from("10.0.0.1", &["192.0.2.7"]), "192.0.2.7");
        assert_eq!(from("192.0.2.1", &["203.0.113.9"]), "192.0.2.1", "who is no proxy says nothing");
        assert_eq!(
            from("10.0.0.1", &["203.0.113.9, 192.0.2.7"]),
            "192.0.2.7",
            "what stands before is hearsay"
        );
        assert_eq!(from("10.0.0.1", &["192.0.2.7, 10.0.0.2"]), "192.0.2.7");
        assert_eq!(
            from("10.0.0.1", &["203.0.113.9", "192.0.2.7", "10.0.0.2"]),
            "192.0.2.7",
            "in several headers"
        );
        assert_eq!(from("10.0.0.1", &["192.0.2.7, unknown"]), "10.0.0.1");
        assert_eq!(from("10.0.0.1", &["10.0.0.3, 10.0.0.2"]), "10.0.0.3");
        assert_eq!(from("10.0.0.1", &[]), "10.0.0.1");
        assert_eq!(from("::ffff:10.0.0.1", &["192.0.2.7:5000"]), "192.0.2.7");
        assert_eq!(from("::1", &["[2001:db8::1]:80"]), "2001:db8::1");
        assert_eq!(from("::1", &["[2001:db8::1]"]), "2001:db8::1");
    }
}
