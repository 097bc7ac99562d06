//! The extension module `taquin._taquin`: the solver's front end for Python.
//!
//! It converts arguments and results, and adds no logic. Anything that another front end would need too is in
//! the library.

mod announce;
mod arrays;
mod batch;
mod board;
mod draw;
mod errors;
mod html;
mod interrupt;
mod lab;
mod labels;
mod numbers;
mod packets;
mod pictures;
mod programs;
mod random;
mod solution;
mod solver;

/// The solver as a Python module.
#[pyo3::pymodule]
mod _taquin {
    #[pymodule_export]
    use crate::board::{PyBoard, PySolvability};
    #[pymodule_export]
    use crate::draw::{boards_at, random_boards, successors, walks};
    #[pymodule_export]
    use crate::errors::{DamagedDatabase, DatabaseError, MissingDatabase};
    #[pymodule_export]
    use crate::interrupt::PyCancel;
    #[pymodule_export]
    use crate::lab::{bench, search_with, values};
    #[pymodule_export]
    use crate::numbers::{read_count, read_seconds, whole_number};
    #[pymodule_export]
    use crate::packets::{is_result, packet_summary, result_summary};
    #[pymodule_export]
    use crate::pictures::histogram;
    #[pymodule_export]
    use crate::programs::{run_pdb_gen, run_taquin};
    #[pymodule_export]
    use crate::solution::PySolution;
    #[pymodule_export]
    use crate::solver::PySolver;

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
