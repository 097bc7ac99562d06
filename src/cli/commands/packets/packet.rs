//! `taquin packet`: searches packets.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::files::PacketFile;
use crate::cli::args::databases::DatabaseArgs;
use crate::cli::args::parsers::{Threads, number, path};
use crate::cli::exit::{ExitCode, Failure, wrong};
use crate::cli::interrupt::{self, Answering};
use crate::cli::output::progress::{Progress, bar};
use crate::cli::output::streams::say;
use crate::cli::threads;
use crate::search::{Cancel, Stop};
use crate::solver::{Error, Limits, Packet};
use crate::text::plural;

#[derive(Debug, Args)]
pub struct PacketArgs {
    /// File of packets, as taquin split prints them
    #[arg(value_name = "FILE", value_parser = path())]
    file: PathBuf,

    /// Lines of the packets to search, from 1 [default: all]
    #[arg(value_name = "LINE", value_parser = number)]
    lines: Vec<usize>,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    databases: DatabaseArgs,
}

pub fn run(args: &PacketArgs) -> Result<ExitCode, Failure> {
    let file = PacketFile::open(&args.file)?;
    let lines = match &args.lines[..] {
        [] => (1..=file.len()).collect(),
        lines => lines.to_vec(),
    };
    // A wrong number is an error before hours of work.
    let packets = lines.iter().map(|&line| Ok((line, file.packet(line)?)));
    let packets: Vec<(usize, Packet)> = packets.collect::<Result<_, Failure>>()?;
    if let Some((line, _)) = packets.iter().find(|(_, other)| !other.is_beside(&packets[0].1)) {
        let file = args.file.display();
        return Err(wrong!("{file}, line {line}: the packet is of another search"));
    }
    threads::start(args.threads.count)?;
    let store = args.databases.store();
    let progress = Arc::new(Progress::new(&store, false));
    let builder = packets[0].1.builder()?;
    let builder = builder.store(store).progress(progress.of_stores());
    let solver = builder.build()?;
    let cancel = Cancel::new();
    let limits = Limits::default().cancel(&cancel);
    let _answering = Answering::new(move || cancel.cancel());
    let grid = packets[0].1.board()?.grid();
    solver.prepare_with(grid, &limits)?;
    let bar = bar(Some(packets.len() as u64), "packets");
    for (done, (line, packet)) in packets.iter().enumerate() {
        let needed = file.solved().is_none_or(|solved| *line < solved);
        if needed && file.result(*line, packet).is_none() {
            // A result that cannot be kept is an error before the search, not after it.
            drop(file.output(*line)?);
            match solver.run_packet(packet, &limits) {
                Ok(result) => file.keep(*line, &result)?,
                Err(Error::Stopped(Stop::Cancelled)) => {
                    drop(bar);
                    let (done, of) = (plural(done as u64, "packet"), packets.len());
                    say(
                        "taquin",
                        format_args!("{done} of {of} done: the same command does the others"),
                    );
                    interrupt::finish();
                    return Ok(ExitCode::Negative);
                }
                Err(error) => return Err(error.into()),
            }
        }
        bar.inc(1);
    }
    Ok(ExitCode::Fine)
}
