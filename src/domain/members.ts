/** The members of a map, and the rules for changing them. */

import type { MapRole } from './role.ts';
import { higherRole } from './role.ts';

/** An owner's membership of a map. */
export interface MapMember {
  readonly ownerId: string;
  readonly role: MapRole;
  /** When the owner became a member, milliseconds since the epoch. */
  readonly since: number;
}

export const MAX_MEMBERS = 200;

export type MemberChange =
  /** Adds the owner, or raises its role; a higher role stays. */
  | ({ readonly kind: 'raise' } & MapMember)
  /** Adds the owner, or gives it another role. */
  | ({ readonly kind: 'set' } & MapMember)
  /** Gives a member another role. */
  | ({ readonly kind: 'update' } & Pick<MapMember, 'ownerId' | 'role'>)
  | { readonly kind: 'remove'; readonly ownerId: string };

/** Why members cannot be changed in that way. */
export type MembersRefusal =
  | { readonly kind: 'not-a-member' }
  /** A map always has an owner. */
  | { readonly kind: 'last-owner' }
  | { readonly kind: 'too-many-members' };

/** Who a map belongs to. */
export interface Membership {
  /** The creator; once the creator is no longer an owner, the owner of longest standing. */
  readonly ownerId: string;
  /** In the order of joining. */
  readonly members: readonly MapMember[];
}

/** The only member of a new map. @param createdAt milliseconds since the epoch */
export function creatorOf(ownerId: string, createdAt: number): MapMember {
  return { ownerId, role: 'owner', since: createdAt };
}

/** Null for somebody who is not a member. */
export function memberRole(
  members: readonly Pick<MapMember, 'ownerId' | 'role'>[],
  ownerId: string,
): MapRole | null {
  return members.find((member) => member.ownerId === ownerId)?.role ?? null;
}

export function changeMembership(
  membership: Membership,
  change: MemberChange,
):
  | { readonly kind: 'changed'; readonly membership: Membership }
  | { readonly kind: 'unchanged' }
  | MembersRefusal {
  const { members } = membership;
  const changed = changedMembers(members, change);
  if (changed === null) return { kind: 'not-a-member' };
  if (changed === members) return { kind: 'unchanged' };
  if (changed.length > Math.max(MAX_MEMBERS, members.length)) return { kind: 'too-many-members' };
  const chief = chiefOwner(membership.ownerId, changed);
  if (chief === null) return { kind: 'last-owner' };
  return { kind: 'changed', membership: { ownerId: chief, members: changed } };
}

/** New members come last. Null for the change of somebody who is not a member. */
function changedMembers(members: readonly MapMember[], change: MemberChange): readonly MapMember[] | null {
  const { kind, ownerId } = change;
  const current = members.find((member) => member.ownerId === ownerId);
  if (kind === 'remove') return current === undefined ? null : members.filter((member) => member !== current);
  if (current === undefined) {
    return kind === 'update' ? null : [...members, { ownerId, role: change.role, since: change.since }];
  }
  const role = kind === 'raise' ? higherRole(current.role, change.role) : change.role;
  if (role === current.role) return members;
  return members.map((member) => (member === current ? { ...member, role } : member));
}

function chiefOwner(ownerId: string, members: readonly MapMember[]): string | null {
  if (memberRole(members, ownerId) === 'owner') return ownerId;
  const owners = members.filter(({ role }) => role === 'owner').toSorted((a, b) => a.since - b.since);
  return owners[0]?.ownerId ?? null;
}
