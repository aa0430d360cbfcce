/** Who may use a map: its members and, for owners, its open invitations. */

import { Polled } from '../common/polled.svelte.ts';
import type { Session } from '../common/session.svelte.ts';
import type { InvitationFragment, MemberFragment } from '../generated/operations.ts';
import { SharingDocument } from '../generated/operations.ts';

interface Shared {
  readonly members: readonly MemberFragment[];
  /** Empty for those who are not owners. */
  readonly invitations: readonly InvitationFragment[];
}

export class Sharing extends Polled<Shared> {
  /** @param isOwner whether the user sees more than the members now */
  constructor(session: Session, mapId: string, isOwner: () => boolean) {
    super(async (signal) => {
      const { map } = await session.request(SharingDocument, { id: mapId, isOwner: isOwner() }, signal);
      return { members: map?.members ?? [], invitations: map?.invitations ?? [] };
    });
  }

  get members(): readonly MemberFragment[] {
    return this.current?.members ?? [];
  }

  get invitations(): readonly InvitationFragment[] {
    return this.current?.invitations ?? [];
  }

  putMember(member: MemberFragment): void {
    this.#set({ members: this.members.map((one) => (one.id === member.id ? member : one)) });
  }

  dropMember(id: string): void {
    this.#set({ members: this.members.filter((one) => one.id !== id) });
  }

  addInvitation(invitation: InvitationFragment): void {
    this.#set({ invitations: [...this.invitations, invitation] });
  }

  dropInvitation(id: string): void {
    this.#set({ invitations: this.invitations.filter((one) => one.id !== id) });
  }

  #set(changed: Partial<Shared>): void {
    this.set({ members: this.members, invitations: this.invitations, ...changed });
  }
}
