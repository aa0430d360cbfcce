/**
 * Storing locations without a transaction. A call is these statements. Each is atomic by itself, and the majority
 * acknowledges it before the next one begins. Each says what a crash after it leaves behind.
 *
 * 1. The map's document is changed (list-change.ts). That gives out sort keys and places in the log, and announces the
 *    locations to the count and the log. It is refused for a map that is deleted. A crash leaves sort keys that nobody
 *    uses. No reader sees them; a later number just follows a gap.
 * 2. For a location with an idempotency key, a claim is inserted that holds the whole location. Its unique index decides
 *    between requests at once. A crash leaves a location that is known to its key alone: pages, counts and lookups do not
 *    have it. Whoever finds the claim does step 3 before it answers, so no answer speaks of a key without its location.
 * 3. The locations are inserted. A crash leaves everything stored; only the answer is missing.
 *
 * Step 3 may be done again by anybody at any time. The claim has decided the id and the sort key, so it is the same
 * document each time. While it is there, its id is taken and nothing happens. A deletion leaves a tombstone under the id,
 * in one statement (locations.ts), until long after the key has expired; so the location does not come back. A location
 * without a key is never stored again, but by the driver's retryable writes, which the server recognises.
 *
 * A key may have expired by the clock of one gateway and not by that of another. The first replaces the claim: it deletes
 * what has expired by its time, and the unique index decides who inserts the next claim. The other may still answer with
 * the old location, which has another id. A tombstone outlives its key by an hour, so clocks may differ by an hour.
 *
 * A repetition is the request that was made first: its location keeps the sort key that was given then, also where others
 * were appended in between.
 */

import { judgeKey } from '../../domain/idempotency.ts';
import { newLocationId } from '../../domain/ids.ts';
import { createdLocation } from '../../domain/location.ts';
import { storageUnavailable } from '../../errors.ts';
import type { InsertOutcome, LocationInsert, MapUnavailable, Storage } from '../storage.ts';
import type { WriteIntent } from './write-intent.ts';
import type { Idempotency, KeyedDocument, Writer } from './idempotency-locks.ts';
import { claim, findClaims, takeBack } from './idempotency-locks.ts';
import type { Collections } from './database.ts';
import type { ClaimDocument, LocationDocument, TombstoneDocument } from './documents.ts';
import { findTaken, reserve } from './external-ids.ts';
import { duplicatesOf } from './failures.ts';
import { WITHOUT_INDEXED, withIndexed } from './search/indexed.ts';
import { isFence, isLive, toDocument, toLocation } from './location-documents.ts';
import { mapUnavailable } from './maps.ts';
import { sequenceOf } from './stored-sort-key.ts';

type Result = Awaited<ReturnType<Storage['insertLocations']>>;
type Outcomes = ReadonlyMap<LocationInsert, InsertOutcome>;

/** An insert whose sort key was given. */
interface SortedInsert {
  readonly insert: LocationInsert;
  readonly document: LocationDocument;
  readonly idempotency: Idempotency | null;
}

/**
 * How often a call goes on with what is left of it. Something is left where somebody claimed a key and took the claim
 * back, which only an id that is used twice makes them do.
 */
const ROUNDS = 3;

/** The names of the keys of these inserts. Requests of one process that share a name wait for one another. */
export function keyNames(mapId: string, inserts: readonly LocationInsert[]): readonly string[] {
  return inserts.flatMap(({ idempotency }) =>
    idempotency === null ? [] : [`${mapId} ${nameOf(idempotency)}`],
  );
}

/** A key with its token; a token's id holds no space. */
function nameOf({ tokenId, key }: Pick<Idempotency, 'tokenId' | 'key'>): string {
  return `${tokenId} ${key}`;
}

export async function insertAll(
  writer: Writer,
  mapId: string,
  inserts: readonly LocationInsert[],
  now: number,
): Promise<Result> {
  const outcomes = new Map<LocationInsert, InsertOutcome>();
  const keep = (some: Outcomes) => some.forEach((outcome, insert) => outcomes.set(insert, outcome));
  const unanswered = () => inserts.filter((insert) => !outcomes.has(insert));
  keep(await findOutcomes(writer, mapId, inserts, now));
  // Where something is stored, the change of the map's document says whether the map takes part.
  const gone = unanswered().length > 0 ? null : await mapUnavailable(writer.collections, mapId);
  if (gone !== null) return gone;
  const ids = new Map<LocationInsert, string>();
  for (let round = 1; unanswered().length > 0; round += 1) {
    if (round > ROUNDS) throw storageUnavailable();
    const refused = await findRefused(writer, mapId, unanswered());
    const fresh = unanswered().filter((insert) => !refused.has(insert));
    const stored = await storeFresh(writer, mapId, { inserts: fresh.filter(isFirstUse()), ids, now });
    if ('kind' in stored) return stored;
    keep(stored);
    // What was claimed meanwhile, here or elsewhere, is found now.
    keep(await findOutcomes(writer, mapId, unanswered(), now));
    for (const insert of refused) if (!outcomes.has(insert)) outcomes.set(insert, TAKEN);
  }
  return { kind: 'done', outcomes: inserts.map((insert) => requireOutcome(outcomes, insert)) };
}

