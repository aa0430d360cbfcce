/** Says what a creation or an upsert would do, without geocoding or storing anything. */

import { externalIdTaken, isExternalId } from '../../domain/external-id.ts';
import type { FieldLimits } from '../../domain/fields.ts';
import type { LocationRecord } from '../../domain/location.ts';
import type { MapRecord } from '../../domain/map.ts';
import { badUserInput, ServiceError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import { yieldIfDue } from '../../lib/cooperative-scheduler.ts';
import { authorize } from '../authorization.ts';
import { asServiceError } from '../../domain/result.ts';
import type { AuthorizedRequest } from './locate.ts';
import { checkPatch, planUpdate } from './location-patch.ts';
import type { LocationInput } from './new-location.ts';
import { checkInput } from './new-location.ts';
import type { Scope } from '../scope.ts';
import type { UpsertOutcome } from './upsert-locations.ts';
import { externalIdRepeated } from './upsert-locations.ts';

export type ReviewResult = UpsertOutcome | ServiceError;

export interface LocationReviewing {
  /**
   * Whether an address is known to the geocoder stays open.
   *
   * @param isUpsert whether a location that has the external id would be changed
   * @throws ServiceError for what concerns all of them: the scope, the map, the store
   */
  reviewLocations(
    scope: Scope,
    mapId: string,
    inputs: readonly LocationInput[],
    isUpsert: boolean,
  ): Promise<readonly ReviewResult[]>;
  /**
   * As {@link reviewLocations}, for inputs that come in one call.
   *
   * @throws ServiceError for what concerns all of them, their number too
   */
  tryLocations(
    scope: Scope,
    mapId: string,
    inputs: readonly LocationInput[],
    isUpsert: boolean,
  ): Promise<{ map: MapRecord; results: readonly ReviewResult[] }>;
}

export interface LocationReviewingOptions {
  readonly storage: Storage;
  readonly clock: () => number;
  readonly fieldLimits: FieldLimits;
  /** How many locations one call may have. */
  readonly maxBulk: number;
}

/** Thrown where a geocoder would be asked: the location would get another point. */
class WouldGeocode extends Error {}

const locate = () => Promise.reject(new WouldGeocode());

export function createLocationReviewing({
  storage,
  clock,
  fieldLimits,
  maxBulk,
}: LocationReviewingOptions): LocationReviewing {
  const reviewChange = async (
    request: AuthorizedRequest,
    current: LocationRecord,
    { fields, order, position }: LocationInput,
  ): Promise<UpsertOutcome> => {
    const patch = { fields, fieldsMode: 'replace', order, position: position ?? undefined } as const;
    const update = await planUpdate(request, current, patch, { locate, clock, fieldLimits }).catch(
      (error: unknown) => {
        if (error instanceof WouldGeocode) return error;
        throw error;
      },
    );
    return update === null ? 'unchanged' : 'updated';
  };

  const review = async (
    request: AuthorizedRequest,
    current: LocationRecord | null,
    input: LocationInput,
    isUpsert: boolean,
  ): Promise<UpsertOutcome> => {
    if (current !== null && isUpsert) {
      checkPatch(input, fieldLimits);
      return reviewChange(request, current, input);
    }
    checkInput(request.map, input, fieldLimits);
    if (current !== null) throw externalIdTaken();
    return 'created';
  };

  const reviewAll = async (
    request: AuthorizedRequest,
    inputs: readonly LocationInput[],
    isUpsert: boolean,
  ): Promise<readonly ReviewResult[]> => {
    const { map, scope } = request;
    const wanted = inputs.flatMap(({ externalId }) =>
      externalId && isExternalId(externalId) ? [externalId] : [],
    );
    const found = await storage.findLocationsByExternalIds(map.id, wanted, scope);
    const byExternalId = new Map(found.map((location, index) => [wanted[index], location]));
    const results: ReviewResult[] = [];
    for (const input of inputs) {
      const pause = results.length > 0 ? yieldIfDue() : undefined;
      if (pause !== undefined) await pause;
      const current = byExternalId.get(input.externalId ?? undefined) ?? null;
      results.push(await review(request, current, input, isUpsert).catch(asServiceError));
    }
    return results;
  };

  return {
    async reviewLocations(scope, mapId, inputs, isUpsert) {
      const authorization = await authorize(storage, scope, mapId, { scope: 'write' });
      return reviewAll({ ...authorization, scope }, inputs, isUpsert);
    },

    async tryLocations(scope, mapId, inputs, isUpsert) {
      const authorization = await authorize(storage, scope, mapId, { scope: 'write' });
      if (inputs.length < 1 || inputs.length > maxBulk) {
        throw badUserInput(`locations has ${inputs.length} items; 1 to ${maxBulk} are allowed.`);
      }
      const results = await reviewAll({ ...authorization, scope }, inputs, isUpsert);
      return { map: authorization.map, results: withRepeated(inputs, results, isUpsert) };
    },
  };
}

/** Of several inputs with one external id only the first counts that would be stored, or for an upsert the first. */
function withRepeated(
  inputs: readonly LocationInput[],
  results: readonly ReviewResult[],
  isUpsert: boolean,
): readonly ReviewResult[] {
  const first = new Map<string, number>();
  return results.map((result, index) => {
    const externalId = inputs[index]?.externalId ?? null;
    if (externalId === null) return result;
    const earlier = first.get(externalId);
    if (earlier !== undefined) return isUpsert ? externalIdRepeated(earlier) : externalIdTaken();
    if (isUpsert || !(result instanceof ServiceError)) first.set(externalId, index);
    return result;
  });
}
