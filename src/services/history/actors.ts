/** The names of those who changed something, as they are now. */

import type { Actor } from '../../domain/actor.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Scope } from '../scope.ts';

/** Of an account or token that no longer exists. */
const UNKNOWN = '';

/** One name for each actor, in order: an owner's, a token's or its owner's, `link:NAME`, `command line`. */
export async function namesOf(
  storage: Storage,
  scope: Scope,
  actors: readonly Actor[],
): Promise<readonly string[]> {
  const accounts = [...new Set(actors.flatMap((actor) => (actor.kind === 'account' ? [actor.id] : [])))];
  const owners = accounts.length === 0 ? [] : await storage.findOwners(accounts, scope);
  const accountNames = new Map(accounts.map((id, index) => [id, owners[index]?.name ?? UNKNOWN]));
  const tokenIds = new Set(
    actors.flatMap((actor) => (actor.kind === 'token' || actor.kind === 'link' ? [actor.id] : [])),
  );
  const tokens = await Promise.all([...tokenIds].map((id) => storage.findToken(id, scope)));
  const byId = new Map([...tokenIds].map((id, index) => [id, tokens[index] ?? null]));
  return actors.map((actor) => {
    switch (actor.kind) {
      case 'operator':
        return 'command line';
      case 'account':
        return accountNames.get(actor.id) ?? UNKNOWN;
      case 'link':
        return `link:${byId.get(actor.id)?.name ?? UNKNOWN}`;
      case 'token': {
        const token = byId.get(actor.id);
        return token?.name ?? token?.ownerName ?? UNKNOWN;
      }
    }
  });
}
