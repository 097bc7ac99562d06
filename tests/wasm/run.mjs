// Solves boards with the WebAssembly module of examples/wasm.rs, under Node without packages:
//
//   node tests/wasm/run.mjs target/wasm32-unknown-unknown/release/examples/wasm.wasm
//
// It builds the 7-8 databases in the module's memory, replays every solution, and fails at the
// first answer that is wrong.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

const [SOLVED, LIMITED, FAILED] = [0, 1, 2];

let deadline = Infinity;
let asked = 0;
const host = {
    expired: () => {
        asked += 1;
        return performance.now() >= deadline ? 1 : 0;
    },
};

const module = new WebAssembly.Module(readFileSync(process.argv[2]));
// Nothing else is needed to run the library: no files, threads, clock or random numbers.
assert.deepEqual(
    WebAssembly.Module.imports(module).map(({ module, name }) => `${module}.${name}`),
    ['host.expired'],
);
const wasm = new WebAssembly.Instance(module, { host }).exports;

const megabytes = () => Math.round(wasm.memory.buffer.byteLength / 1e6);

/** Milliseconds that a function takes. */
const time = (f) => {
    const start = performance.now();
    f();
    return performance.now() - start;
};

const write = (text) => {
    const bytes = new TextEncoder().encode(text);
    const address = wasm.input(bytes.length);
    new Uint8Array(wasm.memory.buffer, address, bytes.length).set(bytes);
};

const read = () => {
    const bytes = new Uint8Array(wasm.memory.buffer, wasm.output(), wasm.output_bytes());
    return new TextDecoder().decode(bytes);
};

const open = (goal) => {
    write(goal);
    assert.equal(wasm.open(), SOLVED, read());
};

const solve = (board, nodes = 0) => {
    write(board.join(' '));
    const status = wasm.solve(BigInt(nodes));
    return { status, reply: read(), length: wasm.length(), bound: wasm.lower_bound() };
};

/** The board after moves that name where tiles move: U, D, L or R. */
const replay = (board, moves) => {
    const cells = [...board];
    for (const move of moves) {
        const blank = cells.indexOf(0);
        const from = blank + { U: 4, D: -4, L: 1, R: -1 }[move];
        const inRow = Math.floor(from / 4) === Math.floor(blank / 4);
        assert.ok(from >= 0 && from < 16 && (inRow || move === 'U' || move === 'D'), moves);
        [cells[blank], cells[from]] = [cells[from], 0];
    }
    return cells;
};

const sets = new URL('../../src/cli/commands/bench/sets/', import.meta.url);

/** The lines of a file: number, optimal length, board. */
const boards = (file) => {
    const text = readFileSync(new URL(file, sets), 'utf8');
    const lines = text.split('\n').filter((line) => line && !line.startsWith('#'));
    return lines.map((line) => {
        const numbers = line.split(' ').map(Number);
        return { length: numbers[1], board: numbers.slice(-16) };
    });
};

/** Solves boards, and checks the solutions. Returns the nodes generated and expanded. */
const check = (cases, goal) => {
    let [generated, expanded, total, worst] = [0n, 0n, 0, 0];
    for (const { board, length } of cases) {
        let found;
        const took = time(() => (found = solve(board)));
        assert.equal(found.status, SOLVED, found.reply);
        assert.deepEqual([found.length, found.bound], [length, length], board.join(' '));
        assert.equal(found.reply.length, length);
        assert.deepEqual(replay(board, found.reply), goal);
        generated += wasm.generated();
        expanded += wasm.expanded();
        total += took;
        worst = Math.max(worst, took);
    }
    const [all, most] = [total, worst].map((took) => `${took.toFixed(1)} ms`);
    console.log(`${cases.length} boards: ${all}, at most ${most} a board, ${generated} nodes generated`);
    return { generated, expanded };
};

const ascending = [...Array(16).keys()];
const blankLast = [...ascending.slice(1), 0];

// Small boards, before there are databases of any size.
open('spiral');
write('1 2 3 / 0 8 4 / 7 6 5');
assert.equal(wasm.solve(0n), SOLVED, read());
assert.deepEqual([read(), wasm.length()], ['L', 1]);

open('blank-first');
const built = time(() => assert.equal(wasm.prepare(4, 4), SOLVED, read()));
console.log(`databases 7-8 built in ${(built / 1000).toFixed(2)} s`);

const korf = boards('korf100.txt');
assert.equal(korf.length, 100);
const counts = check(korf, ascending);
// The signature of tests/solving.rs: the same nodes on every machine.
const signature = readFileSync(new URL('../solving.rs', import.meta.url), 'utf8').match(
    /const SIGNATURE: \(u64, u64\) = \(([\d_]+), ([\d_]+)\)/,
);
assert.deepEqual(
    [counts.generated, counts.expanded],
    [signature[1], signature[2]].map((number) => BigInt(number.replaceAll('_', ''))),
);

open('blank-last');
const prepared = time(() => assert.equal(wasm.prepare(4, 4), SOLVED, read()));
console.log(`the same databases for another goal in ${(prepared / 1000).toFixed(2)} s`);
assert.ok(prepared < built / 2, 'the databases are shared');
const [antipode] = boards('antipodes80.txt');
assert.equal(antipode.length, 80);
check([antipode], blankLast);

// Errors are replies, and the module goes on.
const swapped = [...blankLast];
[swapped[0], swapped[1]] = [swapped[1], swapped[0]];
for (const wrong of [swapped, [1, 1, 2, 3], [1, 2, 'x', 0], []]) {
    const { status, reply, length } = solve(wrong);
    assert.deepEqual([status, length], [FAILED, -1], wrong.join(' '));
    assert.notEqual(reply, '');
    console.log(`"${wrong.join(' ')}": ${reply}`);
}
write('no such goal');
assert.equal(wasm.open(), FAILED);

// Limits end a search with a bound.
const { board: hard, length: least } = boards('hard15.txt')[0];
const limited = solve(hard, 100_000);
assert.equal(limited.status, LIMITED, limited.reply);
assert.ok(limited.bound > 0 && limited.bound <= least, `bound ${limited.bound}`);
assert.ok(wasm.generated() >= 100_000n && wasm.generated() < 200_000n);

asked = 0;
deadline = performance.now() + 200;
const late = time(() => assert.equal(solve(hard).status, LIMITED)) - 200;
deadline = Infinity;
assert.ok(asked > 10, `asked ${asked} times`);
assert.ok(wasm.lower_bound() >= limited.bound && wasm.lower_bound() <= least);
// A few thousand nodes take far less; the rest is for a machine under load.
assert.ok(late < 1000, `${late} ms late`);
console.log(`deadline after 200 ms: at least ${wasm.lower_bound()} moves, ${late.toFixed(1)} ms late`);

assert.equal(check([antipode], blankLast).generated > 0n, true);
console.log(`memory: ${megabytes()} MB`);
