/** Links to maps: stored with limits, replaced, and ended with the role of whoever made them. */

import { MAX_MAP_LINKS } from '../../../src/domain/map-link.ts';
import type { MapRole } from '../../../src/domain/role.ts';
import type { NewMapLink, OwnerRecord, Storage } from '../../../src/storage/storage.ts';
import { aMapLink, aToken, collect, NOW, seedMap, seedOwner } from './fixtures.ts';
import type { StorageTopic } from './harness.ts';

const UNKNOWN_MAP = 'zzzzzzzzzzzzzzzz';

/** A map with its owner, another owner who makes links, and somebody who is no member. */
async function seedLinks(storage: Storage) {
  const [anna, ben, cara] = [
    await seedOwner(storage, 'Anna'),
    await seedOwner(storage, 'Ben'),
    await seedOwner(storage, 'Cara'),
  ];
  const map = await seedMap(storage, { ownerId: anna.id });
  const set = (owner: OwnerRecord, role: MapRole) =>
    storage.changeMembers(map.id, { kind: 'set', ownerId: owner.id, role, since: NOW }, NOW);
  await set(ben, 'owner');
  const makeLink = async (overrides: Partial<NewMapLink> = {}): Promise<NewMapLink> => {
    const link = aMapLink(map.id, ben.id, overrides);
    expect(await storage.insertMapLink(link)).toEqual({ kind: 'inserted' });
    return link;
  };
  const open = (now = NOW) => storage.listMapLinks(map.id, now);
  const ids = async () => (await open()).map(({ id }) => id);
  return { anna, ben, cara, map, set, makeLink, open, ids };
}

