//! Lines of JSON that show damage: an object whose last field is the checksum of the rest.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::pdb::payload_hash;

/// No line is longer: that of a packet of a million subtrees has half of it.
pub const MAX_LINE: usize = 1 << 26;

/// The field of the checksum (xxh3, hexadecimal), between the other fields and the end.
const FIELD: &str = ",\"checksum\":\"";
const END: &str = "\"}";

/// The line of an object with one field at least. It has no line end.
///
/// # Errors
/// That of the serialisation.
pub(super) fn seal<T: Serialize>(object: &T) -> serde_json::Result<String> {
    let mut line = serde_json::to_string(object)?;
    let hash = payload_hash(line.as_bytes());
    line.pop();
    Ok(format!("{line}{FIELD}{hash:016x}{END}"))
}

/// The object of a line; `None` if the line is not as it was written.
pub(super) fn open<T: DeserializeOwned>(line: &str) -> Option<T> {
    let (text, hash) = line.strip_suffix(END)?.rsplit_once(FIELD)?;
    let text = format!("{text}}}");
    (hash == format!("{:016x}", payload_hash(text.as_bytes()))).then_some(())?;
    serde_json::from_str(&text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_detected() {
        #[derive(Debug, PartialEq, Serialize, serde::Deserialize)]
        struct Object {
            text: String,
            numbers: Vec<u64>,
        }
        let text = "a \",\"checksum\":\"\n".to_owned();
        let object = Object { text, numbers: vec![0, u64::MAX] };
        let line = seal(&object).unwrap();
        assert_eq!(open(&line), Some(object));
        assert!(!line.contains('\n') && line.contains("\"checksum\":\""));
        for place in 0..line.len() {
            assert_eq!(open::<Object>(&line[..place]), None, "length {place}");
            let mut bytes = line.clone().into_bytes();
            bytes[place] ^= 1;
            let text = String::from_utf8(bytes).unwrap();
            assert_eq!(open::<Object>(&text), None, "byte {place}");
        }
    }
}
