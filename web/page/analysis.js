// The line that is shown: its moves as buttons, coloured by what they lose, four figures, and the graph of
// the moves made plus those still needed. Results of searches are shown at once; an analysis finds out the
// rest, and the better move at each loss.

import { direction } from './checks.js';
import { learn, proved, refused } from './distance.js';
import { $, button, element, on, shape } from './dom.js';
import { after, multiTile, same, source, turned } from './grid.js';
import { compared } from './solving.js';
import { elapsed, place, played } from './state.js';
import { foreground } from './task.js';
import { decimals, duration, number, phrase, sentences } from './text.js';

/** Milliseconds for the search of a board. */
const POSITION = 3000;
/** The margins of the graph, and the most moves that have a button. */
const GRAPH = { left: 34, right: 14, top: 24, bottom: 20 };
const MOST = 2000;

let app;
/** The line that was analysed: {board, width, goal, moves, solution, seconds, found}; `at`: its last place. */
let about = null;
/** The line that is shown: {key, board, width, moves, boards}. */
let shown = { key: '' };

export function init(the) {
  app = the;
  app.analyse = analyse;
  on('analyse', 'click', analyse);
  on('analyse-game', 'click', analyse);
  on('line-back', 'click', () => look(about.at));
  on('graph', 'click', clicked);
  on('show-togo', 'change', () => render(app.state));
  new ResizeObserver(() => graph(app.state)).observe($('graph'));
}

export function translate() {
  shown = { key: '' };
  if (about?.found) report();
}

/** The solution that is shown, or the game with its moves that are undone; and the moves made. */
function whole(state) {
  const { solution } = state;
  return solution
    ? { board: played(state), moves: solution.moves, at: solution.at } : { board: state.start, moves: state.moves, at: state.cursor };
}

export function render(state, before) {
  if (about && (before?.start !== state.start || state.goal.text !== about.goal || left(state))) about = null;
  const line = whole(state);
  // Another solution has not been analysed.
  $('analysis').hidden = !about?.found || (about.moves !== line.moves && state.solution?.source !== 'variation');
  $('analyse').disabled = state.mode === 'edit' || !line.moves;
  $('line-back').hidden = !about || state.solution?.source !== 'variation';
  const key = `${state.width}:${line.board}:${line.moves}:${$('directions').value}`;
  if (key !== shown.key) {
    const boards = [line.board];
    for (const m of line.moves.slice(0, MOST)) boards.push(after(boards.at(-1), state.width, m));
    shown = { key, ...line, width: state.width, boards };
    list();
  }
  shown.at = line.at;
  draw(state);
}

/** Whether the game has left the board from which the solution that was analysed began. */
const left = (state) => about.solution && !same(played(state), about.board);

/** The known bounds of the boards of the line: {lower, upper} each, or null. */
function distances(state) {
  const { board, width, moves, boards } = shown;
  if (about?.found && about.moves === moves && same(about.board, board)) return about.found.distances;
  if (state.mode === 'edit' || (state.mode === 'play' && !$('show-togo').checked)) return boards.map(() => null);
  return boards.map((tiles) => {
    const length = proved(tiles, width)?.length;
    return length === undefined ? null : { lower: length, upper: length };
  });
}

const exact = (distance) => (distance && distance.lower === distance.upper ? distance.lower : undefined);