export const mapLinks: StorageTopic = {
  name: 'map links',
  cases: [
    {
      name: 'a link is found as a token is, and listed by time of creation, then id',
      async run({ storage }) {
        const { anna, map, makeLink, open } = await seedLinks(storage);
        const later = await makeLink({ id: 'token_0', createdAt: NOW + 1 });
        const b = await makeLink({ id: 'token_b', name: 'For "the" café: $ü 😀', scope: 'write' });
        const a = await makeLink({ id: 'token_a', ownerId: anna.id, expiresAt: NOW + 1 });
        const other = await seedMap(storage, { ownerId: anna.id });
        await storage.insertMapLink(aMapLink(other.id, anna.id));
        await storage.insertToken(aToken(anna.id, { mapId: map.id }));
        const stored = [
          { ...a, ownerName: 'Anna' },
          { ...b, ownerName: 'Ben' },
          { ...later, ownerName: 'Ben' },
        ];
        expect(await open()).toEqual(stored);
        for (const link of stored) {
          expect(await storage.findTokenByHash(link.hash)).toEqual(link);
          expect(await storage.findToken(link.id)).toEqual(link);
        }
        expect(await storage.listMapLinks(UNKNOWN_MAP, NOW)).toEqual([]);
        const kinds = (await storage.listTokens(anna.id)).map(({ kind }) => kind);
        expect(kinds.toSorted()).toEqual(['link', 'link', 'token']);
      },
    },
    {
      name: 'expired and revoked links are not listed, but found',
      async run({ storage }) {
        const { map, makeLink, open } = await seedLinks(storage);
        const expired = await makeLink({ expiresAt: NOW });
        const revoked = await makeLink();
        const kept = await makeLink({ expiresAt: NOW + 1 });
        expect(await storage.revokeMapLink(map.id, revoked.id, NOW)).toBe(true);
        expect((await open()).map(({ id }) => id)).toEqual([kept.id]);
        expect((await open(NOW - 1)).map(({ id }) => id).toSorted()).toEqual(
          [expired.id, kept.id].toSorted(),
        );
        expect((await storage.findToken(revoked.id))?.revokedAt).toBe(NOW);
        expect((await storage.findToken(expired.id))?.revokedAt).toBeNull();
        expect(await storage.revokeMapLink(map.id, expired.id, NOW)).toBe(false);
      },
    },
    {
      name: 'a link is revoked on its own map only, once',
      async run({ storage }) {
        const { anna, map, makeLink, ids } = await seedLinks(storage);
        const link = await makeLink();
        const token = aToken(anna.id, { mapId: map.id });
        await storage.insertToken(token);
        const other = await seedMap(storage, { ownerId: anna.id });
        for (const [mapId, id] of [
          [other.id, link.id],
          [map.id, 'token_x'],
          [map.id, token.id],
          [UNKNOWN_MAP, link.id],
        ] as const) {
          expect(await storage.revokeMapLink(mapId, id, NOW)).toBe(false);
          expect(await storage.replaceMapLink(mapId, id, 'a'.repeat(64), NOW)).toBeNull();
        }
        expect(await ids()).toEqual([link.id]);
        const revoked = await Promise.all(
          [1, 2, 3].map((later) => storage.revokeMapLink(map.id, link.id, NOW + later)),
        );
        expect(revoked.toSorted()).toEqual([false, false, true]);
        expect(await ids()).toEqual([]);
        expect((await storage.findToken(token.id))?.revokedAt).toBeNull();
      },
    },
    {
      name: 'a replaced link keeps everything but its hash and use, and the former hash is unknown',
      async run({ storage }) {
        const { map, makeLink, open } = await seedLinks(storage);
        const link = await makeLink({ scope: 'write', expiresAt: NOW + 9 });
        const other = await makeLink();
        await storage.saveTokenUses([{ tokenId: link.id, usedAt: NOW }], 0);
        const hash = 'b'.repeat(64);
        const replaced = { ...link, hash, ownerName: 'Ben' };
        expect(await storage.replaceMapLink(map.id, link.id, hash, NOW)).toEqual(replaced);
        expect(await storage.findTokenByHash(link.hash)).toBeNull();
        expect(await storage.findTokenByHash(hash)).toEqual(replaced);
        expect(await open()).toHaveLength(2);
        expect(await open()).toContainEqual({ ...other, ownerName: 'Ben' });
        await storage.revokeMapLink(map.id, link.id, NOW);
        expect(await storage.replaceMapLink(map.id, link.id, link.hash, NOW)).toBeNull();
        expect(await storage.findTokenByHash(link.hash)).toBeNull();
      },
    },
    {
      name: 'only owners of the map make links, and none to a deleted map',
      async run({ storage }) {
        const { ben, cara, map, set, makeLink, ids } = await seedLinks(storage);
        const link = aMapLink(map.id, cara.id);
        for (const role of ['viewer', 'editor'] as const) {
          expect(await storage.insertMapLink(link)).toEqual({ kind: 'not-an-owner' });
          await set(cara, role);
        }
        expect(await storage.insertMapLink(link)).toEqual({ kind: 'not-an-owner' });
        expect(await ids()).toEqual([]);
        expect(await storage.insertMapLink(aMapLink(UNKNOWN_MAP, ben.id))).toEqual({ kind: 'map-missing' });
        const kept = await makeLink();
        await storage.updateMap(map.id, { isDeleted: true }, { evenIfDeleted: false });
        expect(await storage.insertMapLink(aMapLink(map.id, ben.id))).toEqual({ kind: 'map-deleted' });
        expect(await ids()).toEqual([kept.id]);
      },
    },
    {
      name: 'the links of somebody who is no longer an owner end, for ever',
      async run({ storage }) {
        const { anna, ben, cara, map, set, makeLink, ids } = await seedLinks(storage);
        const others = await makeLink({ ownerId: anna.id });
        const elsewhere = await seedMap(storage, { ownerId: ben.id });
        await storage.insertMapLink(aMapLink(elsewhere.id, ben.id));
        const token = aToken(ben.id, { mapId: map.id });
        await storage.insertToken(token);
        const remove = { kind: 'remove', ownerId: ben.id } as const;
        for (const demote of [
          () => set(ben, 'editor'),
          () => storage.changeMembers(map.id, { kind: 'update', ownerId: ben.id, role: 'viewer' }, NOW),
          () => storage.changeMembers(map.id, remove, NOW),
        ]) {
          await set(ben, 'owner');
          const link = await makeLink();
          await set(cara, 'viewer');
          await storage.changeMembers(map.id, { kind: 'remove', ownerId: cara.id }, NOW);
          expect(await ids()).toHaveLength(2);
          const isRemoval = (await storage.findToken(token.id))?.revokedAt;
          expect(isRemoval).toBeNull();
          await demote();
          expect(await ids()).toEqual([others.id]);
          await set(ben, 'owner');
          expect(await ids()).toEqual([others.id]);
          expect((await storage.findToken(link.id))?.revokedAt).toBe(NOW);
        }
        expect(await storage.listMapLinks(elsewhere.id, NOW)).toHaveLength(1);
      },
    },
    {
      name: 'a map has at most 50 open links, however many are made at once',
      async run({ storage }) {
        const { ben, map, makeLink, ids } = await seedLinks(storage);
        await makeLink({ expiresAt: NOW });
        const wanted = Array.from({ length: MAX_MAP_LINKS + 5 }, () => aMapLink(map.id, ben.id));
        const outcomes = await Promise.all(wanted.map((one) => storage.insertMapLink(one)));
        expect(outcomes.filter(({ kind }) => kind === 'inserted')).toHaveLength(MAX_MAP_LINKS);
        expect(outcomes.filter(({ kind }) => kind === 'too-many-links')).toHaveLength(5);
        const [first] = await ids();
        expect(await ids()).toHaveLength(MAX_MAP_LINKS);
        await storage.revokeMapLink(map.id, first!, NOW);
        await makeLink();
        expect(await storage.insertMapLink(aMapLink(map.id, ben.id))).toEqual({ kind: 'too-many-links' });
        const other = await seedMap(storage, { ownerId: ben.id });
        expect((await storage.insertMapLink(aMapLink(other.id, ben.id))).kind).toBe('inserted');
      },
    },
    {
      name: 'two openings together never exceed the limit',
      needs: 'openAgain',
      async run({ storage, openAgain }) {
        const { ben, map, ids } = await seedLinks(storage);
        const other = await openAgain();
        const outcomes = await Promise.all(
          Array.from({ length: MAX_MAP_LINKS + 10 }, (_, index) =>
            (index % 2 === 0 ? storage : other).insertMapLink(aMapLink(map.id, ben.id)),
          ),
        );
        const inserted = outcomes.filter(({ kind }) => kind === 'inserted').length;
        expect(inserted).toBeLessThanOrEqual(MAX_MAP_LINKS);
        expect(await ids()).toHaveLength(inserted);
      },
    },
    {
      name: 'links are part of a dump',
      async run({ storage }) {
        const { map, makeLink, open } = await seedLinks(storage);
        await makeLink({ id: 'token_2' });
        const revoked = await makeLink({ id: 'token_3', scope: 'write', expiresAt: NOW + 9 });
        await storage.revokeMapLink(map.id, revoked.id, NOW);
        const before = await open();
        const items = await collect(storage.dump(NOW));
        await storage.removeAll([]);
        for (const item of items) await storage.load([item]);
        expect(before).toHaveLength(1);
        expect(await open()).toEqual(before);
        const found = await storage.findToken(revoked.id);
        expect(found).toEqual({ ...revoked, revokedAt: NOW, ownerName: 'Ben' });
      },
    },
  ],
};
