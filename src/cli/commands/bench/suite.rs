//! The boards of a bench.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, anyhow, bail};

use crate::board::{Goal, Metric};
use crate::cli::args::values::count;
use crate::cli::input::{BoardArgs, KindArgs};
use crate::cli::process::say;
use crate::lab::{Case, Suite};

/// The value of `--set`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SuiteName {
    /// A set of the library.
    Named(String),
    /// Boards drawn uniformly.
    Random {
        count: usize,
        seed: u64,
    },
    File(PathBuf),
}

/// The most random boards.
const MOST: u64 = 10_000_000;

/// The forms of a name.
const FORMS: &str =
    "korf100, antipodes80, hard15, multi43, korf24, random:N, random:N:SEED or a file";

impl FromStr for SuiteName {
    type Err = String;

    fn from_str(text: &str) -> Result<SuiteName, String> {
        if Suite::names().any(|name| name == text) {
            return Ok(SuiteName::Named(text.to_owned()));
        }
        let Some(numbers) = text.strip_prefix("random:") else {
            if text.is_empty() || text == "random" {
                return Err(format!("write {FORMS}"));
            }
            return Ok(SuiteName::File(text.into()));
        };
        let (count, seed) = numbers.split_once(':').unwrap_or((numbers, "1"));
        match (self::count(count), seed.parse()) {
            (Ok(count @ 1..=MOST), Ok(seed)) => {
                Ok(SuiteName::Random { count: count as usize, seed })
            }
            _ => Err(format!(
                "write random:N or random:N:SEED, N from 1 to {MOST}, as in random:1000:1"
            )),
        }
    }
}

impl SuiteName {
    /// The file, if it is one.
    pub fn file(&self) -> Option<&PathBuf> {
        match self {
            SuiteName::File(path) => Some(path),
            _ => None,
        }
    }

    /// The boards.
    ///
    /// # Errors
    /// If a file has no board, or a board is bad or of another size than the first one.
    pub fn load(&self, kind: &KindArgs, metric: Metric) -> anyhow::Result<Suite> {
        match self {
            SuiteName::Named(name) if kind.goal.is_some() || kind.size.is_some() => {
                bail!("{name} has a goal and a size of its own: leave --goal and --size out")
            }
            SuiteName::Named(name) => Suite::named(name, metric).context("no such set"),
            SuiteName::Random { count, seed } => {
                let goal = kind.goal().sized(kind.size)?;
                Ok(Suite::random(goal, metric, *count, *seed))
            }
            SuiteName::File(path) => from_file(path, kind, metric),
        }
    }
}

fn from_file(path: &Path, kind: &KindArgs, metric: Metric) -> anyhow::Result<Suite> {
    if !path.exists() {
        bail!(
            "no set and no file has the name {:?}: write {FORMS} of boards",
            path.display().to_string()
        );
    }
    let (mut cases, mut left_out) = (Vec::new(), 0);
    let mut first: Option<Goal> = None;
    let (_, questions) =
        BoardArgs::of_file(path, kind).questions().map_err(|failure| failure.error)?;
    for question in questions {
        let origin = question.place.origin.to_string();
        let bad = || format!("{origin}the set is refused");
        let (board, goal) = question.posed().with_context(bad)?;
        let first = first.get_or_insert(goal);
        if first.board().grid() != board.grid() {
            bail!(
                "{}: a {} board among {} boards: write a file for each size",
                bad(),
                board.grid(),
                first.board().grid()
            );
        }
        let solvability = first.solvability(&board);
        if solvability.is_solvable() {
            cases.push(Case { board, known: None });
        } else {
            left_out += 1;
            say!("{origin}left out, it cannot reach the goal: {solvability}");
        }
    }
    let goal = first.filter(|_| !cases.is_empty());
    let goal =
        goal.ok_or_else(|| anyhow!("there is no board in {} that can be tried", path.display()))?;
    let suite = Suite::new(&path.display().to_string(), goal, metric, cases);
    Ok(Suite { left_out, ..suite })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind() -> KindArgs {
        KindArgs::default()
    }

    fn load(text: &str) -> anyhow::Result<Suite> {
        text.parse::<SuiteName>().unwrap().load(&kind(), Metric::Single)
    }

    #[test]
    fn names_have_their_boards() {
        assert_eq!(load("random:20").unwrap().name, "random:20:1");
        for name in Suite::names() {
            let mut other = kind();
            assert_eq!(load(name).unwrap().name, name);
            other.goal = crate::cli::args::values::goal("spiral").ok();
            let name: SuiteName = name.parse().unwrap();
            assert!(name.load(&other, Metric::Single).is_err());
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for bad in ["", "random", "random:", "random:0", "random:x", "random:5:x", "random:-1"] {
            assert!(bad.parse::<SuiteName>().is_err(), "{bad}");
        }
        let missing = load("korf1000").unwrap_err();
        assert!(
            missing.to_string().contains("write korf100, antipodes80, hard15, multi43, korf24"),
            "{missing}"
        );
        let refused = |text: &str| {
            let file = std::env::temp_dir().join(format!("taquin-suite-{}", std::process::id()));
            std::fs::write(&file, text).unwrap();
            let error = from_file(&file, &kind(), Metric::Single).expect_err(text);
            std::fs::remove_file(file).unwrap();
            format!("{error:#}")
        };
        assert!(refused("").contains("no board"));
        assert!(refused("1 2 3 0\n1 2 0 3\n1 2 2 0\n").contains("line 3: "));
        assert!(refused("2 1 3 0\n").contains("no board in"));
        assert!(refused("1 2 3 0\n1 2 3 4 5 6 7 8 0\n").contains("a 3x3 board among 2x2"));
    }
}
