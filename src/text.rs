//! Aligned columns, and numbers as people read them.

/// Columns two spaces apart, the first one aligned to the left, the others to the right.
pub fn aligned(lines: &[Vec<String>]) -> String {
    let columns = lines.first().map_or(0, Vec::len);
    let width = |i: usize| lines.iter().map(|line| line[i].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for line in lines {
        let mut row = format!("{:<1$}", line[0], widths[0]);
        for (cell, width) in line.iter().zip(&widths).skip(1) {
            row += &format!("  {cell:>width$}");
        }
        text += row.trim_end();
        text.push('\n');
    }
    text
}

/// A number and its noun: `1 move`, `2 moves`.
pub fn plural(count: impl Into<u128>, noun: &str) -> String {
    let count = count.into();
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Quotes a word for a shell, on Windows for each of its two. No name of a file has a quote there.
pub fn quoted(word: &str) -> String {
    let plain = if cfg!(windows) { r"_-./,:+=@%\" } else { "_-./,:+=@%" };
    if !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || plain.contains(c)) {
        word.to_owned()
    } else if cfg!(windows) {
        format!("\"{word}\"")
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Digits in groups of three.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of bytes, in the unit of all sizes of files.
pub fn megabytes(bytes: u64) -> String {
    match bytes as f64 / 1e6 {
        small if small < 1.0 => format!("{small:.3} MB"),
        large => format!("{large:.1} MB"),
    }
}

/// Three significant digits.
fn significant(value: f64) -> String {
    let before = if value >= 1.0 { value.log10().floor() as usize + 1 } else { 1 };
    format!("{value:.0$}", 3_usize.saturating_sub(before))
}

/// A time, in seconds or a smaller unit.
pub fn seconds(value: f64) -> String {
    match value {
        v if v >= 1.0 => format!("{} s", significant(v)),
        v if v >= 1e-3 => format!("{} ms", significant(v * 1e3)),
        v => format!("{} us", significant(v * 1e6)),
    }
}

/// A ratio, with three significant digits.
pub fn ratio(value: f64) -> String {
    match value {
        v if v >= 1.0 => significant(v),
        v if v > 0.0 => format!("{v:.0$}", (2.0 - v.log10().floor()) as usize),
        _ => "0".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(not(windows))]
    fn words_are_quoted_for_a_shell() {
        for (word, text) in [
            ("--set", "--set"),
            ("", "''"),
            ("max(7-8,5-5-5)", "'max(7-8,5-5-5)'"),
            ("it's", r"'it'\''s'"),
        ] {
            assert_eq!(quoted(word), text);
        }
    }

    #[test]
    fn numbers_are_readable() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
        for (bytes, text) in
            [(4096, "0.004 MB"), (178_379_776, "178.4 MB"), (1_530_000_000, "1530.0 MB")]
        {
            assert_eq!(megabytes(bytes), text);
        }
        for (value, text) in [
            (0.0, "0.00 us"),
            (2.5e-6, "2.50 us"),
            (0.0123, "12.3 ms"),
            (1.0, "1.00 s"),
            (321.9, "322 s"),
        ] {
            assert_eq!(seconds(value), text);
        }
        for (value, text) in
            [(1.0, "1.00"), (0.5, "0.500"), (0.00234, "0.00234"), (123.4, "123"), (0.0, "0")]
        {
            assert_eq!(ratio(value), text);
        }
        assert_eq!(
            (plural(1_u8, "move"), plural(2_u64, "move")),
            ("1 move".into(), "2 moves".into())
        );
    }

    #[test]
    fn columns_are_aligned() {
        let lines =
            [["a", "bb", "c"], ["dd", "e", ""]].map(|line| line.map(str::to_owned).to_vec());
        assert_eq!(aligned(&lines), "a   bb  c\ndd   e\n");
    }
}
