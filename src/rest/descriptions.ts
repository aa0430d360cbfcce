/** Descriptions of the /v0 table's rows for the OpenAPI document: input, response, failures. */

import type { V0ErrorCode } from './status.ts';
import { IDEMPOTENCY_TTL_MS } from '../services/locations/idempotency.ts';
import { FIELDS, LOCATION, LOCATION_ID, MAP_ID, mapExample } from './openapi/examples.ts';
import type { JsonSchema, Parameter } from './openapi/openapi.ts';
import { object, PARAMETER_SCHEMAS, ref } from './openapi/schemas.ts';

export interface RowDescription {
  readonly operationId: string;
  /** A few words. */
  readonly summary: string;
  /** Sentences, in CommonMark. */
  readonly description: string;
  readonly parameters: readonly Parameter[];
  /** Null if the operation has no body. */
  readonly body: { readonly schema: JsonSchema; readonly example: unknown } | null;
  /** The response with status 200. */
  readonly response: {
    readonly description: string;
    readonly schema: JsonSchema;
    readonly example: unknown;
    /** Whether it can have a `Link` to a next page. */
    readonly hasLink?: boolean;
  };
  /** Failures in addition to those of every row. */
  readonly failures?: readonly V0ErrorCode[];
}

export interface V0Descriptions {
  readonly map: RowDescription;
  readonly createLocation: RowDescription;
  readonly locations: RowDescription;
  readonly location: RowDescription;
  readonly deleteLocation: RowDescription;
}

const mapId: Parameter = {
  name: 'mapId',
  in: 'path',
  required: true,
  description: 'Identifier of the map.',
  schema: PARAMETER_SCHEMAS.id,
  example: MAP_ID,
};
const locationId: Parameter = {
  ...mapId,
  name: 'locationId',
  description: 'Identifier of the location.',
  example: LOCATION_ID,
};
const ifNoneMatch: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'ETags of responses that the client has cached, or `*`. If one is current, the response is 304.',
  schema: PARAMETER_SCHEMAS.text,
};
const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    `Makes it safe to repeat the request for ${IDEMPOTENCY_TTL_MS / 3_600_000} hours. ` +
    'The same key, token, map and body return the first response again, and nothing more is stored. ' +
    'The same key with another body fails with 409. Only successful requests are remembered. 1 to 255 printable ASCII characters.',
  schema: PARAMETER_SCHEMAS.idempotencyKey,
  example: 'cafe-1',
};
const prefer: Parameter = {
  name: 'Prefer',
  in: 'header',
  description: '`wait=SECONDS` (RFC 7240): how long the client is willing to wait for geocoding.',
  schema: PARAMETER_SCHEMAS.text,
  example: 'wait=10',
};

/** Pages are located by order, since locations may be inserted and deleted meanwhile. */
const page: readonly Parameter[] = [
  {
    name: 'limit',
    in: 'query',
    description: 'Maximum number of locations on the page.',
    schema: PARAMETER_SCHEMAS.limit,
    example: 100,
  },
  {
    name: 'offset',
    in: 'query',
    description: 'An order. The page starts with the first location at or after it.',
    schema: PARAMETER_SCHEMAS.offset,
    example: '101',
  },
  {
    name: 'offsetAfter',
    in: 'query',
    description:
      'The location after which the page starts, if several have the order `offset`. ' +
      'Taken from the `Link` of the previous page, not written by hand; requires `offset`.',
    schema: PARAMETER_SCHEMAS.offsetAfter,
  },
];

export function createDescriptions(mapProvider: string, singleLocation: 'array' | 'object'): V0Descriptions {
  const single =
    singleLocation === 'array'
      ? {
          schema: { type: 'array', items: ref('Location'), minItems: 1, maxItems: 1 },
          example: [LOCATION],
        }
      : { schema: ref('Location'), example: LOCATION };
  const inArray = singleLocation === 'array' ? ', in an array of one' : '';

  return {
    map: {
      operationId: 'getMap',
      summary: 'Get a map',
      description: "A map of the token's owner, with its field definitions.",
      parameters: [mapId, ifNoneMatch],
      body: null,
      response: {
        description: 'The map.',
        schema: object('The map, as `data`.', { data: ref('Map') }),
        example: { data: mapExample(mapProvider) },
      },
    },
    createLocation: {
      operationId: 'createLocation',
      summary: 'Create a location',
      description:
        'Geocodes the address and stores the location, at its `order` or at the end of the list. The token needs the scope `write`.',
      parameters: [mapId, idempotencyKey, prefer],
      body: { schema: ref('NewLocation'), example: { fields: FIELDS } },
      response: {
        description: 'The new location.',
        schema: object('The location, as `data`.', { data: ref('Location') }),
        example: { data: LOCATION },
      },
      failures: [
        'FORBIDDEN',
        'UNSUPPORTED_MEDIA_TYPE',
        'PAYLOAD_TOO_LARGE',
        'MAP_DELETED',
        'CONFLICT',
        'ADDRESS_NOT_FOUND',
        'GEOCODER_REFUSED',
        'GEOCODER_UNAVAILABLE',
      ],
    },
    locations: {
      operationId: 'listLocations',
      summary: 'List locations',
      description:
        'A page of the list, in ascending `order`. Every page but the last has a `Link` to the next. ' +
        'Following these links returns every location exactly once, even while others are inserted and deleted.',
      parameters: [mapId, ...page, ifNoneMatch],
      body: null,
      response: {
        description: 'A page of locations.',
        schema: { type: 'array', items: ref('Location'), maxItems: PARAMETER_SCHEMAS.limit.maximum },
        example: [LOCATION],
        hasLink: true,
      },
      failures: ['MAP_DELETED'],
    },
    location: {
      operationId: 'getLocation',
      summary: 'Get a location',
      description: `One location of a map${inArray}.`,
      parameters: [mapId, locationId, ifNoneMatch],
      body: null,
      response: { description: `The location${inArray}.`, ...single },
      failures: ['MAP_DELETED', 'LOCATION_NOT_FOUND'],
    },
    deleteLocation: {
      operationId: 'deleteLocation',
      summary: 'Delete a location',
      description: 'Deletes a location. The token needs the scope `write`.',
      parameters: [mapId, locationId],
      body: null,
      response: { description: `The deleted location${inArray}.`, ...single },
      failures: ['FORBIDDEN', 'MAP_DELETED', 'LOCATION_NOT_FOUND'],
    },
  };
}
