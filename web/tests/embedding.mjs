// The npm package, installed from its packed file in an empty folder, under Node and in Chromium; and the
// page in a frame: `node --test web/tests/embedding.mjs`, with the variables of chromium.mjs. PACKAGE names the
// packed file; without it, `scripts/npm` makes one.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { opened, served } from './chromium.mjs';
import { folder } from './launch.mjs';
import { site } from './site.mjs';

const BOARD = '5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12';
/** Minutes with small tables. */
const FAR = '0 15 8 3 12 11 7 4 14 10 6 5 9 13 2 1';
/** A second with large tables. */
const FARTHEST = '0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1';
const PACK = new URL('../../scripts/npm', import.meta.url).pathname;
const PAGE = '<!DOCTYPE html><title>Package</title>';

let scratch;
let home;

/** Packs the package under a name into a folder. Returns the file. */
async function pack(NAME, out) {
  execFileSync(PACK, [folder, out], { env: { ...process.env, NAME }, stdio: 'ignore' });
  return join(out, (await readdir(out)).find((name) => name.endsWith('.tgz')));
}

before(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'taquin-package-'));
  home = join(scratch, 'home');
  const packed = process.env.PACKAGE ?? await pack('taquin', scratch);
  execFileSync('npm', ['install', '--prefix', home, '--offline', '--ignore-scripts', '--no-audit', '--no-fund', packed], { stdio: 'ignore' });
  await writeFile(join(home, 'index.html'), PAGE);
});

after(async () => {
  if (scratch) await rm(scratch, { recursive: true });
});

