// The page's engine with its Workers as threads of Node, and files in a folder instead of OPFS.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, test } from 'node:test';

import { Taquin } from '../npm/node.js';
import { Engine } from '../page/engine.js';
import { compile } from '../page/wasm.js';
import { folder as built } from './launch.mjs';
import { site } from './site.mjs';

const folder = mkdtempSync(join(tmpdir(), 'taquin-'));
const { url, close } = await site(built);

/** The Workers of the test. */
let workers = [];

/** Another Worker, whose files are in a folder. */
function worker(files) {
  const made = Taquin.host({ folder: files }).work();
  const terminate = made.terminate.bind(made);
  made.terminate = () => {
    made.ended = true;
    terminate();
  };
  workers.push(made);
  return made;
}

/** Ends a Worker as a fault does. */
function fail(made, message) {
  made.terminate();
  made.onerror({ message, preventDefault() {} });
}

const four = { width: 4, height: 4 };
const random = { board: [0, 2, 3, 15, 13, 6, 9, 4, 10, 8, 1, 11, 14, 12, 5, 7], ...four, goal: 'blank-last' };
// Half a minute and more.
const hard = { board: [0, 15, 8, 3, 12, 11, 7, 4, 14, 10, 6, 5, 9, 13, 2, 1], ...four, goal: 'blank-last' };

const numbers = async () => readFileSync(`${built}/learned.numbers`);

/** An engine with what it tells, and promises of its first words. `files` is the folder of its files. */
function start({ module = 'taquin.wasm', files = folder, ...options } = {}) {
  const told = { ready: 0, progress: [], times: [performance.now()], tables: [], preparing: [], searches: [], died: [] };
  const ready = resolvers();
  const tables = resolvers();
  const engine = new Engine({ load: () => compile(new URL(module, url)), learn: numbers, work: () => worker(files), ...options });
  engine.listen({
    onready: () => { told.ready += 1; ready.resolve(); },
    onprogress: ({ done }) => {
      told.progress.push(done);
      told.times.push(performance.now());
    },
    onpreparing: (far) => told.preparing.push(far),
    onsearch: (far) => told.searches.push(far),
    ontables: (event) => { told.tables.push(event); tables.resolve(event); },
    ondied: (error) => told.died.push(error),
  });
  return { engine, told, ready: ready.promise, tables: tables.promise };
}

function resolvers() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
}

async function heuristic(engine) {
  return (await engine.ask('solve', random)).result.heuristic;
}

afterEach(() => {
  for (const made of workers) made.terminate();
  workers = [];
});

after(() => {
  close();
  rmSync(folder, { recursive: true });
});

test('the first visit: small tables, then large ones with progress, which are stored', async () => {
  const { engine, told, tables } = start();
  // Nobody has to wait for anything.
  const [first, read, verdict] = await Promise.all([
    heuristic(engine), engine.ask('parse', { text: '1 2 3 0' }), engine.ask('check', random),
  ]);
  assert.equal(first, '6-6-3:mirror');
  assert.deepEqual(told.tables, []);
  assert.deepEqual([read.board, verdict.solvable], [[1, 2, 3, 0], true]);
  await assert.rejects(engine.ask('parse', { text: '1 2 2 0' }), { kind: 'input', message: /tile 2 appears twice/ });
  const { tables: name, source, seconds, reason } = await tables;
  assert.deepEqual([name, source, reason], ['7-8', 'built', undefined]);
  console.log(`built and stored in ${seconds.toFixed(2)} s`);
  // The bar goes on as the time does, roughly: other work may take the processor for a while.
  const all = performance.now() - told.times[0];
  const late = told.progress.map((done, i) => done - (told.times[i + 1] - told.times[0]) / all);
  assert.ok(late.every((difference) => Math.abs(difference) < 0.4), late.map((part) => part.toFixed(2)).join(' '));
  assert.ok(told.progress.length > 5 && told.progress.every((done, i, all) => done <= 1 && !(done < all[i - 1])));
  assert.equal(await heuristic(engine), '7-8:mirror');
  assert.equal(readdirSync(join(folder, 'taquin')).length, 2);
  assert.equal(workers.length, 2);
  assert.ok(workers[1].ended, 'the builder is gone');
});

