/** The response headers of /v0. */

import type { Header, Reference } from './openapi.ts';

export interface HeaderSettings {
  /** One status for every error; null if each has its own. */
  readonly errorStatus: number | null;
  /** Whether pages of other origins may call the server. */
  readonly allowsOrigins: boolean;
  /** Prefix of absolute links. */
  readonly baseUrl: string;
}

export type HeaderName = keyof ReturnType<typeof createHeaders>;

/** The component headers, by name. */
export function createHeaders({ errorStatus, allowsOrigins, baseUrl }: HeaderSettings) {
  const cacheControl = {
    description: 'A response to a token may be cached only by its owner, and must be revalidated.',
    schema: { type: 'string', const: 'private, no-cache' },
  };
  const vary = allowsOrigins ? 'Origin, Authorization' : 'Authorization';
  // If every error has the same status, only some of its responses have these headers.
  const isMentioned = errorStatus === null;
  return {
    CacheControl: { ...cacheControl, required: true },
    Vary: {
      description: 'Request headers that the response depends on.',
      required: true,
      schema: { type: 'string', const: vary },
    },
    CacheControlOfFailure: {
      ...cacheControl,
      description: `${cacheControl.description} Present if the request has an \`Authorization\` header.`,
      required: false,
    },
    VaryOfFailure: {
      description: 'Request headers that the response depends on, if any.',
      required: allowsOrigins,
      schema: { type: 'string', enum: allowsOrigins ? ['Origin', vary] : [vary] },
    },
    ETag: {
      description: 'A tag of this response, for `If-None-Match`.',
      required: true,
      schema: { type: 'string', pattern: '^"[!#-~]+"$' },
      example: '"2fAkLhQCF2TwFvcAvLXAbEqz6vE"',
    },
    Link: {
      description:
        'The next page (RFC 8288); absent on the last page. ' +
        'Its `offset` is the order of the next location. If locations of that order are also on this page, it has `offsetAfter` too.',
      required: false,
      schema: { type: 'string', pattern: '^<[^<>]+>; rel="next"$' },
      example: `<${baseUrl}/v0/map/4k8ce1gq0tv2x9zr/locations?limit=100&offset=101>; rel="next"`,
    },
    RequestId: {
      description: "The request's own `X-Request-Id` if valid, else a new one. It is also in the log.",
      required: true,
      schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
      example: '0b0e3c2d-6a1f-4a86-9d0c-3f6f2a5b7c11',
    },
    RateLimit: {
      description:
        'Requests left in the window (`r`) and seconds until it ends (`t`); absent if the request is not limited ' +
        'or was not counted.',
      required: false,
      schema: { type: 'string', pattern: '^"requests";r=[0-9]+;t=[0-9]+$' },
      example: '"requests";r=5999;t=60',
    },
    RateLimitPolicy: {
      description: 'Requests allowed (`q`) per window of `w` seconds.',
      required: false,
      schema: { type: 'string', pattern: '^"requests";q=[0-9]+;w=60$' },
      example: '"requests";q=6000;w=60',
    },
    RetryAfter: {
      description: `${isMentioned ? '' : 'With `error` 429 and 503: '}Seconds to wait before a retry.`,
      required: isMentioned,
      schema: { type: 'string', pattern: '^[1-9][0-9]*$' },
      example: '1',
    },
    WwwAuthenticate: {
      description: `${isMentioned ? '' : 'With `error` 401: '}The authentication scheme.`,
      required: isMentioned,
      schema: { type: 'string', const: 'Bearer' },
    },
    AccessControlAllowOrigin: {
      description: "The requesting page's origin, if `CORS_ORIGINS` lists it.",
      required: false,
      schema: { type: 'string' },
    },
    AccessControlExposeHeaders: {
      description: 'Response headers that the page may read.',
      required: false,
      schema: { type: 'string' },
    },
  } as const satisfies Record<string, Header>;
}

export function headerRef(name: HeaderName): Reference {
  return { $ref: `#/components/headers/${name}` };
}
