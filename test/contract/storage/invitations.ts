/** Invitations: stored with limits, used atomically, and removed when they end. */

import type { Invitation } from '../../../src/domain/invitation.ts';
import { MAX_INVITATIONS } from '../../../src/domain/invitation.ts';
import { MAX_MEMBERS } from '../../../src/domain/members.ts';
import type { MapRole } from '../../../src/domain/role.ts';
import type { OwnerRecord, Storage } from '../../../src/storage/storage.ts';
import { aMap, anInvitation, aToken, collect, DAY, idsOf, NOW, seedMap, seedOwner } from './fixtures.ts';
import type { StorageTopic } from './harness.ts';

const UNKNOWN_MAP = 'zzzzzzzzzzzzzzzz';

/** A map with its owner, an owner who invites, and somebody to invite. */
async function seedInviter(storage: Storage) {
  const [anna, ben, cara] = [
    await seedOwner(storage, 'Anna'),
    await seedOwner(storage, 'Ben'),
    await seedOwner(storage, 'Cara'),
  ];
  const map = await seedMap(storage, { ownerId: anna.id });
  const set = (owner: OwnerRecord, role: MapRole) =>
    storage.changeMembers(map.id, { kind: 'set', ownerId: owner.id, role, since: NOW }, NOW);
  await set(ben, 'owner');
  const invite = async (overrides: Partial<Invitation> = {}): Promise<Invitation> => {
    const invitation = anInvitation(map.id, ben.id, overrides);
    expect(await storage.insertInvitation(invitation)).toEqual({ kind: 'inserted' });
    return invitation;
  };
  const use = ({ hash }: Invitation, owner: OwnerRecord, now = NOW) =>
    storage.useInvitation(hash, owner.id, now);
  const open = () => storage.listInvitations(map.id, NOW);
  const members = async () => (await storage.getMaps([map.id]))[0]!.members;
  return { anna, ben, cara, map, set, invite, use, open, members };
}

async function seedOwners(storage: Storage, count: number): Promise<readonly OwnerRecord[]> {
  const owners: OwnerRecord[] = [];
  for (let index = 0; index < count; index += 1) owners.push(await seedOwner(storage, `owner ${index}`));
  return owners;
}

const kindsOf = (outcomes: readonly { readonly kind: string }[]) =>
  outcomes.map(({ kind }) => kind).toSorted();

