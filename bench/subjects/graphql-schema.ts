/** Our GraphQL schema with resolvers by hand over the SQLite file, shared by the GraphQL peers. */

import { readdirSync, readFileSync } from 'node:fs';

import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { GraphQLError, GraphQLScalarType } from 'graphql';

import { decodeCursor, encodeCursor } from './cursor.ts';
import { toPlainDecimal } from './decimal.ts';
import type { Caller, LocationRow, MapRow, Store } from './store.ts';

export interface Context {
  readonly store: Store;
  readonly caller: Caller | null;
}

interface PageArguments {
  readonly first?: number | null;
  readonly after?: string | null;
}

interface Page {
  readonly map: MapRow;
  readonly first: LocationRow | undefined;
  readonly nodes: readonly object[];
  readonly nextOrder: string | null;
  readonly pageInfo: object;
}

const SCHEMA = new URL('../../schema/', import.meta.url);

export function createSchema(): GraphQLSchema {
  const typeDefs = readdirSync(SCHEMA)
    .filter((name) => name.endsWith('.graphql'))
    .map((name) => readFileSync(new URL(name, SCHEMA), 'utf8'));
  return makeExecutableSchema<Context>({ typeDefs, resolvers });
}

const resolvers = {
  Query: {
    map: (_parent: unknown, { id }: { id: string }, { store, caller }: Context): MapRow => {
      if (caller === null) throw failure('UNAUTHENTICATED', 'The token is not valid.');
      const map = store.findMap(caller, id);
      if (map === null) throw failure('MAP_NOT_FOUND', 'There is no such map, or it is not yours.');
      return map;
    },
  },
  Map: {
    isDeleted: (map: MapRow) => map.isDeleted === 1,
    isPublished: (map: MapRow) => map.isPublished === 1,
    fields: (map: MapRow) => JSON.parse(map.fields) as object[],
    locations: (map: MapRow, { first, after }: PageArguments, { store }: Context): Page => {
      if (map.isDeleted === 1) throw failure('MAP_DELETED', 'The map is deleted.');
      const limit = first ?? 100;
      if (limit < 1 || limit > 100) throw failure('BAD_USER_INPUT', 'first must be from 1 to 100.');
      const start = after ? decodeCursor(map.id, after) : { orderKey: '', sequence: 0 };
      if (start === null) throw failure('BAD_USER_INPUT', 'after must be a cursor of this connection.');
      const rows = store.listLocations(map.number, start.orderKey, start.sequence, limit + 1);
      const next = rows.length > limit ? rows.pop() : undefined;
      const last = rows.at(-1);
      return {
        map,
        first: rows[0],
        nodes: rows.map(toLocation),
        nextOrder: next?.order ?? null,
        pageInfo: {
          hasNextPage: next !== undefined,
          endCursor: last === undefined ? null : encodeCursor(map.id, last),
        },
      };
    },
  },
  DateTime: new GraphQLScalarType({
    name: 'DateTime',
    serialize: (value) => new Date(value as number).toISOString(),
  }),
  JSONObject: new GraphQLScalarType({ name: 'JSONObject', serialize: (value) => value }),
  Latitude: degrees('Latitude', 90),
  Longitude: degrees('Longitude', 180),
};

/** A complete location, so that the executors only read properties, which they do inline. */
function toLocation(row: LocationRow): object {
  return {
    id: row.id,
    name: row.name,
    placeId: row.placeId,
    latLngLiteral: { lat: toPlainDecimal(row.latitude), lng: toPlainDecimal(row.longitude) },
    latitude: row.latitude,
    longitude: row.longitude,
    properties: JSON.parse(row.properties) as object,
    order: row.order,
    createdAt: row.createdAt,
    geocoding: { provider: row.provider, precision: row.precision },
  };
}

function degrees(name: string, limit: number): GraphQLScalarType {
  return new GraphQLScalarType({
    name,
    serialize(value) {
      if (typeof value === 'number' && Math.abs(value) <= limit) return value;
      throw new GraphQLError(`${name} must be a number of degrees.`);
    },
  });
}

function failure(code: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}
