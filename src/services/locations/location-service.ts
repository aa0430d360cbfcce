/** Locations: created from free-form fields and geocoded; listed, read and deleted. */

import { isExternalId } from '../../domain/external-id.ts';
import { isLocationIdOf } from '../../domain/ids.ts';
import type { LocationTemplate } from '../../domain/location-template.ts';
import type { LocationRecord } from '../../domain/location.ts';
import type { MapRecord } from '../../domain/map.ts';
import type { PageRequest } from '../../domain/paging/paging.ts';
import type { LocationView, MapView } from '../../domain/public-view.ts';
import { locationView } from '../../domain/public-view.ts';
import type { SortKey } from '../../domain/list/sort-key.ts';
import type { ServiceError } from '../../errors.ts';
import { badUserInput } from '../../errors.ts';
import type { LocationsJson, Storage } from '../../storage/storage.ts';
import { authorize } from '../authorization.ts';
import { locationNotFound, requireNotDeleted } from '../caller.ts';
import type { LocationCreation, LocationCreationOptions } from './create-locations.ts';
import { createLocationCreation } from './create-locations.ts';
import { toResult } from '../../domain/result.ts';
import { toJson } from './json-page.ts';
import { createLocate } from './locate.ts';
import { mapUnavailableError } from '../maps/map-service.ts';
import type { LocationMoving } from './move-locations.ts';
import { createLocationMoving } from './move-locations.ts';
import type { Page } from '../../domain/paging/pages.ts';
import { readPage } from '../../domain/paging/pages.ts';
import type { Scope } from '../scope.ts';
import type { LocationReviewing } from './review-locations.ts';
import { createLocationReviewing } from './review-locations.ts';
import type { LocationChanging } from './update-location.ts';
import { createLocationChanging } from './update-location.ts';
import type { LocationUpserting } from './upsert-locations.ts';
import { createLocationUpserting } from './upsert-locations.ts';

export type { LocationResult } from './create-locations.ts';
export type { LocationInput } from './new-location.ts';

/** A location in its map's view, or the reason why it is not there. */
export type LocationViewResult = LocationView | ServiceError;

/** Where a verb takes a map that was read, its locations are in the map's view. */
export interface LocationService
  extends LocationCreation, LocationChanging, LocationUpserting, LocationMoving, LocationReviewing {
  deleteLocation(
    scope: Scope,
    mapId: string,
    id: string,
  ): Promise<{ map: MapRecord; location: LocationRecord }>;
  /**
   * Deletes several locations. Ids that are not there are left out.
   *
   * @returns the ids that this call deleted, each once, in the order given
   */
  deleteLocations(
    scope: Scope,
    mapId: string,
    ids: readonly string[],
  ): Promise<{ map: MapRecord; deletedIds: readonly string[] }>;
  /** One entry for each id, in the order asked: the location, LOCATION_NOT_FOUND or MAP_DELETED. */
  findLocations(scope: Scope, map: MapView, ids: readonly string[]): Promise<LocationViewResult[]>;
  /** One entry for each external id, in the order asked; as {@link findLocations}. The public finds none. */
  findLocationsByExternalIds(
    scope: Scope,
    map: MapView,
    externalIds: readonly string[],
  ): Promise<LocationViewResult[]>;
  /** @throws ServiceError MAP_DELETED */
  requireListable(map: MapView): void;
  listLocations(scope: Scope, map: MapView, page: PageRequest<SortKey>): Promise<Page<LocationView>>;
  /** The same page as JSON, each location written by the template. */
  listLocationsJson(
    scope: Scope,
    map: MapView,
    page: PageRequest<SortKey>,
    template: LocationTemplate,
  ): Promise<LocationsJson>;
  /** The order of the first location after a sort key; null when there is none. */
  orderAfter(scope: Scope, map: MapView, sortKey: SortKey | null): Promise<string | null>;
  /** True when the list goes on beyond the page's first or last location. */
  hasLocations(
    scope: Scope,
    map: MapView,
    range: Pick<PageRequest<SortKey>, 'after' | 'before'>,
  ): Promise<boolean>;
  countLocations(scope: Scope, map: MapView): Promise<number>;
  /**
   * The location at a place of the list, from 1. The public finds none.
   *
   * @throws ServiceError LOCATION_NOT_FOUND beyond the end of the list; MAP_DELETED, BAD_USER_INPUT
   */
  locationAt(scope: Scope, map: MapView, place: number): Promise<LocationView>;
}

export function createLocationService(options: LocationCreationOptions): LocationService {
  return new StoredLocations(options);
}

class StoredLocations implements LocationService {
  readonly #storage: Storage;
  readonly #maxBulk: number;
  readonly #creation: LocationCreation;
  readonly #changing: LocationChanging;
  readonly #upserting: LocationUpserting;
  readonly #moving: LocationMoving;
  readonly #reviewing: LocationReviewing;

