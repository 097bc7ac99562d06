// The npm package around an engine of the test.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Taquin } from '../npm/taquin.js';

/** The package around an engine that does nothing by itself. */
function start(others = {}) {
  const engine = { asked: 0, listen(listeners) { this.told = listeners; }, loadLarge() { this.asked += 1; }, close() {}, ...others };
  return { engine, solver: new Taquin(engine) };
}

test('tables that cannot be loaded are tried again', async () => {
  const { engine, solver } = start();
  const parts = [];
  const first = solver.loadTables({ progress: ({ done }) => parts.push(done) });
  assert.equal(solver.loadTables(), first);
  engine.told.onprogress({ done: 0.5 });
  engine.told.ontables({ tables: '7-8', source: 'none', reason: 'no memory' });
  await assert.rejects(first, { kind: 'database', message: 'no memory' });
  const second = solver.loadTables();
  engine.told.ondied(new Error('out of luck'));
  await assert.rejects(second, { kind: 'died', message: 'out of luck' });
  const third = solver.loadTables();
  engine.told.ontables({ tables: '7-8', source: 'built', seconds: 4 });
  assert.deepEqual(await third, { tables: '7-8', source: 'built', seconds: 4 });
  assert.equal(await solver.loadTables(), await third);
  assert.deepEqual([engine.asked, parts], [3, [0.5]]);
  // Another Worker loads them without a request.
  engine.told.ondied(new Error('out of luck'));
  engine.told.ontables({ tables: '7-8', source: 'stored', seconds: 1 });
  assert.equal((await solver.loadTables()).source, 'stored');
  assert.equal(engine.asked, 3);
});

test('tables that nobody waits for any more end with the engine', async () => {
  // A build that goes on ends in this way.
  const { engine, solver } = start({ close() { this.told.ontables({ source: 'none', reason: 'it was closed' }); } });
  const waiting = solver.loadTables();
  solver.close();
  await assert.rejects(waiting, { kind: 'died' });
  engine.loadLarge = () => { throw Object.assign(new Error('gone'), { kind: 'died' }); };
  await assert.rejects(solver.loadTables(), { kind: 'died' });
});
