// Where moves were lost: of the game, of a replay, or of a pasted solution. A graph of the moves made
// plus those still needed, and at each loss the better move as a variation.

import { afterAll, direction } from './checks.js';
import { learn, proved, refused } from './distance.js';
import { $, on } from './dom.js';
import { same, source } from './grid.js';
import { Line } from './lines.js';
import { multiTile } from './notation.js';
import { compared } from './solving.js';
import { elapsed, line as shownLine, place, played } from './state.js';
import { foreground } from './task.js';
import { decimals, duration, number, phrase, sentences } from './text.js';

/** Milliseconds: between two drawings, and for the search of a board. */
const SLICE = 120;
const POSITION = 3000;
/** The size of the graph, and of its margins. */
const GRAPH = { width: 360, height: 150, left: 30, right: 8, top: 10, bottom: 22 };

let app;
/** The line that was analysed: {board, width, goal, moves, solution, seconds, line}; `at`, where it was left. */
let about = null;

export function init(the) {
  app = the;
  app.analyse = analyse;
  on('analyse', 'click', analyse);
  on('analyse-game', 'click', analyse);
  on('line-back', 'click', () => look(about.at));
  on('graph', 'click', clicked);
}

export function translate() {
  if (about) draw();
}

export function render(state, before) {
  if (about && (before?.start !== state.start || state.goal.text !== about.goal || gone(state))) about = null;
  $('analysis').hidden = !about;
  $('analyse').disabled = state.mode === 'edit' || !shownLine(state).moves;
  if (!about) return;
  $('line-back').hidden = state.solution?.source !== 'variation';
  cursor(state);
}

/** Whether the game has left the board from which the solution that was analysed began. */
const gone = (state) => about.solution && !same(played(state), about.board);

async function analyse() {
  const { state } = app;
  if (refused()) return;
  const { board, moves } = shownLine(state);
  if (!moves || !state.goal.board) return;
  const { solution, width } = state;
  const times = solution?.times?.at(-1) ?? (solution ? 0 : elapsed(state, performance.now()));
  const line = new Line({ board, width, goal: state.goal.board, moves }, (on) => proved(on, width));
  const mine = { board, width, goal: state.goal.text, moves, solution, seconds: times / 1000, line };
  about = mine;
  draw();
  // The result may be far from where it was asked for.
  $('analysis').scrollIntoView({ block: 'nearest' });
  await foreground('analysing', async () => {
    let drawn = performance.now();
    for (let at = line.next(); at >= 0; at = line.next()) {
      const one = { ...state, board: line.board(at) };
      const found = await app.request('solve', { ...place(one), timeLimit: POSITION });
      if (about !== mine) return;
      learn(one, found);
      line.take(at, found);
      if (performance.now() - drawn < SLICE) continue;
      draw();
      drawn = performance.now();
    }
    draw();
  }, () => {
    $('analysis').scrollIntoView({ block: 'nearest' });
    app.say($('analysis-text').textContent);
  });
}

/** Shows a board of the line, `at` moves behind its beginning; `better` is a variation from there. */
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

// ---- Words

function draw() {
  const { board, width, moves, seconds, line } = about;
  const [distances, losses, stretch] = [line.distances(), line.losses(), line.stretch()];
  const lost = losses.reduce((sum, loss) => sum + loss.lost, 0);
  const [first, last] = [distances[0], distances.at(-1)];
  const exact = ({ lower, upper }) => lower === upper;
  const needed = exact(first) ? number(first.lower) : phrase('range', { lower: first.lower, upper: first.upper ?? '?' });
  const count = (length) => phrase('countMoves', { count: length });
  const parts = [phrase('lineHas', { moves: count(moves.length), slides: phrase('countMultiTile', { count: multiTile(moves) }), needed })];
  if (last.upper !== 0) parts.push(phrase('lineEnds', { needed: exact(last) ? number(last.lower) : phrase('orMore', { lower: last.lower }) }));
  if (lost) parts.push(phrase(line.proved ? 'movesLost' : 'movesLostAtLeast', { moves: count(lost), places: phrase('inPlaces', { count: losses.length }) }));
  else if (line.proved) parts.push(phrase('noneLost'));
  const [from, to] = stretch;
  if (lost && to > from) parts.push(phrase('stretch', { moves: count(to - from), from: from + 1 }));
  if (seconds > 0) parts.push(phrase('pace', { time: duration(seconds), speed: decimals(moves.length / seconds, 2) }));
  $('analysis').hidden = false;
  $('analysis-text').textContent = sentences(parts);
  graph(distances, losses);
  compared(board, first);
  $('losses').replaceChildren(...losses.map((loss) => {
    const at = afterAll(board, width, moves.slice(0, loss.at));
    const what = (m) => ({ tile: at[source(at, width, m)], direction: direction(m) });
    const item = document.createElement('li');
    const words = phrase(loss.moves > 1 ? 'losesMany' : 'loses', { ...what(moves[loss.at]), tiles: loss.moves, lost: loss.lost });
    item.append(button(phrase('moveNumber', { number: loss.at + 1 }), () => look(loss.at)), ` ${words}`);
    if (loss.better) item.append(button(phrase('better', what(loss.better[0])), () => look(loss.at, loss.better)));
    return item;
  }));
}

