/** Locations: created from free-form fields and geocoded, listed, fetched and deleted. */

import { isLocationIdOf, isMapId } from '../domain/ids.ts';
import type { LocationTemplate } from '../domain/location-template.ts';
import type { LocationRecord } from '../domain/location.ts';
import type { MapRecord } from '../domain/map.ts';
import type { PageRequest } from '../domain/paging.ts';
import type { Position } from '../domain/position.ts';
import type { LocationsJson, Storage } from '../storage/storage.ts';
import type { Caller } from './caller.ts';
import { locationNotFound, requireNotDeleted, requireOwnMap, requireWriter } from './caller.ts';
import type { LocationCreation, LocationCreationOptions, LocationResult } from './create-locations.ts';
import { createLocationCreation } from './create-locations.ts';
import { settle } from './expected.ts';
import { mapGoneError } from './maps.ts';
import type { Page } from './pages.ts';
import { readPage } from './pages.ts';

export type { LocationInput, LocationResult } from './create-locations.ts';

export interface LocationService extends LocationCreation {
  deleteLocation(
    caller: Caller | null,
    mapId: string,
    id: string,
  ): Promise<{ map: MapRecord; location: LocationRecord }>;
  /** One entry for each id, in the order asked; LOCATION_NOT_FOUND, or MAP_DELETED, where it cannot be had. */
  findLocations(map: MapRecord, ids: readonly string[]): Promise<LocationResult[]>;
  /** @throws ServiceError MAP_DELETED */
  requireListable(map: MapRecord): void;
  listLocations(map: MapRecord, page: PageRequest<Position>): Promise<Page<LocationRecord>>;
  /** The same page as JSON, each location as the template says. */
  listLocationsJson(
    map: MapRecord,
    page: PageRequest<Position>,
    template: LocationTemplate,
  ): Promise<LocationsJson>;
  /** The order of the first location after a position; null after the last. */
  orderAfter(map: MapRecord, position: Position | null): Promise<string | null>;
  /** Whether the list goes on beyond a page's first or last location. */
  hasLocations(map: MapRecord, range: Pick<PageRequest<Position>, 'after' | 'before'>): Promise<boolean>;
  countLocations(map: MapRecord): Promise<number>;
}

export function createLocationService(options: LocationCreationOptions): LocationService {
  return new StoredLocations(options);
}

/** A class, since a request has services of its own: one object, however many verbs there are. */
class StoredLocations implements LocationService {
  readonly #options: LocationCreationOptions;
  readonly #storage: Storage;

  constructor(options: LocationCreationOptions) {
    this.#options = options;
    this.#storage = options.storage;
  }

  createLocation(...given: Parameters<LocationCreation['createLocation']>) {
    return this.#creation().createLocation(...given);
  }

  createLocations(...given: Parameters<LocationCreation['createLocations']>) {
    return this.#creation().createLocations(...given);
  }

  async deleteLocation(caller: Caller | null, mapId: string, id: string) {
    const map = await this.#requireWritableMap(requireWriter(caller), mapId);
    if (!isLocationIdOf(mapId, id)) throw locationNotFound();
    const result = await this.#storage.deleteLocation(mapId, id);
    if (result.kind === 'missing') throw locationNotFound();
    if (result.kind !== 'deleted') throw mapGoneError(result);
    return { map, location: result.location };
  }

  async findLocations(map: MapRecord, ids: readonly string[]): Promise<LocationResult[]> {
    const askable = map.isDeleted ? [] : ids.filter((id) => isLocationIdOf(map.id, id));
    const found = askable.length === 0 ? [] : await this.#storage.getLocations(map.id, askable);
    const byId = new Map(found.map((location, index) => [askable[index], location]));
    return ids.map((id) =>
      settle(() => {
        requireNotDeleted(map);
        const location = byId.get(id);
        if (!location) throw locationNotFound();
        return location;
      }),
    );
  }

  requireListable(map: MapRecord): void {
    requireNotDeleted(map);
  }

  listLocations(map: MapRecord, page: PageRequest<Position>): Promise<Page<LocationRecord>> {
    return readPage(page, (asked) => this.#storage.listLocations(requireNotDeleted(map).id, asked));
  }

  async listLocationsJson(
    map: MapRecord,
    page: PageRequest<Position>,
    template: LocationTemplate,
  ): Promise<LocationsJson> {
    return this.#storage.listLocationsJson(requireNotDeleted(map).id, page, template);
  }

  async orderAfter(map: MapRecord, position: Position | null): Promise<string | null> {
    const page: PageRequest<Position> = { limit: 1, fromEnd: false, after: position, before: null };
    return (await this.#storage.listLocations(requireNotDeleted(map).id, page))[0]?.order ?? null;
  }

  async hasLocations(
    map: MapRecord,
    range: Pick<PageRequest<Position>, 'after' | 'before'>,
  ): Promise<boolean> {
    return this.#storage.hasLocations(requireNotDeleted(map).id, range);
  }

  async countLocations(map: MapRecord): Promise<number> {
    return this.#storage.countLocations(requireNotDeleted(map).id);
  }

  #creation(): LocationCreation {
    return createLocationCreation(this.#options, (caller, mapId) => this.#requireWritableMap(caller, mapId));
  }

  /** The map comes before the rest: an unknown or deleted one is what the caller hears of first. */
  async #requireWritableMap(caller: Caller, mapId: string): Promise<MapRecord> {
    const [map = null] = isMapId(mapId) ? await this.#storage.getMaps([mapId]) : [];
    return requireNotDeleted(requireOwnMap(caller, map));
  }
}
