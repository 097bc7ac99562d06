// The facts about boards, for one goal: the least and the most moves that each may need, and moves of the most.
// Every search, solution and analysis adds to it, and whatever shows such a number reads it here.

import { OPPOSITE, after, along } from './grid.js';
import { request } from './start.js';
import { aimOf, place } from './state.js';

/** The boards that are kept. */
const MOST = 20_000;
export const NOTHING = { lower: 0, upper: null, moves: null };

let goal = '';
let boards = new Map();
let changed = () => {};
let telling = false;

export const keyOf = (board, width) => `${width}:${board}`;

/** Calls a function some time after every change. */
export function watch(listener) {
  changed = listener;
}

/** Begins anew for the goal of a state, if it is another one. */
export function aim(state) {
  if (aimOf(state) === goal && boards.size <= MOST) return;
  goal = aimOf(state);
  boards = new Map();
}

/** The known facts about a board: {lower, upper, moves}, of which the last two may be null. */
export const of = (board, width) => at(keyOf(board, width));
export const at = (key) => boards.get(key) ?? NOTHING;

/** The number of moves that a board needs, by its facts or by the board; undefined where it is not known. */
export const exact = ({ lower, upper }) => (lower === upper ? lower : undefined);
export const distance = (board, width) => exact(of(board, width));

/** Adds bounds on the moves from a board. Those of the boards on its moves follow. */
export function learn(board, width, { lower = 0, upper = null, moves = null }) {
  let i = 0;
  for (const now of along(board, width, moves ?? '')) {
    merge(keyOf(now, width), Math.max(lower - i, 0), upper === null ? null : upper - i, moves?.slice(i) ?? null);
    i += 1;
  }
}

/** Learns as `learn` does, from an answer of the engine for a board of a state; nothing from one of another goal. */
export function answered(state, board, { lower_bound: lower, length, moves }) {
  if (aimOf(state) === goal) learn(board, state.width, { lower, upper: length, moves });
}

/** Searches a board of a state for so many milliseconds, and adds the answer to what is known. */
export async function search(state, board, timeLimit, options) {
  const found = await request('solve', { ...place(state, board), timeLimit }, options);
  answered(state, board, found);
  return found;
}

/** Follows moves on a board: each changes what is needed by one. */
export function follow(board, width, moves) {
  let now = board;
  for (const move of moves) {
    const { lower, upper, moves: rest } = of(now, width);
    now = after(now, width, move);
    merge(keyOf(now, width), Math.max(lower - 1, 0), upper === null ? null : upper + 1, rest === null ? null : OPPOSITE[move] + rest);
  }
}

function merge(key, lower, upper, moves) {
  const known = at(key);
  const shorter = upper !== null && (known.upper === null || upper < known.upper || (upper === known.upper && !known.moves && moves !== null));
  if (lower <= known.lower && !shorter) return;
  boards.set(key, { lower: Math.max(lower, known.lower), ...(shorter ? { upper, moves } : { upper: known.upper, moves: known.moves }) });
  if (telling) return;
  telling = true;
  queueMicrotask(() => {
    telling = false;
    changed();
  });
}
