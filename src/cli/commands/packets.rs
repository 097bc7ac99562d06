//! `taquin split`, `taquin packet` and `taquin merge`: a search divided among programs.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::iter;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;

use crate::classics::Spec;
use crate::cli::args::values::{count, count_in, number, path};
use crate::cli::args::{DatabaseArgs, OutputArgs, Threads};
use crate::cli::input::{KindArgs, Place};
use crate::cli::interrupt;
use crate::cli::output::{Answer, Files, Output, Printer, Progress, Shows};
use crate::cli::process::{ExitCode, say, written};
use crate::format::Format;
use crate::pdb;
use crate::read::{Lines, LinesOf};
use crate::search::Stop;
use crate::solver::{
    CheckpointError, Division, Error, Limits, MAX_SEALED, Packet, PacketResult, Solver, Split,
    State, Target,
};
use crate::text::{grouped, plural};

#[derive(Debug, Args)]
pub struct SplitArgs {
    /// Board, in quotes, as taquin solve reads it
    #[arg(value_name = "BOARD")]
    board: String,

    #[command(flatten)]
    kind: KindArgs,

    /// Heuristic that guides the search, as in taquin solve
    ///
    /// Packets need the fast search: standard, portfolio, combined, small, or a partition of all tiles.
    #[arg(long, value_name = "HEURISTIC", default_value = "standard")]
    heuristic: Spec,

    /// Approximate number of packets
    ///
    /// A few for each core keep all of them busy to the end.
    #[arg(short = 'n', long, value_name = "N", default_value = "100", value_parser = count_in(1..=1_000_000_000, "packets"), allow_negative_numbers = true)]
    packets: u64,

    /// Split the first threshold that follows one of at least this many nodes
    ///
    /// A threshold limits the solution's length. Small ones are searched at once. Each has seven to eight times
    /// the nodes of the one before.
    #[arg(long, value_name = "NODES", default_value = "10M", value_parser = count, allow_negative_numbers = true)]
    after: u64,

    /// Continue from this checkpoint of taquin merge or taquin solve, if the file exists
    #[arg(long, value_name = "FILE", value_parser = path())]
    checkpoint: Option<PathBuf>,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    databases: DatabaseArgs,
}

