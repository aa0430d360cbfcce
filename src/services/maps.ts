/** Maps: who may see and change them, and by which rules. */

import { isMapId, newMapId } from '../domain/ids.ts';
import type { FieldDefinition, MapRecord } from '../domain/map.ts';
import { assertApiKey, assertFieldDefinitions, assertMapName, DEFAULT_FIELDS } from '../domain/map.ts';
import type { MapPosition } from '../domain/cursor.ts';
import type { PageRequest } from '../domain/paging.ts';
import { badUserInput, ServiceError } from '../errors.ts';
import type { MapGone, MapPatch, Storage } from '../storage/storage.ts';
import type { Caller } from './caller.ts';
import { mapDeleted, mapNotFound, requireCaller, requireOwnMap, requireWriter } from './caller.ts';
import type { CreationClock } from './creation-clock.ts';
import { settle } from './expected.ts';
import type { Page } from './pages.ts';
import { readPage } from './pages.ts';
import type { Secrets } from './secrets.ts';

export interface NewMap {
  readonly name: string;
  readonly fields?: readonly FieldDefinition[] | null;
  readonly isPublished?: boolean | null;
  readonly providerMapApiKey?: string | null;
  readonly geocodingApiKey?: string | null;
}

/** Absent members stay as they are; null removes a key. */
export interface MapChanges {
  readonly name?: string | null;
  readonly isPublished?: boolean | null;
  readonly providerMapApiKey?: string | null;
  readonly geocodingApiKey?: string | null;
}

export interface MapService {
  /**
   * One entry for each id, in the order asked: the caller's map, or MAP_NOT_FOUND for any other. One call of the
   * store at most.
   */
  findMaps(caller: Caller | null, ids: readonly string[]): Promise<(MapRecord | ServiceError)[]>;
  listMaps(caller: Caller | null, page: PageRequest<MapPosition>): Promise<Page<MapRecord>>;
  countMaps(caller: Caller | null): Promise<number>;
  createMap(caller: Caller | null, input: NewMap): Promise<MapRecord>;
  updateMap(caller: Caller | null, id: string, changes: MapChanges): Promise<MapRecord>;
  deleteMap(caller: Caller | null, id: string): Promise<MapRecord>;
  restoreMap(caller: Caller | null, id: string): Promise<MapRecord>;
  /** A key in the clear for a caller that may write; null for one that may only read. */
  revealKey(caller: Caller | null, stored: string | null): string | null;
}

export interface MapServiceOptions {
  readonly storage: Storage;
  readonly secrets: Secrets;
  readonly creationClock: CreationClock;
  /** Field definitions a map may have. */
  readonly maxFields: number;
}

export function createMapService(options: MapServiceOptions): MapService {
  return new StoredMaps(options);
}

/** A class, since a request has services of its own: one object, however many verbs there are. */
class StoredMaps implements MapService {
  readonly #options: MapServiceOptions;

  constructor(options: MapServiceOptions) {
    this.#options = options;
  }

  async findMaps(caller: Caller | null, ids: readonly string[]): Promise<(MapRecord | ServiceError)[]> {
    const known = requireCaller(caller);
    const askable = ids.filter(isMapId);
    const found = askable.length === 0 ? [] : await this.#options.storage.getMaps(askable);
    const byId = new Map(found.map((map, index) => [askable[index], map]));
    return ids.map((id) => settle(() => requireOwnMap(known, byId.get(id) ?? null)));
  }

  async listMaps(caller: Caller | null, page: PageRequest<MapPosition>): Promise<Page<MapRecord>> {
    const { ownerId, mapId } = requireCaller(caller);
    return readPage(page, (asked) => this.#options.storage.listMaps({ ...asked, ownerId, mapId }));
  }

  async countMaps(caller: Caller | null): Promise<number> {
    const { ownerId, mapId } = requireCaller(caller);
    return this.#options.storage.countMaps({ ownerId, mapId });
  }

  async createMap(caller: Caller | null, input: NewMap): Promise<MapRecord> {
    const { ownerId, mapId } = requireWriter(caller);
    if (mapId !== null) {
      throw new ServiceError('FORBIDDEN', 'This token is limited to one map; it may not create another.');
    }
    const fields = input.fields ?? DEFAULT_FIELDS;
    assertMapName(input.name);
    assertFieldDefinitions(fields, this.#options.maxFields);
    const map: MapRecord = {
      id: newMapId(),
      ownerId,
      name: input.name,
      isDeleted: false,
      isPublished: input.isPublished ?? false,
      createdAt: this.#options.creationClock(),
      providerMapApiKey: this.#sealed(input.providerMapApiKey, 'providerMapApiKey'),
      geocodingApiKey: this.#sealed(input.geocodingApiKey, 'geocodingApiKey'),
      fields: fields.map(({ name, type }) => ({ name, type })),
    };
    await this.#options.storage.insertMap(map);
    return map;
  }

  async updateMap(caller: Caller | null, id: string, changes: MapChanges): Promise<MapRecord> {
    const map = await this.#requireWritableMap(caller, id);
    if (map.isDeleted) throw mapDeleted();
    const { name, isPublished, providerMapApiKey, geocodingApiKey } = changes;
    if (name === null) throw badUserInput('name cannot be null; leave it out to keep it.');
    if (isPublished === null) throw badUserInput('isPublished cannot be null; leave it out to keep it.');
    if (name !== undefined) assertMapName(name);
    const patch: MapPatch = {
      name,
      isPublished,
      providerMapApiKey:
        providerMapApiKey === undefined ? undefined : this.#sealed(providerMapApiKey, 'providerMapApiKey'),
      geocodingApiKey:
        geocodingApiKey === undefined ? undefined : this.#sealed(geocodingApiKey, 'geocodingApiKey'),
    };
    return this.#patch(id, patch, { evenIfDeleted: false });
  }

  async deleteMap(caller: Caller | null, id: string): Promise<MapRecord> {
    await this.#requireWritableMap(caller, id);
    return this.#patch(id, { isDeleted: true }, { evenIfDeleted: true });
  }

  async restoreMap(caller: Caller | null, id: string): Promise<MapRecord> {
    await this.#requireWritableMap(caller, id);
    return this.#patch(id, { isDeleted: false }, { evenIfDeleted: true });
  }

  revealKey(caller: Caller | null, stored: string | null): string | null {
    return stored === null || requireCaller(caller).scope !== 'write'
      ? null
      : this.#options.secrets.open(stored);
  }

  async #requireWritableMap(caller: Caller | null, id: string): Promise<MapRecord> {
    const [map] = await this.findMaps(requireWriter(caller), [id]);
    if (map === undefined || map instanceof ServiceError) throw map ?? mapNotFound();
    return map;
  }

  async #patch(id: string, patch: MapPatch, options: { evenIfDeleted: boolean }): Promise<MapRecord> {
    const result = await this.#options.storage.updateMap(id, patch, options);
    if (result.kind !== 'updated') throw mapGoneError(result);
    return result.map;
  }

  #sealed(key: string | null | undefined, label: string): string | null {
    if (key === null || key === undefined) return null;
    assertApiKey(key, label);
    return this.#options.secrets.seal(key);
  }
}

export function mapGoneError(gone: MapGone): ServiceError {
  return gone.kind === 'map-deleted' ? mapDeleted() : mapNotFound();
}
