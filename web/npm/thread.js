// Gives a thread of Node what the engine's Worker has in a browser: messages, and files in a folder.

import { closeSync, existsSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';

const missing = () => Object.assign(new Error('not found'), { name: 'NotFoundError' });

function file(path) {
  return {
    async createSyncAccessHandle() {
      const descriptor = openSync(path, 'r+');
      return {
        read: (view, { at }) => readSync(descriptor, view, 0, view.length, at),
        write: (view, { at }) => writeSync(descriptor, view, 0, view.length, at),
        truncate: (size) => ftruncateSync(descriptor, size),
        flush: () => fsyncSync(descriptor),
        close: () => closeSync(descriptor),
      };
    },
    async getFile() {
      return new Blob([readFileSync(path)]);
    },
  };
}

function folder(path) {
  return {
    async getDirectoryHandle(name, { create }) {
      const below = join(path, name);
      if (create) mkdirSync(below, { recursive: true });
      return folder(below);
    },
    async getFileHandle(name, { create } = {}) {
      const below = join(path, name);
      if (!existsSync(below)) {
        if (!create) throw missing();
        closeSync(openSync(below, 'w'));
      }
      return file(below);
    },
    async removeEntry(name) {
      rmSync(join(path, name));
    },
  };
}

const { script, storage } = workerData;
const getDirectory = async () => {
  if (!storage) throw new Error('storage is refused');
  return folder(storage);
};
Object.defineProperty(globalThis, 'navigator', { value: { storage: { getDirectory } } });
globalThis.postMessage = (message, { transfer } = {}) => parentPort.postMessage(message, transfer);
globalThis.onmessage = null;
// Messages wait until the script is there.
await import(script);
parentPort.on('message', (data) => globalThis.onmessage({ data }));
