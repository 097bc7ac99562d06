//! `pdb-gen build`.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;

use crate::board::{Grid, Metric};
use crate::cli::advice::report;
use crate::cli::args::values::{number, path};
use crate::cli::args::{Memory, Threads, default_folder};
use crate::cli::output::Progress;
use crate::cli::process::{ExitCode, print, say};
use crate::solver::Error;
use crate::store::{PartErrorKind, Provided, Set, Store, StoreError, locate};
use crate::text::{grouped, megabytes};

#[derive(Debug, Args)]
pub struct BuildArgs {
    /// Size of the boards, as in 5 or 5x4
    #[arg(short, long, value_name = "WxH", default_value = "4x4")]
    size: Grid,

    /// Partition of the tiles: a name such as 7-8, or lists as in 1,2,3/4,5
    ///
    /// The names for 3x3 are 4-4, for 4x4 7-8, 7-8b, 7-8c, 6-6-3, 5-5-5 and 4-4-4-3, for 5x5
    /// 6-6-6-6 and 7-7-7-3. In lists a tile is named by its goal cell, as in the names of the files;
    /// cells are numbered from 0 in reading order. With the blank first, as it is without --blank, that
    /// is the number on the tile. taquin solve --heuristic takes the numbers on the tiles for any goal.
    /// Without this option: the partition that taquin solve uses for the size, 7-8 for 4x4, the catalogue
    /// small for 5x5.
    #[arg(short, long)]
    partition: Option<String>,

    /// Catalogue of partitions: small, for 5x5
    ///
    /// 5x5 has one, small: seven partitions 6-6-6-6. All patterns of one shape share a database,
    /// so that the catalogue needs eleven.
    #[arg(short, long, value_name = "NAME", conflicts_with = "partition")]
    catalogue: Option<String>,

    /// The partitions 7-8, 7-8b and 7-8c of 4x4, which speed up hard boards
    ///
    /// taquin solve --heuristic portfolio uses them. They take 588 MB, and are for goals with the blank in a
    /// corner or in the middle.
    #[arg(long, conflicts_with_all = ["partition", "catalogue", "metric"])]
    portfolio: bool,

    /// Count moves of tiles (single) or slides (multi)
    ///
    /// Databases that count slides are for boards of up to 16 cells. There is one set for a size,
    /// without partitions: three databases of 115 MB for 4x4.
    #[arg(long, value_name = "METRIC", default_value_t)]
    metric: Metric,

    /// Cell of the blank in the goal, from 0
    ///
    /// Cells are numbered from 0 in reading order. Of cells that are equivalent by symmetry, as
    /// the four corners are, named partitions are built for the first one, and work for all.
    /// Lists of tiles are built as they are.
    #[arg(short, long, value_name = "CELL", default_value_t = 0, value_parser = number::<usize>, allow_negative_numbers = true)]
    blank: usize,

    /// Folder to build in [default: TAQUIN_PDB_DIR, ./pdb or the user's]
    ///
    /// It is created if necessary. Without it: the environment variable TAQUIN_PDB_DIR, else ./pdb
    /// where that folder exists, else the folder taquin in the user's data folder.
    #[arg(short, long, value_name = "DIR", value_parser = path())]
    out: Option<PathBuf>,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    memory: Memory,

    /// Replace existing files, sound or not
    #[arg(long)]
    force: bool,
}

pub fn run(args: &BuildArgs) -> anyhow::Result<ExitCode> {
    let sets = args.sets()?;
    let (grid, blank) = (sets[0].grid(), sets[0].goal_blank());
    if (grid, blank) != (args.size, args.blank) {
        say!(
            "building for {grid} with the blank in cell {blank}, which also works for {} with the blank in cell {}, by symmetry",
            args.size,
            args.blank
        );
    }
    // Before any parallel work, which would start another pool.
    args.threads.start()?;
    let folder = args.out.clone().unwrap_or_else(default_folder);
    let store = Store::folder(&folder).memory_limit(args.memory.bytes);
    let parts: Result<Vec<_>, _> = sets.iter().map(|set| store.parts(set)).collect();
    let parts = parts.map_err(|error| Error::from(StoreError::TooLarge(error)))?.concat();
    locate::make(&folder)
        .map_err(|reason| Error::from(StoreError::Folder { folder: folder.clone(), reason }))?;

    let progress = Progress::default();
    let mut code = ExitCode::Fine;
    for part in &parts {
        let provided = part.provide(&folder, args.force, &|event| progress.store(event));
        progress.hide();
        match provided {
            Ok(provided) => print(&line(&provided))?,
            Err(error) => {
                // The next file would fail for the same reason.
                let ends = matches!(error.kind, PartErrorKind::Write(_));
                code = report("", &error.into());
                if ends {
                    break;
                }
            }
        }
    }
    Ok(code)
}

impl BuildArgs {
    /// The sets to build, of one size.
    fn sets(&self) -> anyhow::Result<Vec<Set>> {
        let (size, blank) = (self.size, self.blank);
        if self.portfolio {
            let first = Set::parse(None, size, blank).ok();
            let sets = first.and_then(|set| Set::portfolio(set.grid(), set.goal_blank(), 3));
            return sets.context(
                "--portfolio is for 4x4 boards and goals with the blank in a corner or in the middle",
            );
        }
        let named = self.partition.is_some() || self.catalogue.is_some();
        let set = match (self.metric, &self.catalogue) {
            (Metric::Multi, _) if named => {
                bail!(
                    "--metric multi has patterns of its own: leave --partition and --catalogue out"
                );
            }
            (Metric::Multi, _) => Set::slides(size, blank),
            (Metric::Single, Some(name)) => Set::catalogue(name, size, blank),
            (Metric::Single, None) => Set::parse(self.partition.as_deref(), size, blank),
        };
        Ok(vec![set?])
    }
}

fn line(Provided { path, header, work, .. }: &Provided) -> String {
    let news = match work {
        None => "up to date".to_owned(),
        Some(work) => {
            let [built, written] = work.map(|time| time.as_secs_f64());
            format!("built in {built:.2} s, written in {written:.2} s")
        }
    };
    format!(
        "{}: {news}: {}, {} states, deepest level {}, checksum {:016x}",
        path.display(),
        megabytes(header.file_bytes()),
        grouped(header.states()),
        header.levels.len() - 1,
        header.payload_hash,
    )
}
