// The state in the fragment of the address, for people to read:
//
//   b  the board where the game began, 5_1_7_3-9_2_11_4-…
//   g  the goal, a name or a board; blank-last where there is none
//   m  the moves; c how many of them are made, where some are undone
//   s  the moves of the solution that is shown; p how many of them are made
//   i  the milliseconds before each of its moves, and v its moves per second, where it is a replay
//   t  the milliseconds of the game, e=1 for editing, h=1 where help was used

import { afterAll, checkTiles } from './checks.js';
import { GOALS, LETTERS, rowText } from './grid.js';
import { phrase } from './text.js';

const MOST_MOVES = 20_000;

const boardText = (board, width) => rowText(board, width, '_', '-');

export function encode(state, elapsed = 0) {
  const { width, goal, moves, cursor, solution, labels } = state;
  const parts = [`b=${boardText(state.start.map((tile) => labels?.[tile] ?? tile), width)}`];
  if (!GOALS.includes(goal.text) && goal.board) parts.push(`g=${boardText(goal.board, width)}`);
  else if (goal.text !== 'blank-last') parts.push(`g=${goal.text}`);
  if (moves) parts.push(`m=${moves}`);
  if (cursor !== moves.length) parts.push(`c=${cursor}`);
  if (solution) parts.push(`s=${solution.moves}`, `p=${solution.at}`);
  if (solution?.times) parts.push(`i=${pauses(solution.times).join('_')}`);
  if (solution?.tps) parts.push(`v=${Number(solution.tps.toFixed(3))}`);
  if (elapsed >= 1) parts.push(`t=${Math.round(elapsed)}`);
  if (state.mode === 'edit') parts.push('e=1');
  if (state.helped && !solution) parts.push('h=1');
  return parts.join('&');
}

/** The milliseconds before each move, from those after each. */
const pauses = (times) => times.map((time, i) => Math.max(0, Math.round(time) - Math.round(times[i - 1] ?? 0)));

/** The request of a fragment, as the action `open`; null where it is empty. Throws with the reason. */
export function decode(fragment) {
  const text = fragment.replace(/^#/, '');
  if (!text) return null;
  const fields = new Map();
  for (const part of text.split('&')) {
    if (!part) continue;
    const [, name, value] = /^([^=]*)=?(.*)$/s.exec(part);
    if (!'bgmcspivteh'.includes(name) || name.length !== 1) {
      throw new Error(phrase('linkUnknownPart', { part: shortened(part) }));
    }
    if (fields.has(name)) throw new Error(phrase('linkTwoParts', { part: `${name}=` }));
    try {
      fields.set(name, decodeURIComponent(value));
    } catch {
      throw new Error(phrase('linkDamaged', { part: `${name}=` }));
    }
  }
  if (!fields.has('b')) throw new Error(phrase('linkNoBoard'));
  const { tiles: board, width, height, labels } = reading('linkBoard', () => readBoard(fields.get('b')));
  const view = { type: 'open', width, height, board, labels };
  const goal = fields.get('g');
  if (goal && GOALS.includes(goal)) {
    view.goal = { text: goal };
  } else if (goal !== undefined) {
    view.goal = reading('linkGoal', () => {
      if (!/[\d*_]/.test(goal)) throw new Error(phrase('linkNoGoal', { goal: shortened(goal), goals: GOALS.join(', ') }));
      const read = readBoard(goal, true);
      if (read.width !== width || read.height !== height) {
        throw new Error(phrase('linkGoalSize', { size: `${read.width}×${read.height}`, board: `${width}×${height}` }));
      }
      return { text: rowText(read.tiles, width), board: read.tiles };
    });
  }
  view.moves = readMoves(fields.get('m') ?? '');
  const end = reading('linkMoves', () => afterAll(board, width, view.moves));
  view.cursor = number(fields, 'c', view.moves.length, view.moves.length);
  if (fields.has('s')) {
    view.solution = readMoves(fields.get('s'));
    const from = view.cursor === view.moves.length ? end : afterAll(board, width, view.moves.slice(0, view.cursor));
    reading('linkSolution', () => afterAll(from, width, view.solution));
    view.at = number(fields, 'p', view.solution.length, 0);
    if (fields.has('i')) view.times = readTimes(fields.get('i'), view.solution.length);
    if (fields.has('v')) view.tps = readSpeed(fields.get('v'));
  }
  view.elapsed = number(fields, 't', 1e9, 0);
  if (number(fields, 'e', 1, 0)) {
    if (view.solution || view.moves) throw new Error(phrase('linkBoth'));
    view.mode = 'edit';
  }
  view.helped = number(fields, 'h', 1, 0) === 1;
  return view;
}

const shortened = (text) => (text.length > 24 ? `${text.slice(0, 24)}…` : text);

function reading(what, read) {
  try {
    return read();
  } catch (error) {
    throw new Error(phrase(what, { reason: error.message }));
  }
}

/** Reads a board, whose tiles may have labels; where it is `open`, a goal whose cells of `*` do not matter. */
function readBoard(text, open = false) {
  const cells = text.split('-').map((row) => row.split('_'));
  const width = cells[0].length;
  const lettered = !/[1-9]/.test(text);
  cells.forEach((row, i) => {
    if (row.length !== width) throw new Error(phrase('linkRow', { row: i + 1, cells: row.length, first: width }));
    row.forEach((word) => {
      if (!(lettered ? /^(0|\p{L}{1,8})$/u : /^\d{1,3}$/).test(word) && !(open && word === '*')) throw new Error(phrase('linkNoTile', { word: shortened(word) }));
    });
  });
  const words = cells.flat();
  const plain = words.map((word) => (word === '*' ? null : /\d/.test(word) ? Number(word) : word));
  const height = cells.length;
  if (open && plain.some((tile) => typeof tile !== 'number')) return { tiles: plain, width, height };
  if (plain.every((tile) => typeof tile === 'number')) {
    checkTiles(plain, width, height);
    return { tiles: plain, width, height, labels: null };
  }
  // The tiles with labels are numbered as they come.
  const labels = [0];
  const tiles = plain.map((word) => (word === 0 ? 0 : labels.push(word) - 1));
  checkTiles(tiles, width, height);
  return { tiles, width, height, labels };
}

function readMoves(text) {
  if (text.length > MOST_MOVES) throw new Error(phrase('linkManyMoves', { most: MOST_MOVES }));
  const bad = [...text.toUpperCase()].findIndex((letter) => !LETTERS.includes(letter));
  if (bad >= 0) {
    throw new Error(phrase('linkNoMove', { letter: [...text][bad], number: bad + 1 }));
  }
  return text.toUpperCase();
}

function readTimes(text, count) {
  const words = text.split('_');
  if (words.length !== count || words.some((word) => !/^\d{1,9}$/.test(word))) {
    throw new Error(phrase('linkTimes', { times: shortened(text), count }));
  }
  let time = 0;
  return words.map((word) => (time += Number(word)));
}

function readSpeed(text) {
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(text) || !Number(text)) {
    throw new Error(phrase('linkSpeed', { value: shortened(text) }));
  }
  return Number(text);
}

function number(fields, name, most, otherwise) {
  const text = fields.get(name);
  if (text === undefined) return otherwise;
  if (!/^\d{1,10}$/.test(text) || Number(text) > most) {
    throw new Error(phrase('linkNumber', { part: `${name}=${shortened(text)}`, most }));
  }
  return Number(text);
}
