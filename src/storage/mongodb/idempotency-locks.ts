/**
 * Idempotency claims. A claim says which location was stored under a key, and is stored before the location. So whoever
 * finds a claim first makes sure that its location is stored.
 */

import { isKeyCounting } from '../../domain/idempotency.ts';
import type { IdempotencyScope, LocationInsert } from '../storage.ts';
import type { Collections } from './database.ts';
import type { ClaimDocument, LocationDocument } from './documents.ts';
import { reserve } from './external-ids.ts';
import { duplicatesOf } from './failures.ts';
import { withIndexed } from './search/indexed.ts';
import type { IntentRecorded } from './list-requests.ts';
import type { ListStates } from './list-state.ts';
import { sequenceOf } from './stored-sort-key.ts';

export type Idempotency = NonNullable<LocationInsert['idempotency']>;

/** A location that is to be stored under a key. */
export interface KeyedDocument {
  readonly document: LocationDocument;
  readonly idempotency: Idempotency;
}

/** What writing locations needs. */
export interface Writer {
  readonly collections: Collections;
  readonly lists: ListStates;
}

/** Claims by key, without those that have expired by `now`. Their locations are stored when this resolves. */
export async function findClaims(
  writer: Writer,
  { mapId, tokenId }: IdempotencyScope,
  keys: readonly string[],
  now: number,
): Promise<Map<string, ClaimDocument>> {
  if (keys.length === 0) return new Map();
  const found = await writer.collections.claims
    .find({ mapId: { $eq: mapId }, tokenId: { $eq: tokenId }, key: { $in: [...keys] } })
    .hint('claims_by_key')
    .toArray();
  const counting = found.filter(({ expiresAt }) => isKeyCounting(expiresAt.getTime(), now));
  const complete = await completeClaims(writer, mapId, counting);
  return new Map(complete.map((claim) => [claim.key, claim]));
}

/**
 * Stores the locations of a map's claims where a crash came between a claim and its location. A location that is there,
 * or that was deleted and left a tombstone, is passed over. A claim without its location was never answered; it is taken
 * back where another location has got the external id since, or where the location must not be stored any more.
 *
 * @returns the claims that are left
 */
export async function completeClaims(
  writer: Writer,
  mapId: string,
  claims: readonly ClaimDocument[],
): Promise<readonly ClaimDocument[]> {
  if (claims.length === 0) return claims;
  const { collections, lists } = writer;
  const present = await findPresent(collections, mapId, claims);
  const dead = new Set<ClaimDocument>();
  const missing: { readonly claim: ClaimDocument; readonly recorded: IntentRecorded }[] = [];
  for (const claim of claims) {
    const document = present.get(claim.location._id);
    if (document === undefined) {
      // As in insert.ts, a location is announced and its external id reserved before it is stored.
      const recorded = await lists.recordStoring(mapId, claim.location, claim.expiresAt.getTime());
      if (recorded.kind === 'recorded') missing.push({ claim, recorded });
      if (recorded.kind === 'fenced') dead.add(claim);
    } else if (document.place === undefined && document.fence !== undefined) {
      dead.add(claim);
    }
  }
  const reserved = await reserve(
    writer,
    missing.map(({ claim }) => claim.location),
  );
  for (const { claim, recorded } of missing) {
    const { write, firstChange } = recorded;
    const { location } = claim;
    if (reserved.refused.has(location)) {
      dead.add(claim);
      write.done([location._id]);
      continue;
    }
    write.assertWithinLimit();
    reserved.assertWithinLimit();
    const isStored = await insertMissing(collections, { ...withSequence(location), change: firstChange });
    write.done(isStored ? [] : [location._id]);
  }
  for (const { tokenId, key, location } of dead) {
    await removeClaim(collections, { mapId, tokenId, key, place: location.place });
  }
  return claims.filter((claim) => !dead.has(claim));
}

async function findPresent({ locations }: Collections, mapId: string, claims: readonly ClaimDocument[]) {
  const present = await locations
    .find({ mapId, _id: { $in: claims.map(({ location }) => location._id) } })
    .hint('_id_')
    .project<{ _id: string; place?: string; fence?: number }>({ place: 1, fence: 1 })
    .toArray();
  return new Map(present.map((document) => [document._id, document]));
}

/** @returns false where somebody else has stored it, from the same claim */
async function insertMissing({ locations }: Collections, document: LocationDocument): Promise<boolean> {
  try {
    await locations.insertMany(await withIndexed([document]), { ordered: false });
    return true;
  } catch (error) {
    if (duplicatesOf(error) === null) throw error;
    return false;
  }
}

/** A claim of the first version holds a location without one. */
function withSequence(location: LocationDocument): LocationDocument {
  return { ...location, sequence: sequenceOf(location.place) };
}

/**
 * Claims the keys of locations that are to be stored.
 *
 * @returns the items whose key somebody else has claimed
 */
export async function claim<T extends KeyedDocument>(
  { claims }: Collections,
  items: readonly T[],
  now: number,
): Promise<ReadonlySet<T>> {
  const insert = async (wanted: readonly T[]): Promise<T[]> => {
    if (wanted.length === 0) return [];
    try {
      await claims.insertMany(wanted.map(toClaim), { ordered: false });
      return [];
    } catch (error) {
      const duplicates = duplicatesOf(error);
      if (duplicates === null) throw error;
      return duplicates.flatMap((index) => wanted[index] ?? []);
    }
  };

  const taken = await insert(items);
  // A claim that has expired still holds the unique index. It is removed, and the key claimed once more.
  for (const [tokenId, own] of groupByToken(taken)) {
    const keys = own.map(({ idempotency }) => idempotency.key);
    await claims.deleteMany(
      { mapId: own[0]?.document.mapId, tokenId, key: { $in: keys }, expiresAt: { $lte: new Date(now) } },
      { hint: 'claims_by_key' },
    );
  }
  return new Set(await insert(taken));
}

/** Removes the claim of a location that could not be stored. */
export async function takeBack(
  { claims }: Collections,
  { document: { mapId, place }, idempotency: { tokenId, key } }: KeyedDocument,
): Promise<void> {
  await removeClaim({ claims }, { mapId, tokenId, key, place });
}

/** @param claim with the rank of its location: a later claim of the same key has another */
async function removeClaim(
  { claims }: Pick<Collections, 'claims'>,
  { place, ...claim }: Pick<ClaimDocument, 'mapId' | 'tokenId' | 'key'> & { readonly place: string },
): Promise<void> {
  await claims.deleteOne({ ...claim, 'location.place': place }, { hint: 'claims_by_key' });
}

function toClaim({
  document,
  idempotency: { tokenId, key, digest, expiresAt },
}: KeyedDocument): ClaimDocument {
  return {
    mapId: document.mapId,
    tokenId,
    key,
    digest,
    location: document,
    expiresAt: new Date(expiresAt),
  };
}

function groupByToken<T extends KeyedDocument>(items: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const { tokenId } = item.idempotency;
    const group = groups.get(tokenId);
    if (group === undefined) groups.set(tokenId, [item]);
    else group.push(item);
  }
  return groups;
}
