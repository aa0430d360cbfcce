/** Maps: who may see and change them, and by which rules. */

import { canonicalJson } from '../../domain/json/canonical-json.ts';
import { isMapId, newMapId } from '../../domain/ids.ts';
import type { FieldInput, MapRecord } from '../../domain/map.ts';
import {
  assertApiKey,
  assertFieldDefinitions,
  assertMapName,
  DEFAULT_FIELDS,
  plainFields,
} from '../../domain/map.ts';
import type { MapSortKey } from '../../domain/paging/cursor.ts';
import type { PageRequest } from '../../domain/paging/paging.ts';
import { badUserInput, ServiceError } from '../../errors.ts';
import type { MapUnavailable, MapPatch, Storage } from '../../storage/storage.ts';
import { authorize } from '../authorization.ts';
import type { Caller } from '../caller.ts';
import { mapDeleted, mapNotFound, requireCaller, requireOwnMap, requireWriter } from '../caller.ts';
import type { CreationClock } from '../locations/creation-clock.ts';
import { storedOwnerId } from '../tokens/jwt-callers.ts';
import { toResult } from '../../domain/result.ts';
import type { PickedPage } from '../../domain/paging/page-picker.ts';
import type { Page } from '../../domain/paging/pages.ts';
import { readPage } from '../../domain/paging/pages.ts';
import type { Scope } from '../scope.ts';
import type { MapSearch } from './search-maps.ts';
import { searchMaps } from './search-maps.ts';
import type { Secrets } from '../secrets/secrets.ts';

export interface NewMap {
  /** Never from a client. By default a new one is made. */
  readonly id?: string;
  readonly name: string;
  readonly fields?: readonly FieldInput[] | null;
  readonly isPublished?: boolean | null;
  readonly providerMapApiKey?: string | null;
  readonly geocodingApiKey?: string | null;
}

/** Absent members stay unchanged. Null removes a key. */
export interface MapChanges {
  readonly name?: string | null;
  readonly isPublished?: boolean | null;
  /** The whole new list. The locations stay as they are. */
  readonly fields?: readonly FieldInput[] | null;
  readonly providerMapApiKey?: string | null;
  readonly geocodingApiKey?: string | null;
}

export interface MapService {
  /** One entry for each id, in the order asked: the caller's map, or MAP_NOT_FOUND. Calls the store at most once. */
  findMaps(scope: Scope, ids: readonly string[]): Promise<(MapRecord | ServiceError)[]>;
  listMaps(scope: Scope, page: PageRequest<MapSortKey>): Promise<Page<MapRecord>>;
  countMaps(scope: Scope): Promise<number>;
  /** A page for each search. All of them together read the caller's maps once. */
  searchMaps(scope: Scope, searches: readonly MapSearch[]): Promise<PickedPage<MapRecord>[]>;
  createMap(scope: Scope, input: NewMap): Promise<MapRecord>;
  updateMap(scope: Scope, id: string, changes: MapChanges): Promise<MapRecord>;
  deleteMap(scope: Scope, id: string): Promise<MapRecord>;
  restoreMap(scope: Scope, id: string): Promise<MapRecord>;
  /** The stored key in the clear when the caller may write; null when it may only read. */
  revealKey(caller: Caller | null, stored: string | null): string | null;
}

export interface MapServiceOptions {
  readonly storage: Storage;
  readonly secrets: Secrets;
  readonly creationClock: CreationClock;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** How many field definitions a map may have. */
  readonly maxFields: number;
}

export function createMapService(options: MapServiceOptions): MapService {
  return new StoredMaps(options);
}

class StoredMaps implements MapService {
  readonly #options: MapServiceOptions;

  constructor(options: MapServiceOptions) {
    this.#options = options;
  }

  async findMaps(scope: Scope, ids: readonly string[]): Promise<(MapRecord | ServiceError)[]> {
    const known = requireCaller(scope.caller);
    const askable = ids.filter(isMapId);
    const found = askable.length === 0 ? [] : await this.#options.storage.getMaps(askable, scope);
    const byId = new Map(found.map((map, index) => [askable[index], map]));
    return ids.map((id) => toResult(() => requireOwnMap(known, byId.get(id) ?? null)));
  }

