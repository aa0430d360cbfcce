/** Vector tiles of maps (capabilities §20), in the caller's view, and their description (TileJSON 3.0). */

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import { LRUCache } from 'lru-cache';

import type { Attribution } from '../../domain/attribution.ts';
import type { Box } from '../../domain/filter/box.ts';
import { around } from '../../domain/filter/box.ts';
import { gridOf } from '../../domain/clusters.ts';
import { searchedMap } from '../../domain/filter/location-search.ts';
import type { MapView } from '../../domain/public-view.ts';
import { ColumnsCollector } from '../../domain/tiles/location-columns.ts';
import type { Tile } from '../../domain/tiles/tile.ts';
import { boundsOfTiles, gridOfTile, rangeOfTile } from '../../domain/tiles/tile.ts';
import type { Geocoder } from '../../geocoding/geocoder.ts';
import type { Storage } from '../../storage/storage.ts';
import { attributionsOfMap } from '../maps/attributions.ts';
import { readableMap } from '../maps/public-maps.ts';
import type { Scope } from '../scope.ts';
import type { EncodedTile, TileCluster } from './encode-tile.ts';
import { TileEncoder } from './tile-encoder.ts';
import type { TileField } from './tile-fields.ts';
import { tileFields } from './tile-fields.ts';

/** Before compression. */
export const MAX_TILE_BYTES = 512_000;
/** From this zoom on, locations are not clustered. */
const UNCLUSTERED_ZOOM = 14;
/** Locations of a tile that are not clustered at lower zooms. */
const MAX_UNCLUSTERED = 500;
/** The same where the caller wants no clusters. */
const MAX_WITHOUT_CLUSTERS = 5_000;
/** A feature, without its fields, and its id take more bytes than this. */
const MIN_LOCATION_BYTES = 50;
const MAX_LOCATIONS = Math.floor(MAX_TILE_BYTES / MIN_LOCATION_BYTES);

const WORLD: Box = { south: -90, west: -180, north: 90, east: 180 };
/** 64 cells, enough for the bounds: each has the box of its locations. */
const WORLD_ZOOM = 1;

const compress = promisify(gzip);

export interface TileOptions {
  /** Names of fields, separated by commas; undefined for all. */
  readonly fields?: string | undefined;
  /** Whether locations may be clustered. */
  readonly isClustered: boolean;
}

/** A tile in the caller's view. */
export interface TileView {
  /** True for the public view. */
  readonly isPublic: boolean;
  /** Null for an empty tile. */
  readonly tile: MapTile | null;
}

export interface TileSet {
  readonly isPublic: boolean;
  readonly name: string;
  readonly fields: readonly TileField[];
  /** Around all tiles with locations; null where there are none. */
  readonly bounds: Box | null;
  readonly attributions: readonly Attribution[];
}

export class MapTile {
  readonly bytes: Uint8Array;
  /** Of the bytes. */
  readonly hash: string;
  /** Names of the fields that are left out to keep the tile small. */
  readonly leftOut: readonly string[];
  #gzipped: Promise<Uint8Array> | null = null;

  constructor(bytes: Uint8Array, leftOut: readonly string[]) {
    this.bytes = bytes;
    this.leftOut = leftOut;
    this.hash = createHash('sha1').update(bytes).digest('base64url');
  }

  gzipped(): Promise<Uint8Array> {
    this.#gzipped ??= compress(this.bytes);
    return this.#gzipped;
  }
}

/** A cached tile, or that there is none. */
interface CachedTile {
  readonly tile: MapTile | null;
}

/** Maps whose bounds are kept. */
const MAX_BOUNDS = 1_000;
/** Memory of a cached tile, without its bytes. */
const ENTRY_BYTES = 1_000;

export interface TileServiceOptions {
  readonly storage: Storage;
  readonly geocoder: Pick<Geocoder, 'attributions'>;
  /** Bytes of cached tiles; 0 disables the cache. */
  readonly cacheBytes: number;
}

export class TileService {
  readonly #storage: Storage;
  readonly #geocoder: TileServiceOptions['geocoder'];
  readonly #encoder = new TileEncoder();
  readonly #cache: LRUCache<string, CachedTile> | null;
  readonly #bounds = new LRUCache<string, { readonly bounds: Box | null }>({ max: MAX_BOUNDS });

  constructor({ storage, geocoder, cacheBytes }: TileServiceOptions) {
    this.#storage = storage;
    this.#geocoder = geocoder;
    this.#cache =
      cacheBytes === 0
        ? null
        : new LRUCache({
            maxSize: cacheBytes,
            // Compressed bytes are kept, too, and are fewer.
            sizeCalculation: ({ tile }) => 2 * (tile?.bytes.byteLength ?? 0) + ENTRY_BYTES,
          });
  }

