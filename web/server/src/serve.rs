//! A server of a fixed set of files, for the browser of this machine.
//!
//! The files are in memory: a request names one of them or none, and no path of the file system
//! comes from a request.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::site::Files;

/// The most bytes of a request's head. Browsers send about one kilobyte.
const MAX_HEAD: usize = 16 << 10;

/// The wait for a request. Browsers open connections that they may not use.
const PATIENCE: Duration = Duration::from_secs(10);

/// Scripts, workers and styles come from this server alone, and only WebAssembly is compiled.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; \
    worker-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Serves files until the process ends.
pub fn serve(listener: &TcpListener, files: Files) {
    let files = Arc::new(files);
    for stream in listener.incoming() {
        match stream {
            Ok(stream) => {
                let files = files.clone();
                // Where no thread can be started, the browser tries again.
                let work = move || drop(answer(stream, &files));
                drop(thread::Builder::new().spawn(work));
            }
            // Too many open files, for instance.
            Err(_) => thread::sleep(Duration::from_millis(50)),
        }
    }
}

/// Answers one request, and closes the connection.
fn answer(mut stream: TcpStream, files: &Files) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let request = match read(&mut stream)? {
        Ok(request) => request,
        Err(status) => return refuse(&mut stream, status),
    };
    if request.method != "GET" && request.method != "HEAD" {
        return refuse(&mut stream, "405 Method Not Allowed");
    }
    let path = request.path.split(['?', '#']).next().unwrap_or_default();
    let place = match path.strip_prefix('/') {
        Some("") => "index.html",
        Some(place) => place,
        None => return refuse(&mut stream, "400 Bad Request"),
    };
    let Some(bytes) = files.get(place) else { return refuse(&mut stream, "404 Not Found") };
    head(&mut stream, "200 OK", media_type(place), bytes.len())?;
    if request.method == "GET" {
        stream.write_all(bytes)?;
    }
    stream.flush()
}

struct Request {
    method: String,
    path: String,
}

/// Reads the head of a request, or the status that refuses it.
fn read(stream: &mut impl Read) -> io::Result<Result<Request, &'static str>> {
    let mut bytes = Vec::new();
    loop {
        let mut chunk = [0; 2048];
        let count = stream.read(&mut chunk)?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes.extend_from_slice(&chunk[..count]);
        let mut headers = [httparse::EMPTY_HEADER; 64];
        let mut request = httparse::Request::new(&mut headers);
        match request.parse(&bytes) {
            Ok(httparse::Status::Complete(_)) => {
                let text = |part: Option<&str>| part.unwrap_or_default().to_owned();
                return Ok(Ok(Request { method: text(request.method), path: text(request.path) }));
            }
            Ok(httparse::Status::Partial) if bytes.len() < MAX_HEAD => {}
            Ok(httparse::Status::Partial) | Err(httparse::Error::TooManyHeaders) => {
                return Ok(Err("431 Request Header Fields Too Large"));
            }
            Err(_) => return Ok(Err("400 Bad Request")),
        }
    }
}

fn refuse(stream: &mut impl Write, status: &str) -> io::Result<()> {
    head(stream, status, "text/plain; charset=utf-8", status.len())?;
    stream.write_all(status.as_bytes())?;
    stream.flush()
}

fn head(stream: &mut impl Write, status: &str, media: &str, bytes: usize) -> io::Result<()> {
    write!(
        stream,
        "HTTP/1.1 {status}\r\n\
         Content-Type: {media}\r\n\
         Content-Length: {bytes}\r\n\
         Content-Security-Policy: {POLICY}\r\n\
         X-Content-Type-Options: nosniff\r\n\
         Cache-Control: no-cache\r\n\
         Allow: GET, HEAD\r\n\
         Connection: close\r\n\r\n"
    )
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
    use std::net::{Ipv4Addr, SocketAddr};

    use super::*;

    fn server() -> SocketAddr {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let file = |place: &str, text: &str| (place.to_owned(), text.as_bytes().to_vec());
        let files = [file("index.html", "page"), file("a.wasm", "\0asm"), file("sets/b.txt", "1")];
        thread::spawn(move || serve(&listener, files.into()));
        address
    }

    fn ask(address: SocketAddr, request: &str) -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        reply
    }

    fn get(address: SocketAddr, path: &str) -> String {
        ask(address, &format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"))
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
            assert!(reply.starts_with("HTTP/1.1 200 OK\r\n"), "{reply}");
            assert!(reply.contains(&format!("\r\nContent-Type: {media}\r\n")), "{reply}");
            assert!(reply.contains(&format!("\r\nContent-Length: {}\r\n", body.len())), "{reply}");
            assert!(reply.contains("script-src 'self' 'wasm-unsafe-eval'"), "{reply}");
            assert!(reply.ends_with(&format!("\r\n\r\n{body}")), "{reply}");
        }
        let reply = ask(address, "HEAD / HTTP/1.1\r\n\r\n");
        assert!(reply.contains("\r\nContent-Length: 4\r\n") && reply.ends_with("\r\n\r\n"));
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
            "//etc/passwd",
            "/sets\\b.txt",
        ] {
            assert!(get(address, path).starts_with("HTTP/1.1 404 "), "{path}");
        }
        let status = |request: &str, status: &str| {
            let reply = ask(address, request);
            assert!(reply.starts_with(&format!("HTTP/1.1 {status} ")), "{request:?}: {reply}");
        };
        status("POST / HTTP/1.1\r\n\r\n", "405");
        status("GET http://localhost/ HTTP/1.1\r\n\r\n", "400");
        status("nonsense\r\n\r\n", "400");
        status(&format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(65)), "431");
        // A head in pieces is one head.
        let mut stream = TcpStream::connect(address).unwrap();
        for piece in ["GE", "T / HTTP/1.1\r\nHost: ", "localhost\r\n", "\r\n"] {
            stream.write_all(piece.as_bytes()).unwrap();
            thread::sleep(Duration::from_millis(20));
        }
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        assert!(reply.ends_with("page"), "{reply}");
    }
}
