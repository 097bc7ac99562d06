//! The frame that plots have in common.

use super::shapes::{Anchor, Point, Shapes};

/// The frame of a plot, without its surroundings.
pub const LEFT: f64 = 130.0;
pub const RIGHT: f64 = 770.0;
pub const TOP: f64 = 76.0;

/// The style of the grid lines under the curves, and of the frame.
pub const FAINT: &str = "stroke=\"#d8d8d8\"";
const FRAME: &str = "fill=\"none\" stroke=\"#444444\"";
/// The style of text that explains.
pub const GREY: &str = "fill=\"#444444\"";

/// A plot, and its size.
pub struct Plot {
    pub shapes: Shapes,
    pub size: Point,
}

/// Writes the heading of a plot.
pub fn heading(shapes: &mut Shapes, title: &str, subtitle: &str) {
    shapes.text((LEFT, 32.0), Anchor::Start, "font-size=\"20\" font-weight=\"bold\"", title);
    shapes.text((LEFT, 56.0), Anchor::Start, GREY, subtitle);
}

/// Writes the names of both axes of a frame.
pub fn axes(shapes: &mut Shapes, top: f64, bottom: f64, horizontal: &str, vertical: &str) {
    shapes.rectangle((LEFT, top), (RIGHT - LEFT, bottom - top), FRAME);
    shapes.text(((LEFT + RIGHT) / 2.0, bottom + 46.0), Anchor::Middle, "", horizontal);
    let middle = (top + bottom) / 2.0;
    let turned = format!("transform=\"rotate(-90 20 {middle:.1})\"");
    shapes.text((20.0, middle), Anchor::Middle, &turned, vertical);
}

/// A round step, of 1 or more, that divides a range into at most ten parts.
pub fn step(range: f64) -> f64 {
    let power = 10_f64.powf((range / 10.0).log10().floor().max(0.0));
    let steps = [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power);
    steps.into_iter().find(|step| range / step <= 10.0).unwrap_or(range)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        for (range, expected) in
            [(1.0, 1.0), (7.0, 1.0), (17.0, 2.0), (100.0, 10.0), (1000.0, 100.0), (340.0, 50.0)]
        {
            assert_eq!(step(range), expected, "{range}");
        }
    }
}
