/** Calls under an idempotency key whose process loses MongoDB for good at one of its statements. */

import type { LocationRecord } from '../../../src/domain/location.ts';
import type { MapRecord } from '../../../src/domain/map.ts';
import { NO_AUDIT } from '../../../src/services/audit/audit.ts';
import { withCalls } from '../../../src/services/history/calls.ts';
import { DEFAULT_RETENTION } from '../../../src/services/history/retention.ts';
import { KeyedCalls } from '../../../src/services/locations/keyed-calls.ts';
import { LocationService } from '../../../src/services/locations/location-service.ts';
import type { Scope } from '../../../src/services/scope.ts';
import type { Secrets } from '../../../src/services/secrets/secrets.ts';
import { openMongodbStorage } from '../../../src/storage/mongodb/storage.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { listPage, NOW } from '../../contract/storage/fixtures.ts';
import { aCall, historyOf, insert } from '../../contract/storage/history.ts';
import { createFakeGeocoder } from '../../support/fake-geocoder.ts';
import { expectHistory } from '../../support/history.ts';
import { expectWhole, stopEverywhere } from '../../support/mongodb-crash.ts';
import { NEEDS_MONGOD, NO_MONGODB, ownDatabase, testServer } from '../../support/mongodb-server.ts';
import { unlessChanged } from '../../support/scope.ts';
import { describeUnless, itUnless } from '../../support/skip.ts';

const AFTER_HOLD = NOW + 3 * 60 * 1000;

const server = await testServer();
const missing = server === null ? NO_MONGODB : !server.isMongod && NEEDS_MONGOD;

describeUnless(missing, 'mongodb: a call under an idempotency key, stopped at any statement', () => {
  if (server === null) return;
  const url = ownDatabase(server);
  let storage: Storage;
  beforeAll(async () => {
    storage = await openMongodbStorage(url, { timeoutMs: 30_000, lateWriteMs: 100 });
  });
  afterAll(() => storage.close());

  const serviceOn = (on: Storage, now: number) =>
    new LocationService({
      ...{ storage: on, geocoder: createFakeGeocoder(), clock: () => now },
      keyedCalls: new KeyedCalls({ storage: on, clock: () => now }),
      // No map has a key.
      secrets: {} as Secrets,
      audit: withCalls(NO_AUDIT, DEFAULT_RETENTION, () => now),
      fieldLimits: { maxKeys: 100, maxDepth: 10, maxBytes: 10_000 },
      maxBulk: 100,
    });

  const scopeOf = ({ ownerId }: MapRecord): Scope => ({
    caller: {
      ...{ kind: 'token', ownerId, ownerName: 'someone', scope: 'write', mapId: null, tokenId: 'token-1' },
      ...{ sessionId: null, expiresAt: null, isOwnerStored: true },
    },
  });

  type Call = (
    service: LocationService,
    map: MapRecord,
    locations: readonly LocationRecord[],
  ) => Promise<unknown>;

  /** @param listAfter the locations of the list, by index, with their version, when the call was written once */
  async function expectOnce(call: Call, listAfter: readonly string[]): Promise<void> {
    const seeded = new Map<string, readonly LocationRecord[]>();
    const { stops } = await stopEverywhere(
      storage,
      url,
      async (map) => {
        const locations = await insert(storage, map.id, aCall(), [null, null, null]);
        seeded.set(map.id, locations);
        return (writer) => call(serviceOn(writer, NOW), map, locations);
      },
      async (map) => {
        const locations = seeded.get(map.id) ?? [];
        const first = await call(serviceOn(storage, AFTER_HOLD), map, locations);
        const indexOf = (id: string) => locations.findIndex((location) => location.id === id);
        const list = await expectWhole(storage, map.id);
        expect(list.map(({ id, version }) => `${indexOf(id)} v${version}`)).toEqual(listAfter);
        expect(await historyOf(storage, map.id)).toHaveLength(2);
        await expectHistory(storage, map.id);
        expect(await call(serviceOn(storage, AFTER_HOLD), map, locations)).toMatchObject(
          withoutReplayed(first),
        );
        expect(await listPage(storage, map.id)).toEqual(list);
      },
    );
    // The call, the intent and the write.
    expect(stops).toBeGreaterThan(4);
  }

  const withoutReplayed = (result: unknown) => {
    const { isReplayed: _, ...rest } = result as { isReplayed: boolean };
    return rest;
  };

  it('an update is written once', () =>
    expectOnce(
      (service, map, [a]) =>
        service.updateLocation(scopeOf(map), map.id, a?.id ?? '', { fields: { Name: 'new' } }, 'key'),
      ['0 v2', '1 v1', '2 v1'],
    ));

  it('a deletion is written once', () =>
    expectOnce(
      (service, map, [, b]) => service.deleteLocation(scopeOf(map), map.id, b?.id ?? '', 'key'),
      ['0 v1', '2 v1'],
    ));

  // A retry waits for the lease of the mover that was stopped.
  const slow = unlessChanged('src/services/locations', 'src/storage/mongodb');
  itUnless(slow, 'a move is written once', () =>
    expectOnce(
      (service, map, [a]) =>
        service.moveLocations(scopeOf(map), map.id, [a?.id ?? ''], { toEnd: true }, 'key'),
      ['1 v1', '2 v1', '0 v2'],
    ),
  );
});
