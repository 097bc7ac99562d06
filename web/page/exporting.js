// Links, and solutions as text, JSON and SVG.

import { $, copy, on, options, store } from './dom.js';
import { after, turned } from './grid.js';
import { result } from './solving.js';
import { line } from './state.js';
import { isOpen } from './tabs.js';
import { phrase, reason } from './text.js';

/** The formats of moves that the engine writes. */
const FORMATS = ['columns', 'numbered', 'words', 'letters', 'runs', 'counts', 'arrows', 'tiles', 'boards'];

let app;
/** The source of the text: a solution that plays does not change it. */
let shown = {};

export function init(the) {
  app = the;
  translate();
  $('format').value = 'letters';
  app.copied = copied;
  on('format', 'change', () => show(app.state));
  addEventListener('taquin-tab', () => show(app.state));
  on('copy-link', 'click', () => copied(app.link(), 'copy-link', phrase('noCopyLink')));
  on('copy-text', 'click', async () => copied(await whole(app.state), 'copy-text', phrase('noCopyText')));
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

async function show(state) {
  if (!isOpen('analyse')) return;
  const { board, moves } = line(state);
  const key = [$('format').value, $('directions').value, state.width, board, moves].join(':');
  if (key === shown.key && result() === shown.of) return;
  const mine = { key, of: result() };
  shown = mine;
  const text = await whole(state);
  if (shown === mine) $('exported').value = text.length > SHOWN ? `${text.slice(0, SHOWN)}\n…` : text;
}

async function whole(state) {
  const name = $('format').value;
  const { board, moves } = line(state);
  if (name === 'json') return json() ?? phrase('pressFirst');
  if (name === 'svg') return svg(board, state.width, moves);
  try {
    const request = { board, width: state.width, height: state.height, line: moves, format: name, directions: $('directions').value };
    return (await app.ask('write', request)).text.trimEnd();
  } catch (error) {
    return phrase('cannot', { reason: reason(error) });
  }
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

/** Copies a text, and says so at the button with this id. */
async function copied(text, id, refused = phrase('noCopyText')) {
  if (!await copy(text)) {
    $('exported').select();
    app.fail(refused);
    return;
  }
  app.say(phrase('copied'));
  const button = $(id);
  button.classList.add('primary');
  if (button.dataset.text) button.textContent = phrase('copied');
  setTimeout(() => {
    button.classList.remove('primary');
    if (button.dataset.text) button.textContent = phrase(button.dataset.text);
  }, 1500);
}

async function download() {
  const name = $('format').value;
  const text = await whole(app.state);
  if (name === 'json') store('taquin.json', 'application/json', `${text}\n`);
  else if (name === 'svg') store('taquin.svg', 'image/svg+xml', text);
  else store('taquin.txt', 'text/plain', `${text}\n`);
}
