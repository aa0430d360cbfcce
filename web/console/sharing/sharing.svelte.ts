/** Who may use a map: its members and, for owners, its open invitations and links. */

import { Polled, put } from '../common/polled.svelte.ts';
import type { Session } from '../common/session.svelte.ts';
import type { InvitationFragment, MapLinkFragment, MemberFragment } from '../generated/operations.ts';
import { SharingDocument } from '../generated/operations.ts';

interface Shared {
  readonly members: readonly MemberFragment[];
  /** Empty for those who are not owners. */
  readonly invitations: readonly InvitationFragment[];
  /** Likewise. */
  readonly links: readonly MapLinkFragment[];
}

export class Sharing extends Polled<Shared> {
  /** @param isOwner whether the user sees more than the members now */
  constructor(session: Session, mapId: string, isOwner: () => boolean) {
    super(async (signal) => {
      const { map } = await session.request(SharingDocument, { id: mapId, isOwner: isOwner() }, signal);
      const { members, invitations, links } = map ?? {};
      return { members: members ?? [], invitations: invitations ?? [], links: links ?? [] };
    });
  }

  get members(): readonly MemberFragment[] {
    return this.current?.members ?? [];
  }

  get invitations(): readonly InvitationFragment[] {
    return this.current?.invitations ?? [];
  }

  get links(): readonly MapLinkFragment[] {
    return this.current?.links ?? [];
  }

  putMember(member: MemberFragment): void {
    this.#set({ members: this.members.map((one) => (one.id === member.id ? member : one)) });
  }

  dropMember(id: string): void {
    this.#set({ members: this.members.filter((one) => one.id !== id) });
  }

  addInvitation(invitation: InvitationFragment): void {
    this.#set({ invitations: put(this.invitations, invitation) });
  }

  dropInvitation(id: string): void {
    this.#set({ invitations: this.invitations.filter((one) => one.id !== id) });
  }

  /** Adds it, or replaces the one with its id. */
  putLink(link: MapLinkFragment): void {
    this.#set({ links: put(this.links, link) });
  }

  dropLink(id: string): void {
    this.#set({ links: this.links.filter((one) => one.id !== id) });
  }

  #set(changed: Partial<Shared>): void {
    this.set({ members: this.members, invitations: this.invitations, links: this.links, ...changed });
  }
}
