/** Errors of the client. An aborted call rejects with the reason of its signal instead. */

export interface MapLocationsErrorOptions {
  /** HTTP status of the response; absent when there was none. */
  readonly status?: number | undefined;
  /** Seconds after which to retry, if the server says so. */
  readonly retryAfter?: number | undefined;
  /** Extensions of the GraphQL error, such as `currentVersion`. */
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: unknown;
}

export class MapLocationsError extends Error {
  override readonly name = 'MapLocationsError';
  /** An error code of the API, or `NETWORK_ERROR` when the server did not respond. */
  readonly code: string;
  readonly status: number | undefined;
  readonly retryAfter: number | undefined;
  readonly extensions: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, options: MapLocationsErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = options.status;
    this.retryAfter = options.retryAfter;
    this.extensions = options.extensions ?? {};
  }
}

export interface ResponseError {
  readonly message: string;
  readonly extensions?: Readonly<Record<string, unknown>>;
}

export function errorOf(error: ResponseError, response: Response): MapLocationsError {
  const { message, extensions = {} } = error;
  const code = typeof extensions['code'] === 'string' ? extensions['code'] : 'INTERNAL_SERVER_ERROR';
  return new MapLocationsError(code, message, {
    status: response.status,
    retryAfter: retryAfterOf(response),
    extensions,
  });
}

/**
 * For a missing response, or one that is not from the API, such as the page of a proxy or a truncated response.
 *
 * @param from the response, or the URL when there was none
 */
export function noResponse(from: Response | string, cause?: unknown): MapLocationsError {
  if (typeof from === 'string') {
    return new MapLocationsError('NETWORK_ERROR', `No response from ${from}.`, { cause });
  }
  const { url, status } = from;
  return new MapLocationsError(
    'NETWORK_ERROR',
    `${url === '' ? 'The server' : url} responded with status ${status} and without a GraphQL result.`,
    {
      cause,
      status,
      retryAfter: retryAfterOf(from),
    },
  );
}

function retryAfterOf({ headers }: Response): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
}
