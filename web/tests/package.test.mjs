// The npm package without its engine: the files that it needs, and what it does around the engine.

import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { test } from 'node:test';

const web = new URL('../', import.meta.url);
const repository = new URL('../', web);

/** The modules of the page that modules need, however far away. */
async function needed(modules, found = new Set()) {
  for (const module of modules) {
    const source = await readFile(module, 'utf8');
    const names = source.matchAll(/(?:from |import\(|new URL\()['`](\.{1,2}\/[^'`]*\.js)['`]/g);
    const next = [...names].map(([, name]) => new URL(name, module).href).filter((href) => !found.has(href));
    for (const href of next) found.add(href);
    await needed(next.map((href) => new URL(href)), found);
  }
  return [...found].filter((href) => href.includes('/page/')).map((href) => /(\w+)\.js$/.exec(href)[1]).sort();
}

test('the package has the modules that it needs, and no others', async () => {
  const script = await readFile(new URL('scripts/npm', repository), 'utf8');
  const packed = /"\$site"\/\{([\w,]+)\}\.js/.exec(script)[1].split(',').sort();
  const faces = (await readdir(new URL('npm', web))).filter((name) => name.endsWith('.js'));
  assert.deepEqual(await needed(faces.map((name) => new URL(`npm/${name}`, web))), packed);
});
