//! `pdb-gen info` and `pdb-gen verify`.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::HumanDuration;

use crate::board::Metric;
use crate::cli::advice::report;
use crate::cli::args::values::path;
use crate::cli::args::{Memory, Threads, default_folder};
use crate::cli::output::Progress;
use crate::cli::process::{ExitCode, print, say};
use crate::pdb::{FORMAT_VERSION, Header, Partition, open};
use crate::store::{PartError, Set, Store};
use crate::text::{aligned, grouped, megabytes, quoted};

#[derive(Debug, Args)]
pub struct Files {
    /// Database files, or folders of them [default: TAQUIN_PDB_DIR, ./pdb or the user's]
    ///
    /// Without any: the folder in which taquin looks for databases, which is named by the
    /// environment variable TAQUIN_PDB_DIR, else ./pdb where that folder exists, else the folder
    /// taquin in the user's data folder.
    #[arg(value_name = "PATH", value_parser = path())]
    paths: Vec<PathBuf>,
}

impl Files {
    /// The worst code of the paths given, or of the default folder.
    fn worst(
        &self,
        mut show: impl FnMut(&Path) -> anyhow::Result<ExitCode>,
    ) -> anyhow::Result<ExitCode> {
        let default = self.paths.is_empty().then(default_folder);
        let mut paths = self.paths.iter().chain(&default);
        paths.try_fold(ExitCode::Fine, |code, path| Ok(code.max(show(path)?)))
    }
}

/// Shows a file, or the files of a folder. A bad file does not stop the rest.
fn each(
    path: &Path,
    mut show: impl FnMut(&Path) -> anyhow::Result<ExitCode>,
) -> anyhow::Result<ExitCode> {
    let files = if path.is_dir() { databases(path) } else { vec![path.to_owned()] };
    let mut code = if files.is_empty() { ExitCode::Database } else { ExitCode::Fine };
    for file in files {
        code = code.max(match show(&file) {
            Err(error) if error.is::<PartError>() => report("", &error),
            shown => shown?,
        });
    }
    Ok(code)
}

#[derive(Debug, Args)]
pub struct InfoArgs {
    #[command(flatten)]
    files: Files,

    /// Show how many states of each table have each value
    #[arg(long)]
    histogram: bool,

    /// Print a JSON object for each file
    ///
    /// Its fields are file, metric, size, tiles, states, and histogram, which has pairs of a value and its number
    /// of states.
    #[arg(short, long, requires = "histogram")]
    json: bool,
}

#[derive(Debug, Args)]
pub struct VerifyArgs {
    #[command(flatten)]
    files: Files,

    /// Compare only the checksums, without a proof
    #[arg(short, long)]
    quick: bool,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    memory: Memory,
}

/// Prints the header of each file, and lists the databases of each folder. The histograms are of all files.
pub fn info(args: &InfoArgs) -> anyhow::Result<ExitCode> {
    args.files.worst(|path| match path.is_dir() && !args.histogram {
        true => list(path),
        false => each(path, |path| {
            let header = open(path).map_err(PartError::from)?.header;
            print(&match args.histogram {
                true => histogram(path, &header, args.json),
                false => describe(path, &header),
            })?;
            Ok(ExitCode::Fine)
        }),
    })
}

/// Checks each file, and the files of each folder.
pub fn verify(args: &VerifyArgs) -> anyhow::Result<ExitCode> {
    args.threads.start()?;
    let store = Store::memory().memory_limit(args.memory.bytes);
    let progress = Progress::default();
    let check = |path: &Path| {
        let verified = store.verify(path, !args.quick, &|event| progress.store(event));
        progress.hide();
        let header = verified?;
        print(&verdict(path, &header, args.quick))?;
        Ok(named(path, &header))
    };
    args.files.worst(|path| each(path, check))
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
        let out = quoted(&name.to_string());
        say!("{name}: no databases: build them with `pdb-gen build --out {out}`");
    }
    files
}

/// Prints a table of the databases in a folder. Their tables are read and compared with their
/// checksums.
fn list(folder: &Path) -> anyhow::Result<ExitCode> {
    let store = Store::memory();
    let heading = ["file", "board", "partitions", "size", "age", "state"];
    let mut lines = vec![heading.map(str::to_owned).to_vec()];
    let code = each(folder, |path| {
        let verified = store.verify(path, false, &|_| ());
        let (board, partitions, state) = match &verified {
            Err(_) => (String::new(), String::new(), "unusable"),
            Ok(header) => {
                let is_named = named(path, header) == ExitCode::Fine;
                let state = if is_named { "sound" } else { "sound, but misnamed" };
                (header.pattern.grid().to_string(), sets(header), state)
            }
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let metadata = fs::metadata(path).ok();
        let size = metadata.as_ref().map(|metadata| megabytes(metadata.len()));
        let age = metadata.and_then(|metadata| metadata.modified().ok()?.elapsed().ok());
        let age = age.map(|age| HumanDuration(age).to_string());
        let (size, age) = (size.unwrap_or_default(), age.unwrap_or_default());
        lines.push(vec![name, board, partitions, size, age, state.to_owned()]);
        Ok(named(path, &verified?))
    })?;
    if lines.len() > 1 {
        print(&format!("{}\n{}", folder.display(), aligned(&lines).trim_end()))?;
    }
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

fn verdict(path: &Path, header: &Header, quick: bool) -> String {
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
    if named(path, header) != ExitCode::Fine {
        let name = header.file_name();
        text += &format!("; but programs look for it under the name {name}");
    }
    text
}

/// The number of states with each value, as a table or as an object.
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
