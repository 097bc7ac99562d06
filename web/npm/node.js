// The engine in Node: its Workers are threads, and tables are kept in a folder.

import { readFile } from 'node:fs/promises';
import { Worker as Thread } from 'node:worker_threads';

import { Taquin as Anywhere } from './taquin.js';

const HOST = new URL('./thread.js', import.meta.url);
const SCRIPT = new URL('../page/worker.js', import.meta.url).href;

/** A thread with the face of a Worker in a browser. */
class Worker {
  #thread;

  constructor(storage) {
    // Options of the program, such as --input-type, are not for threads.
    this.#thread = new Thread(HOST, { workerData: { script: SCRIPT, storage }, execArgv: [] });
    this.#thread.on('message', (data) => this.onmessage({ data }));
    this.#thread.on('messageerror', () => this.onmessageerror());
    this.#thread.on('error', ({ message }) => this.onerror({ message, preventDefault() {} }));
  }

  postMessage(message, transfer) {
    this.#thread.postMessage(message, transfer);
  }

  terminate() {
    this.#thread.terminate();
  }
}

export class Taquin extends Anywhere {
  static host({ folder }) {
    const load = async () => WebAssembly.compile(await readFile(new URL('../page/taquin.wasm', import.meta.url)));
    const learn = () => readFile(new URL('../page/learned.numbers', import.meta.url));
    return { load, learn, work: () => new Worker(folder) };
  }
}
