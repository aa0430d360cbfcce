/**
 * Tokens that are passed on. A gateway cannot tell whether one is valid: the upstream says so. A token is held as long as
 * the caller of its request, and nothing that is written of a caller has it.
 */

import { hash } from 'node:crypto';

import type { Caller } from '../../services/caller.ts';

export class ForwardedTokens {
  readonly #tokens = new WeakMap<Caller, string>();

  /** A caller of whom nothing is known but the token. */
  callerOf(token: string): Caller {
    const caller: Caller = {
      ownerId: '',
      ownerName: '',
      // The upstream knows whether it may write.
      scope: 'write',
      mapId: null,
      // For the rate, which all processes that serve count by it.
      tokenId: hash('sha256', token, 'base64url'),
      expiresAt: null,
      isOwnerStored: true,
      isForwarded: true,
    };
    this.#tokens.set(caller, token);
    return caller;
  }

  /** @throws Error for a caller that did not come from here */
  of(caller: Caller): string {
    const token = this.#tokens.get(caller);
    if (token === undefined) throw new Error('The caller has no token to pass on.');
    return token;
  }
}
