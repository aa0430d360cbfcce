/** Test records, and helpers to store and read them. */

import { randomUUID } from 'node:crypto';

import type { GeocodingGroup } from '../../../src/domain/filter/geocoding-test.ts';
import { newInvitationId, newLocationId, newMapId, newOwnerId, newTokenId } from '../../../src/domain/ids.ts';
import type { Invitation } from '../../../src/domain/invitation.ts';
import type { LocationRecord, NewLocation } from '../../../src/domain/location.ts';
import type { MovePosition } from '../../../src/domain/list/move-plan.ts';
import type { MapRecord } from '../../../src/domain/map.ts';
import { creatorOf } from '../../../src/domain/members.ts';
import { encodeOrder } from '../../../src/domain/list/order.ts';
import type { PageRequest } from '../../../src/domain/paging/paging.ts';
import type { SortKey } from '../../../src/domain/list/sort-key.ts';
import { ServiceError } from '../../../src/errors.ts';
import type {
  InsertOutcome,
  LocationInsert,
  LocationUpdate,
  LogoRecord,
  MoveOutcome,
  NewMapLink,
  OwnerRecord,
  Storage,
  TokenRecord,
  UpdateOutcome,
} from '../../../src/storage/storage.ts';
import type { WebhookRecord } from '../../../src/storage/webhooks.ts';
import { until } from '../../support/until.ts';

/** The default time of the suite's records and calls. */
export const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
export const DAY = 24 * 60 * 60 * 1000;

export async function seedOwner(storage: Storage, name = 'someone'): Promise<OwnerRecord> {
  const { owner } = await storage.findOrCreateOwner({ id: newOwnerId(), name, createdAt: NOW });
  return owner;
}

export function aMap(ownerId: string, overrides: Partial<MapRecord> = {}): MapRecord {
  return {
    id: newMapId(),
    ownerId,
    members: [creatorOf(ownerId, overrides.createdAt ?? NOW)],
    name: 'A map',
    isDeleted: false,
    isPublished: false,
    createdAt: NOW,
    updatedAt: NOW,
    providerMapApiKey: null,
    geocodingApiKey: null,
    geocoding: null,
    fields: [
      { name: 'Name', type: 'placeName' },
      { name: 'Address', type: 'address' },
    ],
    language: null,
    timeZone: null,
    theme: null,
    logo: null,
    categories: [],
    ...overrides,
  };
}

/** A logo of that content. */
export function aLogo(mapId: string, content = 'bG9nbw=='): LogoRecord {
  return { mapId, type: 'image/png', hash: Buffer.from(content).toString('hex').padEnd(64, '0'), content };
}

/** Gives a map that logo. */
export async function setLogo(storage: Storage, logo: LogoRecord): Promise<MapRecord> {
  const info = { type: logo.type, hash: logo.hash, bytes: 4 };
  const result = await storage.updateMap(logo.mapId, { logo: info }, { evenIfDeleted: false, logo });
  if (result.kind !== 'updated') throw new Error(`updateMap returned ${result.kind}`);
  return result.map;
}

/** Stores a map, with a new owner unless one is named. */
export async function seedMap(storage: Storage, overrides: Partial<MapRecord> = {}): Promise<MapRecord> {
  const ownerId = overrides.ownerId ?? (await seedOwner(storage)).id;
  const map = aMap(ownerId, overrides);
  await storage.insertMap(map);
  return map;
}

export function aToken(ownerId: string, overrides: Partial<TokenRecord> = {}): TokenRecord {
  const id = overrides.id ?? newTokenId();
  return {
    id,
    kind: 'token',
    ownerId,
    hash: Buffer.from(id).toString('hex').padEnd(64, '0').slice(-64),
    name: null,
    scope: 'write',
    mapId: null,
    createdAt: NOW,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    ...overrides,
  };
}

/** An open invitation for one use. */
export function aMapLink(mapId: string, ownerId: string, overrides: Partial<NewMapLink> = {}): NewMapLink {
  const token = aToken(ownerId, { scope: 'read' });
  const hash = randomUUID().replaceAll('-', '').padEnd(64, '0');
  return { ...token, hash, kind: 'link', name: 'A link', mapId, ...overrides };
}

export function anInvitation(
  mapId: string,
  createdBy: string,
  overrides: Partial<Invitation> = {},
): Invitation {
  return {
    id: newInvitationId(),
    mapId,
    hash: randomUUID().replaceAll('-', '').padEnd(64, '0'),
    role: 'viewer',
    note: null,
    maxUses: 1,
    uses: 0,
    createdBy,
    createdAt: NOW,
    expiresAt: NOW + DAY,
    ...overrides,
  };
}

/** A new webhook with a unique id, without deliveries. */
export function aWebhook(mapId: string, overrides: Partial<WebhookRecord> = {}): WebhookRecord {
  return {
    id: `webhook_${randomUUID()}`,
    mapId,
    url: 'https://example.com/hook',
    events: ['created', 'deleted'],
    isEnabled: true,
    secret: 'plain:whsec_c2VjcmV0',
    formerSecret: null,
    createdAt: NOW,
    version: 1,
    delivery: {
      place: { number: 0, stamp: '0' },
      failures: 0,
      failingSince: null,
      nextAttemptAt: null,
      lastAttemptAt: null,
      lastStatus: null,
      lastError: null,
    },
    ...overrides,
  };
}

