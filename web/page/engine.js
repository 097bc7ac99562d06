// The engine of the page and of the npm package. Boards are read, checked and drawn by an instance of
// the module in the page itself, which takes microseconds. A Worker solves, another one builds the
// tables.

import { TABLES, Wasm, compile, failure, fetched } from './wasm.js';

/** A search that ends by itself within this time, in milliseconds, is not worth a new Worker. */
const PATIENCE = 150;

/** The number of solvers that may fail to start in a row before no other one is tried. */
const ATTEMPTS = 3;

/** The requests that the page's own instance answers. */
const OWN = ['parse', 'list', 'goal', 'check', 'shuffle', 'read', 'write', 'lesson'];

const loadModule = () => compile(new URL('./taquin.wasm', import.meta.url));
const loadNumbers = async () => new Uint8Array(await (await fetched(new URL('./learned.numbers', import.meta.url))).arrayBuffer());
const startWorker = () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });

export class Engine {
  #listeners = null;
  /** Events from before anyone listened. */
  #missed = [];
  #module;
  #startWorker;
  #loadNumbers;
  /** The learned numbers of beams, once a request has needed them, and the solver that has them. */
  #numbers = null;
  #learned = null;
  #patience;
  /** Whether solvers get the large tables. */
  #large;
  /** The instance in the page. */
  #own;
  /** The Worker that solves, and a unique object that tells its messages from older ones. */
  #solver = null;
  #turn = null;
  #ready = false;
  /** The solvers in a row that failed before they were ready, and why no other one is tried. */
  #failures = 0;
  #over = null;
  /** The tables that are built, until a solver gets them, as a promise; and what ends the build. */
  #built = null;
  #endBuild = (/** @type {string} */ _) => {};
  /** The solver that got them, and why they are not stored. */
  #supplied = null;
  /** Why no tables can be built. */
  #refused = null;
  /** When the work on the tables began. */
  #begun = 0;
  /** Requests that wait for the solver, and the one that it works on. */
  #queue = [];
  #running = null;
  #ids = 0;

