/**
 * The OpenAPI document as dereferenced by @apidevtools/swagger-parser, which most client generators use: its schemas
 * match all its examples and every error that the server sends.
 */

import SwaggerParser from '@apidevtools/swagger-parser';

import type { OpenApiDocument } from '../../src/rest/openapi/openapi.ts';
import { goldenFiles, readGolden } from '../support/golden.ts';
import { createAjv, findOperation, schemasIn } from '../support/openapi/response-check.ts';
import { withServer } from '../support/v0.ts';

const ENVIRONMENTS: readonly Record<string, string>[] = [
  {},
  { V0_ERROR_STATUS: '400', V0_SINGLE_LOCATION: 'object', V0_MAP_PROVIDER: 'google', CORS_ORIGINS: '*' },
];

/** Without `mergeKeys`, as in releases before 13, a sibling of `$ref` replaces the referenced keyword. */
const CASES = ENVIRONMENTS.flatMap((environment) =>
  [true, false].map((mergeKeys) => ({ environment, mergeKeys })),
);

describe.each(CASES)('the document dereferenced with %j', ({ environment, mergeKeys }) => {
  let document: OpenApiDocument;
  const ajv = createAjv();
  const errorsOf = (schema: object, value: unknown) => {
    const validate = ajv.compile(schema);
    return validate(value) ? [] : [ajv.errorsText(validate.errors)];
  };

  beforeAll(() =>
    withServer(environment, async (server) => {
      const { json } = await server.request('GET', '/v0/openapi.json', { token: null });
      document = (await SwaggerParser.validate(json, {
        dereference: { mergeKeys },
      })) as unknown as OpenApiDocument;
    }),
  );

  it('has no references', () => {
    expect(JSON.stringify(document)).not.toContain('$ref');
  });

  it('describes each of its examples', () => {
    let count = 0;
    for (const { schema, example } of schemasIn(document)) {
      if (example === undefined) continue;
      count += 1;
      expect([example, errorsOf(schema, example)]).toEqual([example, []]);
    }
    expect(count).toBeGreaterThan(40);
  });

  it.each(goldenFiles('v0/errors'))('describes the error of %s', (file) => {
    const golden = readGolden(file);
    const [, method = '', url = ''] = /^> (\S+) (\S+) HTTP/.exec(golden) ?? [];
    const [, status = ''] = /^HTTP\/1\.1 (\d+)/m.exec(golden) ?? [];
    const body = JSON.parse(golden.trimEnd().split('\n').at(-1) ?? '') as unknown;
    const found = findOperation(document, method, url);
    // The document describes operations; unknown paths and methods share the schema of their errors.
    const schema =
      found === null
        ? document.components.schemas['Error']
        : found.operation.responses[environment['V0_ERROR_STATUS'] ?? status]?.content?.['application/json']
            .schema;
    expect(errorsOf(schema ?? { not: {} }, body)).toEqual([]);
    expect(errorsOf(schema ?? {}, { ...(body as object), error: 1 })).not.toEqual([]);
  });
});
