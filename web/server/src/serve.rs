//! A server of a fixed set of files, for the browser of this machine.
//!
//! The files are in memory: a request names one of them or none, and no path of the file system
//! comes from a request. A file that the browser has already is not sent again, and one that gets
//! shorter by it is sent compressed.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::net::TcpListener;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use flate2::{Compression, write::GzEncoder};

use crate::site::{Files, digest};

/// The headers of every response. Scripts, workers and styles come from this server alone, and only
/// WebAssembly is compiled.
const HEADERS: [(HeaderName, &str); 3] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; \
         style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::CACHE_CONTROL, "no-cache"),
];

/// Serves files until the process ends.
pub fn serve(listener: TcpListener, files: Files) -> io::Result<()> {
    let router = router(files)?;
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        axum::serve(listener, router).await
    })
}

/// A file as it is sent.
struct Asset {
    media_type: &'static str,
    plain: Body,
    /// Where it is shorter.
    gzip: Option<Body>,
}

/// Bytes, and the name of their version.
#[derive(Clone)]
struct Body {
    bytes: Bytes,
    tag: HeaderValue,
}

impl Asset {
    fn new(place: &str, bytes: Vec<u8>) -> io::Result<Asset> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&bytes)?;
        let gzip = Some(encoder.finish()?).filter(|gzip| gzip.len() < bytes.len());
        Ok(Asset {
            media_type: media_type(place),
            plain: Body::new(bytes),
            gzip: gzip.map(Body::new),
        })
    }
}

impl Body {
    fn new(bytes: Vec<u8>) -> Body {
        let tag = HeaderValue::try_from(format!("\"{}\"", digest(&bytes)));
        Body { tag: tag.expect("digits in quotes are a value"), bytes: bytes.into() }
    }
}

type Assets = BTreeMap<String, Asset>;

fn router(files: Files) -> io::Result<Router> {
    let asset = |(place, bytes): (String, Vec<u8>)| Ok((place.clone(), Asset::new(&place, bytes)?));
    let assets: Assets = files.into_iter().map(asset).collect::<io::Result<_>>()?;
    let router = Router::new().fallback(get(file)).with_state(Arc::new(assets));
    Ok(router.layer(from_fn(guarded)))
}

/// The file that a path names, or `index.html`.
async fn file(State(assets): State<Arc<Assets>>, headers: HeaderMap, path: Uri) -> Response {
    let place = match path.path() {
        "/" => "index.html",
        path => path.trim_start_matches('/'),
    };
    let Some(asset) = assets.get(place).filter(|_| !path.path().starts_with("//")) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let gzip = asset.gzip.as_ref().filter(|_| lists(&headers, &header::ACCEPT_ENCODING, "gzip"));
    let body = gzip.unwrap_or(&asset.plain);
    let tag = body.tag.to_str().expect("a tag is digits in quotes");
    let mut response = if lists(&headers, &header::IF_NONE_MATCH, tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(header::CONTENT_TYPE, asset.media_type)], body.bytes.clone()).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(header::ETAG, body.tag.clone());
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if gzip.is_some() {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response
}

/// Returns whether a header has an item in its list, whose weight is not 0.
fn lists(headers: &HeaderMap, name: &HeaderName, item: &str) -> bool {
    let values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|entry| {
        let (entry, weight) = entry.split_once(';').unwrap_or((entry, ""));
        let refused = weight.trim().strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0));
        // A proxy may have weakened a tag.
        entry.trim().trim_start_matches("W/") == item && !refused
    })
}

/// Refuses requests for another host, as from a page of the web whose name leads to this machine, and
/// adds the headers.
async fn guarded(request: Request, next: Next) -> Response {
    let mut response = match is_local(request.headers()) {
        true => next.run(request).await,
        false => StatusCode::MISDIRECTED_REQUEST.into_response(),
    };
    let headers = HEADERS.map(|(name, value)| (name, HeaderValue::from_static(value)));
    response.headers_mut().extend(headers);
    response
}

fn is_local(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let name = host.map(|host| match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => host,
    });
    matches!(name, Some("localhost" | "127.0.0.1" | "[::1]"))
}

