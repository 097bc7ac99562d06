//! The numbers that are values of boards, of all that a file, a program or a function may give.

/// The largest value. No distance comes near it, and tables and pictures have room for all values.
const MOST: f64 = 1e6;

/// Why a number, or a text that is none, is no value.
pub fn refusal(value: Option<f64>) -> Option<&'static str> {
    match value {
        Some(value) if value.is_finite() && value >= 0.0 => {
            (value > MOST).then_some("is above 1000000, the largest value")
        }
        _ => Some("is no finite number of at least 0"),
    }
}
