//! A server of a fixed set of files, for the browser of this machine.
//!
//! The files are in memory: a request names one of them or none, and no path of the file system
//! comes from a request.

use std::io;
use std::net::TcpListener;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::site::Files;

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
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        axum::serve(listener, router(files)).await
    })
}

fn router(files: Files) -> Router {
    let router = Router::new().fallback(get(file)).with_state(Arc::new(files));
    router.layer(from_fn(guarded))
}

/// The file that a path names, or `index.html`.
async fn file(State(files): State<Arc<Files>>, path: Uri) -> Response {
    let place = match path.path() {
        "/" => "index.html",
        path => path.trim_start_matches('/'),
    };
    match files.get(place).filter(|_| !path.path().starts_with("//")) {
        Some(bytes) => ([(header::CONTENT_TYPE, media_type(place))], bytes.clone()).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
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

    fn server() -> SocketAddr {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let file = |place: &str, text: &str| (place.to_owned(), text.as_bytes().to_vec());
        let files = [file("index.html", "page"), file("a.wasm", "\0asm"), file("sets/b.txt", "1")];
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
