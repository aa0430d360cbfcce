/** Locations: created from free-form fields and geocoded, listed, fetched and deleted. */

import { isLocationIdOf, isMapId } from '../domain/ids.ts';
import type { LocationTemplate } from '../domain/location-template.ts';
import type { LocationRecord } from '../domain/location.ts';
import type { MapRecord } from '../domain/map.ts';
import type { PageRequest } from '../domain/paging.ts';
import type { Position } from '../domain/position.ts';
import type { LocationsJson } from '../storage/storage.ts';
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
  const { storage } = options;

  /** The map comes before the rest: an unknown or deleted one is what the caller hears of first. */
  const requireWritableMap = async (caller: Caller, mapId: string): Promise<MapRecord> => {
    const [map = null] = isMapId(mapId) ? await storage.getMaps([mapId]) : [];
    return requireNotDeleted(requireOwnMap(caller, map));
  };

  return {
    ...createLocationCreation(options, requireWritableMap),

    async deleteLocation(caller, mapId, id) {
      const map = await requireWritableMap(requireWriter(caller), mapId);
      if (!isLocationIdOf(mapId, id)) throw locationNotFound();
      const result = await storage.deleteLocation(mapId, id);
      if (result.kind === 'missing') throw locationNotFound();
      if (result.kind !== 'deleted') throw mapGoneError(result);
      return { map, location: result.location };
    },

    async findLocations(map, ids) {
      const askable = map.isDeleted ? [] : ids.filter((id) => isLocationIdOf(map.id, id));
      const found = askable.length === 0 ? [] : await storage.getLocations(map.id, askable);
      const byId = new Map(found.map((location, index) => [askable[index], location]));
      return ids.map((id) =>
        settle(() => {
          requireNotDeleted(map);
          const location = byId.get(id);
          if (!location) throw locationNotFound();
          return location;
        }),
      );
    },

    requireListable: (map) => void requireNotDeleted(map),
    listLocations: (map, page) =>
      readPage(page, (asked) => storage.listLocations(requireNotDeleted(map).id, asked)),
    listLocationsJson: async (map, page, template) =>
      storage.listLocationsJson(requireNotDeleted(map).id, page, template),
    orderAfter: async (map, position) => {
      const page: PageRequest<Position> = { limit: 1, fromEnd: false, after: position, before: null };
      return (await storage.listLocations(requireNotDeleted(map).id, page))[0]?.order ?? null;
    },
    hasLocations: async (map, range) => storage.hasLocations(requireNotDeleted(map).id, range),
    countLocations: async (map) => storage.countLocations(requireNotDeleted(map).id),
  };
}