export function aLocation(mapId: string, overrides: Partial<NewLocation> = {}): NewLocation {
  return {
    id: newLocationId(mapId),
    mapId,
    name: 'A place',
    placeId: 'place-1',
    latitude: 64.1466,
    longitude: -21.9426,
    properties: { Name: 'A place', Address: 'Somewhere 1' },
    externalId: null,
    createdAt: NOW,
    geocoding: {
      provider: 'offline',
      precision: 'locality',
      label: 'Somewhere 1, "Town"',
      isAmbiguous: true,
      isChecked: false,
    },
    ...overrides,
  };
}

export interface InsertOptions {
  readonly order?: string | null;
  readonly location?: Partial<NewLocation>;
  /** Stores an idempotency record with the location. */
  readonly key?: string;
  readonly tokenId?: string;
  readonly digest?: string;
  readonly expiresAt?: number;
}

export function anInsert(mapId: string, options: InsertOptions = {}): LocationInsert {
  const { order = null, location, key, tokenId = 'token-1', digest = 'digest-1' } = options;
  const expiresAt = options.expiresAt ?? NOW + DAY;
  return {
    order,
    location: aLocation(mapId, location),
    idempotency: key === undefined ? null : { tokenId, key, digest, expiresAt },
  };
}

/** Expects the map to accept the call. @returns the outcomes */
export async function insertAll(
  storage: Storage,
  mapId: string,
  inserts: readonly LocationInsert[],
  now = NOW,
): Promise<readonly InsertOutcome[]> {
  const result = await storage.insertLocations(mapId, inserts, now);
  if (result.kind !== 'done') throw new Error(`insertLocations returned ${result.kind}`);
  expect(result.outcomes).toHaveLength(inserts.length);
  return result.outcomes;
}

export async function insertOne(
  storage: Storage,
  mapId: string,
  options: InsertOptions = {},
  now = NOW,
): Promise<InsertOutcome> {
  const [outcome] = await insertAll(storage, mapId, [anInsert(mapId, options)], now);
  return outcome!;
}

/** The location of an outcome of the expected kind. */
export function locationOf(
  outcome: InsertOutcome | undefined,
  kind: 'inserted' | 'replayed' = 'inserted',
): LocationRecord {
  // For thousands of outcomes, `expect` would take longer than the store.
  if (outcome?.kind !== kind) throw new Error(`${outcome?.kind} instead of ${kind}`);
  return outcome.location;
}

/** An update of that location at a later time. */
export function anUpdate(
  { id, version, name, placeId, latitude, longitude, properties, geocoding, externalId }: LocationRecord,
  values: Partial<LocationUpdate['values']> = {},
  order: string | null = null,
): LocationUpdate {
  return {
    id,
    version,
    updatedAt: NOW + version,
    order,
    values: { name, placeId, latitude, longitude, properties, geocoding, externalId, ...values },
  };
}

/** Expects the map to accept the call. @returns the outcomes */
export async function updateAll(
  storage: Storage,
  mapId: string,
  updates: readonly LocationUpdate[],
): Promise<readonly UpdateOutcome[]> {
  const result = await storage.updateLocations(mapId, updates);
  if (result.kind !== 'done') throw new Error(`updateLocations returned ${result.kind}`);
  expect(result.outcomes).toHaveLength(updates.length);
  return result.outcomes;
}

export async function updateOne(
  storage: Storage,
  mapId: string,
  update: LocationUpdate,
): Promise<UpdateOutcome> {
  const [outcome] = await updateAll(storage, mapId, [update]);
  return outcome!;
}

/** The location after an update that must succeed. */
export function updatedOf(outcome: UpdateOutcome | undefined): LocationRecord {
  if (outcome?.kind !== 'updated') throw new Error(`updateLocations returned ${outcome?.kind}`);
  return outcome.location;
}

/** Moves locations, slightly later than the default time. */
export function move(
  storage: Storage,
  mapId: string,
  locations: readonly { readonly id: string }[],
  position: MovePosition,
): Promise<MoveOutcome> {
  return storage.moveLocations(mapId, { ids: idsOf(locations), position }, NOW + 5);
}

/** The locations after a move that must succeed. */
export function movedOf(outcome: MoveOutcome): readonly LocationRecord[] {
  if (outcome.kind !== 'moved') throw new Error(`moveLocations returned ${outcome.kind}`);
  return outcome.locations;
}

/** Stores a location for each order in one call; null appends. */
export async function insertOrders(
  storage: Storage,
  mapId: string,
  orders: readonly (string | null)[],
): Promise<readonly LocationRecord[]> {
  const outcomes = await insertAll(
    storage,
    mapId,
    orders.map((order) => anInsert(mapId, { order })),
  );
  return outcomes.map((outcome) => locationOf(outcome));
}

export async function append(storage: Storage, mapId: string): Promise<LocationRecord> {
  return locationOf(await insertOne(storage, mapId));
}

