/**
 * A process of its own that moves pairs of locations: `move-process.ts <url> <map id> <count> <pairs> <number>`. The pairs,
 * as JSON, are lists of two ids. The first pair stays where it is. Of the others its own are the one at its number and every
 * third after that. A pair goes to an end of the list, or beside the first pair, so that pairs stay together if each move is
 * made whole, and processes use the same gaps at the same time.
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
const places: readonly MovePosition[] = [
  { kind: 'before', id: first },
  { kind: 'after', id: second },
  { kind: 'end' },
  { kind: 'start' },
];
for (let turn = 0; turn < Number(count); turn += 1) {
  const pair = own[turn % own.length]!;
  const outcome = await storage.moveLocations(mapId, { ids: pair, position: places[turn % 4]! }, NOW);
  if (outcome.kind !== 'moved') throw new Error(outcome.kind);
  const list = await storage.listLocations(mapId, {
    limit: 1_000,
    fromEnd: false,
    after: null,
    before: null,
  });
  const ids = list.map(({ id }) => id);
  // Nobody else moves it, nor anything into it.
  if (ids.indexOf(pair[1]) !== ids.indexOf(pair[0]) + 1) throw new Error('A pair was torn apart.');
}
await storage.close();
