// The state of the page as a value, and its changes. No DOM, no clock: actions carry the time.

import { afterAll, checkTiles } from './checks.js';
import { blankLast, exchanged, rowText, same } from './grid.js';

/**
 * - `start`, `moves`, `cursor`: the game; the moves after the cursor are undone and can be redone.
 * - `board`: the board that is shown.
 * - `goal`: its text as `--goal` takes it, and its tiles, null until the engine has read the name.
 * - `mode`: `play`, `edit` (with `editing`, `board` or `goal`) or `solution`.
 * - `solution`: its moves from the board of the game, how many of them are made, and where it comes
 *   from; `times`, the milliseconds after each move, and `tps` where a replay was imported.
 * - `timer`: milliseconds, and since when it runs.
 * - `helped`: whether a hint or a solution was used; `byHand`: whether a person made all moves on the board;
 *   `finished`: whether this game has been at its goal, also before a restart; `drawn`: whether Shuffle drew
 *   the board; `day`: the date of a board of the day.
 */
export function initial() {
  return opened({ width: 4, height: 4, board: [5, 1, 7, 3, 9, 2, 11, 4, 13, 6, 15, 8, 0, 10, 14, 12] });
}

const PLAYING = { mode: 'play', editing: null, solution: null };

/** @param {any} action */
function opened({
  width, height, board, goal, moves = '', cursor, solution, at, times, tps, elapsed = 0, mode, editing = 'board', helped,
  byHand = !moves, finished = false, drawn = false, day = null,
}) {
  checkTiles(board, width, height);
  const state = {
    width, height, start: board, moves, cursor: cursor ?? moves.length,
    goal: { text: goal?.text ?? 'blank-last', board: goal?.board ?? null },
    ...PLAYING,
    timer: { elapsed, since: null },
    helped: Boolean(helped), byHand, finished, drawn, day,
  };
  if (state.goal.text === 'blank-last') state.goal.board = blankLast(board.length);
  if (solution != null) {
    state.mode = 'solution';
    state.solution = { moves: solution, at: at ?? 0, source: times || tps ? 'replay' : 'link', times, tps };
    state.helped = true;
  } else if (mode === 'edit') {
    state.mode = 'edit';
    state.editing = editing;
  }
  afterAll(board, width, moves);
  return settled(shown(state));
}

/** The part of a game that a link does not tell. */
export const apart = ({ byHand, finished, drawn, day }) => ({ byHand, finished, drawn, day });

/** A game from its beginning. */
const unplayed = () => ({ moves: '', cursor: 0, helped: false, byHand: true, timer: { elapsed: 0, since: null } });

/** Whether a game would be missed: moves were made, and it is not at its end. */
export const runs = (state) => Boolean(state.moves) && !state.finished;

/** The board of the game, whatever is shown. */
export const played = (state) => afterAll(state.start, state.width, state.moves.slice(0, state.cursor));

/** The solution that is shown, or the moves made, and the board before them. */
export const line = (state) => (state.solution
  ? { board: played(state), moves: state.solution.moves }
  : { board: state.start, moves: state.moves.slice(0, state.cursor) });

/** Whether the solution that is shown ends before the goal, and so is only a line. */
export const endsBefore = (state) => Boolean(state.goal.board)
  && !same(afterAll(played(state), state.width, state.solution.moves), state.goal.board);

/** A question to the engine about a board. */
export const place = (state, board = state.board) => ({
  board, width: state.width, height: state.height, goal: state.goal.text,
});

function shown(state) {
  let board = played(state);
  if (state.mode === 'solution') {
    board = afterAll(board, state.width, state.solution.moves.slice(0, state.solution.at));
  } else if (state.mode === 'edit' && state.editing === 'goal') {
    board = state.goal.board;
  }
  return { ...state, board };
}

export const isSolved = (state) => state.mode !== 'edit' && same(state.board, state.goal.board);

/** Notes that the game is, or was, at its goal. */
const settled = (state) => (isSolved(state) && state.mode === 'play' ? { ...state, finished: true } : state);

export function elapsed(state, now) {
  return state.timer.elapsed + (state.timer.since === null ? 0 : now - state.timer.since);
}