/// The media type of a file, by its name.
fn media_type(place: &str) -> &'static str {
    match place.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "txt" => "text/plain; charset=utf-8",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{Ipv4Addr, SocketAddr, TcpStream};
    use std::thread;

    use super::*;

    /// The length of a file that gets shorter by compression.
    const LONG: usize = 5000;

    fn server() -> SocketAddr {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let file = |place: &str, text: &str| (place.to_owned(), text.as_bytes().to_vec());
        let files = [
            file("index.html", "page"),
            file("a.wasm", "\0asm"),
            file("long.js", &"x".repeat(LONG)),
            file("sets/b.txt", "1"),
        ];
        thread::spawn(move || serve(listener, files.into()));
        address
    }

    /// The reply to a request with these lines, in lower case.
    fn ask(address: SocketAddr, lines: &str) -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        write!(stream, "{lines}\r\nConnection: close\r\n\r\n").unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        reply.to_lowercase()
    }

    fn get(address: SocketAddr, path: &str) -> String {
        ask(address, &format!("GET {path} HTTP/1.1\r\nHost: localhost:8000"))
    }

    #[test]
    fn files_have_their_types_and_the_policy() {
        let address = server();
        for (path, media, body) in [
            ("/", "text/html; charset=utf-8", "page"),
            ("/index.html?x=1", "text/html; charset=utf-8", "page"),
            ("/a.wasm", "application/wasm", "\0asm"),
            ("/sets/b.txt", "text/plain; charset=utf-8", "1"),
        ] {
            let reply = get(address, path);
            assert!(reply.starts_with("http/1.1 200 ok\r\n"), "{reply}");
            assert!(reply.contains(&format!("\r\ncontent-type: {media}\r\n")), "{reply}");
            assert!(reply.contains(&format!("\r\ncontent-length: {}\r\n", body.len())), "{reply}");
            assert!(reply.contains("script-src 'self' 'wasm-unsafe-eval'"), "{reply}");
            assert!(reply.contains("\r\nx-content-type-options: nosniff\r\n"), "{reply}");
            assert!(reply.ends_with(&format!("\r\n\r\n{body}")), "{reply}");
        }
        let reply = ask(address, "HEAD / HTTP/1.1\r\nHost: 127.0.0.1");
        assert!(reply.contains("\r\ncontent-length: 4\r\n") && reply.ends_with("\r\n\r\n"));
    }

    #[test]
    fn a_browser_gets_a_file_once_and_compressed() {
        let address = server();
        let request = |more: &str| {
            let lines = format!("GET /long.js HTTP/1.1\r\nHost: localhost\r\n{more}");
            let mut stream = TcpStream::connect(address).unwrap();
            write!(stream, "{lines}Connection: close\r\n\r\n").unwrap();
            let mut reply = Vec::new();
            stream.read_to_end(&mut reply).unwrap();
            let end = reply.windows(4).position(|part| part == b"\r\n\r\n").unwrap();
            let head = String::from_utf8(reply[..end + 2].to_vec()).unwrap().to_lowercase();
            (head, reply[end + 4..].to_vec())
        };
        let tag =
            |head: &str| head.split("etag: ").nth(1).unwrap().lines().next().unwrap().to_owned();
        let (head, plain) = request("");
        assert!(!head.contains("content-encoding") && plain.len() == LONG, "{head}");
        let (packed, body) = request("Accept-Encoding: deflate, gzip;q=0.5\r\n");
        assert!(
            packed.contains("content-encoding: gzip\r\n") && body.len() < LONG / 10,
            "{packed}"
        );
        assert!(packed.contains("vary: accept-encoding\r\n"), "{packed}");
        let mut text = Vec::new();
        flate2::read::GzDecoder::new(&*body).read_to_end(&mut text).unwrap();
        assert_eq!(text, plain);
        assert!(!request("Accept-Encoding: gzip;q=0\r\n").0.contains("content-encoding"));
        // Each form has a tag of its own.
        assert_ne!(tag(&head), tag(&packed));
        for known in [tag(&head), format!("W/{}", tag(&head)), format!("\"x\", {}", tag(&head))] {
            let (again, body) = request(&format!("If-None-Match: {known}\r\n"));
            assert!(again.starts_with("http/1.1 304 ") && body.is_empty(), "{known}: {again}");
            assert_eq!(tag(&again), tag(&head));
        }
        assert!(request("If-None-Match: \"x\"\r\n").0.starts_with("http/1.1 200 "));
        // What would not get shorter is sent as it is.
        let small = ask(address, "GET / HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip");
        assert!(!small.contains("content-encoding"), "{small}");
    }

    #[test]
    fn nothing_else_is_served() {
        let address = server();
        for path in [
            "/b.txt",
            "/sets",
            "/sets/",
            "/../Cargo.toml",
            "/sets/../index.html",
            "/%2e%2e/Cargo.toml",
            "//index.html",
            "//etc/passwd",
        ] {
            assert!(get(address, path).starts_with("http/1.1 404 "), "{path}");
        }
        for (lines, status) in [
            ("POST / HTTP/1.1\r\nHost: localhost", "405"),
            ("GET / HTTP/1.1\r\nHost: example.org", "421"),
            ("GET / HTTP/1.1\r\nHost: localhost.example.org:80", "421"),
            ("GET / HTTP/1.1", "421"),
            ("nonsense", "400"),
        ] {
            let reply = ask(address, lines);
            assert!(reply.starts_with(&format!("http/1.1 {status} ")), "{lines:?}: {reply}");
        }
        assert!(get(address, "/b.txt").contains("content-security-policy"));
    }
}
