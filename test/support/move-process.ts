/**
 * A process of its own that moves pairs of locations: `move-process.ts <url> <map id> <count> <pairs> <number>`. The pairs,
 * as JSON, are lists of two ids. Its own are the one at its number and every third after that. A pair goes to an end of the
 * list, or before or after another pair, so that pairs stay together if each move is made whole.
 */

import type { MovePlace } from '../../src/domain/move-plan.ts';
import { openStorage } from '../../src/storage/open.ts';
import { NOW } from '../contract/storage/fixtures.ts';

const [url = '', mapId = '', count = '0', given = '[]', number = '0'] = process.argv.slice(2);
const pairs = JSON.parse(given) as readonly (readonly [string, string])[];
const PROCESSES = 3;

const storage = await openStorage(url, { timeoutMs: 60_000 });
const own = pairs.filter((_, index) => index % PROCESSES === Number(number));
for (let turn = 0; turn < Number(count); turn += 1) {
  const pair = own[turn % own.length]!;
  const others = pairs.filter((other) => other !== pair);
  const [first, second] = others[(turn * 7 + Number(number)) % others.length]!;
  const places: readonly MovePlace[] = [
    { kind: 'before', id: first },
    { kind: 'after', id: second },
    { kind: 'end' },
    { kind: 'start' },
  ];
  const outcome = await storage.moveLocations(mapId, { ids: pair, place: places[turn % 4]! }, NOW);
  if (outcome.kind !== 'moved') throw new Error(outcome.kind);
}
await storage.close();
