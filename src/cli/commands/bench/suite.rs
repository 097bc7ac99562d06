//! The boards of a bench.

use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context, anyhow, bail};

use crate::board::{Board, Goal, Grid, Metric, Random};
use crate::cli::args::boards::KindArgs;
use crate::cli::args::limits;
use crate::cli::input;
use crate::cli::output::table::plural;

/// The value of `--set`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SuiteName {
    /// A set of the program.
    Named(&'static Named),
    /// Boards drawn uniformly.
    Random {
        count: usize,
        seed: u64,
    },
    File(PathBuf),
}

/// A set of the program: lines of numbers, with the optimal length second and the tiles last.
#[derive(Debug, PartialEq, Eq)]
pub struct Named {
    name: &'static str,
    side: usize,
    goal: &'static str,
    /// The metric of the lengths.
    metric: Metric,
    text: &'static str,
}

static NAMED: [Named; 5] = [
    Named {
        name: "korf100",
        side: 4,
        goal: "blank-first",
        metric: Metric::Single,
        text: include_str!("sets/korf100.txt"),
    },
    Named {
        name: "antipodes80",
        side: 4,
        goal: "blank-last",
        metric: Metric::Single,
        text: include_str!("sets/antipodes80.txt"),
    },
    Named {
        name: "hard15",
        side: 4,
        goal: "blank-last",
        metric: Metric::Single,
        text: include_str!("sets/hard15.txt"),
    },
    Named {
        name: "multi43",
        side: 4,
        goal: "blank-last",
        metric: Metric::Multi,
        text: include_str!("sets/multi43.txt"),
    },
    Named {
        name: "korf24",
        side: 5,
        goal: "blank-first",
        metric: Metric::Single,
        text: include_str!("sets/korf24.txt"),
    },
];

/// The most random boards.
const MOST: u64 = 10_000_000;

impl FromStr for SuiteName {
    type Err = String;

    fn from_str(text: &str) -> Result<SuiteName, String> {
        if let Some(named) = NAMED.iter().find(|named| named.name == text) {
            return Ok(SuiteName::Named(named));
        }
        let Some(numbers) = text.strip_prefix("random:") else {
            if text.is_empty() || text == "random" {
                return Err(
                    "write korf100, antipodes80, hard15, multi43, korf24, random:N, random:N:SEED or a file"
                        .to_owned(),
                );
            }
            return Ok(SuiteName::File(text.into()));
        };
        let (count, seed) = numbers.split_once(':').unwrap_or((numbers, "1"));
        match (limits::count(count), seed.parse()) {
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

    /// A value of each kind, but for files.
    pub fn examples() -> impl Iterator<Item = &'static str> {
        NAMED.iter().map(|named| named.name).chain(["random:100", "random:1000:1"])
    }
}

/// Boards of one size for one goal.
pub struct Suite {
    /// As in `--set`.
    pub name: String,
    pub cases: Vec<Case>,
    pub goal: Goal,
    pub metric: Metric,
}

pub struct Case {
    pub board: Board,
    /// The optimal length, if it is known.
    pub known: Option<u32>,
}

impl Suite {
    /// The boards of a set.
    ///
    /// # Errors
    /// If a file has no board, or a board is bad, unsolvable, or of another size than the
    /// first one.
    pub fn load(name: &SuiteName, kind: &KindArgs, metric: Metric) -> anyhow::Result<Suite> {
        match name {
            SuiteName::Named(named) => {
                if kind.goal.is_some() || kind.size.is_some() {
                    bail!(
                        "{} has a goal and a size of its own: leave --goal and --size out",
                        named.name
                    );
                }
                Ok(named.load(metric))
            }
            SuiteName::Random { count, seed } => {
                let goal = kind.goal().goal(kind.size.unwrap_or_else(four))?;
                let mut random = Random::new(*seed);
                let case = |_| Case { board: goal.random_board(&mut random), known: None };
                let cases = (0..*count).map(case).collect();
                Ok(Suite { name: format!("random:{count}:{seed}"), cases, goal, metric })
            }
            SuiteName::File(path) => from_file(path, kind, metric),
        }
    }

    /// A description for people.
    pub fn title(&self) -> String {
        let noun = format!("{} board", self.grid());
        let metric = match self.metric {
            Metric::Single => "",
            Metric::Multi => ", in slides",
        };
        format!("{}: {}{metric}", self.name, plural(self.cases.len() as u64, &noun))
    }

