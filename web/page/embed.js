// The page in a frame of another page, which gives boards and receives distances and solutions as
// messages: see web/npm/README.md.

import { scrambleIn } from './address.js';
import { app } from './app.js';
import * as facts from './facts.js';
import { asText } from './grid.js';
import { fail } from './message.js';
import { result, solve } from './solving.js';
import { request } from './start.js';
import { isSolved, place } from './state.js';
import { isSettled } from './status.js';
import { phrase } from './text.js';

/** The origin of the page around this one, if its address names one. */
let origin = null;
/** The last messages sent. */
const told = { board: '', distance: '', solution: null };
/** Kept when the messages so far were followed. */
let followed = Promise.resolve();

const kinds = {
  async open({ board, size, blank, goal = 'blank-last' }) {
    const { board: tiles, width, height } = await request('parse', { text: asText(board), size, blank });
    const { board: end } = await request('goal', { goal, width, height });
    // The answer comes if the same board is there already, too.
    told.board = told.distance = '';
    app.dispatch({ type: 'open', board: tiles, width, height, goal: { text: goal, board: end } });
    await refuse();
  },

  async solve() {
    await refuse();
    // The page itself has nothing to search for.
    if (isSolved(app.state)) tell('solution', await request('solve', place(app.state)));
    solve(complain);
  },
};

/** Whether the page is in a frame of another one. */
export const isFramed = () => document.documentElement.classList.contains('embedded');

/** Milliseconds for all solutions: with the first tables, and with the large ones. The most solutions. */
const [SOON, LATE] = [1000, 60_000];
const MOST = 10_000;

/**
 * Answers as the solver of the replay site does: any message, by a list of all optimal solutions as letters of the
 * tiles. The list has a line break alone until they are there, and -1 where there will be none.
 */
async function stand(scramble) {
  let answer = ['\n'];
  addEventListener('message', ({ source, origin: from }) => source?.postMessage(answer, { targetOrigin: from === 'null' ? '*' : from }));
  const solutions = (timeLimit) => request('solutions', { ...scramble, goal: 'blank-last', most: MOST, timeLimit });
  try {
    answer = (await solutions(SOON).catch(async ({ kind }) => {
      if (kind !== 'limit') throw new Error(kind);
      // The large tables end the search of every board.
      while (!isSettled(scramble)) await new Promise((done) => { setTimeout(done, 100); });
      return solutions(LATE);
    })).paths;
  } catch {
    answer = ['-1'];
  }
}

/** Reads the address. */
export function init() {
  const scramble = scrambleIn(location.search);
  if (scramble && window.parent !== window) stand(scramble);
  const asked = new URLSearchParams(location.search).get('embed');
  if (asked === null || window.parent === window) return;
  document.documentElement.classList.add('embedded');
  origin = originOf(asked);
  if (!origin) {
    fail(phrase('cannot', { reason: phrase('frameNoOrigin') }));
    return;
  }
  addEventListener('message', heard);
  tell('ready');
}

/** The origin of an address; null if it has none, as `file:` and a host without a scheme. */
function originOf(address) {
  try {
    const { origin: named, protocol } = new URL(address);
    // Chromium names one for `file:`, which no message has.
    return named === 'null' || protocol === 'file:' ? null : named;
  } catch {
    return null;
  }
}

/** Throws where the board that is shown cannot be solved. */
async function refuse() {
  const { solvable, reason } = await request('check', place(app.state));
  if (!solvable) throw Object.assign(new Error(reason), { kind: 'unsolvable' });
}

/** Messages of other windows and other origins are not for this page, nor those without a field `taquin`. */
function heard({ source, origin: from, data }) {
  if (source !== window.parent || from !== origin || data?.taquin === undefined) return;
  // A board is open before the next message is followed.
  followed = followed.then(() => follow(data)).catch(complain);
}

function follow(data) {
  if (!Object.hasOwn(kinds, data.taquin)) throw new Error(`there is no message ${data.taquin}`);
  return kinds[data.taquin](data);
}

function complain({ kind = 'input', message }) {
  tell('error', { kind, error: message });
}

function tell(taquin, more) {
  window.parent.postMessage({ taquin, ...more }, origin);
}

/** Tells the known facts about the board, once. */
export function learned({ board, width, goal }) {
  const { lower, upper: length } = facts.of(board, width);
  const key = `${width}:${board}:${goal.text}:${length}:${lower}`;
  if (!origin || told.distance === key || (length === null && !lower)) return;
  told.distance = key;
  tell('distance', { board, length, lower });
}

/** Reports the changes. */
export function render(state) {
  if (!origin) return;
  const { board, width, height } = state;
  const key = `${width}:${board}:${state.goal.text}:${state.goal.board}`;
  if (told.board !== key) {
    told.board = key;
    tell('board', { board, width, height, moves: state.cursor, solved: isSolved(state) });
    learned(state);
  }
  const solution = result();
  if (solution && told.solution !== solution) tell('solution', solution.result);
  told.solution = solution;
}