test('the second visit: the tables are there', async () => {
  const { engine, told, tables } = start();
  const { source, seconds } = await tables;
  assert.equal(source, 'stored');
  console.log(`loaded in ${seconds.toFixed(2)} s`);
  assert.equal(await heuristic(engine), '7-8:mirror');
  assert.deepEqual([workers.length, told.died], [1, []]);
});

test('a damaged file is built again', async () => {
  const damaged = join(folder, 'taquin', '4x4-0-1.2.3.4.5.6.7.pdb');
  const bytes = readFileSync(damaged);
  bytes[bytes.length >> 1] ^= 1;
  writeFileSync(damaged, bytes);
  const { engine, tables } = start();
  const { source, reason } = await tables;
  assert.equal(source, 'built');
  assert.match(reason, /checksum/);
  assert.equal(await heuristic(engine), '7-8:mirror');
  // Cut short, as by a tab that was closed.
  writeFileSync(damaged, bytes.subarray(0, 1 << 20));
  const again = start();
  assert.equal((await again.tables).source, 'built');
  assert.equal((await start().tables).source, 'stored');
});

test('a search that is cancelled ends, and the next one begins', async () => {
  const { engine, told, tables } = start();
  await tables;
  const long = engine.ask('solve', hard);
  const queued = engine.ask('solve', random);
  setTimeout(() => engine.cancel(), 300);
  let ended = false;
  long.catch(() => { ended = true; });
  // The page's own requests do not wait for the search.
  assert.equal((await engine.ask('check', random)).solvable, true);
  assert.equal(ended, false);
  await assert.rejects(long, { kind: 'cancelled' });
  await assert.rejects(queued, { kind: 'cancelled' });
  const cancelled = performance.now();
  assert.equal((await engine.ask('solve', random)).result.optimal, true);
  console.log(`an answer ${(performance.now() - cancelled).toFixed(0)} ms after the end of another`);
  assert.deepEqual([told.ready, told.died], [2, []]);
  assert.ok(workers[0].ended);
});

test('a search tells how far it is', async () => {
  const { engine, told, tables } = start();
  await tables;
  const { result } = await engine.ask('solve', { ...hard, timeLimit: 1000 });
  assert.ok(told.searches.length >= 5, `${told.searches.length}`);
  for (const [i, { bound, nodes }] of told.searches.entries()) {
    assert.ok(bound >= 40 && bound <= result.lower_bound && nodes <= result.generated);
    assert.ok(i === 0 || nodes > told.searches[i - 1].nodes);
  }
  // Another search tells its own, on large boards the best solution.
  told.searches.length = 0;
  const { board } = await engine.ask('shuffle', { width: 6, height: 6, goal: 'blank-last', seed: '1' });
  const { result: large } = await engine.ask('solve', { board, width: 6, height: 6, goal: 'blank-last', timeLimit: 3000 });
  assert.ok(told.searches.length > 5, `${told.searches.length}`);
  assert.ok(told.searches.every(({ bound, nodes }) => bound === 0 && nodes <= large.generated));
  const best = told.searches.at(-1).best;
  assert.ok(best >= large.length && told.searches[0].nodes < told.searches.at(-1).nodes, `${best}`);
});

test('the tables of other sizes are told, and belong to the time of a search', async () => {
  const { engine, told: { preparing: told }, tables } = start();
  await tables;
  const { board } = await engine.ask('shuffle', { width: 5, height: 5, goal: 'blank-last', seed: '1' });
  const deadline = performance.now() + 100;
  const { result } = await engine.ask('solve', { board, width: 5, height: 5, goal: 'blank-last', deadline });
  assert.equal(result.stopped, 'time');
  assert.ok(told.length > 10 && told.every(({ size }) => size === '5×5'));
  assert.ok(told.every(({ done }, i) => i === 0 || done >= told[i - 1].done) && told.at(-1).done === 1);
});

