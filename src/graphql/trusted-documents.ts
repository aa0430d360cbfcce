/** Trusted documents: operations that the operator allows. Requests name one by id or by the SHA-256 of its text. */

import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import type { GraphQLSchema } from 'graphql';
import { GraphQLError, NoSchemaIntrospectionCustomRule, parse, specifiedRules, validate } from 'graphql';

import { unsafeIntegerMessage } from '../domain/json/json-integers.ts';
import { isJsonObject } from '../domain/json/json.ts';
import { quote } from '../domain/text.ts';
import { OperatorError } from '../errors.ts';
import { findUnsafeLiteral } from './execution/unsafe-literals.ts';

/** A hash of no document, to which Apollo Server responds PERSISTED_QUERY_NOT_FOUND. */
const UNKNOWN = { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } };

export class TrustedDocuments {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #isOnly: boolean;

  /**
   * @param documents texts by id
   * @param isOnly whether all other documents are rejected
   */
  constructor(documents: ReadonlyMap<string, string>, isOnly: boolean) {
    const byHash = [...documents.values()].map((text) => [hash('sha256', text, 'hex'), text] as const);
    // The operator's ids take precedence over hashes.
    this.#texts = new Map([...byHash, ...documents]);
    this.#isOnly = isOnly;
  }

  /**
   * Inserts the text of the named document. For an unknown document that must not run, returns a request for
   * {@link UNKNOWN}.
   */
  resolve<Request extends NamingRequest>(request: Request): Request {
    const members = membersOf(request);
    const { documentId } = members;
    const hashed = hashOf(members);
    const text = this.#texts.get(documentId ?? hashed ?? '');
    if (text !== undefined) return withMembers(request, { ...members, query: text });
    // A request with an unknown hash may register it with its text.
    const isRefused = this.#isOnly || documentId !== undefined;
    return isRefused ? withMembers(request, { extensions: UNKNOWN }) : request;
  }
}

/** The parts of a request that name a document. */
export interface NamingRequest {
  readonly method: string;
  /** The query string with its question mark; may be empty. */
  readonly search: string;
  /** The parsed JSON. */
  readonly body: unknown;
}

interface Members {
  readonly documentId?: string | undefined;
  readonly query?: string;
  readonly operationName?: unknown;
  readonly variables?: unknown;
  readonly extensions?: unknown;
}

function membersOf({ method, search, body }: NamingRequest): Members {
  if (method !== 'GET') {
    if (!isJsonObject(body)) return {};
    const { documentId, operationName, variables, extensions } = body;
    return { documentId: stringOrUndefined(documentId), operationName, variables, extensions };
  }
  const parameters = new URLSearchParams(search);
  const of = (name: string) => parameters.get(name) ?? undefined;
  return {
    documentId: of('documentId'),
    operationName: of('operationName'),
    variables: of('variables'),
    extensions: readJson(of('extensions')),
  };
}

function stringOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function readJson(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function hashOf({ extensions }: Members): string | undefined {
  const persisted = isJsonObject(extensions) ? extensions['persistedQuery'] : undefined;
  return isJsonObject(persisted) ? stringOrUndefined(persisted['sha256Hash']) : undefined;
}

/** Replaces the members of a request. A request with a text gets no hash, which Apollo would compare. */
function withMembers<Request extends NamingRequest>(request: Request, given: Members): Request {
  const { query, operationName, variables } = given;
  const extensions = query === undefined ? given.extensions : undefined;
  const members = Object.entries({ query, operationName, variables, extensions }).filter(
    ([, value]) => value !== undefined,
  );
  if (request.method !== 'GET') return { ...request, body: Object.fromEntries(members) };
  const texts = members.map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return {
    ...request,
    search: `?${new URLSearchParams(Object.fromEntries(texts) as Record<string, string>).toString()}`,
  };
}

export interface ValidityOptions {
  readonly schema: GraphQLSchema;
  /** False if documents must not use introspection. */
  readonly introspection: boolean;
}

/**
 * Reads and validates the operator's file of documents, at the start.
 *
 * @param path a JSON object of id to document
 * @throws OperatorError for an unreadable file or an invalid document
 */
export async function readTrustedDocuments(
  path: string,
  options: ValidityOptions,
): Promise<Map<string, string>> {
  const content = readContent(await readText(path));
  const documents = new Map<string, string>();
  for (const [id, text] of Object.entries(content)) {
    if (id === '') throw wrong('an id is empty');
    if (typeof text !== 'string') throw wrong(`${quote(id)} is not a string`);
    const fault = faultOf(text, options);
    if (fault !== null) throw wrong(`${quote(id)} is not valid: ${fault.replace(/\.$/, '')}`);
    documents.set(id, text);
  }
  return documents;
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw wrong(`the file cannot be read (${code})`);
  }
}

function readContent(text: string): Record<string, unknown> {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw wrong('the file is not JSON');
  }
  if (!isJsonObject(content)) throw wrong('the file must be a JSON object of id to document');
  return content;
}

function faultOf(text: string, { schema, introspection }: ValidityOptions): string | null {
  const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  try {
    const document = parse(text);
    const error = validate(schema, document, rules)[0];
    if (error !== undefined) return error.message;
    const literal = findUnsafeLiteral(schema, document);
    return literal === null ? null : unsafeIntegerMessage(literal.path);
  } catch (error) {
    if (error instanceof GraphQLError) return error.message;
    throw error;
  }
}

function wrong(what: string): OperatorError {
  return new OperatorError(`TRUSTED_DOCUMENTS: ${what}.`);
}
