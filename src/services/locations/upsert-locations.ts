/** Creates or replaces locations by their external ids. */

import { setTimeout as delay } from 'node:timers/promises';

import { assertExternalId } from '../../domain/external-id.ts';
import type { FieldLimits } from '../../domain/fields.ts';
import { newLocationId } from '../../domain/ids.ts';
import type { JsonObject } from '../../domain/json/json.ts';
import type { LocationRecord } from '../../domain/location.ts';
import type { MapRecord } from '../../domain/map.ts';
import type { GivenPoint } from '../../domain/point.ts';
import { badUserInput, ServiceError, storageUnavailable } from '../../errors.ts';
import type {
  InsertOutcome,
  LocationInsert,
  LocationUpdate,
  Storage,
  UpdateOutcome,
} from '../../storage/storage.ts';
import { yieldIfDue } from '../../lib/cooperative-scheduler.ts';
import { mapUnavailableError } from '../caller.ts';
import { mapConcurrently } from '../../lib/map-concurrently.ts';
import { asServiceError, toResult } from '../../domain/result.ts';
import type { AuthorizedRequest } from './authorized-request.ts';
import type { Locate } from './locate.ts';
import { locatedBy, rememberLast } from './locate.ts';
import { checkPatch, planUpdate } from './location-patch.ts';
import { checkInput, toInsert } from './new-location.ts';

export interface UpsertInput {
  readonly externalId: string;
  /** Replace all fields of an existing location. */
  readonly fields: JsonObject;
  /** Null or absent: an existing location keeps its order, a new one is appended. */
  readonly order?: string | null;
  /** Internal; see LocationInput. */
  readonly isOrderKept?: boolean;
  /** Null: geocode the address again. */
  readonly position?: GivenPoint | null;
}

export type UpsertOutcome = 'created' | 'updated' | 'unchanged';

/** The written location, or why it was not written. */
export type UpsertResult =
  { readonly location: LocationRecord; readonly outcome: UpsertOutcome } | ServiceError;

export interface LocationUpserterOptions {
  readonly storage: Storage;
  readonly locate: Locate;
  /** Addresses that are geocoded at once. */
  readonly concurrency: number;
  readonly clock: () => number;
  readonly fieldLimits: FieldLimits;
}

/** A valid input. */
interface Item {
  readonly input: UpsertInput;
  /** For a new location; the same at every attempt. */
  readonly id: string;
  /** Geocodes each address once, however often the write is retried. */
  readonly locate: Locate;
}

/** A write, or the result of an item that needs none. */
type Plan =
  | { readonly kind: 'insert'; readonly insert: LocationInsert }
  | { readonly kind: 'update'; readonly update: LocationUpdate }
  | { readonly kind: 'done'; readonly result: UpsertResult };

/** Backoff while a concurrent write creates the same location, in milliseconds. Each pause is twice the last. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 250;
/** Per call: about five seconds, twice what a store needs to recover from a crashed writer. */
const MAX_PAUSES = 23;
/** Locations that are read and written together. Each may have the maximum size. */
const BATCH = 100;

export class LocationUpserter {
  readonly #options: LocationUpserterOptions;

  constructor(options: LocationUpserterOptions) {
    this.#options = options;
  }

  async upsert(request: AuthorizedRequest, inputs: readonly UpsertInput[]): Promise<readonly UpsertResult[]> {
    const { signal } = request.scope;
    const checked = await this.#check(request.map, inputs);
    const valid = checked.filter((item): item is Item => !(item instanceof ServiceError));
    const results = new Map<Item, UpsertResult>();
    /** @returns the items that have no result yet */
    const writeOnce = async (items: readonly Item[]) => {
      signal?.throwIfAborted();
      const tried = await this.#attempt(request, items);
      items.forEach((item, index) => {
        const result = tried[index] ?? null;
        if (result !== null) results.set(item, result);
      });
      return items.filter((item) => !results.has(item));
    };
    let pauses = 0;
    for (let start = 0; start < valid.length; start += BATCH) {
      let left = await writeOnce(valid.slice(start, start + BATCH));
      // New locations are appended in the order given, so later batches wait for this one.
      for (; left.length > 0 && pauses < MAX_PAUSES; pauses += 1) {
        await delay(Math.min(FIRST_PAUSE_MS * 2 ** pauses, LONGEST_PAUSE_MS));
        left = await writeOnce(left);
      }
      for (const item of left) results.set(item, storageUnavailable());
    }
    return checked.map((item) => (item instanceof ServiceError ? item : resultOf(results, item)));
  }

