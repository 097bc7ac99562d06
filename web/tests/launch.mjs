// The built site and the browser, for tests and measurements.
//
//   SITE       the folder of the built site; it is built where this is not set
//   CHROMIUM   the browser; `chromium` or `google-chrome` of the path where it is not set

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Options for a launch of the browser as a headless root needs them. */
export function options() {
  const executablePath = process.env.CHROMIUM
    ?? execFileSync('sh', ['-c', 'command -v chromium || command -v google-chrome'], { encoding: 'utf8' }).trim();
  return {
    executablePath,
    args: [
      '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync',
    ],
  };
}

/** The folder of the built site: that of `SITE`, or one in the folder `scratch`. */
export function built(scratch) {
  if (process.env.SITE) return process.env.SITE;
  const folder = join(scratch, 'site');
  execFileSync('cargo', ['run', '--quiet', '--locked', '--package', 'taquin-web', '--', '--out', folder], {
    cwd: join(import.meta.dirname, '../..'), stdio: ['ignore', 'ignore', 'inherit'],
  });
  return folder;
}
