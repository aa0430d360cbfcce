/** Creates or changes locations by their external ids: what a caller's own list says becomes what the map says. */

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
import { authorize } from '../authorization.ts';
import { mapConcurrently } from './concurrently.ts';
import { asServiceError, toResult } from '../../domain/result.ts';
import type { AuthorizedRequest, Locate } from './locate.ts';
import { locatedBy, rememberLast } from './locate.ts';
import { checkPatch, planUpdate } from './location-patch.ts';
import { mapUnavailableError } from '../maps/map-service.ts';
import { checkInput, toInsert } from './new-location.ts';
import type { Scope } from '../scope.ts';

export interface UpsertInput {
  readonly externalId: string;
  /** All fields: they take the place of those that are there. */
  readonly fields: JsonObject;
  /** Null or absent: a location that is there keeps its place, a new one goes to the end. */
  readonly order?: string | null;
  /** Never from a client; see LocationInput. */
  readonly isOrderKept?: boolean;
  /** The given point. Null: the address is geocoded anew. */
  readonly position?: GivenPoint | null;
}

export type UpsertOutcome = 'created' | 'updated' | 'unchanged';

/** What became of one of several locations, or the reason why nothing did. */
export type UpsertResult =
  { readonly location: LocationRecord; readonly outcome: UpsertOutcome } | ServiceError;

export interface LocationUpserting {
  /**
   * Writes all valid ones; new ones without an order are appended in the order given.
   *
   * @throws ServiceError for what concerns all of them: the scope, the map, their number, the store
   */
  upsertLocations(
    scope: Scope,
    mapId: string,
    inputs: readonly UpsertInput[],
  ): Promise<{ map: MapRecord; results: readonly UpsertResult[] }>;
}

export interface LocationUpsertingOptions {
  readonly storage: Storage;
  readonly locate: Locate;
  /** How many addresses are geocoded at once. */
  readonly concurrency: number;
  readonly clock: () => number;
  readonly fieldLimits: FieldLimits;
  /** How many locations one call may write. */
  readonly maxBulk: number;
}

/** An input that is right whatever is there. */
interface Item {
  readonly input: UpsertInput;
  /** Of the location where it is created, at whichever try. */
  readonly id: string;
  /** Each address is asked for once, however often the write is tried. */
  readonly locate: Locate;
}

/** A write that is to be made, or what became of one that need not. */
type Plan =
  | { readonly kind: 'insert'; readonly insert: LocationInsert }
  | { readonly kind: 'update'; readonly update: LocationUpdate }
  | { readonly kind: 'done'; readonly result: UpsertResult };

/** Pauses before a write is tried again: somebody else is about to create the same location. Each is twice the last. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 250;
/** Of a call: some five seconds. What a crash has left is settled in less than half of that. */
const MOST_PAUSES = 23;
/** Locations that are read and written together: each may be as large as a location can be. */
const AT_ONCE = 100;

