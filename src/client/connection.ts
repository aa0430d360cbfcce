/** How the client reaches the service: one POST for each operation, tried again where that is safe. */

import type { ResponseError } from './errors.ts';
import { errorOf, MapLocationsError, noResponse } from './errors.ts';
import { pause, pauseBefore } from './pause.ts';

export interface ClientOptions {
  /** The service's address, such as `https://maps.example.org`, or that of its `/graphql`. In a page, a path will do. */
  readonly url: string;
  /** A token, or what gives one for each request; none for nobody. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** By default the global one. */
  readonly fetch?: typeof fetch | undefined;
  /** Ends all that the client does. */
  readonly signal?: AbortSignal | undefined;
}

export interface Asked {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Of this call, beside the client's own. */
  readonly signal?: AbortSignal | undefined;
}

/** How often an operation is sent that may be sent again. */
const ATTEMPTS = 4;

export class Connection {
  /** Of the service's `/graphql`. */
  readonly url: string;
  readonly #options: ClientOptions;

  /** @throws MapLocationsError BAD_USER_INPUT for a URL that is none */
  constructor(options: ClientOptions) {
    this.#options = options;
    this.url = endpointOf(options.url);
  }

  /** The call's signal and the client's in one; undefined where there is none. */
  signalOf({ signal }: Pick<Asked, 'signal'>): AbortSignal | undefined {
    const { signal: own } = this.#options;
    return signal !== undefined && own !== undefined ? AbortSignal.any([signal, own]) : (signal ?? own);
  }

  /**
   * Sends an operation. Resolves with the answer's head.
   *
   * @throws MapLocationsError NETWORK_ERROR; the signal's reason when it is aborted
   */
  async post(
    { query, variables }: Asked,
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
   * The data of an operation.
   *
   * @param isSafe whether it may be sent twice
   * @throws MapLocationsError with the code of the first error
   */
  async ask<Data>(asked: Asked, isSafe: boolean): Promise<Data> {
    const signal = this.signalOf(asked);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#askOnce<Data>(asked, signal);
      } catch (error) {
        const { code, retryAfter } = error as MapLocationsError;
        // The service has done nothing where it was overloaded.
        const mayGoOn =
          code === 'OVERLOADED' || (isSafe && (code === 'NETWORK_ERROR' || code === 'STORAGE_UNAVAILABLE'));
        if (!mayGoOn || attempt === ATTEMPTS) throw error;
        await pause(pauseBefore(attempt, retryAfter), signal);
      }
    }
  }

  async #askOnce<Data>(asked: Asked, signal: AbortSignal | undefined): Promise<Data> {
    const response = await this.post(asked, 'application/json', signal);
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
  // Without `https://`, localhost:4000 would be a URL too: of a scheme that nobody knows.
  const url = parse(given);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new MapLocationsError(
      'BAD_USER_INPUT',
      `url is ${JSON.stringify(given)}, and must be an address such as "https://maps.example.org".`,
    );
  }
  url.pathname = url.pathname.replace(/(\/graphql)?\/*$/, '/graphql');
  return url.href;
}

/** @param url unknown to JavaScript, where it may be a setting that is not there */
function parse(url: unknown): URL | null {
  if (typeof url !== 'string') return null;
  const { location } = globalThis as { readonly location?: { readonly href: string } };
  try {
    return new URL(url, location?.href);
  } catch {
    return null;
  }
}
