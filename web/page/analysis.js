// The line that is shown: its moves as buttons, coloured by what they lose, four figures, and the graph of
// the moves made plus those still needed. Results of searches are shown at once; an analysis finds out the
// rest, and the better move at each loss.

import { app } from './app.js';
import { inWords, slid } from './checks.js';
import { $, button, element, on, shape } from './dom.js';
import * as facts from './facts.js';
import { along, manhattan, multiTile, same, turned } from './grid.js';
import { say } from './message.js';
import { request } from './start.js';
import { elapsed, isOneBoard, line, place, played } from './state.js';
import * as tabs from './tabs.js';
import { foreground } from './task.js';
import { decimals, duration, number, phrase, sentences } from './text.js';
import { inDigits } from './togo.js';
import { refused } from './verdict.js';

/** Milliseconds for the search of a board. */
const POSITION = 3000;
/** The margins of the graph, and the most moves that have a button. */
const GRAPH = { left: 34, right: 14, top: 24, bottom: 20 };
const MOST = 2000;

/** The line that was analysed: {board, width, goal, moves, solution, seconds, found}; `at`: its last place. */
let about = null;
/** The line that is shown: {key, board, width, moves, boards, keys}, and what is known of its boards. */
let shown = { key: '', keys: [] };
let known = [];

export function init() {
  on('analyse', 'click', analyse);
  on('analyse-game', 'click', analyse);
  on('line-back', 'click', () => look(about.at));
  on('graph', 'click', clicked);
  new ResizeObserver(() => graph()).observe($('graph'));
}

export function translate() {
  shown = { key: '', keys: [] };
  if (about?.found) report();
}

export function render(state, before) {
  if (about && (before?.start !== state.start || state.goal.text !== about.goal || left(state))) about = null;
  const own = line(state);
  // Another solution has not been analysed.
  $('analysis').hidden = !about?.found || (about.moves !== own.moves && state.solution?.source !== 'variation');
  $('analyse').disabled = state.mode === 'edit' || !own.moves || !isOneBoard(state);
  $('line-back').hidden = !about || state.solution?.source !== 'variation';
  const key = `${state.width}:${own.board}:${own.moves}:${$('directions').value}`;
  if (key !== shown.key) {
    const boards = [...along(own.board, state.width, own.moves.slice(0, MOST))];
    shown = { key, ...own, width: state.width, boards, keys: boards.map((board) => facts.keyOf(board, state.width)) };
    known = [];
    list();
    splits(state);
  }
  shown.at = own.at;
  draw(state);
}

export const learned = draw;

/** Whether the game has left the board from which the solution that was analysed began. */
const left = (state) => about.solution && !same(played(state), about.board);

/** The facts that may be told of the boards of the line. */
function distances(state) {
  const hidden = state.mode === 'edit' || (state.mode === 'play' && !$('show-togo').checked && !about?.found);
  return shown.keys.map((key) => (hidden ? facts.NOTHING : facts.at(key)));
}

export async function analyse() {
  const { state } = app;
  if (refused()) return;
  const { board, moves, times } = line(state);
  if (!moves || !state.goal.board) return;
  const { solution, width } = state;
  const time = solution ? times.at(-1) ?? 0 : elapsed(state, performance.now());
  const mine = { board, width, goal: state.goal.text, moves, solution, seconds: time / 1000, found: null };
  about = mine;
  tabs.open('analyse');
  const first = facts.of(board, width);
  const proof = facts.exact(first) !== undefined && first.moves;
  const asked = { ...place(state, board), line: moves, timeLimit: POSITION, solution: proof || undefined };
  await foreground('analysing', async (signal) => {
    do {
      mine.found = await request('analyse', asked, { signal });
      if (about !== mine) return;
      asked.solution = undefined;
      const boards = [...along(board, width, moves)];
      mine.found.distances.forEach((distance, i) => facts.learn(boards[i], width, distance));
      for (const { at, better } of mine.found.losses) {
        if (better) facts.learn(boards[at], width, { lower: better.length, upper: better.length, moves: better });
      }
      report();
      draw(app.state);
    } while (!mine.found.done);
  }, () => {
    $('analysis').scrollIntoView({ block: 'nearest' });
    say($('analysis-text').textContent);
  });
}

/** Shows a board of the line, after `at` moves; `better` is a variation from there. */
function look(at, better = null) {
  const { moves } = about;
  about.at = at;
  if (!about.solution && app.state.moves.startsWith(moves)) {
    app.dispatch({ type: 'look', to: at });
    if (better) app.dispatch({ type: 'solution', moves: better, source: 'variation' });
    return;
  }
  if (!about.solution) {
    // The game has gone another way since.
    app.dispatch({ type: 'look', to: 0 });
    about.solution = { moves, source: 'line' };
  }
  if (better) app.dispatch({ type: 'solution', moves: moves.slice(0, at) + better, source: 'variation', at });
  else app.dispatch({ ...about.solution, type: 'solution', at });
}

