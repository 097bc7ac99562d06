//! Tells which numbers of a file, a program or a function are values of boards.

/// The largest value. No distance comes near it, and tables and pictures have room for all values.
const MOST: f64 = 1e6;

/// The reason why a number, or a text that is not a number, is not a value.
pub fn refusal(value: Option<f64>) -> Option<&'static str> {
    match value {
        Some(value) if value.is_finite() && value >= 0.0 => {
            (value > MOST).then_some("is above 1000000, the largest value")
        }
        _ => Some("is no finite number of at least 0"),
    }
}
