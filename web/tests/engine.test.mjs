// The module under Node: lengths, node counts, limits, tables as bytes, bad requests.
//
//   cargo run -p taquin-web -- --out target/site && node --test web/tests/engine.test.mjs

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';

import { afterAll } from '../page/checks.js';
import { copy, give } from '../page/tables.js';
import { FILES, Wasm } from '../page/wasm.js';
import { folder } from './launch.mjs';

const module = new WebAssembly.Module(readFileSync(`${folder}/taquin.wasm`));

const learned = readFileSync(`${folder}/learned.numbers`);

const MEBI = 1 << 20;
const four = { width: 4, height: 4 };
const blankFirst = [...Array(16).keys()];
const blankLast = [...blankFirst.slice(1), 0];

const repository = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The boards of a set: a line has a number, the optimal length, and the tiles at its end. */
function boards(name) {
  const lines = repository(`src/lab/sets/${name}.txt`).split('\n');
  return lines.filter((line) => line && !line.startsWith('#')).map((line) => {
    const numbers = line.split(' ').map(Number);
    return { length: numbers[1], board: numbers.slice(-16) };
  });
}

const replay = ({ board, width }, moves) => afterAll(board, width, moves);

function solved(wasm, request) {
  const { result } = wasm.demand('solve', request);
  assert.deepEqual(replay(request, result.moves), result.goal);
  assert.equal(result.moves.length, result.length);
  return result;
}

/** The instance that solves, and the files that another one built. */
let solver;
let files;
let seconds;

before(async () => {
  solver = await Wasm.start(module);
  solver.learn(learned);
});

test('nothing but a clock and reports of progress are imported', () => {
  const imports = WebAssembly.Module.imports(module).map(({ module: from, name }) => `${from}.${name}`);
  assert.ok(imports.every((name) => /^host\.(bound|nodes|now|progress|shorter)$/.test(name)), `${imports}`);
});

test('large boards and slides need the learned numbers', async () => {
  const wasm = await Wasm.start(module);
  const small = { board: [1, 2, 0, 3], width: 2, height: 2, goal: 'blank-last' };
  const large = { board: [...Array(24).keys()].slice(1).concat(0, 24), width: 5, height: 5, goal: 'blank-last' };
  assert.equal(solved(wasm, small).length, 1);
  for (const request of [large, { ...small, metric: 'multi' }]) assert.equal(wasm.call('solve', request).kind, 'numbers');
  assert.throws(() => wasm.learn(learned.subarray(1)), /damaged/);
  // Where a limit ends the search of another board, they are of use.
  const limited = { board: boards('hard15')[0].board, ...four, goal: 'blank-last', nodeLimit: 200_000 };
  const without = solved(wasm, limited).length;
  wasm.learn(learned);
  assert.ok(solved(wasm, limited).length < without);
  assert.equal(solved(wasm, large).length, 1);
});

test('small tables answer at once', () => {
  const start = performance.now();
  solver.demand('prepare', { board: blankLast, ...four, goal: 'blank-last' });
  const took = performance.now() - start;
  console.log(`small tables: ${took.toFixed(0)} ms`);
  const [{ board, length }] = boards('korf100');
  const result = solved(solver, { board, ...four, goal: 'blank-first' });
  assert.deepEqual([result.length, result.optimal, result.heuristic], [length, true, '6-6-3:mirror']);
  // The fields of `taquin solve --json`.
  assert.deepEqual(Object.keys(result).sort(), [
    'board', 'expanded', 'generated', 'goal', 'h', 'height', 'heuristic', 'length', 'lower_bound', 'metric', 'moves',
    'optimal', 'seconds', 'slides', 'solved', 'width',
  ]);
  assert.ok(result.seconds > 0);
  // Large tables are not built by whoever solves.
  const refused = solver.call('solve', { board, ...four, goal: 'blank-first', heuristic: '7-8:mirror' });
  assert.equal(refused.kind, 'database');
  assert.match(refused.error, /8 tiles/);
  assert.ok(solver.bytes < 64 * MEBI, `${solver.bytes}`);
});

