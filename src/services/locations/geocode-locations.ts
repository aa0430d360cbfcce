/** Geocodes locations again: after better data, a new provider, or a new area of the map. */

import { distanceBetween } from '../../domain/filter/distance.ts';
import { readAddress } from '../../domain/fields.ts';
import type { LocationRecord } from '../../domain/location.ts';
import { toResult } from '../../domain/result.ts';
import type { ErrorCode } from '../../errors.ts';
import { ServiceError } from '../../errors.ts';
import { GEOCODING_PRECISIONS } from '../../geocoding/geocoder.ts';
import { mapConcurrently } from '../../lib/map-concurrently.ts';
import type { Storage } from '../../storage/storage.ts';
import type { AuthorizedRequest } from './authorized-request.ts';
import type { Locate, Located } from './locate.ts';
import { isSamePoint, pointOf } from './locate.ts';
import { updateOf, writeUpdates } from './write-updates.ts';

export type GeocodeOutcome = 'changed' | 'kept' | 'unchanged' | 'not_found' | 'not_asked';

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

function outcomeOf(
  before: Located,
  after: Located,
  { onlyBetter }: GeocodeLocationsOptions,
): 'changed' | 'kept' | 'unchanged' {
  if (isSamePoint(before, after)) return 'unchanged';
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
  const judged = new Map(results.map((result) => [result.location.id, result]));
  const { current } = await writeUpdates(
    storage,
    request,
    results.map(({ location }) => location),
    (location) => {
      const result = judged.get(location.id);
      if (result === undefined) return null;
      const now = location === result.location ? result : judgeAgain(result, location, request, options);
      judged.set(location.id, now);
      return now.outcome === 'changed' && now.after !== null ? updateOf(location, now.after, clock()) : null;
    },
  );
  return [...judged.values()].flatMap((result) => {
    const location = current.get(result.location.id);
    return location === undefined ? [] : [{ ...result, location }];
  });
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

/** Metres between the two points; null without a result. */
export function distanceOf({ before, after }: GeocodedAgain): number | null {
  return after === null ? null : distanceBetween(before, after);
}