export const invitations: StorageTopic = {
  name: 'invitations',
  cases: [
    {
      name: 'an invitation is found by its hash, and listed by time of creation, then id',
      async run({ storage }) {
        const { anna, map, invite, open } = await seedInviter(storage);
        const later = await invite({ id: 'invitation_0', createdAt: NOW + 1, role: 'owner', maxUses: 50 });
        const b = await invite({ id: 'invitation_b', note: 'For "the" café: $ü 😀', role: 'editor' });
        const a = await invite({ id: 'invitation_a', createdBy: anna.id });
        const other = await seedMap(storage, { ownerId: anna.id });
        const foreign = anInvitation(other.id, anna.id);
        await storage.insertInvitation(foreign);
        expect(await open()).toEqual([a, b, later]);
        for (const one of [a, b, later, foreign]) {
          expect(await storage.findInvitation(one.hash, NOW)).toEqual(one);
        }
        expect(await storage.findInvitation('0'.repeat(64), NOW)).toBeNull();
        expect(await storage.listInvitations(UNKNOWN_MAP, NOW)).toEqual([]);
        expect((await storage.getMaps([map.id]))[0]).not.toHaveProperty('invitations');
      },
    },
    {
      name: 'an invitation ends when it expires',
      async run({ storage }) {
        const { cara, map, invite, use, open } = await seedInviter(storage);
        const kept = await invite({ expiresAt: NOW + 1 });
        const expired = await invite({ expiresAt: NOW });
        expect(await open()).toEqual([kept]);
        expect(await storage.findInvitation(expired.hash, NOW)).toBeNull();
        expect(await use(expired, cara)).toEqual({ kind: 'invitation-missing' });
        expect(await storage.findInvitation(expired.hash, NOW - 1)).toEqual(expired);
        expect(await storage.removeExpired(NOW)).toBe(1);
        expect(await storage.removeExpired(NOW)).toBe(0);
        expect(await storage.listInvitations(map.id, NOW - 1)).toEqual([kept]);
      },
    },
    {
      name: 'a use adds a member, and is counted',
      async run({ storage }) {
        const { anna, cara, map, invite, use, open, members } = await seedInviter(storage);
        const invitation = await invite({ role: 'editor', maxUses: 2 });
        const before = await members();
        const member = { ownerId: cara.id, role: 'editor', since: NOW + 7 } as const;
        const used = await use(invitation, cara, NOW + 7);
        expect(used).toEqual({ kind: 'changed', map: { ...map, members: [...before, member] } });
        expect(await members()).toEqual([...before, member]);
        expect(await open()).toEqual([{ ...invitation, uses: 1 }]);
        const page = { limit: 9, fromEnd: false, after: null, before: null, mapId: null };
        expect(idsOf(await storage.listMaps({ ...page, ownerId: cara.id }))).toEqual([map.id]);
        // Everything of it is as before.
        expect((await storage.getMaps([map.id]))[0]?.ownerId).toBe(anna.id);
      },
    },
    {
      name: 'the last use ends an invitation',
      async run({ storage }) {
        const { invite, use, open } = await seedInviter(storage);
        const other = await invite();
        const invitation = await invite({ maxUses: 2, id: 'invitation_x' });
        const [one, two, three] = await seedOwners(storage, 3);
        expect((await use(invitation, one!)).kind).toBe('changed');
        expect((await use(invitation, two!)).kind).toBe('changed');
        expect(await use(invitation, three!)).toEqual({ kind: 'invitation-missing' });
        expect(await storage.findInvitation(invitation.hash, NOW)).toBeNull();
        expect(await open()).toEqual([other]);
      },
    },
    {
      name: 'a use raises a role and never lowers it, and counts only where it raises it',
      async run({ storage }) {
        const { ben, cara, set, invite, use, open, members } = await seedInviter(storage);
        const invitation = await invite({ role: 'editor', maxUses: 3 });
        await set(cara, 'viewer');
        expect((await use(invitation, cara)).kind).toBe('changed');
        const before = await members();
        for (const member of [cara, ben]) {
          expect(await use(invitation, member)).toMatchObject({
            kind: 'unchanged',
            map: { members: before },
          });
        }
        expect(await members()).toEqual(before);
        expect(before.find(({ ownerId }) => ownerId === cara.id)?.role).toBe('editor');
        expect(await open()).toEqual([{ ...invitation, uses: 1 }]);
      },
    },
    {
      name: 'an invitation is removed from its own map only, once',
      async run({ storage }) {
        const { anna, cara, map, invite, use } = await seedInviter(storage);
        const invitation = await invite();
        const other = await seedMap(storage, { ownerId: anna.id });
        expect(await storage.removeInvitation(other.id, invitation.id)).toBe(false);
        expect(await storage.removeInvitation(map.id, 'invitation_x')).toBe(false);
        expect(await storage.removeInvitation(UNKNOWN_MAP, invitation.id)).toBe(false);
        const removed = await Promise.all(
          [1, 2, 3].map(() => storage.removeInvitation(map.id, invitation.id)),
        );
        expect(removed.toSorted()).toEqual([false, false, true]);
        expect(await use(invitation, cara)).toEqual({ kind: 'invitation-missing' });
      },
    },
    {
      name: 'only owners of the map invite',
      async run({ storage }) {
        const { cara, map, set, open } = await seedInviter(storage);
        const invitation = anInvitation(map.id, cara.id);
        for (const role of ['viewer', 'editor'] as const) {
          expect(await storage.insertInvitation(invitation)).toEqual({ kind: 'not-an-owner' });
          await set(cara, role);
        }
        expect(await storage.insertInvitation(invitation)).toEqual({ kind: 'not-an-owner' });
        expect(await open()).toEqual([]);
        expect(await storage.insertInvitation(anInvitation(UNKNOWN_MAP, cara.id))).toEqual({
          kind: 'map-missing',
        });
      },
    },
    {
      name: 'the invitations of somebody who is no longer an owner end',
      async run({ storage }) {
        const { anna, ben, cara, map, set, invite, open } = await seedInviter(storage);
        const others = await invite({ createdBy: anna.id });
        const remove = { kind: 'remove', ownerId: ben.id } as const;
        for (const demote of [
          () => set(ben, 'editor'),
          () => storage.changeMembers(map.id, { kind: 'update', ownerId: ben.id, role: 'viewer' }, NOW),
          () => storage.changeMembers(map.id, remove, NOW),
        ]) {
          await set(ben, 'owner');
          const invitation = await invite();
          await set(cara, 'viewer');
          await storage.changeMembers(map.id, { kind: 'remove', ownerId: cara.id }, NOW);
          expect(await open()).toHaveLength(2);
          await demote();
          expect(await open()).toEqual([others]);
          await set(ben, 'owner');
          expect(await storage.findInvitation(invitation.hash, NOW)).toBeNull();
        }
      },
    },
    {
      name: 'invitations to a deleted map wait for its restoration',
      async run({ storage }) {
        const { ben, cara, map, invite, use, open, members } = await seedInviter(storage);
        const invitation = await invite();
        const before = await members();
        await storage.updateMap(map.id, { isDeleted: true }, { evenIfDeleted: false });
        expect(await storage.findInvitation(invitation.hash, NOW)).toBeNull();
        expect(await use(invitation, cara)).toEqual({ kind: 'invitation-missing' });
        expect(await storage.insertInvitation(anInvitation(map.id, ben.id))).toEqual({ kind: 'map-deleted' });
        expect(await members()).toEqual(before);
        await storage.updateMap(map.id, { isDeleted: false }, { evenIfDeleted: true });
        expect(await open()).toEqual([invitation]);
        expect((await use(invitation, cara)).kind).toBe('changed');
      },
    },
    {
      name: 'a former member’s tokens stay revoked after another invitation',
      async run({ storage }) {
        const { cara, map, set, invite, use } = await seedInviter(storage);
        await set(cara, 'editor');
        const token = aToken(cara.id, { mapId: map.id });
        await storage.insertToken(token);
        await storage.changeMembers(map.id, { kind: 'remove', ownerId: cara.id }, NOW + 3);
        expect((await use(await invite(), cara, NOW + 4)).kind).toBe('changed');
        expect((await storage.findToken(token.id))?.revokedAt).toBe(NOW + 3);
      },
    },
    {
      name: 'a map has at most 50 open invitations, however many are made at once',
      async run({ storage }) {
        const { cara, map, ben, invite, use, open } = await seedInviter(storage);
        await invite({ expiresAt: NOW });
        const wanted = Array.from({ length: MAX_INVITATIONS + 5 }, () => anInvitation(map.id, ben.id));
        const outcomes = await Promise.all(wanted.map((one) => storage.insertInvitation(one)));
        expect(outcomes.filter(({ kind }) => kind === 'inserted')).toHaveLength(MAX_INVITATIONS);
        expect(outcomes.filter(({ kind }) => kind === 'too-many-invitations')).toHaveLength(5);
        const [first, second] = await open();
        expect(await open()).toHaveLength(MAX_INVITATIONS);
        // A used and a revoked one make room.
        await use(first!, cara);
        await storage.removeInvitation(map.id, second!.id);
        await invite();
        await invite();
        expect(await storage.insertInvitation(anInvitation(map.id, ben.id))).toEqual({
          kind: 'too-many-invitations',
        });
        const other = await seedMap(storage, { ownerId: ben.id });
        expect((await storage.insertInvitation(anInvitation(other.id, ben.id))).kind).toBe('inserted');
      },
    },
    {
      name: 'of concurrent uses, as many succeed as the invitation allows',
      async run({ storage }) {
        const { invite, use, members } = await seedInviter(storage);
        const owners = await seedOwners(storage, 12);
        const invitation = await invite({ maxUses: 5 });
        const outcomes = await Promise.all(owners.map((owner) => use(invitation, owner)));
        expect(kindsOf(outcomes)).toEqual([
          ...Array.from({ length: 5 }, () => 'changed'),
          ...Array.from({ length: 7 }, () => 'invitation-missing'),
        ]);
        expect(await members()).toHaveLength(2 + 5);
      },
    },
    {
      name: 'of concurrent uses by one person, one counts',
      async run({ storage }) {
        const { cara, invite, use, open } = await seedInviter(storage);
        const invitation = await invite({ maxUses: 5 });
        const outcomes = await Promise.all([1, 2, 3, 4].map(() => use(invitation, cara)));
        expect(kindsOf(outcomes)).toEqual(['changed', 'unchanged', 'unchanged', 'unchanged']);
        expect(await open()).toEqual([{ ...invitation, uses: 1 }]);
      },
    },
    {
      name: 'an invitation to a full map is not used up',
      async run({ storage }) {
        const owners = await seedOwners(storage, MAX_MEMBERS + 1);
        const [first, ...others] = owners.map(({ id: ownerId }, index) => ({
          ...{ ownerId, since: NOW },
          role: index === 0 ? ('owner' as const) : ('viewer' as const),
        }));
        const map = aMap(first!.ownerId, { members: [first!, ...others.slice(0, MAX_MEMBERS - 1)] });
        await storage.insertMap(map);
        const invitation = anInvitation(map.id, first!.ownerId, { role: 'editor' });
        await storage.insertInvitation(invitation);
        const last = owners.at(-1)!;
        expect(await storage.useInvitation(invitation.hash, last.id, NOW)).toEqual({
          kind: 'too-many-members',
        });
        expect(await storage.listInvitations(map.id, NOW)).toEqual([invitation]);
        const member = others[0]!.ownerId;
        expect((await storage.useInvitation(invitation.hash, member, NOW)).kind).toBe('changed');
      },
    },
    {
      name: 'two openings use one invitation exactly as often as it allows',
      needs: 'openAgain',
      async run({ storage, openAgain }) {
        const { map, invite, members } = await seedInviter(storage);
        const owners = await seedOwners(storage, 10);
        const invitation = await invite({ maxUses: 3 });
        const other = await openAgain();
        const outcomes = await Promise.all(
          owners.map(({ id }, index) =>
            (index % 2 === 0 ? storage : other).useInvitation(invitation.hash, id, NOW),
          ),
        );
        expect(outcomes.filter(({ kind }) => kind === 'changed')).toHaveLength(3);
        expect(await members()).toHaveLength(2 + 3);
        expect(await other.listInvitations(map.id, NOW)).toEqual([]);
      },
    },
    {
      name: 'open invitations are part of a dump',
      async run({ storage }) {
        const { map, invite, open } = await seedInviter(storage);
        const kept = [
          await invite({ id: 'invitation_2', uses: 3, maxUses: 9 }),
          await invite({ id: 'invitation_3', note: 'A note', expiresAt: NOW + DAY }),
        ];
        await invite({ expiresAt: NOW });
        for (const read of [storage.dump.bind(storage), storage.snapshot.bind(storage)]) {
          const items = await collect(read(NOW));
          const start = items.findIndex((item) => item.kind === 'map' && item.map.id === map.id);
          expect(items.slice(start + 1)).toEqual(
            kept.map((invitation) => ({ kind: 'invitation', invitation })),
          );
          await storage.removeAll([]);
          // In pieces, as a copy may load them.
          for (const item of items) await storage.load([item]);
          expect(await open()).toEqual(kept);
          expect(await storage.findInvitation(kept[1]!.hash, NOW)).toEqual(kept[1]);
        }
      },
    },
  ],
};
