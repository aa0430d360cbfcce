/** A GraphQL client: one request for each call, and errors with a code. */

/** As codegen makes it; its text is the document. */
interface TypedDocument<Result, Variables> {
  toString(): string;
  readonly __apiType?: (variables: Variables) => Result;
}

/** `code` is of `extensions.code`, or `NETWORK_ERROR` where there was no answer of the server. */
export class GraphqlError extends Error {
  readonly code: string;
  /** Of `extensions`. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Seconds after which the request may be sent again, where the server said so. */
  readonly retryAfter: number | null;

  constructor(
    code: string,
    message: string,
    {
      details = {},
      retryAfter = null,
    }: { details?: Record<string, unknown>; retryAfter?: number | null } = {},
  ) {
    super(message);
    this.name = 'GraphqlError';
    this.code = code;
    this.details = details;
    this.retryAfter = retryAfter;
  }
}

export interface GraphqlOptions {
  readonly url: string;
  /** Null without one. */
  readonly token?: string | null;
  /** Of a document that holds all operations, by their names; null to send each as a text. */
  readonly documentId?: string | null;
  /** How a request becomes JSON; by default as JSON.stringify makes it. */
  readonly stringify?: (body: unknown) => string;
}

export type GraphqlClient = <Result, Variables>(
  document: TypedDocument<Result, Variables>,
  variables: Variables,
  signal?: AbortSignal,
) => Promise<Result>;

interface Response {
  data?: unknown;
  errors?: { message: string; extensions?: Record<string, unknown> }[];
}

/** The first error of an answer is thrown, whatever else came with it. An aborted request throws its signal's reason. */
export function createGraphqlClient({
  url,
  token = null,
  documentId = null,
  stringify = JSON.stringify,
}: GraphqlOptions): GraphqlClient {
  return async <Result, Variables>(
    document: TypedDocument<Result, Variables>,
    variables: Variables,
    signal?: AbortSignal,
  ) => {
    const query = document.toString();
    const named = documentId === null ? { query } : { documentId, operationName: nameOf(query) };
    const { response, retryAfter } = await post(url, token, stringify({ ...named, variables }), signal);
    const [error] = response.errors ?? [];
    if (error !== undefined) {
      const { code = 'UNKNOWN', ...details } = error.extensions ?? {};
      throw new GraphqlError(String(code), error.message, { details, retryAfter });
    }
    return response.data as Result;
  };
}

/** The operation stands before its fragments. */
function nameOf(document: string): string | undefined {
  return /\b(?:query|mutation) (\w+)/.exec(document)?.[1];
}

async function post(url: string, token: string | null, body: string, signal: AbortSignal | undefined) {
  const headers = headersOf(token);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      credentials: 'omit',
      signal: signal ?? null,
    });
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    return {
      response: (await response.json()) as Response,
      retryAfter: Number.isFinite(seconds) ? seconds : null,
    };
  } catch (error) {
    signal?.throwIfAborted();
    throw new GraphqlError('NETWORK_ERROR', error instanceof Error ? error.message : String(error));
  }
}

/** No header can hold a character beyond Latin-1, and no token of the server's has one. */
function headersOf(token: string | null): Headers {
  const headers = new Headers({ accept: 'application/json', 'content-type': 'application/json' });
  try {
    if (token !== null) headers.set('authorization', `Bearer ${token}`);
  } catch {
    throw new GraphqlError('UNAUTHENTICATED', 'The token holds what no header can hold.');
  }
  return headers;
}