  /**
   * `load` compiles the module; `learn` loads the learned numbers; `work` starts a Worker with `worker.js`. With
   * `large` the large tables are loaded or built at once, otherwise by `loadLarge`. A cancelled search that does not
   * end within `patience` milliseconds loses its Worker.
   */
  constructor({ load = loadModule, learn = loadNumbers, work = startWorker, large = true, patience = PATIENCE } = {}) {
    this.#patience = patience;
    this.#module = load().catch((error) => {
      throw failure('unloaded', `the engine cannot be loaded: ${error.message}`);
    });
    this.#startWorker = work;
    this.#loadNumbers = learn;
    this.#large = large;
    this.#own = this.#module.then((module) => Wasm.start(module));
    // Each request fails with it, and the solver too.
    this.#own.catch(() => {});
    this.#start();
  }

  /**
   * The listeners are all optional: `onready()` when boards can be solved, `onprogress({ tables, done })`
   * and `ontables({ tables, source, seconds, reason })` on the large tables, `onpreparing({ size, done })`
   * while a request waits for tables of its size, `onsearch({ bound, nodes, best })` while a search lasts,
   * `ondied(error)` when a Worker failed; another one takes its place. They also hear of earlier events.
   */
  listen(listeners) {
    this.#listeners = listeners;
    for (const [name, argument] of this.#missed.splice(0)) this.#tell(name, argument);
  }

  /**
   * The answer to a request. Those of OWN are answered at once, the others by the solver. `deadline`, a time of
   * `performance.now()`, is a time limit that includes the wait for the solver. An AbortSignal cancels this request
   * alone. `onpreparing` and `onsearch` hear of it, like the listeners of `listen`.
   */
  ask(type, request, options) {
    return OWN.includes(type) ? this.#own.then((own) => own.demand(type, request)) : this.#wait(type, request, options);
  }

  /** Loads the large tables, or builds them. `ontables` hears of the end. After a failure it tries again. */
  loadLarge() {
    if (this.#over) throw ended(this.#over);
    if (this.#large && !this.#refused) return;
    this.#begun = performance.now();
    this.#large = true;
    this.#refused = null;
    this.#supplied = null;
    // A solver that starts later loads them by itself.
    this.#solver?.postMessage({ type: 'load' });
  }

  /** Ends all searches: their promises reject with the kind `cancelled`. */
  cancel() {
    for (const asked of [...this.#queue, this.#running]) this.#drop(asked);
  }

  /** Ends everything. Requests reject with the kind `died`. */
  close() {
    const error = failure('died', 'it was closed');
    const running = this.#running;
    this.#giveUp(error);
    if (running?.wanted) running.reject(ended(error));
  }

  #drop(asked) {
    if (!asked?.wanted) return;
    asked.wanted = false;
    this.#queue = this.#queue.filter((other) => other !== asked);
    if (this.#running === asked) {
      setTimeout(() => {
        if (this.#running === asked) this.#start();
      }, this.#patience);
    }
    asked.reject(failure('cancelled', 'the search was cancelled'));
  }

  #tell(name, argument) {
    if (this.#listeners) this.#listeners[name]?.(argument);
    else this.#missed.push([name, argument]);
  }

  /**
   * @param {string} type
   * @param {object} request
   * @param {any} [options]
   */
  #wait(type, request, { signal, ...listeners } = {}) {
    const asked = { message: { ...request, id: this.#ids++, type }, listeners, wanted: true };
    const answer = new Promise((resolve, reject) => Object.assign(asked, { resolve, reject }));
    if (this.#over) {
      asked.reject(ended(this.#over));
      return answer;
    }
    this.#queue.push(asked);
    if (signal) {
      const abort = () => this.#drop(asked);
      const forget = () => signal.removeEventListener('abort', abort);
      signal.addEventListener('abort', abort);
      answer.then(forget, forget);
      if (signal.aborted) abort();
    }
    this.#next();
    return answer;
  }

  /** Tells everybody who listens about the request that runs. */
  #tellRunning(name, argument) {
    this.#running.listeners[name]?.(argument);
    this.#tell(name, argument);
  }

  /** Sends the next request to the solver if it has nothing else to do. */
  #next() {
    if (!this.#ready || this.#running) return;
    this.#running = this.#queue.shift() ?? null;
    if (this.#running) this.#send(this.#running);
  }

  #send(asked) {
    const { deadline, ...message } = asked.message;
    if (this.#numbers && this.#learned !== this.#turn) {
      message.numbers = this.#numbers;
      this.#learned = this.#turn;
    }
    if (deadline !== undefined) message.timeLimit = Math.max(0, deadline - performance.now());
    this.#solver.postMessage(message);
  }

  /** Loads the learned numbers, unless they are there. */
  async #learn() {
    if (this.#numbers) return;
    const numbers = await this.#loadNumbers();
    // Damaged ones would end a solver.
    (await this.#own).learn(numbers);
    this.#numbers = numbers;
  }

  /** Sends the request that runs again, with the learned numbers, which it needs. */
  async #sendAgain(turn) {
    try {
      await this.#learn();
      if (this.#turn === turn) this.#send(this.#running);
    } catch (error) {
      if (this.#turn !== turn) return;
      const { reject } = this.#running;
      this.#running = null;
      reject(failure('unloaded', `the learned numbers cannot be loaded: ${error.message}`));
      this.#next();
    }
  }

  /** A Worker in a role. Its messages go to the handlers, and a fatal error goes to `failed`. */
  async #work(role, handlers) {
    const worker = this.#startWorker();
    worker.onmessage = ({ data }) => handlers[data.id === undefined ? data.type : 'reply'](data);
    worker.onerror = (event) => {
      event.preventDefault();
      handlers.failed({ reason: event.message || 'a Worker cannot be started' });
    };
    worker.onmessageerror = () => handlers.failed({ reason: 'a message of a Worker cannot be read' });
    try {
      // The Worker's script is loaded while the module is.
      const module = await this.#module;
      worker.postMessage({ type: 'start', role, module, large: this.#large });
    } catch (error) {
      worker.terminate();
      throw error;
    }
    return worker;
  }

  /** Starts a solver in the place of the one before. */
  async #start() {
    this.#solver?.terminate();
    this.#solver = null;
    this.#ready = false;
    this.#running = null;
    this.#begun = performance.now();
    const turn = {};
    this.#turn = turn;
    // Messages of a replaced solver are ignored.
    const current = (handler) => (data) => {
      if (this.#turn === turn) handler(data);
    };
    try {
      const solver = await this.#work('solver', {
        ready: current(() => {
          this.#ready = true;
          this.#failures = 0;
          this.#tell('onready');
          this.#next();
        }),
        reply: current(({ id, ...reply }) => {
          if (reply.kind === 'numbers') {
            this.#sendAgain(turn);
            return;
          }
          // The next search of such a board finds a better solution with them.
          if (reply.result?.stopped) this.#learn().catch(() => {});
          const { resolve, reject } = this.#running;
          this.#running = null;
          if (reply.error) reject(failure(reply.kind, reply.error));
          else resolve(reply);
          this.#next();
        }),
        preparing: current(({ done }) => {
          const { width, height } = this.#running?.message ?? {};
          if (width) this.#tellRunning('onpreparing', { size: `${width}×${height}`, done });
        }),
        searching: current(({ bound, nodes, best }) => {
          if (this.#running?.wanted) this.#tellRunning('onsearch', { bound, nodes, best });
        }),
        loaded: current(() => {
          if (this.#supplied?.turn === turn) this.#tellTables('built', this.#supplied.reason);
          else this.#tellTables('stored');
        }),
        wanted: current((wanted) => this.#supply(turn, wanted)),
        failed: current(({ reason }) => this.#died(failure('died', reason))),
      });
      if (this.#turn === turn) this.#solver = solver;
      else solver.terminate();
    } catch (error) {
      if (this.#turn !== turn) return;
      this.#tell('ondied', error);
      this.#giveUp(error);
    }
  }

  /** The solver failed: its current request has no answer, the rest wait for the next solver. */
  #died(error) {
    this.#failures += 1;
    const running = this.#running;
    this.#tell('ondied', error);
    if (this.#failures < ATTEMPTS) this.#start();
    else this.#giveUp(error);
    running?.reject(ended(error));
  }

  #giveUp(error) {
    this.#over = error;
    this.#ready = false;
    this.#turn = null;
    this.#solver?.terminate();
    this.#solver = null;
    this.#running = null;
    this.#endBuild(error.message);
    for (const { reject } of this.#queue.splice(0)) reject(ended(error));
  }

  #tellTables(source, reason) {
    const seconds = (performance.now() - this.#begun) / 1000;
    this.#tell('ontables', { tables: TABLES, source, seconds, reason });
  }

  /** Gives a solver the tables that it misses. They are built once for all solvers that ask meanwhile. */
  async #supply(turn, { names, reason }) {
    // The tables just built cannot be used: another round would end in the same way.
    if (this.#supplied?.turn === turn) this.#refused ??= reason ?? 'the tables that were built are gone';
    try {
      if (this.#refused) throw new Error(this.#refused);
      this.#built ??= this.#build(names);
      const { files, ...built } = await this.#built;
      // Another solver asks for itself.
      if (this.#turn !== turn) return;
      this.#solver.postMessage({ type: 'take', names: built.names, files }, files.flatMap(({ header, payload }) => [header.buffer, payload.buffer]));
      this.#supplied = { turn, reason: reason ?? built.reason };
    } catch (error) {
      if (this.#turn !== turn) return;
      this.#refused = error.message;
      this.#tellTables('none', this.#refused);
    }
    this.#built = null;
  }

  /** The tables that a builder makes, with why they are not stored. Its memory goes before the solver's grows. */
  #build(names) {
    const built = { names: [], files: [], reason: undefined };
    let builder;
    let over = false;
    return new Promise((resolve, reject) => {
      this.#endBuild = (reason) => reject(new Error(reason));
      this.#work('builder', {
        progress: ({ done }) => this.#tell('onprogress', { tables: TABLES, done }),
        built: ({ name, file, reason }) => {
          built.names.push(name);
          if (file) built.files.push(file);
          built.reason ??= reason;
        },
        done: () => resolve(built),
        failed: ({ reason }) => this.#endBuild(reason),
      }).then((made) => {
        builder = made;
        // The build may end before its Worker is there.
        if (over) made.terminate();
        else made.postMessage({ type: 'build', names });
      }, reject);
    }).finally(() => {
      over = true;
      builder?.terminate();
    });
  }
}

/** The error of a request whose engine is gone. */
function ended(error) {
  return error.kind === 'unloaded' ? error : failure('died', `the engine stopped: ${error.message}`);
}
