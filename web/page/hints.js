// The next move: of a shortest solution, or of one line by line with what the move is for.

import { app } from './app.js';
import { slid } from './checks.js';
import { $, on, shape } from './dom.js';
import * as facts from './facts.js';
import { same, source } from './grid.js';
import { fail, say } from './message.js';
import { request } from './start.js';
import { isOneBoard, isSolved, place } from './state.js';
import { foreground } from './task.js';
import { phrase, reason, sentences } from './text.js';
import { refused } from './verdict.js';

/** The purpose of the hint that is shown: {tiles, places, line}. */
let lessonShown = null;

export function init() {
  on('hint', 'click', hint);
}

export function render() {
  if (app.hint === null) lessonShown = null;
  $('lesson').hidden = lessonShown?.tiles.length !== 2;
}

/** The tiles that a hint is for, and their places. */
export function marks({ board, goal }) {
  const all = new Map();
  for (const tile of app.hint !== null && lessonShown?.tiles.length < 3 ? lessonShown.tiles : []) {
    all.set(goal.board.indexOf(tile), { kind: 'place', words: phrase('placeOf', { tile }) });
    all.set(board.indexOf(tile), { kind: 'aim', words: phrase('isAim') });
  }
  return all;
}

export async function hint() {
  const { state } = app;
  if (refused()) return;
  if (isSolved(state)) {
    say(phrase('isSolved'));
    return;
  }
  const found = $('hints').value === 'steps' && isOneBoard(state) ? await lesson(state) : await shortest(state);
  if (!found || !same(app.state.board, state.board)) return;
  if (!found.moves) {
    fail(phrase('noHint'));
    return;
  }
  const [first] = found.moves;
  app.dispatch({ type: 'helped' });
  app.hint = source(state.board, state.width, first);
  lessonShown = found.tiles ? found : null;
  if (found.tiles?.length === 2) draw(found, state);
  const words = [phrase('hintIs', slid(state.board, state.width, first))];
  if (found.tiles) words.push(aim(found, state));
  app.aim = sentences(words);
  app.render();
  say(app.aim);
}

function shortest(state) {
  const { board, width } = state;
  const known = facts.of(board, width);
  return known.moves ? known : foreground('lookingForHint', (signal) => facts.search(state, board, 3000, { signal }));
}

async function lesson(state) {
  try {
    return await request('lesson', place(state));
  } catch (error) {
    fail(phrase('hasFailed', { what: phrase('lookingForHint'), reason: reason(error) }));
    return null;
  }
}

/**
 * Draws the trick of the pair: the first tile waits in the corner, which is the place of the second, and the second
 * next to it; then both turn into the line.
 */
function draw({ tiles: [a, b] }, { goal, width }) {
  const at = (cell) => [Math.floor(cell / width), cell % width];
  const [first, corner] = [at(goal.board.indexOf(a)), at(goal.board.indexOf(b))];
  const blank = at(goal.board.indexOf(0));
  const isRow = first[0] === corner[0];
  const inward = isRow ? [Math.sign(blank[0] - corner[0]) || 1, 0] : [0, Math.sign(blank[1] - corner[1]) || 1];
  const beside = corner.map((part, i) => part + inward[i]);
  const cells = [first, corner, beside, first.map((part, i) => part + inward[i])];
  const [top, left] = [0, 1].map((axis) => Math.min(...cells.map((cell) => cell[axis])));
  const pictures = [[[a, corner], [b, beside]], [[a, first], [b, beside]], [[a, first], [b, corner]]];
  const parts = pictures.flatMap((pair, i) => {
    const onPicture = (/** @type {any} */ [row, column]) => [(column - left) * 40 + i * 124, (row - top) * 40 + 8];
    return [
      ...cells.map((cell) => { const [x, y] = onPicture(cell); return shape('rect', { x, y, width: 38, height: 38, rx: 6 }); }),
      ...pair.flatMap(([tile, cell]) => {
        const [x, y] = onPicture(cell);
        return [shape('rect', { class: 'of-pair', x, y, width: 38, height: 38, rx: 6 }), shape('text', { x: x + 19, y: y + 25 }, tile)];
      }),
      ...(i ? [shape('path', { d: `M${i * 124 - 36} 48h24m-8-7 8 7-8 7` })] : []),
    ];
  });
  $('lesson-picture').setAttribute('viewBox', '0 0 328 96');
  $('lesson-picture').replaceChildren(...parts);
  $('lesson-text').textContent = phrase('pairTrickHow', { a, b });
}

/** The purpose of a move: the next tile of a line, its last two, or the rest. */
function aim({ tiles, line }, { goal, width }) {
  const rows = new Set(line.map((tile) => Math.floor(goal.board.indexOf(tile) / width)));
  const [row] = rows;
  const column = goal.board.indexOf(line[0]) % width;
  const where = rows.size === 1 ? phrase('aimRow', { number: row + 1 }) : phrase('aimColumn', { number: column + 1 });
  if (tiles.length === 1) return phrase('aimTile', { tile: tiles[0], line: where });
  if (tiles.length === 2) return phrase('aimPair', { a: tiles[0], b: tiles[1], line: where });
  return phrase('aimRest', { count: tiles.length });
}
