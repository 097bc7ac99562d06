// Links, and solutions as text, JSON and SVG.

import { $, copy, on, options, store } from './dom.js';
import { after } from './grid.js';
import { FORMATS, format, turned } from './notation.js';
import { result } from './solving.js';
import { line } from './state.js';
import { phrase } from './text.js';

let app;
/** The source of the text: a solution that plays does not change it. */
let shown = {};

export function init(the) {
  app = the;
  translate();
  $('format').value = 'letters';
  on('format', 'change', () => show(app.state));
  on('copy-link', 'click', () => copied(app.link(), 'link'));
  on('copy-text', 'click', () => copied(whole(app.state), 'text', $('exported')));
  on('download', 'click', download);
}

export function translate() {
  const { value } = $('format');
  options($('format'), [...FORMATS, 'json', 'svg'].map((name) => [name, phrase(`format-${name}`)]));
  $('format').value = value;
  shown = {};
}

export const render = show;

/** Longer texts are shown in part only; they are copied and stored whole. */
const SHOWN = 20_000;

function show(state) {
  const { board, moves } = line(state);
  const key = [$('format').value, $('directions').value, state.width, board, moves].join(':');
  if (key === shown.key && result() === shown.of) return;
  shown = { key, of: result() };
  const text = whole(state);
  $('exported').value = text.length > SHOWN ? `${text.slice(0, SHOWN)}\n…` : text;
}

function whole(state) {
  const name = $('format').value;
  const { board, moves } = line(state);
  if (name === 'json') return json() ?? phrase('pressFirst');
  if (name === 'svg') return svg(board, state.width, moves);
  return format(name, board, state.width, moves, $('directions').value);
}

/** The object of `taquin solve --json`; with `--all` where all solutions were counted. */
function json() {
  const last = result();
  if (!last) return null;
  const { solutions, all, result: found } = last;
  const whose = $('directions').value;
  const turn = (moves) => moves && turned(moves, whose);
  const text = JSON.stringify({
    schema: 1, line: 1, index: 1, ...found, moves: turn(found.moves),
    ...(whose === 'blank' ? { directions: whose } : {}), ...(all ? { solutions: 0, all: all.map(turn) } : {}),
  });
  // A count may be larger than the integers of JavaScript.
  return all ? text.replace('"solutions":0', `"solutions":${solutions}`) : text;
}

/** The most cells that a picture of all boards has. */
const CELLS = 40_000;

/** The boards of a path, in rows; of a path that is too long, the first and the last. */
export function svg(start, width, moves) {
  const boards = [start];
  let now = start;
  for (const m of moves) {
    now = after(now, width, m);
    boards.push(now);
  }
  const few = boards.length * start.length <= CELLS ? boards : [boards[0], boards.at(-1)];
  const height = start.length / width;
  const [cell, gap, head] = [24, 20, 16];
  const columns = Math.min(few.length, Math.max(1, Math.floor(1200 / (width * cell + gap))));
  const across = columns * (width * cell + gap) + gap;
  const down = Math.ceil(few.length / columns) * (height * cell + head + gap) + gap;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${across}" height="${down}" viewBox="0 0 ${across} ${down}" font-family="sans-serif" text-anchor="middle">`,
    `<rect width="${across}" height="${down}" fill="#fff"/>`,
  ];
  few.forEach((board, i) => {
    const left = gap + (i % columns) * (width * cell + gap);
    const top = gap + Math.floor(i / columns) * (height * cell + head + gap);
    const number = few === boards ? i : i * moves.length;
    const name = number ? `${number}: ${moves[number - 1]}` : phrase('countMoves', { count: moves.length });
    parts.push(`<g transform="translate(${left} ${top})"><text x="${(width * cell) / 2}" y="10" font-size="11" fill="#555">${name}</text>`,
      `<rect y="${head}" width="${width * cell}" height="${height * cell}" rx="3" fill="#38302a"/>`);
    board.forEach((tile, at) => {
      if (!tile) return;
      const x = (at % width) * cell;
      const y = head + Math.floor(at / width) * cell;
      const moved = number > 0 && few === boards && boards[i - 1][at] === 0;
      parts.push(`<rect x="${x + 1}" y="${y + 1}" width="${cell - 2}" height="${cell - 2}" rx="3" fill="${moved ? '#f2b632' : '#e9e1d2'}"/>`,
        `<text x="${x + cell / 2}" y="${y + cell / 2 + 4}" font-size="12">${tile}</text>`);
    });
    parts.push('</g>');
  });
  parts.push('</svg>');
  return parts.join('\n');
}

/** Copies a `link` or a `text`, and says so. */
async function copied(text, what, field) {
  if (await copy(text)) {
    app.say(phrase(`${what}Copied`));
    flash($(`copy-${what}`));
    return;
  }
  field?.focus();
  field?.select();
  app.fail(phrase(field ? 'noCopyText' : 'noCopyLink'));
}

function flash(button) {
  button.textContent = phrase('copied');
  setTimeout(() => { button.textContent = phrase(button.dataset.text); }, 1500);
}

function download() {
  const name = $('format').value;
  const text = whole(app.state);
  if (name === 'json') store('taquin.json', 'application/json', `${text}\n`);
  else if (name === 'svg') store('taquin.svg', 'image/svg+xml', text);
  else store('taquin.txt', 'text/plain', `${text}\n`);
}
