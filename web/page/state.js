// The state of the page as a value, and its changes. No DOM, no clock: actions carry the time.

import { afterAll, checkTiles } from './checks.js';
import { blankLast, exchanged, fits, rowText } from './grid.js';

/**
 * - `start`, `moves`, `cursor`: the game; the moves after the cursor are undone and can be redone.
 * - `board`: the board that is shown; `labels`: the labels of its tiles, where some are equal or letters.
 * - `goal`: its text as `--goal` takes it, and its tiles, null until the engine has read the name; a cell that
 *   does not matter is null.
 * - `mode`: `play`, `edit` or `solution`.
 * - `edits`: the boards of the editor, of which one is shown, for undo and redo; `entered`: the tiles that have
 *   their cells while a board is entered tile by tile, otherwise null.
 * - `solution`: its moves from the board of the game, how many of them are made, and where it comes
 *   from; `times`, the milliseconds after each move, and `tps` where a replay was imported.
 * - `timer`: milliseconds, and since when it runs. `times`: the milliseconds after each move of the game, empty
 *   where they are not all known; `taught`: the numbers of the moves that were hints.
 * - `helped`: whether a hint or a solution was used for this board; `byHand`: whether a person made all moves on
 *   the board; `finished`: whether this game has been at its goal, also before a restart; `drawn`: whether Shuffle
 *   drew the board; `own`: whether it came from elsewhere, so that it cannot be drawn again; `day`: the date of a
 *   board of the day.
 */
export function initial() {
  return opened({ width: 4, height: 4, board: [5, 1, 7, 3, 9, 2, 11, 4, 13, 6, 15, 8, 0, 10, 14, 12], own: false });
}

const PLAYING = { mode: 'play', entered: null, solution: null };

/** @param {any} action */
function opened({
  width, height, board, labels = null, goal, moves = '', cursor, solution, at, times, tps, elapsed = 0, mode, helped, played: made = [],
  byHand = !moves, finished = false, drawn = false, own = !drawn, day = null, taught = [],
}) {
  checkTiles(board, width, height);
  const state = {
    width, height, start: board, labels, moves, cursor: cursor ?? moves.length,
    goal: { text: goal?.text ?? 'blank-last', board: goal?.board ?? null },
    ...PLAYING,
    timer: { elapsed, since: null }, times: made.length === moves.length ? made : [], taught,
    helped: Boolean(helped), byHand, finished, drawn, own, day,
  };
  if (state.goal.text === 'blank-last') state.goal.board = blankLast(board.length);
  if (solution != null) {
    state.mode = 'solution';
    state.solution = { moves: solution, at: at ?? 0, source: times || tps ? 'replay' : 'link', times, tps };
    state.helped = true;
  } else if (mode === 'edit') {
    Object.assign(state, { mode, edits: edits(board) });
  }
  afterAll(board, width, moves);
  return settled(shown(state));
}

/** The part of a game that a link does not tell. */
export const apart = ({ byHand, finished, drawn, own, day, times, taught }) => ({ byHand, finished, drawn, own, day, played: times, taught });

/** A game from its beginning. Whoever has seen a solution has seen it. */
const unplayed = { moves: '', cursor: 0, times: [], taught: [], byHand: true, timer: { elapsed: 0, since: null } };

/** The editor with one board. */
const edits = (board, entered = null) => ({ boards: [{ board, entered }], at: 0 });

/** Whether a board would be missed: it is not one that was just drawn, nor a game at its end. */
export const matters = (state) => state.own || state.helped || (Boolean(state.moves) && !state.finished);

/** The board of the game, whatever is shown. */
export const played = (state) => afterAll(state.start, state.width, state.moves.slice(0, state.cursor));

/**
 * The solution that is shown, or the game with its moves that are undone: the board before it, its moves, how many of
 * them are made, and the milliseconds after each where they are known.
 */
export function line({ solution, ...state }) {
  const { moves, at, times = [] } = solution ?? { moves: state.moves, at: state.cursor, times: state.times };
  return { board: solution ? played(state) : state.start, moves, at, times };
}

/** Whether the solution that is shown ends before the goal, and so is only a line. */
export const endsBefore = (state) => Boolean(state.goal.board)
  && !fits(afterAll(played(state), state.width, state.solution.moves), state.goal.board, state.labels);

/** A question to the engine about a board. */
export const place = (state, board = state.board) => ({
  board, width: state.width, height: state.height, goal: state.goal.text,
  labels: state.labels ? rowText(board.map((tile) => (tile ? state.labels[tile] : '_')), state.width) : undefined,
});

/** The goal and the labels: boards with the same ones have the same distances. */
export const aimOf = ({ goal, labels }) => (labels ? `${goal.text} ${labels}` : goal.text);

