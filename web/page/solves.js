// The solves of this browser: averages, a graph, and a list whose games can be opened. Only boards that
// Shuffle drew count, played by hand and without help.

import { app } from './app.js';
import { average, csv, mean } from './averages.js';
import { $, button, element, on, store } from './dom.js';
import * as facts from './facts.js';
import { multiTile, rowText } from './grid.js';
import { copied } from './message.js';
import { replayLink } from './replay.js';
import { nameOf } from './setup.js';
import { elapsed, isSolved, line } from './state.js';
import { clock, current, decimals, number, phrase } from './text.js';
import { inDigits } from './togo.js';

const KEY = 'taquin.solves';
/** The most that are kept, and shown. */
const MOST = 5000;
const SHOWN = 100;
const FIELDS = ['when', 'width', 'height', 'goal', 'seconds', 'moves', 'slides', 'optimum', 'board', 'line', 'times'];

/** Whether the list could be written last; otherwise the stored one lacks solves of this tab. */
let kept = true;
let all = read() ?? [];
let kind = '';

export function init() {
  on('solves-csv', 'click', () => store('taquin-solves.csv', 'text/csv', csv(all, FIELDS)));
  on('solves-json', 'click', () => store('taquin-solves.json', 'application/json', `${JSON.stringify(all)}\n`));
  on('solves-clear', 'click', clear);
  on('share-day', 'click', share);
  on('share-replay', 'click', async () => {
    const { board, moves, at, times } = line(app.state);
    await copied(await replayLink(board, app.state.width, moves.slice(0, at), times.slice(0, at)), 'share-replay');
  });
  // Another tab has added solves, or cleared the list.
  addEventListener('storage', ({ key }) => {
    if (key !== KEY && key !== null) return;
    all = read() ?? all;
    draw(app.state);
  });
}

export function render(state) {
  after(state);
  const now = `${state.width}×${state.height} ${state.goal.text}`;
  if (now === kind) return;
  kind = now;
  draw(state);
}

export function translate() {
  draw(app.state);
}

/** Whether two solves are the same game. */
const isSame = (a, b) => a.when === b.when && a.board === b.board;

/** Notes the end of a game, and finds out its optimum. */
export async function add(state) {
  const { width, height, goal, start, moves } = state;
  let solve = null;
  if (state.drawn && state.byHand && !state.helped && !state.labels) {
    solve = {
      when: new Date().toISOString(), width, height, goal: goal.text, seconds: elapsed(state, 0) / 1000,
      moves: moves.length, slides: multiTile(moves), optimum: optimum(state), board: rowText(start, width), line: moves,
      times: state.times.join('_'),
    };
    change((list) => [...list, solve]);
    after(app.state);
  }
  if (optimum(state) !== null) return;
  try {
    await facts.search(state, start, 5000);
  } catch { /* The optimum stays unknown. */ }
  if (solve) change((list) => list.map((other) => (isSame(other, solve) ? { ...other, optimum: optimum(state) } : other)));
  after(app.state);
}

const optimum = ({ start, width }) => facts.distance(start, width) ?? null;

/** Changes the list. Another tab may have changed it, too. */
function change(how) {
  all = how(read() ?? all).slice(-MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
    kept = true;
  } catch {
    // The list lasts as long as the page where storage is refused.
    kept = false;
  }
  draw(app.state);
}

export const learned = after;

/** The facts that a person wants to know after a game. */
function after(state) {
  const done = isSolved(state) && state.mode === 'play' && state.cursor > 0;
  $('after').hidden = !done;
  if (!done) return;
  const mean5 = average(these(state).map(({ seconds }) => seconds), 5);
  $('after-title').textContent = phrase(state.helped ? 'solvedWithHelp' : 'solvedIn', { count: state.cursor });
  $('after-optimum').textContent = inDigits(facts.of(state.start, state.width));
  $('after-moves').textContent = number(state.cursor);
  $('after-time').textContent = clock(elapsed(state, performance.now()), 3);
  $('after-average').textContent = mean5 === null ? '–' : clock(1000 * mean5, 2);
  $('share-day').hidden = !state.day;
}

async function share() {
  const { state } = app;
  const text = phrase('dayResult', {
    day: state.day, moves: phrase('countMoves', { count: state.cursor }), optimum: optimum(state) ?? '?', time: clock(elapsed(state, 0), 1),
  });
  await copied(`${text} ${location.href.replace(/&.*/, '')}`, 'share-day');
}

