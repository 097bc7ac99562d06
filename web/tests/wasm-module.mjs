// The built module, for tests under Node. TAQUIN_WASM names another one.

import { readFileSync } from 'node:fs';

const target = process.env.CARGO_TARGET_DIR ?? new URL('../../target', import.meta.url).pathname;

export const path = process.env.TAQUIN_WASM
  ?? `${target}/wasm32-unknown-unknown/web/taquin_wasm.wasm`;

export const module = new WebAssembly.Module(readFileSync(path));
