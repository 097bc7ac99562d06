// Questions to the engine about the board: whether it can be solved, the moves still needed, a hint,
// the optimal solution, and all of them.

import { $, duration, grouped, on, plural, remembered } from './dom.js';
import { after, same, source, WORDS } from './grid.js';
import { multiTile } from './notation.js';
import { isSolved, played } from './state.js';

/** Milliseconds: to wait for the next move, and for the search for the moves still needed. */
const PAUSE = 120;
const BRIEF = 800;
const MOST = 1000;

let app;
let redraw;
/** The search that a person waits for. */
let task = null;
/** A board with its distance: {board, goal, moves, length, lower}. */
let known = null;
let brief = { running: false, again: false, timer: 0 };
let verdict = { key: '', text: '', solvable: true };
/** The solutions listed: {paths, count, at}. */
let list = null;
/** The answer of the last search, for the export. */
let last = null;

export const result = () => last;

const place = (state, board = state.board) => ({
  board, width: state.width, height: state.height, goal: state.goal.text,
});

export function init(the, render) {
  app = the;
  redraw = render;
  on('solve', 'click', solve);
  on('hint', 'click', hint);
  on('cancel', 'click', cancel);
  on('all', 'click', all);
  on('all-back', 'click', () => another(-1));
  on('all-forth', 'click', () => another(1));
  on('mend', 'click', mend);
  remembered('show-togo', () => { togo(); refresh(); });
}

export function render(state, before) {
  if (!before || before.board !== state.board || before.goal !== state.goal || before.mode !== state.mode) {
    follow(state);
    check(state);
    queue();
  }
  const foreign = before && (before.start !== state.start || before.goal.text !== state.goal.text);
  if (foreign && task) cancel();
  if (foreign || (before?.mode === 'solution' && state.mode !== 'solution')) list = null;
  if (foreign) last = null;
  if (state.solution && before?.solution?.moves !== state.solution.moves && !['solve', 'all'].includes(state.solution.source)) {
    judge(state);
  }
  if (foreign && !state.solution) idle();
  togo();
  moves(state);
  $('all-row').hidden = !(last?.result.optimal && state.mode === 'solution');
  $('all-steps').hidden = !list;
  if (list) {
    const shown = list.paths.length;
    $('all-text').textContent = `${list.at + 1} of ${grouped(list.count)}`
      + (BigInt(list.count) > BigInt(shown) ? ` (the first ${grouped(shown)} are listed)` : '');
    $('all-back').disabled = list.at === 0;
    $('all-forth').disabled = list.at === shown - 1;
  }
  $('all').hidden = Boolean(list);
}

/** Asks again what better tables may answer better. */
export function refresh() {
  if (known && known.length !== known.lower) known = null;
  verdict.key = '';
  if (!app.state.goal.board) readGoal(app.state);
  check(app.state);
  queue();
}

async function readGoal(state) {
  const { text } = state.goal;
  try {
    const { board } = await app.ask('goal', { goal: text, width: state.width, height: state.height });
    app.dispatch({ type: 'goal-read', text, board });
  } catch (error) {
    app.fail(`The goal cannot be used: ${error.message}`);
  }
}

// ---- Solvability

