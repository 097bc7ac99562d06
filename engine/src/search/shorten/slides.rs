//! Windows of slides.

use super::{Window, WindowEnd};
use crate::board::{Metric, Position};
use crate::search::slides::{Borderline, Slide, SlideSearch};
use crate::search::{Control, Proof};

/// A search by slides that goes from window to window.
pub(super) struct SlideWindow<'a>(SlideSearch<'a>);

impl<'a> SlideWindow<'a> {
    pub fn new(position: &Position, control: &'a Control) -> SlideWindow<'a> {
        SlideWindow(SlideSearch::new(Borderline::of(position), control))
    }
}

impl Window for SlideWindow<'_> {
    type Unit = Slide;

    const METRIC: Metric = Metric::Multi;

    const STEP: usize = 3;

    fn make(position: &mut Position, slide: Slide) {
        slide.moves().for_each(|m| {
            position.make(m).expect("the path stays on the board");
        });
    }

    fn shorter(&mut self, start: &Position, length: usize, allowed: u64) -> WindowEnd<Slide> {
        let SlideWindow(search) = self;
        search.restart(Borderline::of(start), allowed);
        for most in search.bound()..length as u32 {
            if search.within(most) {
                return WindowEnd::Shorter(search.slides().to_vec());
            }
            if search.is_over() {
                return WindowEnd::GivenUp;
            }
        }
        WindowEnd::Nothing(Proof::new(start, Metric::Multi, length as u32))
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