const stopped = (state, now) => ({ elapsed: elapsed(state, now), since: null });

export function reduce(state, action) {
  switch (action.type) {
    case 'open': return opened(action);
    case 'move': return move(state, action);
    case 'undo': return travel(state, state.cursor - 1, action.now);
    case 'redo': return travel(state, state.cursor + 1, action.now);
    // Another board of the game, with no effect on its time.
    case 'look':
      if (!(action.to >= 0 && action.to <= state.moves.length)) return state;
      return shown({ ...state, ...PLAYING, cursor: action.to, timer: stopped(state, action.now) });
    case 'restart':
      return shown({ ...state, ...PLAYING, ...unplayed() });
    case 'helped': return { ...state, helped: true };
    case 'goal':
      return settled(shown({ ...state, goal: action.goal }));
    case 'goal-read':
      return state.goal.text === action.text && action.board.length === state.start.length
        ? settled(shown({ ...state, goal: { text: action.text, board: action.board } })) : state;
    case 'edit': return edit(state, action);
    case 'exchange': return exchange(state, action);
    case 'solution': {
      const { now, type, at = 0, moves, ...more } = action;
      afterAll(played(state), state.width, moves);
      return shown({
        ...state, mode: 'solution', editing: null, helped: true, timer: stopped(state, now),
        solution: { moves, at, source: undefined, times: undefined, tps: undefined, ...more },
      });
    }
    case 'step': {
      if (!state.solution) return state;
      const at = Math.max(0, Math.min(state.solution.moves.length, action.to));
      return shown({ ...state, solution: { ...state.solution, at } });
    }
    case 'leave': return state.solution ? shown({ ...state, mode: 'play', solution: null }) : state;
    case 'continue': return continued(state);
    default: throw new Error(`no action ${action.type}`);
  }
}

/** The game goes on from the board that the solution shows. */
function continued(state) {
  if (!state.solution) return state;
  const made = state.solution.moves.slice(0, state.solution.at);
  const moves = state.moves.slice(0, state.cursor) + made;
  return shown({ ...state, mode: 'play', solution: null, moves, cursor: moves.length });
}

/** `pasted` moves were not made by hand. */
function move(state, { moves, now, pasted = false }) {
  if (state.mode === 'edit' || !moves) return state;
  const from = { ...continued(state), byHand: state.byHand && !pasted };
  const isOver = isSolved(from) && from.moves && from.timer.since === null && from.cursor === from.moves.length && from.timer.elapsed;
  afterAll(from.board, from.width, moves);
  const line = from.moves.slice(0, from.cursor) + moves;
  const next = shown({ ...from, moves: line, cursor: line.length });
  // Playing on after the end goes on counting, but the time stands.
  return isOver ? next : clocked(next, now);
}

function travel(state, cursor, now) {
  if (state.mode !== 'play' || cursor < 0 || cursor > state.moves.length) return state;
  return clocked(shown({ ...state, cursor }), now);
}

function clocked(state, now) {
  if (isSolved(state)) return settled({ ...state, timer: stopped(state, now) });
  if (state.timer.since === null) return { ...state, timer: { ...state.timer, since: now } };
  return state;
}

function edit(state, { editing, now }) {
  if (!editing) {
    return state.mode === 'edit' ? settled(shown({ ...state, mode: 'play', editing: null })) : state;
  }
  if (editing === 'goal' && !state.goal.board) return state;
  if (editing === 'goal') {
    return shown({ ...state, mode: 'edit', editing, solution: null, timer: stopped(state, now) });
  }
  // The board that is shown becomes the start of another game.
  const board = state.mode === 'edit' ? played(state) : state.board;
  return shown({ ...state, mode: 'edit', editing, solution: null, start: board, ...unplayed(), finished: false, drawn: false, day: null });
}

function exchange(state, { a, b }) {
  if (state.mode !== 'edit') return state;
  const board = exchanged(state.board, a, b);
  if (state.editing === 'goal') {
    return shown({ ...state, goal: { text: rowText(board, state.width), board } });
  }
  return shown({ ...state, start: board });
}
