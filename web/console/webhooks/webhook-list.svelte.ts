/** The webhooks of a map, polled while the page is visible. */

import type { Webhook } from './webhooks.ts';
import { WebhooksDocument } from '../generated/operations.ts';
import { messageOf } from '../common/messages.ts';
import type { Session } from '../common/session.svelte.ts';

/** Milliseconds from a response to the next request. */
export const POLL_INTERVAL_MS = 5_000;

export class WebhookList {
  /** In order of creation; null until loaded. */
  all = $state.raw<readonly Webhook[] | null>(null);
  /** Why the last request failed; empty if it did not. */
  problem = $state('');
  readonly #session: Session;
  readonly #mapId: string;
  #isWatching = false;
  #request = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(session: Session, mapId: string) {
    this.#session = session;
    this.#mapId = mapId;
  }

  /** Loads the webhooks now and every five seconds while the page is visible. @returns a function that stops it */
  watch(): () => void {
    const load = () => void this.#load();
    this.#isWatching = true;
    document.addEventListener('visibilitychange', load);
    load();
    return () => {
      this.#isWatching = false;
      document.removeEventListener('visibilitychange', load);
      this.#stop();
    };
  }

  /** Adds or replaces a webhook returned by a mutation. The current request may be older and is dropped. */
  put(webhook: Webhook): void {
    const others = this.all ?? [];
    const exists = others.some(({ id }) => id === webhook.id);
    this.#show(exists ? others.map((one) => (one.id === webhook.id ? webhook : one)) : [...others, webhook]);
  }

  drop(id: string): void {
    this.#show((this.all ?? []).filter((one) => one.id !== id));
  }

  #show(all: readonly Webhook[]): void {
    this.#stop();
    this.all = all;
    this.#scheduleLoad();
  }

  #stop(): void {
    this.#request.abort();
    clearTimeout(this.#timer);
  }

  #scheduleLoad(): void {
    if (this.#isWatching) this.#timer = setTimeout(() => void this.#load(), POLL_INTERVAL_MS);
  }

  async #load(): Promise<void> {
    this.#stop();
    // Loads when the page becomes visible again.
    if (document.visibilityState === 'hidden') return;
    const { signal } = (this.#request = new AbortController());
    try {
      const { map } = await this.#session.request(WebhooksDocument, { id: this.#mapId }, signal);
      if (signal.aborted) return;
      this.all = map?.webhooks ?? [];
      this.problem = '';
    } catch (error) {
      if (signal.aborted) return;
      this.problem = messageOf(error);
    }
    this.#scheduleLoad();
  }
}
