//! Windows of slides.

use super::{Found, Window};
use crate::board::{Grid, Position};
use crate::search::Control;
use crate::search::slides::{Borderline, PlainSearch, Slide};

/// A search by slides that goes from window to window.
pub(super) struct SlideWindow<'a> {
    grid: Grid,
    search: PlainSearch<'a>,
}

impl<'a> SlideWindow<'a> {
    pub fn new(position: &Position, control: &'a Control) -> SlideWindow<'a> {
        let search = PlainSearch::new(Borderline::of(position), control);
        SlideWindow { grid: position.grid(), search }
    }
}

impl Window for SlideWindow<'_> {
    type Step = Slide;

    const STEP: usize = 3;

    fn make(position: &mut Position, slide: Slide) {
        slide.moves().for_each(|m| {
            position.make(m).expect("the path stays on the board");
        });
    }

    fn shorter(&mut self, start: &Position, slides: &[Slide], allowed: u64) -> Found<Slide> {
        let board = Borderline::new(self.grid, Self::labels(start, slides), start.blank());
        let search = &mut self.search;
        search.restart(board, allowed);
        for most in search.bound()..slides.len() as u32 {
            if search.within(most) {
                return Found::Shorter(search.slides().to_vec());
            }
            if search.is_over() {
                return Found::GivenUp;
            }
        }
        Found::Nothing
    }

    fn is_stopped(&self) -> bool {
        self.search.stopped().is_some()
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
