/** The locations of one map. */

import type { LocationChange, SubscribeOptions } from './changes.ts';
import { followChanges } from './changes.ts';
import type { Connection } from './connection.ts';
import { CHANGES, CREATE, DELETE, LOCATIONS, MOVE, UPDATE } from './documents.ts';
import { MapLocationsError } from './errors.ts';
import type {
  CreateLocationInput,
  CreateMutation,
  DeleteMutation,
  LocationFilter,
  LocationFragment,
  LocationOrderInput,
  LocationsQuery,
  MoveLocationsInput,
  MoveMutation,
  UpdateLocationInput,
  UpdateMutation,
} from './generated/operations.ts';

export type Location = LocationFragment;
export type { LocationFilter, LocationOrderInput };

/** A new location. An idempotency key is added if there is none. */
export type NewLocation = Omit<CreateLocationInput, 'mapId'>;
/** The values to change; omitted values stay. */
export type LocationUpdate = Omit<UpdateLocationInput, 'mapId' | 'id'>;
/** Exactly one of `before`, `after` (ids of locations), `toStart` and `toEnd` (`true`). */
export type Place = Omit<MoveLocationsInput, 'mapId' | 'ids'>;

export interface ListOptions {
  readonly filter?: LocationFilter | undefined;
  readonly orderBy?: LocationOrderInput | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Methods fail with a MapLocationsError, or with the reason of an aborted signal. */
export interface MapClient {
  readonly id: string;
  /** The list of the map, or the locations that match a filter. Requests 100 at a time, as the caller reads them. */
  locations(options?: ListOptions): AsyncGenerator<Location, void>;
  /** All locations that match the filter. */
  find(filter: LocationFilter): Promise<Location[]>;
  /** Creates a location exactly once, even if the request is retried. */
  create(input: NewLocation): Promise<Location>;
  update(id: string, input: LocationUpdate): Promise<Location>;
  /** Moves locations to one position of the list, together and in the given order. */
  move(ids: readonly string[], place: Place): Promise<Location[]>;
  /** Returns the deleted location. */
  delete(id: string): Promise<Location>;
  /**
   * Yields every change from now on, or after a cursor, and resumes after an interruption. `resync` means that changes may be
   * missing, and also comes first without `since`: read the locations then. Fails when the map is deleted, when the token is
   * no longer valid, and when the first request gets no response.
   */
  subscribe(options?: SubscribeOptions): AsyncGenerator<LocationChange, void>;
}

export function mapClient(connection: Connection, id: string): MapClient {
  const write = <Data>(query: string, input: object, isSafe = false) =>
    connection.execute<Data>({ query, variables: { input: { mapId: id, ...input } } }, isSafe);

  async function* locations({ filter, orderBy, signal }: ListOptions = {}): AsyncGenerator<Location, void> {
    for (let after: string | null = null; ;) {
      const variables = { mapId: id, filter, orderBy, after };
      const data: LocationsQuery = await connection.execute({ query: LOCATIONS, variables, signal }, true);
      const { nodes, pageInfo } = presentOf(data.map?.locations);
      yield* nodes;
      if (!pageInfo.hasNextPage) return;
      after = pageInfo.endCursor;
    }
  }

  return {
    id,
    locations,
    async find(filter) {
      const found: Location[] = [];
      for await (const location of locations({ filter })) found.push(location);
      return found;
    },
    async create(input) {
      const data = await write<CreateMutation>(CREATE, { idempotencyKey: newKey(), ...input }, true);
      return presentOf(data.createLocation).location;
    },
    async update(locationId, input) {
      const data = await write<UpdateMutation>(UPDATE, { ...input, id: locationId });
      return presentOf(data.updateLocation).location;
    },
    async move(ids, place) {
      const data = await write<MoveMutation>(MOVE, { ...place, ids });
      return presentOf(data.moveLocations).locations;
    },
    async delete(locationId) {
      const data = await write<DeleteMutation>(DELETE, { id: locationId });
      return presentOf(data.deleteLocation).location;
    },
    subscribe: (options = {}) =>
      followChanges<LocationChange>(
        connection,
        (since) => ({ query: CHANGES, variables: { mapId: id, since } }),
        options,
      ),
  };
}

/** A result without errors is complete. */
function presentOf<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) {
    throw new MapLocationsError('INTERNAL_SERVER_ERROR', 'The response lacks the requested data.');
  }
  return value;
}

/** 128 random bits. Pages without TLS have no `randomUUID`. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
