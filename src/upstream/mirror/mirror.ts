/**
 * Copies a map of another service that speaks /v0 into the store; later runs apply its changes. The external id of a
 * location is its id there.
 */

import type { JsonObject, JsonValue } from '../../domain/json/json.ts';
import { isDeeperThan, isJsonArray } from '../../domain/json/json.ts';
import { JsonText } from '../../domain/json/json-text.ts';
import { ServiceError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Upstream, UpstreamCall, UpstreamLocation } from '../upstream.ts';
import { operatorFor } from '../../services/operator.ts';
import type { Services } from '../../services/services.ts';
import type { ListPosition, ReadList } from '../services/location-list.ts';
import { listFrom, LIST_START } from '../services/location-list.ts';
import type { UpsertInput } from '../../services/locations/upsert-locations.ts';
import { chunksOf, deleteMissing, putInOrder, readMirrored } from './arrange.ts';
import { confirmMissing } from './confirm-missing.ts';
import type { MirroredMap } from './mirrored-map.ts';
import { openMirroredMap } from './mirrored-map.ts';
import { createRetry } from './retry.ts';

/** Locations per read and write: a page of /v0. */
const BATCH = 100;

export interface MirrorStore {
  readonly services: Services;
  readonly storage: Storage;
}

export interface MirrorSource {
  readonly upstream: Upstream;
  readonly token: string;
  /** Base URL of the service; identifies the map together with its id. */
  readonly address: string;
  readonly mapId: string;
}

export interface MirrorProgress {
  readonly read: number;
}

export interface RejectedLocation {
  /** The upstream's id. */
  readonly id: string;
  readonly name: string;
  readonly error: ServiceError;
}

export interface MirrorOptions {
  /** Owner of the map; null for its current owner, or {@link DEFAULT_OWNER} for a new map. */
  readonly owner: string | null;
  /** Locations that one call may write, move or delete. */
  readonly maxBulk: number;
  /** Called before the first location is written. */
  readonly onBegin?: (map: MirroredMap) => void;
  readonly onProgress?: (progress: MirrorProgress) => void;
  readonly onRejected?: (location: RejectedLocation) => void;
  /** Aborts the run: written locations stay, and nothing is deleted. */
  readonly signal?: AbortSignal;
}

export interface MirrorResult extends MirroredMap {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  /** Locations whose integers beyond ±(2^53 - 1) are stored as strings of their digits. */
  readonly numbersAsText: number;
  readonly moved: number;
  readonly deleted: number;
  /** Locations without an external id, which were created here and stay. */
  readonly own: number;
}

/**
 * @throws ServiceError of the upstream or the store; BAD_USER_INPUT if the map cannot be stored here, or belongs to another
 *   owner; the signal's reason
 */
export async function mirrorMap(
  { services, storage }: MirrorStore,
  source: MirrorSource,
  options: MirrorOptions,
): Promise<MirrorResult> {
  const { upstream, token, mapId } = source;
  const { signal } = options;
  const call: UpstreamCall = { token, signal };
  const retry = createRetry(signal);
  const shown = await retry(() => upstream.getMap(call, mapId));
  const map = await openMirroredMap({ services, storage }, source, shown, options.owner);
  options.onBegin?.(map);
  const scope = services.history.beginCall({ caller: operatorFor(map.owner), signal }, 'mirror');

  const counts = { created: 0, updated: 0, unchanged: 0 };
  let rejected = 0;
  let numbersAsText = 0;
  /** The upstream's ids, in list order. */
  const listed = new Set<string>();
  const write = async (locations: readonly UpstreamLocation[]) => {
    const { results } = await services.locationBatches.upsertLocations(scope, map.id, locations.map(inputOf));
    for (const [index, result] of results.entries()) {
      const { id = '', name = '', properties = {} } = locations[index] ?? {};
      if (!(result instanceof ServiceError)) {
        counts[result.outcome] += 1;
        if (hasTextIntegers(properties)) numbersAsText += 1;
      } else if (result.code === 'STORAGE_UNAVAILABLE') throw result;
      else {
        rejected += 1;
        options.onRejected?.({ id, name, error: result });
      }
    }
  };
  const size = Math.min(BATCH, options.maxBulk);
  const readPage: ReadList = (query, limit) => retry(() => upstream.listLocations(call, mapId, query, limit));
  for await (const page of pagesOf(readPage, size)) {
    // A location that was moved while the list was read may be listed twice.
    const fresh = page.filter(({ id }) => !listed.has(id));
    for (const { id } of fresh) listed.add(id);
    if (fresh.length > 0) await write(fresh);
    options.onProgress?.({ read: listed.size });
    signal?.throwIfAborted();
  }

  const arranging = { services, scope, mapId: map.id, maxBulk: options.maxBulk };
  const { own, unlisted, kept } = await readMirrored(storage, map.id, listed);
  const { missing, found } = await confirmMissing(upstream, call, mapId, unlisted);
  signal?.throwIfAborted();
  // Their positions are unknown, so they do not move until the next run.
  for (const some of chunksOf(found, size)) await write(some);
  await deleteMissing(arranging, missing);
  const moved = await putInOrder(arranging, kept, listed);
  return { ...map, ...counts, rejected, numbersAsText, moved, deleted: missing.length, own };
}

/** Reads the whole list; fails if the upstream does not show how it continues. */
async function* pagesOf(read: ReadList, size: number): AsyncGenerator<readonly UpstreamLocation[]> {
  let position: ListPosition | null = LIST_START;
  while (position !== null) {
    const page = await listFrom(read, position, size);
    if (page.items.length > 0) yield page.items.map(({ location }) => location);
    position = (await page.isMore()) ? (page.items.at(-1)?.position ?? null) : null;
  }
}

function inputOf({ id, properties, latitude, longitude, placeId }: UpstreamLocation): UpsertInput {
  const position = { latitude, longitude, placeId: placeId.trim() === '' ? null : placeId };
  const fields = hasTextIntegers(properties) ? (withDigits(properties) as JsonObject) : properties;
  return { externalId: id, fields, position };
}

/** No store accepts more levels, and recursion needs a bound. */
const MAX_DEPTH = 1_000;

/** Whether there are integers that stores cannot keep as numbers. */
function hasTextIntegers(properties: JsonObject): boolean {
  return !isDeeperThan(properties, MAX_DEPTH) && isOrHasText(properties);
}

function isOrHasText(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof JsonText || Object.values(value).some(isOrHasText);
}

/** Replaces such integers by strings of their digits. */
function withDigits(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof JsonText) return value.text;
  if (isJsonArray(value)) return value.map(withDigits);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withDigits(member)]));
}
