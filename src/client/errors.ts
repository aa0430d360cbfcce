/** Every failure of the client is one of these. What the caller aborted rejects with the signal's reason instead. */

export interface MapLocationsErrorOptions {
  /** HTTP status of the answer; absent where there was none. */
  readonly status?: number | undefined;
  /** Seconds after which it may be tried again, where the server says so. */
  readonly retryAfter?: number | undefined;
  /** What GraphQL says of the error beside its code, such as `currentVersion`. */
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: unknown;
}

export class MapLocationsError extends Error {
  override readonly name = 'MapLocationsError';
  /** One of the service's error codes, or `NETWORK_ERROR` where it has not answered. */
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

/** @param told an error of a GraphQL answer */
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
 * For no answer, and for one that is not the service's: a proxy's page, or half an answer.
 *
 * @param from who should have answered: the URL where there was no answer at all
 */
export function noResponse(from: Response | string, cause?: unknown): MapLocationsError {
  if (typeof from === 'string') {
    return new MapLocationsError('NETWORK_ERROR', `There is no answer from ${from}.`, { cause });
  }
  const { url, status } = from;
  const who = url === '' ? 'The server' : url;
  return new MapLocationsError('NETWORK_ERROR', `${who} answers ${status}, and not as the service does.`, {
    cause,
    status,
    retryAfter: retryAfterOf(from),
  });
}

function retryAfterOf({ headers }: Response): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
}