  async #check(map: MapRecord, inputs: readonly UpsertInput[]): Promise<readonly (Item | ServiceError)[]> {
    const { locate, fieldLimits } = this.#options;
    const first = new Map<string, number>();
    const checked: (Item | ServiceError)[] = [];
    for (const [index, input] of inputs.entries()) {
      const pause = index > 0 ? yieldIfDue() : undefined;
      if (pause !== undefined) await pause;
      const earlier = first.get(input.externalId);
      if (earlier === undefined) first.set(input.externalId, index);
      checked.push(
        toResult(() => {
          if (earlier !== undefined) throw externalIdRepeated(earlier);
          assertExternalId(input.externalId, 'externalId');
          checkPatch(input, fieldLimits);
          return { input, id: newLocationId(map.id), locate: rememberLast(locate) };
        }),
      );
    }
    return checked;
  }

  /** @returns one result for each item; null if a concurrent write interfered */
  async #attempt(
    request: AuthorizedRequest,
    items: readonly Item[],
  ): Promise<readonly (UpsertResult | null)[]> {
    const { storage, concurrency } = this.#options;
    const externalIds = items.map(({ input }) => input.externalId);
    const found = await storage.findLocationsByExternalIds(request.map.id, externalIds, request.scope);
    const tried = items.map((item, index) => ({ item, current: found[index] ?? null }));
    const plans = await mapConcurrently(tried, concurrency, ({ item, current }) =>
      this.#plan(request, item, current).catch((error: unknown): Plan => ({
        kind: 'done',
        result: asServiceError(error),
      })),
    );
    const results: (UpsertResult | null)[] = [];
    for (const run of runsOf(plans)) results.push(...(await this.#write(request, run)));
    return results;
  }

  async #plan(
    request: AuthorizedRequest,
    { input, id, locate }: Item,
    current: LocationRecord | null,
  ): Promise<Plan> {
    const { clock, fieldLimits } = this.#options;
    if (current === null) {
      const checked = checkInput(request.map, { ...input, id }, fieldLimits);
      const { point, address } = checked;
      const located = point === null ? await locate(request, address) : locatedBy(point);
      return { kind: 'insert', insert: toInsert(request, checked, located, clock()) };
    }
    const { fields, order, position } = input;
    const patch = { fields, fieldsMode: 'replace', order, position } as const;
    const update = await planUpdate(request, current, patch, { locate, clock, fieldLimits });
    return update === null
      ? { kind: 'done', result: { location: current, outcome: 'unchanged' } }
      : { kind: 'update', update };
  }

  async #write(
    request: AuthorizedRequest,
    plans: readonly Plan[],
  ): Promise<readonly (UpsertResult | null)[]> {
    const inserts = plans.flatMap((planned) => (planned.kind === 'insert' ? [planned.insert] : []));
    const updates = plans.flatMap((planned) => (planned.kind === 'update' ? [planned.update] : []));
    const inserted = await this.#insert(request, inserts);
    const updated = await this.#update(request, updates);
    return plans.map((planned) => {
      if (planned.kind === 'done') return planned.result;
      if (planned.kind === 'insert') return inserted.get(planned.insert) ?? null;
      return updated.get(planned.update) ?? null;
    });
  }

  async #insert({ map, scope }: AuthorizedRequest, inserts: readonly LocationInsert[]) {
    const { storage, clock } = this.#options;
    const stored =
      inserts.length === 0 ? NOTHING_WRITTEN : await storage.insertLocations(map.id, inserts, clock(), scope);
    if (stored.kind !== 'done') throw mapUnavailableError(stored);
    return resultsOf(inserts, stored.outcomes, 'created');
  }

  async #update({ map, scope }: AuthorizedRequest, updates: readonly LocationUpdate[]) {
    const { storage } = this.#options;
    const stored =
      updates.length === 0 ? NOTHING_WRITTEN : await storage.updateLocations(map.id, updates, scope);
    if (stored.kind !== 'done') throw mapUnavailableError(stored);
    return resultsOf(updates, stored.outcomes, 'updated');
  }
}

/** Splits plans into runs of one kind that are written together, so that changes are logged in the order of the call. */
function runsOf(plans: readonly Plan[]): readonly (readonly Plan[])[] {
  const runs: Plan[][] = [];
  let kind: Plan['kind'] = 'done';
  for (const plan of plans) {
    const isOther = plan.kind !== 'done' && kind !== 'done' && plan.kind !== kind;
    const run = runs.at(-1);
    if (run === undefined || isOther) runs.push([plan]);
    else run.push(plan);
    if (plan.kind !== 'done') kind = plan.kind;
  }
  return runs;
}

function resultOf(results: ReadonlyMap<Item, UpsertResult>, item: Item): UpsertResult {
  const result = results.get(item);
  if (result === undefined) throw new Error('An input has no result.');
  return result;
}

const NOTHING_WRITTEN = { kind: 'done', outcomes: [] } as const;

/** Writes that lost to a concurrent one have no result. */
function resultsOf<T>(
  writes: readonly T[],
  outcomes: readonly (InsertOutcome | UpdateOutcome)[],
  outcome: UpsertOutcome,
): ReadonlyMap<T, UpsertResult> {
  const results = new Map<T, UpsertResult>();
  for (const [index, write] of writes.entries()) {
    const written = outcomes[index];
    if (written?.kind === 'inserted' || written?.kind === 'updated') {
      results.set(write, { location: written.location, outcome });
    }
  }
  return results;
}

/** @param earlier index of the first input with that external id */
export function externalIdRepeated(earlier: number): ServiceError {
  return badUserInput(`externalId repeats that of locations[${earlier}]; it must be unique in a call.`);
}
