//! `pdb-gen info` and `pdb-gen verify`.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::HumanDuration;

use crate::board::Metric;
use crate::cli::advice::{quote, report};
use crate::cli::args::values::path;
use crate::cli::args::{Memory, Threads, default_folder};
use crate::cli::output::Progress;
use crate::cli::process::{ExitCode, print, say};
use crate::pdb::{FORMAT_VERSION, Header, Partition, open};
use crate::store::{PartError, Set, Store};
use crate::text::{aligned, grouped, megabytes};

#[derive(Debug, Args)]
pub struct Files {
    /// Database files, or folders of them
    ///
    /// Without any: the folder in which taquin looks for databases, which is named by the
    /// environment variable TAQUIN_PDB_DIR, else ./pdb where that folder exists, else the folder
    /// taquin in the user's data folder.
    #[arg(value_name = "PATH", value_parser = path())]
    paths: Vec<PathBuf>,
}

impl Files {
    /// The paths given, or the default folder.
    fn paths(&self) -> Vec<PathBuf> {
        match &self.paths[..] {
            [] => vec![default_folder()],
            paths => paths.to_vec(),
        }
    }

    /// Prints a report on each file, and on the files of each folder. A bad file does not stop the rest.
    fn each(
        &self,
        report_on: impl Fn(&Path) -> Result<(String, ExitCode), PartError>,
    ) -> anyhow::Result<ExitCode> {
        let mut code = ExitCode::Fine;
        for path in self.paths() {
            let files = if path.is_dir() { databases(&path) } else { vec![path] };
            if files.is_empty() {
                code = ExitCode::Database;
            }
            for file in files {
                code = code.max(match report_on(&file) {
                    Ok((text, verdict)) => print(&text).map(|()| verdict)?,
                    Err(error) => report("", &error.into()),
                });
            }
        }
        Ok(code)
    }
}

#[derive(Debug, Args)]
pub struct InfoArgs {
    #[command(flatten)]
    files: Files,

    /// Show how many states of each table have each value: the moves of its tiles that they need at least
    #[arg(long)]
    histogram: bool,

    /// Print a JSON object for each file: file, metric, size, tiles, states, and histogram, which has pairs of a
    /// value and its number of states
    #[arg(short, long, requires = "histogram")]
    json: bool,
}

#[derive(Debug, Args)]
pub struct VerifyArgs {
    #[command(flatten)]
    files: Files,

    /// Leave out the proof
    #[arg(short, long)]
    quick: bool,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    memory: Memory,
}

/// Prints the header of each file, and lists the databases of each folder. The histograms are of all files.
pub fn info(args: &InfoArgs) -> anyhow::Result<ExitCode> {
    if args.histogram {
        return args
            .files
            .each(|path| Ok((histogram(path, &open(path)?.header, args.json), ExitCode::Fine)));
    }
    let mut code = ExitCode::Fine;
    for path in args.files.paths() {
        code = code.max(match path.is_dir() {
            true => list(&path)?,
            false => Files { paths: vec![path] }
                .each(|path| Ok((describe(path, &open(path)?.header), ExitCode::Fine)))?,
        });
    }
    Ok(code)
}

/// Checks each file, and the files of each folder.
pub fn verify(args: &VerifyArgs) -> anyhow::Result<ExitCode> {
    args.threads.start()?;
    let store = Store::memory().memory_limit(args.memory.bytes);
    let progress = Progress::default();
    args.files.each(|path| {
        let verified = store.verify(path, !args.quick, &|event| progress.store(event));
        progress.clear();
        Ok(verdict(path, &verified?, args.quick))
    })
}

/// The database files of a folder, by name. Where there are none, it says why.
fn databases(folder: &Path) -> Vec<PathBuf> {
    let name = folder.display();
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => {
            say!("cannot read the folder {name}: {error}");
            return Vec::new();
        }
    };
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "pdb"))
        .collect();
    files.sort();
    if files.is_empty() {
        let out = quote(&name.to_string());
        say!("{name}: no databases: build them with `pdb-gen build --out {out}`");
    }
    files
}

