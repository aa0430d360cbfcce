/** Builds the OpenAPI document of /v0 from its table. */

import type { V0Row } from '../table.ts';
import type { HeaderSettings } from './headers.ts';
import { createHeaders } from './headers.ts';
import type { Method, OpenApiDocument, OpenApiOperation } from './openapi.ts';
import { createResponses } from './responses.ts';
import type { SchemaSettings } from './schemas.ts';
import { createSchemas } from './schemas.ts';

export interface OpenApiSettings extends SchemaSettings, Omit<HeaderSettings, 'baseUrl'> {
  readonly publicUrl: string | null;
  /** Whether JWTs are accepted as tokens. */
  readonly acceptsJwts: boolean;
  /** Maximum size of a request body in bytes. */
  readonly bodyLimit: number;
}

/** Version of the interface that the path prefix names, not of the program. */
const INTERFACE_VERSION = '1.0.0';
const EXAMPLE_URL = 'https://maps.example.org';

export function createOpenApi(rows: readonly V0Row[], settings: OpenApiSettings): OpenApiDocument {
  const { publicUrl, errorStatus } = settings;
  const paths: Record<string, Partial<Record<Method, OpenApiOperation>>> = {};
  for (const row of rows) {
    const path = row.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: describe(row, settings) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Map Locations, /v0',
      version: INTERFACE_VERSION,
      description: introduction(errorStatus),
    },
    servers: [{ url: publicUrl ?? '/' }],
    security: [{ bearer: [] }],
    tags: [
      { name: 'Maps', description: 'Read maps. To create and change them, use GraphQL.' },
      { name: 'Locations', description: 'The locations of a map.' },
    ],
    paths,
    components: {
      schemas: createSchemas(settings),
      headers: createHeaders({ ...settings, baseUrl: publicUrl ?? EXAMPLE_URL }),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A token as `map-locations token create` prints it. It has the scope `read` or `write`, may be limited to one map, and may expire.',
        },
      },
    },
  };
}

function introduction(errorStatus: number | null): string {
  const statuses =
    errorStatus === null
      ? 'Errors that HTTP defines have their own status. All errors about the content of the request have 400; `error` tells them apart.'
      : `Every error has the status ${errorStatus}; \`error\` tells them apart.`;
  return [
    'Maps and their locations. A location has free-form fields, and its address is geocoded.',
    `The body of an error is \`{"error": …, "message": "…"}\`. ${statuses}`,
    '`HEAD` is `GET` without the body, and `OPTIONS` returns the methods of the path. One trailing slash and unknown query parameters are ignored.',
  ].join('\n\n');
}

function describe(row: V0Row, settings: OpenApiSettings): OpenApiOperation {
  const { operationId, summary, description, parameters, body } = row.description;
  return {
    operationId,
    summary,
    description,
    tags: [row.path.includes('/location') ? 'Locations' : 'Maps'],
    parameters,
    ...(body !== null && {
      requestBody: {
        description: `A JSON object in UTF-8 without a byte order mark, of at most ${settings.bodyLimit.toLocaleString('en-US')} bytes. The last of equal keys wins. Integers beyond ±9007199254740991 are rejected; send them as strings.`,
        required: true as const,
        content: {
          'application/json': { schema: body.schema, examples: { example: { value: body.example } } },
        },
      },
    }),
    responses: createResponses(row, settings),
  };
}