let asked = 0;
function clear() {
  // A second press within some seconds is meant.
  if (Date.now() - asked > 5000) {
    asked = Date.now();
    $('solves-clear').textContent = phrase('reallyClear');
    setTimeout(() => { $('solves-clear').textContent = phrase('clear'); }, 5000);
    return;
  }
  asked = 0;
  change(() => []);
  $('solves-clear').textContent = phrase('clear');
}

const these = ({ width, height, goal }) => all.filter((solve) => solve.width === width && solve.height === height && solve.goal === goal.text);

function draw(state) {
  const { width, height, goal } = state;
  const list = these(state);
  const times = list.map(({ seconds }) => seconds);
  const what = [`${width}×${height}`];
  if (goal.text !== 'blank-last') what.push(phrase(nameOf(state) ? `goal-${nameOf(state)}` : 'aGoalOfYourOwn'));
  $('solves-text').textContent = phrase('countSolves', { count: list.length, kind: what.join(', ') });
  for (const id of ['statistics', 'solves-box']) $(id).hidden = !list.length;
  $('solves-graph').toggleAttribute('hidden', list.length < 2);
  if (!list.length) return;
  const time = (seconds) => (seconds === null ? '–' : clock(1000 * seconds, 2));
  $('statistics').replaceChildren(...[
    ['best', clock(1000 * Math.min(...times), 3)],
    ...[5, 12, 100].map((count) => ['averageOf', time(average(times, count)), { count }]),
    ['movesMean', decimals(mean(list.map(({ moves }) => moves)), 1)],
    ['movesPerSecond', decimals(list.reduce((sum, { moves }) => sum + moves, 0) / Math.max(times.reduce((sum, one) => sum + one, 0), 0.001), 2)],
  ].map(([key, value, values]) => element('div', {}, element('dt', {}, phrase(key, values)), element('dd', {}, value))));
  graph(times.slice(-SHOWN));
  $('solves').replaceChildren(...list.slice(-SHOWN).reverse().map(row));
}

/** A solve of the list: its date opens it. */
function row(solve) {
  const { when, moves, optimum: least, seconds } = solve;
  const date = new Date(when).toLocaleString(current(), { dateStyle: 'short', timeStyle: 'short' });
  const title = phrase('deleteSolve');
  const remove = button('', () => change((list) => list.filter((other) => !isSame(other, solve))), { class: 'icon', title, 'aria-label': title });
  remove.append($('message').querySelector('svg').cloneNode(true));
  const cells = [button(date, () => open(solve), { class: 'quiet' }), number(moves), least ?? '–', clock(1000 * seconds, 3), remove];
  return element('tr', {}, ...cells.map((cell) => element('td', {}, cell)));
}

function open({ width, height, board, goal, line, times }) {
  const tiles = board.split(/[ /]+/).map(Number);
  if (!app.dispatch({ type: 'open', width, height, board: tiles, goal: { text: goal } })) return;
  app.dispatch({ type: 'solution', moves: line, source: times ? 'replay' : 'line', times: times ? times.split('_').map(Number) : undefined });
}

/** The times, the last on the right, next to their mean. */
function graph(times) {
  const most = Math.max(...times, 0.001);
  const [width, height] = [360, 72];
  const [x, y] = [(i) => 8 + ((width - 16) * i) / Math.max(times.length - 1, 1), (seconds) => height - 8 - ((height - 16) * seconds) / most];
  const level = y(mean(times)).toFixed(1);
  const points = times.map((seconds, i) => `${x(i).toFixed(1)},${y(seconds).toFixed(1)}`);
  $('solves-graph').setAttribute('viewBox', `0 0 ${width} ${height}`);
  $('solves-graph').setAttribute('preserveAspectRatio', 'none');
  $('solves-graph').innerHTML = `<line class="rule" x1="8" x2="${width - 8}" y1="${level}" y2="${level}"/><polyline class="path" points="${points.join(' ')}" vector-effect="non-scaling-stroke"/>`;
}

/** The stored list; null where there is none to rely on. */
function read() {
  if (!kept) return null;
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    // Older solves have no optimum and no times.
    return Array.isArray(stored) ? stored.filter((solve) => FIELDS.every((field) => ['optimum', 'times'].includes(field) || field in Object(solve))) : [];
  } catch {
    return null;
  }
}
