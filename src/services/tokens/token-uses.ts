/** Collects the last use of tokens and stores it in the background, so that no request waits for it. */

import type { Storage, TokenUse } from '../../storage/storage.ts';

/** Minimum milliseconds between two stored uses of a token. */
const INTERVAL_MS = 60_000;
/** Milliseconds for which uses are collected before they are stored together. */
const DELAY_MS = 1_000;

export class TokenUses {
  readonly #storage: Pick<Storage, 'saveTokenUses'>;
  readonly #onFailure: (error: unknown) => void;
  readonly #pending = new Map<string, TokenUse>();
  #timer: NodeJS.Timeout | null = null;
  #saving: Promise<void> = Promise.resolve();
  /** Uses are not collected until then, after a failure. */
  #pausedUntil = 0;

  /** @param onFailure called when uses could not be stored; they are dropped */
  constructor(storage: Pick<Storage, 'saveTokenUses'>, onFailure: (error: unknown) => void) {
    this.#storage = storage;
    this.#onFailure = onFailure;
  }

  /** @param lastUsedAt the stored use; null if the token was never used */
  note(tokenId: string, lastUsedAt: number | null, now: number): void {
    if (lastUsedAt !== null && now - lastUsedAt < INTERVAL_MS) return;
    if (now < this.#pausedUntil || this.#pending.has(tokenId)) return;
    this.#pending.set(tokenId, { tokenId, usedAt: now });
    this.#timer ??= setTimeout(() => void this.save(), DELAY_MS).unref();
  }

  /** Stores pending uses at once. Resolves even if that fails. */
  save(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const uses = [...this.#pending.values()];
    this.#pending.clear();
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
