// Boards as arrays of tiles in reading order, 0 the blank, and moves as letters: the way the tile goes. This
// file holds no texts of the page: the npm package includes it without them.

import { failure } from './wasm.js';

export const SIDES = { least: 2, most: 16 };
export const GOALS = [
  'blank-last', 'blank-first', 'blank-top-right', 'blank-bottom-left', 'spiral', 'snake', 'columns',
];
export const LETTERS = 'UDLR';
export const OPPOSITE = { U: 'D', D: 'U', L: 'R', R: 'L' };
/** From the blank to the tile that makes a move: rows and columns. */
const TOWARDS = { U: [1, 0], D: [-1, 0], L: [0, 1], R: [0, -1] };

export const blankLast = (cells) => [...Array(cells - 1).keys()].map((i) => i + 1).concat(0);

export const same = (a, b) => Boolean(a && b) && a.length === b.length && a.every((t, i) => t === b[i]);

/** Whether a board is at a goal, whose cells of null do not matter. Tiles may have labels, of which some are equal. */
export const fits = (board, goal, labels = null) => Boolean(goal) && board.length === goal.length
  && goal.every((tile, i) => tile === null || tile === (labels?.[board[i]] ?? board[i]));

/** The sum of the rows and columns that the tiles are away from their cells of a goal. */
export function manhattan(board, goal, width) {
  const away = (tile, cell) => {
    const home = tile ? goal.indexOf(tile) : -1;
    return home < 0 ? 0 : Math.abs((home % width) - (cell % width)) + Math.abs(Math.floor(home / width) - Math.floor(cell / width));
  };
  return board.reduce((sum, tile, cell) => sum + away(tile, cell), 0);
}

/** The first lines of a board as goals: names, and the rows that each of them wants. */
export const STAGES = { 'first-row': 1, 'two-rows': 2 };

/** The goal of a stage as text, for a size. */
export const stageText = (name, width, height) => rowText(
  Array.from({ length: width * height }, (_, cell) => (cell < STAGES[name] * width ? cell + 1 : null)), width);

/** A board as text: text itself, tiles, rows of tiles, or an object with tiles and a size. */
export function asText(board) {
  if (typeof board === 'string') return board;
  if (Array.isArray(board)) {
    return Array.isArray(board[0]) ? board.map((row) => [row].flat().join(' ')).join(' / ') : board.join(' ');
  }
  const { board: tiles, width, height } = board ?? {};
  if (!Array.isArray(tiles) || !(width > 0) || tiles.length !== width * height) {
    throw failure('input', 'a board is text, a list of tiles or of rows, or an object { board, width, height }');
  }
  return asText(Array.from({ length: height }, (_, row) => tiles.slice(row * width, (row + 1) * width)));
}

/** The width and height of a size as `4x3`, or as `4` for a square. */
export function sides(size) {
  const [, width, height = width] = /^\s*(\d+)\s*(?:[xX×]\s*(\d+)\s*)?$/.exec(size) ?? [];
  if (!width) throw failure('input', `a size is a width and a height, as 4x3, not ${size}`);
  return { width: Number(width), height: Number(height) };
}

/** The cell of the tile that a move slides, or -1 at the border. */
export function source(board, width, move) {
  const blank = board.indexOf(0);
  const [down, right] = TOWARDS[move];
  const row = Math.floor(blank / width) + down;
  const column = (blank % width) + right;
  const outside = row < 0 || column < 0 || column >= width || row >= board.length / width;
  return outside ? -1 : row * width + column;
}

/** The board after a move, or null where the border blocks it. */
export function after(board, width, move) {
  const cell = source(board, width, move);
  if (cell < 0) return null;
  const next = board.slice();
  next[next.indexOf(0)] = next[cell];
  next[cell] = 0;
  return next;
}

/** The boards along a line of moves, the first one included. */
export function* along(board, width, moves) {
  let now = board;
  yield now;
  for (const move of moves) {
    now = after(now, width, move);
    yield now;
  }
}

/** The moves that slide the row or column from a cell to the blank; '' where there are none. */
export function slide(board, width, cell) {
  const blank = board.indexOf(0);
  const rows = Math.floor(cell / width) - Math.floor(blank / width);
  const columns = (cell % width) - (blank % width);
  if (rows && columns) return '';
  if (rows) return (rows > 0 ? 'U' : 'D').repeat(Math.abs(rows));
  return (columns > 0 ? 'L' : 'R').repeat(Math.abs(columns));
}

export function exchanged(board, a, b) {
  const next = board.slice();
  [next[a], next[b]] = [next[b], next[a]];
  return next;
}

/** The labels of tiles, from a board in rows of labels; null where there are none. */
export function labelsOf(board, text) {
  const labels = [0];
  text?.split(/[\s/]+/).forEach((word, i) => { if (board[i]) labels[board[i]] = /^\d+$/.test(word) ? Number(word) : word; });
  return text ? labels : null;
}

/** A board on one line: `1 2 / 3 0`, or with other signs between its cells and its rows. */
export function rowText(board, width, gap = ' ', end = ' / ') {
  const rows = [];
  for (let i = 0; i < board.length; i += width) rows.push(board.slice(i, i + width).map((tile) => tile ?? '*').join(gap));
  return rows.join(end);
}

/** The number of moves where a slide of several tiles counts as one. */
export const multiTile = (moves) => moves.match(/(.)\1*/g)?.length ?? 0;

/** Moves as directions of the `tile` or of the `blank`, or back. */
export const turned = (moves, whose) => (whose === 'blank' ? moves.replace(/./g, (m) => OPPOSITE[m]) : moves);
