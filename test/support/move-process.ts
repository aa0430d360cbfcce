/**
 * A process that moves pairs of locations: `move-process.ts <url> <map id> <count> <pairs> <number>`. <pairs> is JSON:
 * a list of lists of two ids. The first pair stays in place. The process moves the pair at its number and every third
 * after that, to an end of the list or next to the first pair. So pairs stay together if moves are atomic, and
 * concurrent processes use the same gaps.
 */

import type { MovePosition } from '../../src/domain/list/move-plan.ts';
import { openStorage } from '../../src/storage/open.ts';
import { NOW } from '../contract/storage/fixtures.ts';

const [url = '', mapId = '', count = '0', given = '[]', number = '0'] = process.argv.slice(2);
const pairs = JSON.parse(given) as readonly (readonly [string, string])[];
const PROCESSES = 3;

const storage = await openStorage(url, { timeoutMs: 60_000 });
const [[first, second] = ['', ''], ...movable] = pairs;
const own = movable.filter((_, index) => index % PROCESSES === Number(number));
const positions: readonly MovePosition[] = [
  { kind: 'before', id: first },
  { kind: 'after', id: second },
  { kind: 'end' },
  { kind: 'start' },
];
for (let turn = 0; turn < Number(count); turn += 1) {
  const pair = own[turn % own.length]!;
  const outcome = await storage.moveLocations(mapId, { ids: pair, position: positions[turn % 4]! }, NOW);
  if (outcome.kind !== 'moved') throw new Error(outcome.kind);
  const list = await storage.listLocations(mapId, {
    limit: 1_000,
    fromEnd: false,
    after: null,
    before: null,
  });
  const ids = list.map(({ id }) => id);
  // No other process moves this pair, or anything into it.
  if (ids.indexOf(pair[1]) !== ids.indexOf(pair[0]) + 1) throw new Error('A pair was split.');
}
await storage.close();
