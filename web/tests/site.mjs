// Serves the built site under a path that is not the root, with the headers of the real server.
// `other` replaces files: the text of each, by its name. `policy` is the Content Security Policy.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const ROOT = '/some/path/';
const TYPES = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8', '.wasm': 'application/wasm', '.webmanifest': 'application/manifest+json',
  '.numbers': 'application/octet-stream',
};

const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

export async function site(folder, other = {}, policy = POLICY) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const name = normalize(pathname.slice(ROOT.length)).replace(/^\.$/, 'index.html');
    try {
      if (!pathname.startsWith(ROOT)) throw new Error('elsewhere');
      const body = other[name] ?? await readFile(join(folder, name));
      response.writeHead(200, {
        'Content-Type': TYPES[extname(name)],
        'Content-Security-Policy': policy,
        'Cache-Control': 'no-store',
      });
      response.end(body);
    } catch {
      response.writeHead(404);
      response.end();
    }
  });
  await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
  return { url: `http://127.0.0.1:${server.address().port}${ROOT}`, close: () => server.close() };
}