/** Whether the goal is one board. */
export const isOneBoard = ({ goal, labels }) => Boolean(goal.board) && !labels && !goal.board.includes(null);

function shown(state) {
  let board = played(state);
  if (state.mode === 'solution') {
    board = afterAll(board, state.width, state.solution.moves.slice(0, state.solution.at));
  }
  return { ...state, board };
}

export const isSolved = (state) => state.mode !== 'edit' && fits(state.board, state.goal.board, state.labels);

/** Notes that the game is, or was, at its goal. */
const settled = (state) => (isSolved(state) && state.mode === 'play' ? { ...state, finished: true } : state);

export function elapsed(state, now) {
  return state.timer.elapsed + (state.timer.since === null ? 0 : now - state.timer.since);
}

const stopped = (state, now) => ({ elapsed: Math.round(elapsed(state, now)), since: null });

export function reduce(state, action) {
  switch (action.type) {
    case 'open': return opened(action);
    case 'move': return move(state, action);
    case 'undo': return state.mode === 'edit' ? revised(state, -1) : travel(state, state.cursor - 1, action.now);
    case 'redo': return state.mode === 'edit' ? revised(state, 1) : travel(state, state.cursor + 1, action.now);
    // Another board of the game, with no effect on its time.
    case 'look':
      if (!(action.to >= 0 && action.to <= state.moves.length)) return state;
      return shown({ ...state, ...PLAYING, cursor: action.to, timer: stopped(state, action.now) });
    case 'restart':
      return shown({ ...state, ...PLAYING, ...unplayed });
    case 'helped': return { ...state, helped: true };
    case 'goal':
      return settled(shown({ ...state, goal: action.goal }));
    case 'goal-read':
      return state.goal.text === action.text && action.board.length === state.start.length
        ? settled(shown({ ...state, goal: { text: action.text, board: action.board } })) : state;
    case 'edit': return edit(state, action);
    case 'exchange': return exchange(state, action);
    case 'enter': return { ...edit(state, { editing: true }), entered: 0, edits: edits(state.board, 0) };
    case 'place': return placed(state, action.cell);
    case 'solution': {
      const { now, type, at = 0, moves, ...more } = action;
      afterAll(played(state), state.width, moves);
      return shown({
        ...state, mode: 'solution', helped: true, timer: stopped(state, now),
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

/** `pasted` moves were not made by hand; `hinted` is one that a hint named. */
function move(state, { moves, now, pasted = false, hinted = false }) {
  if (state.mode === 'edit' || !moves) return state;
  const from = { ...continued(state), byHand: state.byHand && !pasted };
  const isOver = isSolved(from) && from.moves && from.timer.since === null && from.cursor === from.moves.length && from.timer.elapsed;
  afterAll(from.board, from.width, moves);
  const line = from.moves.slice(0, from.cursor) + moves;
  const time = Math.round(elapsed(from, now));
  const known = !pasted && from.times.length === from.moves.length;
  const next = shown({
    ...from, moves: line, cursor: line.length,
    times: known ? [...from.times.slice(0, from.cursor), ...Array(moves.length).fill(time)] : [],
    taught: [...from.taught.filter((at) => at < from.cursor), ...(hinted ? [from.cursor] : [])],
  });
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

function edit(state, { editing }) {
  // A board that is entered in part gives way to the one before.
  const start = !editing && state.entered !== null ? state.edits.boards[0].board : state.start;
  if (!editing) return state.mode === 'edit' ? settled(shown({ ...state, ...PLAYING, start })) : state;
  // The board that is shown becomes the start of another game.
  const { board } = state;
  return shown({
    ...state, ...unplayed, mode: 'edit', solution: null, entered: null, edits: edits(board), start: board,
    helped: false, finished: false, drawn: false, own: true, day: null,
  });
}

/** Another board in the editor, which undo takes back. */
function edited(state, board, entered = null) {
  const boards = [...state.edits.boards.slice(0, state.edits.at + 1), { board, entered }];
  return shown({ ...state, start: board, entered, edits: { boards, at: boards.length - 1 } });
}

function revised(state, step) {
  const at = state.edits.at + step;
  const edit = state.edits.boards[at];
  return edit ? shown({ ...state, start: edit.board, entered: edit.entered, edits: { ...state.edits, at } }) : state;
}

const exchange = (state, { a, b }) => (state.mode === 'edit' ? edited(state, exchanged(state.board, a, b), state.entered) : state);

/** Puts the next tile into a cell. The last cell is left for the blank. */
function placed(state, cell) {
  const { board, entered } = state;
  if (entered === null || (board[cell] && board[cell] <= entered)) return state;
  const tile = entered + 1;
  const next = edited(state, exchanged(board, cell, board.indexOf(tile)), tile);
  return tile === board.length - 1 ? edit({ ...next, entered: null }, { editing: false }) : next;
}
