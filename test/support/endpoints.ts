/** One interface to both endpoints, with comparable results: positions replace ids, and numbers replace failures. */

import type { ErrorCode } from '../../src/errors.ts';
import { ERRORS } from '../../src/errors.ts';
import type { TestResponse, TestEndpoints } from './server.ts';

export type TokenName = 'write' | 'read' | 'limited' | 'foreign' | 'invalid' | 'none';

export interface Creation {
  readonly fields: unknown;
  readonly order?: unknown;
  readonly key?: string;
}

/** A location without what differs between two services: its id is the index of its first appearance. */
export interface View {
  readonly position: number;
  readonly name: string;
  readonly placeId: string;
  readonly latLngLiteral: unknown;
  /** JSON text, so that the order of keys counts. */
  readonly properties: string;
}

/** The result of a request: locations, or the `error` number of /v0. */
export type Outcome =
  { readonly error: number } | { readonly views: readonly View[]; readonly isMore?: boolean };

export interface Endpoint {
  readonly server: TestEndpoints;
  create(map: string, token: TokenName, creation: Creation): Promise<Outcome>;
  /** The first pages, as many as there are. */
  list(map: string, token: TokenName, limit: number, pages: number): Promise<Outcome>;
  get(map: string, token: TokenName, id: string): Promise<Outcome>;
  delete(map: string, token: TokenName, id: string): Promise<Outcome>;
  /** Ids of locations by index. */
  readonly ids: string[];
}

export type Tokens = Readonly<Record<TokenName, string | null>>;

interface RawLocation {
  readonly id: string;
  readonly name: string;
  readonly placeId: string;
  readonly latLngLiteral: unknown;
  readonly properties: unknown;
}

function createViewer(ids: string[]) {
  return ({ id, name, placeId, latLngLiteral, properties }: RawLocation): View => {
    if (!ids.includes(id)) ids.push(id);
    return {
      position: ids.indexOf(id),
      name,
      placeId,
      latLngLiteral,
      properties: JSON.stringify(properties),
    };
  };
}

export function restEndpoint(server: TestEndpoints, tokens: Tokens): Endpoint {
  const ids: string[] = [];
  const view = createViewer(ids);

  const outcome = (response: TestResponse, read: (json: unknown) => RawLocation[]): Outcome => {
    if (response.status === 200) return { views: read(response.json).map(view) };
    const { error } = response.json as { error: number };
    const fitting = Object.values(ERRORS).filter((definition) => definition.error === error);
    expect(fitting.map(({ status }) => status as number)).toContain(response.status);
    return { error };
  };
  const single = (json: unknown) => json as RawLocation[];
  const path = (map: string, rest: string) => `/v0/map/${encodeURIComponent(map)}/${rest}`;

  return {
    server,
    ids,
    create: async (map, token, { fields, order, key }) =>
      outcome(
        await server.request('POST', path(map, 'location'), {
          token: tokens[token],
          body: { fields, order },
          headers: key === undefined ? {} : { 'idempotency-key': key },
        }),
        (json) => [(json as { data: RawLocation }).data],
      ),
    list: async (map, token, limit, pages) => {
      const views: View[] = [];
      let target: string | undefined = path(map, `locations?limit=${limit}`);
      for (let page = 0; page < pages && target !== undefined; page += 1) {
        const response: TestResponse = await server.request('GET', target, { token: tokens[token] });
        const found = outcome(response, single);
        if ('error' in found) return found;
        views.push(...found.views);
        const link = /^<(.*)>; rel="next"$/.exec(String(response.headers.link))?.[1];
        target = link?.slice(link.indexOf('/v0/'));
      }
      return { views, isMore: target !== undefined };
    },
    get: async (map, token, id) =>
      outcome(
        await server.request('GET', path(map, `location/${encodeURIComponent(id)}`), {
          token: tokens[token],
        }),
        single,
      ),
    delete: async (map, token, id) =>
      outcome(
        await server.request('DELETE', path(map, `location/${encodeURIComponent(id)}`), {
          token: tokens[token],
        }),
        single,
      ),
  };
}

type ListResponse =
  | { readonly error: number }
  | {
      readonly error?: undefined;
      readonly data: {
        readonly map: {
          readonly locations: {
            readonly nodes: readonly RawLocation[];
            readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
          };
        };
      };
    };

const LOCATION = 'id name placeId latLngLiteral { lat lng } properties';

export function graphqlEndpoint(server: TestEndpoints, tokens: Tokens): Endpoint {
  const ids: string[] = [];
  const view = createViewer(ids);

  const execute = async (token: TokenName, query: string, variables: Record<string, unknown>) => {
    const { json } = await server.graphql(query, variables, tokens[token]);
    const code = json.errors?.[0]?.extensions?.code as ErrorCode | undefined;
    if (code === undefined) return { data: json.data };
    expect(Object.keys(ERRORS)).toContain(code);
    return { error: ERRORS[code].error as number };
  };
  const one = async (
    token: TokenName,
    query: string,
    variables: Record<string, unknown>,
    read: (data: never) => RawLocation,
  ): Promise<Outcome> => {
    const response = await execute(token, query, variables);
    return response.error === undefined
      ? { views: [view(read(response.data as never))] }
      : { error: response.error };
  };

  return {
    server,
    ids,
    create: (map, token, { fields, order, key }) =>
      one(
        token,
        `mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { ${LOCATION} } } }`,
        { input: { mapId: map, fields, order, idempotencyKey: key } },
        (data: { createLocation: { location: RawLocation } }) => data.createLocation.location,
      ),
    list: async (map, token, limit, pages) => {
      const views: View[] = [];
      let isMore = true;
      let after: string | null = null;
      for (let page = 0; page < pages && isMore; page += 1) {
        const response: ListResponse = await execute(
          token,
          `query ($map: ID!, $first: Int, $after: String) { map(id: $map) { locations(first: $first, after: $after) {
            nodes { ${LOCATION} } pageInfo { hasNextPage endCursor } } } }`,
          { map, first: limit, after },
        );
        if (response.error !== undefined) return { error: response.error };
        const { nodes, pageInfo } = response.data.map.locations;
        views.push(...nodes.map(view));
        isMore = pageInfo.hasNextPage;
        after = pageInfo.endCursor;
      }
      return { views, isMore };
    },
    get: (map, token, id) =>
      one(
        token,
        `query ($map: ID!, $id: ID!) { location(mapId: $map, id: $id) { ${LOCATION} } }`,
        { map, id },
        (data: { location: RawLocation }) => data.location,
      ),
    delete: (map, token, id) =>
      one(
        token,
        `mutation ($map: ID!, $id: ID!) { deleteLocation(input: {mapId: $map, id: $id}) { location { ${LOCATION} } } }`,
        { map, id },
        (data: { deleteLocation: { location: RawLocation } }) => data.deleteLocation.location,
      ),
  };
}
