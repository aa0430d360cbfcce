/**
 * Tokens that a gateway forwards. Only the upstream knows whether one is valid. A token is kept outside its caller, so
 * that logging a caller cannot reveal it, and is garbage collected with it.
 */

import { hash } from 'node:crypto';

import type { Caller } from '../../services/caller.ts';

export class ForwardedTokens {
  readonly #tokens = new WeakMap<Caller, string>();

  /** A caller of which only the token is known. */
  callerOf(token: string): Caller {
    const caller: Caller = {
      kind: 'token',
      ownerId: '',
      ownerName: '',
      // The upstream checks whether it may write.
      scope: 'write',
      mapId: null,
      // For rate limits, which all processes count by it.
      tokenId: hash('sha256', token, 'base64url'),
      sessionId: null,
      expiresAt: null,
      isOwnerStored: true,
    };
    this.#tokens.set(caller, token);
    return caller;
  }

  /** @throws Error for a caller that {@link callerOf} did not create */
  of(caller: Caller): string {
    const token = this.#tokens.get(caller);
    if (token === undefined) throw new Error('The caller has no token to forward.');
    return token;
  }
}
