/** The log has the changes of one call in the call's order (capabilities §15), also with concurrent writes. */

import type { LocationChanged } from '../../../src/domain/change.ts';
import type { LocationRecord } from '../../../src/domain/location.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { all, readAll, seedLog, whatOf } from './change-log.ts';
import {
  anInsert,
  anUpdate,
  idsOf,
  insertAll,
  insertOrders,
  locationOf,
  move,
  movedOf,
  updateAll,
  updatedOf,
  updateOne,
} from './fixtures.ts';
import type { StorageTopic } from './harness.ts';

/** A call that changes several locations, with its changes in order. */
interface Call {
  readonly name: string;
  readonly run: (
    storage: Storage,
    mapId: string,
    list: readonly LocationRecord[],
  ) => Promise<readonly LocationChanged[]>;
}

const CALLS: readonly Call[] = [
  {
    name: 'creates',
    async run(storage, mapId) {
      const inserts = [
        anInsert(mapId, { order: '9' }),
        anInsert(mapId, { key: 'k' }),
        anInsert(mapId, { order: '0' }),
        anInsert(mapId, { location: { externalId: 'e' } }),
        anInsert(mapId),
      ];
      const outcomes = await insertAll(storage, mapId, inserts);
      return all(
        'created',
        outcomes.map((outcome) => locationOf(outcome)),
      );
    },
  },
  {
    name: 'updates',
    async run(storage, mapId, list) {
      const updates = list.map((location, index) =>
        index % 2 === 0 ? anUpdate(location, { name: 'Another' }) : anUpdate(location, {}, `1.${9 - index}`),
      );
      (await updateAll(storage, mapId, updates)).forEach(updatedOf);
      return list.map(({ id }, index) => ({ kind: index % 2 === 0 ? 'updated' : 'moved', id }));
    },
  },
  {
    name: 'moves',
    async run(storage, mapId, list) {
      movedOf(await move(storage, mapId, list, { kind: 'start' }));
      return all('moved', list);
    },
  },
  {
    name: 'deletions',
    async run(storage, mapId, list) {
      expect(await storage.deleteLocations(mapId, idsOf(list))).toMatchObject({ deletedIds: idsOf(list) });
      return all('deleted', list);
    },
  },
  {
    name: 'deletions of versions',
    async run(storage, mapId, list) {
      expect(await storage.deleteVersions(mapId, list)).toMatchObject({ deletedIds: idsOf(list) });
      return all('deleted', list);
    },
  },
];

export const changeOrder: StorageTopic = {
  name: 'order of changes in a call',
  cases: CALLS.flatMap(({ name, run }) => [
    {
      name: `${name} are logged in the order of the call`,
      async run({ storage }) {
        const { mapId, start } = await seedLog(storage);
        const [a, b, c, d, e] = await insertOrders(storage, mapId, ['1', '2', '3', '4', '5']);
        const expected = await run(storage, mapId, [d!, b!, e!, a!, c!]);
        expect(whatOf(await readAll(storage, mapId, start)).slice(5)).toEqual(expected);
      },
    },
    {
      name: `${name} are logged in the order of the call when another process has just written the first and the third`,
      needs: 'openAgain',
      async run({ storage, openAgain }) {
        const other = await openAgain();
        const { mapId, start } = await seedLog(storage);
        const list = [...(await insertOrders(storage, mapId, ['1', '2', '3', '4', '5']))].toReversed();
        for (const index of [0, 2]) {
          list[index] = updatedOf(await updateOne(other, mapId, anUpdate(list[index]!, { name: 'Theirs' })));
        }
        const expected = await run(storage, mapId, list);
        expect(whatOf(await readAll(storage, mapId, start)).slice(7)).toEqual(expected);
      },
    },
  ]),
};
