/** Locations: created from free-form fields and geocoded; listed, read and deleted. */

import { isExternalId } from '../domain/external-id.ts';
import { isLocationIdOf } from '../domain/ids.ts';
import type { LocationTemplate } from '../domain/location-template.ts';
import type { LocationRecord } from '../domain/location.ts';
import type { MapRecord } from '../domain/map.ts';
import type { PageRequest } from '../domain/paging.ts';
import type { SortKey } from '../domain/sort-key.ts';
import { badUserInput } from '../errors.ts';
import type { LocationsJson, Storage } from '../storage/storage.ts';
import { admit } from './access.ts';
import { locationNotFound, requireNotDeleted } from './caller.ts';
import type { LocationCreation, LocationCreationOptions, LocationResult } from './create-locations.ts';
import { createLocationCreation } from './create-locations.ts';
import { settle } from './expected.ts';
import { createLocate } from './locate.ts';
import { mapGoneError } from './maps.ts';
import type { LocationMoving } from './move-locations.ts';
import { createLocationMoving } from './move-locations.ts';
import type { Page } from '../domain/pages.ts';
import { readPage } from '../domain/pages.ts';
import type { Scope } from './scope.ts';
import type { LocationReviewing } from './review-locations.ts';
import { createLocationReviewing } from './review-locations.ts';
import type { LocationChanging } from './update-location.ts';
import { createLocationChanging } from './update-location.ts';
import type { LocationUpserting } from './upsert-locations.ts';
import { createLocationUpserting } from './upsert-locations.ts';

export type { LocationResult } from './create-locations.ts';
export type { LocationInput } from './new-location.ts';

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
  findLocations(scope: Scope, map: MapRecord, ids: readonly string[]): Promise<LocationResult[]>;
  /** One entry for each external id, in the order asked; as {@link findLocations}. */
  findLocationsByExternalIds(
    scope: Scope,
    map: MapRecord,
    externalIds: readonly string[],
  ): Promise<LocationResult[]>;
  /** @throws ServiceError MAP_DELETED */
  requireListable(map: MapRecord): void;
  listLocations(scope: Scope, map: MapRecord, page: PageRequest<SortKey>): Promise<Page<LocationRecord>>;
  /** The same page as JSON, each location written by the template. */
  listLocationsJson(
    scope: Scope,
    map: MapRecord,
    page: PageRequest<SortKey>,
    template: LocationTemplate,
  ): Promise<LocationsJson>;
  /** The order of the first location after a sort key; null when there is none. */
  orderAfter(scope: Scope, map: MapRecord, sortKey: SortKey | null): Promise<string | null>;
  /** True when the list goes on beyond the page's first or last location. */
  hasLocations(
    scope: Scope,
    map: MapRecord,
    range: Pick<PageRequest<SortKey>, 'after' | 'before'>,
  ): Promise<boolean>;
  countLocations(scope: Scope, map: MapRecord): Promise<number>;
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

  async deleteLocation(scope: Scope, mapId: string, id: string) {
    const { map } = await admit(this.#storage, scope, mapId, { scope: 'write' });
    if (!isLocationIdOf(mapId, id)) throw locationNotFound();
    const result = await this.#storage.deleteLocation(mapId, id, scope);
    if (result.kind === 'missing') throw locationNotFound();
    if (result.kind !== 'deleted') throw mapGoneError(result);
    return { map, location: result.location };
  }

  async deleteLocations(scope: Scope, mapId: string, ids: readonly string[]) {
    const { map } = await admit(this.#storage, scope, mapId, { scope: 'write' });
    if (ids.length < 1 || ids.length > this.#maxBulk) {
      throw badUserInput(`ids has ${ids.length} items; 1 to ${this.#maxBulk} are allowed.`);
    }
    const askable = ids.filter((id) => isLocationIdOf(mapId, id));
    const result = await this.#storage.deleteLocations(mapId, askable, scope);
    if (result.kind !== 'done') throw mapGoneError(result);
    return { map, deletedIds: result.deletedIds };
  }

  async findLocations(scope: Scope, map: MapRecord, ids: readonly string[]): Promise<LocationResult[]> {
    const askable = map.isDeleted ? [] : ids.filter((id) => isLocationIdOf(map.id, id));
    const found = askable.length === 0 ? [] : await this.#storage.getLocations(map.id, askable, scope);
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

  async findLocationsByExternalIds(
    scope: Scope,
    map: MapRecord,
    externalIds: readonly string[],
  ): Promise<LocationResult[]> {
    const askable = map.isDeleted ? [] : externalIds.filter(isExternalId);
    const found =
      askable.length === 0 ? [] : await this.#storage.findLocationsByExternalIds(map.id, askable, scope);
    const byId = new Map(found.map((location, index) => [askable[index], location]));
    return externalIds.map((externalId) =>
      settle(() => {
        requireNotDeleted(map);
        const location = byId.get(externalId);
        if (!location) throw locationNotFound();
        return location;
      }),
    );
  }

  requireListable(map: MapRecord): void {
    requireNotDeleted(map);
  }

  listLocations(scope: Scope, map: MapRecord, page: PageRequest<SortKey>): Promise<Page<LocationRecord>> {
    return readPage(page, (asked) => this.#storage.listLocations(requireNotDeleted(map).id, asked, scope));
  }

  async listLocationsJson(
    scope: Scope,
    map: MapRecord,
    page: PageRequest<SortKey>,
    template: LocationTemplate,
  ): Promise<LocationsJson> {
    return this.#storage.listLocationsJson(requireNotDeleted(map).id, page, template, scope);
  }

  async orderAfter(scope: Scope, map: MapRecord, sortKey: SortKey | null): Promise<string | null> {
    const page: PageRequest<SortKey> = { limit: 1, fromEnd: false, after: sortKey, before: null };
    return (await this.#storage.listLocations(requireNotDeleted(map).id, page, scope))[0]?.order ?? null;
  }

  async hasLocations(
    scope: Scope,
    map: MapRecord,
    range: Pick<PageRequest<SortKey>, 'after' | 'before'>,
  ): Promise<boolean> {
    return this.#storage.hasLocations(requireNotDeleted(map).id, range, scope);
  }

  async countLocations(scope: Scope, map: MapRecord): Promise<number> {
    return this.#storage.countLocations(requireNotDeleted(map).id, scope);
  }
}
