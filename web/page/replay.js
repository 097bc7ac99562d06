// Links of the speed-solvers' replay site: `?r=` and the base64 of a deflated JSON array, either
// [solution, moves per second × 1000, scramble, times of the moves or -1], or ten and more fields of a
// saved solve, with the solutions deflated once more, the width and the height.

import { afterAll, checkTiles } from './checks.js';
import { LETTERS, OPPOSITE, blankLast, rowText } from './grid.js';
import { phrase } from './text.js';

const MOST_BYTES = 4 << 20;
const SITE = 'https://slidysim.github.io/replay';

/** The value of `r=` in a link or a query, or null. */
export function replayIn(text) {
  const found = /[?&#]r=([^&#\s]+)/.exec(text);
  return found && found[1];
}

/** The actions that show a replay. Throws with the reason. */
export async function readReplay(value) {
  const fields = json(await inflated(value, 'replayDamaged'));
  if (!Array.isArray(fields)) throw new Error(phrase('replayNone'));
  const { solution, tps, scramble, times, width, height } = fields.length < 10
    ? simple(/** @type {any} */ (fields)) : await saved(fields);
  const moves = letters(solution);
  const board = scramble ?? unsolved(moves, width, height);
  afterAll(board, width, moves);
  return {
    open: { type: 'open', width, height: board.length / width, board, goal: { text: 'blank-last' } },
    solution: {
      type: 'solution', moves, source: 'replay',
      tps: tps > 0 ? tps / 1000 : undefined,
      times: Array.isArray(times) && times.length === moves.length && times.every(Number.isFinite) ? times : undefined,
    },
  };
}

function simple([solution, tps, scramble, times]) {
  if (typeof solution !== 'string') throw new Error(phrase('replayNoSolution'));
  if (typeof scramble !== 'string') throw new Error(phrase('replayNoScramble'));
  const cells = scramble.split('/').map((row) => row.trim().split(/\s+/).map(Number));
  const width = cells[0].length;
  if (cells.some((row) => row.length !== width)) throw new Error(phrase('replayRows'));
  checkTiles(cells.flat(), width, cells.length);
  return { solution, tps: Number(tps), scramble: cells.flat(), times, width, height: cells.length };
}

async function saved(fields) {
  const [, data, , tps, width, height] = fields;
  if (typeof data !== 'string' || !(width >= 2 && width <= 16 && height >= 2 && height <= 16)) {
    throw new Error(phrase('replayUnknown'));
  }
  const parts = (await inflated(data, 'replaySolutions')).split(';');
  return { solution: parts[0].split(',')[0], tps: Number(tps), scramble: null, times: null, width, height };
}

/** The moves of a solution, which the site writes as letters with counts. */
function letters(solution) {
  const moves = solution.toUpperCase().replace(/([UDLR])(\d+)/g, (_, m, n) => m.repeat(Math.min(n, 99)));
  if ([...moves].some((letter) => !LETTERS.includes(letter))) throw new Error(phrase('replayNoSolution'));
  return moves;
}

/** The board that a solution leads to the goal from. */
function unsolved(moves, width, height) {
  return afterAll(blankLast(width * height), width, [...moves].reverse().map((letter) => OPPOSITE[letter]));
}

function json(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(phrase('replayNoJson'));
  }
}

/** The address of the replay site that plays moves from a board, with the milliseconds after each where they are known. */
export async function replayLink(board, width, moves, times) {
  const seconds = (times?.at(-1) ?? 0) / 1000;
  const fields = [moves, seconds ? Math.round((1000 * moves.length) / seconds) : 0, rowText(board, width, ' ', '/'), times?.length === moves.length ? times : -1];
  const packed = new Blob([JSON.stringify(fields)]).stream().pipeThrough(new CompressionStream('deflate'));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  return `${SITE}?r=${encodeURIComponent(btoa(String.fromCharCode(...bytes)))}`;
}

async function inflated(value, complaint) {
  try {
    let text = value;
    // Some programs encode the base64 twice.
    for (let i = 0; i < 2 && text.includes('%'); i++) text = decodeURIComponent(text);
    text = text.replaceAll(' ', '+').replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate')).getReader();
    const chunks = [];
    for (let size = 0; ;) {
      const { done, value: chunk } = await reader.read();
      if (done) break;
      size += chunk.length;
      if (size > MOST_BYTES) throw new Error('too large');
      chunks.push(chunk);
    }
    return await new Blob(chunks).text();
  } catch {
    throw new Error(phrase(complaint));
  }
}
