/** The webhooks of a map: listed, created, changed, tested and deleted by its owners. */

import type { ChangeKind } from '../../domain/change.ts';
import { isWebhookId, newWebhookId } from '../../domain/ids.ts';
import type { MapView } from '../../domain/public-view.ts';
import type { WebhookUrlRules } from '../../domain/webhook-url.ts';
import { parseWebhookUrl } from '../../domain/webhook-url.ts';
import { badUserInput, overloaded, ServiceError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import type { WebhookPatch, WebhookRecord } from '../../storage/webhooks.ts';
import type { WriteAudit } from '../audit/audit.ts';
import { ok } from '../audit/audit.ts';
import { authorize, authorizeOn } from '../authorization.ts';
import { mapUnavailableError } from '../caller.ts';
import type { Scope } from '../scope.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { testMessage } from './message.ts';
import type { SendMessage } from './send-message.ts';
import { newWebhookSecret } from './signature.ts';
import type { ConcurrencyLimit } from './concurrency-limit.ts';

/** The members of a webhook that owners of its map see. */
export interface ShownWebhook {
  readonly id: string;
  readonly url: string;
  readonly events: ChangeKind[];
  readonly status: 'active' | 'failing' | 'disabled';
  /** Milliseconds since the epoch. */
  readonly lastAttemptAt: number | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
}

export interface NewWebhook {
  readonly url: string;
  readonly events: readonly ChangeKind[];
}

/** Absent and null members stay unchanged. */
export interface WebhookChanges {
  readonly url?: string | null;
  readonly events?: readonly ChangeKind[] | null;
  readonly status?: 'active' | 'disabled' | null;
}

export interface TestedWebhook {
  readonly webhook: ShownWebhook;
  readonly delivered: boolean;
  readonly status: number | null;
  readonly error: string | null;
}

export interface WebhookServiceOptions {
  readonly storage: Storage;
  readonly secrets: Secrets;
  readonly audit: WriteAudit;
  readonly send: SendMessage;
  readonly concurrency: ConcurrencyLimit;
  readonly urlRules: WebhookUrlRules;
  /** Webhooks that a map may have. */
  readonly maxOfMap: number;
  /** Milliseconds for all tests of one request together. */
  readonly timeoutMs: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Called for created, changed and deleted webhooks. */
  readonly onChange: (webhook: WebhookRecord) => void;
}

const FORMER_SECRET_MS = 24 * 60 * 60 * 1000;

interface WithSecret {
  readonly webhook: ShownWebhook;
  readonly secret: string;
}

/** Each method throws a ServiceError UNAUTHENTICATED, FORBIDDEN, MAP_NOT_FOUND, MAP_DELETED or BAD_USER_INPUT. */
export class WebhookService {
  readonly #options: WebhookServiceOptions;
  /** Deadline for the tests of a request, by the monotonic clock. */
  readonly #testsEndAt = new WeakMap<Scope, number>();

  constructor(options: WebhookServiceOptions) {
    this.#options = options;
  }

  /** In order of creation. @param map that the caller may read; webhooks of a public map are FORBIDDEN */
  async listWebhooks(scope: Scope, map: MapView): Promise<ShownWebhook[]> {
    authorizeOn(scope, map, { role: 'owner' }, 'webhooks');
    return (await this.#options.storage.listWebhooks(map.id, scope)).map(shownOf);
  }

  /** @returns the secret, which is never shown again */
  createWebhook(scope: Scope, mapId: string, { url, events }: NewWebhook): Promise<WithSecret> {
    const audited = {
      operation: 'createWebhook',
      subject: { mapId, ids: [] },
      done: ({ webhook }: WithSecret) => ok(mapId, [webhook.id]),
    };
    return this.#options.audit.run(scope, audited, async () => {
      const { storage, secrets, clock, maxOfMap, urlRules, onChange } = this.#options;
      await authorize(storage, scope, mapId, { role: 'owner' });
      parseWebhookUrl(url, urlRules);
      const kinds = kindsOf(events);
      const last = await storage.lastChange(mapId, scope);
      if (last.kind !== 'place') throw mapUnavailableError(last);
      const secret = newWebhookSecret();
      const webhook: WebhookRecord = {
        id: newWebhookId(),
        mapId,
        url,
        events: kinds,
        isEnabled: true,
        secret: secrets.seal(secret),
        formerSecret: null,
        createdAt: clock(),
        version: 1,
        delivery: {
          ...{ place: last.place, failures: 0, failingSince: null, nextAttemptAt: null },
          ...{ lastAttemptAt: null, lastStatus: null, lastError: null },
        },
      };
      const outcome = await storage.insertWebhook(webhook, maxOfMap, scope);
      if (outcome.kind === 'too-many') {
        throw badUserInput(`The map already has ${maxOfMap} webhooks, the maximum; delete one first.`, {
          reason: 'limitReached',
          max: maxOfMap,
        });
      }
      if (outcome.kind !== 'inserted') throw mapUnavailableError(outcome);
      onChange(webhook);
      return { webhook: shownOf(webhook), secret };
    });
  }

  /** @throws ServiceError also WEBHOOK_NOT_FOUND */
  updateWebhook(scope: Scope, mapId: string, id: string, changes: WebhookChanges): Promise<ShownWebhook> {
    return this.#options.audit.run(scope, auditedWebhook('updateWebhook', mapId, id), async () => {
      const { storage, urlRules } = this.#options;
      await authorize(storage, scope, mapId, { role: 'owner' });
      const { url = null, events = null, status = null } = changes;
      if (url !== null) parseWebhookUrl(url, urlRules);
      const kinds = events === null ? null : kindsOf(events);
      const changed = await this.#change(scope, mapId, id, (webhook) => {
        if (status === 'active') requireSecret(webhook);
        const isMoved = url !== null && url !== webhook.url;
        return {
          ...(isMoved && { url }),
          ...(kinds !== null && { events: kinds }),
          ...(status !== null && { isEnabled: status === 'active' }),
          // Forget earlier failures, so that pending messages are sent at once.
          ...((isMoved || status === 'active') && {
            delivery: { ...webhook.delivery, failures: 0, failingSince: null, nextAttemptAt: null },
          }),
        };
      });
      return shownOf(changed);
    });
  }

  /** @throws ServiceError also WEBHOOK_NOT_FOUND */
  deleteWebhook(scope: Scope, mapId: string, id: string): Promise<void> {
    return this.#options.audit.run(scope, auditedWebhook('deleteWebhook', mapId, id), async () => {
      const { storage, onChange } = this.#options;
      await authorize(storage, scope, mapId, { role: 'owner' });
      const webhook = await this.#find(scope, mapId, id);
      if (!(await storage.deleteWebhook(mapId, id, scope))) throw webhookNotFound();
      onChange(webhook);
    });
  }

  /**
   * @returns the new secret, which is never shown again. For a day, messages are signed with the old secret as well
   * @throws ServiceError also WEBHOOK_NOT_FOUND
   */
  rotateWebhookSecret(scope: Scope, mapId: string, id: string): Promise<WithSecret> {
    return this.#options.audit.run(scope, auditedWebhook('rotateWebhookSecret', mapId, id), async () => {
      const { storage, secrets, clock } = this.#options;
      await authorize(storage, scope, mapId, { role: 'owner' });
      const secret = newWebhookSecret();
      const sealed = secrets.seal(secret);
      const webhook = await this.#change(scope, mapId, id, ({ secret: former }) => ({
        secret: sealed,
        formerSecret: former === null ? null : { secret: former, until: clock() + FORMER_SECRET_MS },
      }));
      return { webhook: shownOf(webhook), secret };
    });
  }

  /** Sends a message at once, also to a disabled webhook. @throws ServiceError also WEBHOOK_NOT_FOUND, OVERLOADED */
  testWebhook(scope: Scope, mapId: string, id: string): Promise<TestedWebhook> {
    return this.#options.audit.run(scope, auditedWebhook('testWebhook', mapId, id), async () => {
      const { storage, concurrency, send, clock } = this.#options;
      await authorize(storage, scope, mapId, { role: 'owner' });
      const webhook = await this.#find(scope, mapId, id);
      requireSecret(webhook);
      const leftMs = this.#leftForTests(scope);
      if (leftMs <= 0) {
        throw badUserInput('The other tests of this request have used up its time; send another request.');
      }
      const release = concurrency.tryAcquire(true);
      if (release === null) throw overloaded();
      try {
        const signal = scope.signal ?? new AbortController().signal;
        const attempt = await send(webhook, testMessage(webhook, clock()), leftMs, signal);
        const { outcome, status, error } = attempt;
        return { webhook: shownOf(webhook), delivered: outcome === 'delivered', status, error };
      } finally {
        release();
      }
    });
  }

  #leftForTests(scope: Scope): number {
    const now = performance.now();
    const endsAt = this.#testsEndAt.get(scope) ?? now + this.#options.timeoutMs;
    this.#testsEndAt.set(scope, endsAt);
    return Math.floor(endsAt - now);
  }

  /** @param patchOf called again after a concurrent change */
  async #change(
    scope: Scope,
    mapId: string,
    id: string,
    patchOf: (webhook: WebhookRecord) => WebhookPatch,
  ): Promise<WebhookRecord> {
    const { storage, onChange } = this.#options;
    for (let webhook = await this.#find(scope, mapId, id); ;) {
      const patch = patchOf(webhook);
      if (isUnchanged(webhook, patch)) return webhook;
      const outcome = await storage.updateWebhook(mapId, id, patch, webhook.version, scope);
      if (outcome.kind === 'missing') throw webhookNotFound();
      webhook = outcome.webhook;
      if (outcome.kind === 'updated') {
        onChange(webhook);
        return webhook;
      }
    }
  }

  async #find(scope: Scope, mapId: string, id: string): Promise<WebhookRecord> {
    const all = isWebhookId(id) ? await this.#options.storage.listWebhooks(mapId, scope) : [];
    const found = all.find((webhook) => webhook.id === id);
    if (found === undefined) throw webhookNotFound();
    return found;
  }
}

