// What is known of the board that is shown: whether it can be solved, the moves still needed, and
// the next of them.

import { $, on, plural, remembered } from './dom.js';
import { WORDS, after, inWords, same, source } from './grid.js';
import { place, played, isSolved } from './state.js';
import { foreground, isBusy } from './task.js';

/** Milliseconds: to wait for the next move, and for the search for the moves still needed. */
const PAUSE = 120;
const BRIEF = 800;

let app;
let redraw;
/** A board with its distance: {board, goal, moves, length, lower}. */
let known = null;
const brief = { running: false, again: false, timer: 0 };
let verdict = { key: '', text: '', solvable: true, reachable: [] };
/** The goal that the engine is reading. */
let reading = '';

/** The reason why the board cannot be solved, or ''. */
export const unsolvable = () => (verdict.solvable ? '' : verdict.text);

export function init(the, render) {
  app = the;
  redraw = render;
  on('hint', 'click', hint);
  on('mend', 'click', mend);
  on('other-goal', 'click', () => app.dispatch({ type: 'goal', goal: { text: verdict.reachable[0], board: null } }));
  remembered('show-togo', () => { togo(); refresh(); });
}

export function render(state) {
  follow(state);
  check(state);
  togo();
  queue();
}

/** Asks again what better tables may answer better. */
export function refresh() {
  if (known && known.length !== known.lower) known = null;
  check(app.state);
  search();
}

// ---- Solvability

async function readGoal(state) {
  const { text } = state.goal;
  const key = `${text}:${state.width}:${state.height}`;
  if (key === reading) return;
  reading = key;
  try {
    const { board } = await app.ask('goal', { goal: text, width: state.width, height: state.height });
    app.dispatch({ type: 'goal-read', text, board });
  } catch (error) {
    if (error.kind === 'input') app.fail(`The goal cannot be used: ${error.message}`);
  } finally {
    reading = '';
  }
}

async function check(state) {
  if (!state.goal.board) readGoal(state);
  const start = state.mode === 'edit' && state.editing === 'goal' ? played(state) : state.start;
  const request = place(state, start);
  const key = `${start}:${state.goal.text}`;
  if (key === verdict.key) return showVerdict(state);
  verdict = { key, text: '', solvable: true, reachable: [] };
  showVerdict(state);
  try {
    const answer = await app.ask('check', request);
    if (verdict.key !== key) return;
    const reason = answer.reason.replace(/: (un)?solvable\.?$/, '');
    verdict = { key, solvable: answer.solvable, reachable: answer.reachable, text: `${answer.solvable ? 'Solvable' : 'Cannot be solved'}: ${reason}` };
    if (!answer.solvable) app.say(verdict.text);
  } catch {
    if (verdict.key === key) verdict.key = '';
    return;
  }
  showVerdict(app.state);
  togo();
}

function showVerdict(state) {
  const line = $('verdict');
  const done = isSolved(state) && state.mode === 'play' && state.cursor > 0;
  line.textContent = done
    ? `Solved in ${plural(state.cursor, 'move')}${state.helped ? ', with help' : ''}!` : verdict.text;
  line.classList.toggle('won', done);
  line.classList.toggle('bad', !verdict.solvable && !done);
  const [other] = verdict.reachable;
  $('other-goal-row').hidden = !other || state.mode === 'solution' || (state.mode === 'edit' && state.editing === 'goal');
  $('other-goal').textContent = other ? `Choose the goal “${inWords(other)}”` : '';
  $('mend').hidden = verdict.solvable || state.mode !== 'edit';
}

/** Exchanges two tiles, which changes the parity of the permutation. */
function mend() {
  const { board } = app.state;
  const [a, b] = board.map((tile, cell) => [tile, cell]).filter(([tile]) => tile).slice(-2);
  app.dispatch({ type: 'exchange', a: a[1], b: b[1] });
}

// ---- The moves still needed

/** Moves along a known path need no search. */
function follow(state) {
  if (!known || known.goal !== state.goal.text) {
    known = null;
    return;
  }
  if (same(known.board, state.board)) return;
  const [first] = known.moves ?? '';
  const optimal = known.length === known.lower;
  if (first && optimal && same(after(known.board, state.width, first), state.board)) {
    known = {
      board: state.board, goal: known.goal, moves: known.moves.slice(1), length: known.length - 1, lower: known.lower - 1,
    };
  } else {
    known = null;
  }
}

export function queue() {
  clearTimeout(brief.timer);
  brief.timer = setTimeout(search, PAUSE);
}

async function search() {
  const { state } = app;
  if (!$('show-togo').checked || state.mode !== 'play' || known || isBusy() || !state.goal.board) return;
  if (brief.running) {
    brief.again = true;
    return;
  }
  if (!verdict.solvable) return;
  brief.running = true;
  brief.again = false;
  try {
    learn(state, await app.request('solve', { ...place(state), timeLimit: BRIEF }));
  } catch {
    /* Without an answer the number stays away; the next move asks again. */
  }
  brief.running = false;
  if (brief.again) queue();
}

function learn(state, found) {
  if (same(app.state.board, state.board) && app.state.goal.text === state.goal.text) {
    known = {
      board: state.board, goal: state.goal.text, moves: found.moves, length: found.length, lower: found.lower_bound,
    };
    togo();
    if (app.moved && !isSolved(app.state)) app.say(`${app.moved}. ${needed()} to go.`);
    app.moved = null;
  }
}

function needed() {
  if (!known) return '–';
  const { length, lower } = known;
  if (length === lower) return String(length);
  return length === null ? `at least ${lower}` : `${lower} to ${length}`;
}

function togo() {
  const { state } = app;
  const box = $('togo');
  if (state.mode === 'solution') box.textContent = state.solution.moves.length - state.solution.at;
  else if (state.mode === 'edit' || !$('show-togo').checked) box.textContent = '–';
  else if (isSolved(state)) box.textContent = '0';
  else if (!verdict.solvable) box.textContent = '∞';
  else if (!known) box.textContent = '…';
  else if (known.length === known.lower) box.textContent = known.length;
  else {
    const range = document.createElement('small');
    range.textContent = known.length === null ? `≥ ${known.lower}` : `${known.lower}–${known.length}`;
    box.replaceChildren(range);
  }
}

export async function hint() {
  const { state } = app;
  if (isSolved(state)) return app.say('The board is solved.');
  const search = () => app.request('solve', { ...place(state), timeLimit: 3000 });
  const found = known?.moves ? known : await foreground('Looking for a hint', search, (answer) => {
    learn(state, answer);
    return known;
  });
  if (!found || !same(app.state.board, state.board)) return;
  if (!found.moves) return app.fail('No solution was found in three seconds, so there is no hint.');
  const [first] = found.moves;
  app.dispatch({ type: 'helped' });
  app.hint = source(state.board, state.width, first);
  redraw();
  app.say(`Hint: slide ${state.board[app.hint]} ${WORDS[first].toLowerCase()}.`);
}