async function check(state) {
  if (!state.goal.board) readGoal(state);
  const start = state.mode === 'edit' && state.editing === 'goal' ? played(state) : state.start;
  const request = place(state, start);
  const key = `${start}:${state.goal.text}`;
  if (key === verdict.key) return showVerdict(state);
  verdict = { key, text: '', solvable: true };
  showVerdict(state);
  try {
    const answer = await app.ask('check', request);
    if (verdict.key !== key) return;
    const reason = answer.reason.replace(/: (un)?solvable\.?$/, '');
    verdict = { key, solvable: answer.solvable, text: `${answer.solvable ? 'Solvable' : 'Cannot be solved'}: ${reason}` };
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
  line.classList.toggle('bad', !verdict.solvable && !done);
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

function queue() {
  clearTimeout(brief.timer);
  brief.timer = setTimeout(search, PAUSE);
}

async function search() {
  const { state } = app;
  if (!$('show-togo').checked || state.mode !== 'play' || known || task || !state.goal.board) return;
  if (brief.running) {
    brief.again = true;
    return;
  }
  if (verdict.text && !verdict.solvable) return;
  brief.running = true;
  brief.again = false;
  try {
    learn(state, (await app.engine.solve({ ...place(state), timeLimit: BRIEF })));
  } catch {
    /* Without an answer the number stays away; the next move asks again. */
  }
  brief.running = false;
  if (brief.again) queue();
}

function learn(state, answer) {
  if (answer?.ok === false) return null;
  const found = answer.result ?? answer;
  if (same(app.state.board, state.board) && app.state.goal.text === state.goal.text) {
    known = {
      board: state.board, goal: state.goal.text, moves: found.moves, length: found.length, lower: found.lower_bound,
    };
    togo();
    if (app.moved && !isSolved(app.state)) app.say(`${app.moved}. ${needed()} to go.`);
    app.moved = null;
  }
  return found;
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
  else if (verdict.text && !verdict.solvable) box.textContent = '∞';
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
  const found = known?.moves ? known : await foreground('Looking for a hint', () => app.engine.solve({ ...place(state), timeLimit: 3000 }), (answer) => {
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

// ---- Searches that a person waits for

/** Runs a search with the busy line and Cancel. The answer, or undefined where there is none. */
export async function foreground(text, start, then) {
  if (task) cancel();
  const mine = { begun: performance.now() };
  task = mine;
  clearTimeout(brief.timer);
  const show = () => {
    $('busy-text').textContent = `${text}… ${((performance.now() - mine.begun) / 1000).toFixed(1)} s`;
  };
  show();
  mine.clock = setInterval(show, 100);
  // A search that ends at once does not make the page flicker.
  mine.late = setTimeout(() => { $('busy').hidden = false; }, 150);
  try {
    const answer = await start();
    if (answer?.ok === false) throw Object.assign(new Error(answer.error), { kind: answer.kind });
    if (task !== mine) return undefined;
    end(mine);
    return await then(answer);
  } catch (error) {
    if (task === mine) end(mine);
    if (error.kind !== 'cancelled') app.fail(`${text} has failed: ${error.message}`);
    return undefined;
  } finally {
    if (!task) queue();
  }
}

function end(mine) {
  clearInterval(mine.clock);
  clearTimeout(mine.late);
  if (task === mine) task = null;
  $('busy').hidden = true;
}

export function cancel() {
  if (!task) return false;
  end(task);
  app.engine.cancel();
  $('proof').textContent = 'The search was cancelled.';
  app.say('Cancelled.');
  return true;
}

export const escape = () => Boolean(task) && cancel();

function solve() {
  const { state } = app;
  if (verdict.text && !verdict.solvable) {
    app.fail(`${verdict.text}. Edit the board, or choose another goal.`);
    return;
  }
  if (isSolved(state)) {
    $('proof').textContent = 'The board is solved.';
    app.say('The board is solved.');
    return;
  }
  const limit = $('limit').value;
  const request = place(state);
  if (limit) request.timeLimit = Number(limit);
  foreground('Solving', () => app.engine.solve(request), (answer) => {
    const found = answer.result ?? answer;
    last = { board: state.board, width: state.width, result: found };
    list = null;
    proof(found);
    if (!found.solved) {
      app.say($('proof').textContent);
      return;
    }
    app.dispatch({ type: 'solution', moves: found.moves, source: 'solve' });
    $('playing').focus();
    app.say($('proof').textContent);
  });
}

function proof(found) {
  const effort = `${plural(found.generated, 'node')} in ${duration(found.seconds)} with ${found.heuristic}.`;
  const lines = [];
  if (!found.solved) {
    lines.push(`No solution yet: at least ${plural(found.lower_bound, 'move')} are needed.`);
  } else if (found.optimal) {
    lines.push(`${plural(found.length, 'move')}, optimal`, ` (${multiTile(found.moves)} multi-tile). `,
      `Proved: no solution has fewer than ${found.lower_bound}.`);
  } else {
    lines.push(`${plural(found.length, 'move')}, the best found`,
      `. At least ${found.lower_bound} are needed: a gap of ${found.length - found.lower_bound}.`);
  }
  if (found.stopped) lines.push(` The search was ended by the limit of ${found.stopped}.`);
  const [head, ...rest] = lines;
  const strong = document.createElement('b');
  strong.textContent = head;
  $('proof').replaceChildren(strong, ...rest, ` ${effort}`);
}

function idle() {
  const strong = document.createElement('b');
  strong.textContent = 'Solve';
  $('proof').replaceChildren('Press ', strong, ' for a solution with the fewest moves, proved.');
}

/** Compares a solution from elsewhere with the optimum. */
function judge(state) {
  const { length } = state.solution.moves;
  const from = played(state);
  const what = `This solution has ${plural(length, 'move')} (${multiTile(state.solution.moves)} multi-tile)`;
  $('proof').textContent = `${what}.`;
  const end = state.solution.moves;
  foreground('Comparing with the optimum', () => app.engine.solve({ ...place(state, from), timeLimit: 5000 }), (answer) => {
    const found = answer.result ?? answer;
    if (app.state.solution?.moves !== end) return;
    last = { board: from, width: state.width, result: found };
    if (found.optimal && found.length === length) $('proof').textContent = `${what}. It is optimal: no solution is shorter.`;
    else if (found.optimal) $('proof').textContent = `${what}. An optimal solution has ${found.length}.`;
    else $('proof').textContent = `${what}. At least ${found.lower_bound} are needed.`;
    redraw();
  });
}

// ---- All optimal solutions

function all() {
  const { state } = app;
  if (!last) return;
  const request = { ...place(state, last.board), most: MOST };
  foreground('Counting all optimal solutions', () => app.engine.solutions(request), ({ count, paths }) => {
    last = { ...last, solutions: String(count), all: paths };
    const at = paths.indexOf(app.state.solution?.moves);
    list = { paths, count: String(count), at: Math.max(at, 0) };
    app.say(`${plural(count, 'optimal solution')}.`);
    another(0);
  });
}

function another(step) {
  list.at = Math.max(0, Math.min(list.paths.length - 1, list.at + step));
  app.dispatch({ type: 'solution', moves: list.paths[list.at], source: 'all', at: app.state.solution?.at ?? 0 });
  redraw();
}

// ---- The moves as text

function moves(state) {
  const box = $('solution-moves');
  box.hidden = !state.solution;
  if (!state.solution) return;
  const { moves: text, at } = state.solution;
  const made = document.createElement('span');
  made.className = 'made';
  made.textContent = text.slice(0, at);
  const next = document.createElement('mark');
  next.textContent = text.slice(at, at + 1);
  box.replaceChildren(made, next, text.slice(at + 1));
}
