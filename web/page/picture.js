// A picture on the tiles: a file of the user's. It is read in the tab, and kept in the browser.

import { $, on, remembered } from './dom.js';
import { fail } from './message.js';
import { phrase } from './text.js';

/** The most pixels of a side that are kept. */
const SIDE = 1536;
/** The database, its only store, and the key of the picture in it. */
const [DATABASE, STORE, KEY] = ['taquin', 'pictures', 'tiles'];

let redraw;
/** The picture as a canvas, or null. */
let picture = null;

export const shown = () => picture;

export function init(_, render) {
  redraw = render;
  remembered('show-numbers', redraw);
  on('picture-choose', 'click', () => $('picture').click());
  on('picture', 'change', async () => {
    const [file] = $('picture').files;
    // So that the same file can be chosen again.
    $('picture').value = '';
    if (file) await choose(file);
  });
  on('picture-remove', 'click', () => {
    show(null);
    keep((store) => store.delete(KEY));
  });
  restore();
}

export function render() {
  $('picture-remove').hidden = $('numbers-row').hidden = !picture;
}

async function choose(file) {
  let drawn;
  try {
    drawn = await scaled(file);
  } catch {
    fail(phrase('noPicture'));
    return;
  }
  show(drawn);
  const blob = await new Promise((done) => { drawn.toBlob(done, 'image/webp', 0.9); });
  await keep((store) => store.put(blob, KEY));
}

async function restore() {
  try {
    const blob = await stored('readonly', (store) => store.get(KEY));
    if (blob && !picture) show(await scaled(blob));
  } catch { /* Nothing is kept where storage is refused. */ }
}

/** Changes the stored picture. Where storage is refused, the picture stays as long as the tab. */
async function keep(change) {
  await stored('readwrite', change).catch(() => {});
  $('picture').dataset.kept = Boolean(picture);
}

function show(drawn) {
  picture = drawn;
  redraw();
}

/** The picture of a file, on a canvas. */
async function scaled(file) {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, SIDE / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext('2d').drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas;
}

// ---- IndexedDB

const answer = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** The result of a request to the store. */
async function stored(mode, ask) {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await answer(opening);
  try {
    return await answer(ask(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}
