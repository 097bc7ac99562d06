import assert from 'node:assert/strict';
import test from 'node:test';
import { after, blankLast } from '../page/grid.js';
import { Line } from '../page/lines.js';

const GOAL = blankLast(9);
const OPPOSITE = { U: 'D', D: 'U', L: 'R', R: 'L' };

/** An optimal solution of each board up to a distance, by breadth-first search from the goal. */
function solutions(most) {
  const found = new Map([[GOAL.join(), '']]);
  let ends = [GOAL];
  for (let depth = 0; depth < most; depth++) {
    const next = [];
    for (const board of ends) {
      for (const m of 'UDLR') {
        const other = after(board, 3, m);
        if (!other || found.has(other.join())) continue;
        found.set(other.join(), OPPOSITE[m] + found.get(board.join()));
        next.push(other);
      }
    }
    ends = next;
  }
  return found;
}

const optimal = solutions(14);
const all = (board, moves) => [...moves].reduce((now, m) => after(now, 3, m), board);

/** Searches until nothing more can be told. Gives the boards that were searched. */
function searched(line, answer) {
  const asked = [];
  for (let at = line.next(); at >= 0; at = line.next()) {
    asked.push(line.board(at).join());
    line.take(at, answer(line.board(at)));
  }
  return asked;
}

const exact = (board) => {
  const moves = optimal.get(board.join());
  return { moves, length: moves.length, lower_bound: moves.length };
};

test('the losses are those of each board solved', () => {
  const start = all(GOAL, 'R');
  for (const walk of ['RDLU', 'RRDDLLUU', 'RDRDLLUURDDR', 'RDDLURRD', 'RLRLDDUULR', '']) {
    let end = start;
    const moves = [...walk].filter((m) => {
      const next = after(end, 3, m);
      end = next ?? end;
      return next;
    }).join('');
    const line = new Line({ board: start, width: 3, goal: GOAL, moves });
    searched(line, exact);
    const lengths = line.distances().map(({ lower }) => lower);
    assert.deepEqual(lengths, [...Array(moves.length + 1).keys()].map((at) => optimal.get(line.board(at).join()).length));
    assert.ok(line.proved);
    const losses = line.losses();
    assert.equal(losses.reduce((sum, { lost }) => sum + lost, 0), moves.length + lengths.at(-1) - lengths[0]);
    for (const { at, better } of losses) assert.equal(better.length, lengths[at]);
    const [from, to] = line.stretch();
    for (let at = from; at < to; at++) assert.ok(lengths[at + 1] < lengths[at]);
  }
});

test('a proved solution needs no search, and boards that are met again one', () => {
  const start = all(GOAL, 'RRDDLU');
  const solution = optimal.get(start.join());
  const [m] = [...'UDLR'].filter((way) => after(start, 3, way) && way !== solution[0]);
  const moves = (m + OPPOSITE[m]).repeat(5) + solution;
  const proved = (board) => {
    for (let at = 0; at <= solution.length; at++) {
      if (all(start, solution.slice(0, at)).join() === board.join()) return solution.slice(at);
    }
    return undefined;
  };
  const line = new Line({ board: start, width: 3, goal: GOAL, moves }, proved);
  assert.deepEqual(line.distances()[0], { lower: solution.length, upper: solution.length });
  assert.deepEqual(searched(line, exact), [after(start, 3, m).join()]);
  assert.ok(line.proved);
});

test('searches that limits end leave brackets', () => {
  const start = all(GOAL, 'RRDDLU');
  const line = new Line({ board: start, width: 3, goal: GOAL, moves: 'DU' });
  searched(line, () => ({ moves: null, length: null, lower_bound: 4 }));
  assert.equal(line.proved, false);
  assert.deepEqual(line.distances().map(({ upper }) => upper), [null, null, null]);
  assert.ok(line.distances().every(({ lower }) => lower >= 3));
  assert.deepEqual(line.losses(), []);
});
