// The next move: of a shortest solution, or of one line by line with what the move is for.

import { direction } from './checks.js';
import { $, on } from './dom.js';
import * as facts from './facts.js';
import { same, source } from './grid.js';
import { fail, say } from './message.js';
import { request } from './start.js';
import { isSolved, place } from './state.js';
import { foreground } from './task.js';
import { phrase, reason, sentences } from './text.js';
import { refused } from './verdict.js';

let app;
let redraw;

export function init(the, render) {
  app = the;
  redraw = render;
  on('hint', 'click', hint);
}

export function render() {}

export async function hint() {
  const { state } = app;
  if (refused()) return;
  if (isSolved(state)) {
    say(phrase('isSolved'));
    return;
  }
  const found = $('hints').value === 'steps' ? await lesson(state) : await shortest(state);
  if (!found || !same(app.state.board, state.board)) return;
  if (!found.moves) {
    fail(phrase('noHint'));
    return;
  }
  const [first] = found.moves;
  app.dispatch({ type: 'helped' });
  app.hint = source(state.board, state.width, first);
  const words = [phrase('hintIs', { tile: state.board[app.hint], direction: direction(first) })];
  if (found.tiles) words.push(aim(found, state));
  app.aim = sentences(words);
  redraw();
  say(app.aim);
}

async function shortest(state) {
  const { board, width } = state;
  const known = facts.of(board, width);
  if (known.moves) return known;
  return foreground('lookingForHint', (signal) => request('solve', { ...place(state), timeLimit: 3000 }, { signal }), (found) => {
    facts.answered(board, width, found);
    return found;
  });
}

async function lesson(state) {
  try {
    return await request('lesson', place(state));
  } catch (error) {
    fail(phrase('hasFailed', { what: phrase('lookingForHint'), reason: reason(error) }));
    return null;
  }
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
