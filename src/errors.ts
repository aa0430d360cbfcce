/**
 * The one list of expected failures: what each code means at both doors. A test compares the table of docs/api.md with it.
 * This module imports no other, so that every layer can throw these errors.
 */

export interface ErrorDefinition {
  /** HTTP status of the /v0 answer, and of a GraphQL answer where no operation ran. */
  readonly status: number;
  /** The int32 `error` member of a /v0 Error body. */
  readonly error: number;
  /** For docs/api.md, one line: when a client gets it. */
  readonly when: string;
}

export const ERRORS = {
  BAD_USER_INPUT: {
    status: 400,
    error: 400,
    when: 'body, parameter or argument invalid; the message names it and what is allowed',
  },
  NOT_FOUND: { status: 404, error: 404, when: 'no such path' },
  METHOD_NOT_ALLOWED: { status: 405, error: 405, when: 'no such method on this path' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, error: 415, when: 'no such type of body' },
  UNAUTHENTICATED: { status: 401, error: 401, when: 'no token, or one unknown, expired or revoked' },
  FORBIDDEN: { status: 403, error: 403, when: "the token's scope does not allow it" },
  MAP_NOT_FOUND: { status: 400, error: 404, when: "the map is unknown, or another owner's" },
  LOCATION_NOT_FOUND: { status: 400, error: 404, when: "the location is unknown, or another owner's" },
  TOKEN_NOT_FOUND: { status: 400, error: 404, when: "the token is unknown, or another owner's" },
  WEBHOOK_NOT_FOUND: { status: 400, error: 404, when: 'the map has no such webhook' },
  MAP_DELETED: { status: 400, error: 410, when: 'the map is deleted' },
  CONFLICT: {
    status: 400,
    error: 409,
    when: 'an idempotency key was used with another body, an external id is in use, or the location has another version',
  },
  ADDRESS_NOT_FOUND: { status: 400, error: 422, when: 'the geocoder knows no such address' },
  GEOCODER_REFUSED: { status: 400, error: 424, when: "the provider refused the map's key" },
  PAYLOAD_TOO_LARGE: { status: 413, error: 413, when: 'over the size limit' },
  RATE_LIMITED: { status: 429, error: 429, when: "over the caller's rate, or the provider's quota" },
  GEOCODER_UNAVAILABLE: {
    status: 503,
    error: 503,
    when: 'the geocoding provider timed out or failed, after retries',
  },
  STORAGE_UNAVAILABLE: { status: 503, error: 503, when: 'the database cannot be reached in time' },
  OVERLOADED: {
    status: 503,
    error: 503,
    when: 'more is asked than can be served in time, or other answers, in the making or read by nobody, take all the room there is',
  },
  ISSUER_UNAVAILABLE: {
    status: 503,
    error: 503,
    when: 'the issuer of JWTs cannot be asked for its keys, and none are kept',
  },
  INTERNAL_SERVER_ERROR: { status: 500, error: 500, when: 'anything else' },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof ERRORS;

/** What a client is told of an unexpected failure. It must reveal nothing of the inside; the log has it under that id. */
export function internalMessage(requestId: string): string {
  return `Internal server error (request ${requestId}).`;
}

export interface ServiceErrorOptions {
  /** Seconds after which a retry may succeed; becomes the `Retry-After` header. */
  readonly retryAfterSeconds?: number;
  /** The underlying failure, for the log only. */
  readonly cause?: unknown;
  /** What GraphQL's clients are told beside the code, in `extensions`. */
  readonly details?: Readonly<Record<string, string | number>>;
  /** How /v0 answers it, where an upstream has answered so; by default as the code says. */
  readonly v0?: V0Failure;
}

export interface V0Failure {
  /** HTTP status. */
  readonly status: number;
  /** The `error` member of the body. */
  readonly error: number;
}

/**
 * An expected failure, thrown by domain, services and adapters alike. The message is for the client: it names the
 * input and what is allowed, and never holds a secret.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
  readonly v0: V0Failure | null;
  /** graphql-js copies this to the GraphQLError that it wraps around a thrown error. */
  readonly extensions: { readonly code: ErrorCode; readonly [detail: string]: string | number };

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.v0 = options.v0 ?? null;
    this.extensions = { ...options.details, code };
  }
}

/**
 * BAD_USER_INPUT of a body, that GraphQL's clients get by this code even though no operation ran. Of every other fault of
 * a body they get Apollo's BAD_REQUEST.
 */
export class BodyInputError extends ServiceError {
  constructor(message: string) {
    super('BAD_USER_INPUT', message);
  }
}

/**
 * The program cannot start, for a reason that its operator can fix: a setting, a key, or a store that cannot be used.
 * The message says why in one line, and holds no secret.
 */
export class OperatorError extends Error {}

export function badUserInput(message: string): ServiceError {
  return new ServiceError('BAD_USER_INPUT', message);
}

/** More requests come than can be served in time. */
export function overloaded(): ServiceError {
  return new ServiceError('OVERLOADED', 'The server has more to do than it can; try again later.', {
    retryAfterSeconds: 1,
  });
}

/** A store that does not answer in time, or whose answer is lost. */
export function storageUnavailable(cause?: unknown): ServiceError {
  return notThere('The database cannot be reached at the moment.', cause);
}

/** A store that has not been reached since the start. */
export function storageNotReached(): ServiceError {
  return notThere('The database has not been reached yet.');
}

/** A store that is being replaced by a backup. */
export function storageBeingRestored(cause?: unknown): ServiceError {
  return notThere('The database is being restored from a backup.', cause);
}

function notThere(message: string, cause?: unknown): ServiceError {
  return new ServiceError('STORAGE_UNAVAILABLE', message, { retryAfterSeconds: 1, cause });
}