test('tables are built with progress, in little memory', async () => {
  const steps = [];
  const builder = await Wasm.start(module, { progress: (done) => steps.push(done) });
  const start = performance.now();
  files = FILES.map(({ name, bytes }) => {
    steps.length = 0;
    builder.demand('build', { file: name });
    assert.ok(steps.length > 20 && steps.every((done, i) => i === 0 || done > steps[i - 1]));
    assert.equal(steps.at(-1), 1);
    const file = copy(builder, name);
    assert.equal(file.header.length + file.payload.length, bytes);
    return file;
  });
  seconds = (performance.now() - start) / 1000;
  console.log(`7-8 built in ${seconds.toFixed(2)} s, in ${(builder.bytes / MEBI).toFixed(0)} MiB`);
  assert.ok(builder.bytes < 400 * MEBI, `${builder.bytes}`);
});

test('a file with a flipped bit is refused', async () => {
  const [, small] = files;
  const flip = (bytes, bit) => {
    const changed = bytes.slice();
    changed[bit >> 3] ^= 1 << (bit & 7);
    return changed;
  };
  const { header, payload } = small;
  for (const bit of [0, 100, 8 * header.length - 1]) {
    await assert.rejects(give(solver, { header: flip(header, bit), payload }), { kind: 'database' });
  }
  await assert.rejects(give(solver, { header, payload: flip(payload, 8 * payload.length - 1) }), /checksum/);
  // The payload of another file, a header alone, and a file that was never opened.
  await assert.rejects(give(solver, { header, payload: files[0].payload }), /checksum/);
  assert.equal(solver.call('keep').kind, 'input');
  solver.header().fill(0);
  assert.equal(solver.call('open').kind, 'database');
  const { result } = solver.demand('solve', { board: boards('korf100')[0].board, ...four, goal: 'blank-first' });
  assert.equal(result.heuristic, '6-6-3:mirror');
});

test('an instance that gets the files solves as the native program does', async () => {
  for (const file of files) await give(solver, file);
  solver.demand('prepare', { board: blankLast, ...four, goal: 'blank-last', large: true });
  console.log(`solver: ${(solver.bytes / MEBI).toFixed(0)} MiB`);
  assert.ok(solver.bytes < 300 * MEBI, `${solver.bytes}`);

  let [generated, expanded, worst] = [0, 0, 0];
  const korf = boards('korf100');
  assert.equal(korf.length, 100);
  const start = performance.now();
  for (const { board, length } of korf) {
    const result = solved(solver, { board, ...four, goal: 'blank-first' });
    assert.deepEqual([result.length, result.optimal, result.lower_bound], [length, true, length]);
    generated += result.generated;
    expanded += result.expanded;
    worst = Math.max(worst, result.seconds);
  }
  console.log(`Korf's 100: ${(performance.now() - start).toFixed(0)} ms, at most ${(1000 * worst).toFixed(0)} ms`);
  const signature = repository('tests/it/solving.rs').match(
    /const SIGNATURE: \(u64, u64\) = \(([\d_]+), ([\d_]+)\)/,
  );
  const number = (text) => Number(text.replaceAll('_', ''));
  assert.deepEqual([generated, expanded], [number(signature[1]), number(signature[2])]);
});

test('boards at 80 moves', () => {
  const far = boards('antipodes80').slice(0, 3);
  const times = far.map(({ board, length }) => {
    const result = solved(solver, { board, ...four, goal: 'blank-last' });
    assert.deepEqual([result.length, length, result.optimal], [80, 80, true]);
    assert.equal(result.heuristic, '7-8:mirror');
    return result.seconds;
  });
  console.log(`80 moves: ${times.map((time) => `${time.toFixed(2)} s`).join(', ')}`);
});

