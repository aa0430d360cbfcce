/** Members of maps: listed with the map, changed by the rules of domain/members.ts, and their revoked tokens. */

import type { MapMember, MemberChange } from '../../../src/domain/members.ts';
import { MAX_MEMBERS } from '../../../src/domain/members.ts';
import type { MapRecord } from '../../../src/domain/map.ts';
import type { MapRole } from '../../../src/domain/role.ts';
import type { MembersOutcome, OwnerRecord, Storage } from '../../../src/storage/storage.ts';
import { append, aMap, aToken, collect, idsOf, NOW, seedMap, seedOwner } from './fixtures.ts';
import type { StorageTopic } from './harness.ts';

const LATER = NOW + 5_000;

function listMaps(storage: Storage, ownerId: string): Promise<readonly MapRecord[]> {
  const page = { limit: 1_000, fromEnd: false, after: null, before: null };
  return storage.listMaps({ ...page, ownerId, mapId: null });
}

const membersOf = async (storage: Storage, mapId: string) =>
  (await storage.getMaps([mapId]))[0]?.members ?? [];

const member = ({ id }: OwnerRecord, role: MapRole, since = LATER): MapMember => ({
  ...{ ownerId: id, role, since },
});
const set = (owner: OwnerRecord, role: MapRole): MemberChange => ({ kind: 'set', ...member(owner, role) });
const remove = ({ id }: OwnerRecord): MemberChange => ({ kind: 'remove', ownerId: id });

/** A map of three owners, and what changes its members. */
async function seedTeam(storage: Storage) {
  const [anna, ben, cara] = [
    await seedOwner(storage, 'Anna'),
    await seedOwner(storage, 'Ben'),
    await seedOwner(storage, 'Cara'),
  ];
  const map = await seedMap(storage, { ownerId: anna.id });
  const change = (one: MemberChange, now = LATER): Promise<MembersOutcome> =>
    storage.changeMembers(map.id, one, now);
  return { anna, ben, cara, map, change };
}

