/** Creates locations: checks, geocodes and stores them. Each has its own result. */

import { externalIdTaken } from '../../domain/external-id.ts';
import type { FieldLimits } from '../../domain/fields.ts';
import { judgeKey } from '../../domain/idempotency.ts';
import type { LocationRecord } from '../../domain/location.ts';
import { asServiceError, toResult } from '../../domain/result.ts';
import { ServiceError } from '../../errors.ts';
import { yieldIfDue } from '../../lib/cooperative-scheduler.ts';
import { mapConcurrently } from '../../lib/map-concurrently.ts';
import type { IdempotencyRecord, InsertOutcome, LocationInsert, Storage } from '../../storage/storage.ts';
import { mapUnavailableError } from '../caller.ts';
import type { KeyedCall } from './idempotency.ts';
import { idempotencyConflict } from './idempotency.ts';
import type { AuthorizedRequest } from './authorized-request.ts';
import type { Locate } from './locate.ts';
import { locatedBy } from './locate.ts';
import type { LocationInput, WellFormedInput } from './new-location.ts';
import { checkForm, checkNames, toInsert } from './new-location.ts';

/** A location that was stored, now or earlier under its key; or why it was not. */
export type LocationResult = LocationRecord | ServiceError;

export interface Created {
  /** One for each input. */
  readonly results: readonly LocationResult[];
  /** Indices of results that an earlier call stored under the same idempotency key. */
  readonly replayed: ReadonlySet<number>;
}

export interface LocationCreatorOptions {
  readonly storage: Storage;
  readonly locate: Locate;
  /** Addresses that are geocoded at once. */
  readonly concurrency: number;
  readonly clock: () => number;
  readonly fieldLimits: FieldLimits;
  /** Maximum number of locations of one call. */
  readonly maxBulk: number;
}

/** A location to store, or the result of one that needs no write. */
type Prepared = LocationInsert | LocationResult;

/** What the store already has of the inputs. */
interface Known {
  readonly earlier: ReadonlyMap<string, IdempotencyRecord>;
  /** External ids. */
  readonly taken: ReadonlySet<string | null>;
}

const NOTHING_STORED = { kind: 'done', outcomes: [] as readonly InsertOutcome[] } as const;
const NONE_EARLIER: ReadonlyMap<string, IdempotencyRecord> = new Map();
const NONE_TAKEN: ReadonlySet<string | null> = new Set();

export class LocationCreator {
  readonly #options: LocationCreatorOptions;

  constructor(options: LocationCreatorOptions) {
    this.#options = options;
  }

