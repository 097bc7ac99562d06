//! Builds the page and its WebAssembly module, and serves them on this machine, or writes them to
//! a folder for any static server.

mod bundle;
mod site;

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use axum::Router;
use axum::http::{HeaderName, HeaderValue, header};
use clap::Parser;
use tower_http::services::ServeDir;
use tower_http::set_header::SetResponseHeaderLayer;

/// Build the page that solves sliding-tile puzzles in a browser, and serve it on this machine
#[derive(Debug, Parser)]
#[command(name = "taquin-web", version)]
struct Args {
    /// Port to serve on; 0 takes any that is free
    #[arg(short, long, value_name = "PORT", default_value_t = 8000)]
    port: u16,

    /// Write the files of the page to a folder instead, for a static server
    #[arg(short, long, value_name = "DIR", conflicts_with = "port")]
    out: Option<PathBuf>,
}

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

fn main() -> Result<()> {
    let args = Args::parse();
    if let Some(folder) = &args.out {
        site::write(&site::build()?, folder)?;
        println!("{}", folder.display());
        return Ok(());
    }
    // Before the build, which takes a while.
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port)).with_context(|| {
        format!("cannot serve on port {}: choose another one with --port", args.port)
    })?;
    let folder = site::target().join("served");
    let files = site::build()?;
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    site::write(&files, &folder)?;
    println!("http://{}/", listener.local_addr()?);
    serve(listener, &folder)
}

/// Serves the files of a folder until the process ends.
fn serve(listener: TcpListener, folder: &Path) -> Result<()> {
    let files = ServeDir::new(folder).precompressed_br().precompressed_gzip();
    let mut router = Router::new().fallback_service(files);
    for (name, value) in HEADERS {
        let value = HeaderValue::from_static(value);
        router = router.layer(SetResponseHeaderLayer::overriding(name, value));
    }
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    runtime.block_on(async {
        axum::serve(tokio::net::TcpListener::from_std(listener)?, router).await.context("served")
    })
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpStream;
    use std::thread;

    use super::*;

    #[test]
    fn files_are_served_compressed_with_the_policy_and_nothing_else() {
        let folder = std::env::temp_dir().join(format!("taquin-web-{}", std::process::id()));
        let files = [("index.html", "page".to_owned()), ("a.js", "x".repeat(5000))];
        let files = files.map(|(place, text)| (place.to_owned(), text.into_bytes()));
        site::write(&files.into(), &folder).unwrap();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let served = folder.clone();
        thread::spawn(move || serve(listener, &served));
        let get = |path: &str, encodings: &str| {
            let mut stream = TcpStream::connect(address).unwrap();
            write!(
                stream,
                "GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: {encodings}\r\nConnection: close\r\n\r\n"
            )
            .unwrap();
            let mut reply = Vec::new();
            stream.read_to_end(&mut reply).unwrap();
            let end = reply.windows(4).position(|part| part == b"\r\n\r\n").unwrap();
            (String::from_utf8_lossy(&reply[..end + 2]).to_lowercase(), reply[end + 4..].to_vec())
        };
        let (head, body) = get("/", "");
        assert!(head.starts_with("http/1.1 200 ok") && body == b"page", "{head}");
        assert!(head.contains("content-type: text/html"), "{head}");
        assert!(head.contains("script-src 'self' 'wasm-unsafe-eval'"), "{head}");
        assert!(head.contains("x-content-type-options: nosniff"), "{head}");
        for (encodings, chosen) in [("gzip", "gzip"), ("gzip, br", "br")] {
            let (head, body) = get("/a.js", encodings);
            assert!(head.contains(&format!("content-encoding: {chosen}")), "{head}");
            assert!(body.len() < 500, "{}", body.len());
        }
        assert_eq!(get("/a.js", "").1.len(), 5000);
        for path in ["/b.txt", "/../Cargo.toml", "/%2e%2e/Cargo.toml", "//etc/passwd"] {
            let (head, _) = get(path, "");
            assert!(head.starts_with("http/1.1 404") || head.starts_with("http/1.1 400"), "{head}");
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