/** Shows the board after so many moves of the line that is shown. */
const go = (to) => app.dispatch(app.state.solution ? { type: 'step', to } : { type: 'look', to });

// ---- Words and figures

function report() {
  const { board, width, moves, seconds, found } = about;
  const losses = found.losses.filter(({ at }) => about.solution || !app.state.taught.includes(at));
  const lost = losses.reduce((sum, loss) => sum + loss.lost, 0);
  const [first, last] = [facts.of(board, width), found.distances.at(-1)];
  const needed = facts.exact(first) === undefined ? phrase('range', { lower: first.lower, upper: first.upper ?? '?' }) : number(first.lower);
  const count = (length) => phrase('countMoves', { count: length });
  const parts = [phrase('lineHas', { moves: count(moves.length), slides: phrase('countSlides', { count: multiTile(moves) }), needed })];
  if (last.upper !== 0) parts.push(phrase('lineEnds', { needed: facts.exact(last) === undefined ? phrase('orMore', { lower: last.lower }) : number(last.lower) }));
  const all = found.distances.every((distance) => facts.exact(distance) !== undefined);
  if (lost) parts.push(phrase(all ? 'movesLost' : 'movesLostAtLeast', { moves: count(lost), places: phrase('inPlaces', { count: losses.length }) }));
  else if (all) parts.push(phrase('noneLost'));
  const { start: from, end: to } = found.stretch;
  if (lost && to > from) parts.push(phrase('stretch', { moves: count(to - from), from: from + 1 }));
  if (seconds > 0) parts.push(phrase('pace', { time: duration(seconds), speed: decimals(moves.length / seconds, 2) }));
  $('analysis').hidden = false;
  $('analysis-text').textContent = sentences(parts);
  const boards = [...along(board, width, moves)];
  $('losses').replaceChildren(...losses.map((loss) => {
    const at = boards[loss.at];
    const words = phrase(loss.moves > 1 ? 'losesMany' : 'loses', { ...slid(at, width, moves[loss.at]), tiles: loss.moves, lost: loss.lost });
    const item = element('li', {}, button(phrase('moveNumber', { number: loss.at + 1 }), () => look(loss.at)), ` ${words}`);
    if (loss.better) item.append(button(phrase('better', slid(at, width, loss.better[0])), () => look(loss.at, loss.better)));
    return item;
  }));
}

/** The moves as buttons. */
function list() {
  const { moves, width, boards } = shown;
  const letters = turned(moves.slice(0, MOST), $('directions').value);
  $('solution-moves').replaceChildren(...[...letters].map((letter, i) => {
    const title = `${phrase('moveNumber', { number: i + 1 })}: ${inWords(boards[i], width, moves[i])}`;
    return element('li', {}, button(letter, () => go(i + 1), { title, 'aria-label': `${letter}, ${title}` }));
  }));
}

/** Colours the moves, and shows the figures and the graph. */
function draw(state) {
  const now = distances(state);
  const changed = now.length !== known.length || now.some((one, i) => one !== known[i]);
  known = now;
  if (changed) colour();
  mark();
}

/** Marks the last move made. */
function mark() {
  const { at } = shown;
  const items = $('solution-moves').children;
  for (const one of $('solution-moves').querySelectorAll('[aria-current], [tabindex="0"]')) {
    one.removeAttribute('aria-current');
    one.tabIndex = -1;
  }
  const made = items[Math.max(at - 1, 0)]?.firstElementChild;
  if (made) made.tabIndex = 0;
  if (made && at) {
    made.setAttribute('aria-current', 'true');
    $('solution-moves').scrollTop = made.offsetTop - $('solution-moves').clientHeight / 2;
  }
  const cursor = document.getElementById('graph-cursor');
  for (const side of ['x1', 'x2']) cursor?.setAttribute(side, across(at));
}

function colour() {
  const { moves } = shown;
  let [lost, told] = [0, 0];
  const items = $('solution-moves').children;
  for (let i = 0; i < items.length; i++) {
    const change = changeAt(i);
    // A move that a hint named is not held against anybody.
    const taught = isTaught(i);
    if (change) told++;
    if (change > 0 && !taught) lost++;
    items[i].firstElementChild.className = { '-1': 'best', 1: taught ? 'taught' : 'lost' }[change] ?? '';
  }
  const all = moves.length > 0 && told === moves.length;
  $('line-moves').textContent = number(moves.length);
  const [first = facts.NOTHING] = known;
  $('line-optimum').textContent = first === facts.NOTHING ? '–' : inDigits(first);
  $('line-lost').textContent = told ? `${all ? '' : '≥ '}${number(2 * lost)}` : '–';
  $('line-accuracy').textContent = all ? number(1 - lost / moves.length, { style: 'percent' }) : '–';
  graph();
}

