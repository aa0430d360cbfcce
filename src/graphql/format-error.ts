/** Turns an operation's errors into what a client may see. The only place of the GraphQL endpoint that does. */

import type { GraphQLFormattedError, GraphQLSchema } from 'graphql';
import { GraphQLError } from 'graphql';

import { internalMessage, ServiceError } from '../errors.ts';
import type { Scope } from '../services/scope.ts';
import { CallerGoneError } from '../services/scope.ts';
import { listEnumValues, removeSuggestion, redactValues } from './redact-values.ts';

/** Apollo's codes that are passed on with their message (contract §7). */
const PASSED_ON: ReadonlySet<unknown> = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_REQUEST',
  'BAD_USER_INPUT',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
]);

export type LogFailure = (error: unknown, scope: Scope) => void;

/**
 * @param error source of `formatted`
 * @param scope of the request
 */
export type FormatError = (
  formatted: GraphQLFormattedError,
  error: unknown,
  scope: Scope,
) => GraphQLFormattedError;

/** @param shown the schema; null if clients must not learn its names */
export function createErrorFormatter(logFailure: LogFailure, shown: GraphQLSchema | null): FormatError {
  const format: FormatError = (formatted, error, scope) => {
    const original = unwrapResolverError(error);
    const { locations, path } = formatted;
    if (original instanceof ServiceError) {
      if (original.cause !== undefined) logFailure(original, scope);
      return { message: original.message, locations, path, extensions: { ...original.extensions } };
    }
    const code = codeOf(formatted, error, original);
    if (code !== null) {
      const reason = error instanceof GraphQLError ? error.originalError?.message : undefined;
      const message = redactValues(formatted.message, reason);
      const replacement = shown === null ? removeSuggestion(message) : listEnumValues(message, shown);
      return { message: replacement, locations, path, extensions: { code } };
    }
    if (!(original instanceof CallerGoneError)) logFailure(original, scope);
    const message = internalMessage(scope.requestId ?? 'unknown');
    return { message, locations, path, extensions: { code: 'INTERNAL_SERVER_ERROR' } };
  };
  return (formatted, error, scope) => {
    const replacement = format(formatted, error, scope);
    scope.errorCode ??= String(replacement.extensions?.['code']);
    return replacement;
  };
}

/** Formats errors as Apollo Server would: each with a code. */
export function formatErrors(
  errors: readonly GraphQLError[],
  format: FormatError,
  scope: Scope,
): GraphQLFormattedError[] {
  return errors.map((error) => {
    const code = error.extensions['code'] ?? 'INTERNAL_SERVER_ERROR';
    return format({ ...error.toJSON(), extensions: { ...error.extensions, code } }, error, scope);
  });
}

/** Unwraps an error of a resolver, or a ServiceError, from graphql-js's GraphQLError. */
function unwrapResolverError(error: unknown): unknown {
  if (!(error instanceof GraphQLError) || !error.originalError) return error;
  // Errors without a path do not come from resolvers.
  return error.path !== undefined || error.originalError instanceof ServiceError
    ? error.originalError
    : error;
}

/** The code of an error that the client caused; null for any other. */
function codeOf({ extensions }: GraphQLFormattedError, error: unknown, original: unknown): unknown {
  if (original === error && PASSED_ON.has(extensions?.code)) return extensions?.code;
  if (!(original instanceof GraphQLError) || original.extensions.code !== undefined) return null;
  // Apollo's errors about persisted queries have a status but no code.
  if (original === error && hasStatus400(original)) return 'BAD_REQUEST';
  // graphql-js throws this if a variable makes an argument null or invalid; the message names the argument.
  return original.nodes === undefined ? null : 'BAD_USER_INPUT';
}

function hasStatus400({ extensions: { http } }: GraphQLError): boolean {
  return typeof http === 'object' && http !== null && 'status' in http && http.status === 400;
}