test('unsolvable boards', () => {
  const board = [2, 1, ...blankLast.slice(2)];
  const verdict = solver.demand('check', { board, ...four, goal: 'blank-last' });
  assert.deepEqual(verdict, {
    solvable: false,
    reason: 'unsolvable: there is 1 inversion, and the blank is in row 1 from the bottom. The sum, 2, is even. For this goal it must be odd',
    inversions: 1,
    blank_row: 1,
    transpositions: 1,
    blank_distance: 0,
    permutation_parity: 'odd',
    blank_parity: 'even',
    reachable: ['blank-first', 'blank-top-right', 'snake'],
  });
  for (const type of ['solve', 'solutions']) {
    const reply = solver.call(type, { board, ...four, goal: 'blank-last', most: 3 });
    assert.equal(reply.kind, 'unsolvable');
  }
  assert.equal(solver.demand('check', { board: blankLast, ...four, goal: 'snake' }).solvable, false);
});

test('limits end a search with a bound', () => {
  // Minutes without a limit.
  const [{ board, length }] = boards('hard15');
  const request = { board, ...four, goal: 'blank-last' };
  const start = performance.now();
  const timed = solved(solver, { ...request, timeLimit: 200 });
  const took = performance.now() - start;
  assert.deepEqual([timed.stopped, timed.optimal, timed.solved], ['time', false, true]);
  assert.ok(timed.lower_bound <= length && timed.gap === timed.length - timed.lower_bound);
  assert.ok(took >= 200 && took < 20_000, `${took} ms`);
  const nodes = solved(solver, { ...request, nodeLimit: 100_000 });
  assert.equal(nodes.stopped, 'nodes');
  assert.ok(nodes.generated >= 100_000 && nodes.generated < 200_000);
  const count = solver.call('solutions', { ...request, most: 1, timeLimit: 50 });
  assert.equal(count.kind, 'limit');
});

test('all optimal solutions', () => {
  const request = { board: [8, 6, 7, 2, 5, 4, 3, 0, 1], width: 3, height: 3, goal: 'blank-last' };
  const { count, paths } = solver.demand('solutions', { ...request, most: 1000 });
  assert.equal(typeof count, 'string');
  assert.equal(paths.length, Number(count));
  assert.equal(new Set(paths).size, paths.length);
  for (const path of paths) {
    assert.equal(path.length, 31);
    assert.deepEqual(replay(request, path), [1, 2, 3, 4, 5, 6, 7, 8, 0]);
  }
  assert.equal(solver.demand('solutions', { ...request, most: 1 }).paths.length, 1);
});

test('other sizes, goals and heuristics', () => {
  const random = (width, height, goal, moves) =>
    solver.demand('shuffle', { width, height, goal, seed: '7', moves });
  for (const [width, height, goal, moves] of [
    [2, 2, 'blank-last'], [3, 3, 'spiral'], [3, 4, 'blank-last'], [5, 3, 'snake'], [2, 7, 'columns'],
    [8, 2, 'blank-last', 60], [4, 4, 'spiral', 60], [4, 4, 'blank-top-right'],
    [6, 4, 'spiral', 40], [5, 4, 'blank-last', 60], [4, 5, 'blank-first', 40], [7, 3, 'spiral', 40],
  ]) {
    const { board } = random(width, height, goal, moves);
    const result = solved(solver, { board, width, height, goal, nodeLimit: 100_000_000 });
    assert.equal(result.optimal, true, `${width}x${height} ${goal} ${result.heuristic}`);
    // Tables of seven tiles would take seconds.
    assert.doesNotMatch(result.heuristic, /(\d+,){6}/);
  }
  const large = random(10, 10, 'blank-last');
  const staged = solved(solver, { ...large, goal: 'blank-last', nodeLimit: 1_000_000 });
  assert.ok(!staged.optimal && staged.gap > 0);

  const [{ board, length }] = boards('korf100');
  const nodes = ['7-8:mirror', '6-6-3:mirror'].map((heuristic) => {
    const result = solved(solver, { board, ...four, goal: 'blank-first', heuristic });
    assert.deepEqual([result.length, result.heuristic], [length, heuristic]);
    return result.generated;
  });
  assert.ok(nodes[0] < nodes[1]);
  const easy = random(4, 4, 'blank-last', 40);
  for (const heuristic of ['manhattan', 'walking-distance', 'linear-conflict']) {
    const result = solved(solver, { ...easy, goal: 'blank-last', heuristic });
    assert.deepEqual([result.heuristic, result.optimal], [heuristic, true]);
  }
  console.log(`solver at the end: ${(solver.bytes / MEBI).toFixed(0)} MiB`);
});

