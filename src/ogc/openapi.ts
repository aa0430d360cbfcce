/** The API definition of /ogc, in OpenAPI 3.0 (conformance class oas30). */

import { SITE_NAME } from '../web/pages.ts';
import { VERSION } from '../lib/version.ts';
import { GEOJSON_TYPE, HTML_TYPE, JSON_TYPE, OGC_PATH, OPENAPI_TYPE } from './links.ts';
import { DEFAULT_LIMIT, MAX_COLLECTIONS, MAX_LIMIT } from './query.ts';

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

const parameter = (name: string, description: string, schema: object) => ({
  name,
  in: 'query',
  description,
  required: false,
  style: 'form',
  explode: false,
  schema,
});

const PARAMETERS = {
  f: parameter('f', 'The format; by default, as the header Accept prefers.', {
    type: 'string',
    enum: ['json', 'html'],
  }),
  limit: parameter('limit', 'The most locations on a page.', {
    type: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
    default: DEFAULT_LIMIT,
  }),
  collectionsLimit: parameter('limit', 'The most maps on a page.', {
    type: 'integer',
    minimum: 1,
    maximum: MAX_COLLECTIONS,
    default: MAX_COLLECTIONS,
  }),
  bbox: parameter('bbox', 'Only locations in this box: west,south,east,north in degrees, or with heights.', {
    type: 'array',
    // The standard's test suite requires these two, though oneOf, which the standard's correction has, is exact.
    minItems: 4,
    maxItems: 6,
    oneOf: [
      { minItems: 4, maxItems: 4 },
      { minItems: 6, maxItems: 6 },
    ],
    items: { type: 'number' },
  }),
  datetime: parameter(
    'datetime',
    'Only locations last changed then: a time by RFC 3339, or START/END with .. for none.',
    {
      type: 'string',
    },
  ),
  cursor: parameter('cursor', 'Where a page begins, taken from the link to it.', { type: 'string' }),
  fields: {
    name: 'fields',
    in: 'query',
    description: 'Only locations whose field of that name has that value.',
    required: false,
    style: 'form',
    explode: true,
    schema: { type: 'object', additionalProperties: { type: 'string' } },
  },
  mapId: {
    name: 'mapId',
    in: 'path',
    description: 'The id of a map.',
    required: true,
    schema: { type: 'string' },
  },
  locationId: {
    name: 'locationId',
    in: 'path',
    description: 'The id of a location.',
    required: true,
    schema: { type: 'string' },
  },
};

const LINKS = { type: 'array', items: ref('schemas', 'link') };

const SCHEMAS = {
  link: {
    type: 'object',
    required: ['href', 'rel'],
    properties: {
      href: { type: 'string' },
      rel: { type: 'string' },
      type: { type: 'string' },
      title: { type: 'string' },
    },
  },
  landingPage: {
    type: 'object',
    required: ['links'],
    properties: { title: { type: 'string' }, description: { type: 'string' }, links: LINKS },
  },
  confClasses: {
    type: 'object',
    required: ['conformsTo'],
    properties: { conformsTo: { type: 'array', items: { type: 'string' } } },
  },
  collection: {
    type: 'object',
    required: ['id', 'links'],
    properties: {
      id: { type: 'string' },
      title: { type: 'string' },
      itemType: { type: 'string', default: 'feature' },
      crs: { type: 'array', items: { type: 'string' } },
      links: LINKS,
    },
  },
  collections: {
    type: 'object',
    required: ['links', 'collections'],
    properties: { links: LINKS, collections: { type: 'array', items: ref('schemas', 'collection') } },
  },
  feature: {
    type: 'object',
    required: ['type', 'id', 'geometry', 'properties'],
    properties: {
      type: { type: 'string', enum: ['Feature'] },
      id: { type: 'string' },
      geometry: {
        type: 'object',
        required: ['type', 'coordinates'],
        properties: {
          type: { type: 'string', enum: ['Point'] },
          coordinates: { type: 'array', minItems: 2, maxItems: 2, items: { type: 'number' } },
        },
      },
      properties: { type: 'object' },
      links: LINKS,
    },
  },
  featureCollection: {
    type: 'object',
    required: ['type', 'numberReturned', 'links', 'features'],
    properties: {
      type: { type: 'string', enum: ['FeatureCollection'] },
      attribution: { type: 'string' },
      numberReturned: { type: 'integer', minimum: 0 },
      numberMatched: { type: 'integer', minimum: 0 },
      links: LINKS,
      features: { type: 'array', items: ref('schemas', 'feature') },
    },
  },
  exception: {
    type: 'object',
    required: ['code'],
    properties: { code: { type: 'string' }, description: { type: 'string' } },
  },
};

