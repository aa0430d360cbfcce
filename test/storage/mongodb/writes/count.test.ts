/** The count of a map's locations: its invariant compared with a plain set, and the writes of crashed processes. */

import { setTimeout as delay } from 'node:timers/promises';

import fc from 'fast-check';

import type { ListCount } from '../../../../src/storage/mongodb/schema.ts';
import type { GeocodingCount } from '../../../../src/domain/filter/geocoding-groups.ts';
import { sumOfGroups } from '../../../../src/domain/filter/geocoding-groups.ts';
import type { GeocodingGroup } from '../../../../src/domain/filter/geocoding-test.ts';
import { openMongodbStorage } from '../../../../src/storage/mongodb/storage.ts';
import {
  EMPTY_COUNT,
  namedOnlyBy,
  countIntent,
  closeWrites,
} from '../../../../src/storage/mongodb/writes/count.ts';
import { isWithin } from '../../../../src/storage/mongodb/writes/sequence-ranges.ts';
import { append, insertOne, insertOrders, seedMap } from '../../../contract/storage/fixtures.ts';
import { runUntil } from '../../../support/mongodb-crash.ts';
import { NO_MONGODB, ownDatabase, testServer, withClient } from '../../../support/mongodb-server.ts';
import { describeUnless } from '../../../support/skip.ts';

const MOST = 12;
const HOUR = 60 * 60 * 1000;

/** An open write. */
interface Writer {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

const PRECISIONS = ['street', 'rooftop'];

function groupOf(precision: string): GeocodingGroup {
  return { provider: 'offline', precision, isAmbiguous: false, isChecked: false };
}

/** Of the geocoding that the fixtures have. */
function settledCount(count: number): readonly GeocodingCount[] {
  return [{ provider: 'offline', precision: 'locality', isAmbiguous: true, isChecked: false, count }];
}

function tally(counts: readonly GeocodingCount[]): ReadonlyMap<string, number> {
  return new Map(sumOfGroups(counts).map(({ precision, count }) => [precision, count]));
}

describe('the count of a map', () => {
  it('is the number of locations at any time, with writes in progress, closed or abandoned', () => {
    const action = fc.record({
      kind: fc.constantFrom('announce', 'store', 'remove', 'regroup', 'settle', 'forget'),
      from: fc.integer({ min: 1, max: MOST }),
      length: fc.integer({ min: 1, max: 3 }),
      which: fc.nat(20),
    });
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const there = new Map<number, string>();
        const groupsOf = (sequences: readonly number[]) =>
          sumOfGroups(sequences.map((one) => ({ ...groupOf(there.get(one)!), count: 1 })));
        const writers: Writer[] = [];
        let count: ListCount = EMPTY_COUNT;
        for (const [index, { kind, from, length, which }] of actions.entries()) {
          const writer = writers[which % Math.max(1, writers.length)];
          if (kind === 'announce') {
            const open = { id: String(index), from, to: from + length - 1 };
            const present = [...there]
              .filter(([sequence]) => sequence >= from && sequence <= open.to)
              .map(([sequence, precision]) => ({ sequence, group: groupOf(precision) }));
            count = countIntent(count, { ...open, since: new Date(0) }, present);
            writers.push(open);
          } else if (writer !== undefined) {
            const sequence = writer.from + (from % (writer.to - writer.from + 1));
            if (kind === 'store' || (kind === 'regroup' && there.has(sequence))) {
              there.set(sequence, PRECISIONS[index % 2]!);
            }
            if (kind === 'remove') there.delete(sequence);
            // Its writer has crashed, so it stays open.
            if (kind === 'forget') writers.splice(writers.indexOf(writer), 1);
            if (kind === 'settle') {
              const ids = new Set([writer.id]);
              const ranges = namedOnlyBy(count, ids);
              const named = [...there.keys()].filter((one) => isWithin(ranges, one));
              count = closeWrites(count, ids, groupsOf(named));
              writers.splice(writers.indexOf(writer), 1);
            }
          }
          const { open, settled } = count;
          const named = [...there.keys()].filter((one) => isWithin(open, one));
          expect(tally([...settled, ...groupsOf(named)])).toEqual(tally(groupsOf([...there.keys()])));
        }
      }),
    );
  });
});

const server = await testServer();

describeUnless(server === null && NO_MONGODB, 'mongodb: write intents', () => {
  if (server === null) return;
  const url = ownDatabase(server);

  const countOf = (mapId: string) =>
    withClient(url, async (client) => {
      const found = await client
        .db()
        .collection<{ _id: string; count: ListCount }>('maps')
        .findOne({ _id: mapId });
      return found!.count;
    });
  const setCount = (mapId: string, count: ListCount) =>
    withClient(url, (client) =>
      client.db().collection<{ _id: string }>('maps').updateOne({ _id: mapId }, { $set: { count } }),
    );
  const settled = async (mapId: string) => {
    for (let count = await countOf(mapId); ; count = await countOf(mapId)) {
      if (count.open.length === 0) return count;
      await delay(20);
    }
  };

  it('cost a create no extra statement, and a create with a key reads its map once', async () => {
    const storage = await openMongodbStorage(url, { timeoutMs: 10_000 });
    const never = { at: 1000, fate: 'cut after' } as const;
    const { id } = await seedMap(storage);
    const keyless = await runUntil(url, never, (writer) => append(writer, id));
    expect(keyless.statements).toEqual(['find maps', 'update maps', 'insert locations']);
    const keyed = await runUntil(url, never, (writer) => insertOne(writer, id, { key: 'key' }));
    expect(keyed.statements).toEqual([
      'find claims',
      'find maps',
      'update maps',
      'insert claims',
      'insert locations',
    ]);
    await storage.close();
  });

  it('are closed by themselves, soon after the last write', async () => {
    const storage = await openMongodbStorage(url, { timeoutMs: 10_000 });
    const { id } = await seedMap(storage);
    const [first] = await insertOrders(storage, id, [null, null, 'x']);
    await append(storage, id);
    await storage.deleteLocation(id, first!.id);
    expect(await storage.countLocations(id)).toBe(3);
    expect(await settled(id)).toEqual({ settled: settledCount(3), open: [] });
    expect(await storage.countLocations(id)).toBe(3);
    await storage.close();
  });

  it('of other processes stay while they are new, and are closed when they are abandoned', async () => {
    const storage = await openMongodbStorage(url, { timeoutMs: 10_000 });
    const { id } = await seedMap(storage);
    await insertOrders(storage, id, [null, null, null]);
    await settled(id);
    const since = (hours: number) => new Date(Date.now() - hours * HOUR);
    // Two crashed writers: one stored nothing, the other stored the third location.
    await setCount(id, {
      settled: settledCount(2),
      open: [
        { id: 'new', from: 90, to: 95, since: since(0.1) },
        { id: 'abandoned', from: 3, to: 3, since: since(4) },
      ],
    });
    expect(await storage.countLocations(id)).toBe(3);
    await append(storage, id);
    expect((await countOf(id)).open.map((write) => write.id)).not.toContain('abandoned');
    expect(await storage.countLocations(id)).toBe(4);
    for (;;) {
      const count = await countOf(id);
      if (count.open.length > 1) continue;
      expect([count.settled, count.open.map((write) => write.id)]).toEqual([settledCount(4), ['new']]);
      break;
    }
    await storage.close();
  });
});
