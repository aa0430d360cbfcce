/** Turns whatever an operation threw into what a client may see; the one place of the GraphQL door that does. */

import { unwrapResolverError } from '@apollo/server/errors';
import type { GraphQLFormattedError } from 'graphql';
import { GraphQLError } from 'graphql';

import { INTERNAL_MESSAGE, ServiceError } from '../errors.ts';
import { CallerGoneError } from '../services/scope.ts';

/** A scalar's refusal of a literal; the literal follows, and may be an API key. */
const REFUSED_LITERAL = /^[A-Za-z]+ cannot represent (?:an? )?[a-z0-9 -]*value(?=:)/;
/** V8's own words for a parser or a rule that went too deep; the limit on tokens bounds how deep. */
const STACK_EXHAUSTED = 'Maximum call stack size exceeded';

/** Apollo's own codes that keep their meaning and their message (contract §7). */
const PASSED_ON: ReadonlySet<unknown> = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_REQUEST',
  'BAD_USER_INPUT',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
]);

const REFUSED_VARIABLE = /^Variable "\$\w+" got invalid value /;
const REFUSED_ARGUMENT = /^Argument "\w+" has invalid value/;
const PATH_IN_VARIABLE = / at "[\w.[\]]+"$/;

export type LogFailure = (error: unknown) => void;

export function createErrorFormatter(logFailure: LogFailure) {
  return (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    const original = unwrapResolverError(error);
    const { locations, path } = formatted;
    if (original instanceof ServiceError) {
      if (original.cause !== undefined) logFailure(original);
      return { message: original.message, locations, path, extensions: { code: original.code } };
    }
    const code = codeOf(formatted, error, original);
    if (code !== null) {
      return { message: withoutValue(formatted.message, error), locations, path, extensions: { code } };
    }
    if (!(original instanceof CallerGoneError)) logFailure(original);
    return { message: INTERNAL_MESSAGE, locations, path, extensions: { code: 'INTERNAL_SERVER_ERROR' } };
  };
}

/** The code of an error that is the client's own doing; null for any other. */
function codeOf({ extensions }: GraphQLFormattedError, error: unknown, original: unknown): unknown {
  if (original === error && PASSED_ON.has(extensions?.code)) return extensions?.code;
  if (!(original instanceof GraphQLError) || original.extensions.code !== undefined) return null;
  // Apollo gives its errors about persisted queries a status, but no code.
  if (original === error && hasStatus400(original)) return 'BAD_REQUEST';
  // graphql-js, when a variable makes an argument null or invalid that was valid by its type; it names the place.
  return original.nodes === undefined ? null : 'BAD_USER_INPUT';
}

function hasStatus400({ extensions: { http } }: GraphQLError): boolean {
  return typeof http === 'object' && http !== null && 'status' in http && http.status === 400;
}

/**
 * graphql-js repeats the value that it refuses, whole inputs included, and so the API keys in them. For a variable
 * its message is: the name, the value, the path within it, and a reason, which may end in the value once more.
 */
function withoutValue(message: string, error: unknown): string {
  if (message.includes(STACK_EXHAUSTED)) return 'The document nests too deeply.';
  const literal = REFUSED_LITERAL.exec(message)?.[0];
  if (literal !== undefined) return `${literal}.`;
  const argument = REFUSED_ARGUMENT.exec(message)?.[0];
  if (argument !== undefined) return `${argument}.`;
  const start = REFUSED_VARIABLE.exec(message)?.[0];
  const reason = error instanceof GraphQLError ? error.originalError?.message : undefined;
  if (start === undefined || reason === undefined || !message.endsWith(`; ${reason}`)) return message;
  const path = PATH_IN_VARIABLE.exec(message.slice(0, -`; ${reason}`.length))?.[0] ?? '';
  return `${start.trimEnd()}${path}; ${reason.replace(/: .*$/s, '.')}`;
}