/** Whether a hint named a move of the game that is shown. */
const isTaught = (i) => !app.state.solution && app.state.taught.includes(i);

/** The change of the moves still needed by a move: 1 or -1, or 0 where that is not known. */
function changeAt(i) {
  const [from, to] = [facts.exact(known[i]), facts.exact(known[i + 1])];
  return from === undefined || to === undefined ? 0 : to - from;
}

/** The parts into which the splits divide a line. */
const PARTS = 4;

/** The line in quarters: the time of each, its moves per second, and the Manhattan distance after it. */
function splits(state) {
  const { moves, boards, times } = shown;
  const goal = state.goal.board;
  $('splits').hidden = boards.length !== moves.length + 1 || moves.length < PARTS || !goal || Boolean(state.labels);
  if ($('splits').hidden) return;
  const end = (part) => Math.round((moves.length * part) / PARTS);
  const timed = times.length === moves.length;
  $('splits-rows').replaceChildren(...Array.from({ length: PARTS }, (_, part) => {
    const [from, to] = [end(part), end(part + 1)];
    const seconds = timed ? (times[to - 1] - (from ? times[from - 1] : 0)) / 1000 : 0;
    const cells = [from + 1 === to ? number(to) : `${number(from + 1)}–${number(to)}`, timed ? decimals(seconds, 2) : '–', seconds ? decimals((to - from) / seconds, 2) : '–',
      number(manhattan(boards[to], goal, state.width))];
    return element('tr', {}, ...cells.map((cell) => element('td', {}, cell)));
  }));
}

// ---- The graph

/** The place of a board of the line across the graph. */
function across(at) {
  const { left, right } = GRAPH;
  return (left + (($('graph').clientWidth - left - right) * at) / Math.max(known.length - 1, 1)).toFixed(1);
}

function graph() {
  const box = $('graph');
  const { clientWidth: width, clientHeight: height } = box;
  const { left: west, right: east, top, bottom } = GRAPH;
  const points = known.flatMap((distance, i) => (facts.exact(distance) !== undefined || (about?.found && distance.lower) ? [[i, i + distance.lower, i + (distance.upper ?? distance.lower)]] : []));
  const totals = points.flatMap(([, lower, upper]) => [lower, upper]);
  const [least, most] = totals.length ? [Math.min(...totals), Math.max(...totals)] : [0, 0];
  const x = across;
  const y = (total) => (height - bottom - ((height - top - bottom) * (total - least)) / Math.max(most - least, 2)).toFixed(1);
  const parts = [];
  if (points.length) {
    for (const total of new Set([least, most])) {
      parts.push(shape('line', { class: 'rule', x1: west, x2: width - east, y1: y(total), y2: y(total) }),
        shape('text', { x: west - 6, y: Number(y(total)) + 4, 'text-anchor': 'end' }, total));
    }
    const lower = points.map(([i, total]) => `${x(i)},${y(total)}`);
    const upper = points.map(([i, , total]) => `${x(i)},${y(total)}`);
    if (points.some(([, from, to]) => from !== to)) parts.push(shape('polygon', { class: 'between', points: [...lower, ...upper.reverse()].join(' ') }));
    parts.push(shape('polyline', { class: 'path', points: lower.join(' ') }));
    for (let i = 1; i < known.length; i++) {
      if (changeAt(i - 1) === 1 && !isTaught(i - 1)) parts.push(shape('circle', { class: 'loss', cx: x(i), cy: y(i + known[i].lower), r: 3.5 }));
    }
  }
  parts.push(shape('text', { x: width / 2, y: height - 6, 'text-anchor': 'middle' }, phrase('movesMade')),
    shape('text', { x: west, y: height - 6, 'text-anchor': 'middle' }, '0'), shape('text', { x: 10, y: 14 }, phrase('graph')));
  if (shown.moves) {
    parts.push(shape('text', { x: width - east, y: height - 6, 'text-anchor': 'middle' }, number(shown.moves.length)),
      shape('line', { id: 'graph-cursor', class: 'cursor', x1: x(shown.at), x2: x(shown.at), y1: top - 4, y2: height - bottom }));
  }
  box.classList.toggle('empty', !shown.moves);
  box.setAttribute('viewBox', `0 0 ${width || 1} ${height || 1}`);
  box.replaceChildren(...parts);
  box.setAttribute('aria-label', points.length ? phrase('graphFrom', { least, most }) : phrase('graph'));
}

function clicked(event) {
  const box = $('graph').getBoundingClientRect();
  const share = (event.clientX - box.left - GRAPH.left) / (box.width - GRAPH.left - GRAPH.right);
  if (shown.moves) go(Math.max(0, Math.min(shown.moves.length, Math.round(share * shown.moves.length))));
}
