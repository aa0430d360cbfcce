/** The OpenAPI document of /v0, made from the table of its rows. */

import type { V0Row } from '../table.ts';
import type { HeaderSettings } from './headers.ts';
import { createHeaders } from './headers.ts';
import type { Method, OpenApiDocument, OpenApiOperation } from './openapi.ts';
import { createResponses } from './responses.ts';
import type { SchemaSettings } from './schemas.ts';
import { createSchemas } from './schemas.ts';

export interface OpenApiSettings extends SchemaSettings, Omit<HeaderSettings, 'baseUrl'> {
  readonly publicUrl: string | null;
  /** Whether a JWT is a token. */
  readonly acceptsJwts: boolean;
  /** Bytes of a request's body at most. */
  readonly bodyLimit: number;
}

/** Of the interface, which the path's prefix stands for; not of the program. */
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
      { name: 'Maps', description: 'Maps are read here. They are made and changed through GraphQL.' },
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
            'A token of the server, as `map-locations token create` prints it. It has the scope `read` or `write`, may be limited to one map, and may expire.',
        },
      },
    },
  };
}

function introduction(errorStatus: number | null): string {
  const statuses =
    errorStatus === null
      ? 'What HTTP itself defines has its own status. Everything about the content of the request is 400, and `error` tells which.'
      : `Every failure has the status ${errorStatus}, and \`error\` tells which.`;
  return [
    'Maps, and the locations on them. A location is made of free-form fields, and its address is geocoded.',
    `A failure answers \`{"error": …, "message": "…"}\`. ${statuses}`,
    '`HEAD` answers as `GET` without the body, and `OPTIONS` with the methods of the path. One trailing slash is ignored, as are unknown query parameters.',
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
        description: `A JSON object in UTF-8 without a byte order mark, of at most ${settings.bodyLimit.toLocaleString('en-US')} bytes. Of equal keys the last one counts. An integer beyond ±9007199254740991 is refused; send it as a string.`,
        required: true as const,
        content: {
          'application/json': { schema: body.schema, examples: { example: { value: body.example } } },
        },
      },
    }),
    responses: createResponses(row, settings),
  };
}
