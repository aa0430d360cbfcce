/** Sends operations to the server: one POST each, retried when that is safe. */

import type { ResponseError } from './errors.ts';
import { errorOf, MapLocationsError, noResponse } from './errors.ts';
import { pause, pauseBefore } from './pause.ts';

export interface ClientOptions {
  /** URL of the server, such as `https://maps.example.org`, or of its `/graphql`. In a page, it may be a path. */
  readonly url: string;
  /** A token, or a function that returns one for each request. Without a token, requests are anonymous. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** The global `fetch` by default. */
  readonly fetch?: typeof fetch | undefined;
  /** Aborts everything the client does. */
  readonly signal?: AbortSignal | undefined;
}

export interface Operation {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Aborts this call, in addition to the client's signal. */
  readonly signal?: AbortSignal | undefined;
}

/** Maximum attempts for an operation that can be retried. */
const ATTEMPTS = 4;

export class Connection {
  /** URL of the server's `/graphql`. */
  readonly url: string;
  readonly #options: ClientOptions;

  /** @throws MapLocationsError BAD_USER_INPUT for an invalid URL */
  constructor(options: ClientOptions) {
    this.#options = options;
    this.url = endpointOf(options.url);
  }

  /** Combines the signals of the call and the client; undefined when there is none. */
  signalOf({ signal }: Pick<Operation, 'signal'>): AbortSignal | undefined {
    const { signal: own } = this.#options;
    return signal !== undefined && own !== undefined ? AbortSignal.any([signal, own]) : (signal ?? own);
  }

  /**
   * Sends an operation. Resolves when the headers of the response have arrived.
   *
   * @throws MapLocationsError NETWORK_ERROR; the reason of the signal when it is aborted
   */
  async post(
    { query, variables }: Operation,
    accept: string,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    const { token, fetch: send = fetch } = this.#options;
    signal?.throwIfAborted();
    const authorization = typeof token === 'function' ? await token() : token;
    try {
      return await send(this.url, {
        method: 'POST',
        headers: {
          accept,
          'content-type': 'application/json',
          ...(authorization === undefined ? {} : { authorization: `Bearer ${authorization}` }),
        },
        body: JSON.stringify({ query, variables }),
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw noResponse(this.url, error);
    }
  }

  /**
   * Executes an operation and returns its data.
   *
   * @param isSafe whether the operation can be sent twice
   * @throws MapLocationsError with the code of the first error
   */
  async execute<Data>(operation: Operation, isSafe: boolean): Promise<Data> {
    const signal = this.signalOf(operation);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#executeOnce<Data>(operation, signal);
      } catch (error) {
        const { code, retryAfter } = error as MapLocationsError;
        // An overloaded server has not executed the operation.
        const canRetry =
          code === 'OVERLOADED' || (isSafe && (code === 'NETWORK_ERROR' || code === 'STORAGE_UNAVAILABLE'));
        if (!canRetry || attempt === ATTEMPTS) throw error;
        await pause(pauseBefore(attempt, retryAfter), signal);
      }
    }
  }

  async #executeOnce<Data>(operation: Operation, signal: AbortSignal | undefined): Promise<Data> {
    const response = await this.post(operation, 'application/json', signal);
    const { data, errors = [] } = await resultOf(response, signal);
    const [error] = errors;
    if (error !== undefined) throw errorOf(error, response);
    return data as Data;
  }
}

interface GraphqlResult {
  readonly data?: unknown;
  readonly errors?: readonly ResponseError[];
}

/** @throws MapLocationsError NETWORK_ERROR when the body is not a GraphQL response */
export async function resultOf(response: Response, signal: AbortSignal | undefined): Promise<GraphqlResult> {
  try {
    const result = (await response.json()) as GraphqlResult | null;
    if (typeof result !== 'object' || result === null || !('data' in result || 'errors' in result)) {
      throw new Error('The body is not a GraphQL response.');
    }
    return result;
  } catch (error) {
    signal?.throwIfAborted();
    throw noResponse(response, error);
  }
}

function endpointOf(given: string): string {
  // Without `https://`, localhost:4000 would be a URL with the scheme localhost.
  const url = parse(given);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new MapLocationsError(
      'BAD_USER_INPUT',
      `url is ${JSON.stringify(given)}; it must be an http or https URL such as "https://maps.example.org".`,
    );
  }
  url.pathname = url.pathname.replace(/(\/graphql)?\/*$/, '/graphql');
  return url.href;
}

/** @param url typed as unknown because JavaScript callers may pass a missing setting */
function parse(url: unknown): URL | null {
  if (typeof url !== 'string') return null;
  const { location } = globalThis as { readonly location?: { readonly href: string } };
  try {
    return new URL(url, location?.href);
  } catch {
    return null;
  }
}
