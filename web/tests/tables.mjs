// Loads the tables of texts under Node: `fetch` reads files.

import { readFile } from 'node:fs/promises';
import { use } from '../page/text.js';

const fetched = globalThis.fetch;
globalThis.fetch = async (url, ...more) => (String(url).startsWith('file:') ? new Response(await readFile(new URL(url))) : fetched(url, ...more));

export const table = async (language) => JSON.parse(await readFile(new URL(`../page/${language}.json`, import.meta.url), 'utf8'));
export const english = await table('en');

await use('en');
