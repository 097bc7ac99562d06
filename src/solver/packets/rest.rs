//! The rest of a packet whose search has ended before the packet.

use super::division::shares;
use super::packet::{At, Header, Searched, Span};
use super::{Packet, PacketResult, words};
use crate::search::{Content, Prefix, Stretch};

/// The roots of all that is left of a packet, in the order of the search.
pub struct Rest(Vec<Root>);

struct Root {
    prefix: Prefix,
    slack: u32,
    /// The subtree of the threshold that it is in.
    subtree: usize,
    /// It is not the root of that subtree.
    is_inner: bool,
    /// The place after it: that of the next root, unless something lies between them.
    end: At,
}

impl Root {
    fn begin(&self) -> At {
        (self.subtree, self.is_inner.then(|| self.prefix.to_string()))
    }
}

/// The result of a packet and its rest, by the stretches of its spans. `None` if the packet contradicts
/// itself.
pub fn divided(packet: &Packet, rows: Vec<Vec<Stretch>>) -> Option<(PacketResult, Rest)> {
    let (mut searched, mut left) = (Vec::new(), Vec::new());
    for (span, stretches) in packet.spans().zip(rows) {
        let begin = |stretch: &Stretch| match stretch.begin.within {
            Some(node) => Some((span.subtree(stretch.begin.subtree)?, Some(node.to_string()))),
            None => span.before(stretch.begin.subtree),
        };
        let begins: Vec<At> = stretches.iter().map(begin).collect::<Option<_>>()?;
        let ends = begins.iter().skip(1).cloned().chain([span.end()?]).collect::<Vec<_>>();
        for ((Stretch { begin: place, content }, begin), end) in
            stretches.into_iter().zip(begins).zip(ends)
        {
            match content {
                Content::Searched(part) => searched.push(Searched::new(begin, end, part)?),
                Content::Left { inner, prefixes } => {
                    // The prefix of the span that each root is or lies in: the inner ones lie in one.
                    let of = |i: usize| match i.checked_sub(inner) {
                        None => place.subtree,
                        Some(whole) => place.subtree + usize::from(inner > 0) + whole,
                    };
                    let root = |(i, (prefix, slack))| {
                        let is_inner = i < inner || of(i) < span.inner;
                        let subtree = span.subtree(of(i))?;
                        Some(Root { prefix, slack, subtree, is_inner, end: end.clone() })
                    };
                    let mut roots: Vec<Root> =
                        prefixes.into_iter().enumerate().map(root).collect::<Option<_>>()?;
                    for i in 1..roots.len() {
                        roots[i - 1].end = roots[i].begin();
                    }
                    left.append(&mut roots);
                }
            }
        }
    }
    Some((PacketResult::new(packet.header.clone(), searched)?, Rest(left)))
}

impl Rest {
    /// At most `count` packets, which cost about the same.
    pub fn packets(&self, header: &Header, count: usize) -> Vec<Packet> {
        let ranges = shares(self.0.iter().map(|root| root.slack), count).into_iter();
        ranges.filter_map(|range| Packet::new(header.clone(), spans(&self.0[range]))).collect()
    }
}

/// The spans of some roots.
fn spans(roots: &[Root]) -> Vec<Span> {
    // A span has inner roots of its first subtree alone.
    let follows = |a: &Root, b: &Root| {
        a.end == b.begin() && (!b.is_inner || a.is_inner && a.subtree == b.subtree)
    };
    let span = |roots: &[Root]| {
        let (first, last) = (roots.first()?, roots.last()?);
        let prefixes: Vec<_> = roots.iter().map(|root| (root.prefix, root.slack)).collect();
        Some(Span {
            first: first.subtree,
            inner: roots.iter().filter(|root| root.is_inner).count(),
            end: last.end.1.clone(),
            prefixes: words(&prefixes),
        })
    };
    roots.chunk_by(follows).filter_map(span).collect()
}
