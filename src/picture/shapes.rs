//! Pictures, as SVG text.
//!
//! They have few kinds of shapes and must look the same everywhere; a plotting library would add
//! dozens of packages.

use std::fmt::Write;

/// A point: to the right, and down.
pub type Point = (f64, f64);

/// Fonts that systems have.
const FONTS: &str = "system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, DejaVu Sans, \
                     sans-serif";

/// The size of ordinary text.
pub const FONT: f64 = 14.0;

/// Colours that colour-blind people can distinguish (Okabe & Ito 2008). After the last one they
/// start again, dashed.
const COLOURS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9"];
const DASHES: [&str; 3] = ["", "9 4", "2 4"];

/// The attributes of the line of a curve.
pub fn stroke(number: usize) -> String {
    let dash = match DASHES[number / COLOURS.len() % DASHES.len()] {
        "" => String::new(),
        dash => format!(" stroke-dasharray=\"{dash}\""),
    };
    format!("stroke=\"{}\"{dash}", colour(number))
}

/// The colour of a curve.
pub fn colour(number: usize) -> &'static str {
    COLOURS[number % COLOURS.len()]
}

/// The width of a text, estimated for the widest of the fonts.
pub fn text_width(text: &str, size: f64) -> f64 {
    0.62 * size * text.chars().count() as f64
}

/// Shapes, the later ones on top of the earlier ones.
#[derive(Debug, Default)]
pub struct Shapes(String);

impl Shapes {
    /// A straight line.
    pub fn line(&mut self, (x1, y1): Point, (x2, y2): Point, style: &str) {
        self.add(format_args!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {style}/>"
        ));
    }

    /// A rectangle, by its corner and its sides.
    pub fn rectangle(&mut self, (x, y): Point, (width, height): Point, style: &str) {
        self.add(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" {style}/>"
        ));
    }

    /// A dot.
    #[cfg(feature = "lab")]
    pub fn dot(&mut self, (x, y): Point, radius: f64, style: &str) {
        self.add(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" {style}/>"));
    }

    /// A path, in the language of the attribute `d`.
    pub fn path(&mut self, path: &str, style: &str) {
        self.add(format_args!("<path d=\"{path}\" {style}/>"));
    }

    /// A text that begins, has its middle, or ends at a point of its base line.
    pub fn text(&mut self, (x, y): Point, anchor: Anchor, style: &str, text: &str) {
        let anchor = format!("{anchor:?}").to_lowercase();
        let text = escaped(text);
        self.add(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" {style}>{text}</text>"
        ));
    }

    /// Other shapes, moved by a distance.
    pub fn group(&mut self, (x, y): Point, shapes: &Shapes) {
        self.add(format_args!("<g transform=\"translate({x:.1} {y:.1})\">\n{}</g>", shapes.0));
    }

    /// Other shapes that go from place to place: the seconds at which they are at each place, and the seconds
    /// after which they begin again.
    pub fn moving(&mut self, shapes: &Shapes, places: &[(f64, Point)], seconds: f64) {
        let Some(&(_, (x, y))) = places.first() else { return };
        let values = places.iter().map(|(at, (x, y))| (*at, format!("{x} {y}"))).collect();
        let animation = match places.len() {
            1 => String::new(),
            _ => format!(
                "<animateTransform attributeName=\"transform\" type=\"translate\" {}/>",
                timed(values, seconds)
            ),
        };
        let inside = &shapes.0;
        self.add(format_args!("<g transform=\"translate({x} {y})\">\n{inside}{animation}</g>"));
    }

    /// Other shapes that are seen at some times only: the seconds at which they appear or disappear.
    pub fn shown_at(&mut self, shapes: &Shapes, marks: &[(f64, bool)], seconds: f64) {
        let first = [(0.0, "0".to_owned())];
        let values = marks.iter().map(|&(at, is_shown)| (at, u8::from(is_shown).to_string()));
        let values = timed(first.into_iter().chain(values).collect(), seconds);
        let inside = &shapes.0;
        self.add(format_args!(
            "<g opacity=\"0\">\n{inside}<animate attributeName=\"opacity\" calcMode=\"discrete\" \
             {values}/></g>"
        ));
    }

    fn add(&mut self, shape: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "{shape}");
    }

    /// The text of a picture with these shapes on white.
    pub fn picture(&self, title: &str, size: Point) -> String {
        self.described(title, "", size)
    }

    /// The text of a picture that tells its origin in its metadata.
    pub fn described(&self, title: &str, origin: &str, (width, height): Point) -> String {
        let (width, height, title) = (width.ceil(), height.ceil(), escaped(title));
        let origin = match escaped(origin) {
            none if none.is_empty() => none,
            text => format!("<metadata>{text}</metadata>\n"),
        };
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" font-family=\"{FONTS}\" font-size=\"{FONT}\">\n\
             <title>{title}</title>\n{origin}\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{}</svg>\n",
            self.0
        )
    }
}

/// The point of a text that is given.
#[derive(Clone, Copy, Debug)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// The attributes of an animation: values, each at its seconds, up to the end.
fn timed(mut values: Vec<(f64, String)>, seconds: f64) -> String {
    values.extend(values.last().map(|(_, last)| (seconds, last.clone())));
    let texts: Vec<&str> = values.iter().map(|(_, text)| &**text).collect();
    // Four digits, without zeros at the end.
    let share = |at: f64| (at / seconds * 1e4).round() / 1e4;
    let times: Vec<String> = values.iter().map(|(at, _)| share(*at).to_string()).collect();
    let (texts, times) = (texts.join(";"), times.join(";"));
    format!(
        "values=\"{texts}\" keyTimes=\"{times}\" dur=\"{seconds:.1}s\" repeatCount=\"indefinite\""
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace(char::is_control, "?")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        let mut shapes = Shapes::default();
        shapes.text((1.0, 2.25), Anchor::End, "fill=\"#000\"", "<a & b>\n");
        let picture = shapes.picture("1 < 2", (10.2, 20.0));
        assert!(picture.contains(
            "<text x=\"1.0\" y=\"2.2\" text-anchor=\"end\" fill=\"#000\">&lt;a &amp; b&gt;?</text>"
        ));
        assert!(picture.contains("<title>1 &lt; 2</title>"));
        assert!(picture.starts_with("<svg ") && picture.contains("viewBox=\"0 0 11 20\""));
    }

    #[test]
    fn lines_differ() {
        let styles: std::collections::HashSet<String> = (0..21).map(stroke).collect();
        assert_eq!(styles.len(), 21);
    }
}