test('the learned numbers are loaded with the first board that needs them', async () => {
  let loads = 0;
  const { engine } = start({ large: false, async learn() {
    loads += 1;
    if (loads < 3) throw new Error('no network');
    return loads === 3 ? new Uint8Array(9) : numbers();
  } });
  await engine.ask('solve', random);
  assert.equal(loads, 0);
  await engine.ask('solve', { ...hard, nodeLimit: 1000 });
  assert.equal(loads, 1);
  const large = { board: [...Array(24).keys()].slice(1).concat(0, 24), width: 5, height: 5, goal: 'blank-last' };
  await assert.rejects(engine.ask('solve', large), { kind: 'unloaded', message: /no network/ });
  await assert.rejects(engine.ask('solve', large), { kind: 'unloaded', message: /damaged/ });
  for (let i = 0; i < 2; i++) assert.equal((await engine.ask('solve', large)).result.length, 1);
  assert.equal(loads, 4);
});

test('a search that ends by itself keeps its Worker', async () => {
  // On a busy machine it takes long to end.
  const { engine, told, tables } = start({ patience: 10_000 });
  await tables;
  const short = engine.ask('solve', { ...hard, timeLimit: 50 });
  engine.cancel();
  await assert.rejects(short, { kind: 'cancelled' });
  assert.equal((await engine.ask('solve', random)).result.optimal, true);
  await new Promise((done) => { setTimeout(done, 300); });
  assert.deepEqual([told.ready, workers.length], [1, 1]);
  engine.cancel();
});

test('without large tables it goes on with small ones', async () => {
  const { engine, told, tables } = start({ files: null });
  while (workers.length < 2) await new Promise((done) => { setTimeout(done, 5); });
  fail(workers[1], 'no memory');
  const { source, reason } = await tables;
  assert.deepEqual([source, reason], ['none', 'no memory']);
  assert.equal(await heuristic(engine), '6-6-3:mirror');
  // They are built again on request alone.
  assert.deepEqual([workers.length, told.tables.length], [2, 1]);
  engine.loadLarge();
  while (workers.length < 3) await new Promise((done) => { setTimeout(done, 5); });
  fail(workers[2], 'still no memory');
  while (told.tables.length < 2) await new Promise((done) => { setTimeout(done, 5); });
  assert.equal(told.tables[1].reason, 'still no memory');
  engine.close();
  assert.throws(() => engine.loadLarge(), { kind: 'died' });
});

test('a builder that fails before it is there is ended', async () => {
  const { engine, tables } = start({
    work() {
      const made = worker(null);
      if (workers.length === 2) queueMicrotask(() => made.onerror({ message: 'no script', preventDefault() {} }));
      return made;
    },
  });
  const { source, reason } = await tables;
  assert.deepEqual([source, reason, workers[1].ended], ['none', 'no script', true]);
  engine.close();
});

test('a Worker that dies is replaced', async () => {
  const { engine, told, tables } = start();
  await tables;
  const lost = engine.ask('solve', hard);
  const kept = engine.ask('solve', random);
  fail(workers[0], 'out of luck');
  await assert.rejects(lost, { kind: 'died', message: /out of luck/ });
  assert.equal((await kept).result.optimal, true);
  assert.equal(told.died.length, 1);
});

test('Workers that never start are given up', async () => {
  const { engine, told } = start({
    work() {
      const never = { postMessage() {}, terminate() {}, onerror(/** @type {any} */ _) {} };
      setTimeout(() => never.onerror({ preventDefault() {} }));
      return never;
    },
  });
  await assert.rejects(engine.ask('solve', random), { kind: 'died' });
  await assert.rejects(engine.ask('solve', random), { kind: 'died' });
  assert.equal(told.died.length, 3);
  // The page's own instance goes on.
  assert.equal((await engine.ask('check', random)).solvable, true);
});

test('a module that is not there', async () => {
  const { engine, told } = start({ module: 'nowhere.wasm' });
  await assert.rejects(engine.ask('parse', { text: '1 2 3 0' }), /404/);
  await assert.rejects(engine.ask('solve', random), { kind: 'unloaded', message: /404/ });
  await assert.rejects(engine.ask('solve', random), { kind: 'unloaded' });
  assert.equal(told.died.length, 1);
});
