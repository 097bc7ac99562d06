//! The nodes that subtrees of a threshold are expected to have.

use std::collections::{BTreeSet, HashMap};

use super::frontier::Prefix;

/// The factor by which the nodes of a subtree grow with its slack.
pub(crate) const GROWTH: f64 = 7.0;

/// The expected nodes of a subtree with this slack, in any unit.
pub(crate) fn weight(slack: u32) -> f64 {
    GROWTH.powi(slack as i32)
}

/// The nodes that subtrees are expected to have, by their prefixes and weights, of the nodes of all. `sizes`
/// are the nodes of some subtrees, the same or above, in the threshold before.
pub(crate) fn estimated(roots: &[(Prefix, f64)], sizes: &[(Prefix, u64)], total: f64) -> Vec<f64> {
    let sizes: HashMap<Prefix, u64> = sizes.iter().copied().collect();
    let lengths: BTreeSet<usize> = sizes.keys().map(Prefix::len).collect();
    // The longest known prefix of each, whose nodes are shared by all roots that it leads to.
    let known = |&(prefix, _): &(Prefix, f64)| {
        let known = lengths.iter().rev().filter_map(|&len| prefix.cut(len));
        known.into_iter().find(|prefix| sizes.contains_key(prefix))
    };
    let known: Vec<Option<Prefix>> = roots.iter().map(known).collect();
    let mut weights: HashMap<Option<Prefix>, f64> = HashMap::new();
    for (&(_, weight), known) in roots.iter().zip(&known) {
        *weights.entry(*known).or_default() += weight;
    }
    let nodes = |prefix: &Prefix| sizes[prefix] as f64 * GROWTH;
    let explained: f64 = weights.keys().flatten().map(nodes).sum();
    let others = (total - explained).max(0.0);
    let expected = |(&(_, weight), known): (&(Prefix, f64), &Option<Prefix>)| {
        known.as_ref().map_or(others, nodes) * weight / weights[known]
    };
    roots.iter().zip(&known).map(expected).collect()
}
