//! `taquin split`, `taquin packet` and `taquin merge`: a search divided among programs.

mod files;
pub mod merge;
pub mod packet;
pub mod split;
