// The service worker, which opens the page without a network, and the change to a new build.

import { $, on } from './dom.js';

/** Registers the service worker, once the page has what it needs itself. */
export async function register() {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  let registration;
  try {
    registration = await serviceWorker.register(new URL('./sw.js', import.meta.url));
  } catch {
    // The page works without it.
    return;
  }
  const offer = () => { $('update').hidden = !(registration.waiting && serviceWorker.controller); };
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', offer));
  offer();
  on('update', 'click', () => {
    serviceWorker.addEventListener('controllerchange', () => location.reload());
    registration.waiting?.postMessage('take over');
  });
}