// The front door of the library reads and writes; its own tests are of every form.
test('boards are read as `taquin` reads them', () => {
  const { board, ...size } = solver.demand('parse', { text: '# a board\n5 1 7 3\n9 2 11 4 # with a comment\n13 6 15 8\n_ 10 14 12\n' });
  assert.deepEqual([board, size], [[5, 1, 7, 3, 9, 2, 11, 4, 13, 6, 15, 8, 0, 10, 14, 12], four]);
  assert.equal(solver.demand('parse', { text: '1 2 3 4 0 5', size: '3x2' }).width, 3);
  const { kind, error } = solver.call('parse', { text: '1 2 2 0' });
  assert.equal(kind, 'input');
  assert.match(error, /tile 2 appears twice, and tile 3 is missing/);
  assert.deepEqual(solver.demand('goal', { goal: 'spiral', width: 3, height: 3 }).board, [1, 2, 3, 8, 0, 4, 7, 6, 5]);
});

const line = { board: [1, 2, 3, 4, 0, 6, 7, 5, 8], width: 3, height: 3, goal: 'blank-last' };

test('moves are written and read as `taquin` does', () => {
  const texts = {
    words: 'Up, Left\n', letters: 'UL\n', counts: 'UL\n', tiles: '5 8\n',
    boards: '2\n1 2 3\n4 . 6\n7 5 8\n----------\n1 2 3\n4 5 6\n7 . 8\n----------\n1 2 3\n4 5 6\n7 8 .\n',
  };
  for (const [format, text] of Object.entries(texts)) {
    assert.equal(solver.demand('write', { ...line, line: 'UL', format }).text, text);
    if (format !== 'boards') assert.equal(solver.demand('read', { ...line, text }).moves, 'UL', format);
  }
  assert.equal(solver.demand('write', { ...line, line: 'UL', format: 'words', directions: 'blank' }).text, 'Down, Right\n');
  assert.equal(solver.demand('read', { ...line, text: 'DR', directions: 'blank' }).moves, 'UL');
  // Directions of the other piece are asked for, never guessed, unless either will do.
  for (const [text, directions, other] of [['DR', 'tile', 'blank'], ['UL', 'blank', 'tile']]) {
    assert.match(solver.call('read', { ...line, text, directions }).error, new RegExp(`directions of the ${other} these moves reach`));
    assert.equal(solver.demand('read', { ...line, text, directions, either: true }).moves, 'UL');
  }
  for (const text of ['U X', 'UUU', '5 1']) assert.equal(solver.call('read', { ...line, text }).kind, 'input');
  for (const more of [{ line: 'UU', format: 'letters' }, { line: 'U', format: 'morse' }]) assert.equal(solver.call('write', { ...line, ...more }).kind, 'input');
});

test('a line is analysed in steps', () => {
  const ask = { ...line, line: 'DUUL', timeLimit: 3000 };
  let answer = solver.demand('analyse', ask);
  while (!answer.done) answer = solver.demand('analyse', ask);
  assert.deepEqual(answer.distances.map(({ lower, upper }) => [lower, upper]), [[2, 2], [3, 3], [2, 2], [1, 1], [0, 0]]);
  assert.deepEqual(answer.losses, [{ at: 0, moves: 1, lost: 2, better: 'UL' }]);
  assert.deepEqual([answer.lost, answer.stretch], [2, { start: 1, end: 4 }]);
  // A proof from elsewhere is taken, and needs no search.
  const hard = { ...boards('hard15')[0], ...four, goal: 'blank-last', line: '', timeLimit: 1 };
  const [{ length }] = boards('hard15');
  const bounds = solver.demand('analyse', { ...hard, timeLimit: 1 }).distances;
  assert.ok(bounds[0].lower <= length);
  for (const [more, kind] of [[{ line: 'UU' }, 'input'], [{ board: [1, 2, 3, 4, 0, 6, 7, 8, 5] }, 'unsolvable'], [{ line: 'X' }, 'input']]) {
    assert.equal(solver.call('analyse', { ...ask, ...more }).kind, kind, JSON.stringify(more));
  }
});