export function createLocationUpserting(options: LocationUpsertingOptions): LocationUpserting {
  const { storage, locate, concurrency, clock, fieldLimits, maxBulk } = options;

  const plan = async (
    request: AuthorizedRequest,
    { input, id, locate: locateOnce }: Item,
    current: LocationRecord | null,
  ): Promise<Plan> => {
    if (current === null) {
      const checked = checkInput(request.map, { ...input, id }, fieldLimits);
      const { point, address } = checked;
      const located = point === null ? await locateOnce(request, address) : locatedBy(point);
      return { kind: 'insert', insert: toInsert(request, checked, located, clock()) };
    }
    const { fields, order, position } = input;
    const patch = { fields, fieldsMode: 'replace', order, position } as const;
    const update = await planUpdate(request, current, patch, { locate: locateOnce, clock, fieldLimits });
    return update === null
      ? { kind: 'done', result: { location: current, outcome: 'unchanged' } }
      : { kind: 'update', update };
  };

  /** Tries all of them once. @returns a result for each; null where somebody else came between */
  const attempt = async (
    request: AuthorizedRequest,
    items: readonly Item[],
  ): Promise<readonly (UpsertResult | null)[]> => {
    const { map, scope } = request;
    const found = await storage.findLocationsByExternalIds(
      map.id,
      items.map(({ input }) => input.externalId),
      scope,
    );
    const tried = items.map((item, index) => ({ item, current: found[index] ?? null }));
    const plans = await mapConcurrently(tried, concurrency, ({ item, current }) =>
      plan(request, item, current).catch((error: unknown): Plan => ({
        kind: 'done',
        result: asServiceError(error),
      })),
    );
    const results: (UpsertResult | null)[] = [];
    for (const run of runsOf(plans)) results.push(...(await write(request, run)));
    return results;
  };

  const write = async (
    request: AuthorizedRequest,
    plans: readonly Plan[],
  ): Promise<readonly (UpsertResult | null)[]> => {
    const inserts = plans.flatMap((planned) => (planned.kind === 'insert' ? [planned.insert] : []));
    const updates = plans.flatMap((planned) => (planned.kind === 'update' ? [planned.update] : []));
    const inserted = await insertAll(request, inserts);
    const updated = await updateAll(request, updates);
    return plans.map((planned) => {
      if (planned.kind === 'done') return planned.result;
      if (planned.kind === 'insert') return inserted.get(planned.insert) ?? null;
      return updated.get(planned.update) ?? null;
    });
  };

  const insertAll = async ({ map, scope }: AuthorizedRequest, inserts: readonly LocationInsert[]) => {
    const stored =
      inserts.length === 0 ? NOTHING_WRITTEN : await storage.insertLocations(map.id, inserts, clock(), scope);
    if (stored.kind !== 'done') throw mapUnavailableError(stored);
    return resultsOf(inserts, stored.outcomes, 'created');
  };

  const updateAll = async ({ map, scope }: AuthorizedRequest, updates: readonly LocationUpdate[]) => {
    const stored =
      updates.length === 0 ? NOTHING_WRITTEN : await storage.updateLocations(map.id, updates, scope);
    if (stored.kind !== 'done') throw mapUnavailableError(stored);
    return resultsOf(updates, stored.outcomes, 'updated');
  };

  /** The inputs that pass, and the reasons of those that do not. */
  const check = async (map: MapRecord, inputs: readonly UpsertInput[]) => {
    const first = new Map<string, number>();
    const checked: (Item | ServiceError)[] = [];
    for (const [index, input] of inputs.entries()) {
      const pause = index > 0 ? yieldIfDue() : undefined;
      if (pause !== undefined) await pause;
      const earlier = first.get(input.externalId);
      if (earlier === undefined) first.set(input.externalId, index);
      checked.push(
        toResult(() => {
          if (earlier !== undefined) {
            throw externalIdRepeated(earlier);
          }
          assertExternalId(input.externalId, 'externalId');
          checkPatch(input, fieldLimits);
          return { input, id: newLocationId(map.id), locate: rememberLast(locate) };
        }),
      );
    }
    return checked;
  };

  return {
    async upsertLocations(scope, mapId, inputs) {
      const request = { ...(await authorize(storage, scope, mapId, { scope: 'write' })), scope };
      const { map } = request;
      if (inputs.length < 1 || inputs.length > maxBulk) {
        throw badUserInput(`locations has ${inputs.length} items; 1 to ${maxBulk} are allowed.`);
      }
      const checked = await check(map, inputs);
      const results = new Map<Item, UpsertResult>();
      const valid = checked.filter((item): item is Item => !(item instanceof ServiceError));
      let pauses = 0;
      const writeOnce = async (items: readonly Item[]) => {
        scope.signal?.throwIfAborted();
        const tried = await attempt(request, items);
        items.forEach((item, index) => {
          const result = tried[index] ?? null;
          if (result !== null) results.set(item, result);
        });
        return items.filter((item) => !results.has(item));
      };
      for (let start = 0; start < valid.length; start += AT_ONCE) {
        let left = await writeOnce(valid.slice(start, start + AT_ONCE));
        // New ones are appended in the order given, so what follows waits for these.
        for (; left.length > 0 && pauses < MOST_PAUSES; pauses += 1) {
          await delay(Math.min(FIRST_PAUSE_MS * 2 ** pauses, LONGEST_PAUSE_MS));
          left = await writeOnce(left);
        }
        // Somebody takes very long. The caller is not kept waiting for that.
        for (const item of left) results.set(item, storageUnavailable());
      }
      return {
        map,
        results: checked.map((item) => (item instanceof ServiceError ? item : resultOf(results, item))),
      };
    },
  };
}

/**
 * Plans that are written together, first those that insert. Whatever is appended comes after what the same call has moved
 * before, also to the end.
 */
function runsOf(plans: readonly Plan[]): readonly (readonly Plan[])[] {
  const runs: Plan[][] = [];
  let isMoved = false;
  for (const plan of plans) {
    const isAppended = plan.kind === 'insert' && plan.insert.order === null;
    let run = runs.at(-1);
    if (run === undefined || (isMoved && isAppended)) {
      run = [];
      runs.push(run);
      isMoved = false;
    }
    run.push(plan);
    isMoved ||= plan.kind === 'update' && plan.update.order !== null;
  }
  return runs;
}

function resultOf(results: ReadonlyMap<Item, UpsertResult>, item: Item): UpsertResult {
  const result = results.get(item);
  if (result === undefined) throw new Error('An input has no result.');
  return result;
}

const NOTHING_WRITTEN = { kind: 'done', outcomes: [] } as const;

/** The results of the writes that were made; where somebody else came between, a write has none. */
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

/** @param earlier index of the first in the call that has it */
export function externalIdRepeated(earlier: number): ServiceError {
  return badUserInput(`externalId is that of locations[${earlier}] of the same call.`);
}
