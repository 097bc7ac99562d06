// A picture on the tiles: a file of the user's. It is read in the tab, and kept in the browser.

import { app } from './app.js';
import { $, on, remembered } from './dom.js';
import { fail } from './message.js';
import { phrase } from './text.js';

/** The most pixels of a side that are kept. */
const SIDE = 1536;
/** The cache that keeps the picture, and its address there. */
const [CACHE, KEY] = ['taquin.picture', new URL('picture', import.meta.url).href];

/** The picture as a canvas, or null. */
let picture = null;

export const shown = () => picture;

export function init() {
  remembered('show-numbers', app.render);
  on('picture-choose', 'click', () => $('picture').click());
  on('picture', 'change', async () => {
    const [file] = $('picture').files;
    // So that the same file can be chosen again.
    $('picture').value = '';
    if (file) await choose(file);
  });
  on('picture-remove', 'click', () => {
    show(null);
    keep((cache) => cache.delete(KEY));
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
  await keep((cache) => cache.put(KEY, new Response(blob)));
}

async function restore() {
  try {
    const kept = await caches.match(KEY, { cacheName: CACHE });
    if (kept && !picture) show(await scaled(await kept.blob()));
  } catch { /* Nothing is kept where storage is refused. */ }
}

/** Changes the stored picture. Where storage is refused, the picture stays as long as the tab. */
async function keep(change) {
  try {
    await change(await caches.open(CACHE));
  } catch { /* As above. */ }
  $('picture').dataset.kept = Boolean(picture);
}

function show(drawn) {
  picture = drawn;
  app.render();
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
