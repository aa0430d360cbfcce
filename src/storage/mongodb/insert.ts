/**
 * Storing locations without a transaction. The statements of one call, each one atomic by itself and acknowledged by
 * the majority before the next, and what a crash after each leaves behind:
 *
 * 1. Places are given out by one change of the map's document, which also refuses a map that is deleted (list-end.ts).
 *    After it: places that nobody uses. No reader can tell, but that a later number follows a gap.
 * 2. For those with an idempotency key, a claim that holds the whole location is inserted; its unique index decides
 *    between requests at once. After it: a location that exists for its key alone. No reader of the map sees it, in
 *    pages, counts or by id; and whoever finds the claim does step 3 before answering anything, so that no answer
 *    speaks of a key without its location.
 * 3. The locations are inserted. After it: all is stored; only the answer is missing.
 *
 * Why doing step 3 again is safe, whoever does it and whenever: the claim has decided the id and the place, so it is the
 * same document. Where it is there, its id is taken and nothing happens. Where it was deleted since, the deletion left a
 * tombstone under its id in one statement (locations.ts), until long after the key has expired; so it is not stored
 * again. Without a key nothing is ever repeated, but by the driver's retryable writes, which the server tells apart.
 *
 * A key that has expired by one gateway's clock and not by another's: the one replaces the claim, by a deletion that
 * names the time and an insertion that the unique index decides; the other may still answer with the old location,
 * whose id is another. A tombstone outlives the key by an hour, so that clocks an hour apart do no harm.
 *
 * A repetition is the request that was made first: its location keeps the place that was given then, also where others
 * were appended in between.
 */

import type { IdempotencyRecord, InsertOutcome, LocationInsert, MapGone, Storage } from '../storage.ts';
import type { Idempotency, KeyedDocument } from './claims.ts';
import { claim, findClaims, takeBack } from './claims.ts';
import type { Collections, Database } from './database.ts';
import type { ClaimDocument, LocationDocument } from './documents.ts';
import { duplicatesOf } from './failures.ts';
import { ListEnds } from './list-end.ts';
import { isLive, toDocument, toLocation } from './location-documents.ts';
import { mapGone } from './maps.ts';
import { createTurns } from './turns.ts';

type InsertStorage = Pick<Storage, 'insertLocations' | 'findIdempotencyRecords' | 'removeExpired'>;
type Result = Awaited<ReturnType<Storage['insertLocations']>>;
type Outcomes = ReadonlyMap<LocationInsert, InsertOutcome>;

/** An insert with its place given. */
interface Placed {
  readonly insert: LocationInsert;
  readonly document: LocationDocument;
  readonly idempotency: Idempotency | null;
}

/**
 * How often a call goes on with what is left of it. Each time, a key was claimed by somebody who then took the claim
 * back, which only an id that is used twice makes them do.
 */
const ROUNDS = 3;

export function insertCalls(database: Database): InsertStorage {
  const ends = new ListEnds(database.collections);
  const takeTurns = createTurns();

  return {
    insertLocations: (mapId, inserts, now, scope) =>
      database.run(
        (collections) =>
          // Requests of this process under one key take turns, so that all but the first find its claim.
          takeTurns(
            inserts.flatMap(({ idempotency }) =>
              idempotency === null ? [] : [`${mapId} ${nameOf(idempotency)}`],
            ),
            () => insertAll(collections, ends, mapId, inserts, now),
          ),
        scope,
      ),

    findIdempotencyRecords: (scope, keys, now, within) =>
      database.run(async (collections) => {
        const claims = await findClaims(collections, scope, keys, now);
        return keys.map((key): IdempotencyRecord | null => {
          const found = claims.get(key);
          return found === undefined ? null : { digest: found.digest, location: toLocation(found.location) };
        });
      }, within),

    removeExpired: (now) =>
      database.run(async ({ claims, geocodes, quotas }) => {
        const filter = { expiresAt: { $lte: new Date(now) } };
        const removed = await Promise.all([
          claims.deleteMany(filter, { hint: 'claims_by_expiry' }),
          geocodes.deleteMany(filter, { hint: 'geocodes_by_expiry' }),
          quotas.deleteMany(filter, { hint: 'quotas_by_expiry' }),
        ]);
        return removed.reduce((sum, { deletedCount }) => sum + deletedCount, 0);
      }),
  };
}

/** A key with its token; a token's id holds no space. */
function nameOf({ tokenId, key }: Pick<Idempotency, 'tokenId' | 'key'>): string {
  return `${tokenId} ${key}`;
}

async function insertAll(
  collections: Collections,
  ends: ListEnds,
  mapId: string,
  inserts: readonly LocationInsert[],
  now: number,
): Promise<Result> {
  const isKeyless = inserts.every(({ idempotency }) => idempotency === null);
  // Without a key, giving out the places says whether the map takes part.
  const gone = isKeyless && inserts.length > 0 ? null : await mapGone(collections, mapId);
  if (gone !== null) return gone;

  const outcomes = new Map<LocationInsert, InsertOutcome>();
  const keep = (some: Outcomes) => some.forEach((outcome, insert) => outcomes.set(insert, outcome));
  const unanswered = () => inserts.filter((insert) => !outcomes.has(insert));
  keep(await findAnswers(collections, mapId, inserts, now));
  for (let round = 1; unanswered().length > 0; round += 1) {
    if (round > ROUNDS) throw new Error('A location was not stored.');
    const stored = await storeFresh(collections, ends, mapId, unanswered().filter(isFirstUse()), now);
    if ('kind' in stored) return stored;
    keep(stored);
    // What was claimed meanwhile, here or elsewhere, is found now.
    keep(await findAnswers(collections, mapId, unanswered(), now));
  }
  return { kind: 'done', outcomes: inserts.map((insert) => requireOutcome(outcomes, insert)) };
}

