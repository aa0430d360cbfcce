import { randomUUID } from 'node:crypto';

import type { Config } from '../config.ts';
import type { GuardedPost } from '../../lib/outbound/guarded-post.ts';
import type { Post } from '../../lib/outbound/post.ts';
import type { Secrets } from '../../services/secrets/secrets.ts';
import type { WebhookDispatcherObserver } from '../../services/webhooks/dispatcher.ts';
import { WebhookDispatcher } from '../../services/webhooks/dispatcher.ts';
import { createSendMessage } from '../../services/webhooks/send-message.ts';
import { ConcurrencyLimit } from '../../services/webhooks/concurrency-limit.ts';
import type { Storage } from '../../storage/storage.ts';
import type { WebhookRecord } from '../../storage/webhooks.ts';
import { VERSION } from '../../lib/version.ts';
import type { Parts } from './application.ts';
import { lazy } from '../../lib/lazy.ts';

/** The dispatcher of webhook messages, and what the services need to create and test webhooks. */
export function deliveringOf(
  { webhooks }: Config,
  { storage, secrets }: { readonly storage: Storage; readonly secrets: Secrets },
  parts: Parts,
) {
  const { clock = Date.now, post: replacement } = parts;
  // Loaded with the first message.
  const outbound = lazy<GuardedPost>(async () => {
    const { createGuardedPost } = await import('../../lib/outbound/guarded-post.ts');
    return createGuardedPost({ allowsPrivate: webhooks.allowsPrivate, clock });
  });
  const post: Post =
    replacement ?? (async (sent, timeoutMs, signal) => (await outbound.get()).post(sent, timeoutMs, signal));
  const concurrency = new ConcurrencyLimit(webhooks.concurrency);
  const { timeoutMs, maxOfMap, allowsHttp, allowsPrivate } = webhooks;
  const urlRules = { allowsHttp, allowsPrivate };
  const userAgent = `map-locations/${VERSION}`;
  const send = createSendMessage({ post, secrets, urlRules, userAgent, clock });
  const observer: WebhookDispatcherObserver = {
    onAttempt: (webhook, message, attempt) => parts.onWebhookAttempt?.({ webhook, message, attempt }),
    onDisabled: (webhook) => parts.onWebhookDisabled?.(webhook),
    onCounts: (counts) => parts.onWebhookCounts?.(counts),
    onFailure: (error) => parts.onWebhooksFailure?.(error),
  };
  const dispatcher = new WebhookDispatcher({
    ...{ storage, send, concurrency, timeoutMs, clock, observer },
    holder: randomUUID(),
    retry: { firstMs: webhooks.retryMs, forMs: webhooks.retryForMs, random: Math.random },
  });
  return {
    dispatcher,
    forServices: {
      ...{ send, concurrency, urlRules, maxOfMap, timeoutMs },
      onChange: (webhook: WebhookRecord) => dispatcher.changed(webhook),
    },
    close: async () => (await outbound.made())?.close(),
  };
}