const contentOf = (type: string, schema: object) => ({
  [type]: { schema },
  [HTML_TYPE]: { schema: { type: 'string' } },
});

const errorOf = (description: string) => ({
  description,
  content: contentOf(JSON_TYPE, ref('schemas', 'exception')),
});

/** By status. */
const RESPONSES = {
  '304': { description: 'The response that the client has, by If-None-Match, is current.' },
  '400': errorOf('A parameter is unknown or invalid.'),
  '401': errorOf('The token is unknown, expired or revoked.'),
  '403': errorOf('The token has none of the scopes that may read maps.'),
  '404': errorOf('The map or the location does not exist, or the caller may not see it.'),
  '410': errorOf('The map is deleted.'),
  '429': errorOf('The rate limit is exceeded. Retry-After says when to try again.'),
  '500': errorOf('An unexpected error.'),
  '503': errorOf(
    'The server is overloaded, or cannot reach its database. Retry-After says when to try again.',
  ),
};

type ParameterName = keyof typeof PARAMETERS;

function operation(
  operationId: string,
  summary: string,
  parameters: readonly ParameterName[],
  schema: object,
  type: string = JSON_TYPE,
) {
  const statuses = Object.keys(RESPONSES).filter(
    (status) => parameters.includes('mapId') || !['404', '410'].includes(status),
  );
  const others = Object.fromEntries(statuses.map((status) => [status, ref('responses', status)]));
  return {
    get: {
      operationId,
      summary,
      parameters: [...parameters, 'f' as const].map((name) => ref('parameters', name)),
      responses: { '200': { description: summary, content: contentOf(type, schema) }, ...others },
    },
  };
}

const schema = (name: keyof typeof SCHEMAS) => ref('schemas', name);

const PATHS = {
  '/': operation('getLandingPage', 'The documents of this API.', [], schema('landingPage')),
  '/conformance': operation('getConformance', 'The conformance classes.', [], schema('confClasses')),
  '/api': operation('getApi', 'This definition.', [], { type: 'object' }, OPENAPI_TYPE),
  '/collections': operation(
    'getCollections',
    'The published maps; with a token, those of its owner.',
    ['collectionsLimit', 'cursor'],
    schema('collections'),
  ),
  '/collections/{mapId}': operation('describeCollection', 'A map.', ['mapId'], schema('collection')),
  '/collections/{mapId}/items': operation(
    'getFeatures',
    'Locations of a map.',
    ['mapId', 'limit', 'bbox', 'datetime', 'cursor', 'fields'],
    schema('featureCollection'),
    GEOJSON_TYPE,
  ),
  '/collections/{mapId}/items/{locationId}': operation(
    'getFeature',
    'A location.',
    ['mapId', 'locationId'],
    schema('feature'),
    GEOJSON_TYPE,
  ),
};

export const OPERATIONS: readonly { readonly path: string; readonly summary: string }[] = Object.entries(
  PATHS,
).map(([path, { get }]) => ({ path: (OGC_PATH + path).replace(/\/$/, ''), summary: get.summary }));

const { limit } = PARAMETERS;

/** The parameters of locations, for readers. */
export const ITEMS_PARAMETERS: readonly { readonly name: string; readonly description: string }[] = [
  {
    name: limit.name,
    description: `${limit.description} From 1 to ${MAX_LIMIT}; ${DEFAULT_LIMIT} by default.`,
  },
  PARAMETERS.bbox,
  PARAMETERS.datetime,
  PARAMETERS.cursor,
  { name: 'FIELD', description: PARAMETERS.fields.description },
  PARAMETERS.f,
];

export function openapiDocument(baseUrl: string): object {
  return {
    openapi: '3.0.3',
    info: { title: `${SITE_NAME}: OGC API - Features`, version: VERSION },
    servers: [{ url: baseUrl + OGC_PATH }],
    security: [{}, { bearer: [] }],
    paths: PATHS,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      parameters: PARAMETERS,
      responses: RESPONSES,
      schemas: SCHEMAS,
    },
  };
}
