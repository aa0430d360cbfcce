/** A client for Map Locations, for Node and browsers. It has no dependencies. */

import type { ClientOptions } from './connection.ts';
import { Connection } from './connection.ts';
import type { MapClient } from './map.ts';
import { mapClient } from './map.ts';

export type { LocationChange, SubscribeOptions } from './changes.ts';
export type { ClientOptions } from './connection.ts';
export { MapLocationsError } from './errors.ts';
export type {
  ListOptions,
  Location,
  LocationFilter,
  LocationOrderInput,
  LocationUpdate,
  MapClient,
  NewLocation,
  Place,
} from './map.ts';

export interface Client {
  /** The locations of a map, by its id. Sends no request. */
  map(id: string): MapClient;
}

/** @throws MapLocationsError BAD_USER_INPUT for an invalid URL */
export function createClient(options: ClientOptions): Client {
  const connection = new Connection(options);
  return { map: (id) => mapClient(connection, id) };
}
