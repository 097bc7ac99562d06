//! Builds the page and its WebAssembly module, and serves them on this machine, or writes them to
//! a folder for any static server.

mod serve;
mod site;

use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Parser;

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

fn main() -> Result<()> {
    let args = Args::parse();
    // Before the build, which takes a while.
    let listener = match args.out {
        Some(_) => None,
        None => Some(TcpListener::bind((Ipv4Addr::LOCALHOST, args.port)).with_context(|| {
            format!("cannot serve on port {}: choose another one with --port", args.port)
        })?),
    };
    let files = site::build()?;
    if let Some(folder) = &args.out {
        site::write(&files, folder)?;
        println!("{}", folder.display());
    }
    if let Some(listener) = listener {
        println!("http://{}/", listener.local_addr()?);
        serve::serve(listener, files)?;
    }
    Ok(())
}
