/** The names of those who changed something, as they are now. */

import type { Actor } from '../../domain/actor.ts';
import { shownName } from '../../domain/owner-name.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Caller } from '../caller.ts';
import type { Scope } from '../scope.ts';

export interface ShownActor {
  /** An owner's name for people, a token's name or its owner's, `link:NAME`, `command line`. */
  readonly name: string;
  /** The unique name of the account's or token's owner; null for others. */
  readonly owner: string | null;
}

/** An account or token that no longer exists. */
const UNKNOWN: ShownActor = { name: '', owner: null };

/** One for each actor, in order. A link sees no names but its own. */
export async function shownActors(
  storage: Storage,
  scope: Scope,
  actors: readonly Actor[],
): Promise<readonly ShownActor[]> {
  const { caller } = scope;
  if (caller?.kind === 'link')
    return actors.map((actor) => ({ name: nameForLink(caller, actor), owner: null }));
  const tokenIds = new Set(actors.flatMap((actor) => (isTokenOrLink(actor) ? [actor.id] : [])));
  const tokens = await Promise.all([...tokenIds].map((id) => storage.findToken(id, scope)));
  const tokensById = new Map([...tokenIds].map((id, index) => [id, tokens[index] ?? null]));
  const ownerIds = [
    ...new Set([
      ...actors.flatMap((actor) => (actor.kind === 'account' ? [actor.id] : [])),
      ...tokens.flatMap((token) => (token === null ? [] : [token.ownerId])),
    ]),
  ];
  const owners = ownerIds.length === 0 ? [] : await storage.findOwners(ownerIds, scope);
  const ownersById = new Map(ownerIds.map((id, index) => [id, owners[index] ?? null]));
  const ofOwner = (id: string): ShownActor => {
    const owner = ownersById.get(id) ?? null;
    return owner === null ? UNKNOWN : { name: shownName(owner), owner: owner.name };
  };
  return actors.map((actor) => {
    switch (actor.kind) {
      case 'operator':
        return { name: 'command line', owner: null };
      case 'account':
        return ofOwner(actor.id);
      case 'link':
        return { name: `link:${tokensById.get(actor.id)?.name ?? ''}`, owner: null };
      case 'token': {
        const token = tokensById.get(actor.id) ?? null;
        if (token === null) return UNKNOWN;
        const { name, owner } = ofOwner(token.ownerId);
        return { name: token.name ?? name, owner };
      }
    }
  });
}

function nameForLink({ tokenId, ownerName }: Caller, actor: Actor): string {
  if (actor.kind === 'operator') return 'command line';
  if (actor.kind !== 'link') return 'a member';
  return actor.id === tokenId ? ownerName : 'another link';
}

function isTokenOrLink(actor: Actor): actor is Extract<Actor, { kind: 'token' | 'link' }> {
  return actor.kind === 'token' || actor.kind === 'link';
}
