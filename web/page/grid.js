// Boards as arrays of tiles in reading order, 0 the blank, and moves as letters: the way the tile
// goes.

import { phrase } from './text.js';

export const SIDES = { least: 2, most: 16 };
export const GOALS = [
  'blank-last', 'blank-first', 'blank-top-right', 'blank-bottom-left', 'spiral', 'snake', 'columns',
];
/** `blank-last` as it is read. */
export const inWords = (name) => name[0].toUpperCase() + name.slice(1).replaceAll('-', ' ');
export const LETTERS = 'UDLR';
export const WORDS = { U: 'Up', D: 'Down', L: 'Left', R: 'Right' };
const DIRECTIONS = { U: 'up', D: 'down', L: 'left', R: 'right' };
/** The direction of a move, in the language of the page. */
export const direction = (move) => phrase(DIRECTIONS[move]);
export const OPPOSITE = { U: 'D', D: 'U', L: 'R', R: 'L' };
// From the blank to the tile that makes the move.
const TOWARDS = { U: [1, 0], D: [-1, 0], L: [0, 1], R: [0, -1] };

export const blankLast = (cells) => [...Array(cells - 1).keys()].map((i) => i + 1).concat(0);

export const same = (a, b) => Boolean(a && b) && a.length === b.length && a.every((t, i) => t === b[i]);

/** A board as text: text itself, tiles, rows of tiles, or an object with tiles and a size. */
export function asText(board) {
  if (typeof board === 'string') return board;
  if (!Array.isArray(board)) {
    const { board: tiles, width, height } = board;
    return asText(Array.from({ length: height }, (_, row) => tiles.slice(row * width, (row + 1) * width)));
  }
  return Array.isArray(board[0]) ? board.map((row) => row.join(' ')).join(' / ') : board.join(' ');
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

/** The board after a move, or null where the border does not allow it. */
export function after(board, width, move) {
  const cell = source(board, width, move);
  if (cell < 0) return null;
  const next = board.slice();
  next[next.indexOf(0)] = next[cell];
  next[cell] = 0;
  return next;
}

/** The board after many moves; an error names the first that is not possible. */
export function afterAll(board, width, moves) {
  const next = board.slice();
  let blank = next.indexOf(0);
  for (let i = 0; i < moves.length; i++) {
    const [down, right] = TOWARDS[moves[i]];
    const row = Math.floor(blank / width) + down;
    const column = (blank % width) + right;
    if (row < 0 || column < 0 || column >= width || row >= next.length / width) {
      throw new Error(phrase('borderInTheWay', { number: i + 1, direction: direction(moves[i]) }));
    }
    const cell = row * width + column;
    next[blank] = next[cell];
    next[cell] = 0;
    blank = cell;
  }
  return next;
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

/** A tile in words, 0 the blank. */
export const tileName = (tile) => (tile ? phrase('tile', { tile }) : phrase('theBlank'));

/** Throws where the tiles are not those of a board of this size. */
export function checkTiles(tiles, width, height) {
  const sides = [width, height];
  if (sides.some((side) => !(side >= SIDES.least && side <= SIDES.most))) {
    throw new Error(phrase('sizeRange', { ...SIDES, size: `${width}×${height}` }));
  }
  const seen = new Set();
  for (const tile of tiles) {
    if (!Number.isInteger(tile) || tile < 0 || tile >= tiles.length) {
      throw new Error(phrase('noSuchTile', { tile: String(tile), size: `${width}×${height}` }));
    }
    if (seen.has(tile)) {
      const missing = tiles.findIndex((_, i) => !tiles.includes(i));
      throw new Error(phrase('twice', { a: tileName(tile), b: tileName(missing) }));
    }
    seen.add(tile);
  }
}
