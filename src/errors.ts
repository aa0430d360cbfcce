/**
 * The registry of expected errors: each code with its meaning for every endpoint. A test compares the table in
 * docs/api.md with it. This module imports nothing, so every layer can throw these errors.
 */

export interface ErrorDefinition {
  /** HTTP status of a /v0 response, and of a GraphQL response if no operation ran. */
  readonly status: number;
  /** The int32 `error` member of a /v0 Error body. */
  readonly error: number;
  /** One line for docs/api.md: when a client gets it. */
  readonly when: string;
}

export const ERRORS = {
  BAD_USER_INPUT: {
    status: 400,
    error: 400,
    when: 'a body, parameter or argument is invalid; the message names it and what is allowed',
  },
  NOT_FOUND: { status: 404, error: 404, when: 'the path does not exist' },
  METHOD_NOT_ALLOWED: { status: 405, error: 405, when: 'the path does not allow the method' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, error: 415, when: 'the body has an unsupported media type' },
  UNAUTHENTICATED: {
    status: 401,
    error: 401,
    when: 'the token or session is missing, unknown, expired or revoked',
  },
  SIGN_IN_FAILED: { status: 401, error: 401, when: 'signing in: the name or the password is wrong' },
  FORBIDDEN: {
    status: 403,
    error: 403,
    when: "the token's scope or the role on the map does not allow the operation",
  },
  CSRF: {
    status: 403,
    error: 403,
    when: "a request with a session's cookie, or to sign in, does not come from a page of this server",
  },
  MAP_NOT_FOUND: {
    status: 400,
    error: 404,
    when: 'the map does not exist, or the caller is no member of it',
  },
  LOCATION_NOT_FOUND: { status: 400, error: 404, when: 'the location does not exist' },
  TOKEN_NOT_FOUND: { status: 400, error: 404, when: 'the token does not exist or has another owner' },
  WEBHOOK_NOT_FOUND: { status: 400, error: 404, when: 'the map has no such webhook' },
  HISTORY_NOT_FOUND: {
    status: 400,
    error: 404,
    when: 'the change or version does not exist, or is not kept any more',
  },
  MEMBER_NOT_FOUND: { status: 400, error: 404, when: 'the map has no such member' },
  SIGN_IN_LINK_NOT_FOUND: {
    status: 404,
    error: 404,
    when: 'the link to set up an account or to reset a password is unknown, used or expired',
  },
  NAME_TAKEN: { status: 409, error: 409, when: 'setting up an account: another owner has the name' },
  INVITATION_NOT_FOUND: {
    status: 400,
    error: 404,
    when: 'the invitation does not exist, or is used, expired or revoked',
  },
  MAP_LINK_NOT_FOUND: {
    status: 400,
    error: 404,
    when: 'the map has no such link, or it is expired or revoked',
  },
  MAP_DELETED: { status: 400, error: 410, when: 'the map is deleted' },
  CONFLICT: {
    status: 400,
    error: 409,
    when: 'an idempotency key was used with another body, an external id is in use, or the location has another version',
  },
  EXTERNAL_ID_TAKEN: {
    status: 400,
    error: 409,
    when: 'a location cannot get its former external id back, because another one has it now',
  },
  LAST_OWNER: {
    status: 400,
    error: 409,
    when: 'the last owner of a map cannot leave it, be removed or get another role',
  },
  ADDRESS_NOT_FOUND: { status: 400, error: 422, when: 'the geocoder does not know the address' },
  GEOCODER_REFUSED: { status: 400, error: 424, when: "the geocoding provider rejected the map's key" },
  PAYLOAD_TOO_LARGE: { status: 413, error: 413, when: 'the body or the response exceeds the size limit' },
  RATE_LIMITED: {
    status: 429,
    error: 429,
    when: "the caller's rate limit or the provider's quota is exceeded",
  },
  GEOCODER_UNAVAILABLE: {
    status: 503,
    error: 503,
    when: 'the geocoding provider timed out or failed, after retries',
  },
  SUGGESTIONS_UNAVAILABLE: {
    status: 400,
    error: 400,
    when: 'no geocoder in use may suggest addresses while one is typed',
  },
  STORAGE_UNAVAILABLE: { status: 503, error: 503, when: 'the database cannot be reached in time' },
  OVERLOADED: {
    status: 503,
    error: 503,
    when: 'the server cannot serve the request in time, other responses use all the memory allowed, or a call with the same idempotency key is under way',
  },
  ISSUER_UNAVAILABLE: {
    status: 503,
    error: 503,
    when: 'the keys of the JWT issuer cannot be fetched, and none are cached',
  },
  INTERNAL_SERVER_ERROR: { status: 500, error: 500, when: 'any other error' },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof ERRORS;

/** Message for an unexpected error. It reveals nothing internal; the log has the details under the request id. */
export function internalMessage(requestId: string): string {
  return `Internal server error (request ${requestId}).`;
}

export interface ServiceErrorOptions {
  /** Seconds until a retry may succeed: the `Retry-After` header. */
  readonly retryAfterSeconds?: number;
  /** The underlying error, for the log only. */
  readonly cause?: unknown;
  /** Additional members of `extensions` in GraphQL. */
  readonly details?: Readonly<Record<string, string | number>>;
  /** Status and number in /v0, if an upstream determines them; by default those of the code. */
  readonly v0?: V0Failure;
}

export interface V0Failure {
  /** HTTP status. */
  readonly status: number;
  /** The `error` member of the body. */
  readonly error: number;
}

/**
 * An expected error, thrown by every layer. The message is for the client: it names the input and what is allowed,
 * and contains no secret.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
  readonly v0: V0Failure | null;
  /** graphql-js copies this to the GraphQLError that wraps the error. */
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
 * BAD_USER_INPUT of a body that GraphQL reports with this code although no operation ran. For other faults of a body
 * it reports Apollo's BAD_REQUEST.
 */
export class BodyInputError extends ServiceError {
  constructor(message: string) {
    super('BAD_USER_INPUT', message);
  }
}

/**
 * The program cannot start for a reason that its operator can fix: a setting, a key, or a store. The message gives
 * the reason in one line, without secrets.
 */
export class OperatorError extends Error {}

/** Faults that pages describe in the user's language, by `extensions.reason`. docs/api.md lists them. */
export type InputReason =
  | 'eventsMissing'
  | 'fieldMissing'
  | 'fieldRepeated'
  | 'limitReached'
  | 'passwordCommon'
  | 'passwordLength'
  | 'urlNotHttps'
  | 'urlPrivate';

/** @param reason with what it names */
export function badUserInput(
  message: string,
  reason?: { readonly reason: InputReason; readonly [detail: string]: string | number },
): ServiceError {
  return new ServiceError('BAD_USER_INPUT', message, reason === undefined ? {} : { details: reason });
}

/** More requests arrive than the server can serve in time. */
export function overloaded(): ServiceError {
  return new ServiceError('OVERLOADED', 'The server is overloaded; try again later.', {
    retryAfterSeconds: 1,
  });
}

/** The store does not respond in time, or its response is lost. */
export function storageUnavailable(cause?: unknown): ServiceError {
  return unavailable('The database cannot be reached at the moment.', cause);
}

/** The store has not been reached since the start. */
export function storageNotReached(): ServiceError {
  return unavailable('The database has not been reached yet.');
}

/** The store is being replaced by a backup. */
export function storageBeingRestored(cause?: unknown): ServiceError {
  return unavailable('The database is being restored from a backup.', cause);
}

function unavailable(message: string, cause?: unknown): ServiceError {
  return new ServiceError('STORAGE_UNAVAILABLE', message, { retryAfterSeconds: 1, cause });
}
