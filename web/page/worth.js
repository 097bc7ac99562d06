// The worth of each move: whether it is the first of a shortest solution, or loses two moves.

import { app } from './app.js';
import { $, on } from './dom.js';
import * as facts from './facts.js';
import { LETTERS, after, source } from './grid.js';
import { isSolved } from './state.js';
import { isBusy } from './task.js';
import { phrase } from './text.js';
import { isSolvable, refused } from './verdict.js';

/** Milliseconds for a board beside the one that is shown. */
const BRIEF = 800;

let shown = false;
/** The boards that were searched in vain, and whether one is searched now. */
const tried = new Set();
let searching = false;

export function init() {
  on('worth', 'click', toggle);
}

export function toggle() {
  if (!shown && refused()) return;
  shown = !shown;
  tried.clear();
  $('worth').setAttribute('aria-pressed', shown);
  app.render();
}

/** Whether moves are marked, and what the marks wait for. */
function isShown(state) {
  const is = shown && state.mode !== 'edit' && !isSolved(state);
  app.waits = is && facts.distance(state.board, state.width) === undefined;
  return is;
}

export function render(state) {
  if (!isShown(state)) return;
  if (state.mode === 'play' && !state.helped) app.dispatch({ type: 'helped' });
  find();
}

/** The boards after each move: {cell, board}. */
const ways = ({ board, width }) => [...LETTERS].flatMap((move) => {
  const cell = source(board, width, move);
  return cell < 0 ? [] : [{ cell, board: after(board, width, move) }];
});

/** The worth of a way: 0 or -2, undefined where that is not known. */
function worth(state, { board }) {
  const needed = facts.distance(state.board, state.width);
  const { lower, upper } = facts.of(board, state.width);
  if (needed === undefined) return undefined;
  // A move changes what is needed by one.
  if (upper !== null && upper < needed) return 0;
  return lower >= needed ? -2 : undefined;
}

/** The marks of the cells whose tiles can go. */
export function marks(state) {
  if (!isShown(state)) return new Map();
  return new Map(ways(state).flatMap((way) => {
    const value = worth(state, way);
    if (value === undefined) return [];
    return [[way.cell, { kind: value ? 'bad' : 'good', text: value ? '−2' : '0', words: phrase(value ? 'moveLoses' : 'moveIsGood') }]];
  }));
}

/** Searches the ways whose worth is not known, once the distance of the board is. */
async function find() {
  const { state } = app;
  const key = (way) => facts.keyOf(way.board, state.width);
  if (searching || isBusy() || !isSolvable() || facts.distance(state.board, state.width) === undefined) return;
  const way = ways(state).find((one) => worth(state, one) === undefined && !tried.has(key(one)));
  if (!way) return;
  searching = true;
  tried.add(key(way));
  try {
    await facts.search(state, way.board, BRIEF);
  } catch { /* The move has no mark. */ }
  searching = false;
  find();
}

export function learned(state) {
  if (isShown(state)) find();
}