pub fn split(args: &SplitArgs) -> anyhow::Result<ExitCode> {
    let (board, _) = args.kind.read(&args.board)?;
    let state = match args.checkpoint.as_deref().map(State::read).transpose() {
        Err(CheckpointError::Read(_, reason)) if reason.kind() == io::ErrorKind::NotFound => None,
        state => state.map_err(Error::from)?,
    };
    args.threads.start()?;
    let options = Solver::builder().goal(args.kind.goal()?).heuristic(args.heuristic.clone());
    let (solver, progress) = Progress::default().solver(options, args.databases.store())?;
    let division = Division { count: args.packets as usize, after: args.after, nodes: 0 };
    let divided = solver.packets(&board, state, division, &Limits::default());
    progress.hide();
    let packets = match divided? {
        Split::Packets(packets) => packets,
        Split::Solved(bracket) => {
            let path = bracket.solution.iter().filter(|solution| solution.len() > 0);
            let path: String = path.map(|solution| format!(": {}", solution.moves())).collect();
            say!("no packets: the board takes {}{path}", plural(bracket.lower_bound, "move"));
            return Ok(ExitCode::Fine);
        }
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let printed = packets.iter().try_for_each(|packet| writeln!(out, "{packet}"));
    written(printed.and_then(|()| out.flush()))?;
    let count = plural(packets.len() as u64, "packet");
    say!("{count}: search them with `taquin packet FILE`, then use `taquin merge FILE`");
    Ok(ExitCode::Fine)
}

#[derive(Debug, Args)]
pub struct PacketArgs {
    /// File of packets, as taquin split prints them
    #[arg(value_name = "FILE", value_parser = path())]
    file: PathBuf,

    /// Lines of the packets to search, from 1 [default: all]
    #[arg(value_name = "LINE", value_parser = number::<usize>)]
    lines: Vec<usize>,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    databases: DatabaseArgs,
}

pub fn packet(args: &PacketArgs) -> anyhow::Result<ExitCode> {
    let file = PacketFile::open(&args.file)?;
    let lines = match &args.lines[..] {
        [] => (1..=file.lines.len()).collect(),
        lines => lines.to_vec(),
    };
    // A wrong number is an error before hours of work.
    let packets = lines.iter().map(|&line| Ok((line, file.packet(line)?)));
    let packets: Vec<(usize, Packet)> = packets.collect::<anyhow::Result<_>>()?;
    if let Some((line, _)) = packets.iter().find(|(_, other)| !other.is_beside(&packets[0].1)) {
        let file = args.file.display();
        bail!("{file}, line {line}: the packet belongs to another search");
    }
    args.threads.start()?;
    let (solver, progress) =
        Progress::default().solver(packets[0].1.builder(), args.databases.store())?;
    let limits = Limits::default().cancel(&interrupt::cancel());
    solver.prepare_with(packets[0].1.board().grid(), &limits)?;
    progress.show(Some(packets.len() as u64), "packets");
    for (done, (line, packet)) in packets.iter().enumerate() {
        let needed = file.solved().is_none_or(|solved| *line < solved);
        if needed && file.result(*line, packet).is_none() {
            // A result that cannot be kept is an error before the search, not after it.
            drop(file.output(*line)?);
            match solver.run_packet(packet, &limits) {
                Ok(result) => file.keep(*line, &result)?,
                Err(Error::Stopped(Stop::Cancelled)) => {
                    progress.hide();
                    let (done, of) = (plural(done as u64, "packet"), packets.len());
                    say!("{done} of {of} done: repeat the command for the rest");
                    return Ok(ExitCode::Negative);
                }
                Err(error) => return Err(error.into()),
            }
        }
        progress.count_one();
    }
    Ok(ExitCode::Fine)
}

#[derive(Debug, Args)]
pub struct MergeArgs {
    /// File of packets, with the results next to it
    #[arg(value_name = "FILE", value_parser = path())]
    file: PathBuf,

    /// File for the state of the search, replaced if it exists
    #[arg(long, value_name = "FILE", value_parser = path())]
    checkpoint: Option<PathBuf>,

    /// Print only the line numbers of packets that need a result, one per line
    #[arg(long, conflicts_with_all = ["json", "format", "checkpoint"])]
    missing: bool,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    databases: DatabaseArgs,
}

pub fn merge(args: &MergeArgs) -> anyhow::Result<ExitCode> {
    let file = PacketFile::open(&args.file)?;
    let (mut results, mut missing) = (Vec::new(), Vec::new());
    for line in 1..=file.lines.len() {
        match file.result(line, &file.packet(line)?) {
            Some(result) => results.push(result),
            None => missing.push(line),
        }
        if results.last().is_some_and(PacketResult::is_solved) {
            // Later ones are not needed.
            break;
        }
    }
    if args.missing {
        let mut out = io::stdout().lock();
        let printed = missing.iter().try_for_each(|line| writeln!(out, "{line}"));
        written(printed.and_then(|()| out.flush()))?;
    } else if let Some(first) = missing.first() {
        let (count, of) =
            (grouped(missing.len() as u64), plural(file.lines.len() as u64, "packet"));
        let file = args.file.display();
        say!(
            "{count} of {of} have no result; the first is in line {first}: search with `taquin packet {file}`"
        );
    }
    match (missing.is_empty(), args.missing) {
        (true, true) => Ok(ExitCode::Fine),
        (true, false) => join(args, &file, results),
        (false, true) => Ok(ExitCode::Negative),
        (false, false) => Ok(ExitCode::Usage),
    }
}

fn join(
    args: &MergeArgs,
    file: &PacketFile,
    results: Vec<PacketResult>,
) -> anyhow::Result<ExitCode> {
    let packet = file.packet(1)?;
    let board = packet.board().clone();
    if let Some(path) = &args.checkpoint {
        drop(file.files().file(path)?);
    }
    args.threads.start()?;
    let (solver, progress) =
        Progress::default().solver(packet.builder(), args.databases.store())?;
    let merged = solver.merge(results, &Limits::default());
    progress.hide();
    let (bracket, state) = merged?;
    if let (Some(path), Some(state)) = (&args.checkpoint, state) {
        state.write(path).map_err(Error::from)?;
    }
    let goal = Target::Board(solver.goal(board.grid())?);
    let (bound, solved) = (plural(bracket.lower_bound, "move"), bracket.is_optimal());
    if solved || args.output.format() == Some(Format::Json) {
        let answer = Answer { board: board.into(), goal, bracket, all: None, good: None };
        let mut printer = Printer::new(&args.output, true, Shows::Moves);
        written(printer.print(&Place::alone(), Ok(&answer)))?;
    } else {
        say!(
            "no solution within the threshold: at least {bound} are needed; to go on, merge with --checkpoint FILE, and give that file to `taquin split`"
        );
    }
    Ok(if solved { ExitCode::Fine } else { ExitCode::Negative })
}

// A file of packets, one per line, and the results next to it: the result of line 7 of `FILE` is in `FILE.7`. A
// program that finds a solution notes its line in `FILE.solved`, so that none searches packets after it.

/// A file of packets.
struct PacketFile {
    path: PathBuf,
    lines: Vec<String>,
}

impl PacketFile {
    fn open(path: &Path) -> anyhow::Result<PacketFile> {
        let lines = lines(path).and_then(Iterator::collect::<anyhow::Result<Vec<_>>>);
        let lines = lines.with_context(|| format!("cannot read {}", path.display()))?;
        if lines.is_empty() {
            bail!("{} has no packets", path.display());
        }
        Ok(PacketFile { path: path.to_owned(), lines })
    }

    /// The packet of a line, counted from 1.
    fn packet(&self, line: usize) -> anyhow::Result<Packet> {
        let path = self.path.display();
        let text = line.checked_sub(1).and_then(|place| self.lines.get(place));
        let text = text
            .with_context(|| format!("there is no line {line}: {path} has {}", self.lines.len()))?;
        text.parse().with_context(|| format!("{path}, line {line}"))
    }

    /// The result of a packet, if there is one. The result of another packet, from an earlier file of this
    /// name, does not count.
    fn result(&self, line: usize, packet: &Packet) -> Option<PacketResult> {
        let result: PacketResult = self.read(line)?.parse().ok()?;
        result.is_of(packet).then_some(result)
    }

    /// Keeps the result of a packet, and notes one with a solution unless an earlier one is noted.
    fn keep(&self, line: usize, result: &PacketResult) -> anyhow::Result<()> {
        self.output(line)?.put(format!("{result}\n").as_bytes())?;
        match result.is_solved() && self.solved().is_none_or(|solved| line < solved) {
            true => self.output("solved")?.put(format!("{line}\n").as_bytes()),
            false => Ok(()),
        }
    }

    /// The line of a packet that holds a solution, if one is known.
    fn solved(&self) -> Option<usize> {
        let line = self.read("solved")?.parse().ok()?;
        let packet = self.packet(line).ok()?;
        self.result(line, &packet).filter(PacketResult::is_solved).map(|_| line)
    }

    /// The output beside it with this end of its name. Dropped, it has shown that the file can be kept.
    fn output(&self, end: impl Display) -> anyhow::Result<Output> {
        Files::reading([&self.path]).file(&self.beside(end))
    }

    /// The file and its results, for a command that writes another one.
    fn files(&self) -> Files {
        let results = (1..=self.lines.len()).map(|line| self.beside(line));
        let all: Vec<_> = results.chain([self.path.clone(), self.beside("solved")]).collect();
        Files::reading(&all)
    }

    fn beside(&self, end: impl Display) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(format!(".{end}"));
        name.into()
    }

    /// The first line of a file beside it.
    fn read(&self, end: impl Display) -> Option<String> {
        lines(&self.beside(end)).ok()?.next()?.ok()
    }
}

/// The lines of a file. Pipes and devices have no place for results, and may have no end.
fn lines(path: &Path) -> anyhow::Result<impl Iterator<Item = anyhow::Result<String>>> {
    let reader = BufReader::new(File::open(pdb::Target::of(path)?.file()?)?);
    let mut lines = LinesOf::new(reader, MAX_SEALED);
    Ok(iter::from_fn(move || Some(lines.next_line()?.map_err(anyhow::Error::from))))
}