async function analyse() {
  const { state } = app;
  if (refused()) return;
  const { board, moves } = whole(state);
  if (!moves || !state.goal.board) return;
  const { solution, width } = state;
  const times = solution?.times?.at(-1) ?? (solution ? 0 : elapsed(state, performance.now()));
  const mine = { board, width, goal: state.goal.text, moves, solution, seconds: times / 1000, found: null };
  about = mine;
  app.open('analyse');
  const request = { ...place(state, board), line: moves, timeLimit: POSITION, solution: proved(board, width) };
  await foreground('analysing', async () => {
    do {
      mine.found = await app.request('analyse', request);
      if (about !== mine) return;
      request.solution = undefined;
      for (const { at, better } of mine.found.losses) {
        if (better && shown.boards[at]) learn({ ...state, board: shown.boards[at] }, { moves: better, length: better.length, lower_bound: better.length });
      }
      report();
      draw(app.state);
    } while (!mine.found.done);
  }, () => {
    $('analysis').scrollIntoView({ block: 'nearest' });
    app.say($('analysis-text').textContent);
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
  const { losses, lost } = found;
  const [first, last] = [found.distances[0], found.distances.at(-1)];
  const needed = exact(first) === undefined ? phrase('range', { lower: first.lower, upper: first.upper ?? '?' }) : number(first.lower);
  const count = (length) => phrase('countMoves', { count: length });
  const parts = [phrase('lineHas', { moves: count(moves.length), slides: phrase('countSlides', { count: multiTile(moves) }), needed })];
  if (last.upper !== 0) parts.push(phrase('lineEnds', { needed: exact(last) === undefined ? phrase('orMore', { lower: last.lower }) : number(last.lower) }));
  const all = found.distances.every((distance) => exact(distance) !== undefined);
  if (lost) parts.push(phrase(all ? 'movesLost' : 'movesLostAtLeast', { moves: count(lost), places: phrase('inPlaces', { count: losses.length }) }));
  else if (all) parts.push(phrase('noneLost'));
  const { start: from, end: to } = found.stretch;
  if (lost && to > from) parts.push(phrase('stretch', { moves: count(to - from), from: from + 1 }));
  if (seconds > 0) parts.push(phrase('pace', { time: duration(seconds), speed: decimals(moves.length / seconds, 2) }));
  $('analysis').hidden = false;
  $('analysis-text').textContent = sentences(parts);
  compared(board, first);
  let now = board;
  let made = 0;
  $('losses').replaceChildren(...losses.map((loss) => {
    while (made < loss.at) now = after(now, width, moves[made++]);
    const at = now;
    const what = (m) => ({ tile: at[source(at, width, m)], direction: direction(m) });
    const words = phrase(loss.moves > 1 ? 'losesMany' : 'loses', { ...what(moves[loss.at]), tiles: loss.moves, lost: loss.lost });
    const item = element('li', {}, button(phrase('moveNumber', { number: loss.at + 1 }), () => look(loss.at)), ` ${words}`);
    if (loss.better) item.append(button(phrase('better', what(loss.better[0])), () => look(loss.at, loss.better)));
    return item;
  }));
}

/** The moves as buttons. */
function list() {
  const { moves, width, boards } = shown;
  const letters = turned(moves.slice(0, MOST), $('directions').value);
  $('solution-moves').replaceChildren(...[...letters].map((letter, i) => {
    const tile = boards[i][source(boards[i], width, moves[i])];
    const title = `${phrase('moveNumber', { number: i + 1 })}: ${phrase('moved', { tiles: tile, direction: direction(moves[i]) })}`;
    return element('li', {}, button(letter, () => go(i + 1), { title, 'aria-label': title }));
  }));
}

/** Colours the moves, and shows the figures and the graph. */
function draw(state) {
  const known = distances(state);
  const { moves, at } = shown;
  let [lost, told] = [0, 0];
  const items = $('solution-moves').children;
  for (let i = 0; i < items.length; i++) {
    const [from, to] = [exact(known[i]), exact(known[i + 1])];
    const change = from === undefined || to === undefined ? 0 : to - from;
    if (change) told++;
    if (change > 0) lost++;
    const made = items[i].firstElementChild;
    made.className = { '-1': 'best', 1: 'lost' }[change] ?? '';
    const current = i === at - 1;
    made.tabIndex = current || (at === 0 && i === 0) ? 0 : -1;
    if (current === made.hasAttribute('aria-current')) continue;
    made.toggleAttribute('aria-current', current);
    if (current) made.setAttribute('aria-current', 'true');
    if (current) $('solution-moves').scrollTop = made.offsetTop - $('solution-moves').clientHeight / 2;
  }
  const all = moves.length > 0 && told === moves.length;
  $('line-moves').textContent = number(moves.length);
  const [first] = known;
  $('line-optimum').textContent = exact(first) ?? (first?.lower ? `≥ ${number(first.lower)}` : '–');
  $('line-lost').textContent = told ? `${all ? '' : '≥ '}${number(2 * lost)}` : '–';
  $('line-accuracy').textContent = all ? number(1 - lost / moves.length, { style: 'percent' }) : '–';
  graph(state, known);
}

// ---- The graph

function graph(state, known = distances(state)) {
  const box = $('graph');
  const { clientWidth: width, clientHeight: height } = box;
  const { left: west, right: east, top, bottom } = GRAPH;
  const points = known.flatMap((distance, i) => (distance ? [[i, i + distance.lower, i + (distance.upper ?? distance.lower)]] : []));
  const totals = points.flatMap(([, lower, upper]) => [lower, upper]);
  const [least, most] = totals.length ? [Math.min(...totals), Math.max(...totals)] : [0, 0];
  const count = Math.max(known.length - 1, 1);
  const x = (at) => (west + ((width - west - east) * at) / count).toFixed(1);
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
      const change = (exact(known[i]) ?? NaN) - exact(known[i - 1]);
      if (change === 1) parts.push(shape('circle', { class: 'loss', cx: x(i), cy: y(i + known[i].lower), r: 3.5 }));
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
