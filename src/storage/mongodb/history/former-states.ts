/**
 * Former states of locations. A state is stored before the statement that replaces it: without a transaction, a crash
 * leaves a change with its former state, or a state that does not count. Each attempt of a call to replace a version has its
 * own document, so attempts never disturb each other. A document counts if its call made the next version, which the
 * location, its document in the trash, or the document of the next version tells (`call`, `madeBy`). Those that do not
 * count are removed with age, as others are.
 *
 * A location's present version has no document here. In the trash it has its last state itself (trash.ts).
 */

import type { VersionHit } from '../../search.ts';
import type { WriteCall } from '../../storage.ts';
import { duplicatesOf } from '../errors.ts';
import type { LocationDocument, StoredLocation } from '../locations/location-records.ts';
import { isLive, isTrash, toState } from '../locations/location-records.ts';
import type { Collections, VersionDocument } from '../schema.ts';

/** A location's versions beyond the limit of a call are removed every so many versions. */
const EXCESS_EVERY = 16;

/** Stores the states of locations that the call is about to change. */
export async function keepVersions(
  { versions }: Pick<Collections, 'versions'>,
  call: WriteCall | undefined,
  locations: readonly LocationDocument[],
): Promise<void> {
  await insertVersions({ versions }, formerStates(call, locations));
}

/** The documents of the states of locations that the call is about to change. None if it keeps none. */
export function formerStates(
  call: WriteCall | undefined,
  locations: readonly LocationDocument[],
): readonly VersionDocument[] {
  if (call === undefined || call.mostVersions === 0) return [];
  return locations.map((location) => ({
    _id: versionId({ id: location._id, version: location.version ?? 1 }, call.id),
    mapId: location.mapId,
    state: toState(location),
    madeBy: location.call,
  }));
}

/** Skips those that are stored already: the same version of a location always has the same state. */
export async function insertVersions(
  { versions }: Pick<Collections, 'versions'>,
  documents: readonly VersionDocument[],
): Promise<void> {
  if (documents.length === 0) return;
  try {
    await versions.insertMany([...documents], { ordered: false });
  } catch (error) {
    if (duplicatesOf(error) === null) throw error;
  }
}

/** Removes versions that are over the call's limit. @param replaced the states that it has just replaced */
export async function removeExcessVersions(
  { versions }: Pick<Collections, 'versions'>,
  call: WriteCall | undefined,
  replaced: readonly LocationDocument[],
): Promise<void> {
  if (call === undefined || call.mostVersions === 0) return;
  const { mostVersions } = call;
  const due = replaced.flatMap(({ _id: id, mapId, version = 1 }) =>
    version > mostVersions && version % EXCESS_EVERY === 0
      ? [
          {
            mapId,
            _id: {
              $gte: versionId({ id, version: 0 }),
              $lt: versionId({ id, version: version - mostVersions + 1 }),
            },
          },
        ]
      : [],
  );
  if (due.length === 0) return;
  await versions.bulkWrite(
    due.map((filter) => ({ deleteMany: { filter } })),
    { ordered: false },
  );
}

/** Removes all versions of locations that no longer exist. @returns the number of documents */
export async function removeVersions(
  { versions }: Pick<Collections, 'versions'>,
  locations: readonly { readonly mapId: string; readonly id: string }[],
): Promise<number> {
  if (locations.length === 0) return 0;
  const { deletedCount } = await versions.bulkWrite(
    locations.map(({ mapId, id }) => ({ deleteMany: { filter: { mapId, _id: versionsOf(id) } } })),
    { ordered: false },
  );
  return deletedCount;
}

const VERSION_DIGITS = 10;

/** Sorts by location, then by version. Without a call it sorts before those with one. */
export function versionId({ id, version }: VersionHit, callId = ''): string {
  return `${id} ${String(version).padStart(VERSION_DIGITS, '0')} ${callId}`;
}

/** A condition for `_id`. */
export function versionsOf(locationId: string) {
  // The next character after the space.
  return { $gt: `${locationId} `, $lt: `${locationId}!` };
}

export interface VersionKey extends VersionHit {
  readonly replacedBy: string;
}

export function keyOf({ _id }: Pick<VersionDocument, '_id'>): VersionKey {
  const [id = '', version = '', replacedBy = ''] = _id.split(' ', 3);
  return { id, version: Number(version), replacedBy };
}

/** The present version of a location, or its last one in the trash. */
export interface Head {
  readonly version: number;
  /** `call` of the location. */
  readonly madeBy: string | undefined;
}

/** Null for a tombstone. */
export function headOf(document: StoredLocation): Head | null {
  if (isTrash(document)) return headOf(document.trash.location);
  return isLive(document) ? { version: document.version ?? 1, madeBy: document.call } : null;
}

/**
 * Tells which documents of one location count.
 *
 * @param head the location; null if it no longer exists: then none counts
 */
export class CountingVersions {
  readonly #head: Head | null;
  /** The calls that made the versions, as far as they are known. */
  readonly #madeBy = new Map<number, string>();
  #last = 0;

  constructor(head: Head | null) {
    this.#head = head;
    if (head !== null) this.#learn(head.version, head.madeBy);
  }

  /** @param document the documents must come in descending order */
  counts(document: Pick<VersionDocument, '_id' | 'madeBy'>): boolean {
    const { version, replacedBy } = keyOf(document);
    // It is true even if the document does not count.
    this.#learn(version, document.madeBy);
    if (this.#head === null || version >= this.#head.version || version === this.#last) return false;
    const next = this.#madeBy.get(version + 1);
    if (next !== undefined && next !== replacedBy) return false;
    this.#last = version;
    return true;
  }

  #learn(version: number, madeBy: string | undefined): void {
    if (madeBy !== undefined) this.#madeBy.set(version, madeBy);
  }
}