function auditedWebhook(operation: string, mapId: string, id: string) {
  return { operation, subject: { mapId, ids: [id] } };
}

/** Without duplicates, in the order given. */
function kindsOf(events: readonly ChangeKind[]): readonly ChangeKind[] {
  if (events.length === 0) {
    throw badUserInput('events must name at least one kind of change.', { reason: 'eventsMissing' });
  }
  return [...new Set(events)];
}

function requireSecret({ secret }: WebhookRecord): void {
  if (secret !== null) return;
  throw badUserInput(
    'The webhook has no secret: it was restored from a backup without secrets. Create one with rotateWebhookSecret.',
  );
}

function isUnchanged(webhook: WebhookRecord, patch: WebhookPatch): boolean {
  return Object.entries(patch).every(
    ([name, value]: [string, unknown]) =>
      JSON.stringify(value) === JSON.stringify(webhook[name as keyof WebhookPatch]),
  );
}

function shownOf({ id, url, events, isEnabled, secret, delivery }: WebhookRecord): ShownWebhook {
  const { failures, lastAttemptAt, lastStatus, lastError } = delivery;
  const isDisabled = !isEnabled || secret === null;
  const status = isDisabled ? 'disabled' : failures > 0 ? 'failing' : 'active';
  return { id, url, events: [...events], status, lastAttemptAt, lastStatus, lastError };
}

function webhookNotFound(): ServiceError {
  return new ServiceError('WEBHOOK_NOT_FOUND', 'The map has no such webhook.');
}
