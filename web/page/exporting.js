// Links, and solutions as text and JSON.

import * as address from './address.js';
import { app } from './app.js';
import { $, on, store } from './dom.js';
import * as facts from './facts.js';
import { same, turned } from './grid.js';
import { copied } from './message.js';
import { replayLink } from './replay.js';
import { result } from './solving.js';
import { request } from './start.js';
import { line, place } from './state.js';
import { isOpen } from './tabs.js';
import { phrase, reason } from './text.js';

/** The source of the text: a solution that plays does not change it. */
let shown = {};

export function init() {
  on('format', 'change', () => show(app.state));
  addEventListener('taquin-tab', () => show(app.state));
  on('copy-link', 'click', () => copied(address.write(), 'copy-link', phrase('noCopyLink')));
  on('copy-text', 'click', async () => copied(await whole(app.state), 'copy-text', phrase('noCopyText')));
  on('download', 'click', download);
}

export const render = show;

/** The solution that is shown, or the moves that are made. */
function made(state) {
  const { board, moves, at, times } = line(state);
  return state.solution ? { board, moves, times } : { board, moves: moves.slice(0, at), times: times.slice(0, at) };
}

/** Longer texts are shown in part only; they are copied and stored whole. */
const SHOWN = 20_000;

async function show(state) {
  if (!isOpen('analyse')) return;
  const { board, moves } = made(state);
  const key = [$('format').value, $('directions').value, state.width, board, moves].join(':');
  if (key === shown.key && result() === shown.of) return;
  const mine = { key, of: result() };
  shown = mine;
  const text = await whole(state);
  if (shown === mine) $('exported').value = text.length > SHOWN ? `${text.slice(0, SHOWN)}\n…` : text;
}

async function whole(state) {
  const name = $('format').value;
  const { board, moves, times } = made(state);
  try {
    if (name === 'json') return await json(board);
    if (name === 'replay') return await replayLink(board, state.width, moves, times);
    const asked = { ...place(state, board), line: moves, format: name, directions: $('directions').value };
    return (await request('write', asked)).text.trimEnd();
  } catch (error) {
    return phrase('cannot', { reason: reason(error) });
  }
}

/** The object of `taquin solve --json` for a board; with `--all` where all solutions were counted. */
async function json(board) {
  const { solutions, all, result: found } = same(result()?.board, board) ? result() : await answer(board);
  const whose = $('directions').value;
  const turn = (moves) => moves && turned(moves, whose);
  const text = JSON.stringify({
    schema: 1, line: 1, index: 1, ...found, moves: turn(found.moves),
    ...(whose === 'blank' ? { directions: whose } : {}), ...(all ? { solutions: 0, all: all.map(turn) } : {}),
  });
  // A count may be larger than the integers of JavaScript.
  return all ? text.replace('"solutions":0', `"solutions":${solutions}`) : text;
}

/** The milliseconds of a search for an answer that nobody has asked Solve for; and the last one. */
const BRIEF = 1000;
let brief = { key: '' };

function answer(board) {
  const key = JSON.stringify(place(app.state, board));
  if (key !== brief.key) brief = { key, found: facts.search(app.state, board, BRIEF).then((found) => ({ result: found })) };
  return brief.found;
}

async function download() {
  const isJson = $('format').value === 'json';
  const text = await whole(app.state);
  store(`taquin.${isJson ? 'json' : 'txt'}`, isJson ? 'application/json' : 'text/plain', `${text}\n`);
}
