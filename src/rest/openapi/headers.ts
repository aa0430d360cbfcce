/** The headers of /v0's answers. */

import type { Header, Reference } from './openapi.ts';

export interface HeaderSettings {
  /** The one status of every failure; null when each has its own. */
  readonly errorStatus: number | null;
  /** Whether pages of other origins may call the server. */
  readonly allowsOrigins: boolean;
  /** With which absolute links begin. */
  readonly baseUrl: string;
}

export type HeaderName = keyof ReturnType<typeof createHeaders>;

/** The component headers, by name. */
export function createHeaders({ errorStatus, allowsOrigins, baseUrl }: HeaderSettings) {
  const cacheControl = {
    description: 'An answer to a token is for its owner alone, and caches have to ask again.',
    schema: { type: 'string', const: 'private, no-cache' },
  };
  const vary = allowsOrigins ? 'Origin, Authorization' : 'Authorization';
  // Where every failure has the same status, only some of its answers have these.
  const isMentioned = errorStatus === null;
  return {
    CacheControl: { ...cacheControl, required: true },
    Vary: {
      description: 'Request headers on which the answer depends.',
      required: true,
      schema: { type: 'string', const: vary },
    },
    CacheControlOfFailure: {
      ...cacheControl,
      description: `${cacheControl.description} It is there when the request had an \`Authorization\` header.`,
      required: false,
    },
    VaryOfFailure: {
      description: 'Request headers on which the answer depends, when there are any.',
      required: allowsOrigins,
      schema: { type: 'string', enum: allowsOrigins ? ['Origin', vary] : [vary] },
    },
    ETag: {
      description: 'A tag of this answer, for `If-None-Match`.',
      required: true,
      schema: { type: 'string', pattern: '^"[!#-~]+"$' },
      example: '"2fAkLhQCF2TwFvcAvLXAbEqz6vE"',
    },
    Link: {
      description:
        'The next page (RFC 8288); not there on the last page. ' +
        'Its `offset` is the order of the next location. Where locations of that order are on this page too, it also has `offsetAfter`.',
      required: false,
      schema: { type: 'string', pattern: '^<[^<>]+>; rel="next"$' },
      example: `<${baseUrl}/v0/map/4k8ce1gq0tv2x9zr/locations?limit=100&offset=101>; rel="next"`,
    },
    RequestId: {
      description:
        "The request's own `X-Request-Id` where that is valid, else a new one. The log has it too.",
      required: true,
      schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
      example: '0b0e3c2d-6a1f-4a86-9d0c-3f6f2a5b7c11',
    },
    RateLimit: {
      description:
        'How many requests are left in the window (`r`) and in how many seconds it ends (`t`); not there where nothing is limited, ' +
        'or nothing was counted.',
      required: false,
      schema: { type: 'string', pattern: '^"requests";r=[0-9]+;t=[0-9]+$' },
      example: '"requests";r=5999;t=60',
    },
    RateLimitPolicy: {
      description: 'How many requests (`q`) a window of so many seconds (`w`) allows.',
      required: false,
      schema: { type: 'string', pattern: '^"requests";q=[0-9]+;w=60$' },
      example: '"requests";q=6000;w=60',
    },
    RetryAfter: {
      description: `${isMentioned ? '' : 'With `error` 429 and 503: '}Seconds after which to try again.`,
      required: isMentioned,
      schema: { type: 'string', pattern: '^[1-9][0-9]*$' },
      example: '1',
    },
    WwwAuthenticate: {
      description: `${isMentioned ? '' : 'With `error` 401: '}The scheme of authentication.`,
      required: isMentioned,
      schema: { type: 'string', const: 'Bearer' },
    },
    AccessControlAllowOrigin: {
      description: 'The origin of the page that asked, where `CORS_ORIGINS` lists it.',
      required: false,
      schema: { type: 'string' },
    },
    AccessControlExposeHeaders: {
      description: 'Headers that such a page may read.',
      required: false,
      schema: { type: 'string' },
    },
  } as const satisfies Record<string, Header>;
}

export function headerRef(name: HeaderName): Reference {
  return { $ref: `#/components/headers/${name}` };
}
