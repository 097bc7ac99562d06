//! The small tables, and what a view reads.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::sync::Arc;

use super::geometry::{self, Entry, ROW_UNIT, row_units};
use super::view::PairView;
use crate::board::Grid;
use crate::pdb::{Index, Table, row_bytes};

/// The geometry table of 7-8 on 4×4, made by the build script: to make it at every start would take
/// longer than most searches. WebAssembly makes it itself, to keep the .wasm small.
#[cfg(all(not(target_family = "wasm"), target_endian = "little"))]
mod built {
    /// Bytes where an entry may begin.
    #[repr(C, align(8))]
    struct Aligned<T: ?Sized>(T);

    static BYTES: &Aligned<[u8]> =
        &Aligned(*include_bytes!(concat!(env!("OUT_DIR"), "/geometry_4x4.bin")));

    pub fn geometry() -> &'static [[u64; 4]] {
        bytemuck::cast_slice(&BYTES.0)
    }
}

/// The small tables for a grid and two pattern sizes.
pub(crate) struct Coordinates {
    pub grid: Grid,
    pub indexes: [Arc<Index>; 2],
    /// The words of the geometries, by geometry and move.
    pub geometry: Cow<'static, [[u64; 4]]>,
    /// The transitions of A, then those of B, each row padded to whole [`ROW_UNIT`]s.
    pub transitions: Vec<u16>,
    /// The low bits of a rank that a transition leaves to an exclusive or, the same for both.
    pub low: u32,
    /// The number of places by which the ranks of each pattern are moved up for that.
    pub up: [u32; 2],
    /// The bytes between the bits of two ranks of a pattern that follow each other. As ranks are moved up, it is
    /// divided by the same power of two.
    pub stride: [u32; 2],
}

/// The tables of one view, and whether its moves are transposed.
pub(crate) struct PairTables<'a> {
    pub geometry: &'a [[u64; 4]],
    /// The address of the first byte of each pattern's table, whose provenance is exposed.
    pub tables: [u64; 2],
    /// 1 less the colour of the goal's set, by pattern. The exclusive or with the colour of another set is 1
    /// where h is even.
    pub colours: [u64; 2],
    /// Changes the number of a move: 0, or [`TRANSPOSE`](crate::search::fast::space::TRANSPOSE) in a mirrored
    /// view.
    pub flip: u64,
    pub bytes: PhantomData<&'a [u8]>,
}

impl Coordinates {
    /// The tables for two patterns of these sizes, which must add up to all tiles of a grid of at most 16
    /// cells.
    ///
    /// Costs 0.1 ms for 7-8 on 4×4, whose geometry table the build script makes, and up to 5 ms for
    /// others.
    pub fn new(first: Arc<Index>, second: Arc<Index>) -> Coordinates {
        let grid = first.grid();
        let tiles = first.orders().tiles();
        assert!(second.grid() == grid && tiles + second.orders().tiles() + 1 == grid.cells());
        let indexes = [first, second];
        let low_bits = indexes.each_ref().map(|index| index.orders().pairs() as u32);
        let low = low_bits[0].max(low_bits[1]);
        let up = low_bits.map(|bits| low - bits);
        let mut transitions = Vec::new();
        for (index, up) in indexes.iter().zip(up) {
            let orders = index.orders();
            let units = row_units(orders);
            for row in orders.transitions().chunks(orders.len() >> orders.pairs()) {
                let end = transitions.len() + units * ROW_UNIT;
                transitions.extend(row.iter().map(|&rank| rank << up));
                transitions.resize(end, 0);
            }
        }
        // No field overflows its bits: such patterns have at most eight tiles.
        let geometries = indexes[0].sets() * (grid.cells() - tiles);
        assert!(
            geometries as u64 <= Entry::NEXT.most() + 1 && transitions.len() / ROW_UNIT <= 1 << 16
        );
        for (index, up) in indexes.iter().zip(up) {
            assert!(index.cohorts() / 8 <= 0xffff && u32::try_from(Table::length(index)).is_ok());
            // Rows of cohorts are whole words, so three bits of their length are free.
            assert!((index.orders().len() - 1) << up <= PairView::RANK.most() as usize && up <= 3);
        }
        let stride = [0, 1].map(|i| row_bytes(indexes[i].cohorts() as u64) as u32 >> up[i]);
        let geometry = geometry_table(&indexes);
        // The look-ups are not checked.
        assert_eq!(geometry.len(), geometries);
        Coordinates { grid, indexes, geometry, transitions, low, up, stride }
    }
}

/// The geometry table of two patterns, by geometry and move.
pub(super) fn geometry_table(indexes: &[Arc<Index>; 2]) -> Cow<'static, [[u64; 4]]> {
    let grid = indexes[0].grid();
    #[cfg(all(not(target_family = "wasm"), target_endian = "little"))]
    if (grid.width(), grid.height(), indexes[0].orders().tiles()) == (4, 4, 7) {
        return Cow::Borrowed(built::geometry());
    }
    let indexes = indexes.each_ref().map(|index| &**index);
    Cow::Owned(geometry::geometry(grid.width(), grid.height(), indexes))
}

#[cfg(test)]
#[cfg(not(miri))]
#[cfg(target_endian = "little")]
#[test]
pub(super) fn the_build_script_makes_the_same_table() {
    let indexes = [7, 8].map(|tiles| Index::of_size(4, 4, tiles));
    assert!(geometry::geometry(4, 4, indexes.each_ref()) == built::geometry());
}
