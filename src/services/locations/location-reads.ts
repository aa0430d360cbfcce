/** Reads of the locations of a map that the caller has read; results are in that map's view. */

import type { Attribution } from '../../domain/attribution.ts';
import { isExternalId } from '../../domain/external-id.ts';
import type { GeocodingCount } from '../../domain/filter/geocoding-groups.ts';
import { isLocationIdOf } from '../../domain/ids.ts';
import type { SortKey } from '../../domain/list/sort-key.ts';
import type { LocationTemplate } from '../../domain/location-template.ts';
import type { LocationRecord } from '../../domain/location.ts';
import type { Page } from '../../domain/paging/pages.ts';
import { readPage } from '../../domain/paging/pages.ts';
import type { PageRequest } from '../../domain/paging/paging.ts';
import type { LocationView, MapView } from '../../domain/public-view.ts';
import { locationView } from '../../domain/public-view.ts';
import { toResult } from '../../domain/result.ts';
import type { ServiceError } from '../../errors.ts';
import { badUserInput } from '../../errors.ts';
import type { Geocoder } from '../../geocoding/geocoder.ts';
import { GEOCODING_PRECISIONS } from '../../geocoding/geocoder.ts';
import type { LocationsJson, Storage } from '../../storage/storage.ts';
import { locationNotFound, requireNotDeleted } from '../caller.ts';
import { attributionsOfMap } from '../maps/attributions.ts';
import type { Scope } from '../scope.ts';
import { toJson } from './json-page.ts';

/** A location in its map's view, or the reason for its absence. */
export type LocationViewResult = LocationView | ServiceError;

const PRECISIONS: readonly string[] = GEOCODING_PRECISIONS;

export type PrecisionCount = Pick<GeocodingCount, 'precision' | 'isChecked' | 'count'>;

export class LocationReads {
  readonly #storage: Storage;
  readonly #geocoder: Geocoder;

  constructor({ storage, geocoder }: { readonly storage: Storage; readonly geocoder: Geocoder }) {
    this.#storage = storage;
    this.#geocoder = geocoder;
  }

  /** One entry per id, in the same order: the location, LOCATION_NOT_FOUND or MAP_DELETED. */
  async findLocations(scope: Scope, map: MapView, ids: readonly string[]): Promise<LocationViewResult[]> {
    const wellFormed = map.isDeleted ? [] : ids.filter((id) => isLocationIdOf(map.id, id));
    const found = wellFormed.length === 0 ? [] : await this.#storage.getLocations(map.id, wellFormed, scope);
    return toResults(map, ids, wellFormed, found);
  }

  /** As {@link findLocations}, by external ids. They are not public: the public view finds none. */
  async findLocationsByExternalIds(
    scope: Scope,
    map: MapView,
    externalIds: readonly string[],
  ): Promise<LocationViewResult[]> {
    const isAllowed = !map.isDeleted && map.view !== 'public';
    const wellFormed = isAllowed ? externalIds.filter(isExternalId) : [];
    const found =
      wellFormed.length === 0
        ? []
        : await this.#storage.findLocationsByExternalIds(map.id, wellFormed, scope);
    return toResults(map, externalIds, wellFormed, found);
  }

  /** @throws ServiceError MAP_DELETED */
  requireListable(map: MapView): void {
    requireNotDeleted(map);
  }

  listLocations(scope: Scope, map: MapView, page: PageRequest<SortKey>): Promise<Page<LocationView>> {
    const show = locationView(map);
    return readPage(page, async (range) =>
      (await this.#storage.listLocations(requireNotDeleted(map).id, range, scope)).map(show),
    );
  }

  /** The same page as JSON, each location written by the template. */
  async listLocationsJson(
    scope: Scope,
    map: MapView,
    page: PageRequest<SortKey>,
    template: LocationTemplate,
  ): Promise<LocationsJson> {
    if (map.view === 'public') {
      const { items, ...ends } = await this.listLocations(scope, map, page);
      return { ...ends, json: await toJson(template, items) };
    }
    return this.#storage.listLocationsJson(requireNotDeleted(map).id, page, template, scope);
  }

  /** The order of the first location after a sort key; null at the end of the list. */
  async orderAfter(scope: Scope, map: MapView, sortKey: SortKey | null): Promise<string | null> {
    const page: PageRequest<SortKey> = { limit: 1, fromEnd: false, after: sortKey, before: null };
    return (await this.#storage.listLocations(requireNotDeleted(map).id, page, scope))[0]?.order ?? null;
  }

  /** Whether the list has locations within these exclusive bounds. */
  async hasLocations(
    scope: Scope,
    map: MapView,
    range: Pick<PageRequest<SortKey>, 'after' | 'before'>,
  ): Promise<boolean> {
    return this.#storage.hasLocations(requireNotDeleted(map).id, range, scope);
  }

  async countLocations(scope: Scope, map: MapView): Promise<number> {
    return this.#storage.countLocations(requireNotDeleted(map).id, scope);
  }

  /** What must be shown with the points; none for a deleted map. */
  async findAttributions(scope: Scope, map: MapView): Promise<readonly Attribution[]> {
    const sources = { storage: this.#storage, geocoder: this.#geocoder };
    return map.isDeleted ? [] : attributionsOfMap(sources, map.id, scope);
  }

  /** From rooftop to region, and unchecked points first; none for a deleted map. */
  async countByPrecision(scope: Scope, map: MapView): Promise<readonly PrecisionCount[]> {
    if (map.isDeleted) return [];
    const sums = new Map<string, PrecisionCount>();
    for (const { precision, isChecked, count } of await this.#storage.countByGeocoding(map.id, scope)) {
      const key = `${precision} ${isChecked}`;
      sums.set(key, { precision, isChecked, count: count + (sums.get(key)?.count ?? 0) });
    }
    const rankOf = ({ precision, isChecked }: PrecisionCount) =>
      PRECISIONS.indexOf(precision) + Number(isChecked) / 2;
    return [...sums.values()].sort((a, b) => rankOf(a) - rankOf(b));
  }

  /**
   * @param place position in the list, from 1
   * @throws ServiceError LOCATION_NOT_FOUND beyond the end of the list, and in the public view; MAP_DELETED,
   *   BAD_USER_INPUT
   */
  async locationAt(scope: Scope, map: MapView, place: number): Promise<LocationView> {
    if (place < 1) throw badUserInput(`place is ${place}; places are counted from 1.`);
    // The store counts up to the position, which anonymous callers could repeat without limit.
    if (map.view === 'public') throw locationNotFound();
    const count = await this.countLocations(scope, map);
    if (place > count) throw locationNotFound();
    const fromEnd = place > count / 2;
    const skipped = fromEnd ? count - place : place - 1;
    const location = await this.#storage.locationAt(map.id, { skipped, fromEnd }, scope);
    if (location === null) throw locationNotFound();
    return locationView(map)(location);
  }
}

/**
 * @param keys one for each result
 * @param wellFormed the keys that the store was asked for
 * @param found one entry for each of them
 */
function toResults(
  map: MapView,
  keys: readonly string[],
  wellFormed: readonly string[],
  found: readonly (LocationRecord | null)[],
): LocationViewResult[] {
  const show = locationView(map);
  const byKey = new Map(found.map((location, index) => [wellFormed[index], location]));
  return keys.map((key) =>
    toResult(() => {
      requireNotDeleted(map);
      const location = byKey.get(key);
      if (!location) throw locationNotFound();
      return show(location);
    }),
  );
}
