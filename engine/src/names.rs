//! Names as people type them: in any case, abbreviated, or misspelt.

/// The name that a text stands for: the name itself, or a beginning of it that no other name has.
pub fn find<'a>(text: &str, names: &[&'a str]) -> Option<&'a str> {
    let whole = names.iter().find(|name| name.eq_ignore_ascii_case(text));
    whole.copied().or_else(|| match beginning(text, names)[..] {
        [name] => Some(name),
        _ => None,
    })
}

/// A question for the names that begin with the text or that the text begins with, or else the nearest one,
/// if it is near.
pub fn meant(text: &str, names: &[&str]) -> Option<String> {
    let mut meant = beginning(text, names);
    if meant.is_empty() {
        meant.extend(names.iter().filter(|name| !beginning(name, &[text]).is_empty()));
    }
    if meant.is_empty() {
        let text = text.to_ascii_lowercase();
        // A name of three letters is too short for that.
        let long = names.iter().filter(|name| name.len() > 3);
        let nearest = long.map(|name| (strsim::levenshtein(&text, name), *name)).min();
        // Two letters of five may differ: exchanging two takes as many edits.
        meant
            .extend(nearest.filter(|(edits, name)| edits * 5 <= name.len() * 2).map(|near| near.1));
    }
    (!meant.is_empty()).then(|| format!("did you mean {}?", either(&meant)))
}

/// Names in a row, with "or" before the last one.
pub fn either(names: &[&str]) -> String {
    match names {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.concat(),
    }
}

fn beginning<'a>(text: &str, names: &[&'a str]) -> Vec<&'a str> {
    let begins = |name: &&str| {
        !text.is_empty()
            && name.get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text))
    };
    names.iter().copied().filter(begins).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 4] = ["spiral", "snake", "blank-last", "snake-back"];

    #[test]
    fn a_beginning_that_is_unique_is_a_name() {
        for text in ["sn", "", "spirals", "é"] {
            assert_eq!(find(text, &NAMES), None, "{text:?}");
        }
        for (text, place) in [("Spiral", 0), ("sp", 0), ("B", 2), ("snake", 1), ("snake-", 3)] {
            assert_eq!(find(text, &NAMES), Some(NAMES[place]), "{text:?}");
        }
    }

    #[test]
    fn the_nearest_name_is_asked_for() {
        for text in ["shuky", "corner", "", "éééé"] {
            assert_eq!(meant(text, &NAMES), None, "{text:?}");
        }
        for (text, names) in [
            ("s", "spiral, snake or snake-back"),
            ("spirla", "spiral"),
            ("Spiral-goal", "spiral"),
            ("SNAKY", "snake"),
            ("sanke", "snake"),
            ("snuky", "snake"),
            ("blanklast", "blank-last"),
        ] {
            assert_eq!(meant(text, &NAMES), Some(format!("did you mean {names}?")), "{text:?}");
        }
    }
}