  constructor(options: LocationCreationOptions) {
    this.#storage = options.storage;
    this.#maxBulk = options.maxBulk;
    this.#creation = createLocationCreation(options);
    this.#moving = createLocationMoving(options);
    this.#reviewing = createLocationReviewing(options);
    const locate = createLocate(options);
    this.#changing = createLocationChanging({ ...options, locate });
    this.#upserting = createLocationUpserting({
      ...options,
      locate,
      concurrency: options.geocoder.concurrency ?? options.maxBulk,
    });
  }

  moveLocations(...given: Parameters<LocationMoving['moveLocations']>) {
    return this.#moving.moveLocations(...given);
  }

  createLocation(...given: Parameters<LocationCreation['createLocation']>) {
    return this.#creation.createLocation(...given);
  }

  createLocations(...given: Parameters<LocationCreation['createLocations']>) {
    return this.#creation.createLocations(...given);
  }

  updateLocation(...given: Parameters<LocationChanging['updateLocation']>) {
    return this.#changing.updateLocation(...given);
  }

  upsertLocations(...given: Parameters<LocationUpserting['upsertLocations']>) {
    return this.#upserting.upsertLocations(...given);
  }

  reviewLocations(...given: Parameters<LocationReviewing['reviewLocations']>) {
    return this.#reviewing.reviewLocations(...given);
  }

  tryLocations(...given: Parameters<LocationReviewing['tryLocations']>) {
    return this.#reviewing.tryLocations(...given);
  }

  async deleteLocation(scope: Scope, mapId: string, id: string) {
    const { map } = await authorize(this.#storage, scope, mapId, { scope: 'write' });
    if (!isLocationIdOf(mapId, id)) throw locationNotFound();
    const result = await this.#storage.deleteLocation(mapId, id, scope);
    if (result.kind === 'missing') throw locationNotFound();
    if (result.kind !== 'deleted') throw mapUnavailableError(result);
    return { map, location: result.location };
  }

  async deleteLocations(scope: Scope, mapId: string, ids: readonly string[]) {
    const { map } = await authorize(this.#storage, scope, mapId, { scope: 'write' });
    if (ids.length < 1 || ids.length > this.#maxBulk) {
      throw badUserInput(`ids has ${ids.length} items; 1 to ${this.#maxBulk} are allowed.`);
    }
    const askable = ids.filter((id) => isLocationIdOf(mapId, id));
    const result = await this.#storage.deleteLocations(mapId, askable, scope);
    if (result.kind !== 'done') throw mapUnavailableError(result);
    return { map, deletedIds: result.deletedIds };
  }

  async findLocations(scope: Scope, map: MapView, ids: readonly string[]): Promise<LocationViewResult[]> {
    const askable = map.isDeleted ? [] : ids.filter((id) => isLocationIdOf(map.id, id));
    const found = askable.length === 0 ? [] : await this.#storage.getLocations(map.id, askable, scope);
    return toResults(map, ids, askable, found);
  }

  async findLocationsByExternalIds(
    scope: Scope,
    map: MapView,
    externalIds: readonly string[],
  ): Promise<LocationViewResult[]> {
    const isAskable = !map.isDeleted && map.view !== 'public';
    const askable = isAskable ? externalIds.filter(isExternalId) : [];
    const found =
      askable.length === 0 ? [] : await this.#storage.findLocationsByExternalIds(map.id, askable, scope);
    return toResults(map, externalIds, askable, found);
  }

  requireListable(map: MapView): void {
    requireNotDeleted(map);
  }

  listLocations(scope: Scope, map: MapView, page: PageRequest<SortKey>): Promise<Page<LocationView>> {
    const show = locationView(map);
    return readPage(page, async (asked) =>
      (await this.#storage.listLocations(requireNotDeleted(map).id, asked, scope)).map(show),
    );
  }

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

  async orderAfter(scope: Scope, map: MapView, sortKey: SortKey | null): Promise<string | null> {
    const page: PageRequest<SortKey> = { limit: 1, fromEnd: false, after: sortKey, before: null };
    return (await this.#storage.listLocations(requireNotDeleted(map).id, page, scope))[0]?.order ?? null;
  }

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

  async locationAt(scope: Scope, map: MapView, place: number): Promise<LocationView> {
    if (place < 1) throw badUserInput(`place is ${place}; places are counted from 1.`);
    // Anybody could make the store count far, as often as they like.
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
 * @param asked what the locations were asked for by, one for each result
 * @param askable those of them that the store was asked for
 * @param found one entry for each of these
 */
function toResults(
  map: MapView,
  asked: readonly string[],
  askable: readonly string[],
  found: readonly (LocationRecord | null)[],
): LocationViewResult[] {
  const show = locationView(map);
  const byKey = new Map(found.map((location, index) => [askable[index], location]));
  return asked.map((key) =>
    toResult(() => {
      requireNotDeleted(map);
      const location = byKey.get(key);
      if (!location) throw locationNotFound();
      return show(location);
    }),
  );
}
