/** What became of one of several locations, or what would become of it, as the mutations' payloads show it. */

import { ServiceError } from '../errors.ts';
import type { LocationResult } from '../services/locations/location-service.ts';
import type { ReviewResult } from '../services/locations/review-locations.ts';
import type { UpsertResult } from '../services/locations/upsert-locations.ts';
import type { CreateLocationsResultSource, UpsertLocationsResultSource } from './sources.ts';

export function toCreateResult(result: LocationResult): CreateLocationsResultSource {
  return result instanceof ServiceError
    ? { location: null, error: toError(result) }
    : { location: result, error: null };
}

export function toUpsertResult(result: UpsertResult): UpsertLocationsResultSource {
  return result instanceof ServiceError
    ? { location: null, outcome: null, error: toError(result) }
    : { ...result, error: null };
}

/** Of a dry run. */
export function toTriedResult(result: ReviewResult): UpsertLocationsResultSource {
  return result instanceof ServiceError
    ? { location: null, outcome: null, error: toError(result) }
    : { location: null, outcome: result, error: null };
}

function toError({ code, message }: ServiceError) {
  return { code, message };
}
