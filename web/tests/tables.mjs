// Loads the tables of texts under Node, where `fetch` reads files; and states and links for tests.

import { readFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import { initial, reduce } from '../page/state.js';
import { use } from '../page/text.js';

const fetched = globalThis.fetch;
globalThis.fetch = async (url, ...more) => (String(url).startsWith('file:') ? new Response(await readFile(new URL(url))) : fetched(url, ...more));

export const table = async (language) => JSON.parse(await readFile(new URL(`../page/${language}.json`, import.meta.url), 'utf8'));
export const english = await table('en');

await use('en');

/** A state of a 3×3 board, two moves from the goal. */
export const open = (more) => reduce(initial(), { type: 'open', width: 3, height: 3, board: [1, 2, 3, 4, 0, 6, 7, 5, 8], ...more });
export const run = (state, ...actions) => actions.reduce(reduce, state);

/** A value as links of the replay site have it. */
export const packed = (value) => encodeURIComponent(deflateSync(JSON.stringify(value)).toString('base64'));
