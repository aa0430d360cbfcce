/** Mutants with wrong invitations. */

import type { Invitation } from '../../../src/domain/invitation.ts';
import { MAX_INVITATIONS } from '../../../src/domain/invitation.ts';
import type { Mutant } from './mutant.ts';

const LATER = 1;

export const invitationMutants: readonly Mutant[] = [
  {
    name: 'an invitation is valid until after its expiry',
    topic: 'invitations',
    breaks: (good) => ({
      findInvitation: (hash, now, scope) => good.findInvitation(hash, now - LATER, scope),
    }),
  },
  {
    name: 'expired invitations are used',
    topic: 'invitations',
    breaks: (good) => ({
      useInvitation: (hash, ownerId, now, scope) => good.useInvitation(hash, ownerId, now - LATER, scope),
    }),
  },
  {
    name: 'expired invitations are listed',
    topic: 'invitations',
    breaks: (good) => ({
      listInvitations: (mapId, now, scope) => good.listInvitations(mapId, now - LATER, scope),
    }),
  },
  {
    name: 'invitations are listed by id',
    topic: 'invitations',
    breaks: (good) => ({
      listInvitations: async (...args) =>
        (await good.listInvitations(...args)).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    }),
  },
  {
    name: 'an invitation may be used once more',
    topic: 'invitations',
    breaks: (good) => ({
      insertInvitation: (invitation, scope) =>
        good.insertInvitation({ ...invitation, maxUses: invitation.maxUses + 1 }, scope),
      findInvitation: async (...args) => once(await good.findInvitation(...args)),
      listInvitations: async (...args) =>
        (await good.listInvitations(...args)).map((invitation) => once(invitation)!),
    }),
  },
  {
    name: 'an unchanged role counts as a use',
    topic: 'invitations',
    breaks: (good) => ({
      useInvitation: async (...args) => {
        const outcome = await good.useInvitation(...args);
        return outcome.kind === 'unchanged' ? { ...outcome, kind: 'changed' } : outcome;
      },
    }),
  },
  {
    name: 'the limit of open invitations is not that of each map',
    topic: 'invitations',
    breaks: (good) => {
      let count = 0;
      return {
        insertInvitation: async (invitation, scope) => {
          if (count >= MAX_INVITATIONS) return { kind: 'too-many-invitations' };
          const outcome = await good.insertInvitation(invitation, scope);
          if (outcome.kind === 'inserted') count += 1;
          return outcome;
        },
      };
    },
  },
  {
    name: 'concurrent invitations exceed the limit',
    topic: 'invitations',
    breaks: (good) => ({
      insertInvitation: async (invitation, scope) => {
        const before = await good.listInvitations(invitation.mapId, invitation.createdAt);
        const outcome = await good.insertInvitation(invitation, scope);
        const isAllowed = outcome.kind !== 'too-many-invitations' || before.length >= MAX_INVITATIONS;
        return isAllowed ? outcome : { kind: 'inserted' };
      },
    }),
  },
  {
    name: 'editors invite',
    topic: 'invitations',
    breaks: (good) => ({
      insertInvitation: async (invitation, scope) => {
        const outcome = await good.insertInvitation(invitation, scope);
        const [map] = await good.getMaps([invitation.mapId]);
        const creator = map?.members.find(({ ownerId }) => ownerId === invitation.createdBy);
        return outcome.kind === 'not-an-owner' && creator?.role === 'editor' ? { kind: 'inserted' } : outcome;
      },
    }),
  },
  {
    name: 'an invitation is removed from any map',
    topic: 'invitations',
    breaks: (good) => ({
      removeInvitation: async (mapId, id, scope) =>
        (await good.removeInvitation(mapId, id, scope)) || id !== 'invitation_x',
    }),
  },
  {
    name: 'invitations outlive the role of their creator',
    topic: 'invitations',
    breaks: (good) => ({
      changeMembers: async (mapId, change, now, scope) => {
        const before = await good.listInvitations(mapId, now);
        const outcome = await good.changeMembers(mapId, change, now, scope);
        const [map] = await good.getMaps([mapId]);
        const [heir] = map?.members.filter(({ role }) => role === 'owner') ?? [];
        const after = await good.listInvitations(mapId, now);
        for (const lost of before.filter(({ id }) => after.every((kept) => kept.id !== id))) {
          await good.insertInvitation({ ...lost, createdBy: heir?.ownerId ?? '' });
        }
        return outcome;
      },
    }),
  },
  {
    name: 'a dump has no invitations',
    topic: 'invitations',
    breaks: (good) => ({
      async *dump(expiringAfter) {
        for await (const item of good.dump(expiringAfter)) if (item.kind !== 'invitation') yield item;
      },
    }),
  },
];

function once(invitation: Invitation | null): Invitation | null {
  return invitation && { ...invitation, maxUses: invitation.maxUses - 1 };
}