const TAKEN = { kind: 'external-id-taken' } as const;

/** Those whose external id another location has, or an earlier one of the call gets. They use up no order. */
async function findRefused(
  writer: Writer,
  mapId: string,
  inserts: readonly LocationInsert[],
): Promise<ReadonlySet<LocationInsert>> {
  const wanted = inserts.map(({ location }) => ({
    _id: location.id,
    mapId,
    externalId: location.externalId ?? undefined,
  }));
  const taken = await findTaken(writer, mapId, wanted);
  const first = new Map<string, LocationInsert>();
  return new Set(
    inserts.filter((insert) => {
      const { externalId } = insert.location;
      if (externalId === null) return false;
      if (taken.has(externalId)) return true;
      const earlier = first.get(externalId) ?? insert;
      first.set(externalId, earlier);
      return earlier !== insert && !isSameKey(earlier, insert);
    }),
  );
}

/** Repetitions of one request are answered alike. */
function isSameKey(a: LocationInsert, b: LocationInsert): boolean {
  if (a.idempotency === null || b.idempotency === null) return false;
  return nameOf(a.idempotency) === nameOf(b.idempotency);
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
async function findOutcomes(
  writer: Writer,
  mapId: string,
  inserts: readonly LocationInsert[],
  now: number,
): Promise<Outcomes> {
  const keyed = inserts.flatMap(({ idempotency }) => (idempotency === null ? [] : [idempotency]));
  const found = new Map<string, ClaimDocument>();
  for (const tokenId of new Set(keyed.map((idempotency) => idempotency.tokenId))) {
    const keys = keyed.filter((idempotency) => idempotency.tokenId === tokenId).map(({ key }) => key);
    const claims = await findClaims(writer, { tokenId, mapId }, keys, now);
    for (const document of claims.values()) found.set(nameOf(document), document);
  }
  return new Map(
    inserts.flatMap((insert) => {
      if (insert.idempotency === null) return [];
      const outcome = replayOutcome(found.get(nameOf(insert.idempotency)), insert.idempotency);
      return outcome === null ? [] : [[insert, outcome] as const];
    }),
  );
}

/** Null where the key was not used before. */
function replayOutcome(claimed: ClaimDocument | undefined, { digest }: Idempotency): InsertOutcome | null {
  const use = judgeKey(claimed, digest);
  if (use === 'conflict') return { kind: 'conflict' };
  return claimed === undefined ? null : { kind: 'replayed', location: toLocation(claimed.location) };
}

interface Fresh {
  readonly inserts: readonly LocationInsert[];
  /** Of locations that could not be stored under the first one in time, which is taken for good. */
  readonly ids: Map<LocationInsert, string>;
  readonly now: number;
}

/**
 * The three statements.
 *
 * @returns the outcomes of what was stored. What is left out has its key claimed by somebody else, or another id now
 */
async function storeFresh(
  writer: Writer,
  mapId: string,
  { inserts, ids, now }: Fresh,
): Promise<Outcomes | MapUnavailable> {
  const { collections, lists } = writer;
  if (inserts.length === 0) return (await mapUnavailable(collections, mapId)) ?? new Map();
  const idOf = (insert: LocationInsert) => ids.get(insert) ?? insert.location.id;
  const given = await lists.append(
    mapId,
    inserts.map((insert) => ({
      id: idOf(insert),
      order: insert.order,
      claimedUntil: insert.idempotency?.expiresAt ?? null,
    })),
  );
  if (given.kind !== 'given') return given;
  const { sortKeys, write, firstChange } = given;
  const sorted = inserts.map((insert, index): SortedInsert => {
    const sortKey = sortKeys[index];
    if (sortKey === undefined) throw new Error('Fewer sort keys were given than asked for.');
    const { location, idempotency } = insert;
    return {
      insert,
      idempotency,
      document: toDocument(createdLocation({ ...location, id: idOf(insert) }, sortKey), {
        claimedUntil: idempotency?.expiresAt,
        change: firstChange + index,
      }),
    };
  });
  const { outcomes, fenced } = await storeSorted(writer, mapId, sorted, write, now);
  for (const { insert } of fenced) ids.set(insert, newLocationId(mapId));
  return outcomes;
}

/** Their claims, then the locations themselves. */
async function storeSorted(
  writer: Writer,
  mapId: string,
  sorted: readonly SortedInsert[],
  write: WriteIntent,
  now: number,
): Promise<{ readonly outcomes: Outcomes; readonly fenced: readonly SortedInsert[] }> {
  const { collections } = writer;
  const losers: ReadonlySet<SortedInsert> = await claim(collections, sorted.filter(isKeyed), now);
  const winners = sorted.filter((item) => !losers.has(item));
  const reserved = await reserve(
    writer,
    winners.map(({ document }) => document),
  );
  const refused = winners.filter(({ document }) => reserved.refused.has(document));
  for (const item of refused) if (isKeyed(item)) await takeBack(collections, item);
  const accepted = winners.filter((item) => !refused.includes(item));
  write.assertWithinLimit();
  reserved.assertWithinLimit();
  const { failure, fenced } = await insertDocuments(collections, mapId, accepted);
  const stored = failure === null ? accepted.filter((item) => !fenced.includes(item)) : [];
  const unstored = sorted.filter((item) => !stored.includes(item));
  write.done(unstored.map(({ document }) => document._id));
  const given = failure === null ? fenced : accepted;
  await reserved.takeBack(given.map(({ document }) => document));
  if (failure !== null) throw failure;
  const outcomes = new Map<LocationInsert, InsertOutcome>([
    ...refused.map(({ insert }) => [insert, { kind: 'external-id-taken' }] as const),
    ...stored.map(
      ({ insert, document }) => [insert, { kind: 'inserted', location: toLocation(document) }] as const,
    ),
  ]);
  return { outcomes, fenced };
}

function isKeyed(item: SortedInsert): item is SortedInsert & KeyedDocument {
  return item.idempotency !== null;
}

interface Inserted {
  /** Why nothing was stored; null where everything was that is not fenced. */
  readonly failure: Error | null;
  /** Those that came so late that others took their writer for dead (judge-changes.ts). */
  readonly fenced: readonly SortedInsert[];
}

/** @throws where it is not known what was stored */
async function insertDocuments(
  collections: Collections,
  mapId: string,
  items: readonly SortedInsert[],
): Promise<Inserted> {
  if (items.length === 0) return { failure: null, fenced: [] };
  try {
    const documents = await withIndexed(items.map(({ document }) => document));
    await collections.locations.insertMany(documents, { ordered: false });
    return { failure: null, fenced: [] };
  } catch (error) {
    const duplicates = duplicatesOf(error);
    if (duplicates === null || !(error instanceof Error)) throw error;
    const refused = new Set(duplicates.flatMap((index) => items[index] ?? []));
    const { stored, fenced } = await findStored(collections, mapId, refused);
    if (stored.size + fenced.length === refused.size) {
      for (const item of fenced) if (isKeyed(item)) await takeBack(collections, item);
      return { failure: null, fenced };
    }
    await undo(
      collections,
      mapId,
      items.filter((item) => !stored.has(item)),
      refused,
    );
    return { failure: error, fenced: [] };
  }
}

interface Refused {
  /** The items whose id is taken because a repetition has stored their very location, from its claim. */
  readonly stored: ReadonlySet<SortedInsert>;
  readonly fenced: readonly SortedInsert[];
}

async function findStored(
  { locations }: Collections,
  mapId: string,
  refused: ReadonlySet<SortedInsert>,
): Promise<Refused> {
  const found = await locations
    .find({ mapId, _id: { $in: [...refused].map(({ document }) => document._id) } })
    .project<LocationDocument | TombstoneDocument>(WITHOUT_INDEXED)
    .hint('_id_')
    .toArray();
  const byId = new Map(found.map((document) => [document._id, document]));
  const stored = [...refused].filter((item) => {
    const other = byId.get(item.document._id);
    if (other === undefined || !isKeyed(item)) return false;
    if (!isLive(other)) return !isFence(other);
    // By the number that it keeps: it may have been moved since.
    return sequenceOf(other.place) === sequenceOf(item.document.place);
  });
  const fenced = [...refused].filter((item) => {
    const other = byId.get(item.document._id);
    return other !== undefined && !isLive(other) && isFence(other);
  });
  return { stored: new Set(stored), fenced };
}

/** An id was used twice, which is a caller's mistake. The call fails, and nothing of it is left. */
async function undo(
  collections: Collections,
  mapId: string,
  items: readonly SortedInsert[],
  refused: ReadonlySet<SortedInsert>,
): Promise<void> {
  // First the claims, so that no repetition stores a location again.
  for (const item of items) if (isKeyed(item)) await takeBack(collections, item);
  const ids = items.filter((item) => !refused.has(item)).map(({ document }) => document._id);
  if (ids.length === 0) return;
  await collections.locations.deleteMany({ mapId, _id: { $in: ids } }, { hint: '_id_' });
}
