import assert from 'node:assert/strict';
import test from 'node:test';
import { apart, elapsed, initial, isSolved, matters, played } from '../page/state.js';
import { open, run } from './tables.mjs';

const move = (moves, now = 0, more = {}) => ({ type: 'move', moves, now, ...more });

test('moves, undo and redo', () => {
  let state = run(open(), move('U', 1000));
  assert.deepEqual(state.board, [1, 2, 3, 4, 5, 6, 7, 0, 8]);
  state = run(state, { type: 'undo', now: 2000 }, { type: 'undo', now: 2000 });
  assert.deepEqual(state.board, [1, 2, 3, 4, 0, 6, 7, 5, 8]);
  assert.equal(state.moves, 'U');
  assert.equal(run(state, { type: 'redo', now: 1 }, { type: 'redo', now: 1 }).cursor, 1);
  // Another move takes the place of what was undone.
  state = run(state, move('D', 3000));
  assert.equal(state.moves, 'D');
  assert.equal(state.cursor, 1);
  assert.throws(() => run(state, move('D', 1)), /not possible/);
  assert.equal(run(state, { type: 'restart' }).moves, '');
});

test('the timer runs from the first move to the goal', () => {
  let state = open();
  assert.equal(elapsed(state, 5000), 0);
  state = run(state, move('U', 1000));
  assert.equal(elapsed(state, 1500), 500);
  assert.equal(isSolved(state), false);
  state = run(state, move('L', 4000));
  assert.equal(isSolved(state), true);
  assert.equal(elapsed(state, 9000), 3000);
  // Playing on after the end leaves the time alone.
  state = run(state, move('R', 9000));
  assert.equal(elapsed(state, 19000), 3000);
  assert.equal(state.moves, 'ULR');
});

test('a solution is shown beside the game, and the game can go on from it', () => {
  const game = run(open(), move('D'));
  let state = run(game, { type: 'solution', moves: 'UUL', source: 'solve', now: 700 });
  assert.equal(state.mode, 'solution');
  assert.deepEqual(state.board, game.board);
  assert.equal(elapsed(state, 5000), 700);
  state = run(state, { type: 'step', to: 2 });
  assert.deepEqual(state.board, [1, 2, 3, 4, 5, 6, 7, 0, 8]);
  assert.equal(run(state, { type: 'step', to: 99 }).solution.at, 3);
  assert.equal(isSolved(run(state, { type: 'step', to: 99 })), true);
  assert.deepEqual(run(state, { type: 'leave' }).board, game.board);
  const onwards = run(state, { type: 'continue' });
  assert.equal(onwards.moves, 'DUU');
  assert.equal(onwards.helped, true);
  assert.equal(run(state, move('R')).moves, 'DUUR');
  assert.throws(() => run(game, { type: 'solution', moves: 'DDD', now: 0 }), /not possible/);
});

test('a look at another board of the game leaves its time alone', () => {
  const game = run(open(), move('U'), move('L', 2000));
  const state = run(game, { type: 'look', to: 1, now: 9000 });
  assert.deepEqual(state.board, [1, 2, 3, 4, 5, 6, 7, 0, 8]);
  assert.equal(elapsed(state, 19000), 2000);
  assert.equal(run(state, { type: 'look', to: 3, now: 9000 }), state);
});

test('a game is finished once, and moves that were pasted are not made by hand', () => {
  const flags = ({ byHand, finished }) => [byHand, finished];
  const solved = run(open(), move('U'), move('L'));
  assert.deepEqual(flags(run(open(), move('U'))), [true, false]);
  assert.deepEqual(flags(solved), [true, true]);
  assert.deepEqual(flags(run(solved, { type: 'undo', now: 0 })), [true, true]);
  assert.deepEqual(flags(run(solved, { type: 'restart' })), [true, true]);
  assert.deepEqual(flags(run(open(), move('U', 0, { pasted: true }), move('L'))), [false, true]);
  assert.deepEqual(flags(run(open(), move('U', 0, { pasted: true }), { type: 'restart' })), [true, false]);
  // The moves of a link may be anybody's.
  assert.deepEqual(flags(open({ moves: 'U' })), [false, false]);
  assert.deepEqual(flags(open({ moves: 'U', byHand: true })), [true, false]);
  assert.deepEqual(flags(open({ board: [1, 2, 3, 4, 5, 6, 7, 8, 0] })), [true, true]);
  assert.deepEqual(flags(run(solved, { type: 'edit', editing: true, now: 0 }, { type: 'exchange', a: 0, b: 1 }, { type: 'edit', editing: false, now: 0 })), [true, false]);
});