  async listMaps(scope: Scope, page: PageRequest<MapSortKey>): Promise<Page<MapRecord>> {
    const { ownerId, mapId } = requireCaller(scope.caller);
    return readPage(page, (asked) => this.#options.storage.listMaps({ ...asked, ownerId, mapId }, scope));
  }

  async countMaps(scope: Scope): Promise<number> {
    const { ownerId, mapId } = requireCaller(scope.caller);
    return this.#options.storage.countMaps({ ownerId, mapId }, scope);
  }

  async searchMaps(scope: Scope, searches: readonly MapSearch[]): Promise<PickedPage<MapRecord>[]> {
    const { ownerId, mapId } = requireCaller(scope.caller);
    return searchMaps(this.#options.storage, scope, { ownerId, mapId }, searches);
  }

  async createMap(scope: Scope, input: NewMap): Promise<MapRecord> {
    const caller = requireWriter(scope.caller);
    if (caller.mapId !== null) {
      throw new ServiceError('FORBIDDEN', 'This token is limited to one map; it may not create another.');
    }
    const fields = input.fields ?? DEFAULT_FIELDS;
    assertMapName(input.name);
    assertFieldDefinitions(fields, this.#options.maxFields);
    const providerMapApiKey = this.#sealed(input.providerMapApiKey, 'providerMapApiKey');
    const geocodingApiKey = this.#sealed(input.geocodingApiKey, 'geocodingApiKey');
    const createdAt = this.#options.creationClock();
    const map: MapRecord = {
      id: input.id ?? newMapId(),
      ownerId: await storedOwnerId(this.#options.storage, caller, createdAt),
      name: input.name,
      isDeleted: false,
      isPublished: input.isPublished ?? false,
      createdAt,
      updatedAt: createdAt,
      providerMapApiKey,
      geocodingApiKey,
      fields: plainFields(fields),
    };
    await this.#options.storage.insertMap(map, scope);
    return map;
  }

  async updateMap(scope: Scope, id: string, changes: MapChanges): Promise<MapRecord> {
    const { map } = await authorize(this.#options.storage, scope, id, { scope: 'write' });
    const { name, isPublished, fields, providerMapApiKey, geocodingApiKey } = changes;
    if (name === null) throw badUserInput('name cannot be null; leave it out to keep it.');
    if (isPublished === null) throw badUserInput('isPublished cannot be null; leave it out to keep it.');
    if (fields === null) throw badUserInput('fields cannot be null; leave it out to keep it.');
    if (name !== undefined) assertMapName(name);
    if (fields !== undefined) assertFieldDefinitions(fields, this.#options.maxFields);
    const patch: MapPatch = {
      name,
      isPublished,
      fields: fields === undefined ? undefined : plainFields(fields),
      providerMapApiKey:
        providerMapApiKey === undefined ? undefined : this.#sealed(providerMapApiKey, 'providerMapApiKey'),
      geocodingApiKey:
        geocodingApiKey === undefined ? undefined : this.#sealed(geocodingApiKey, 'geocodingApiKey'),
    };
    return this.#patch(scope, map, patch, { evenIfDeleted: false });
  }

  async deleteMap(scope: Scope, id: string): Promise<MapRecord> {
    return this.#setDeleted(scope, id, true);
  }

  async restoreMap(scope: Scope, id: string): Promise<MapRecord> {
    return this.#setDeleted(scope, id, false);
  }

  revealKey(caller: Caller | null, stored: string | null): string | null {
    return stored === null || requireCaller(caller).scope !== 'write'
      ? null
      : this.#options.secrets.open(stored);
  }

  async #setDeleted(scope: Scope, id: string, isDeleted: boolean): Promise<MapRecord> {
    const access = { scope: 'write', evenIfDeleted: true } as const;
    const { map } = await authorize(this.#options.storage, scope, id, access);
    return this.#patch(scope, map, { isDeleted }, { evenIfDeleted: true });
  }

  async #patch(
    scope: Scope,
    map: MapRecord,
    patch: MapPatch,
    options: { evenIfDeleted: boolean },
  ): Promise<MapRecord> {
    if (!isChange(map, patch)) return map;
    const updatedAt = Math.max(this.#options.clock(), map.updatedAt);
    const result = await this.#options.storage.updateMap(map.id, { ...patch, updatedAt }, options, scope);
    if (result.kind !== 'updated') throw mapUnavailableError(result);
    return result.map;
  }

  #sealed(key: string | null | undefined, label: string): string | null {
    if (key === null || key === undefined) return null;
    assertApiKey(key, label);
    return this.#options.secrets.seal(key);
  }
}

/** A key that is given counts as another, since what is stored of it does not tell. */
function isChange(map: MapRecord, patch: MapPatch): boolean {
  const given = Object.entries(patch).filter(([, value]: [string, unknown]) => value !== undefined);
  return given.some(([name, value]) => canonicalJson(value) !== canonicalJson(map[name as keyof MapPatch]));
}

export function mapUnavailableError(gone: MapUnavailable): ServiceError {
  return gone.kind === 'map-deleted' ? mapDeleted() : mapNotFound();
}
