/** A GraphQL client: one request per call, and errors with a code. */

/** A document made by codegen; `toString()` returns its text. */
interface TypedDocument<Result, Variables> {
  toString(): string;
  readonly __apiType?: (variables: Variables) => Result;
}

/** `code` is `extensions.code`, or `NETWORK_ERROR` if the server did not respond. */
export class GraphqlError extends Error {
  readonly code: string;
  /** The other `extensions`. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Seconds after which to retry, from the server; null if it gave none. */
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
  readonly token?: string | null;
  /** Whether requests without a token carry the cookie of a session; false by default. */
  readonly usesSession?: boolean;
  /** Id of a stored document with all operations, which are selected by name; null to send the text of each. */
  readonly documentId?: string | null;
  /** Default: JSON.stringify. */
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

/** A call throws the first error of the response, even if it has data. An aborted call throws the reason of its signal. */
export function createGraphqlClient(options: GraphqlOptions): GraphqlClient {
  return async <Result, Variables>(
    document: TypedDocument<Result, Variables>,
    variables: Variables,
    signal?: AbortSignal,
  ) => {
    const { response, retryAfter } = await post(options, document.toString(), variables, signal);
    const [error] = response.errors ?? [];
    if (error !== undefined) {
      const { code = 'UNKNOWN', ...details } = error.extensions ?? {};
      throw new GraphqlError(String(code), error.message, { details, retryAfter });
    }
    return response.data as Result;
  };
}

/** The operation precedes its fragments. */
function nameOf(document: string): string | undefined {
  return /\b(?:query|mutation|subscription) (\w+)/.exec(document)?.[1];
}

async function post(
  options: GraphqlOptions,
  query: string,
  variables: unknown,
  signal: AbortSignal | undefined,
) {
  const response = await send(options, { query, variables }, 'application/json', signal);
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  try {
    return {
      response: (await response.json()) as Response,
      retryAfter: Number.isFinite(seconds) ? seconds : null,
    };
  } catch (error) {
    throw networkError(error, signal);
  }
}

/**
 * Sends an operation. Resolves when the headers of the response have arrived.
 *
 * @param accept media type of the response
 * @throws GraphqlError NETWORK_ERROR; the reason of the signal when it is aborted
 */
export async function send(
  { url, token = null, usesSession = false, documentId = null, stringify = JSON.stringify }: GraphqlOptions,
  { query, variables }: { readonly query: string; readonly variables: unknown },
  accept: string,
  signal: AbortSignal | undefined,
): Promise<globalThis.Response> {
  const named = documentId === null ? { query } : { documentId, operationName: nameOf(query) };
  const init: RequestInit = {
    method: 'POST',
    headers: headersOf(token, accept),
    body: stringify({ ...named, variables }),
    credentials: token === null && usesSession ? 'same-origin' : 'omit',
    signal: signal ?? null,
  };
  try {
    return await fetch(url, init);
  } catch (error) {
    throw networkError(error, signal);
  }
}

function networkError(error: unknown, signal: AbortSignal | undefined): GraphqlError {
  signal?.throwIfAborted();
  return new GraphqlError('NETWORK_ERROR', error instanceof Error ? error.message : String(error));
}

/** Headers are limited to Latin-1, and so are the server's tokens. */
function headersOf(token: string | null, accept: string): Headers {
  const headers = new Headers({ accept, 'content-type': 'application/json' });
  try {
    if (token !== null) headers.set('authorization', `Bearer ${token}`);
  } catch {
    throw new GraphqlError('UNAUTHENTICATED', 'The token contains characters that a header cannot contain.');
  }
  return headers;
}