test('a board that would be missed, and its link does not tell all of it', () => {
  const drawn = (more) => open({ drawn: true, ...more });
  assert.equal(matters(initial()), false);
  assert.equal(matters(drawn()), false);
  assert.equal(matters(run(drawn(), move('U'))), true);
  assert.equal(matters(run(drawn(), move('U'), move('L'))), false);
  assert.equal(matters(run(drawn(), { type: 'solution', moves: 'UL', source: 'solve', now: 0 })), true);
  // One that came from elsewhere cannot be drawn again.
  assert.equal(matters(open()), true);
  assert.equal(matters(open({ own: false })), false);
  const edit = { type: 'edit', editing: true, now: 0 };
  assert.equal(matters(run(drawn(), edit)), true);
  const shuffled = drawn({ day: '2026-01-02' });
  assert.deepEqual(apart(run(shuffled, move('U', 50), move('L', 250))), {
    byHand: true, finished: true, drawn: true, own: false, day: '2026-01-02', played: [0, 200], taught: [],
  });
  assert.equal(run(shuffled, { type: 'restart' }).drawn, true);
  // An edited board is another one.
  assert.equal(run(shuffled, edit).drawn, false);
  assert.equal(open().drawn, false);
});

test('help stays with a board, also after a restart', () => {
  const helped = run(open({ drawn: true }), { type: 'solution', moves: 'UL', source: 'solve', now: 0 }, { type: 'leave' }, move('U'));
  assert.equal(run(helped, { type: 'restart' }).helped, true);
  assert.equal(run(helped, { type: 'edit', editing: true, now: 0 }).helped, false);
});

test('the times of a game are those of its moves', () => {
  let state = run(open(), move('U', 1000), move('R', 1300), { type: 'undo', now: 1400 }, move('L', 1900));
  assert.deepEqual([state.moves, state.times], ['UL', [0, 900]]);
  assert.deepEqual(run(open(), move('U', 0), move('L', 9, { pasted: true })).times, []);
  assert.deepEqual(open({ moves: 'U', played: [5] }).times, [5]);
  assert.deepEqual(open({ moves: 'U', played: [5, 6] }).times, []);
  state = run(open(), move('D', 0), move('U', 5, { hinted: true }));
  assert.deepEqual([state.taught, run(state, { type: 'undo', now: 6 }, move('U', 7)).taught], [[1], []]);
});

test('editing begins another game, and can be undone', () => {
  const first = run(open(), move('U'), { type: 'edit', editing: true, now: 0 });
  assert.equal(first.moves, '');
  let state = run(first, { type: 'exchange', a: 0, b: 1 });
  assert.deepEqual(state.board, [2, 1, 3, 4, 5, 6, 7, 0, 8]);
  assert.equal(run(state, move('L')), state);
  assert.deepEqual(run(state, { type: 'undo' }).board, first.board);
  assert.deepEqual(run(state, { type: 'undo' }, { type: 'undo' }, { type: 'redo' }).board, state.board);
  state = run(state, { type: 'edit', editing: false });
  assert.equal(state.mode, 'play');
  assert.deepEqual(played(state), [2, 1, 3, 4, 5, 6, 7, 0, 8]);
});

test('a board is entered tile by tile, and the last cell is the blank', () => {
  const wanted = [8, 6, 7, 2, 5, 4, 3, 0, 1];
  const places = [1, 2, 3, 4, 5, 6, 7, 8].map((tile) => ({ type: 'place', cell: wanted.indexOf(tile) }));
  const state = run(open(), { type: 'enter' }, ...places);
  assert.deepEqual([state.mode, state.board], ['play', wanted]);
  const half = run(open(), { type: 'enter' }, ...places.slice(0, 4));
  assert.equal(half.entered, 4);
  // In part, it gives way to the board before.
  assert.deepEqual(run(half, { type: 'edit', editing: false }).board, open().board);
  // A cell that has its tile keeps it, and a wrong one is taken back.
  assert.equal(run(half, places[2]), half);
  assert.equal(run(half, { type: 'undo' }).entered, 3);
  assert.deepEqual(run(half, { type: 'place', cell: 7 }, { type: 'undo' }, ...places.slice(4)).board, wanted);
});

test('a goal that arrives late is ignored', () => {
  const state = open({ goal: { text: 'spiral' } });
  assert.equal(state.goal.board, null);
  assert.equal(isSolved(state), false);
  const snake = [1, 2, 3, 6, 5, 4, 7, 8, 0];
  assert.equal(run(state, { type: 'goal-read', text: 'snake', board: snake }), state);
  const read = [1, 2, 3, 8, 0, 4, 7, 6, 5];
  assert.deepEqual(run(state, { type: 'goal-read', text: 'spiral', board: read }).goal.board, read);
});

test('what cannot be opened is refused', () => {
  assert.throws(() => open({ board: [1, 2, 3, 4, 0, 6, 7, 5, 5] }), /appears twice/);
  assert.throws(() => open({ moves: 'DD' }), /move 2/);
});
