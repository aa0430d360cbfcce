/** The OpenAPI document of /v0 in front of an upstream, which may omit more members and fail in other ways. */

import { createOpenApi } from '../../rest/openapi/document.ts';
import type { OpenApiSettings } from '../../rest/openapi/document.ts';
import { errorExamples } from '../../rest/openapi/examples.ts';
import type { JsonSchema, OpenApiDocument, OpenApiOperation, Response } from '../../rest/openapi/openapi.ts';
import { headersOf } from '../../rest/openapi/responses.ts';
import { ref } from '../../rest/openapi/schemas.ts';
import type { V0Row } from '../../rest/table.ts';

const REQUIRED_OF_MAP = ['id', 'name', 'fields'];

export function createUpstreamOpenApi(rows: readonly V0Row[], settings: OpenApiSettings): OpenApiDocument {
  const document = createOpenApi(rows, settings);
  const { Map: map, Error: error, ...schemas } = document.components.schemas;
  const otherFailure: Response = {
    description: 'Any other failure, passed on from the service behind this one.',
    headers: headersOf(settings, ['CacheControlOfFailure', 'VaryOfFailure']),
    content: { 'application/json': { schema: ref('Error'), examples: errorExamples(['BAD_USER_INPUT']) } },
  };
  const paths = mapValues(document.paths, (operations) =>
    mapValues(operations, (operation) => withAnyFailure(operation, otherFailure)),
  );
  return {
    ...document,
    paths,
    components: {
      ...document.components,
      schemas: { Map: { ...map, required: REQUIRED_OF_MAP }, ...schemas, Error: withAnyNumber(error) },
    },
  };
}

/** An upstream's failures keep their status and number. */
function withAnyFailure(operation: OpenApiOperation, otherFailure: Response): OpenApiOperation {
  const responses = mapValues(operation.responses, (response, status) => {
    const content = response.content?.['application/json'];
    if (Number(status) < 400 || content === undefined) return response;
    return { ...response, content: { 'application/json': { ...content, schema: ref('Error') } } };
  });
  return { ...operation, responses: { ...responses, default: otherFailure } };
}

function withAnyNumber(error: JsonSchema | undefined): JsonSchema {
  const { oneOf: _numbers, ...number } = error?.properties?.['error'] ?? {};
  return { ...error, properties: { ...error?.properties, error: number } };
}

function mapValues<T>(
  record: Readonly<Record<string, T>>,
  change: (value: T, key: string) => T,
): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}
