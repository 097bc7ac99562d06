//! Lists of tiles: by the tiles that are printed on the board, and by the labels of its canonical goal.
//!
//! Users name the tiles of a pattern, as in `14,15`. Databases, their files and checkpoints name
//! them by their labels, so that all goals with the blank in a corner share them: with the blank last on 4×4
//! these two tiles have the labels 1 and 2. A solver translates here, and nowhere else. Names of partitions
//! stand for labels, and stay as they are.

use crate::board::Canonical;
use crate::pdb::{Partition, PatternError};

/// A partition by labels, in ascending order.
///
/// # Errors
/// [`PatternError::NoTile`], and [`PatternError::Repeated`] with the number of the tile.
pub fn labelled(partition: &str, canonical: &Canonical) -> Result<String, PatternError> {
    let grid = canonical.goal().board().grid();
    let mut seen = Vec::new();
    let mut label = |text: &str| {
        let text = text.trim();
        let tile = text.parse().ok().filter(|&tile| tile != 0);
        let found = tile.and_then(|tile| Some((tile, canonical.label(tile)?)));
        let Some((tile, label)) = found else {
            let is_number = text.parse::<u64>().is_ok();
            let tile = if is_number { text.to_owned() } else { format!("{text:?}") };
            return Err(PatternError::NoTile { grid, tile });
        };
        if seen.contains(&tile) {
            return Err(PatternError::Repeated { tile: usize::from(tile) });
        }
        seen.push(tile);
        Ok(label)
    };
    mapped(partition, |list| list.into_iter().map(&mut label).collect())
}

/// A partition of the goal's databases by tiles, in ascending order.
pub fn printed(partition: &str, canonical: &Canonical) -> String {
    let tile = |label: &str| label.parse().ok().and_then(|label: u8| canonical.tile(label));
    let tiles = |list: Vec<&str>| list.into_iter().map(tile).collect::<Option<_>>().ok_or(());
    mapped(partition, tiles).unwrap_or_else(|()| partition.to_owned())
}

/// The lists of a partition, each replaced and sorted; a name as it is.
fn mapped<E>(
    partition: &str,
    mut with: impl FnMut(Vec<&str>) -> Result<Vec<u8>, E>,
) -> Result<String, E> {
    if !Partition::is_lists(partition) {
        return Ok(partition.to_owned());
    }
    let mut list = |text: &str| {
        let mut numbers = with(text.split(',').collect())?;
        numbers.sort_unstable();
        Ok(numbers.iter().map(u8::to_string).collect::<Vec<_>>().join(","))
    };
    let lists = partition.split('/').map(&mut list).collect::<Result<Vec<_>, E>>()?;
    Ok(lists.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Goal, Grid};

    fn canonical(goal: &str, (width, height): (usize, usize)) -> Canonical {
        Canonical::of(&Goal::parse(goal, Grid::new(width, height).unwrap()).unwrap())
    }

    #[test]
    fn tiles_are_those_of_the_goal() {
        let last = canonical("blank-last", (4, 4));
        for (goal, tiles, labels) in [
            (&last, "15,14", "1,2"),
            (&last, "14,15/1", "1,2/15"),
            (&canonical("blank-first", (4, 4)), "1,2/14,15", "1,2/14,15"),
            (&canonical("blank-top-right", (3, 3)), "2,5", "1,3"),
            // Higher than wide: the canonical grid is transposed.
            (&canonical("blank-last", (3, 4)), "11,9/8", "1,4/5"),
            (&canonical("spiral", (3, 3)), "8,1", "0,3"),
            (&last, "7-8", "7-8"),
            (&last, "15", "1"),
        ] {
            assert_eq!(labelled(tiles, goal).as_deref(), Ok(labels), "{tiles}");
        }
    }

    #[test]
    fn names_come_back() {
        for (goal, size) in [
            ("blank-last", (4, 4)),
            ("blank-bottom-left", (5, 3)),
            ("blank-last", (3, 5)),
            ("spiral", (3, 3)),
            ("8 7 6 / 5 0 4 / 3 2 1", (3, 3)),
        ] {
            let goal = canonical(goal, size);
            for name in ["1,2,3/4,5,8", "2,7", "7", "4-4"] {
                let labels = labelled(name, &goal).unwrap();
                assert_eq!(printed(&labels, &goal), name);
            }
        }
        // Not the labels of any tiles.
        assert_eq!(printed("99,1", &canonical("blank-last", (4, 4))), "99,1");
    }
}
