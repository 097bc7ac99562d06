//! `pdb-gen build`.

use std::path::Path;
use std::time::Instant;
use std::{fs, io};

use anyhow::{Context, anyhow};

use super::args::BuildArgs;
use super::databases::{self, Part};
use super::exit::{ExitCode, Failure};
use super::sets::Set;
use super::{folder, memory, print, say, threads};
use crate::pdb::{Header, OpenError, publish};

pub(super) fn run(args: &BuildArgs) -> Result<ExitCode, Failure> {
    let set = match &args.catalogue {
        Some(name) => Set::catalogue(name, args.size, args.blank),
        None => Set::parse(args.partition.as_deref(), args.size, args.blank),
    };
    let set = set.map_err(Failure::usage)?;
    let (grid, blank) = (set.partition.grid(), set.partition.blank());
    if (grid, blank) != (args.size, args.blank) {
        say(
            "pdb-gen",
            format_args!(
                "building for {grid} with the blank in cell {blank}, which serves {} with the blank in cell {} by symmetry",
                args.size, args.blank
            ),
        );
    }
    // First of all: whatever runs in parallel would make a pool of its own.
    threads::start(args.threads.count)?;
    memory::limit(args.memory.bytes);
    let parts = databases::parts(&set, memory::index_to_build).map_err(Failure::usage)?;
    let folder = folder::resolve(args.out.as_deref());
    fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))
        .map_err(Failure::database)?;

    let mut code = ExitCode::Fine;
    for part in &parts {
        let path = part.path(&folder);
        match provide(part, &path, args.force) {
            Ok((news, header)) => print(&line(&path, &news, &header))?,
            Err(error) => {
                say("pdb-gen", format_args!("{error:#}"));
                code = ExitCode::Database;
            }
        }
    }
    Ok(code)
}

/// Makes sure that a sound file is there. Gives what was done for it, and its header.
fn provide(part: &Part, path: &Path, force: bool) -> anyhow::Result<(String, Header)> {
    if !force && let Some((header, map)) = part.open(path)? {
        if !header.matches(map.as_ref()) {
            return Err(OpenError::Payload { path: path.to_path_buf() }.into());
        }
        return Ok(("up to date".to_owned(), header));
    }
    let start = Instant::now();
    let generated = part.build().with_context(|| format!("{}: cannot be built", path.display()))?;
    let header = part.header(&generated);
    let built = start.elapsed().as_secs_f64();
    let start = Instant::now();
    publish(path, &header, generated.bits.as_ref()).map_err(|error| {
        let hint = match error.kind() {
            io::ErrorKind::FileTooLarge => ": raise the limit on file sizes, see ulimit -f",
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => ": make room for it",
            _ => "",
        };
        anyhow!("{}: cannot be written: {error}{hint}", path.display())
    })?;
    let written = start.elapsed().as_secs_f64();
    Ok((format!("built in {built:.2} s, written in {written:.2} s"), header))
}

fn line(path: &Path, news: &str, header: &Header) -> String {
    format!(
        "{}: {news}: {} bytes, {} states, deepest level {}, checksum {:016x}",
        path.display(),
        header.file_bytes(),
        header.states(),
        header.levels.len() - 1,
        header.payload_hash,
    )
}
