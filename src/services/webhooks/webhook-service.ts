/** A map's webhooks, for its owner: made, changed, tried and deleted. */

import type { ChangeKind } from '../../domain/change.ts';
import { isWebhookId, newWebhookId } from '../../domain/ids.ts';
import type { MapView } from '../../domain/public-view.ts';
import type { WebhookUrlRules } from '../../domain/webhook-url.ts';
import { parseWebhookUrl } from '../../domain/webhook-url.ts';
import { badUserInput, overloaded, ServiceError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import type { WebhookPatch, WebhookRecord } from '../../storage/webhooks.ts';
import { authorize } from '../authorization.ts';
import { requireNotDeleted, requireWriter } from '../caller.ts';
import { mapUnavailableError } from '../maps/map-service.ts';
import type { Scope } from '../scope.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { testMessage } from './message.ts';
import type { SendMessage } from './send-message.ts';
import { newWebhookSecret } from './signature.ts';
import type { ConcurrencyLimit } from './concurrency-limit.ts';

/** All that is shown of a webhook. */
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

/** What is absent or null stays as it is. */
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

/** Each verb throws a ServiceError UNAUTHENTICATED, FORBIDDEN, MAP_NOT_FOUND or MAP_DELETED, and BAD_USER_INPUT. */
export interface WebhookService {
  /** In order of creation. @param map one that the caller may read, or a public one, whose webhooks nobody sees */
  listWebhooks(scope: Scope, map: MapView): Promise<ShownWebhook[]>;
  /** @returns the secret, which is shown only now */
  createWebhook(
    scope: Scope,
    mapId: string,
    input: NewWebhook,
  ): Promise<{ webhook: ShownWebhook; secret: string }>;
  /** @throws ServiceError also WEBHOOK_NOT_FOUND, as the verbs below */
  updateWebhook(scope: Scope, mapId: string, id: string, changes: WebhookChanges): Promise<ShownWebhook>;
  deleteWebhook(scope: Scope, mapId: string, id: string): Promise<void>;
  /** @returns the new secret, which is shown only now. The old one signs beside it for a day */
  rotateWebhookSecret(
    scope: Scope,
    mapId: string,
    id: string,
  ): Promise<{ webhook: ShownWebhook; secret: string }>;
  /** Sends a message at once, also of a webhook that is disabled. @throws ServiceError also OVERLOADED */
  testWebhook(scope: Scope, mapId: string, id: string): Promise<TestedWebhook>;
}

export interface WebhookServiceOptions {
  readonly storage: Storage;
  readonly secrets: Secrets;
  readonly send: SendMessage;
  readonly concurrency: ConcurrencyLimit;
  readonly urlRules: WebhookUrlRules;
  /** Webhooks that a map may have. */
  readonly maxOfMap: number;
  /** For all tests of a request together, milliseconds. */
  readonly timeoutMs: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Told of what was made, changed or deleted. */
  readonly onChange: (webhook: WebhookRecord) => void;
}

const FORMER_SECRET_MS = 24 * 60 * 60 * 1000;

export function createWebhookService(options: WebhookServiceOptions): WebhookService {
  return new StoredWebhooks(options);
}

class StoredWebhooks implements WebhookService {
  readonly #options: WebhookServiceOptions;
  /** When the tests of a request have to be over, by the monotonic clock. */
  readonly #testsEndAt = new WeakMap<Scope, number>();

  constructor(options: WebhookServiceOptions) {
    this.#options = options;
  }

  async listWebhooks(scope: Scope, map: MapView): Promise<ShownWebhook[]> {
    if (map.view === 'public') {
      throw new ServiceError('FORBIDDEN', 'The webhooks of a map are its owner’s alone, and not public.');
    }
    requireWriter(scope.caller);
    requireNotDeleted(map);
    return (await this.#options.storage.listWebhooks(map.id, scope)).map(shownOf);
  }

  async createWebhook(scope: Scope, mapId: string, { url, events }: NewWebhook) {
    const { storage, secrets, clock, maxOfMap, urlRules, onChange } = this.#options;
    await authorize(storage, scope, mapId, { scope: 'write' });
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
      throw badUserInput(
        `The map has ${maxOfMap} webhooks, which is all that it may have; delete one first.`,
      );
    }
    if (outcome.kind !== 'inserted') throw mapUnavailableError(outcome);
    onChange(webhook);
    return { webhook: shownOf(webhook), secret };
  }

  async updateWebhook(scope: Scope, mapId: string, id: string, changes: WebhookChanges) {
    const { storage, urlRules } = this.#options;
    await authorize(storage, scope, mapId, { scope: 'write' });
    const { url = null, events = null, status = null } = changes;
    if (url !== null) parseWebhookUrl(url, urlRules);
    const kinds = events === null ? null : kindsOf(events);
    const changed = await this.#change(scope, mapId, id, (webhook) => {
      if (status === 'active') requireSecret(webhook);
      const isElsewhere = url !== null && url !== webhook.url;
      return {
        ...(isElsewhere && { url }),
        ...(kinds !== null && { events: kinds }),
        ...(status !== null && { isEnabled: status === 'active' }),
        // What has failed is sent at once, and has failed no longer.
        ...((isElsewhere || status === 'active') && {
          delivery: { ...webhook.delivery, failures: 0, failingSince: null, nextAttemptAt: null },
        }),
      };
    });
    return shownOf(changed);
  }

  async deleteWebhook(scope: Scope, mapId: string, id: string): Promise<void> {
    const { storage, onChange } = this.#options;
    await authorize(storage, scope, mapId, { scope: 'write' });
    const webhook = await this.#find(scope, mapId, id);
    if (!(await storage.deleteWebhook(mapId, id, scope))) throw webhookNotFound();
    onChange(webhook);
  }

  async rotateWebhookSecret(scope: Scope, mapId: string, id: string) {
    const { storage, secrets, clock } = this.#options;
    await authorize(storage, scope, mapId, { scope: 'write' });
    const secret = newWebhookSecret();
    const sealed = secrets.seal(secret);
    const webhook = await this.#change(scope, mapId, id, ({ secret: former }) => ({
      secret: sealed,
      formerSecret: former === null ? null : { secret: former, until: clock() + FORMER_SECRET_MS },
    }));
    return { webhook: shownOf(webhook), secret };
  }

  async testWebhook(scope: Scope, mapId: string, id: string): Promise<TestedWebhook> {
    const { storage, concurrency, send, clock } = this.#options;
    await authorize(storage, scope, mapId, { scope: 'write' });
    const webhook = await this.#find(scope, mapId, id);
    requireSecret(webhook);
    const leftMs = this.#leftForTests(scope);
    if (leftMs <= 0) {
      throw badUserInput('The other tests of this request have taken all its time; test it in another one.');
    }
    const giveBack = concurrency.tryAcquire(true);
    if (giveBack === null) throw overloaded();
    try {
      const signal = scope.signal ?? new AbortController().signal;
      const attempt = await send(webhook, testMessage(webhook, clock()), leftMs, signal);
      const { outcome, status, error } = attempt;
      return { webhook: shownOf(webhook), delivered: outcome === 'delivered', status, error };
    } finally {
      giveBack();
    }
  }

  #leftForTests(scope: Scope): number {
    const now = performance.now();
    const endsAt = this.#testsEndAt.get(scope) ?? now + this.#options.timeoutMs;
    this.#testsEndAt.set(scope, endsAt);
    return Math.floor(endsAt - now);
  }

  /** @param patchOf what of a webhook becomes another; it is asked again where somebody else was quicker */
  async #change(
    scope: Scope,
    mapId: string,
    id: string,
    patchOf: (webhook: WebhookRecord) => WebhookPatch,
  ): Promise<WebhookRecord> {
    const { storage, onChange } = this.#options;
    for (let webhook = await this.#find(scope, mapId, id); ;) {
      const patch = patchOf(webhook);
      if (isAsItWas(webhook, patch)) return webhook;
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

/** Each once, in the order given. */
function kindsOf(events: readonly ChangeKind[]): readonly ChangeKind[] {
  if (events.length === 0) throw badUserInput('events must name at least one kind of change.');
  return [...new Set(events)];
}

function requireSecret({ secret }: WebhookRecord): void {
  if (secret !== null) return;
  throw badUserInput(
    'The webhook has no secret, since a backup without secrets was restored; give it one with rotateWebhookSecret.',
  );
}

function isAsItWas(webhook: WebhookRecord, patch: WebhookPatch): boolean {
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
