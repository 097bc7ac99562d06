//! A record compared with the same run again.

use super::contest::Tried;
use super::entry::Entry;
use super::record::{BoardRecord, Record};
use super::trial::{Kept, Trial};

/// The stops after which another run has other nodes.
const IRREPRODUCIBLE: [&str; 5] = ["time", "interrupt", "memory", "skipped", "gap"];

impl Record {
    /// The trials that another run cannot repeat exactly, for each board.
    #[doc(hidden)]
    pub fn kept(&self) -> Vec<Kept> {
        let keep = |trial: &Trial| (!is_repeated(trial)).then(|| trial.clone());
        let trials = |trials: &[Trial]| trials.iter().map(keep).collect();
        let kept =
            |board: &BoardRecord| Kept { optimal: board.optimal, trials: trials(&board.trials) };
        self.boards.iter().map(kept).collect()
    }

    /// The differences between this record and the boards tried again, each in a line, and the number of
    /// searches compared. Of a search that is not repeated, only the value is compared.
    #[doc(hidden)]
    pub fn differences(&self, entries: &[Entry], again: &[Tried]) -> (usize, Vec<String>) {
        let mut lines = Vec::new();
        for (row, entry) in self.summary.iter().zip(entries) {
            if row.ran != entry.ran {
                let (name, then, now) = (&entry.name, &row.ran, &entry.ran);
                lines.push(format!("{name}: the record ran {then}, now {now} runs"));
            } else if row.tables != entry.tables {
                lines.push(format!("{}: the tables differ", entry.name));
            }
        }
        let mut compared = 0;
        for tried in again {
            let Some(board) = self.boards.get(tried.place) else { continue };
            let pairs = board.trials.iter().zip(&tried.trials).zip(entries);
            for ((then, now), entry) in pairs {
                let is_repeated = is_repeated(then);
                // Older records have no value there.
                if then.stopped.as_deref() == Some("skipped") {
                    continue;
                }
                compared += usize::from(is_repeated);
                let counts = |trial: &Trial| {
                    let Trial { h, generated, expanded, .. } = trial;
                    if !is_repeated {
                        return format!("h {h}");
                    }
                    let length =
                        trial.length.map_or("none".to_owned(), |length| length.to_string());
                    format!("h {h}, length {length}, {generated} generated, {expanded} expanded")
                };
                let (then, now) = (counts(then), counts(now));
                if then != now {
                    let (number, name) = (board.number, &entry.name);
                    lines.push(format!("board {number}, {name}: {then} in the record, {now} now"));
                }
            }
        }
        (compared, lines)
    }
}

/// Returns whether another run has the same nodes.
fn is_repeated(trial: &Trial) -> bool {
    !trial.stopped.as_deref().is_some_and(|stop| IRREPRODUCIBLE.contains(&stop))
}