  /**
   * @param call if all have one idempotency key
   * @throws ServiceError CONFLICT for the key
   */
  async create(
    request: AuthorizedRequest,
    inputs: readonly LocationInput[],
    call: KeyedCall | null = null,
  ): Promise<Created> {
    const checked: (WellFormedInput | ServiceError)[] = [];
    for (const input of inputs) {
      const pause = checked.length > 0 ? yieldIfDue() : undefined;
      if (pause !== undefined) await pause;
      const index = checked.length;
      checked.push(
        toResult(() => {
          const form = checkForm(request.map.id, input, this.#options.fieldLimits);
          return call === null
            ? form
            : { ...form, idempotency: { key: call.keyOf(index), digest: call.digest } };
        }),
      );
    }
    const keys = call === null ? keysOf(checked) : this.#keysOfCall(call);
    const earlier = keys.length === 0 ? NONE_EARLIER : await this.#findEarlier(request, keys);
    if (call !== null && [...earlier.values()].some(({ digest }) => digest !== call.digest)) {
      throw idempotencyConflict();
    }
    const taken = await this.#findTaken(request, checked);
    const prepared = await mapConcurrently(checked, this.#options.concurrency, (input) =>
      this.#prepare(request, input, { earlier, taken }),
    );
    return this.#store(request, prepared);
  }

  /** Also those of an earlier call with more locations, which would be a conflict. */
  #keysOfCall({ keyOf }: KeyedCall): readonly string[] {
    return Array.from({ length: this.#options.maxBulk }, (_, index) => keyOf(index));
  }

  /** The results of earlier creates under these keys. */
  async #findEarlier(
    { caller, map, scope }: AuthorizedRequest,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, IdempotencyRecord>> {
    const { storage, clock } = this.#options;
    const space = { tokenId: caller.tokenId, mapId: map.id };
    const records = await storage.findIdempotencyRecords(space, keys, clock(), scope);
    return new Map(
      keys.flatMap((key, index) => {
        const record = records[index];
        return record ? [[key, record] as const] : [];
      }),
    );
  }

  /** Looks up external ids before geocoding, so that no address is geocoded in vain. */
  async #findTaken(
    { map, scope }: AuthorizedRequest,
    inputs: readonly (WellFormedInput | ServiceError)[],
  ): Promise<ReadonlySet<string | null>> {
    const wanted = inputs.flatMap((input) =>
      input instanceof ServiceError || input.externalId === null ? [] : [input.externalId],
    );
    if (wanted.length === 0) return NONE_TAKEN;
    const found = await this.#options.storage.findLocationsByExternalIds(map.id, wanted, scope);
    return new Set(found.flatMap((location) => (location === null ? [] : [location.externalId])));
  }

  #prepare(
    request: AuthorizedRequest,
    input: WellFormedInput | ServiceError,
    { earlier, taken }: Known,
  ): Prepared | Promise<Prepared> {
    if (input instanceof ServiceError) return input;
    const { locate, clock } = this.#options;
    const { idempotency } = input;
    const used = idempotency === null ? undefined : earlier.get(idempotency.key);
    const use = idempotency === null ? 'fresh' : judgeKey(used, idempotency.digest);
    // A replay succeeds even if the map's fields have changed since.
    if (use === 'replay' && used !== undefined) return used.location;
    const checked = toResult(() => checkNames(request.map, input));
    if (checked instanceof ServiceError) return checked;
    if (use === 'conflict') return idempotencyConflict();
    if (taken.has(input.externalId)) return externalIdTaken();
    if (input.point !== null) return toInsert(request, checked, locatedBy(input.point), clock());
    return locate(request, checked.address).then(
      (located) => toInsert(request, checked, located, clock()),
      asServiceError,
    );
  }

  async #store({ map, scope }: AuthorizedRequest, prepared: readonly Prepared[]): Promise<Created> {
    const { storage, clock } = this.#options;
    const inserts = prepared.filter(isInsert);
    const stored =
      inserts.length === 0 ? NOTHING_STORED : await storage.insertLocations(map.id, inserts, clock(), scope);
    if (stored.kind !== 'done') throw mapUnavailableError(stored);
    let next = 0;
    const replayed = new Set<number>();
    const results = prepared.map((item, index) => {
      const outcome = isInsert(item) ? stored.outcomes[next++] : null;
      const result = isInsert(item) ? resultOf(outcome ?? undefined) : item;
      const wasStored = outcome === null && !(result instanceof ServiceError);
      if (wasStored || outcome?.kind === 'replayed') replayed.add(index);
      return result;
    });
    return { results, replayed };
  }
}

/** The distinct keys of the inputs. */
function keysOf(inputs: readonly (WellFormedInput | ServiceError)[]): readonly string[] {
  const keys = inputs.flatMap((input) =>
    input instanceof ServiceError || input.idempotency === null ? [] : [input.idempotency.key],
  );
  return [...new Set(keys)];
}

function isInsert(item: Prepared): item is LocationInsert {
  return 'location' in item;
}

function resultOf(outcome: InsertOutcome | undefined): LocationResult {
  if (outcome === undefined) throw new Error('The store returned fewer outcomes than locations.');
  if (outcome.kind === 'external-id-taken') return externalIdTaken();
  return outcome.kind === 'conflict' ? idempotencyConflict() : outcome.location;
}
