//! The width of a beam, level by level.

use crate::search::run::{Clock, Limits};

/// The width of a beam: a number of positions, or one that follows the time.
#[derive(Clone, Debug)]
pub struct Width {
    positions: usize,
    pace: Option<Pace>,
}

/// The means to end a beam in time.
#[derive(Clone, Debug)]
struct Pace {
    limits: Limits,
    most: usize,
    end: usize,
    watch: Clock,
    /// The seconds that a position of a level takes; 0 before the first full level.
    seconds: f64,
}

impl From<usize> for Width {
    fn from(positions: usize) -> Width {
        Width { positions, pace: None }
    }
}

impl Width {
    /// The part of its width by which a level may be wider or narrower than the one before.
    const STEP: f64 = 0.1;

    /// The weight of the last level in the time of a position.
    const NEW: f64 = 0.2;

    /// The fewest levels that the pace counts on: a beam may end later than expected.
    const FEWEST: usize = 4;

    /// A width that starts at `first` and follows the time left in `limits`, up to `most`, for a beam that
    /// is expected to end at the length `end`. The solution depends on the speed of the machine.
    ///
    /// # Panics
    /// If `first` is 0.
    pub fn in_time(first: usize, most: usize, end: usize, limits: &Limits) -> Width {
        assert!(first > 0);
        let (limits, watch) = (limits.clone(), Clock::start());
        let pace = Pace { limits, most, end, watch, seconds: 0.0 };
        Width { positions: first.min(most), pace: Some(pace) }
    }

    /// The largest number of positions.
    pub(super) fn most(&self) -> usize {
        self.pace.as_ref().map_or(self.positions, |pace| pace.most)
    }

    /// The width of the next level, after one of `positions` positions at this length.
    pub(super) fn after(&mut self, positions: usize, length: usize) -> usize {
        if let Some(pace) = &mut self.pace {
            let seconds = pace.watch.lap().as_secs_f64() / positions.max(1) as f64;
            // Levels at the start and near the goal tell nothing about the pace.
            if positions as f64 >= self.positions as f64 * (1.0 - Self::STEP) {
                self.positions = pace.width(self.positions, seconds, length);
            }
        }
        self.positions
    }
}

impl Pace {
    /// The width after a level that has taken these seconds for each position.
    fn width(&mut self, last: usize, seconds: f64, length: usize) -> usize {
        let new = if self.seconds == 0.0 { 1.0 } else { Width::NEW };
        self.seconds += new * (seconds - self.seconds);
        let levels = self.end.saturating_sub(length).max(Width::FEWEST) as f64;
        let Some(left) = self.limits.time_left() else { return last };
        let wanted = left.as_secs_f64() / (self.seconds * levels);
        let last = last as f64;
        // `clamp` brings along the text of numbers for its panic, which small builds do without.
        let width = wanted.max(last * (1.0 - Width::STEP)).min(last * (1.0 + Width::STEP));
        (width.ceil() as usize).clamp(1, self.most)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// A pace with `seconds` left, for a beam of 100 levels.
    fn pace(seconds: u64) -> Pace {
        let limits = Limits::default().time(Duration::from_secs(seconds));
        Width::in_time(1000, 2000, 100, &limits).pace.unwrap()
    }

    #[test]
    fn a_beam_is_as_wide_as_the_time_allows() {
        // A level of a thousand positions takes a tenth of a second.
        for (seconds, width) in [(1, 900), (9, 900), (10, 1000), (20, 1100)] {
            assert_eq!(pace(seconds).width(1000, 1e-4, 0), width, "{seconds}");
        }
        assert_eq!(pace(10).width(1000, 0.0, 0), 1100);
        // The other half of the levels, and the end later than expected.
        assert_eq!(pace(5).width(1000, 1e-4, 50), 1000);
        assert_eq!(pace(1).width(1000, 1e-4, 120), 1100);
        assert_eq!(pace(0).width(1, 1e-4, 120), 1);
        assert_eq!(pace(100).width(1950, 1e-4, 0), 2000);
        // A slow level changes the pace gradually.
        let mut slow = pace(12);
        assert_eq!(slow.width(1000, 1e-4, 0), 1100);
        assert_eq!(slow.width(1000, 2e-4, 0), 1000);
    }

    #[test]
    fn short_levels_change_nothing() {
        let mut width = Width::from(500);
        assert_eq!((width.after(500, 0), width.after(1, 99), width.most()), (500, 500, 500));
        let limits = Limits::default().time(Duration::from_secs(9));
        let mut width = Width::in_time(500, 2000, 100, &limits);
        assert_eq!((width.after(1, 0), width.after(449, 9), width.most()), (500, 500, 2000));
        assert_eq!(width.after(450, 10), 550);
    }
}
