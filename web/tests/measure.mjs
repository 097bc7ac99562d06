// Measures the page in headless Chromium, and prints medians as a table:
//
//   node web/tests/measure.mjs [RUNS]     five runs where no number is given
//
// The variables of launch.mjs name the site and the browser. Every run begins with an empty profile.
// The first visit builds the tables and solves the 80-move boards; the second one, in a browser that
// was started again, finds the tables in storage.

import { mkdir, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { LANGUAGES } from '../page/text.js';
import { built, options } from './launch.mjs';
import { site } from './site.mjs';

const runs = Number(process.argv[2] ?? 5);
const scratch = await mkdtemp(join(tmpdir(), 'taquin-measure-'));
const folder = built(scratch);

/** Opens the page in a browser with a profile, and hands both to `then`. */
async function visit(profile, url, then) {
  const context = await chromium.launchPersistentContext(profile, { ...options(), viewport: { width: 1280, height: 900 } });
  try {
    const [page] = context.pages();
    await page.addInitScript(watch);
    await page.goto(url);
    const ready = page.waitForFunction(() => globalThis.seen?.tables && globalThis.seen.answer, null, { timeout: 120_000, polling: 50 });
    const peak = await peakUntil(ready, context);
    const seen = await page.evaluate(() => globalThis.seen);
    return { ...seen, peak, ...await then?.(page, context) };
  } finally {
    await context.close();
  }
}

/** In the page: notes when the first answer and the large tables are there, in milliseconds since the navigation. */
function watch() {
  const seen = {};
  globalThis.seen = seen;
  const look = () => {
    if (/^\d+$/.test(document.getElementById('togo')?.textContent)) seen.answer ??= performance.now();
    const { source } = document.getElementById('engine')?.dataset ?? {};
    if (source) {
      seen.source ??= source;
      seen.tables ??= performance.now();
    }
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
}

/** The milliseconds from a click on Solve to the proof, for each 80-move board. */
async function antipodes(page) {
  const values = await page.locator('#pick option').evaluateAll((all) => all.map(({ value }) => value));
  const times = [];
  // The search for the moves still needed would run beside the one that is measured.
  await page.click('#tab-settings');
  await page.uncheck('#show-togo');
  await page.click('#tab-play');
  for (const value of values.filter((name) => name.startsWith('antipodes80'))) {
    await page.click('#tab-play');
    await page.selectOption('#pick', value);
    times.push(await page.evaluate(() => new Promise((done) => {
      const begun = performance.now();
      new MutationObserver((_, observer) => {
        if (!document.getElementById('proof').textContent.startsWith('80 moves, optimal')) return;
        observer.disconnect();
        done(performance.now() - begun);
      }).observe(document.getElementById('proof'), { childList: true });
      document.getElementById('solve').click();
    })));
  }
  // The page remembers its settings.
  await page.click('#tab-settings');
  await page.check('#show-togo');
  return times;
}

/** The memory of the page's process in MiB, without the files that it maps: the largest renderer is that of the page. */
async function memory(session) {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const sizes = await Promise.all(processInfo.filter(({ type }) => type === 'renderer').map(async ({ id }) => {
    const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '');
    return Number(/^RssAnon:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
  }));
  return Math.max(...sizes);
}

/** The most memory that is seen until a promise is kept. */
async function peakUntil(ready, context) {
  const session = await context.browser().newBrowserCDPSession();
  let peak = 0;
  let waiting = true;
  ready.catch(() => {}).then(() => { waiting = false; });
  while (waiting) {
    peak = Math.max(peak, await memory(session));
    await new Promise((done) => { setTimeout(done, 100); });
  }
  await ready;
  return peak;
}

async function run(number, url) {
  const profile = join(scratch, `profile-${number}`);
  await mkdir(profile);
  const first = await visit(profile, url, async (page, context) => {
    // Until the Worker that has built the tables is gone.
    await page.waitForTimeout(1000);
    const after = await memory(await context.browser().newBrowserCDPSession());
    return { after, solved: await antipodes(page) };
  });
  const second = await visit(profile, url);
  await rm(profile, { recursive: true });
  if (first.source !== 'built' || second.source !== 'stored') throw new Error(`tables: ${first.source}, ${second.source}`);
  return {
    'first answer after load, s': first.answer / 1000,
    '7-8 ready, s': first.tables / 1000,
    '80-move boards, the worst, s': Math.max(...first.solved) / 1000,
    '80-move boards, mean, s': first.solved.reduce((sum, time) => sum + time) / first.solved.length / 1000,
    'second visit, first answer, s': second.answer / 1000,
    'second visit, 7-8 ready, s': second.tables / 1000,
    'memory of the tab, peak while building, MiB': first.peak,
    'memory of the tab, after building, MiB': first.after,
    'memory of the tab, peak of the second visit, MiB': second.peak,
  };
}

const COMPRESSION = {
  gzip: (bytes) => gzipSync(bytes, { level: 9 }),
  // Its best level is the default.
  brotli: (bytes) => brotliCompressSync(bytes),
};

/** Kilobytes with a compression: the module, and the page with a table of texts. */
async function weights(compress) {
  const weight = async (name) => compress(await readFile(join(folder, name))).length / 1000;
  const sum = async (names) => (await Promise.all(names.map(weight))).reduce((all, one) => all + one, 0);
  // The page waits for the table of one language; the service worker fetches the rest later.
  const tables = Object.keys(LANGUAGES).map((language) => `${language}.json`);
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.(html|css|js|svg|txt|webmanifest)$/.test(name));
  const page = await sum(names);
  const table = Math.max(...await Promise.all(tables.map(weight)));
  return [await weight('taquin.wasm'), page + table];
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

const shown = (value, name) => (name.endsWith('MiB') ? value.toFixed(0) : value.toFixed(2));

const pages = await site(folder);
try {
  const results = [];
  for (let number = 1; number <= runs; number++) {
    results.push(await run(number, pages.url));
    console.error(`run ${number} of ${runs}, load ${loadavg()[0].toFixed(2)}`);
  }
  console.log(`| figure | median of ${runs} | all |\n|---|---|---|`);
  for (const name of Object.keys(results[0])) {
    const all = results.map((result) => result[name]);
    console.log(`| ${name} | ${shown(median(all), name)} | ${all.map((value) => shown(value, name)).join(', ')} |`);
  }
  for (const [name, compress] of Object.entries(COMPRESSION)) {
    const [module, page] = await weights(compress);
    console.log(`| ${name}: module + page, KB | ${module.toFixed(0)} + ${page.toFixed(0)} = ${(module + page).toFixed(0)} | |`);
  }
} finally {
  pages.close();
  await rm(scratch, { recursive: true });
}