/// Prints a table of the databases in a folder. Their tables are read and compared with their
/// checksums.
fn list(folder: &Path) -> anyhow::Result<ExitCode> {
    let store = Store::memory();
    let mut code = ExitCode::Fine;
    let heading = ["file", "board", "partitions", "size", "age", "state"];
    let mut lines = vec![heading.map(str::to_owned).to_vec()];
    let files = databases(folder);
    if files.is_empty() {
        return Ok(ExitCode::Database);
    }
    for path in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (board, partitions, state) = match store.verify(&path, false, &|_| ()) {
            Ok(header) => {
                let pattern = header.pattern;
                let named = named(&path, &header);
                code = code.max(named);
                let sound = named == ExitCode::Fine;
                let state = if sound { "sound" } else { "sound, but misnamed" };
                (pattern.grid().to_string(), sets(&header), state)
            }
            Err(error) => {
                code = report("", &error.into());
                (String::new(), String::new(), "unusable")
            }
        };
        let metadata = fs::metadata(&path).ok();
        let size = metadata.as_ref().map(|metadata| megabytes(metadata.len()));
        let age = metadata.and_then(|metadata| metadata.modified().ok()?.elapsed().ok());
        let age = age.map(|age| HumanDuration(age).to_string());
        let (size, age) = (size.unwrap_or_default(), age.unwrap_or_default());
        lines.push(vec![name, board, partitions, size, age, state.to_owned()]);
    }
    print(&format!("{}\n{}", folder.display(), aligned(&lines).trim_end()))?;
    Ok(code)
}

/// The names of the sets that a database belongs to.
fn sets(header: &Header) -> String {
    let pattern = header.pattern;
    let (grid, blank) = (pattern.grid(), pattern.blank());
    let sets = Partition::names(grid)
        .filter_map(|name| Set::parse(Some(name), grid, blank).ok())
        .chain(
            Partition::catalogues(grid).filter_map(|name| Set::catalogue(name, grid, blank).ok()),
        )
        .chain(Set::slides(grid, blank));
    let names: Vec<String> = sets
        .filter(|set| set.metric() == header.metric && set.patterns().contains(&pattern))
        .map(|set| set.name().to_owned())
        .collect();
    names.join(", ")
}

/// Returns whether a database has the name under which programs look for it. They refuse its folder
/// otherwise.
fn named(path: &Path, header: &Header) -> ExitCode {
    match path.file_name() {
        Some(name) if name == &*header.file_name() => ExitCode::Fine,
        _ => ExitCode::Database,
    }
}

fn verdict(path: &Path, header: &Header, quick: bool) -> (String, ExitCode) {
    let mut text = format!(
        "{}: sound: header, length of {}, numbering of {} states, checksum {:016x}",
        path.display(),
        megabytes(header.file_bytes()),
        grouped(header.states()),
        header.payload_hash,
    );
    if !quick {
        text += match header.metric {
            Metric::Single => "; proved: the number of moves of every state",
            Metric::Multi => {
                "; not proved: a table that counts slides is checked by its checksum alone"
            }
        };
    }
    let code = named(path, header);
    if code != ExitCode::Fine {
        let name = header.file_name();
        text += &format!("; but programs look for it under the name {name}");
    }
    (text, code)
}

/// How many states have each value, as a table or as an object.
fn histogram(path: &Path, header: &Header, json: bool) -> String {
    let values = (0..).zip(&header.levels);
    if json {
        return serde_json::json!({
            "file": path.display().to_string(),
            "metric": header.metric.name(),
            "size": header.pattern.grid().to_string(),
            "tiles": header.pattern.to_string(),
            "states": header.states(),
            "histogram": values.collect::<Vec<(u32, &u64)>>(),
        })
        .to_string();
    }
    let mut lines = vec![["value", "states", "share"].map(str::to_owned).to_vec()];
    lines.extend(values.map(|(value, &states): (u32, _)| {
        let share = 100.0 * states as f64 / header.states() as f64;
        vec![value.to_string(), grouped(states), format!("{share:.3}%")]
    }));
    format!("{}\n{}", path.display(), aligned(&lines).trim_end())
}

fn describe(path: &Path, header: &Header) -> String {
    let Header { metric, pattern, levels, payload_hash, .. } = header;
    let (grid, blank, size) = (pattern.grid(), pattern.blank(), megabytes(header.file_bytes()));
    let [states, cohorts, orders] = [header.states(), header.cohorts, header.orders].map(grouped);
    let (path, deepest) = (path.display(), levels.len() - 1);
    let levels = levels.iter().map(|&states| grouped(states)).collect::<Vec<_>>().join(" ");
    format!(
        "{path}\n\
         \x20 format version  {FORMAT_VERSION}\n\
         \x20 metric          {metric}\n\
         \x20 board           {grid}, the blank's goal cell is {blank}\n\
         \x20 tiles           {pattern}\n\
         \x20 size            {size}\n\
         \x20 states          {states}, that is {cohorts} cohorts of {orders} orders\n\
         \x20 checksum        {payload_hash:016x}\n\
         \x20 deepest level   {deepest}\n\
         \x20 states a level  {levels}"
    )
}
