//! `taquin play` in a terminal.
fn main() {}
