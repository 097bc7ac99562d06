// The built module, for tests under Node. SITE names the folder of the built site, or one with the module.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const target = process.env.CARGO_TARGET_DIR ?? new URL('../../target', import.meta.url).pathname;

export const site = process.env.SITE ?? join(target, 'site');

export const module = new WebAssembly.Module(readFileSync(join(site, 'taquin.wasm')));
