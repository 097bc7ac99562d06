//! The text form of states, packets and results: a line of JSON that shows damage. Its last field is
//! the checksum of the rest.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::pdb::payload_hash;

/// No line is longer: the line of a packet of a million subtrees has half this length.
pub const MAX_LINE: usize = 1 << 26;

/// The field of the checksum (xxh3, hexadecimal), between the other fields and the end.
const FIELD: &str = ",\"checksum\":\"";
const END: &str = "\"}";

/// Writes the line of an object with one field at least, without a line end.
pub(super) fn seal<T: Serialize>(object: &T, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let line = serde_json::to_string(object).map_err(|_| fmt::Error)?;
    let hash = payload_hash(line.as_bytes());
    let rest = line.strip_suffix('}').ok_or(fmt::Error)?;
    write!(f, "{rest}{FIELD}{hash:016x}{END}")
}

/// The object of a line; `None` if the line is not as it was written.
pub(super) fn open<T: DeserializeOwned>(line: &str) -> Option<T> {
    let (text, hash) = line.strip_suffix(END)?.rsplit_once(FIELD)?;
    let text = format!("{text}}}");
    (hash == format!("{:016x}", payload_hash(text.as_bytes()))).then_some(())?;
    serde_json::from_str(&text).ok()
}

/// Makes the line the text of a type. `$check` looks at the line before its fields are read.
macro_rules! sealed_text {
    ($type:ty, $check:expr) => {
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                $crate::solver::sealed::seal(self, f)
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::solver::PacketError;

            fn from_str(line: &str) -> Result<Self, Self::Err> {
                let line = line.trim_end();
                $check(line)?;
                $crate::solver::sealed::open(line).ok_or($crate::solver::PacketError::Damaged)
            }
        }
    };
}
pub(super) use sealed_text;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::PacketError;

    #[test]
    fn damage_is_detected() {
        #[derive(Debug, PartialEq, Serialize, serde::Deserialize)]
        struct Object {
            text: String,
            numbers: Vec<u64>,
        }
        sealed_text!(Object, |_: &str| Ok::<_, PacketError>(()));
        let text = "a \",\"checksum\":\"\n".to_owned();
        let object = Object { text, numbers: vec![0, u64::MAX] };
        let line = object.to_string();
        assert_eq!(line.parse(), Ok(object));
        assert!(!line.contains('\n') && line.contains("\"checksum\":\""));
        for place in 0..line.len() {
            assert!(line[..place].parse::<Object>().is_err(), "length {place}");
            let mut bytes = line.clone().into_bytes();
            bytes[place] ^= 1;
            let text = String::from_utf8(bytes).unwrap();
            assert!(text.parse::<Object>().is_err(), "byte {place}");
        }
    }
}
