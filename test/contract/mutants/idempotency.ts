/** Mutants that confuse requests. */

import type {
  IdempotencyRecord,
  InsertOutcome,
  LocationInsert,
  Storage,
} from '../../../src/storage/storage.ts';
import type { Mutant } from './mutant.ts';
import { changingInserts, changingOutcomes, insertingOneByOne, insertThrough, pause } from './mutant.ts';

type Key = NonNullable<LocationInsert['idempotency']>;

function changingKeys(good: Storage, change: (key: Key) => Key): Storage['insertLocations'] {
  return changingInserts(good, (insert) => ({
    ...insert,
    idempotency: insert.idempotency && change(insert.idempotency),
  }));
}

/** Idempotency with separate records, looked up and stored in separate steps. */
function withOwnRecords(
  good: Storage,
  between: () => Promise<void>,
): Pick<Storage, 'insertLocations' | 'findIdempotencyRecords'> {
  const records = new Map<string, IdempotencyRecord & { expiresAt: number }>();
  const find = (tokenId: string, mapId: string, key: string, now: number) => {
    const record = records.get(JSON.stringify([tokenId, mapId, key]));
    return record !== undefined && record.expiresAt > now ? record : null;
  };
  return {
    insertLocations: insertingOneByOne(good, async (mapId, insert, now): Promise<InsertOutcome> => {
      const { idempotency } = insert;
      if (idempotency === null) return insertThrough(good, mapId, insert, now);
      const { tokenId, key, digest, expiresAt } = idempotency;
      const record = find(tokenId, mapId, key, now);
      if (record !== null) {
        return record.digest === digest
          ? { kind: 'replayed', location: record.location }
          : { kind: 'conflict' };
      }
      await between();
      const outcome = await insertThrough(good, mapId, { ...insert, idempotency: null }, now);
      if (outcome.kind !== 'inserted') return outcome;
      const remembered = { digest, expiresAt, location: structuredClone(outcome.location) };
      records.set(JSON.stringify([tokenId, mapId, key]), remembered);
      return outcome;
    }),
    findIdempotencyRecords: async ({ tokenId, mapId }, keys, now) =>
      keys.map((key) => {
        const record = find(tokenId, mapId, key, now);
        return record && { digest: record.digest, location: record.location };
      }),
  };
}

