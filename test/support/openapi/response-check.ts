/** Checks responses of /v0 against the OpenAPI document that the server itself serves. */

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

import type {
  Header,
  Method,
  OpenApiDocument,
  OpenApiOperation,
  Response,
} from '../../../src/rest/openapi/openapi.ts';

export interface CheckedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly text: string;
}

/**
 * Headers of the transport, which an OpenAPI document does not describe. `Content-Type` is checked against `content`.
 */
const TRANSPORT_HEADERS = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
]);

const JSON_TYPE = 'application/json; charset=utf-8';

/** Returns what the document does not describe of a response; empty if it describes all of it. */
export type FindUndescribed = (method: string, url: string, response: CheckedResponse) => readonly string[];

const known = new Map<string, FindUndescribed>();

/** @param text of an OpenAPI document; schemas are compiled once per text */
export function createResponseCheck(text: string): FindUndescribed {
  const check = known.get(text) ?? createCheck(JSON.parse(text) as OpenApiDocument);
  known.set(text, check);
  return check;
}

function createCheck(document: OpenApiDocument): FindUndescribed {
  const ajv = createAjv();
  ajv.addSchema(document, 'openapi');
  const validators = new Map<string, ReturnType<typeof ajv.compile>>();
  const errorsOf = (pointer: string, value: unknown): readonly string[] => {
    let validate = validators.get(pointer);
    if (validate === undefined) {
      validate = ajv.compile({ $ref: `openapi${pointer}` });
      validators.set(pointer, validate);
    }
    return validate(value) ? [] : [ajv.errorsText(validate.errors)];
  };

  return (method, url, actual) => {
    const { status } = actual;
    const found = findOperation(document, method, url);
    // No other path of /v0 is an operation, so none may respond like one.
    if (found === null) return status === 200 && !isOther(url) ? ['the operation'] : [];
    const { operation, pointer } = found;
    const response = operation.responses[status];
    if (response === undefined) return [`the status ${status}`];
    const at = `${pointer}/responses/${status}`;
    const undescribed = [...headerFaults(document, response, actual, errorsOf)];
    if (method === 'HEAD' || response.content === undefined) {
      return actual.text === '' ? undescribed : [...undescribed, 'the body'];
    }
    if (actual.headers['content-type'] !== JSON_TYPE) undescribed.push('the type of the body');
    const faults = errorsOf(`${at}/content/application~1json/schema`, JSON.parse(actual.text));
    return [...undescribed, ...faults.map((fault) => `the body: ${fault}`)];
  };
}

/** The default dialect of OpenAPI 3.1, ignoring the keywords that it adds to JSON Schema. */
export function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addFormat('int32', {
    type: 'number',
    validate: (value: number) => Number.isInteger(value) && Math.abs(value) <= 2 ** 31 - 1,
  });
  return ajv;
}

/** Every schema of a parameter, header or content, with its examples. */
export function* schemasIn(value: unknown): Generator<{ schema: object; example?: unknown }> {
  if (typeof value !== 'object' || value === null) return;
  const { schema, example, examples } = value as Record<string, unknown>;
  if (typeof schema === 'object' && schema !== null) {
    yield { schema, example };
    for (const one of Object.values((examples ?? {}) as Record<string, { value: unknown }>)) {
      yield { schema, example: one.value };
    }
  }
  for (const member of Object.values(value)) yield* schemasIn(member);
}

function* headerFaults(
  document: OpenApiDocument,
  response: Response,
  { headers }: CheckedResponse,
  errorsOf: (pointer: string, value: unknown) => readonly string[],
): Generator<string> {
  const described = new Map(
    Object.entries(response.headers).map(([name, { $ref }]) => [name.toLowerCase(), $ref]),
  );
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || TRANSPORT_HEADERS.has(name)) continue;
    const pointer = described.get(name);
    if (pointer === undefined) yield `the header ${name}`;
    else
      for (const fault of errorsOf(`${pointer}/schema`, String(value))) yield `the header ${name}: ${fault}`;
  }
  for (const [name, pointer] of described) {
    if (headers[name] === undefined && headerAt(document, pointer).required)
      yield `that the header ${name} is missing`;
  }
}

function headerAt({ components }: OpenApiDocument, pointer: string): Header {
  const header = components.headers[pointer.split('/').at(-1) ?? ''];
  if (header === undefined) throw new Error(`${pointer} is not in the document.`);
  return header;
}

/** Null for a path or method that the document does not name. HEAD is GET without its body. */
export function findOperation(
  { paths }: OpenApiDocument,
  method: string,
  url: string,
): { operation: OpenApiOperation; pointer: string } | null {
  const path = pathOf(url);
  const name = (method === 'HEAD' ? 'get' : method.toLowerCase()) as Method;
  for (const [template, item] of Object.entries(paths)) {
    const pattern = new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`);
    const operation = item[name];
    if (operation === undefined || !pattern.test(path)) continue;
    return {
      operation,
      pointer: `#/paths/${template.replaceAll('/', '~1').replace(/[{}]/g, encodeURIComponent)}/${name}`,
    };
  }
  return null;
}

/** Without the query and the trailing slash, which is ignored. */
function pathOf(url: string): string {
  const path = url.split('?', 1)[0] ?? '';
  return path.replace(/(?<=.)\/$/, '');
}

/** Paths served below /v0 that are not operations. */
function isOther(url: string): boolean {
  return pathOf(url) === '/v0/openapi.json';
}
