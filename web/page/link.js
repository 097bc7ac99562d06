// The state in the fragment of the address, for people to read:
//
//   b  the board where the game began, 5_1_7_3-9_2_11_4-…
//   g  the goal, a name or a board; blank-last where there is none
//   m  the moves; c how many of them are made, where some are undone
//   s  the moves of the solution that is shown; p how many of them are made
//   i  the milliseconds before each of its moves, and v its moves a second, where it is a replay
//   t  the milliseconds of the game, e=1 for editing, e=2 for editing the goal, h=1 where help was used

import { GOALS, LETTERS, afterAll, checkTiles } from './grid.js';

const MOST_MOVES = 20_000;

const boardText = (board, width) => {
  const rows = [];
  for (let i = 0; i < board.length; i += width) rows.push(board.slice(i, i + width).join('_'));
  return rows.join('-');
};

export function encode(state, elapsed = 0) {
  const { width, goal, moves, cursor, solution } = state;
  const parts = [`b=${boardText(state.start, width)}`];
  const editsGoal = state.mode === 'edit' && state.editing === 'goal';
  const named = GOALS.includes(goal.text) && (!editsGoal || goal.text === 'blank-last');
  if (!named && goal.board) parts.push(`g=${boardText(goal.board, width)}`);
  else if (goal.text !== 'blank-last') parts.push(`g=${goal.text}`);
  if (moves) parts.push(`m=${moves}`);
  if (cursor !== moves.length) parts.push(`c=${cursor}`);
  if (solution) parts.push(`s=${solution.moves}`, `p=${solution.at}`);
  if (solution?.times) parts.push(`i=${pauses(solution.times).join('_')}`);
  if (solution?.tps) parts.push(`v=${Number(solution.tps.toFixed(3))}`);
  if (elapsed >= 1) parts.push(`t=${Math.round(elapsed)}`);
  if (state.mode === 'edit') parts.push(editsGoal ? 'e=2' : 'e=1');
  if (state.helped && !solution) parts.push('h=1');
  return parts.join('&');
}

/** The milliseconds before each move, from those after each. */
const pauses = (times) => times.map((time, i) => Math.max(0, Math.round(time) - Math.round(times[i - 1] ?? 0)));

/** What a fragment asks for, as the action `open`; null where it is empty. Throws with the reason. */
export function decode(fragment) {
  const text = fragment.replace(/^#/, '');
  if (!text) return null;
  const fields = new Map();
  for (const part of text.split('&')) {
    if (!part) continue;
    const [, name, value] = /^([^=]*)=?(.*)$/s.exec(part);
    if (!'bgmcspivteh'.includes(name) || name.length !== 1) {
      throw new Error(`the link has a part “${shortened(part)}” that is not known here: is it whole?`);
    }
    if (fields.has(name)) throw new Error(`the link has two parts “${name}=”`);
    try {
      fields.set(name, decodeURIComponent(value));
    } catch {
      throw new Error(`the part “${name}=” of the link is damaged`);
    }
  }
  if (!fields.has('b')) throw new Error('the link has no board: it needs b=1_2_3-4_5_6-7_8_0, or other tiles');
  const { tiles: board, width, height } = reading('board', () => readBoard(fields.get('b')));
  const view = { type: 'open', width, height, board };
  const goal = fields.get('g');
  if (goal && GOALS.includes(goal)) {
    view.goal = { text: goal };
  } else if (goal !== undefined) {
    view.goal = reading('goal', () => {
      if (!/\d/.test(goal)) throw new Error(`“${shortened(goal)}” is none: there are ${GOALS.join(', ')}`);
      const read = readBoard(goal);
      if (read.width !== width || read.height !== height) {
        throw new Error(`it is ${read.width}×${read.height}, but the board is ${width}×${height}`);
      }
      return { text: rows(read.tiles, width), board: read.tiles };
    });
  }
  view.moves = readMoves(fields.get('m') ?? '');
  const end = reading('moves', () => afterAll(board, width, view.moves));
  view.cursor = number(fields, 'c', view.moves.length, view.moves.length);
  if (fields.has('s')) {
    view.solution = readMoves(fields.get('s'));
    const from = view.cursor === view.moves.length ? end : afterAll(board, width, view.moves.slice(0, view.cursor));
    reading('solution', () => afterAll(from, width, view.solution));
    view.at = number(fields, 'p', view.solution.length, 0);
    if (fields.has('i')) view.times = readTimes(fields.get('i'), view.solution.length);
    if (fields.has('v')) view.tps = readSpeed(fields.get('v'));
  }
  view.elapsed = number(fields, 't', 1e9, 0);
  const edits = number(fields, 'e', 2, 0);
  if (edits) {
    if (view.solution || (view.moves && edits === 1)) throw new Error('the link both edits and plays: take away e=1 or m=');
    if (edits === 2 && view.goal && !view.goal.board) throw new Error('the link edits a goal, which it has to write as a board');
    view.mode = 'edit';
    view.editing = edits === 1 ? 'board' : 'goal';
  }
  view.helped = number(fields, 'h', 1, 0) === 1;
  return view;
}

const shortened = (text) => (text.length > 24 ? `${text.slice(0, 24)}…` : text);
const rows = (tiles, width) => boardText(tiles, width).replaceAll('_', ' ').replaceAll('-', ' / ');

function reading(what, read) {
  try {
    return read();
  } catch (error) {
    throw new Error(`the ${what} of the link: ${error.message}`);
  }
}

function readBoard(text) {
  const cells = text.split('-').map((row) => row.split('_'));
  const width = cells[0].length;
  cells.forEach((row, i) => {
    if (row.length !== width) throw new Error(`row ${i + 1} has ${row.length} cells, but row 1 has ${width}`);
    row.forEach((word) => {
      if (!/^\d{1,3}$/.test(word)) throw new Error(`“${shortened(word)}” is no tile: write 5_1_7-3_0_2 with 0 for the blank`);
    });
  });
  const tiles = cells.flat().map(Number);
  checkTiles(tiles, width, cells.length);
  return { tiles, width, height: cells.length };
}

function readMoves(text) {
  if (text.length > MOST_MOVES) throw new Error(`the link has more than ${MOST_MOVES} moves`);
  const bad = [...text.toUpperCase()].findIndex((letter) => !LETTERS.includes(letter));
  if (bad >= 0) {
    throw new Error(`“${[...text][bad]}”, move ${bad + 1} of the link, is no move: write U, D, L or R`);
  }
  return text.toUpperCase();
}

function readTimes(text, count) {
  const words = text.split('_');
  if (words.length !== count || words.some((word) => !/^\d{1,9}$/.test(word))) {
    throw new Error(`the times “${shortened(text)}” of the link are no ${count} numbers of milliseconds`);
  }
  let time = 0;
  return words.map((word) => (time += Number(word)));
}

function readSpeed(text) {
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(text) || !Number(text)) {
    throw new Error(`the part “v=${shortened(text)}” of the link should be the moves a second`);
  }
  return Number(text);
}

function number(fields, name, most, otherwise) {
  const text = fields.get(name);
  if (text === undefined) return otherwise;
  if (!/^\d{1,10}$/.test(text) || Number(text) > most) {
    throw new Error(`the part “${name}=${shortened(text)}” of the link should be a number from 0 to ${most}`);
  }
  return Number(text);
}
