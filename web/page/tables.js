// Tables as files in the origin private file system (OPFS), in the format of docs/FORMAT.md.
//
// The module checks the hash of a file that is read, so a file may be of any age, or half written.

/** The folder of the files. */
const FOLDER = 'taquin';

/** Tabs that build and store, and tabs that read, wait for each other. */
const LOCK = 'taquin.tables';

/** Does work on the files while no other tab changes them. */
export function locked(mode, work) {
  return navigator.locks ? navigator.locks.request(LOCK, { mode }, work) : work();
}

/** The bytes that are read or written at a time. */
const CHUNK = 16 << 20;

/**
 * The folder, whose files have handles that only Workers have.
 * @returns {Promise<any>}
 */
async function folder() {
  if (!navigator.storage?.getDirectory) throw new Error('this browser keeps no files for pages');
  return (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER, { create: true });
}

const handleOf = async (name, options) => (await folder()).getFileHandle(name, options);

/**
 * Gives a file to the module. `read(at, length, view)` puts a part of the file into the view that
 * `view()` returns, which holds as long as nothing else calls the module. `pause()` is called
 * between the parts.
 */
async function take(wasm, read, pause = () => {}) {
  const start = wasm.header().length;
  await read(0, start, () => wasm.header());
  wasm.demand('open');
  const { length } = wasm.payload();
  for (let at = 0; at < length; at += CHUNK) {
    const part = Math.min(CHUNK, length - at);
    await read(start + at, part, () => wasm.payload().subarray(at, at + part));
    // The end of a file is there sooner than anything else.
    if (length - at > 2 * CHUNK) await pause();
  }
  wasm.demand('keep');
}

/** Gives a stored file to the module. `false` where there is none; one that is refused is removed. */
export async function load(wasm, name, pause) {
  let handle;
  try {
    handle = await handleOf(name);
  } catch {
    return false;
  }
  const access = await handle.createSyncAccessHandle({ mode: 'read-only' }).catch(() => null);
  const short = (count, length) => {
    if (count !== length) throw new Error(`${name} is cut short`);
  };
  try {
    if (access) {
      await take(wasm, (at, length, view) => short(access.read(view(), { at }), length), pause);
    } else {
      // Open in another tab, for instance.
      const file = await handle.getFile();
      await take(wasm, async (at, length, view) => {
        const bytes = await file.slice(at, at + length).arrayBuffer();
        short(bytes.byteLength, length);
        view().set(new Uint8Array(bytes));
      }, pause);
    }
  } catch (error) {
    access?.close();
    await remove(name);
    throw error;
  }
  access?.close();
  return true;
}

/** Whether a file of this length is stored. */
export async function isStored(name, bytes) {
  try {
    return (await (await handleOf(name)).getFile()).size === bytes;
  } catch {
    return false;
  }
}

/** Stores the file that the module has built. */
export async function store(wasm, name) {
  const access = await (await handleOf(name, { create: true })).createSyncAccessHandle();
  try {
    const [header, payload] = [wasm.header(), wasm.payload()];
    const write = (view, at) => {
      if (access.write(view, { at }) !== view.length) throw new Error('there is no room left');
    };
    access.truncate(0);
    for (let at = 0; at < payload.length; at += CHUNK) {
      write(payload.subarray(at, at + CHUNK), header.length + at);
    }
    // The header last: a file without one is not a table.
    write(header, 0);
    access.flush();
    access.close();
  } catch (error) {
    access.close();
    await remove(name);
    throw error;
  }
}

async function remove(name) {
  try {
    await (await folder()).removeEntry(name);
  } catch {
    // It is built again, and replaces the old one.
  }
}

/** A copy of the bytes of a file that the module has built. */
export function copy(wasm, name) {
  return { name, header: wasm.header().slice(), payload: wasm.payload().slice() };
}

/** Gives such bytes to a module. */
export async function give(wasm, { header, payload }) {
  await take(wasm, (at, length, view) => {
    const start = at - header.length;
    view().set(at === 0 ? header : payload.subarray(start, start + length));
  });
}