test('the package has one name, and its README no dead links', async () => {
  for (const name of ['taquin', '@someone/taquin']) {
    const file = await pack(name, join(scratch, name));
    const unpacked = (path) => execFileSync('tar', ['-xOf', file, `package/${path}`], { encoding: 'utf8' });
    assert.equal(JSON.parse(unpacked('package.json')).name, name);
    const readme = unpacked('README.md');
    const imported = [...readme.matchAll(/from '(?:\.\/node_modules\/)?([^']*?taquin)[/']/g)].map(([, imports]) => imports);
    assert.deepEqual(imported, [name, name]);
    assert.deepEqual(readme.match(/\]\((?!https?:|#)[^)]*\)/g), null);
  }
});

/** A page around the package, which may have any policy of its own. */
async function around(t, policy) {
  const { url, close } = await site(home, {}, policy);
  t.after(close);
  return url;
}

/** The use of the package that both have in common. It runs here and in the page. */
async function use(Taquin, [board, far]) {
  const solver = await Taquin.load();
  const said = [];
  const refused = (promise) => promise.then(() => 'no error', ({ kind, name }) => kind ?? name);
  const { length, optimal, moves, heuristic } = await solver.solve(board);
  const hint = await solver.hint(board);
  const { count, paths } = await solver.solutions('8 6 7 / 2 5 4 / 3 0 1', { most: 2 });
  const stop = new AbortController();
  const progress = ({ type, nodes }) => {
    said.push(type);
    if (nodes > 0) stop.abort();
  };
  const aborted = refused(solver.solve(far, { signal: stop.signal, progress }));
  // It waits for the other, which is not its own.
  const after = solver.solve([1, 2, 3, 4, 5, 6, 7, 0, 8]);
  const answers = {
    solved: { length, optimal, moves, heuristic },
    hint,
    solutions: { count: String(count), paths: paths.length },
    aborted: await aborted,
    said: said.includes('search'),
    after: (await after).moves,
    early: await refused(solver.solve(board, { signal: AbortSignal.abort() })),
    limited: (await solver.solve(far, { limit: { nodes: 50_000 } })).stopped,
    unsolvable: await refused(solver.solve('2 1 3 / 4 5 6 / 7 8 0')),
    input: await refused(solver.solve('2 1 3 / 4 5 6 / 7 8 8')),
    nothing: await refused(solver.solve()),
    size: await refused(solver.shuffle({ size: '4 by 4' })),
    huge: await refused(solver.shuffle({ size: '99x99' })),
    text: await refused(solver.parse('1 2 3 0', { size: 'two' })),
    square: (await solver.shuffle({ size: '4×4' })).width,
    check: (await solver.check([[2, 1], [3, 0]])).solvable,
    slides: (await solver.solve('1 2 3 / 0 4 5', { metric: 'multi' })).slides,
    large: (await solver.solve(await solver.shuffle({ size: '6x6', seed: 1 }), { limit: { milliseconds: 500 } })).solved,
    drawn: (await solver.shuffle({ size: '3x2' })).board.length,
  };
  solver.close();
  return { ...answers, closed: await refused(solver.solve(board)) };
}

function check({ solved, hint, solutions, ...rest }) {
  assert.deepEqual(solved, { ...solved, length: 15, optimal: true });
  assert.equal(solved.heuristic, 'linear-conflict');
  assert.deepEqual(hint, { ...hint, distance: 15, lower: 15 });
  assert.ok(['13', '10'].includes(String(hint.tile)) && 'UDLR'.includes(hint.move), JSON.stringify(hint));
  assert.ok(solved.moves.length === 15 && Number(solutions.count) > 1);
  assert.equal(solutions.paths, 2);
  assert.deepEqual(rest, {
    aborted: 'AbortError', said: true, after: 'L', early: 'AbortError', limited: 'nodes', unsolvable: 'unsolvable',
    input: 'input', nothing: 'input', size: 'input', huge: 'input', text: 'input', square: 4, check: false, slides: rest.slides, large: true, drawn: 6, closed: 'died',
  });
  assert.ok(rest.slides > 0);
}

test('the package under Node', async () => {
  const { Taquin } = await import(pathToFileURL(join(home, 'node_modules/taquin/npm/node.js')));
  check(await use(Taquin, [BOARD, FAR]));
  // As a program finds it by its name.
  const script = "import { Taquin } from 'taquin'; const t = await Taquin.load(); console.log((await t.hint('1 2 / 0 3')).tile); t.close();";
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: home, encoding: 'utf8' });
  assert.equal(said, '3\n');
});

test('the large tables are built on request, and kept in a folder', async () => {
  const { Taquin } = await import(pathToFileURL(join(home, 'node_modules/taquin/npm/node.js')));
  const kept = join(scratch, 'tables');
  await mkdir(kept);
  const parts = [];
  for (const expected of ['built', 'stored']) {
    const solver = await Taquin.load({ folder: kept });
    const { tables, source } = await solver.loadTables({ progress: ({ done }) => parts.push(done) });
    assert.deepEqual([tables, source], ['7-8', expected]);
    const { length, optimal, heuristic } = await solver.solve(FARTHEST);
    assert.deepEqual([length, optimal, heuristic], [80, true, '7-8:mirror']);
    solver.close();
  }
  assert.ok(parts.length > 3 && parts.every((done) => done >= 0 && done <= 1));
});

test('the package in a page without a bundler', async (t) => {
  const page = await opened(t, { url: await around(t), bare: true, errors: true });
  const wanted = [];
  page.on('request', (request) => wanted.push(request.url().split('/').at(-1)));
  const first = await page.evaluate(async (board) => {
    const { Taquin } = await import('./node_modules/taquin/npm/taquin.js');
    const solver = await Taquin.load();
    const { tile } = await solver.hint(board);
    solver.close();
    return tile;
  }, BOARD);
  assert.ok(first === 13 || first === 10);
  assert.deepEqual(wanted.filter((name) => /\.(wasm|numbers)$/.test(name)), ['taquin.wasm']);
  check(await page.evaluate(`import('./node_modules/taquin/npm/taquin.js').then(({ Taquin }) => (${use})(Taquin, ${JSON.stringify([BOARD, FAR])}))`));
});

test('the page in a frame takes boards from the origin that its address names, and from no other', async (t) => {
  const [inner, outer, stranger] = [await served(t), await around(t, 'frame-src http:'), await around(t, 'frame-src http:')];
  const open = async (url, embed) => {
    const page = await opened(t, { url, bare: true, errors: true });
    await page.evaluate((src) => {
      globalThis.heard = [];
      addEventListener('message', ({ data, origin }) => globalThis.heard.push({ ...data, origin }));
      const frame = document.createElement('iframe');
      Object.assign(frame, { src, width: 400, height: 640 });
      document.body.append(frame);
    }, `${inner}?embed=${embed}`);
    return page;
  };
  const fresh = async (page, message) => {
    await page.evaluate(() => { globalThis.heard = []; });
    await say(page, message);
  };
  const say = (page, message) => page.evaluate((data) => document.querySelector('iframe').contentWindow.postMessage(data, '*'), message);
  const hears = async (page, taquin, fits = '() => true') => (await page.waitForFunction(
    `globalThis.heard.findLast((message) => message.taquin === '${taquin}' && (${fits})(message))`, null, { timeout: 30_000 },
  )).jsonValue();

  const origin = new URL(outer).origin;
  const page = await open(outer, encodeURIComponent(origin));
  await hears(page, 'ready');
  // Messages are followed in their order.
  await Promise.all([
    say(page, { taquin: 'open', board: [1, 2, 3, 4, 5, 0], size: '2x3' }), say(page, { taquin: 'solve' }),
  ]);
  assert.equal((await hears(page, 'solution')).width, 2);
  await say(page, { taquin: 'open', board: '1 2 3 / 4 0 6 / 7 5 8' });
  const { board, origin: from } = await hears(page, 'board', '({ width }) => width === 3');
  assert.deepEqual([board, from], [[1, 2, 3, 4, 0, 6, 7, 5, 8], new URL(inner).origin]);
  const { length, lower } = await hears(page, 'distance', '({ board }) => board.length === 9');
  assert.deepEqual([length, lower], [2, 2]);
  // Each board, also of another shape or goal or once more, has its message.
  const answered = async (message) => {
    await fresh(page, { taquin: 'open', ...message });
    const { width, height, solved } = await hears(page, 'board');
    const distance = await hears(page, 'distance', '({ length, lower }) => length === lower');
    return [width, height, solved, distance.length];
  };
  assert.deepEqual(await answered({ board: '1 2 3 / 4 0 5' }), [3, 2, false, 1]);
  assert.deepEqual(await answered({ board: '1 2 / 3 4 / 0 5' }), [2, 3, false, 1]);
  assert.deepEqual(await answered({ board: '1 2 / 3 4 / 0 5' }), [2, 3, false, 1]);
  assert.deepEqual(await answered({ board: '1 2 / 3 4 / 0 5', goal: '1 2 / 0 4 / 3 5' }), [2, 3, false, 1]);
  assert.deepEqual(await answered({ board: '1 2 / 3 4 / 0 5', goal: '1 2 / 3 4 / 0 5' }), [2, 3, true, 0]);
  await say(page, { taquin: 'open', board: '1 2 3 / 4 0 6 / 7 5 8' });
  await hears(page, 'board', '({ width, solved }) => width === 3 && !solved');
  await say(page, { taquin: 'solve' });
  const { moves, optimal } = await hears(page, 'solution');
  assert.deepEqual([moves, optimal], ['UL', true]);
  await say(page, { taquin: 'open', board: '1 2 2 0' });
  assert.equal((await hears(page, 'error')).kind, 'input');
  await fresh(page, { taquin: 'open', board: '2 1 3 / 4 5 6 / 7 8 0' });
  assert.equal((await hears(page, 'error')).kind, 'unsolvable');
  assert.equal((await hears(page, 'board')).width, 3);
  await fresh(page, { taquin: 'solve' });
  assert.equal((await hears(page, 'error')).kind, 'unsolvable');
  // What is no message of these has an answer, too.
  await fresh(page, { taquin: 'nope' });
  const { kind: unknown, error: nope } = await hears(page, 'error');
  assert.deepEqual([unknown, nope], ['input', 'there is no message nope']);
  const frame = page.frames().at(-1);
  assert.equal(await frame.getByRole('heading', { level: 1 }).count(), 1);
  // A solved board, and searches that are cancelled or fail.
  await say(page, { taquin: 'open', board: '1 2 3 / 4 5 6 / 7 8 0' });
  await hears(page, 'board', '({ solved }) => solved');
  await say(page, { taquin: 'solve' });
  assert.equal((await hears(page, 'solution', '({ length }) => length === 0')).moves, '');
  const begin = async () => {
    await fresh(page, { taquin: 'open', board: FAR });
    await hears(page, 'board');
    await say(page, { taquin: 'solve' });
  };
  await begin();
  await frame.locator('#cancel').click();
  assert.equal((await hears(page, 'error')).kind, 'cancelled');
  await begin();
  await frame.locator('#cancel').waitFor();
  await say(page, { taquin: 'open', board: '1 2 3 / 4 0 6 / 7 5 8' });
  assert.equal((await hears(page, 'error')).kind, 'cancelled');
  await frame.evaluate(async () => {
    const { engine } = globalThis.taquin;
    const plain = engine.ask.bind(engine);
    engine.ask = async (type, question, ...more) => {
      const { deadline } = question;
      if (type !== 'solve' || deadline === undefined) return plain(type, question, ...more);
      throw Object.assign(new Error(`${deadline - performance.now()}`), { kind: 'died' });
    };
  });
  await begin();
  const { kind, error: left } = await hears(page, 'error');
  assert.equal(kind, 'died');
  // The limit that web/npm/README.md names.
  assert.ok(left > 55_000 && left <= 60_000, left);
  assert.equal(await frame.locator('#board').isVisible(), true);
  assert.equal(await frame.locator('#settings-title').isVisible(), false);

  // Addresses without an origin: the first is of a scheme `localhost`.
  for (const embed of ['localhost:8000', 'file:///page.html', 'my.site']) {
    const nobody = (await open(outer, encodeURIComponent(embed))).frames().at(-1);
    await nobody.locator('#message').getByText('names no origin').waitFor();
    // The page goes on.
    await nobody.waitForFunction(() => /^\d+$/.test(document.getElementById('togo')?.textContent));
  }

  // A stranger's page hears nothing, and is not listened to.
  const other = await open(stranger, encodeURIComponent(origin));
  const shown = other.frames().at(-1);
  await shown.waitForFunction(() => /^\d+$/.test(document.getElementById('togo')?.textContent));
  const before = await shown.locator('#togo').textContent();
  await say(other, { taquin: 'open', board: '1 2 3 / 4 0 6 / 7 5 8' });
  await other.waitForTimeout(300);
  assert.equal(await shown.locator('#togo').textContent(), before);
  assert.deepEqual(await other.evaluate(() => globalThis.heard), []);
});
