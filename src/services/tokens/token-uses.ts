/** When tokens were last used: collected from requests, and stored a little later, so that no request waits for it. */

import type { Storage, TokenUse } from '../../storage/storage.ts';

/** Milliseconds between two stored uses of a token. */
const INTERVAL_MS = 60_000;
/** Milliseconds until a use is stored, together with those of other tokens. */
const DELAY_MS = 1_000;

export class TokenUses {
  readonly #storage: Pick<Storage, 'saveTokenUses'>;
  readonly #onFailure: (error: unknown) => void;
  readonly #waiting = new Map<string, TokenUse>();
  #timer: NodeJS.Timeout | null = null;
  #saving: Promise<void> = Promise.resolve();
  /** After a failure nothing is noted until then. */
  #pausedUntil = 0;

  /** @param onFailure told where uses could not be stored; they are forgotten */
  constructor(storage: Pick<Storage, 'saveTokenUses'>, onFailure: (error: unknown) => void) {
    this.#storage = storage;
    this.#onFailure = onFailure;
  }

  /** @param lastUsedAt as it is stored; null where the token was never used */
  note(tokenId: string, lastUsedAt: number | null, now: number): void {
    if (lastUsedAt !== null && now - lastUsedAt < INTERVAL_MS) return;
    if (now < this.#pausedUntil || this.#waiting.has(tokenId)) return;
    this.#waiting.set(tokenId, { tokenId, usedAt: now });
    this.#timer ??= setTimeout(() => void this.save(), DELAY_MS).unref();
  }

  /** Stores what is waiting, at once. Resolves also where that fails. */
  save(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const uses = [...this.#waiting.values()];
    this.#waiting.clear();
    if (uses.length > 0) {
      const saved = () => this.#storage.saveTokenUses(uses, INTERVAL_MS);
      this.#saving = this.#saving.then(saved).catch((error: unknown) => {
        this.#pausedUntil = Math.max(...uses.map(({ usedAt }) => usedAt)) + INTERVAL_MS;
        this.#onFailure(error);
      });
    }
    return this.#saving;
  }
}
