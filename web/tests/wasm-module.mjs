// The built modules, for tests under Node. SITE names the folder of the built site.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const target = process.env.CARGO_TARGET_DIR ?? new URL('../../target', import.meta.url).pathname;

export const site = process.env.SITE ?? join(target, 'site');

const compiled = (name) => new WebAssembly.Module(readFileSync(join(site, name)));

export const module = compiled('taquin.wasm');
export const full = compiled('taquin-full.wasm');
