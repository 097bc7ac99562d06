//! The text form of states, packets and results: a line of JSON that shows damage. Its first field is the
//! version, its last one the checksum of the rest.

use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::pdb::payload_hash;
use crate::solver::results::PacketError;

/// No line is longer: the line of a packet of a million subtrees has half this length.
pub const MAX_SEALED: usize = 1 << 26;

/// Changes whenever the fields of a line do, or the same state would lead to another search.
const VERSION: u32 = 13;

/// The field of the checksum (xxh3, hexadecimal), between the other fields and the end.
const FIELD: &str = ",\"checksum\":\"";
const END: &str = "\"}";

/// Writes the line of an object with one field at least, without a line end.
pub(crate) fn seal<T: Serialize>(object: &T, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let line = serde_json::to_string(object).map_err(|_| fmt::Error)?;
    let fields = line.strip_prefix('{').ok_or(fmt::Error)?;
    let text = format!("{{\"version\":{VERSION},{fields}");
    let rest = text.strip_suffix('}').ok_or(fmt::Error)?;
    write!(f, "{rest}{FIELD}{:016x}{END}", payload_hash(text.as_bytes()))
}

/// The object of a line.
///
/// # Errors
/// [`PacketError::Version`] for a line of another version, whose fields may be others;
/// [`PacketError::Damaged`] if it is not as it was written.
pub(crate) fn open<T: DeserializeOwned>(line: &str) -> Result<T, PacketError> {
    #[derive(Deserialize)]
    struct Version {
        version: u32,
    }
    let whole = || {
        let (text, hash) = line.trim_end().strip_suffix(END)?.rsplit_once(FIELD)?;
        let text = format!("{text}}}");
        (hash == format!("{:016x}", payload_hash(text.as_bytes()))).then_some(text)
    };
    let text = whole().ok_or(PacketError::Damaged)?;
    match serde_json::from_str(&text) {
        Ok(Version { version: VERSION }) => {
            serde_json::from_str(&text).map_err(|_| PacketError::Damaged)
        }
        Ok(_) => Err(PacketError::Version),
        Err(_) => Err(PacketError::Damaged),
    }
}

/// Makes the line the text of a type.
macro_rules! sealed_text {
    ($type:ty) => {
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                $crate::solver::kept::seal(self, f)
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::solver::results::PacketError;

            fn from_str(line: &str) -> Result<Self, Self::Err> {
                $crate::solver::kept::open(line)
            }
        }
    };
}
pub(crate) use sealed_text;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_detected() {
        #[derive(Debug, PartialEq, Serialize, Deserialize)]
        struct Object {
            text: String,
            numbers: Vec<u64>,
        }
        sealed_text!(Object);
        let text = "a \",\"checksum\":\"\n".to_owned();
        let object = Object { text, numbers: vec![0, u64::MAX] };
        let line = object.to_string();
        assert_eq!(line.parse(), Ok(object));
        // Another version, under the right checksum.
        let other = line.replacen(&VERSION.to_string(), "1", 1);
        let other = other.rsplit_once(FIELD).unwrap().0;
        let hash = payload_hash(format!("{other}}}").as_bytes());
        let other = format!("{other}{FIELD}{hash:016x}{END}");
        assert_eq!(other.parse::<Object>(), Err(PacketError::Version));
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
