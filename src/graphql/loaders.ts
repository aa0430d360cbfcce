/** Batches and caches reads within one request. */

import DataLoader from 'dataloader';

import type { Actor } from '../domain/actor.ts';
import type { MapRecord } from '../domain/map.ts';
import { MAX_PAGE_SIZE } from '../domain/paging/paging.ts';
import type { LocationView, MapView, PublicMap } from '../domain/public-view.ts';
import { ServiceError } from '../errors.ts';
import { locationNotFound } from '../services/caller.ts';
import type { ShownActor } from '../services/history/actors.ts';
import type { LocationViewResult } from '../services/locations/location-reads.ts';
import type { PickedPage } from '../domain/paging/page-picker.ts';
import type { Scope } from '../services/scope.ts';
import type { MapSearch } from '../services/maps/search-maps.ts';
import type { Services } from '../services/services.ts';
import type { OperationBudget } from './limits/operation-budget.ts';
import { sizeOfLocations } from './limits/operation-budget.ts';

export interface LocationKey {
  readonly map: MapView;
  readonly id: string;
}

export interface Loaders {
  /** The caller's maps. Rejects with MAP_NOT_FOUND. */
  readonly maps: DataLoader<string, MapRecord>;
  /** Published maps of any owner, in the public view. Rejects with MAP_NOT_FOUND. */
  readonly publicMaps: DataLoader<string, PublicMap>;
  /** In their map's view. Rejects with LOCATION_NOT_FOUND or MAP_DELETED. */
  readonly locations: DataLoader<LocationKey, LocationView, string>;
  /** By external id: the key's `id` is one. */
  readonly locationsByExternalId: DataLoader<LocationKey, LocationView, string>;
  /** The number of locations of a map. */
  readonly locationCounts: DataLoader<MapView, number, string>;
  /** Names of those who changed something. */
  readonly actors: DataLoader<Actor, ShownActor, string>;
  /** Pages of the viewer's maps by filter or order. */
  readonly mapSearches: DataLoader<MapSearch, PickedPage<MapRecord>>;
  /** The viewer's maps that a search across maps covers. */
  searchedMaps(): Promise<readonly MapRecord[]>;
}

export function createLoaders(services: Services, scope: Scope, budget: OperationBudget): Loaders {
  return new LazyLoaders(services, scope, budget);
}

/** Creates each loader on first use: few operations need them all. */
class LazyLoaders implements Loaders {
  readonly #services: Services;
  readonly #scope: Scope;
  readonly #budget: OperationBudget;
  #maps: Loaders['maps'] | null = null;
  #publicMaps: Loaders['publicMaps'] | null = null;
  #locations: Loaders['locations'] | null = null;
  #locationsByExternalId: Loaders['locationsByExternalId'] | null = null;
  #locationCounts: Loaders['locationCounts'] | null = null;
  #actors: Loaders['actors'] | null = null;
  #mapSearches: Loaders['mapSearches'] | null = null;
  #searchedMaps: Promise<readonly MapRecord[]> | null = null;

  constructor(services: Services, scope: Scope, budget: OperationBudget) {
    this.#services = services;
    this.#scope = scope;
    this.#budget = budget;
  }

  get maps(): Loaders['maps'] {
    this.#maps ??= new DataLoader<string, MapRecord, string>((ids) =>
      this.#services.maps.findMaps(this.#scope, ids),
    );
    return this.#maps;
  }

  get publicMaps(): Loaders['publicMaps'] {
    this.#publicMaps ??= new DataLoader<string, PublicMap, string>((ids) =>
      this.#services.publicMaps.find(this.#scope, ids),
    );
    return this.#publicMaps;
  }

  get locations(): Loaders['locations'] {
    this.#locations ??= this.#loaderOf((map, ids) =>
      this.#services.locations.findLocations(this.#scope, map, ids),
    );
    return this.#locations;
  }

  get locationsByExternalId(): Loaders['locationsByExternalId'] {
    this.#locationsByExternalId ??= this.#loaderOf((map, externalIds) =>
      this.#services.locations.findLocationsByExternalIds(this.#scope, map, externalIds),
    );
    return this.#locationsByExternalId;
  }

  get locationCounts(): Loaders['locationCounts'] {
    this.#locationCounts ??= new DataLoader<MapView, number, string>(
      (counted) =>
        Promise.all(counted.map((map) => this.#services.locations.countLocations(this.#scope, map))),
      { cacheKeyFn: keyOf },
    );
    return this.#locationCounts;
  }

  get actors(): Loaders['actors'] {
    this.#actors ??= new DataLoader<Actor, ShownActor, string>(
      (actors) => this.#services.history.shownActors(this.#scope, actors),
      { cacheKeyFn: (actor) => (actor.kind === 'operator' ? actor.kind : `${actor.kind} ${actor.id}`) },
    );
    return this.#actors;
  }

  get mapSearches(): Loaders['mapSearches'] {
    this.#mapSearches ??= new DataLoader<MapSearch, PickedPage<MapRecord>>(
      (searches) => this.#services.maps.searchMaps(this.#scope, searches),
      // Each search is for a single page.
      { cache: false },
    );
    return this.#mapSearches;
  }

  searchedMaps(): Promise<readonly MapRecord[]> {
    this.#searchedMaps ??= this.#findSearchedMaps();
    return this.#searchedMaps;
  }

  async #findSearchedMaps(): Promise<readonly MapRecord[]> {
    const maps = await this.#services.search.searchedMaps(this.#scope);
    for (const map of maps) this.maps.prime(map.id, map);
    return maps;
  }

  #loaderOf(find: FindLocations): Loaders['locations'] {
    return new DataLoader<LocationKey, LocationView, string>(
      (keys) => this.#budget.read(() => findByMap(find, keys), sizeOfResults),
      { cacheKeyFn: ({ map, id }) => `${keyOf(map)}/${id}`, maxBatchSize: MAX_PAGE_SIZE },
    );
  }
}

function sizeOfResults(results: readonly LocationViewResult[]): number {
  return sizeOfLocations(results.flatMap((result) => (result instanceof ServiceError ? [] : [result])));
}

/** One entry per id, in the given order. */
type FindLocations = (map: MapView, ids: readonly string[]) => Promise<LocationViewResult[]>;

/** A map in both views counts as two. */
function keyOf({ id, view }: MapView): string {
  return `${view ?? 'own'} ${id}`;
}

/** Groups the keys by map and makes one call per map, since every location query names its map. */
async function findByMap(find: FindLocations, keys: readonly LocationKey[]): Promise<LocationViewResult[]> {
  const maps = new Map(keys.map(({ map }) => [keyOf(map), map]));
  const results = new Map<string, LocationViewResult>();
  await Promise.all(
    [...maps].map(async ([mapKey, map]) => {
      const ids = keys.filter((key) => keyOf(key.map) === mapKey).map(({ id }) => id);
      const found = await find(map, ids);
      found.forEach((result, index) => results.set(`${mapKey}/${ids[index]}`, result));
    }),
  );
  return keys.map(({ map, id }) => results.get(`${keyOf(map)}/${id}`) ?? locationNotFound());
}

/** Caches the map that a mutation returned, and drops what the mutation may have changed. */
export function remember(loaders: Loaders, map: MapRecord): MapRecord {
  loaders.locationsByExternalId.clearAll();
  loaders.locationCounts.clear(map);
  loaders.maps.clear(map.id).prime(map.id, map);
  return map;
}