  /** @throws ServiceError MAP_NOT_FOUND; MAP_DELETED for members; OVERLOADED */
  async readTile(scope: Scope, mapId: string, tile: Tile, options: TileOptions): Promise<TileView> {
    const map = await readableMap(this.#storage, scope, mapId);
    const fields = tileFields(map.fields, options.fields);
    const make = () => this.#makeTile(scope, map, tile, fields, options);
    const isPublic = map.view === 'public';
    if (this.#cache === null) return { isPublic, tile: await make() };
    // Read before the locations: a tile that is newer than its revision is only dropped earlier.
    const revision = await this.#storage.listRevision(map.id, scope);
    // A tile depends on nothing else: in every view, other fields are not read.
    const key = JSON.stringify([
      ...[map.id, revision, tile.zoom, tile.x, tile.y, options.isClustered],
      fields.map((field) => [field.name, field.key]),
    ]);
    let cached = this.#cache.get(key);
    if (cached === undefined) {
      cached = { tile: await make() };
      this.#cache.set(key, cached);
    }
    return { isPublic, tile: cached.tile };
  }

  /** @throws ServiceError MAP_NOT_FOUND; MAP_DELETED for members */
  async describe(scope: Scope, mapId: string, wanted: string | undefined): Promise<TileSet> {
    const map = await readableMap(this.#storage, scope, mapId);
    const sources = { storage: this.#storage, geocoder: this.#geocoder };
    return {
      isPublic: map.view === 'public',
      name: map.name,
      fields: tileFields(map.fields, wanted),
      bounds: await this.#boundsOf(scope, map),
      attributions: await attributionsOfMap(sources, map.id, scope),
    };
  }

  close(): Promise<void> {
    return this.#encoder.close();
  }

  /** MongoDB adds up all locations for it. */
  async #boundsOf(scope: Scope, map: MapView): Promise<Box | null> {
    const key = `${map.id} ${await this.#storage.listRevision(map.id, scope)}`;
    const known = this.#bounds.get(key);
    if (known !== undefined) return known.bounds;
    const grid = gridOf(WORLD, WORLD_ZOOM);
    const query = { map: searchedMap(map), filter: null, grid, limit: Number.POSITIVE_INFINITY };
    const boxes = (await this.#storage.findClusters(query, scope))?.map(({ box }) => box) ?? [];
    const bounds = boxes.length === 0 ? null : boundsOfTiles(boxes.reduce(around));
    this.#bounds.set(key, { bounds });
    return bounds;
  }

  async #makeTile(
    scope: Scope,
    map: MapView,
    tile: Tile,
    fields: readonly TileField[],
    { isClustered }: TileOptions,
  ): Promise<MapTile | null> {
    const limit =
      tile.zoom >= UNCLUSTERED_ZOOM ? MAX_LOCATIONS : isClustered ? MAX_UNCLUSTERED : MAX_WITHOUT_CLUSTERS;
    const found = await this.#storage.readColumns(
      {
        ...{ mapId: map.id, range: rangeOfTile(tile), limit },
        ...{ fields: fields.map(({ name }) => name), maxFieldBytes: MAX_TILE_BYTES },
      },
      scope,
    );
    const encode = (columns: Uint8Array, clusters: readonly TileCluster[], canBeNameless: boolean) =>
      this.#encoder.encode({
        ...{ tile, columns, clusters, canBeNameless, maxBytes: MAX_TILE_BYTES },
        keys: fields.map(({ key }) => key),
      });
    let encoded = found === null ? null : await encode(found, [], false);
    if (encoded === null) {
      const { columns, clusters } = await this.#readClusters(scope, map, tile, fields);
      encoded = await encode(columns, clusters, true);
    }
    return encoded === null || encoded.bytes.byteLength === 0 ? null : toMapTile(encoded, fields);
  }

  /** The cells of a tile. Those with one location show it. */
  async #readClusters(
    scope: Scope,
    map: MapView,
    tile: Tile,
    fields: readonly TileField[],
  ): Promise<{ readonly columns: Uint8Array; readonly clusters: readonly TileCluster[] }> {
    const query = {
      map: searchedMap(map),
      filter: null,
      grid: gridOfTile(tile),
      limit: Number.POSITIVE_INFINITY,
    };
    const found = (await this.#storage.findClusters(query, scope)) ?? [];
    const columns = new ColumnsCollector(
      fields.map(({ name }) => name),
      MAX_TILE_BYTES,
    );
    const clusters: TileCluster[] = [];
    for (const { location, count, latitudes, longitudes } of found) {
      if (location === null) {
        clusters.push({ latitude: latitudes / count, longitude: longitudes / count, count });
      } else columns.add(location);
    }
    return { columns: new TextEncoder().encode(JSON.stringify(columns.finish())), clusters };
  }
}

function toMapTile({ bytes, leftOut }: EncodedTile, fields: readonly TileField[]): MapTile {
  const nameOf = (key: string) => fields.find((field) => field.key === key)?.name ?? key;
  return new MapTile(bytes, leftOut.map(nameOf));
}
