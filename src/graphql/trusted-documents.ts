/** Documents that the operator has chosen. Requests name one by its id, or by the SHA-256 of its text. */

import { hash } from 'node:crypto';

import { isJsonObject } from '../domain/json/json.ts';

/** A hash of no text: Apollo Server says of it what it says of any that it does not know. */
const UNKNOWN = { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } };

export class TrustedDocuments {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #isOnly: boolean;

  /**
   * @param documents texts by id
   * @param isOnly true where nothing else is executed
   */
  constructor(documents: ReadonlyMap<string, string>, isOnly: boolean) {
    const byHash = [...documents.values()].map((text) => [hash('sha256', text, 'hex'), text] as const);
    // An id of the operator's is found before a hash.
    this.#texts = new Map([...byHash, ...documents]);
    this.#isOnly = isOnly;
  }

  /** The request with the text of the document that it names; one for an unknown document, where it must not be executed. */
  resolve<Request extends NamingRequest>(request: Request): Request {
    const members = membersOf(request);
    const { documentId } = members;
    const hashed = hashOf(members);
    const text = this.#texts.get(documentId ?? hashed ?? '');
    if (text !== undefined) return withMembers(request, { ...members, query: text });
    // An unknown hash may be about to be registered, with its text.
    const isRefused = this.#isOnly || documentId !== undefined;
    return isRefused ? withMembers(request, { extensions: UNKNOWN }) : request;
  }
}

/** What is read of a request. */
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
    return { documentId: textOrNothing(documentId), operationName, variables, extensions };
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

function textOrNothing(value: unknown): string | undefined {
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
  return isJsonObject(persisted) ? textOrNothing(persisted['sha256Hash']) : undefined;
}

/** The same request for other members. With a text there is no hash, which Apollo would compare. */
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
