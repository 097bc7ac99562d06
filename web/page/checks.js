// Moves and tiles in words, and checks that tell in words what is wrong.

import { SIDES, along, source } from './grid.js';
import { phrase } from './text.js';

const DIRECTIONS = { U: 'up', D: 'down', L: 'left', R: 'right' };
/** The direction of a move, in the language of the page. */
export const direction = (move) => phrase(DIRECTIONS[move]);

/** The board after many moves; an error names the first that is not possible. */
export function afterAll(board, width, moves) {
  const next = board.slice();
  for (let i = 0; i < moves.length; i++) {
    const cell = source(next, width, moves[i]);
    if (cell < 0) throw new Error(phrase('borderInTheWay', { number: i + 1, direction: direction(moves[i]) }));
    next[next.indexOf(0)] = next[cell];
    next[cell] = 0;
  }
  return next;
}

/** The labels of the tiles of the board that is shown, where they have some. */
let labels = null;
export const label = (all) => { labels = all; };
export const nameOf = (tile) => labels?.[tile] ?? tile;

/** The tile that a move slides, and where to, in words. */
export const slid = (board, width, move) => ({ tile: nameOf(board[source(board, width, move)]), direction: direction(move) });

/** Moves in one direction, in words. */
export function inWords(board, width, moves) {
  const tiles = [...along(board, width, moves)].slice(0, -1).map((now, i) => slid(now, width, moves[i]).tile);
  return phrase('moved', { tiles: tiles.join(', '), direction: direction(moves[0]) });
}

/** A tile in words, 0 the blank. */
export const tileName = (tile) => (tile ? phrase('tile', { tile: String(nameOf(tile)) }) : phrase('theBlank'));

/** Throws where the tiles do not make a board of this size. */
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
