/** The locations of one map. */

import type { LocationChange, SubscribeOptions } from './changes.ts';
import { followChanges } from './changes.ts';
import type { Connection } from './connection.ts';
import { CREATE, DELETE, LOCATIONS, MOVE, UPDATE } from './documents.ts';
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

/** A new location; without an idempotency key it gets one. */
export type NewLocation = Omit<CreateLocationInput, 'mapId'>;
/** What is to be another; what is not given stays. */
export type LocationUpdate = Omit<UpdateLocationInput, 'mapId' | 'id'>;
/** Exactly one of `before`, `after` (ids of locations), `toStart` and `toEnd` (`true`). */
export type Place = Omit<MoveLocationsInput, 'mapId' | 'ids'>;

export interface ListOptions {
  readonly filter?: LocationFilter | undefined;
  readonly orderBy?: LocationOrderInput | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** All of them fail with a MapLocationsError, or with the reason of a signal that was aborted. */
export interface MapClient {
  readonly id: string;
  /** The map's list, or what a filter lets through: 100 are asked for at a time, when the caller has taken those before. */
  locations(options?: ListOptions): AsyncGenerator<Location, void>;
  /** All that the filter lets through. */
  find(filter: LocationFilter): Promise<Location[]>;
  /** Creates a location once, however often it has to be asked. */
  create(input: NewLocation): Promise<Location>;
  update(id: string, input: LocationUpdate): Promise<Location>;
  /** Puts locations together, in the order given. */
  move(ids: readonly string[], place: Place): Promise<Location[]>;
  /** Answers the location as it was. */
  delete(id: string): Promise<Location>;
  /**
   * Every change from now on, or after a cursor. It goes on after an interruption; where changes are lost it yields
   * `resync`, as it does at first without `since`: read the locations then. Ends with an error when the map is deleted,
   * when the token is valid no longer, and at once where nobody answers at first.
   */
  subscribe(options?: SubscribeOptions): AsyncGenerator<LocationChange, void>;
}

export function mapClient(connection: Connection, id: string): MapClient {
  const write = <Data>(query: string, input: object, isSafe = false) =>
    connection.ask<Data>({ query, variables: { input: { mapId: id, ...input } } }, isSafe);

  async function* locations({ filter, orderBy, signal }: ListOptions = {}): AsyncGenerator<Location, void> {
    for (let after: string | null = null; ;) {
      const variables = { mapId: id, filter, orderBy, after };
      const data: LocationsQuery = await connection.ask({ query: LOCATIONS, variables, signal }, true);
      const { nodes, pageInfo } = there(data.map?.locations);
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
      return there(data.createLocation).location;
    },
    async update(locationId, input) {
      const data = await write<UpdateMutation>(UPDATE, { ...input, id: locationId });
      return there(data.updateLocation).location;
    },
    async move(ids, place) {
      const data = await write<MoveMutation>(MOVE, { ...place, ids });
      return there(data.moveLocations).locations;
    },
    async delete(locationId) {
      const data = await write<DeleteMutation>(DELETE, { id: locationId });
      return there(data.deleteLocation).location;
    },
    subscribe: (options = {}) => followChanges(connection, id, options),
  };
}

/** Of an answer without errors nothing is missing. */
function there<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) {
    throw new MapLocationsError('INTERNAL_SERVER_ERROR', 'The answer lacks what was asked for.');
  }
  return value;
}

/** 128 random bits. `randomUUID` is not there for pages without TLS. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
