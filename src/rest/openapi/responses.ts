/** The responses of an operation, by status. */

import { ERRORS } from '../../errors.ts';
import type { V0ErrorCode } from '../status.ts';
import { statusOf } from '../status.ts';
import type { V0Row } from '../table.ts';
import { errorExamples, MESSAGES } from './examples.ts';
import type { HeaderName } from './headers.ts';
import { headerRef } from './headers.ts';
import type { Reference, Response } from './openapi.ts';
import { ref } from './schemas.ts';

export interface ResponseSettings {
  readonly errorStatus: number | null;
  readonly allowsOrigins: boolean;
  readonly acceptsJwts: boolean;
}

/** Errors of every operation. */
const COMMON: readonly V0ErrorCode[] = [
  'BAD_USER_INPUT',
  'UNAUTHENTICATED',
  'MAP_NOT_FOUND',
  'RATE_LIMITED',
  'STORAGE_UNAVAILABLE',
  'OVERLOADED',
  'INTERNAL_SERVER_ERROR',
];
/** Additional errors of every operation if JWTs are accepted. A JWT without our scopes may not even read. */
const OF_JWTS: readonly V0ErrorCode[] = ['FORBIDDEN', 'ISSUER_UNAVAILABLE'];

export function createResponses(row: V0Row, settings: ResponseSettings): Record<string, Response> {
  const { response } = row.description;
  const isGet = row.method === 'GET';
  const headers = headersOf(settings, [
    ...(['CacheControl', 'Vary'] as const),
    ...(isGet ? (['ETag'] as const) : []),
    ...(response.hasLink === true ? (['Link'] as const) : []),
  ]);
  const examples = { example: { value: response.example } };
  return {
    200: {
      description: response.description,
      headers,
      content: { 'application/json': { schema: response.schema, examples } },
    },
    ...(isGet && {
      304: { description: "The client's cached response (`If-None-Match`) is current. No body.", headers },
    }),
    ...failures(row, settings),
  };
}

function failures(row: V0Row, settings: ResponseSettings): Record<string, Response> {
  const byStatus = new Map<number, V0ErrorCode[]>();
  const codes = [...COMMON, ...(settings.acceptsJwts ? OF_JWTS : []), ...(row.description.failures ?? [])];
  for (const code of Object.keys(MESSAGES) as V0ErrorCode[]) {
    if (!codes.includes(code)) continue;
    const status = statusOf(code, row, settings.errorStatus);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries([...byStatus].map(([status, of]) => [status, failure(of, settings)]));
}

function failure(codes: readonly V0ErrorCode[], settings: ResponseSettings): Response {
  const numbers = [...new Set(codes.map((code) => ERRORS[code].error))].sort((a, b) => a - b);
  const mayRetry = numbers.some((number) => number === 429 || number === 503);
  return {
    description: codes.map((code) => `- \`${ERRORS[code].error}\` ${code}: ${ERRORS[code].when}`).join('\n'),
    headers: headersOf(settings, [
      'CacheControlOfFailure',
      'VaryOfFailure',
      ...(codes.includes('UNAUTHENTICATED') ? (['WwwAuthenticate'] as const) : []),
      ...(mayRetry ? (['RetryAfter'] as const) : []),
    ]),
    content: {
      'application/json': {
        // Siblings of a `$ref` are lost or replace its own keywords in some dereferencers.
        schema: { allOf: [ref('Error'), { properties: { error: { enum: numbers } } }] },
        examples: errorExamples(codes),
      },
    },
  };
}

/** Response headers, with those of CORS if other origins may call. */
export function headersOf(
  { allowsOrigins }: Pick<ResponseSettings, 'allowsOrigins'>,
  names: readonly HeaderName[],
): Record<string, Reference> {
  const common = ['RateLimit', 'RateLimitPolicy', 'RequestId'] as const;
  const all: readonly HeaderName[] = allowsOrigins
    ? [...names, ...common, 'AccessControlAllowOrigin', 'AccessControlExposeHeaders']
    : [...names, ...common];
  return Object.fromEntries(all.map((name) => [SPELLED[name], headerRef(name)]));
}

const SPELLED: Readonly<Record<HeaderName, string>> = {
  CacheControl: 'Cache-Control',
  CacheControlOfFailure: 'Cache-Control',
  Vary: 'Vary',
  VaryOfFailure: 'Vary',
  ETag: 'ETag',
  Link: 'Link',
  RequestId: 'X-Request-Id',
  RateLimit: 'RateLimit',
  RateLimitPolicy: 'RateLimit-Policy',
  RetryAfter: 'Retry-After',
  WwwAuthenticate: 'WWW-Authenticate',
  AccessControlAllowOrigin: 'Access-Control-Allow-Origin',
  AccessControlExposeHeaders: 'Access-Control-Expose-Headers',
};
