/** When geocoding of a whole map waits for the geocoder, and when it ends. */

import { EVERYTHING } from '../../../src/domain/filter/location-filter.ts';
import type { LocationRecord } from '../../../src/domain/location.ts';
import { ServiceError } from '../../../src/errors.ts';
import type { GeocodedAgain } from '../../../src/services/locations/geocode-locations.ts';
import { geocodeMap } from '../../../src/services/locations/geocode-map.ts';
import { pointOf } from '../../../src/services/locations/locate.ts';
import { sqliteStorage } from '../../../src/storage/sqlite/storage.ts';
import { idsOf, insertOrders, seedMap } from '../../contract/storage/fixtures.ts';
import { openConnection } from '../../storage/sqlite/temporary.ts';

const limited = (retryAfterSeconds: number) =>
  new ServiceError('RATE_LIMITED', 'Too fast.', { retryAfterSeconds });
const down = new ServiceError('GEOCODER_UNAVAILABLE', 'No response.', { retryAfterSeconds: 5 });

/** @param failures of the calls, by the index of the location in the map; each is thrown once, unless it repeats */
async function run(failures: ReadonlyMap<number, { readonly error: ServiceError; times: number }>) {
  const storage = sqliteStorage(await openConnection(':memory:'));
  const map = await seedMap(storage);
  const all = await insertOrders(storage, map.id, Array<null>(30).fill(null));
  const asked: string[] = [];
  const waits: number[] = [];
  const geocode = (location: LocationRecord, end: ServiceError | null): GeocodedAgain => {
    const before = pointOf(location);
    const failure = failures.get(all.findIndex(({ id }) => id === location.id));
    const error = end ?? (failure !== undefined && failure.times-- > 0 ? failure.error : null);
    if (error !== null) return { location, outcome: 'not_asked', before, after: null, error };
    asked.push(location.id);
    return { location, outcome: 'unchanged', before, after: before, error: null };
  };
  const end = await geocodeMap({
    storage,
    geocoding: {
      geocodeLocations: async (_scope, _mapId, targets) => {
        const ids = 'ids' in targets ? targets.ids : [];
        const results: GeocodedAgain[] = [];
        for (const id of ids) {
          const failed = results.find(({ error }) => error !== null)?.error ?? null;
          results.push(
            geocode(
              all.find((location) => location.id === id)!,
              failed,
            ),
          );
        }
        return { map, results, historyId: null };
      },
    },
    history: { beginCall: (scope) => scope },
    scope: { caller: null },
    map,
    filter: EVERYTHING,
    name: 'all',
    isDryRun: false,
    restart: false,
    maxBatch: 10,
    stop: new AbortController().signal,
    clock: () => 0,
    wait: async (milliseconds) => void waits.push(milliseconds),
    onBegin: () => {},
    onBatch: () => {},
  });
  await storage.close();
  return { end, waits, asked, ids: idsOf(all) };
}

describe('geocoding a whole map', () => {
  it('waits for a rate limit and for a geocoder that is down for a moment, and asks no address twice', async () => {
    const { end, waits, asked, ids } = await run(
      new Map([
        [3, { error: limited(7), times: 1 }],
        [12, { error: down, times: 3 }],
        [29, { error: limited(120), times: 1 }],
      ]),
    );
    expect(end).toEqual({ kind: 'complete' });
    expect(waits).toEqual([7_000, 5_000, 5_000, 5_000, 120_000]);
    expect(asked).toEqual(ids);
  });

  it('ends at a limit that lasts, and where the geocoder does not respond again and again', async () => {
    const quota = await run(new Map([[4, { error: limited(121), times: 1 }]]));
    expect([quota.end, quota.waits, quota.asked]).toEqual([
      { kind: 'ended', error: limited(121), locationId: quota.ids[4] },
      [],
      quota.ids.slice(0, 4),
    ]);
    const broken = await run(new Map([[15, { error: down, times: 99 }]]));
    expect([broken.end, broken.waits.length]).toEqual([
      { kind: 'ended', error: down, locationId: broken.ids[15] },
      3,
    ]);
    expect(broken.asked).toEqual(broken.ids.slice(0, 15));
  });

  it('ends at once for a refused key', async () => {
    const error = new ServiceError('GEOCODER_REFUSED', 'The key is wrong.');
    const { end, waits, ids } = await run(new Map([[0, { error, times: 1 }]]));
    expect([end, waits]).toEqual([{ kind: 'ended', error, locationId: ids[0] }, []]);
  });
});
