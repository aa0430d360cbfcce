/** Says what a create or an upsert would do, without geocoding or storing anything. */

import { externalIdTaken, isExternalId } from '../../domain/external-id.ts';
import type { FieldLimits } from '../../domain/fields.ts';
import type { LocationRecord } from '../../domain/location.ts';
import { ServiceError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import { yieldIfDue } from '../../lib/cooperative-scheduler.ts';
import { asServiceError } from '../../domain/result.ts';
import type { AuthorizedRequest } from './authorized-request.ts';
import { checkPatch, planUpdate } from './location-patch.ts';
import type { LocationInput } from './new-location.ts';
import { checkInput } from './new-location.ts';
import type { UpsertOutcome } from './upsert-locations.ts';
import { externalIdRepeated } from './upsert-locations.ts';

export type ReviewResult = UpsertOutcome | ServiceError;

export interface LocationReviewerOptions {
  readonly storage: Storage;
  readonly clock: () => number;
  readonly fieldLimits: FieldLimits;
}

/** Thrown in place of geocoding: the location's point would change. */
class WouldGeocode extends Error {}

const locate = () => Promise.reject(new WouldGeocode());

export class LocationReviewer {
  readonly #options: LocationReviewerOptions;

  constructor(options: LocationReviewerOptions) {
    this.#options = options;
  }

  /** @returns one result for each input, each judged by itself */
  async review(
    request: AuthorizedRequest,
    inputs: readonly LocationInput[],
    isUpsert: boolean,
  ): Promise<readonly ReviewResult[]> {
    const { map, scope } = request;
    const wanted = inputs.flatMap(({ externalId }) =>
      externalId && isExternalId(externalId) ? [externalId] : [],
    );
    const found = await this.#options.storage.findLocationsByExternalIds(map.id, wanted, scope);
    const byExternalId = new Map(found.map((location, index) => [wanted[index], location]));
    const results: ReviewResult[] = [];
    for (const input of inputs) {
      const pause = results.length > 0 ? yieldIfDue() : undefined;
      if (pause !== undefined) await pause;
      const current = byExternalId.get(input.externalId ?? undefined) ?? null;
      results.push(await this.#reviewOne(request, current, input, isUpsert).catch(asServiceError));
    }
    return results;
  }

  /** As {@link review}, for the inputs of one call: repeated external ids fail. */
  async reviewCall(
    request: AuthorizedRequest,
    inputs: readonly LocationInput[],
    isUpsert: boolean,
  ): Promise<readonly ReviewResult[]> {
    return refuseRepeated(inputs, await this.review(request, inputs, isUpsert), isUpsert);
  }

  async #reviewOne(
    request: AuthorizedRequest,
    current: LocationRecord | null,
    input: LocationInput,
    isUpsert: boolean,
  ): Promise<UpsertOutcome> {
    const { fieldLimits } = this.#options;
    if (current !== null && isUpsert) {
      checkPatch(input, fieldLimits);
      return this.#reviewChange(request, current, input);
    }
    checkInput(request.map, input, fieldLimits);
    if (current !== null) throw externalIdTaken();
    return 'created';
  }

  async #reviewChange(
    request: AuthorizedRequest,
    current: LocationRecord,
    { fields, order, position }: LocationInput,
  ): Promise<UpsertOutcome> {
    const patch = { fields, fieldsMode: 'replace', order, position: position ?? undefined } as const;
    const update = await planUpdate(request, current, patch, { ...this.#options, locate }).catch(
      (error: unknown) => {
        if (error instanceof WouldGeocode) return error;
        throw error;
      },
    );
    return update === null ? 'unchanged' : 'updated';
  }
}

/** Of inputs with one external id, only the first counts; for a create, the first that would be stored. */
function refuseRepeated(
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