function requireOutcome(outcomes: Outcomes, insert: LocationInsert): InsertOutcome {
  const outcome = outcomes.get(insert);
  if (outcome === undefined) throw new Error('A location was not stored.');
  return outcome;
}

/** Passes inserts without a key, and the first of several under one key. */
function isFirstUse(): (insert: LocationInsert) => boolean {
  const seen = new Set<string>();
  return ({ idempotency }) => {
    if (idempotency === null) return true;
    const name = nameOf(idempotency);
    const isFirst = !seen.has(name);
    seen.add(name);
    return isFirst;
  };
}

/** The outcomes of inserts whose keys are claimed. */
async function findAnswers(
  collections: Collections,
  mapId: string,
  inserts: readonly LocationInsert[],
  now: number,
): Promise<Outcomes> {
  const keyed = inserts.flatMap(({ idempotency }) => (idempotency === null ? [] : [idempotency]));
  const found = new Map<string, ClaimDocument>();
  for (const tokenId of new Set(keyed.map((idempotency) => idempotency.tokenId))) {
    const keys = keyed.filter((idempotency) => idempotency.tokenId === tokenId).map(({ key }) => key);
    const claims = await findClaims(collections, { tokenId, mapId }, keys, now);
    for (const document of claims.values()) found.set(nameOf(document), document);
  }
  return new Map(
    inserts.flatMap((insert) => {
      const claimed = insert.idempotency === null ? undefined : found.get(nameOf(insert.idempotency));
      return claimed === undefined ? [] : [[insert, answerAgain(claimed, insert.idempotency)] as const];
    }),
  );
}

function answerAgain({ digest, location }: ClaimDocument, idempotency: Idempotency | null): InsertOutcome {
  return digest === idempotency?.digest
    ? { kind: 'replayed', location: toLocation(location) }
    : { kind: 'conflict' };
}

/** The three statements. @returns the outcomes of what was stored; a key claimed by somebody else is left out */
async function storeFresh(
  collections: Collections,
  ends: ListEnds,
  mapId: string,
  fresh: readonly LocationInsert[],
  now: number,
): Promise<Outcomes | MapGone> {
  if (fresh.length === 0) return new Map();
  const given = await ends.give(
    mapId,
    fresh.map(({ order }) => order),
  );
  if (given.kind !== 'given') return given;
  const placed = fresh.map((insert, index): Placed => {
    const place = given.places[index];
    if (place === undefined) throw new Error('Fewer places were given than asked for.');
    const { location, idempotency } = insert;
    return { insert, idempotency, document: toDocument(location, place, idempotency?.expiresAt) };
  });
  const losers: ReadonlySet<Placed> = await claim(collections, placed.filter(isKeyed), now);
  const winners = placed.filter((item) => !losers.has(item));
  await insertDocuments(collections, mapId, winners);
  return new Map(
    winners.map(({ insert, document }) => [insert, { kind: 'inserted', location: toLocation(document) }]),
  );
}

function isKeyed(item: Placed): item is Placed & KeyedDocument {
  return item.idempotency !== null;
}

async function insertDocuments(
  collections: Collections,
  mapId: string,
  items: readonly Placed[],
): Promise<void> {
  if (items.length === 0) return;
  try {
    await collections.locations.insertMany(
      items.map(({ document }) => document),
      { ordered: false },
    );
  } catch (error) {
    const duplicates = duplicatesOf(error);
    if (duplicates === null) throw error;
    const refused = new Set(duplicates.flatMap((index) => items[index] ?? []));
    const settled = await findSettled(collections, mapId, refused);
    if (settled.size === refused.size) return;
    await undo(
      collections,
      mapId,
      items.filter((item) => !settled.has(item)),
      refused,
    );
    throw error;
  }
}

/** An id that is taken is well where a repetition has stored this very location, from its claim, just now. */
async function findSettled(
  { locations }: Collections,
  mapId: string,
  refused: ReadonlySet<Placed>,
): Promise<ReadonlySet<Placed>> {
  const found = await locations
    .find({ mapId, _id: { $in: [...refused].map(({ document }) => document._id) } })
    .hint('_id_')
    .toArray();
  const byId = new Map(found.map((document) => [document._id, document]));
  return new Set(
    [...refused].filter((item) => {
      const other = byId.get(item.document._id);
      if (other === undefined || !isKeyed(item)) return false;
      return !isLive(other) || other.place === item.document.place;
    }),
  );
}

/** An id was used twice, which only a caller's mistake does: of the call that fails for it nothing is left. */
async function undo(
  collections: Collections,
  mapId: string,
  items: readonly Placed[],
  refused: ReadonlySet<Placed>,
): Promise<void> {
  // First the claims, so that no repetition stores a location again.
  for (const item of items) if (isKeyed(item)) await takeBack(collections, item);
  const ids = items.filter((item) => !refused.has(item)).map(({ document }) => document._id);
  if (ids.length === 0) return;
  await collections.locations.deleteMany({ mapId, _id: { $in: ids } }, { hint: '_id_' });
}
