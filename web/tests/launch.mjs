// The built site and the browser, for tests.
//
//   SITE       the folder of the built site; target/site, where `cargo run -p taquin-web -- --out target/site` has
//              written it, where this is not set
//   CHROMIUM   the browser; `chromium` or `google-chrome` of the path where it is not set

import { execFileSync } from 'node:child_process';

/** The folder of the built site. */
export const folder = process.env.SITE ?? new URL('../../target/site', import.meta.url).pathname;

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
