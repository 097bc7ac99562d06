// The WebAssembly module, as functions from objects to objects. See web/wasm/src/lib.rs.

/** The partition of the large tables of 4×4 boards. */
export const TABLES = '7-8';

/** Compiles the module at a URL. */
export async function compile(url) {
  if (!globalThis.WebAssembly) throw new Error('there is no WebAssembly here');
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
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

  /** Calls a function of the module: an object in, an object out. */
  call(name, request) {
    const { exports } = this;
    if (request !== undefined) {
      const bytes = new TextEncoder().encode(JSON.stringify(request));
      this.#view(exports.input(bytes.length), bytes.length).set(bytes);
    }
    exports[name]();
    return JSON.parse(new TextDecoder().decode(this.#view(exports.output(), exports.output_bytes())));
  }

  /** As `call`, but a reply that is not `ok` is thrown. */
  demand(name, request) {
    return demand(this.call(name, request));
  }

  /** The header of a file. A view holds until the next call. */
  header() {
    return this.#view(this.exports.header(), this.exports.header_bytes());
  }

  /** The rest of a file. */
  payload() {
    return this.#view(this.exports.payload(), this.exports.payload_bytes());
  }

  /** The bytes of the module's memory. */
  get bytes() {
    return this.exports.memory.buffer.byteLength;
  }

  #view(address, length) {
    return new Uint8Array(this.exports.memory.buffer, address >>> 0, length >>> 0);
  }
}

/** The error of a request, with its kind. */
export function failure(kind, message) {
  return Object.assign(new Error(message), { kind });
}

/** A reply, or its error thrown. */
export function demand(reply) {
  if (!reply.ok) throw failure(reply.kind, reply.error);
  return reply;
}
