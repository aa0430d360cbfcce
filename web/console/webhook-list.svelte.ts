/** A map's webhooks, read again and again while somebody looks at them. */

import type { Webhook } from './webhooks.ts';
import { WebhooksDocument } from './generated/operations.ts';
import { messageOf } from './messages.ts';
import type { Session } from './session.svelte.ts';

/** From an answer to the next question. */
export const READ_AGAIN_MS = 5_000;

export class WebhookList {
  /** In order of creation; null until they are read. */
  all = $state.raw<readonly Webhook[] | null>(null);
  /** Why they could not be read the last time; empty where they could. */
  problem = $state('');
  readonly #session: Session;
  readonly #mapId: string;
  #isWatched = false;
  #request = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(session: Session, mapId: string) {
    this.#session = session;
    this.#mapId = mapId;
  }

  /** Reads them now, and every five seconds while the page is in sight. @returns what ends it */
  watch(): () => void {
    const look = () => void this.#read();
    this.#isWatched = true;
    document.addEventListener('visibilitychange', look);
    look();
    return () => {
      this.#isWatched = false;
      document.removeEventListener('visibilitychange', look);
      this.#stop();
    };
  }

  /** A webhook as a change of it was answered. What was asked before may be older. */
  put(webhook: Webhook): void {
    const others = this.all ?? [];
    const isThere = others.some(({ id }) => id === webhook.id);
    this.#show(isThere ? others.map((one) => (one.id === webhook.id ? webhook : one)) : [...others, webhook]);
  }

  drop(id: string): void {
    this.#show((this.all ?? []).filter((one) => one.id !== id));
  }

  #show(all: readonly Webhook[]): void {
    this.#stop();
    this.all = all;
    this.#readLater();
  }

  #stop(): void {
    this.#request.abort();
    clearTimeout(this.#timer);
  }

  #readLater(): void {
    if (this.#isWatched) this.#timer = setTimeout(() => void this.#read(), READ_AGAIN_MS);
  }

  async #read(): Promise<void> {
    this.#stop();
    // It is read when it comes into sight again.
    if (document.visibilityState === 'hidden') return;
    const { signal } = (this.#request = new AbortController());
    try {
      const { map } = await this.#session.ask(WebhooksDocument, { id: this.#mapId }, signal);
      if (signal.aborted) return;
      this.all = map?.webhooks ?? [];
      this.problem = '';
    } catch (error) {
      if (signal.aborted) return;
      this.problem = messageOf(error);
    }
    this.#readLater();
  }
}
