// The service worker: keeps the files of the page for visits without a network.
//
// The files of one build belong together. A new build is stored next to the old one, and takes its place when
// no tab has the old one any more, or when a person asks for it. The build of the site writes its VERSION and
// its FILES above this.

const { registration, caches } = globalThis;
const scope = new URL(registration.scope);
/** The caches of this page; other pages of the same origin have other ones. */
const OURS = `taquin ${scope.pathname} `;
const CACHE = OURS + VERSION;

async function install() {
  const cache = await caches.open(CACHE);
  // The browser asks the server whether its cached files belong to this build.
  await cache.addAll(FILES.map((file) => new Request(new URL(file, scope), { cache: 'no-cache' })));
}

async function activate() {
  const old = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await globalThis.clients.claim();
}

/** The stored file that a request names. */
async function answer(request, file) {
  const cache = await caches.open(CACHE);
  const stored = await cache.match(new URL(file, scope));
  if (stored) return stored;
  return fetch(request);
}

addEventListener('install', (event) => event.waitUntil(install()));
addEventListener('activate', (event) => event.waitUntil(activate()));
addEventListener('message', ({ data }) => { if (data === 'take over') globalThis.skipWaiting(); });
addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== scope.origin || !pathname.startsWith(scope.pathname)) return;
  const file = pathname.slice(scope.pathname.length).replace(/^(index\.html)?$/, './');
  if (FILES.includes(file)) event.respondWith(answer(request, file));
});