export const members: StorageTopic = {
  name: 'members',
  cases: [
    {
      name: 'owners are found by their ids, in the order of the request',
      async run({ storage }) {
        const [one, two] = [await seedOwner(storage, 'one'), await seedOwner(storage, 'two')];
        expect(await storage.findOwners([two.id, 'nobody', one.id, two.id])).toEqual([two, null, one, two]);
        expect(await storage.findOwners([])).toEqual([]);
      },
    },
    {
      name: 'the creator of a map is its only member, and an owner',
      async run({ storage }) {
        const { anna, map } = await seedTeam(storage);
        expect(await membersOf(storage, map.id)).toEqual([member(anna, 'owner', map.createdAt)]);
      },
    },
    {
      name: 'a map is stored with all its members, and listed for each',
      async run({ storage }) {
        const [one, two] = [await seedOwner(storage, 'one'), await seedOwner(storage, 'two')];
        const map = aMap(one.id, { members: [member(two, 'viewer', 3), member(one, 'owner', 9)] });
        await storage.insertMap(map);
        expect(await storage.getMaps([map.id])).toEqual([map]);
        for (const { id } of [one, two]) expect(await listMaps(storage, id)).toEqual([map]);
      },
    },
    {
      name: 'a member is added, gets another role and is removed',
      async run({ storage }) {
        const { anna, ben, cara, map, change } = await seedTeam(storage);
        const creator = member(anna, 'owner', map.createdAt);
        const changes: readonly (readonly [MemberChange, readonly MapMember[]])[] = [
          [set(ben, 'viewer'), [creator, member(ben, 'viewer')]],
          [set(cara, 'editor'), [creator, member(ben, 'viewer'), member(cara, 'editor')]],
          [
            { ...set(ben, 'editor'), since: 1 } as MemberChange,
            [creator, member(ben, 'editor'), member(cara, 'editor')],
          ],
          [
            { kind: 'update', ownerId: cara.id, role: 'viewer' },
            [creator, member(ben, 'editor'), member(cara, 'viewer')],
          ],
          [
            { kind: 'raise', ...member(cara, 'owner') },
            [creator, member(ben, 'editor'), member(cara, 'owner')],
          ],
          [remove(ben), [creator, member(cara, 'owner')]],
        ];
        for (const [one, expected] of changes) {
          const changed = { ...map, members: expected };
          expect(await change(one)).toEqual({ kind: 'changed', map: changed });
          expect(await storage.getMaps([map.id])).toEqual([changed]);
        }
      },
    },
    {
      name: 'a change that changes nothing says so, and raising never lowers a role',
      async run({ storage }) {
        const { anna, ben, map, change } = await seedTeam(storage);
        await change(set(ben, 'editor'));
        const [before] = await storage.getMaps([map.id]);
        for (const one of [
          set(ben, 'editor'),
          { kind: 'update', ownerId: ben.id, role: 'editor' },
          { kind: 'raise', ...member(ben, 'viewer') },
          { kind: 'raise', ...member(anna, 'editor') },
        ] as const) {
          expect(await change(one)).toEqual({ kind: 'unchanged', map: before });
        }
        expect(await storage.getMaps([map.id])).toEqual([before]);
      },
    },
    {
      name: 'somebody who is no member is neither changed nor removed',
      async run({ storage }) {
        const { ben, map, change } = await seedTeam(storage);
        expect(await change(remove(ben))).toEqual({ kind: 'not-a-member' });
        expect(await change({ kind: 'update', ownerId: ben.id, role: 'owner' })).toEqual({
          kind: 'not-a-member',
        });
        expect(await storage.getMaps([map.id])).toEqual([map]);
      },
    },
    {
      name: 'the last owner is neither removed nor given another role',
      async run({ storage }) {
        const { anna, ben, map, change } = await seedTeam(storage);
        await change(set(ben, 'editor'));
        const [before] = await storage.getMaps([map.id]);
        for (const one of [remove(anna), set(anna, 'editor'), set(anna, 'viewer')]) {
          expect(await change(one)).toEqual({ kind: 'last-owner' });
        }
        expect(await storage.getMaps([map.id])).toEqual([before]);
      },
    },
    {
      name: 'when the creator is no longer an owner, the map belongs to the owner of longest standing',
      async run({ storage }) {
        const { anna, ben, cara, map, change } = await seedTeam(storage);
        await change({ kind: 'set', ...member(cara, 'viewer', 7) });
        await change({ kind: 'set', ...member(ben, 'owner', 9) });
        await change(set(cara, 'owner'));
        expect(await change(set(anna, 'viewer'))).toMatchObject({ map: { ownerId: cara.id } });
        expect(await change(remove(cara))).toMatchObject({ map: { ownerId: ben.id } });
        expect((await storage.getMaps([map.id]))[0]?.ownerId).toBe(ben.id);
      },
    },
    {
      name: 'a deleted or unknown map keeps its members',
      async run({ storage }) {
        const { ben, map, change } = await seedTeam(storage);
        await storage.updateMap(map.id, { isDeleted: true }, { evenIfDeleted: false });
        expect(await change(set(ben, 'owner'))).toEqual({ kind: 'map-deleted' });
        expect(await membersOf(storage, map.id)).toEqual(map.members);
        expect(await storage.changeMembers('zzzzzzzzzzzzzzzz', set(ben, 'owner'), NOW)).toEqual({
          kind: 'map-missing',
        });
      },
    },
    {
      name: 'maps are listed and counted for each member, in order of creation',
      async run({ storage }) {
        const { anna, ben, map, change } = await seedTeam(storage);
        const earlier = await seedMap(storage, { ownerId: ben.id, createdAt: NOW - 1 });
        const later = await seedMap(storage, { ownerId: ben.id, createdAt: NOW + 1 });
        await change(set(ben, 'viewer'));
        expect(idsOf(await listMaps(storage, ben.id))).toEqual(idsOf([earlier, map, later]));
        expect(idsOf(await listMaps(storage, anna.id))).toEqual([map.id]);
        expect(await storage.countMaps({ ownerId: ben.id, mapId: null })).toBe(3);
        const page = { limit: 2, fromEnd: false, after: earlier, before: null };
        expect(idsOf(await storage.listMaps({ ...page, ownerId: ben.id, mapId: null }))).toEqual(
          idsOf([map, later]),
        );
        expect(idsOf(await storage.listMaps({ ...page, ownerId: ben.id, mapId: map.id }))).toEqual([map.id]);
        expect(await storage.countMaps({ ownerId: ben.id, mapId: map.id })).toBe(1);
        await change(remove(ben));
        expect(idsOf(await listMaps(storage, ben.id))).toEqual(idsOf([earlier, later]));
        expect(await storage.countMaps({ ownerId: ben.id, mapId: null })).toBe(2);
        expect(await storage.countMaps({ ownerId: ben.id, mapId: map.id })).toBe(0);
        await change(set(ben, 'editor'));
        expect(idsOf(await listMaps(storage, ben.id))).toEqual(idsOf([earlier, map, later]));
      },
    },
    {
      name: 'a change of members leaves everything else of the map unchanged',
      async run({ storage }) {
        const { anna, ben, change, map } = await seedTeam(storage);
        await storage.updateMap(map.id, { providerMapApiKey: 'p', name: 'x' }, { evenIfDeleted: false });
        const location = await append(storage, map.id);
        const revision = await storage.listRevision(map.id);
        await change(set(ben, 'owner'));
        await change(remove(anna));
        const [changed] = await storage.getMaps([map.id]);
        expect(changed).toEqual({
          ...map,
          name: 'x',
          providerMapApiKey: 'p',
          ownerId: ben.id,
          members: [member(ben, 'owner')],
        });
        expect(await storage.getLocations(map.id, [location.id])).toEqual([location]);
        expect(await storage.listRevision(map.id)).toBe(revision);
        expect((await append(storage, map.id)).sequence).toBe(2);
      },
    },
    {
      name: 'a removed member’s tokens for the map are revoked, and stay revoked',
      async run({ storage }) {
        const { anna, ben, map, change } = await seedTeam(storage);
        const other = await seedMap(storage, { ownerId: ben.id });
        await change(set(ben, 'editor'));
        const own = { mapId: map.id };
        const tokens = [
          aToken(ben.id, own),
          aToken(ben.id, { ...own, expiresAt: LATER + 1 }),
          aToken(ben.id, { ...own, revokedAt: 7 }),
          aToken(ben.id, { mapId: other.id }),
          aToken(ben.id),
          aToken(anna.id, own),
        ];
        for (const token of tokens) await storage.insertToken(token);
        const revocations = async () => {
          const found = await Promise.all(tokens.map(({ id }) => storage.findToken(id)));
          return found.map((token) => token?.revokedAt);
        };
        await change(set(ben, 'viewer'));
        expect(await revocations()).toEqual([null, null, 7, null, null, null]);
        await change(remove(ben), LATER + 2);
        const revoked = [LATER + 2, LATER + 2, 7, null, null, null];
        expect(await revocations()).toEqual(revoked);
        await change(set(ben, 'owner'), LATER + 3);
        expect(await revocations()).toEqual(revoked);
      },
    },
    {
      name: 'a map has at most 200 members',
      async run({ storage }) {
        const { map, change, cara } = await seedTeam(storage);
        const owners: OwnerRecord[] = [];
        for (let index = 1; index < MAX_MEMBERS; index += 1) {
          owners.push(await seedOwner(storage, `member ${index}`));
        }
        await Promise.all(owners.slice(0, -1).map((owner) => change(set(owner, 'viewer'))));
        const outcomes = await Promise.all(
          [owners.at(-1)!, cara].map((owner) => change({ kind: 'raise', ...member(owner, 'editor') })),
        );
        expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['changed', 'too-many-members']);
        expect(await membersOf(storage, map.id)).toHaveLength(MAX_MEMBERS);
        expect(await change(set(owners[0]!, 'editor'))).toMatchObject({ kind: 'changed' });
      },
    },
    {
      name: 'of owners who remove each other at once, one stays',
      async run({ storage }) {
        for (let round = 0; round < 5; round += 1) {
          const { anna, ben, map, change } = await seedTeam(storage);
          await change(set(ben, 'owner'));
          const outcomes = await Promise.all([change(remove(anna)), change(remove(ben))]);
          expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['changed', 'last-owner']);
          expect(await membersOf(storage, map.id)).toHaveLength(1);
        }
      },
    },
    {
      name: 'two openings see each other’s members',
      needs: 'openAgain',
      async run({ storage, openAgain }) {
        const { anna, ben, map, change } = await seedTeam(storage);
        const other = await openAgain();
        expect(await membersOf(other, map.id)).toEqual(map.members);
        await change(set(ben, 'owner'));
        expect(await membersOf(other, map.id)).toHaveLength(2);
        const outcomes = await Promise.all([
          change(remove(anna)),
          other.changeMembers(map.id, remove(ben), LATER),
        ]);
        expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['changed', 'last-owner']);
      },
    },
    {
      name: 'members are part of a dump',
      async run({ storage }) {
        const { ben, change, map } = await seedTeam(storage);
        await change(set(ben, 'viewer'));
        const items = await collect(storage.dump(NOW));
        const dumped = items.flatMap((item) => (item.kind === 'map' ? [item.map] : []));
        expect(dumped).toEqual(await storage.getMaps([map.id]));
        await storage.removeAll([]);
        await storage.load(items);
        expect(await storage.getMaps([map.id])).toEqual(dumped);
        expect(await listMaps(storage, ben.id)).toEqual(dumped);
      },
    },
  ],
};
