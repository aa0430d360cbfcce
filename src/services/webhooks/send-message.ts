/** One attempt to deliver a message, and its result. */

import type { WebhookUrlRules } from '../../domain/webhook-url.ts';
import { parseWebhookUrl } from '../../domain/webhook-url.ts';
import { OperatorError, ServiceError } from '../../errors.ts';
import type { Post, PostResponse } from '../../lib/outbound/post.ts';
import type { WebhookRecord } from '../../storage/webhooks.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { WebhookMessage } from './message.ts';
import { signaturesOf } from './signature.ts';

export interface Attempt {
  /** `refused`: the address is not allowed, so nothing was sent. */
  readonly outcome: 'delivered' | 'failed' | 'refused';
  /** Start, milliseconds since the epoch. */
  readonly at: number;
  readonly milliseconds: number;
  /** HTTP status of the response; null without one. */
  readonly status: number | null;
  /** Why it failed, in a sentence without anything from the response body; null if it was delivered. */
  readonly error: string | null;
  /** Retry-After of the response; null if absent. */
  readonly retryAfterMs: number | null;
}

/** Status by which a receiver unsubscribes for good. */
export const GONE = 410;

/** @throws the reason of `signal` when it is aborted */
export type SendMessage = (
  webhook: WebhookRecord,
  message: WebhookMessage,
  timeoutMs: number,
  signal: AbortSignal,
) => Promise<Attempt>;

export interface SendMessageOptions {
  readonly post: Post;
  readonly secrets: Secrets;
  readonly urlRules: WebhookUrlRules;
  readonly userAgent: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

export function createSendMessage(options: SendMessageOptions): SendMessage {
  const { post, secrets, urlRules, userAgent, clock } = options;
  return async (webhook, { id, body }, timeoutMs, signal) => {
    const at = clock();
    const begun = performance.now();
    const done = (result: Pick<Attempt, 'outcome' | 'error'> & Partial<Attempt>): Attempt => ({
      ...{ at, milliseconds: performance.now() - begun, status: null, retryAfterMs: null },
      ...result,
    });
    let url: URL;
    let keys: readonly string[];
    try {
      // The rules may have changed since the webhook was created.
      url = parseWebhookUrl(webhook.url, urlRules);
      keys = secretsOf(webhook, secrets, at);
    } catch (error) {
      if (error instanceof ServiceError) return done({ outcome: 'refused', error: error.message });
      if (!(error instanceof OperatorError)) throw error;
      return done({
        outcome: 'failed',
        error: 'The secret of the webhook cannot be decrypted; rotate it.',
      });
    }
    const timestamp = Math.floor(at / 1000);
    const headers = {
      'content-type': 'application/json',
      'user-agent': userAgent,
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signaturesOf(keys, { id, timestamp, body }),
    };
    return done(resultOf(await post({ url, headers, body }, timeoutMs, signal)));
  };
}

/** The secrets that sign at that time, decrypted, newest first. */
function secretsOf({ secret, formerSecret }: WebhookRecord, secrets: Secrets, at: number): readonly string[] {
  const former = formerSecret !== null && formerSecret.until > at ? [formerSecret.secret] : [];
  return [...(secret === null ? [] : [secret]), ...former].map((stored) => secrets.open(stored));
}

function resultOf(response: PostResponse): Pick<Attempt, 'outcome' | 'error'> & Partial<Attempt> {
  if ('failure' in response) {
    return {
      outcome: response.failure === 'refused' ? 'refused' : 'failed',
      error: FAILURES[response.failure](response.code),
    };
  }
  const { status, retryAfterSeconds } = response;
  if (status >= 200 && status < 300) return { outcome: 'delivered', error: null, status };
  const retryAfterMs = retryAfterSeconds === undefined ? null : retryAfterSeconds * 1000;
  return { outcome: 'failed', error: sentenceOf(status), status, retryAfterMs };
}

const FAILURES = {
  timeout: (code) => `The receiver did not respond in time (${code}).`,
  disconnected: (code) => `The connection failed (${code}).`,
  refused: () => 'The host of url has an address that is not globally routable; nothing was sent.',
} satisfies Record<string, (code: string) => string>;

function sentenceOf(status: number): string {
  if (status >= 300 && status < 400) {
    return `The receiver responded with ${status}; redirects are not followed, so url must be the final address.`;
  }
  return `The receiver responded with ${status}; only 2xx counts as received.`;
}
