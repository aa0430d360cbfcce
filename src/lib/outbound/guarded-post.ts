/**
 * Posts to URLs that clients have chosen, safe against SSRF. Every address of the host must be globally routable. Each
 * connection looks the host up once and connects to a checked address, so DNS rebinding has no effect.
 */

import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';

import { isGloballyRoutable } from '../../domain/ip-address.ts';
import { isLoopbackHost } from '../../domain/loopback.ts';
import { addressIn } from '../../domain/webhook-url.ts';
import { exchange, readRetryAfter } from '../http-client.ts';
import type { Post } from './post.ts';
import type { ResolveHost } from './resolve-host.ts';
import { createResolveHost } from './resolve-host.ts';

/** Bytes of a response to read and ignore, so that the connection can be reused. */
const MAX_RESPONSE_BYTES = 4_096;
/** Milliseconds to keep an idle connection: less than most servers do. */
const IDLE_MS = 1_000;
const REFUSED = 'ADDRESS_REFUSED';

export interface GuardedPostOptions {
  /** Whether to allow addresses that are not globally routable. */
  readonly allowsPrivate: boolean;
  readonly resolve?: ResolveHost;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
}

export interface GuardedPost {
  readonly post: Post;
  /** Closes idle connections. */
  close(): void;
}

/** An address of the host is not allowed. The error does not say which, to reveal nothing about the network. */
class AddressRefusedError extends Error {
  readonly code = REFUSED;
}

export function createGuardedPost({
  allowsPrivate,
  resolve = createResolveHost(),
  clock = Date.now,
}: GuardedPostOptions): GuardedPost {
  const isAllowed = (address: string) => allowsPrivate || isGloballyRoutable(address);
  const kept = { keepAlive: true, timeout: IDLE_MS };
  const agents = {
    // http is allowed only to this machine; see isRefused.
    http: new HttpAgent({ ...kept, lookup: guardedLookup(resolve, () => true) }),
    https: new HttpsAgent({ ...kept, lookup: guardedLookup(resolve, isAllowed) }),
  };
  const isRefused = (url: URL): boolean => {
    if (url.protocol === 'http:') return !isLoopbackHost(url.hostname);
    // An IP address in the URL is not looked up.
    const address = addressIn(url);
    return address !== null && !isAllowed(address);
  };
  return {
    async post({ url, headers, body }, timeoutMs, signal) {
      if (isRefused(url)) return { failure: 'refused', code: REFUSED };
      const sent = { method: 'POST', url, headers, body, agents } as const;
      const read = { maxBytes: MAX_RESPONSE_BYTES, statusAlone: true };
      const response = await exchange({ ...sent, ...read }, timeoutMs, signal);
      if (!('failure' in response)) {
        return { status: response.status, retryAfterSeconds: readRetryAfter(response.headers, clock()) };
      }
      return response.code === REFUSED ? { failure: 'refused', code: REFUSED } : response;
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** Fails if any address of the host is not allowed, even if others are. */
function guardedLookup(resolve: ResolveHost, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, { all = false }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        if (!addresses.every(({ address }) => isAllowed(address))) {
          callback(new AddressRefusedError('An address of the host is not allowed.'), '');
          return;
        }
        const [first] = addresses;
        if (first === undefined) callback(notFound(), '');
        else if (all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : notFound(), ''),
    );
  };
}

function notFound(): NodeJS.ErrnoException {
  return Object.assign(new Error('The host has no address.'), { code: 'ENOTFOUND' });
}
