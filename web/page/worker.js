// A Worker with an instance of the module. The first message, { type: 'start', role, module, large },
// makes it the solver, which answers requests, or the builder, which builds tables and then ends: memory
// of a module never shrinks, and the solver's memory holds the finished tables only. With `large` the
// solver loads the large tables at once.
//
// To the solver:   { id, type, ... }              a request: the module's function and its argument,
//                                                  with the learned numbers after the reply that they are missing
//                  { type: 'load' }               load the large tables
//                  { type: 'take', names, files } tables that the builder has stored, or sends along
// From the solver: { id, ... }                    the reply
//                  { type: 'ready' }              requests are answered
//                  { type: 'loaded' }             the tables are there
//                  { type: 'preparing', done } how far the tables are that a request needs first
//                  { type: 'searching', bound, nodes, best } how far the search is, while it lasts
//                  { type: 'wanted', names, reason } these tables are missing, perhaps with a reason
// To the builder:  { type: 'build', names }
// From it:         { type: 'progress', done }
//                  { type: 'built', name, file, reason } stored, or else the file and the reason
//                  { type: 'done' }
// From both:       { type: 'failed', reason }     the instance cannot be used any more

import { copy, give, isStored, load, locked, store } from './tables.js';
import { FILES, Wasm } from './wasm.js';

/** Messages of progress are at least this far apart, in milliseconds. */
const PACE = 50;

/** The part of the wait for large tables in which they are built; then the solver reads them. */
const BUILDING = 0.95;

let wasm;

/** Lets requests come between the steps of long work. */
const pause = () => new Promise((done) => { setTimeout(done); });

/** Makes the search for the usual goal ready with the large tables, so that no request waits for it. */
function prepare() {
  const board = [...Array(15).keys()].map((tile) => tile + 1).concat(0);
  wasm.demand('prepare', { board, width: 4, height: 4, goal: 'blank-last', large: true });
}

const kinds = {
  async start({ role, module, large }) {
    wasm = await Wasm.start(module, { progress: role === 'builder' ? report : preparing, ...search });
    if (role === 'builder') return;
    postMessage({ type: 'ready' });
    if (large) await kinds.load();
  },

  async load() {
    await take(FILES.map(({ name }) => name));
  },

  take({ names, files }) {
    return take(names, files);
  },

  async build({ names }) {
    const files = FILES.filter(({ name }) => names.includes(name));
    share.all = files.reduce((all, { bytes }) => all + bytes, 0);
    await locked('exclusive', async () => {
      for (const { name, bytes } of files) {
        share.part = bytes;
        // Another tab may have built it meanwhile. A damaged one would have been removed.
        if (await isStored(name, bytes)) {
          postMessage({ type: 'built', name });
        } else {
          wasm.demand('build', { file: name });
          await deliver(name);
        }
        share.before += bytes;
      }
    });
    postMessage({ type: 'done' });
  },
};

/** The bytes of the tables that are built, of the one being built, and of all. */
const share = { before: 0, part: 0, all: 1 };

function report(reached) {
  const done = (share.before + timeOf(reached) * share.part) / share.all;
  if (due()) postMessage({ type: 'progress', done: done * BUILDING });
}

/**
 * The part of the time of a table's build until a part of its states is reached. The levels take about
 * as long as each other, while their sizes rise and fall like a bell; the table is packed at the end.
 */
function timeOf(reached) {
  const level = Math.max(-8, Math.min(6, Math.log(reached / (1 - reached))));
  return 0.06 + (0.8 * (level + 8)) / 14;
}

/** The search that runs: it tells how far it is. */
const search = {
  begin() {
    Object.assign(search, { told: performance.now(), proved: 0, generated: 0, best: 0 });
  },

  bound(moves, generated) {
    search.proved = moves;
    search.generated = generated;
  },

  nodes(more) {
    search.generated += more;
    if (!due()) return;
    postMessage({ type: 'searching', bound: search.proved, nodes: search.generated, best: search.best });
  },

  shorter(moves) {
    search.best = moves;
  },
};

search.begin();

/** Whether it is time for another message of the work. */
function due() {
  const now = performance.now();
  if (now - search.told < PACE) return false;
  search.told = now;
  return true;
}

/** The tables that a request needs first. */
function preparing(done) {
  if (done === 1 || due()) postMessage({ type: 'preparing', done });
}

/** Stores the table just built, or sends it. */
async function deliver(name) {
  try {
    await store(wasm, name);
    postMessage({ type: 'built', name });
  } catch (error) {
    const file = copy(wasm, name);
    postMessage({ type: 'built', name, file, reason: said(error) }, { transfer: [file.header.buffer, file.payload.buffer] });
  }
}

/** Gives tables to the module: tables that were sent, and stored tables. */
async function take(names, files = []) {
  const missing = [];
  let reason;
  for (const name of names) {
    try {
      const sent = files.find((file) => file.name === name);
      if (sent) await give(wasm, sent);
      else if (!await locked('shared', () => load(wasm, name, pause))) missing.push(name);
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) throw error;
      missing.push(name);
      reason = said(error);
    }
  }
  if (!missing.length) {
    prepare();
    postMessage({ type: 'loaded' });
    return;
  }
  postMessage({ type: 'wanted', names: missing, reason });
}

function said(error) {
  return String(error?.message || error?.name || error);
}

function failed(error) {
  postMessage({ type: 'failed', reason: said(error) });
}

/** Work on tables goes on one after the other; requests come between its steps. */
let work = Promise.resolve();

function enqueue(step) {
  work = work.then(step).catch(failed);
}

function reply({ id, type, numbers, ...request }) {
  try {
    search.begin();
    if (numbers) wasm.learn(numbers);
    postMessage({ id, ...wasm.call(type, request) });
  } catch (error) {
    failed(error);
  }
}

onmessage = ({ data }) => {
  if (data.id !== undefined) reply(data);
  else enqueue(() => kinds[data.type](data));
};
