/** Many locations in one call, each with its own result: created, upserted, or tried without storing anything. */

import type { MapRecord } from '../../domain/map.ts';
import { ServiceError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import type { WriteAudit } from '../audit/audit.ts';
import { codeOf, ok } from '../audit/audit.ts';
import type { WrittenMap } from '../history/calls.ts';
import { continueCall, historyIdOf } from '../history/calls.ts';
import type { Scope } from '../scope.ts';
import type { AuthorizedRequest } from './authorized-request.ts';
import { authorizeEditor } from './authorized-request.ts';
import type { Created } from './create-locations.ts';
import { LocationCreator } from './create-locations.ts';
import type { KeyedCall } from './idempotency.ts';
import { keyedCall } from './idempotency.ts';
import type { KeyedCalls } from './keyed-calls.ts';
import { concurrencyOf, createLocate } from './locate.ts';
import type { LocationServiceOptions } from './location-service.ts';
import { assertBulk } from './location-targets.ts';
import type { LocationInput } from './new-location.ts';
import type { ReviewResult } from './review-locations.ts';
import { LocationReviewer } from './review-locations.ts';
import type { UpsertInput, UpsertResult } from './upsert-locations.ts';
import { LocationUpserter } from './upsert-locations.ts';

/** Every write is audited. */
export class LocationBatchService {
  readonly #storage: Storage;
  readonly #audit: WriteAudit;
  readonly #maxBulk: number;
  readonly #keyedCalls: KeyedCalls;
  readonly #creator: LocationCreator;
  readonly #upserter: LocationUpserter;
  readonly #reviewer: LocationReviewer;

  constructor(options: LocationServiceOptions) {
    this.#storage = options.storage;
    this.#audit = options.audit;
    this.#maxBulk = options.maxBulk;
    this.#keyedCalls = options.keyedCalls;
    const locating = { locate: createLocate(options), concurrency: concurrencyOf(options.geocoder) };
    this.#creator = new LocationCreator({ ...options, ...locating });
    this.#upserter = new LocationUpserter({ ...options, ...locating });
    this.#reviewer = new LocationReviewer(options);
  }

  /**
   * Stores all valid locations, in the order given.
   *
   * @param historyId goes on with an earlier call, so that an import in parts is one change of the history
   * @param idempotencyKey of the whole call
   * @throws ServiceError for what concerns all of them: the scope, the map, their number, the store; CallerGoneError,
   *   only before anything is stored
   */
  createLocations(
    scope: Scope,
    mapId: string,
    inputs: readonly LocationInput[],
    historyId: string | null = null,
    idempotencyKey: string | null = null,
  ): Promise<WrittenMap & Created> {
    const done = (created: Created) => createdOutcome(mapId, created);
    const audited = { operation: 'createLocations', subject: { mapId, ids: [] }, done };
    return this.#audit.run(scope, audited, async (called) => {
      const request = await authorizeEditor(this.#storage, called, mapId);
      assertBulk('locations', inputs, this.#maxBulk);
      const call = idempotencyKey === null ? null : keyedCall(idempotencyKey, inputs);
      return this.#keyedCalls.runRepeatable(request, idempotencyKey, {
        operation: audited.operation,
        content: call?.digest,
        run: async (keyed) => this.#create(await this.#continue(keyed, historyId), inputs, call),
        hasStored: ({ results }) => results.some((result) => !(result instanceof ServiceError)),
      });
    });
  }

  async #create(
    request: AuthorizedRequest,
    inputs: readonly LocationInput[],
    call: KeyedCall | null,
  ): Promise<WrittenMap & Created> {
    const created = await this.#creator.create(request, inputs, call);
    const { results, replayed } = created;
    const hasChanged = results.some(
      (result, index) => !(result instanceof ServiceError || replayed.has(index)),
    );
    return { map: request.map, historyId: historyIdOf(request.scope, hasChanged), ...created };
  }

  /**
   * Creates or replaces locations by their external ids. Writes all valid ones; new ones without an order are appended
   * in the order given.
   *
   * @param historyId as of {@link createLocations}
   * @throws ServiceError for what concerns all of them: the scope, the map, their number, the store
   */
  upsertLocations(
    scope: Scope,
    mapId: string,
    inputs: readonly UpsertInput[],
    historyId: string | null = null,
  ): Promise<WrittenMap & { results: readonly UpsertResult[] }> {
    const done = ({ results }: { results: readonly UpsertResult[] }) => upsertedOutcome(mapId, results);
    const audited = { operation: 'upsertLocations', subject: { mapId, ids: [] }, done };
    return this.#audit.run(scope, audited, async (called) => {
      const request = await this.#continue(await authorizeEditor(this.#storage, called, mapId), historyId);
      assertBulk('locations', inputs, this.#maxBulk);
      const results = await this.#upserter.upsert(request, inputs);
      const hasChanged = results.some(
        (result) => !(result instanceof ServiceError) && result.outcome !== 'unchanged',
      );
      return { map: request.map, historyId: historyIdOf(request.scope, hasChanged), results };
    });
  }

  /**
   * Says what a create or an upsert of these inputs would do, without geocoding or writing: geocoding may still fail.
   *
   * @param isUpsert whether a location with the external id would be changed
   * @throws ServiceError for what concerns all of them: the scope, the map, the store
   */
  async reviewLocations(
    scope: Scope,
    mapId: string,
    inputs: readonly LocationInput[],
    isUpsert: boolean,
  ): Promise<readonly ReviewResult[]> {
    return this.#reviewer.review(await authorizeEditor(this.#storage, scope, mapId), inputs, isUpsert);
  }

  /** A dry run: reviews inputs of one call, which must not repeat external ids. @throws also for their number */
  async tryLocations(
    scope: Scope,
    mapId: string,
    inputs: readonly LocationInput[],
    isUpsert: boolean,
  ): Promise<{ map: MapRecord; results: readonly ReviewResult[] }> {
    const request = await authorizeEditor(this.#storage, scope, mapId);
    assertBulk('locations', inputs, this.#maxBulk);
    return { map: request.map, results: await this.#reviewer.reviewCall(request, inputs, isUpsert) };
  }

  /** The request, as a part of an earlier call. @throws ServiceError HISTORY_NOT_FOUND */
  async #continue(request: AuthorizedRequest, historyId: string | null): Promise<AuthorizedRequest> {
    const scope = await continueCall(this.#storage, request.scope, request.map.id, historyId);
    return { ...request, scope };
  }
}

/** Newly created ids; only if there are none, the replayed ones; only if all failed, the first failure. */
function createdOutcome(mapId: string, { results, replayed }: Created) {
  const stored = results.flatMap((result, index) =>
    result instanceof ServiceError ? [] : [{ id: result.id, isReplayed: replayed.has(index) }],
  );
  const created = stored.filter(({ isReplayed }) => !isReplayed);
  if (created.length > 0) return ok(mapId, idsOf(created));
  if (stored.length > 0) return { mapId, ids: idsOf(stored), outcome: 'replayed' as const };
  return { mapId, ids: [], outcome: codeOf(results[0]) };
}

function upsertedOutcome(mapId: string, results: readonly UpsertResult[]) {
  const stored = results.flatMap((result) => (result instanceof ServiceError ? [] : [result]));
  if (stored.length === 0) return { mapId, ids: [], outcome: codeOf(results[0]) };
  const written = stored.filter(({ outcome }) => outcome !== 'unchanged');
  return ok(mapId, idsOf(written.map(({ location }) => location)));
}

function idsOf(locations: readonly { readonly id: string }[]): readonly string[] {
  return locations.map(({ id }) => id);
}
