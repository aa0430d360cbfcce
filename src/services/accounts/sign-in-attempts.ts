/** Limits failed attempts to sign in, per account name and per address, in all processes together. */

import { hash } from 'node:crypto';

import { clientNetworkOf } from '../../domain/ip-address.ts';
import { ServiceError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';

const MAX_FAILURES = 10;
const WINDOW_MS = 15 * 60 * 1000;

export class SignInAttempts {
  readonly #storage: Pick<Storage, 'takeAttempts' | 'returnAttempts'>;
  readonly #clock: () => number;

  /** @param clock milliseconds since the epoch */
  constructor(storage: Pick<Storage, 'takeAttempts' | 'returnAttempts'>, clock: () => number) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /**
   * Counts the attempt before it is made, so that concurrent ones cannot exceed the limit.
   *
   * @param attempt resolves to null if it failed, which stays counted
   * @throws ServiceError RATE_LIMITED, the same for every name; what the attempt throws
   */
  async count<T>(names: readonly string[], attempt: () => Promise<T | null>): Promise<T | null> {
    const now = this.#clock();
    const taken = await this.#storage.takeAttempts(names, {
      most: MAX_FAILURES,
      now,
      expiresAt: now + WINDOW_MS,
    });
    if (taken.kind === 'full') throw tooManyFailures((taken.until - now) / 1000);
    let result: T | null = null;
    let isOver = false;
    try {
      result = await attempt();
      isOver = true;
      return result;
    } finally {
      if (!isOver || result !== null) await this.#storage.returnAttempts(taken.attempts);
    }
  }
}

/** Hashed: people type passwords into the wrong field. */
export function attemptsAtAccount(name: string): string {
  return `account ${hash('sha256', name, 'hex')}`;
}

export function attemptsFromAddress(address: string): string {
  return `address ${clientNetworkOf(address)}`;
}

function tooManyFailures(retryAfterSeconds: number): ServiceError {
  return new ServiceError('RATE_LIMITED', 'Too many failed attempts to sign in; wait and try again.', {
    retryAfterSeconds,
  });
}
