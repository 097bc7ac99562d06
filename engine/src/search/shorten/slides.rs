//! Windows of slides.

use super::{Found, Window};
use crate::board::{Metric, Position};
use crate::search::slides::{Borderline, PlainSearch, Slide};
use crate::search::{Control, Proof};

/// A search by slides that goes from window to window.
pub(super) struct SlideWindow<'a>(PlainSearch<'a>);

impl<'a> SlideWindow<'a> {
    pub fn new(position: &Position, control: &'a Control) -> SlideWindow<'a> {
        SlideWindow(PlainSearch::new(Borderline::of(position), control))
    }
}

impl Window for SlideWindow<'_> {
    type Step = Slide;

    const METRIC: Metric = Metric::Multi;

    const STEP: usize = 3;

    fn make(position: &mut Position, slide: Slide) {
        slide.moves().for_each(|m| {
            position.make(m).expect("the path stays on the board");
        });
    }

    fn shorter(&mut self, start: &Position, length: usize, allowed: u64) -> Found<Slide> {
        let SlideWindow(search) = self;
        search.restart(Borderline::of(start), allowed);
        for most in search.bound()..length as u32 {
            if search.within(most) {
                return Found::Shorter(search.slides().to_vec());
            }
            if search.is_over() {
                return Found::GivenUp;
            }
        }
        Found::Nothing(Proof::new(start, Metric::Multi, length as u32))
    }

    fn generated(&self) -> u64 {
        self.0.meter.generated
    }

    fn report(&mut self) {
        self.0.meter.report();
    }

    fn tidy(path: &mut Vec<Slide>) {
        tidy(path);
    }
}

/// Joins slides that follow each other along the same line.
pub(super) fn tidy(path: &mut Vec<Slide>) {
    let mut joined: Vec<Slide> = Vec::with_capacity(path.len());
    for &slide in path.iter() {
        match joined.last_mut() {
            Some(last) if last.way == slide.way => last.tiles += slide.tiles,
            Some(last) if last.way == 3 - slide.way => {
                let tiles = last.tiles.abs_diff(slide.tiles);
                if slide.tiles > last.tiles {
                    last.way = slide.way;
                }
                last.tiles = tiles;
                if tiles == 0 {
                    joined.pop();
                }
            }
            _ => joined.push(slide),
        }
    }
    *path = joined;
}
