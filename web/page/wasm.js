// The WebAssembly module, as functions from objects to objects. See web/wasm/src/lib.rs.

/** The partition of the large tables of 4×4 boards, and its files; the second is built in the memory that the first leaves. */
export const TABLES = '7-8';
export const FILES = [
  { name: '4x4-0-8.9.10.11.12.13.14.15.pdb', bytes: 178379776 }, { name: '4x4-0-1.2.3.4.5.6.7.pdb', bytes: 17502976 },
];

/** A file of the site. */
export async function fetched(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return response;
}

/** Compiles the module at a URL. */
export async function compile(url) {
  if (!globalThis.WebAssembly) throw new Error('there is no WebAssembly here');
  const response = await fetched(url);
  // A server that does not know the type must not make this fail.
  return response.headers.get('Content-Type') === 'application/wasm'
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

const none = () => {};

/** An instance of the module. */
export class Wasm {
  /**
   * `progress` receives the part of the work on tables that is done, from 0 to 1. `bound` receives a
   * bound that a search has proved, and the nodes generated until then; `nodes` the number of further
   * ones; `shorter` the length of a better solution.
   */
  static async start(module, { progress = none, bound = none, nodes = none, shorter = none } = {}) {
    const host = { now: () => performance.now(), progress, bound, nodes, shorter };
    return new Wasm(await WebAssembly.instantiate(module, { host }));
  }

  constructor(instance) {
    this.exports = instance.exports;
  }

  /** Asks the module: an object in, an object out. */
  call(type, request) {
    this.#write(new TextEncoder().encode(JSON.stringify({ ...request, type })));
    this.exports.answer();
    return JSON.parse(new TextDecoder().decode(this.#part(0)));
  }

  /** Calls as `call` does, but throws the error of a reply. */
  demand(type, request) {
    const reply = this.call(type, request);
    if (reply.error) throw failure(reply.kind, reply.error);
    return reply;
  }

  /** Takes the learned numbers of beams. */
  learn(bytes) {
    this.#write(bytes);
    if (!this.exports.learn()) throw new Error('the file is damaged');
  }

  /** The header of a file. A view holds until the next call. */
  header() {
    return this.#part(1);
  }

  /** The rest of a file. */
  payload() {
    return this.#part(2);
  }

  /** The bytes of the module's memory. */
  get bytes() {
    return this.exports.memory.buffer.byteLength;
  }

  #write(bytes) {
    this.exports.input(bytes.length);
    this.#part(0).set(bytes);
  }

  #part(part) {
    const { memory, address, bytes } = this.exports;
    // The memory may grow with the first call.
    const [at, length] = [address(part), bytes(part)];
    return new Uint8Array(memory.buffer, at >>> 0, length >>> 0);
  }
}

/** The error of a request, with its kind. */
export function failure(kind, message) {
  return Object.assign(new Error(message), { kind });
}
