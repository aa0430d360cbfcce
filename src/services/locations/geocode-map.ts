/**
 * Geocodes a whole map again, batch by batch. The store keeps the position after each batch, so that a run that was killed or
 * that a quota has ended goes on from there. What it repeats then, a part of one batch, comes from the cache of geocodes.
 */

import { randomUUID } from 'node:crypto';

import { newHistoryId } from '../../domain/ids.ts';
import type { LocationFilter } from '../../domain/filter/location-filter.ts';
import type { SearchSortKey } from '../../domain/filter/location-order.ts';
import { LIST_ORDER } from '../../domain/filter/location-order.ts';
import type { SearchHit } from '../../domain/filter/location-search.ts';
import { searchedMap } from '../../domain/filter/location-search.ts';
import type { MapRecord } from '../../domain/map.ts';
import type { ServiceError } from '../../errors.ts';
import { OperatorError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import type { HistoryService } from '../history/history-service.ts';
import type { Scope } from '../scope.ts';
import type { GeocodedAgain, GeocodeLocationsOptions } from './geocode-locations.ts';
import type { GeocodingService } from './geocoding-service.ts';

/** Locations of the first batch. */
const FIRST_BATCH = 20;
const MIN_BATCH = 5;
/** A batch should take about as long: less repeats more often, more loses more when the process is killed. */
const BATCH_MS = 1_000;

/** A rate limit and a short failure are waited for; the quota of a day is not. */
const MAX_WAIT_SECONDS = 120;
/** Waits in a row without a response. */
const MAX_WAITS = 3;

export interface GeocodeMapRequest {
  readonly storage: Storage;
  readonly geocoding: Pick<GeocodingService, 'geocodeLocations'>;
  readonly history: Pick<HistoryService, 'beginCall'>;
  readonly scope: Scope;
  readonly map: MapRecord;
  readonly filter: LocationFilter;
  /** Names the filter and the geocoder: a run with another name starts anew. */
  readonly name: string;
  readonly isDryRun: boolean;
  /** Starts with the first location, even if an earlier run ended early. */
  readonly restart: boolean;
  /** Locations that a batch may have. */
  readonly maxBatch: number;
  /** Ends the run after the current batch. */
  readonly stop: AbortSignal;
  /** Milliseconds. */
  readonly clock: () => number;
  /** Resolves after the milliseconds, or when `stop` aborts. */
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly onBegin: (begun: { readonly resumed: SavedPosition | null; readonly total: number }) => void;
  readonly onBatch: (done: number, results: readonly GeocodedAgain[]) => void;
}

export interface SavedPosition {
  /** Locations before it that the filter matched. */
  readonly done: number;
  /** Locations that the filter matched when the run began. */
  readonly total: number;
  /** Milliseconds since the epoch. */
  readonly savedAt: number;
}

interface SavedRun extends SavedPosition {
  readonly id: string;
  /** Its change in the history, over all its runs; absent in a run that an earlier release has saved. */
  readonly historyId?: string;
  readonly after: SearchSortKey | null;
}

export type GeocodeMapEnd =
  | { readonly kind: 'complete' }
  | { readonly kind: 'stopped' }
  /** A quota or the geocoder ended the run. */
  | { readonly kind: 'ended'; readonly error: ServiceError; readonly locationId: string };

/** Another process geocodes the same map with the same filter. */
export class GeocodingUnderWayError extends OperatorError {
  constructor() {
    super('Another process is geocoding the same locations of this map, so this one stops.');
  }
}

const OPTIONS: Omit<GeocodeLocationsOptions, 'dryRun'> = { onlyBetter: true, includeManual: false };

/** @throws ServiceError GEOCODER_REFUSED; GeocodingUnderWayError */
export async function geocodeMap(request: GeocodeMapRequest): Promise<GeocodeMapEnd> {
  const { geocoding, map, isDryRun, stop, clock } = request;
  const run = await openRun(request);
  const scope = request.history.beginCall(request.scope, 'geocode', run.historyId);
  let { done, after } = run.position;
  let size = Math.min(FIRST_BATCH, request.maxBatch);
  let waits = 0;
  for (;;) {
    if (stop.aborted) return { kind: 'stopped' };
    const hits = await findBatch(request, after, size);
    if (hits.length === 0) break;
    const startedAt = clock();
    const ids = hits.map(({ location }) => location.id);
    const { results } = await geocoding.geocodeLocations(
      scope,
      map.id,
      { ids },
      { ...OPTIONS, dryRun: isDryRun },
    );
    const unasked = results.find(({ outcome }) => outcome === 'not_asked');
    const asked = unasked === undefined ? hits : hits.slice(0, ids.indexOf(unasked.location.id));
    done += asked.length;
    after = asked.at(-1)?.key ?? after;
    await run.save({ done, after });
    request.onBatch(done, results);
    if (unasked !== undefined && unasked.error !== null) {
      waits = asked.length > 0 ? 1 : waits + 1;
      const seconds = secondsToWait(unasked.error);
      if (seconds === null || waits > MAX_WAITS) {
        return { kind: 'ended', error: unasked.error, locationId: unasked.location.id };
      }
      await request.wait(seconds * 1_000);
      continue;
    }
    size = nextSize(size, clock() - startedAt, request.maxBatch);
  }
  await run.finish();
  return { kind: 'complete' };
}

function findBatch(
  { storage, map, filter, scope }: GeocodeMapRequest,
  after: SearchSortKey | null,
  limit: number,
): Promise<readonly SearchHit[]> {
  const search = { maps: [searchedMap(map)], filter, order: LIST_ORDER };
  return storage.findLocations(search, { limit, fromEnd: false, after, before: null }, scope);
}

/** Null if waiting does not help soon. */
function secondsToWait({ code, retryAfterSeconds = Infinity }: ServiceError): number | null {
  const isPassing = code === 'RATE_LIMITED' || code === 'GEOCODER_UNAVAILABLE';
  return isPassing && retryAfterSeconds <= MAX_WAIT_SECONDS ? retryAfterSeconds : null;
}

function nextSize(size: number, elapsedMs: number, max: number): number {
  const factor = Math.min(2, Math.max(0.5, BATCH_MS / Math.max(1, elapsedMs)));
  return Math.min(max, Math.max(MIN_BATCH, Math.round(size * factor)));
}

interface Run {
  readonly historyId: string;
  readonly position: Pick<SavedRun, 'done' | 'after'>;
  save(position: Pick<SavedRun, 'done' | 'after'>): Promise<void>;
  finish(): Promise<void>;
}

async function openRun({ storage, map, filter, name, ...request }: GeocodeMapRequest): Promise<Run> {
  const key = `geocode ${map.id} ${name}`;
  const earlier = request.isDryRun || request.restart ? null : parse(await storage.getMeta(key));
  const total = earlier?.total ?? (await storage.countMatches({ maps: [map], filter }, request.scope));
  const id = randomUUID();
  const { historyId = newHistoryId(Date.now()) } = earlier ?? {};
  const write = (position: Pick<SavedRun, 'done' | 'after'>) =>
    storage.setMeta(
      key,
      JSON.stringify({ ...position, id, historyId, total, savedAt: Date.now() } satisfies SavedRun),
    );
  const position = { done: earlier?.done ?? 0, after: earlier?.after ?? null };
  request.onBegin({ resumed: earlier, total });
  if (request.isDryRun) return { historyId, position, save: async () => {}, finish: async () => {} };
  await write(position);
  return {
    historyId,
    position,
    async save(next) {
      // The later process goes on.
      if (parse(await storage.getMeta(key))?.id !== id) throw new GeocodingUnderWayError();
      await write(next);
    },
    finish: () => storage.removeMeta(key),
  };
}

function parse(value: string | null): SavedRun | null {
  return value === null ? null : (JSON.parse(value) as SavedRun);
}