function button(text, act) {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.addEventListener('click', act);
  return made;
}

// ---- The graph

function shape(name, attributes) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** The places of the graph, by the number of moves made and the length of the line with those to go. */
function scales(distances) {
  const { moves } = about;
  const totals = distances.flatMap(({ lower, upper }, i) => [i + lower, i + (upper ?? lower)]);
  const [least, most] = [Math.min(...totals), Math.max(...totals)];
  const { width, height, left, right, top, bottom } = GRAPH;
  const range = Math.max(most - least, 2);
  return {
    least,
    most,
    x: (at) => left + ((width - left - right) * at) / moves.length,
    y: (total) => height - bottom - ((height - top - bottom) * (total - least)) / range,
  };
}

function graph(distances, losses) {
  const { moves } = about;
  const { least, most, x, y } = scales(distances);
  const { width, height, left, right, bottom } = GRAPH;
  const parts = [];
  const text = (at, value, where, anchor) => {
    const made = shape('text', { x: at, y: value, 'text-anchor': anchor });
    made.textContent = where;
    return made;
  };
  for (const total of new Set([least, most])) {
    parts.push(shape('line', { class: 'rule', x1: left, x2: width - right, y1: y(total), y2: y(total) }), text(left - 6, y(total) + 4, total, 'end'));
  }
  parts.push(text(left, height - 6, '0', 'middle'), text(width - right, height - 6, `${moves.length}`, 'end'), text((left + width) / 2, height - 6, phrase('movesMade'), 'middle'));
  const points = (of) => distances.map((distance, i) => `${x(i).toFixed(1)},${y(i + of(distance)).toFixed(1)}`);
  const lower = points((distance) => distance.lower);
  if (distances.some((distance) => distance.lower !== distance.upper)) {
    const upper = points((distance) => distance.upper ?? distance.lower);
    parts.push(shape('polygon', { class: 'between', points: [...lower, ...upper.reverse()].join(' ') }));
  }
  parts.push(shape('polyline', { class: 'line', points: lower.join(' ') }));
  for (const loss of losses) {
    const at = loss.at + loss.moves;
    parts.push(shape('circle', { class: loss.lost > 2 ? 'loss large' : 'loss', cx: x(at), cy: y(at + distances[at].lower), r: loss.lost > 2 ? 5 : 3.5 }));
  }
  parts.push(shape('line', { id: 'graph-cursor', class: 'cursor', y1: 0, y2: height - bottom }));
  $('graph').replaceChildren(...parts);
  $('graph').setAttribute('aria-label', phrase('graphFrom', { least, most }));
  cursor(app.state);
}

/** Marks the board that is shown, where it is one of the line. */
function cursor(state) {
  const mark = $('graph-cursor');
  if (!mark) return;
  const { solution } = state;
  let at = -1;
  if (solution && about.solution && about.moves.startsWith(solution.moves.slice(0, solution.at))) at = solution.at;
  else if (!solution && !about.solution && about.moves.startsWith(state.moves.slice(0, state.cursor))) at = state.cursor;
  mark.setAttribute('visibility', at < 0 || at > about.moves.length ? 'hidden' : 'visible');
  const { x } = scales(about.line.distances());
  mark.setAttribute('x1', x(Math.max(at, 0)));
  mark.setAttribute('x2', x(Math.max(at, 0)));
}

function clicked(event) {
  const box = $('graph').getBoundingClientRect();
  const { width, left, right } = GRAPH;
  const share = (((event.clientX - box.left) / box.width) * width - left) / (width - left - right);
  const { moves } = about;
  look(Math.max(0, Math.min(moves.length, Math.round(share * moves.length))));
}
