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

export function createMapService({
  storage,
  secrets,
  creationClock,
  maxFields,
}: MapServiceOptions): MapService {
  const sealed = (key: string | null | undefined, label: string): string | null => {
    if (key === null || key === undefined) return null;
    assertApiKey(key, label);
    return secrets.seal(key);
  };

  const findMaps: MapService['findMaps'] = async (caller, ids) => {
    const known = requireCaller(caller);
    const askable = ids.filter(isMapId);
    const found = askable.length === 0 ? [] : await storage.getMaps(askable);
    const byId = new Map(found.map((map, index) => [askable[index], map]));
    return ids.map((id) => settle(() => requireOwnMap(known, byId.get(id) ?? null)));
  };

  const requireWritableMap = async (caller: Caller | null, id: string): Promise<MapRecord> => {
    const [map] = await findMaps(requireWriter(caller), [id]);
    if (map === undefined || map instanceof ServiceError) throw map ?? mapNotFound();
    return map;
  };

  const patchOwnMap = async (
    id: string,
    patch: MapPatch,
    options: { evenIfDeleted: boolean },
  ): Promise<MapRecord> => {
    const result = await storage.updateMap(id, patch, options);
    if (result.kind !== 'updated') throw mapGoneError(result);
    return result.map;
  };

  return {
    findMaps,

    async listMaps(caller, page) {
      const { ownerId, mapId } = requireCaller(caller);
      return readPage(page, (asked) => storage.listMaps({ ...asked, ownerId, mapId }));
    },

    async countMaps(caller) {
      const { ownerId, mapId } = requireCaller(caller);
      return storage.countMaps({ ownerId, mapId });
    },

    async createMap(caller, input) {
      const { ownerId, mapId } = requireWriter(caller);
      if (mapId !== null) {
        throw new ServiceError('FORBIDDEN', 'This token is limited to one map; it may not create another.');
      }
      const fields = input.fields ?? DEFAULT_FIELDS;
      assertMapName(input.name);
      assertFieldDefinitions(fields, maxFields);
      const map: MapRecord = {
        id: newMapId(),
        ownerId,
        name: input.name,
        isDeleted: false,
        isPublished: input.isPublished ?? false,
        createdAt: creationClock(),
        providerMapApiKey: sealed(input.providerMapApiKey, 'providerMapApiKey'),
        geocodingApiKey: sealed(input.geocodingApiKey, 'geocodingApiKey'),
        fields: fields.map(({ name, type }) => ({ name, type })),
      };
      await storage.insertMap(map);
      return map;
    },

    async updateMap(caller, id, changes) {
      const map = await requireWritableMap(caller, id);
      if (map.isDeleted) throw mapDeleted();
      const { name, isPublished, providerMapApiKey, geocodingApiKey } = changes;
      if (name === null) throw badUserInput('name cannot be null; leave it out to keep it.');
      if (isPublished === null) throw badUserInput('isPublished cannot be null; leave it out to keep it.');
      if (name !== undefined) assertMapName(name);
      const patch: MapPatch = {
        name,
        isPublished,
        providerMapApiKey:
          providerMapApiKey === undefined ? undefined : sealed(providerMapApiKey, 'providerMapApiKey'),
        geocodingApiKey:
          geocodingApiKey === undefined ? undefined : sealed(geocodingApiKey, 'geocodingApiKey'),
      };
      return patchOwnMap(id, patch, { evenIfDeleted: false });
    },

    async deleteMap(caller, id) {
      await requireWritableMap(caller, id);
      return patchOwnMap(id, { isDeleted: true }, { evenIfDeleted: true });
    },

    async restoreMap(caller, id) {
      await requireWritableMap(caller, id);
      return patchOwnMap(id, { isDeleted: false }, { evenIfDeleted: true });
    },

    revealKey(caller, stored) {
      return stored === null || requireCaller(caller).scope !== 'write' ? null : secrets.open(stored);
    },
  };
}

export function mapGoneError(gone: MapGone): ServiceError {
  return gone.kind === 'map-deleted' ? mapDeleted() : mapNotFound();
}