test('a lesson is the next stage line by line', () => {
  const board = [5, 1, 7, 3, 9, 2, 11, 4, 13, 6, 15, 8, 0, 10, 14, 12];
  let now = { board, ...four };
  for (let stage = 0; ; stage++) {
    assert.ok(stage < 12);
    const { tiles, moves } = solver.demand('lesson', { ...now, goal: 'blank-last' });
    if (!moves) break;
    now = { ...now, board: replay(now, moves) };
    for (const tile of tiles) assert.equal(now.board[tile - 1], tile, `${tiles}: ${now.board}`);
  }
  assert.deepEqual(now.board, blankLast);
  assert.equal(solver.call('lesson', { board: [2, 1, ...blankLast.slice(2)], ...four, goal: 'blank-last' }).kind, 'input');
});

test('a seed gives the board that `taquin shuffle` draws first', () => {
  const first = [0, 2, 3, 15, 13, 6, 9, 4, 10, 8, 1, 11, 14, 12, 5, 7];
  assert.deepEqual(solver.demand('shuffle', { ...four, goal: 'blank-last', seed: '1' }).board, first);
  const walk = solver.demand('shuffle', { width: 5, height: 3, goal: 'blank-last', seed: '1', moves: 10 });
  assert.deepEqual(walk.board, [1, 2, 9, 5, 0, 6, 7, 4, 3, 10, 11, 12, 8, 13, 14]);
  const draw = (seed) => solver.demand('shuffle', { ...four, goal: 'blank-last', seed }).board;
  const largest = String(2n ** 64n - 1n);
  assert.deepEqual(draw(largest), draw(largest));
  // A number of JavaScript could not tell these apart.
  assert.notDeepEqual(draw(largest), draw(String(2n ** 64n - 2n)));
});

test('no request makes the module fail', () => {
  const requests = [
    null, 7, 'text', [], {}, { board: 1 }, { board: [1, 2, 3], ...four, goal: 'blank-last' },
    { board: [1, -2, 3, 0], width: 2, height: 2, goal: 'blank-last' },
    { board: [1, 2, 1e300, 0], width: 2, height: 2, goal: 'blank-last' },
    { board: [1, 2, 3, 0], width: 0, height: 4, goal: 'blank-last' },
    { board: [], width: 4294967295, height: 4294967295, goal: '' },
    { board: blankLast, ...four, goal: 'no such goal' },
    { board: blankLast, ...four, goal: '1 2 3 0' },
    { board: blankLast, ...four, goal: 'blank-last', heuristic: 'nonsense', most: 1 },
    { board: blankLast, ...four, goal: 'blank-last', timeLimit: 'soon', nodeLimit: -1, most: -1 },
    { ...four, goal: 'blank-last', seed: '-1' }, { ...four, goal: 'blank-last', seed: 'x' },
    { ...four, goal: 'blank-last', seed: '1', moves: 1e15 },
    { large: 'yes' }, { file: '../x' }, { text: '\u0000\ud800', size: '4' },
  ];
  for (const request of requests) {
    for (const name of ['parse', 'goal', 'check', 'shuffle', 'solve', 'solutions', 'prepare', 'build']) {
      const reply = solver.call(name, request);
      assert.equal(Boolean(reply.kind), Boolean(reply.error), `${name} ${JSON.stringify(request)}`);
    }
  }
  assert.equal(solver.call('solve', { board: blankLast, ...four, goal: 'blank-last', most: 1 }).result.length, 0);
});
