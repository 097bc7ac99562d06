//! The word that a node has besides its views.

use crate::search::bits::Field;
use crate::search::moves::{MOST_STEPS, Step, Steps};

/// The most views of a node.
pub(crate) const MAX_VIEWS: usize = 4;

/// The state of the automaton, the slack of each view, the moves made, and the last one.
///
/// The top bit of a slack is a *guard*: it is set as long as the slack is not negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Meta(pub u64);

/// The largest slack a node can have.
pub(crate) const MAX_SLACK: u32 = 127;

/// The longest path below the root of a subtree.
pub(crate) const MAX_DEPTH: usize = 255;

impl Meta {
    const STATE: Field = Field::new(0, 16);
    const DEPTH: Field = Self::slack(MAX_VIEWS - 1).then(1).then(8);
    const MOVE: Field = Self::DEPTH.then(2);

    /// The field of a view's slack.
    pub const fn slack(view: usize) -> Field {
        Field::new(16 + 8 * view as u32, 7)
    }

    /// The guards of all slacks.
    const fn guards(views: usize) -> u64 {
        assert!(views <= MAX_VIEWS);
        let (mut guards, mut view) = (0, 0);
        while view < views {
            guards |= Self::slack(view).then(1).mask();
            view += 1;
        }
        guards
    }

    /// The word of a subtree's root.
    pub fn new<const V: usize>(state: u16, slack: [u32; V]) -> Meta {
        let slacks = slack.into_iter().enumerate().map(|(view, slack)| {
            assert!(slack <= MAX_SLACK);
            Self::slack(view).word(u64::from(slack))
        });
        Meta(slacks.fold(u64::from(state) | Self::guards(V), |meta, slack| meta | slack))
    }

    /// This word for the root of a new subtree.
    pub fn as_root(self) -> Meta {
        Meta(self.0 & (Self::DEPTH.word(1) - 1))
    }

    #[inline(always)]
    pub fn state(self) -> u64 {
        Self::STATE.of(self.0)
    }

    /// The moves from the root of the subtree.
    #[inline(always)]
    pub fn depth(self) -> usize {
        Self::DEPTH.of(self.0) as usize
    }

    /// The last move.
    #[inline(always)]
    pub fn last(self) -> usize {
        Self::MOVE.of(self.0) as usize
    }

    /// The slack of a view, unless it is negative.
    pub fn slack_of(self, view: usize) -> u32 {
        Self::slack(view).of(self.0) as u32
    }

    /// Returns whether some view prunes the node: its slack is negative.
    #[inline(always)]
    pub fn is_pruned<const V: usize>(self) -> bool {
        !self.0 & const { Self::guards(V) } != 0
    }

    /// The words of the children by these steps, before their table bits are known.
    #[inline(always)]
    pub fn after(self, steps: &Steps) -> [u64; MOST_STEPS] {
        let kept = Self::MOVE.clear(Self::STATE.clear(self.0)) + Self::DEPTH.word(1);
        steps.map(|step| {
            let step = u64::from(step.0);
            kept | Step::STATE.of(step) | Self::MOVE.word(Step::MOVE.of(step))
        })
    }
}
