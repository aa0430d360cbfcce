/** Invitations: whoever has the secret of one becomes a member of its map. */

import type { MapRole } from './role.ts';

/** Revoked and used ones are not kept. */
export interface Invitation {
  readonly id: string;
  readonly mapId: string;
  /** SHA-256 of the secret, lower-case hex. The secret itself is never stored. */
  readonly hash: string;
  readonly role: MapRole;
  /** For the owners of the map and the invited. */
  readonly note: string | null;
  /** How many people may accept it. */
  readonly maxUses: number;
  /** How many have. */
  readonly uses: number;
  /** The id of the owner who invites. The invitation ends when that is no longer an owner of the map. */
  readonly createdBy: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Open invitations of a map. */
export const MAX_INVITATIONS = 50;
export const MAX_INVITATION_USES = 50;
export const MAX_INVITATION_DAYS = 30;
export const MAX_NOTE_LENGTH = 200;

/** @param now milliseconds since the epoch */
export function isOpen({ expiresAt }: Pick<Invitation, 'expiresAt'>, now: number): boolean {
  return expiresAt > now;
}

/** The invitation after one more use; null after the last. */
export function useInvitation(invitation: Invitation): Invitation | null {
  const uses = invitation.uses + 1;
  return uses < invitation.maxUses ? { ...invitation, uses } : null;
}

/** In the order of creation. */
export function byCreation(one: Invitation, other: Invitation): number {
  return one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1);
}