    /// The size of the boards.
    pub fn grid(&self) -> Grid {
        self.goal.board().grid()
    }
}

/// The default size.
fn four() -> Grid {
    Grid::new(4, 4).expect("a 4x4 grid is one")
}

impl Named {
    fn load(&self, metric: Metric) -> Suite {
        let grid = Grid::new(self.side, self.side).expect("sets have grids");
        let cases = self.text.lines().filter(|line| !line.starts_with('#')).map(|line| {
            let numbers: Vec<u32> =
                line.split_whitespace().map(|n| n.parse().expect("sets are numbers")).collect();
            let tiles: Vec<u8> =
                numbers[numbers.len() - grid.cells()..].iter().map(|&n| n as u8).collect();
            let board = Board::new(grid, &tiles).expect("sets are boards");
            Case { board, known: (self.metric == metric).then_some(numbers[1]) }
        });
        let goal = Goal::named(self.goal, grid).expect("sets have goals");
        Suite { name: self.name.to_owned(), cases: cases.collect(), goal, metric }
    }
}

fn from_file(path: &std::path::Path, kind: &KindArgs, metric: Metric) -> anyhow::Result<Suite> {
    if !path.exists() {
        bail!(
            "no set and no file has the name {:?}: write korf100, antipodes80, hard15, multi43, korf24, random:N, \
             random:N:SEED or a file of boards",
            path.display().to_string()
        );
    }
    let mut cases = Vec::new();
    let mut first: Option<Goal> = None;
    let inputs = input::boards(&[], Some(path), kind.size).map_err(|failure| failure.error)?;
    for mut input in inputs {
        let origin = input.origin.to_string();
        let bad = || format!("{}the set is refused", origin);
        let (board, goal) = kind.posed(&mut input).with_context(bad)?;
        let solvability = goal.solvability(&board);
        if !solvability.is_solvable() {
            bail!("{}: this board cannot reach the goal: {solvability}", bad());
        }
        let first = first.get_or_insert(goal);
        if first.board().grid() != board.grid() {
            bail!(
                "{}: a {} board among {} boards: write a file for each size",
                bad(),
                board.grid(),
                first.board().grid()
            );
        }
        cases.push(Case { board, known: None });
    }
    let goal = first.ok_or_else(|| anyhow!("there is no board in {}", path.display()))?;
    Ok(Suite { name: path.display().to_string(), cases, goal, metric })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind() -> KindArgs {
        KindArgs::default()
    }

    #[test]
    fn sets_are_read_whole() {
        for (named, count) in NAMED.iter().zip([100, 9, 7, 8, 50]) {
            let name: SuiteName = named.name.parse().unwrap();
            let suite = Suite::load(&name, &kind(), named.metric).unwrap();
            assert_eq!(suite.cases.len(), count, "{}", named.name);
            assert!(suite.cases.iter().all(|case| case.known.is_some_and(|n| n > 40)));
            assert!(suite.cases.iter().all(|c| suite.goal.solvability(&c.board).is_solvable()));
        }
        let other = KindArgs { goal: "spiral".parse().ok(), ..KindArgs::default() };
        assert!(Suite::load(&"korf100".parse().unwrap(), &other, Metric::Single).is_err());
    }

    #[test]
    fn random_sets_follow_from_their_seed() {
        let boards = |text: &str| {
            let suite = Suite::load(&text.parse().unwrap(), &kind(), Metric::Single).unwrap();
            suite.cases.into_iter().map(|case| case.board).collect::<Vec<_>>()
        };
        assert_eq!(boards("random:20"), boards("random:20:1"));
        assert_eq!(boards("random:20")[..10], boards("random:10")[..]);
        assert_ne!(boards("random:20:2"), boards("random:20:1"));
    }

    #[test]
    fn nonsense_is_refused() {
        for bad in ["", "random", "random:", "random:0", "random:x", "random:5:x", "random:-1"] {
            assert!(bad.parse::<SuiteName>().is_err(), "{bad}");
        }
        let missing =
            Suite::load(&"korf1000".parse().unwrap(), &kind(), Metric::Single).err().unwrap();
        assert!(
            missing.to_string().contains("write korf100, antipodes80, hard15, multi43, korf24"),
            "{missing}"
        );
        let refused = |text: &str| {
            let file = std::env::temp_dir().join(format!("taquin-suite-{}", std::process::id()));
            std::fs::write(&file, text).unwrap();
            let error = from_file(&file, &kind(), Metric::Single).err().expect(text);
            std::fs::remove_file(file).unwrap();
            format!("{error:#}")
        };
        assert!(refused("").contains("no board"));
        assert!(refused("1 2 3 0\n1 2 2 0\n").contains("line 2: "));
        assert!(refused("1 2 3 0\n2 1 3 0\n").contains("line 2: "));
        assert!(refused("1 2 3 0\n1 2 3 4 5 6 7 8 0\n").contains("a 3x3 board among 2x2"));
    }
}
