#![no_main]

#[allow(dead_code, reason = "a target takes one body")]
#[path = "../../tests/it/fuzz/bodies.rs"]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::rank(data));