export const idempotency: readonly Mutant[] = [
  {
    name: 'a key ignores the digest',
    topic: 'idempotency',
    breaks: (good) => ({ insertLocations: changingKeys(good, (key) => ({ ...key, digest: 'digest-1' })) }),
  },
  {
    name: 'a key ignores the token',
    topic: 'idempotency',
    breaks: (good) => ({
      insertLocations: changingKeys(good, (key) => ({ ...key, tokenId: 'any' })),
      findIdempotencyRecords: (scope, keys, now) =>
        good.findIdempotencyRecords({ ...scope, tokenId: 'any' }, keys, now),
    }),
  },
  {
    name: 'a key ignores the map',
    topic: 'idempotency',
    breaks: (good) => {
      const mapOf = new Map<string, string>();
      return {
        insertLocations: insertingOneByOne(good, async (mapId, insert, now) => {
          const key = insert.idempotency?.key;
          if (key === undefined) return insertThrough(good, mapId, insert, now);
          const first = mapOf.get(key) ?? mapId;
          mapOf.set(key, first);
          const location = { ...insert.location, mapId: first };
          return insertThrough(good, first, { ...insert, location }, now);
        }),
        findIdempotencyRecords: (scope, keys, now) =>
          good.findIdempotencyRecords(
            { ...scope, mapId: mapOf.get(keys[0] ?? '') ?? scope.mapId },
            keys,
            now,
          ),
      };
    },
  },
  {
    name: 'a key ignores case',
    topic: 'idempotency',
    breaks: (good) => ({
      insertLocations: changingKeys(good, (key) => ({ ...key, key: key.key.toLowerCase() })),
      findIdempotencyRecords: (scope, keys, now) =>
        good.findIdempotencyRecords(
          scope,
          keys.map((key) => key.toLowerCase()),
          now,
        ),
    }),
  },
  {
    name: 'keys never expire',
    topic: 'idempotency',
    breaks: (good) => ({ insertLocations: changingKeys(good, (key) => ({ ...key, expiresAt: 2 ** 52 })) }),
  },
  {
    name: 'keys expire a millisecond late',
    topic: 'idempotency',
    breaks: (good) => ({
      insertLocations: changingKeys(good, (key) => ({ ...key, expiresAt: key.expiresAt + 1 })),
      removeExpired: (now) => good.removeExpired(now + 1),
    }),
  },
  {
    name: 'an expired key is still looked up',
    topic: 'idempotency',
    breaks: (good) => ({
      findIdempotencyRecords: (scope, keys) => good.findIdempotencyRecords(scope, keys, 0),
    }),
  },
  {
    name: 'keys are deleted with their location',
    topic: 'idempotency',
    breaks: (good) => ({
      insertLocations: async (mapId, inserts, now) => {
        const changed: LocationInsert[] = [];
        for (const insert of inserts) {
          const { idempotency: key } = insert;
          const [record] = key ? await good.findIdempotencyRecords({ ...key, mapId }, [key.key], now) : [];
          const [location] = record ? await good.getLocations(mapId, [record.location.id]) : [];
          changed.push(record && !location ? { ...insert, idempotency: null } : insert);
        }
        return good.insertLocations(mapId, changed, now);
      },
    }),
  },
  {
    name: 'a replay stores the location again',
    topic: 'idempotency',
    breaks: (good) => ({
      insertLocations: changingOutcomes(good, async (outcome, insert) => {
        if (outcome.kind !== 'replayed') return outcome;
        await insertThrough(good, insert.location.mapId, { ...insert, idempotency: null }, 0);
        return outcome;
      }),
    }),
  },
  {
    name: 'a conflict stores the location',
    topic: 'idempotency',
    breaks: (good) => ({
      insertLocations: changingOutcomes(good, async (outcome, insert) => {
        if (outcome.kind !== 'conflict') return outcome;
        await insertThrough(good, insert.location.mapId, { ...insert, idempotency: null }, 0);
        return outcome;
      }),
    }),
  },
  {
    name: 'a replay returns the sent location instead of the stored one',
    topic: 'idempotency',
    breaks: (good) => ({
      insertLocations: changingOutcomes(good, (outcome, { location }) =>
        outcome.kind === 'replayed'
          ? { ...outcome, location: { ...outcome.location, ...location } }
          : outcome,
      ),
    }),
  },
  {
    name: 'a replay returns inserted',
    topic: 'idempotency',
    breaks: (good) => ({
      insertLocations: changingOutcomes(good, (outcome) =>
        outcome.kind === 'replayed' ? { ...outcome, kind: 'inserted' } : outcome,
      ),
    }),
  },
  {
    name: 'a key twice in one call stores two locations',
    topic: 'idempotency',
    breaks: (good) => ({
      insertLocations: (mapId, inserts, now) => {
        const seen = new Set<string>();
        const changed = inserts.map((insert) => {
          const key = insert.idempotency?.key;
          if (key === undefined || !seen.has(key)) {
            if (key !== undefined) seen.add(key);
            return insert;
          }
          return { ...insert, idempotency: null };
        });
        return good.insertLocations(mapId, changed, now);
      },
    }),
  },
  {
    name: 'a key is looked up before it is stored, so that two concurrent calls store two locations',
    topic: 'idempotency',
    breaks: (good) => withOwnRecords(good, pause),
  },
  {
    name: 'keys are lost when the store closes',
    topic: 'reopening',
    persistent: true,
    breaks: (good) => withOwnRecords(good, async () => {}),
  },
  {
    name: 'unknown keys have no entry',
    topic: 'idempotency',
    breaks: (good) => ({
      findIdempotencyRecords: async (scope, keys, now) =>
        (await good.findIdempotencyRecords(scope, keys, now)).filter((record) => record !== null),
    }),
  },
  {
    name: 'expired records are not removed',
    topic: 'idempotency',
    breaks: () => ({ removeExpired: async () => 0 }),
  },
  {
    name: 'valid records are removed',
    topic: 'idempotency',
    breaks: (good) => ({ removeExpired: (now) => good.removeExpired(now + 1) }),
  },
  {
    name: 'a record that expires now is not removed',
    topic: 'idempotency',
    breaks: (good) => ({ removeExpired: (now) => good.removeExpired(now - 1) }),
  },
  {
    name: 'the number of records removed is one too many',
    topic: 'idempotency',
    breaks: (good) => ({ removeExpired: async (now) => (await good.removeExpired(now)) + 1 }),
  },
];
