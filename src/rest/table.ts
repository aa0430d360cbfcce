/**
 * The /v0 table. Each row names a GraphQL operation, and how a request maps to its variables and its data to the
 * response. Rows do not access the store.
 */

import { isJsonObject } from '../domain/json/json.ts';
import { badUserInput } from '../errors.ts';
import type { Operation } from '../graphql/execution/operation.ts';
import type { Access } from '../services/authorization.ts';
import type { RowDescription } from './descriptions.ts';
import { createDescriptions } from './descriptions.ts';
import { createDocuments } from './documents.ts';
import { v0TypeOf } from './field-types.ts';
import type { V0Request, Variables } from './request.ts';

export interface V0Settings {
  /** Prefix of the property that holds a map's provider key. */
  readonly mapProvider: string;
  /** Form of the response body of get and delete. */
  readonly singleLocation: 'array' | 'object';
}

export interface V0Response {
  readonly body: unknown;
  /** The value of the `Link` header. */
  readonly link?: string | null;
}

export interface V0Row {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly operation: Operation;
  /** The operation's mutation; absent for reads. */
  readonly mutation?: string;
  /** @throws ServiceError BAD_USER_INPUT for a request that does not map to the operation's variables */
  variables(request: V0Request): Variables;
  /** Authorization to check before the form of the request, if the form can be wrong (contract §1). */
  readonly access?: Access;
  /** For the OpenAPI document. */
  readonly description: RowDescription;
  // The document determines the type of the data; graphql-js guarantees it.
  response(data: never, request: V0Request): V0Response;
  /**
   * The `Link` of a page for which the upstream responds 304.
   *
   * @param next query of the upstream's `Link`, without `limit`
   */
  linkOfUnchanged?(next: string, request: V0Request): string | null;
}

/** How a list is read, and how its pages are linked. */
export type ListRow = Pick<V0Row, 'operation' | 'variables' | 'response' | 'linkOfUnchanged'>;

interface MapData extends Record<string, unknown> {
  readonly fields: readonly { readonly name: string; readonly type: string }[];
}

interface LocationData {
  readonly location: unknown;
}

export function createTable({ mapProvider, singleLocation }: V0Settings, list: ListRow): readonly V0Row[] {
  const documents = createDocuments();
  const descriptions = createDescriptions(mapProvider, singleLocation);
  const single = (location: unknown) => (singleLocation === 'array' ? [location] : location);

  return [
    {
      method: 'GET',
      path: '/v0/map/:mapId',
      operation: documents.map,
      description: descriptions.map,
      variables: ({ mapId }) => ({ mapId }),
      response: ({ map }: { map: MapData }) => ({ body: { data: toMap(map, mapProvider) } }),
    },
    {
      method: 'POST',
      path: '/v0/map/:mapId/location',
      operation: documents.createLocation,
      mutation: 'createLocation',
      description: descriptions.createLocation,
      variables: ({ mapId, body, idempotencyKey }) => ({
        input: { mapId, fields: readFields(body), order: readOrder(body), idempotencyKey },
      }),
      access: { role: 'editor' },
      response: ({ createLocation }: { createLocation: LocationData }) => ({
        body: { data: createLocation.location },
      }),
    },
    {
      method: 'GET',
      path: '/v0/map/:mapId/locations',
      ...list,
      description: descriptions.locations,
      access: { role: 'viewer' },
    },
    {
      method: 'GET',
      path: '/v0/map/:mapId/location/:locationId',
      operation: documents.location,
      description: descriptions.location,
      variables: ({ mapId, locationId }) => ({ mapId, id: locationId }),
      response: ({ location }: LocationData) => ({ body: single(location) }),
    },
    {
      method: 'DELETE',
      path: '/v0/map/:mapId/location/:locationId',
      operation: documents.deleteLocation,
      mutation: 'deleteLocation',
      description: descriptions.deleteLocation,
      variables: ({ mapId, locationId }) => ({ input: { mapId, id: locationId } }),
      response: ({ deleteLocation }: { deleteLocation: LocationData }) => ({
        body: single(deleteLocation.location),
      }),
    },
  ];
}

function readFields({ fields }: V0Request['body']) {
  if (!isJsonObject(fields)) throw badUserInput('fields is required and must be a JSON object.');
  return fields;
}

function readOrder({ order }: V0Request['body']): string | null {
  if (order === undefined || order === null) return null;
  if (typeof order !== 'string') throw badUserInput('order must be a string.');
  return order;
}

/** Omits optional fields without a value, and prefixes the provider key's name. */
function toMap(map: MapData, mapProvider: string): Record<string, unknown> {
  const fields = map.fields.map(({ name, type }) => ({ name, type: v0TypeOf(type) }));
  return Object.fromEntries(
    Object.entries<unknown>({ ...map, fields })
      .filter(([, value]) => value !== null)
      .map(([key, value]) => [key === 'providerMapApiKey' ? `${mapProvider}MapApiKey` : key, value]),
  );
}
