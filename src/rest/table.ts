/**
 * The /v0 table. Each row names a GraphQL operation, and says how a request becomes its variables and how its data
 * become the answer. A row itself reads nothing from the store.
 */

import { isJsonObject } from '../domain/json/json.ts';
import { badUserInput } from '../errors.ts';
import type { Operation } from '../graphql/execution/operation.ts';
import type { Access } from '../services/authorization.ts';
import type { RowDescription } from './descriptions.ts';
import { createDescriptions } from './descriptions.ts';
import { createDocuments } from './documents.ts';
import type { V0Request, Variables } from './request.ts';

export interface V0Settings {
  /** The first word of the name under which a Map gives its provider key. */
  readonly mapProvider: string;
  /** The response body of get and delete. */
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
  /** The mutation that the operation is; absent where it reads. */
  readonly mutation?: string;
  /** @throws ServiceError BAD_USER_INPUT for a request that cannot be expressed as the operation's variables */
  variables(request: V0Request): Variables;
  /**
   * What is checked before the form of the request, when the form can be wrong (contract §1): the scope and the map.
   */
  readonly access?: Access;
  /** For the OpenAPI document. */
  readonly description: RowDescription;
  // The type of the data follows from the document. graphql-js guarantees it.
  response(data: never, request: V0Request): V0Response;
  /**
   * The `Link` of a page that the upstream has answered 304 for.
   *
   * @param next of the upstream's own `Link`: its query without `limit`
   */
  linkOfUnchanged?(next: string, request: V0Request): string | null;
}

/** How a list is read, and how its pages are linked. */
export type ListRow = Pick<V0Row, 'operation' | 'variables' | 'response' | 'linkOfUnchanged'>;

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
      response: ({ map }: { map: Record<string, unknown> }) => ({ body: { data: toMap(map, mapProvider) } }),
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
      access: { scope: 'write' },
      response: ({ createLocation }: { createLocation: LocationData }) => ({
        body: { data: createLocation.location },
      }),
    },
    {
      method: 'GET',
      path: '/v0/map/:mapId/locations',
      ...list,
      description: descriptions.locations,
      access: { scope: 'read' },
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

/** An optional field without a value is left out. The provider key's name begins with the provider's. */
function toMap(map: Record<string, unknown>, mapProvider: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(map)
      .filter(([, value]) => value !== null)
      .map(([key, value]) => [key === 'providerMapApiKey' ? `${mapProvider}MapApiKey` : key, value]),
  );
}
