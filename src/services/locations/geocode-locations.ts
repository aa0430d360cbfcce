/** Geocodes locations again: after better data, a new provider, or a new area of the map. */

import { distanceBetween } from '../../domain/filter/distance.ts';
import { readAddress } from '../../domain/fields.ts';
import { isSameJson } from '../../domain/location-change.ts';
import type { LocationRecord } from '../../domain/location.ts';
import { toResult } from '../../domain/result.ts';
import type { ErrorCode } from '../../errors.ts';
import { ServiceError } from '../../errors.ts';
import { GEOCODING_PRECISIONS } from '../../geocoding/geocoder.ts';
import { mapConcurrently } from '../../lib/map-concurrently.ts';
import type { LocationUpdate, Storage } from '../../storage/storage.ts';
import { mapUnavailableError } from '../caller.ts';
import type { AuthorizedRequest, Locate, Located } from './locate.ts';

export const GEOCODE_OUTCOMES = ['changed', 'kept', 'unchanged', 'not_found', 'not_asked'] as const;

export type GeocodeOutcome = (typeof GEOCODE_OUTCOMES)[number];

export interface GeocodedAgain {
  /** As it is now. */
  readonly location: LocationRecord;
  readonly outcome: GeocodeOutcome;
  /** Its point before the call. */
  readonly before: Located;
  /** What the geocoder found; null if it found nothing or was not asked. */
  readonly after: Located | null;
  /** Why there is no result. */
  readonly error: ServiceError | null;
}

export interface GeocodeLocationsOptions {
  /** Keep a point of a better precision. */
  readonly onlyBetter: boolean;
  /** Also replace points that a person has set or checked. */
  readonly includeManual: boolean;
  /** Store nothing. */
  readonly dryRun: boolean;
}

export interface GeocodeLocationsParts {
  readonly storage: Storage;
  readonly locate: Locate;
  /** Addresses that are geocoded at once. */
  readonly concurrency: number;
  readonly clock: () => number;
}

/** Failures that concern one address. Every other failure ends the run. */
const OF_ADDRESS: ReadonlySet<ErrorCode> = new Set(['ADDRESS_NOT_FOUND', 'BAD_USER_INPUT']);

/** @returns one result for each location, in their order */
export async function geocodeLocations(
  request: AuthorizedRequest,
  locations: readonly LocationRecord[],
  options: GeocodeLocationsOptions,
  parts: GeocodeLocationsParts,
): Promise<readonly GeocodedAgain[]> {
  const { locate, concurrency } = parts;
  let end: ServiceError | null = null;
  const results = await mapConcurrently(locations, concurrency, async (location): Promise<GeocodedAgain> => {
    const before = pointOf(location);
    if (isSetByHand(location) && !options.includeManual) return keep(location);
    if (end !== null) return { location, outcome: 'not_asked', before, after: null, error: end };
    const address = toResult(() => readAddress(location.properties, request.map.fields));
    if (address instanceof ServiceError) {
      return { location, outcome: 'not_found', before, after: null, error: address };
    }
    try {
      const after = await locate(request, address);
      return { location, outcome: outcomeOf(before, after, options), before, after, error: null };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const isOfAddress = OF_ADDRESS.has(error.code);
      if (!isOfAddress) end ??= error;
      return { location, outcome: isOfAddress ? 'not_found' : 'not_asked', before, after: null, error };
    }
  });
  return options.dryRun ? results : store(request, results, options, parts);
}

function keep(location: LocationRecord): GeocodedAgain {
  return { location, outcome: 'kept', before: pointOf(location), after: null, error: null };
}

function isSetByHand({ geocoding }: LocationRecord): boolean {
  return geocoding.provider === 'manual' || geocoding.isChecked;
}

function pointOf({ placeId, latitude, longitude, geocoding }: LocationRecord): Located {
  return { placeId, latitude, longitude, geocoding };
}

function outcomeOf(
  before: Located,
  after: Located,
  { onlyBetter }: GeocodeLocationsOptions,
): 'changed' | 'kept' | 'unchanged' {
  if (
    isSameJson(
      { ...before, geocoding: { ...before.geocoding } },
      { ...after, geocoding: { ...after.geocoding } },
    )
  ) {
    return 'unchanged';
  }
  return onlyBetter && rankOf(before) < rankOf(after) ? 'kept' : 'changed';
}

/** 0 is the best; unknown ones are the worst. */
function rankOf({ geocoding }: Located): number {
  const rank = (GEOCODING_PRECISIONS as readonly string[]).indexOf(geocoding.precision);
  return rank === -1 ? GEOCODING_PRECISIONS.length : rank;
}

/** Stores what changed. A location that was changed meanwhile is judged again, as it is now. */
async function store(
  request: AuthorizedRequest,
  results: readonly GeocodedAgain[],
  options: GeocodeLocationsOptions,
  { storage, clock }: GeocodeLocationsParts,
): Promise<readonly GeocodedAgain[]> {
  const { map, scope } = request;
  const stored = new Map(results.map((result) => [result.location.id, result]));
  let pending = results.filter(({ outcome }) => outcome === 'changed');
  while (pending.length > 0) {
    const updates = pending.map((one) => toUpdate(one, clock()));
    const result = await storage.updateLocations(map.id, updates, scope);
    if (result.kind !== 'done') throw mapUnavailableError(result);
    const again: GeocodedAgain[] = [];
    for (const [index, one] of pending.entries()) {
      const outcome = result.outcomes[index];
      const { id } = one.location;
      if (outcome?.kind === 'updated') stored.set(id, { ...one, location: outcome.location });
      else if (outcome?.kind === 'changed') {
        const judged = judgeAgain(one, outcome.location, request, options);
        stored.set(id, judged);
        if (judged.outcome === 'changed') again.push(judged);
      } else stored.delete(id);
    }
    pending = again;
  }
  return [...stored.values()];
}

function judgeAgain(
  result: GeocodedAgain,
  location: LocationRecord,
  { map }: AuthorizedRequest,
  options: GeocodeLocationsOptions,
): GeocodedAgain {
  const addressOf = ({ properties }: LocationRecord) => toResult(() => readAddress(properties, map.fields));
  const isOutdated = addressOf(location) !== addressOf(result.location) || result.after === null;
  if (isOutdated || (isSetByHand(location) && !options.includeManual)) return keep(location);
  const before = pointOf(location);
  return { ...result, location, before, outcome: outcomeOf(before, result.after, options) };
}

function toUpdate({ location, after }: GeocodedAgain, now: number): LocationUpdate {
  if (after === null) throw new Error('Only a location with a new point is updated.');
  const { id, version, updatedAt, name, properties, externalId } = location;
  const values = { name, properties, externalId, ...after };
  return { id, version, updatedAt: Math.max(now, updatedAt), order: null, values };
}

/** Metres between the two points; null without a result. */
export function distanceOf({ before, after }: GeocodedAgain): number | null {
  return after === null ? null : distanceBetween(before, after);
}
