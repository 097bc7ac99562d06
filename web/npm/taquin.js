// The engine for other pages and programs. taquin.d.ts describes it.

import { Engine } from '../page/engine.js';
import { asText, sides, source } from '../page/grid.js';
import { failure } from '../page/wasm.js';

/** The milliseconds that a hint may take. */
const HINT = 3000;

export class Taquin {
  #engine;
  /** The large tables: a promise, how to settle it, and who hears of the progress. Null until they are wanted. */
  #tables = null;

  constructor(engine) {
    this.#engine = engine;
    engine.listen({
      onprogress: (far) => this.#tables?.progress?.(far),
      ontables: ({ source: from, reason, ...event }) => {
        if (from === 'none') this.#forget(failure('database', reason));
        else this.#want().resolve({ ...event, source: from });
      },
      ondied: ({ message }) => this.#forget(failure('died', message)),
    });
  }

  /** The options of the engine where this runs. */
  static host() {
    return {};
  }

  static async load(options = {}) {
    const engine = new Engine({ large: false, ...this.host(options) });
    try {
      // The first tables are small. Without them there is no engine.
      await engine.ask('prepare', { board: [1, 2, 3, 0], width: 2, height: 2, goal: 'blank-last' });
    } catch (error) {
      engine.close();
      throw error;
    }
    return new this(engine);
  }

  /** Loads the 7-8 tables, or builds them. After a failure the next call tries again. */
  loadTables({ progress } = {}) {
    if (this.#tables) return this.#tables.promise;
    const { promise } = this.#want(progress);
    try {
      this.#engine.loadLarge();
    } catch (error) {
      this.#forget(error);
    }
    return promise;
  }

  /** The promise of the tables. A Worker that takes the place of another one loads them before anyone asks. */
  #want(progress) {
    if (!this.#tables) {
      this.#tables = { progress };
      this.#tables.promise = new Promise((resolve, reject) => Object.assign(this.#tables, { resolve, reject }));
    }
    return this.#tables;
  }

  #forget(error) {
    this.#tables?.reject(error);
    this.#tables = null;
  }

  async parse(board, { size, goal, blank } = {}) {
    return this.#engine.ask('parse', { text: asText(board), size, goal, blank });
  }

  async check(board, options) {
    return this.#engine.ask('check', await this.#pose(board, options));
  }

  async shuffle({ size = '4x4', goal = 'blank-last', seed, moves } = {}) {
    const drawn = seed ?? crypto.getRandomValues(new BigUint64Array(1))[0];
    return this.#engine.ask('shuffle', { ...sides(size), goal, seed: String(drawn), moves });
  }

  async solve(board, { metric = 'single', heuristic, ...options } = {}) {
    const request = { ...await this.#pose(board, options), metric, heuristic };
    return (await this.#search('solve', request, options)).result;
  }

  async solutions(board, { most = 1000, ...options } = {}) {
    const request = { ...await this.#pose(board, options), most };
    const { count, paths } = await this.#search('solutions', request, options);
    return { count: BigInt(count), paths };
  }

  async hint(board, { limit = { milliseconds: HINT }, ...options } = {}) {
    const request = await this.#pose(board, options);
    const { result } = await this.#search('solve', request, { ...options, limit });
    const [move = null] = result.moves ?? '';
    const tile = move && request.board[source(request.board, request.width, move)];
    return { move, tile, distance: result.length ?? null, lower: result.lower_bound };
  }

  close() {
    this.#forget(failure('died', 'it was closed'));
    this.#engine.close();
  }

  async #pose(board, { goal = 'blank-last', size } = {}) {
    const { board: tiles, width, height, labels } = await this.parse(board, { size, goal });
    return { board: tiles, width, height, labels, goal };
  }

  async #search(type, request, { limit = {}, signal, progress }) {
    signal?.throwIfAborted();
    const { milliseconds, nodes } = limit;
    if (milliseconds !== undefined) request.deadline = performance.now() + milliseconds;
    try {
      return await this.#engine.ask(type, { ...request, nodeLimit: nodes }, {
        signal,
        onpreparing: (far) => progress?.({ type: 'tables', ...far }),
        onsearch: (far) => progress?.({ type: 'search', ...far }),
      });
    } catch (error) {
      throw signal?.aborted && error.kind === 'cancelled' ? signal.reason : error;
    }
  }
}
