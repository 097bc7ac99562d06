import assert from 'node:assert/strict';
import test from 'node:test';
import { deflateSync } from 'node:zlib';
import { decode, encode } from '../page/link.js';
import { readReplay, replayIn } from '../page/replay.js';
import { elapsed, initial, reduce } from '../page/state.js';
import { open, packed, run } from './tables.mjs';

test('a link opens what was shown', () => {
  const states = [
    { ...initial(), own: true },
    open(),
    open({ goal: { text: 'spiral' } }),
    open({ goal: { text: '1 2 3 / 4 5 6 / 0 7 8', board: [1, 2, 3, 4, 5, 6, 0, 7, 8] } }),
    open({ moves: 'ULR', cursor: 1, elapsed: 5000, helped: true }),
    open({ width: 2, height: 3, board: [1, 2, 3, 0, 4, 5] }),
    run(open({ moves: 'D' }), { type: 'solution', moves: 'UUL', source: 'link', now: 0 }, { type: 'step', to: 2 }),
    run(open({ moves: 'D' }), { type: 'solution', moves: 'UUL', source: 'replay', times: [0, 120, 2500], tps: 1.25, now: 0 }),
    run(open(), { type: 'edit', editing: true, now: 0 }, { type: 'exchange', a: 0, b: 4 }),
  ];
  for (const state of states) {
    const text = encode(state, elapsed(state, 0));
    const again = reduce(initial(), decode(`#${text}`));
    assert.equal(encode(again, elapsed(again, 0)), text);
    const { solution, ...rest } = state;
    assert.deepEqual({ ...again, solution: null, edits: null }, { ...rest, solution: null, edits: null }, text);
    assert.equal(again.solution?.moves, solution?.moves);
    for (const part of ['at', 'source', 'times', 'tps']) assert.deepEqual(again.solution?.[part], solution?.[part], part);
  }
});

test('a link can be read', () => {
  const state = open({ moves: 'UL', goal: { text: 'snake' } });
  assert.equal(encode(state), 'b=1_2_3-4_0_6-7_5_8&g=snake&m=UL');
  assert.equal(decode(''), null);
  assert.equal(decode('#'), null);
  assert.deepEqual(decode('#b=1_2-3_0&m=d').moves, 'D');
  assert.deepEqual(decode('#b=1_2-3_0&g=1%5F2-0_3').goal.text, '1 2 / 0 3');
});

test('errors say what is wrong', () => {
  for (const [text, pattern] of [
    ['m=D', /has no board/],
    ['b=1_2-3', /the board of the link: row 2 has 1 cells, but row 1 has 2/],
    ['b=1_2-3_3', /tile 3 appears twice, and the blank is missing/],
    ['b=1_2-3_x', /“x” is not a tile/],
    ['b=', /is not a tile/],
    ['b=0_1', /2 to 16 cells per side/],
    [`b=${Array(17).fill(0).join('_')}`, /2 to 16 cells per side/],
    ['b=1_2-3_0&m=DDD', /the moves of the link: move 2, down, is not possible/],
    ['b=1_2-3_0&m=DQ', /“Q”, move 2 of the link, is not a move/],
    ['b=1_2-3_0&m=D&c=2', /“c=2” of the link should be a number from 0 to 1/],
    ['b=1_2-3_0&s=U', /the solution of the link: move 1, up/],
    ['b=1_2-3_0&g=helix', /the goal of the link: “helix” is not a goal: there are blank-last/],
    ['b=1_2-3_0&g=1_2_3-4_5_0', /it is 3×2, but the board is 2×2/],
    ['b=1_2-3_0&x=1', /unknown part “x=1”/],
    ['b=1_2-3_0&b=1_2-3_0', /the part “b=” twice/],
    ['b=%', /damaged/],
    ['<script>', /may be incomplete/],
    ['b=1_2-3_0&e=1&m=D', /both edits and plays/],
    ['b=1_2-3_0&s=DU&i=5', /should be 2 numbers of milliseconds/],
    ['b=1_2-3_0&s=D&i=x', /should be 1 numbers of milliseconds/],
    ['b=1_2-3_0&s=D&v=0', /should be the number of moves per second/],
    [`b=1_2-3_0&m=${'DU'.repeat(10001)}`, /more than 20,000 moves/],
  ]) assert.throws(() => decode(`#${text}`), pattern, text);
});

const combined = (text) => deflateSync(text).toString('base64');

test('links of the replay site', async () => {
  const link = `https://example.org/replay?r=${packed(['UL', 12345, '1 2 3/4 0 6/7 5 8', [100, 250]])}`;
  const { open: action, solution } = await readReplay(replayIn(link));
  assert.deepEqual(action.board, [1, 2, 3, 4, 0, 6, 7, 5, 8]);
  assert.equal(solution.moves, 'UL');
  assert.equal(solution.tps, 12.345);
  assert.deepEqual(solution.times, [100, 250]);
  const state = run(initial(), action, { ...solution, now: 0 });
  assert.equal(state.mode, 'solution');

  const counts = await readReplay(replayIn(`?r=${packed(['D2R3', 1000, '1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0', -1])}`));
  assert.equal(counts.solution.moves, 'DDRRR');
  assert.equal(counts.solution.times, undefined);
});

test('saved solves of the replay site', async () => {
  const data = combined('UL2,R;1500,1600;2,3;1333,1;-1;[]');
  const value = packed([{}, data, {}, 2000, 4, 3, '<span>', -1, 'alpha', false]);
  const { open: action, solution } = await readReplay(replayIn(`?r=${value}`));
  assert.deepEqual([action.width, action.height], [4, 3]);
  assert.equal(solution.moves, 'ULL');
  const end = run(initial(), action, { ...solution, now: 0 }, { type: 'step', to: 3 });
  assert.deepEqual(end.board, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0]);
});

test('damaged replays say so', async () => {
  assert.equal(replayIn('https://example.org/'), null);
  for (const [value, pattern] of [
    ['!!!', /damaged/],
    ['AAAA', /damaged/],
    [encodeURIComponent(deflateSync('no').toString('base64')), /no JSON/],
    [packed({}), /no replay/],
    [packed([1, 2, 3]), /no solution/],
    [packed(['UL', 1, 5]), /no scramble/],
    [packed(['UL', 1, '1 2/3', -1]), /differ in length/],
    [packed(['UX', 1, '1 2/3 0', -1]), /no solution/],
    [packed(['U', 1, '1 2/3 0', -1]), /not possible/],
    [packed([{}, 5, {}, 1, 4, 4, '', 1, '', 1]), /unknown kind/],
    [packed([{}, 'AAAA', {}, 1, 4, 4, '', 1, '', 1]), /damaged/],
    [packed([{}, combined('[1];2'), {}, 1, 4, 4, '', 1, '', 1]), /no solution/],
  ]) await assert.rejects(() => readReplay(value), pattern, value);
});