export async function listPage(
  storage: Storage,
  mapId: string,
  page: Partial<PageRequest<SortKey>> = {},
): Promise<readonly LocationRecord[]> {
  return storage.listLocations(mapId, { limit: 10_000, fromEnd: false, after: null, before: null, ...page });
}

export async function listOrders(storage: Storage, mapId: string): Promise<readonly string[]> {
  return ordersOf(await listPage(storage, mapId));
}

export function ordersOf(locations: readonly LocationRecord[]): readonly string[] {
  return locations.map(({ order }) => order);
}

export function idsOf(records: readonly { readonly id: string }[]): readonly string[] {
  return records.map(({ id }) => id);
}

/** The position before every location of that order, as `offset` makes it. */
export function startOf(order: string): SortKey {
  return { orderKey: encodeOrder(order), sequence: 0 };
}

/** Reads a whole list page by page, with one item more than a page, as the services do. */
export async function walk(
  storage: Storage,
  mapId: string,
  { limit, fromEnd }: { readonly limit: number; readonly fromEnd: boolean },
  between: () => Promise<void> = async () => {},
): Promise<readonly LocationRecord[]> {
  const seen: LocationRecord[] = [];
  let edge: SortKey | null = null;
  for (let pages = 0; pages < 5000; pages += 1) {
    const range: Partial<PageRequest<SortKey>> = fromEnd ? { before: edge } : { after: edge };
    const items = await listPage(storage, mapId, { ...range, limit: limit + 1, fromEnd });
    expect(items.length).toBeLessThanOrEqual(limit + 1);
    const page = fromEnd ? items.slice(-limit) : items.slice(0, limit);
    if (fromEnd) seen.unshift(...page);
    else seen.push(...page);
    if (items.length <= limit) return seen;
    edge = (fromEnd ? page[0] : page.at(-1)) ?? null;
    await between();
  }
  throw new Error('Paging does not end.');
}

/** The reason of a promise that must reject. */
export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('Expected a rejection, but the promise was fulfilled.');
}

export async function expectUnavailable(promise: Promise<unknown>): Promise<void> {
  const error = await rejectionOf(promise);
  expect(error).toBeInstanceOf(ServiceError);
  expect((error as ServiceError).code).toBe('STORAGE_UNAVAILABLE');
}

/** Reads an async iterable to its end. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

/** A deterministic shuffle, so that failures are reproducible. */
export function shuffled<T>(items: readonly T[], seed = 1): T[] {
  const result = [...items];
  let state = seed;
  for (let index = result.length - 1; index > 0; index -= 1) {
    state = (state * 1103515245 + 12345) % 2147483648;
    const other = state % (index + 1);
    [result[index], result[other]] = [result[other]!, result[index]!];
  }
  return result;
}

/** Far longer than a store takes to recover an interrupted write. Some broken adapters never do. */
export const SETTLED_WITHIN_MS = 8_000;

/**
 * Expects a complete log to have each location as often as it was changed. A store may recover an interrupted write
 * later, on a read.
 */
export async function expectLogged(storage: Storage, mapId: string): Promise<void> {
  const logged = new Map<string, number>();
  const stored = new Map<string, number>();
  const isComplete = async () => {
    const read = await storage.readChanges(mapId, { number: 0, stamp: '0' }, 100_000);
    if (read.kind !== 'changes') throw new Error(`readChanges returned ${read.kind}`);
    logged.clear();
    const deleted = new Map<string, number>();
    for (const { kind, locationId } of read.changes) {
      const version = logged.get(locationId);
      if ((kind === 'created') === (version !== undefined))
        throw new Error(`${kind} ${locationId}: ${version}`);
      // Deleting counts as a version, and so does restoring.
      const next = (version ?? deleted.get(locationId) ?? 0) + 1;
      if (kind === 'deleted') {
        logged.delete(locationId);
        deleted.set(locationId, next);
      } else logged.set(locationId, next);
    }
    stored.clear();
    for (const { id, version } of await listPage(storage, mapId)) stored.set(id, version);
    return logged.size === stored.size && [...logged].every(([id, version]) => stored.get(id) === version);
  };
  const difference = () =>
    `the log has ${JSON.stringify([...logged])} and the store ${JSON.stringify([...stored])}`;
  await until(isComplete, difference, SETTLED_WITHIN_MS);
}

/** Expects the stored counts by geocoding to be those of the list. */
export async function expectGrouped(
  storage: Storage,
  mapId: string,
  list: readonly LocationRecord[],
): Promise<void> {
  const keyOf = ({ provider, precision, isAmbiguous, isChecked }: GeocodingGroup) =>
    `${provider} ${precision} ${isAmbiguous} ${isChecked}`;
  const tally = new Map<string, number>();
  for (const { geocoding } of list) tally.set(keyOf(geocoding), (tally.get(keyOf(geocoding)) ?? 0) + 1);
  const groups = await storage.countByGeocoding(mapId);
  expect(groups).toHaveLength(tally.size);
  expect(new Map(groups.map((group) => [keyOf(group), group.count]))).toEqual(tally);
}
