/** Owners and their tokens. */

import { newOwnerId } from '../../../src/domain/ids.ts';
import { aToken, DAY, idsOf, NOW, seedMap, seedOwner } from './fixtures.ts';
import type { StorageTopic } from './harness.ts';

const MINUTE = 60_000;

const hash = (letter: string) => letter.repeat(64);

export const ownersAndTokens: StorageTopic = {
  name: 'owners and tokens',
  cases: [
    {
      name: 'an owner is stored once, and found by name and by id',
      async run({ storage }) {
        const made = { id: newOwnerId(), name: "Ñandú & Söhne 😀 '1", createdAt: 12 };
        const owner = { ...made, displayName: null };
        expect(await storage.findOrCreateOwner(made)).toEqual({ owner, created: true });
        const other = { id: newOwnerId(), name: owner.name, createdAt: 99 };
        expect(await storage.findOrCreateOwner(other)).toEqual({ owner, created: false });
        expect(await storage.findOwnerByName(owner.name)).toEqual(owner);
        expect(await storage.findOwner(owner.id)).toEqual(owner);
        expect(await storage.findOwner(other.id)).toBeNull();
      },
    },
    {
      name: 'owner names differ by every character',
      async run({ storage }) {
        const names = ['a', 'A', 'a ', ' a', 'á', 'a\u0301', 'aa', '%', '_', '.*', ''];
        for (const name of names) expect((await seedOwner(storage, name)).name).toBe(name);
        const found = [];
        for (const name of names) found.push((await storage.findOwnerByName(name))?.name);
        expect(found).toEqual(names);
        expect(await storage.findOwnerByName('b')).toBeNull();
      },
    },
    {
      name: 'all owners are listed by name, by code point',
      async run({ storage }) {
        expect(await storage.listOwners()).toEqual([]);
        const names = ['', 'A', 'Z', 'a', 'a b', 'b', 'é', '\ufffd', '\u{1f600}'];
        const owners = [];
        for (const name of names.toReversed()) owners.unshift(await seedOwner(storage, name));
        expect(await storage.listOwners()).toEqual(owners);
      },
    },
    {
      name: 'an owner has a display name, which another may have too, until it is removed',
      async run({ storage }) {
        const [one, two] = [await seedOwner(storage, 'one'), await seedOwner(storage, 'two')];
        expect(one.displayName).toBeNull();
        const displayName = "Ñandú 😀 '1 {$x}";
        await storage.setDisplayName(one.id, 'Anna');
        await storage.setDisplayName(one.id, displayName);
        await storage.setDisplayName(two.id, displayName);
        await storage.setDisplayName('owner_unknown', displayName);
        const named = { ...one, displayName };
        expect(await storage.findOwner(one.id)).toEqual(named);
        expect(await storage.findOwnerByName('one')).toEqual(named);
        expect(await storage.findOrCreateOwner(one)).toEqual({ owner: named, created: false });
        expect(await storage.findOwners([one.id])).toEqual([named]);
        expect(await storage.listOwners()).toEqual([named, { ...two, displayName }]);
        await storage.setDisplayName(one.id, null);
        expect(await storage.findOwner(one.id)).toEqual(one);
        expect((await storage.findOwner(two.id))?.displayName).toBe(displayName);
      },
    },
    {
      name: 'of concurrent owners with one name, one is stored',
      async run({ storage }) {
        const responses = await Promise.all(
          Array.from({ length: 20 }, () =>
            storage.findOrCreateOwner({ id: newOwnerId(), name: 'same', createdAt: NOW }),
          ),
        );
        expect(responses.filter(({ created }) => created)).toHaveLength(1);
        expect(new Set(responses.map(({ owner }) => owner.id)).size).toBe(1);
        expect(await storage.findOwnerByName('same')).toEqual(responses[0]?.owner);
      },
    },
    {
      name: 'a token is found by its hash, with the name of its owner',
      async run({ storage }) {
        const owner = await seedOwner(storage, 'one');
        const other = await seedOwner(storage, 'two');
        const map = await seedMap(storage, { ownerId: owner.id });
        const limited = aToken(owner.id, {
          hash: hash('a'),
          scope: 'read',
          mapId: map.id,
          expiresAt: NOW + DAY,
        });
        const plain = aToken(other.id, { hash: hash('b') });
        await storage.insertToken(limited);
        await storage.insertToken(plain);
        expect(await storage.findTokenByHash(hash('a'))).toEqual({ ...limited, ownerName: 'one' });
        expect(await storage.findTokenByHash(hash('b'))).toEqual({ ...plain, ownerName: 'two' });
        for (const unknown of [hash('c'), hash('A'), 'a', '', plain.id]) {
          expect(await storage.findTokenByHash(unknown)).toBeNull();
        }
      },
    },
    {
      name: 'expired and revoked tokens are found too',
      async run({ storage }) {
        const owner = await seedOwner(storage, 'one');
        const expired = aToken(owner.id, { hash: hash('a'), createdAt: 1, expiresAt: 2 });
        const revoked = aToken(owner.id, { hash: hash('b'), createdAt: 3, revokedAt: 4 });
        for (const token of [expired, revoked]) {
          await storage.insertToken(token);
          expect(await storage.findTokenByHash(token.hash)).toEqual({ ...token, ownerName: 'one' });
        }
        expect(await storage.removeExpired(NOW)).toBe(0);
        expect(await storage.listTokens()).toHaveLength(2);
      },
    },
    {
      name: 'a token is revoked once, and keeps that time',
      async run({ storage }) {
        const owner = await seedOwner(storage);
        const [one, two] = [aToken(owner.id, { hash: hash('a') }), aToken(owner.id, { hash: hash('b') })];
        await storage.insertToken(one);
        await storage.insertToken(two);
        expect(await storage.revokeToken(one.id, NOW + 1)).toBe(true);
        expect((await storage.findTokenByHash(one.hash))?.revokedAt).toBe(NOW + 1);
        expect(await storage.revokeToken(one.id, NOW + 2)).toBe(true);
        expect(await storage.revokeToken(one.id, NOW)).toBe(true);
        expect((await storage.findTokenByHash(one.hash))?.revokedAt).toBe(NOW + 1);
        expect((await storage.findTokenByHash(two.hash))?.revokedAt).toBeNull();
      },
    },
    {
      name: 'an unknown token cannot be revoked',
      async run({ storage }) {
        const owner = await seedOwner(storage);
        const token = aToken(owner.id);
        await storage.insertToken(token);
        for (const id of ['token_unknown', '', token.hash])
          expect(await storage.revokeToken(id, NOW)).toBe(false);
        expect((await storage.findTokenByHash(token.hash))?.revokedAt).toBeNull();
      },
    },
    {
      name: 'all tokens of all owners are listed in order of creation',
      async run({ storage }) {
        expect(await storage.listTokens()).toEqual([]);
        const owners = [await seedOwner(storage, 'one'), await seedOwner(storage, 'two')];
        // Ids descend while times ascend.
        const tokens = Array.from({ length: 8 }, (_, index) =>
          aToken(owners[index % 2]!.id, {
            id: `token_${9 - index}`,
            createdAt: NOW + index,
            expiresAt: index === 3 ? NOW : null,
          }),
        );
        for (const token of tokens) await storage.insertToken(token);
        await storage.revokeToken(tokens[5]!.id, NOW);
        const listed = await storage.listTokens();
        expect(idsOf(listed)).toEqual(idsOf(tokens));
        expect(listed.map(({ ownerName }) => ownerName)).toEqual(
          tokens.map((_, i) => (i % 2 === 0 ? 'one' : 'two')),
        );
      },
    },
    {
      name: "an owner's list has only its own tokens",
      async run({ storage }) {
        const [one, two] = [await seedOwner(storage, 'one'), await seedOwner(storage, 'two')];
        const tokens = Array.from({ length: 6 }, (_, index) =>
          aToken(index % 2 === 0 ? one.id : two.id, {
            id: `token_${9 - index}`,
            createdAt: NOW + (index >> 2),
          }),
        );
        for (const token of tokens) await storage.insertToken(token);
        await storage.revokeToken(tokens[0]!.id, NOW);
        // Equal times are sorted by id.
        expect(idsOf(await storage.listTokens(one.id))).toEqual(['token_7', 'token_9', 'token_5']);
        expect(idsOf(await storage.listTokens(two.id))).toEqual(['token_6', 'token_8', 'token_4']);
        expect((await storage.listTokens(one.id)).map(({ ownerName }) => ownerName)).toEqual(
          Array<string>(3).fill('one'),
        );
        for (const unknown of ['nobody', '', one.name]) expect(await storage.listTokens(unknown)).toEqual([]);
      },
    },
    {
      name: "an owner's tokens are paged once each, also with equal times",
      async run({ storage }) {
        const [one, two] = [await seedOwner(storage, 'one'), await seedOwner(storage, 'two')];
        for (const index of Array.from({ length: 14 }).keys()) {
          await storage.insertToken(
            aToken(index % 2 === 0 ? one.id : two.id, {
              id: `token_${(index * 5) % 14}`,
              createdAt: NOW + Math.floor(index / 6),
            }),
          );
        }
        const all = await storage.listTokens(one.id);
        expect(all).toHaveLength(7);
        for (let limit = 1; limit <= 8; limit += 1) {
          const walked: (typeof all)[number][] = [];
          for (let page = all; page.length > 0;) {
            page = await storage.listTokens(one.id, { limit, after: walked.at(-1) ?? null });
            expect(page.length).toBeLessThanOrEqual(limit);
            walked.push(...page);
            expect(walked.length).toBeLessThanOrEqual(all.length);
          }
          expect(walked).toEqual(all);
        }
        expect(await storage.listTokens('nobody', { limit: 9, after: null })).toEqual([]);
      },
    },
    {
      name: 'a token is found by id, also when revoked or expired',
      async run({ storage }) {
        const owner = await seedOwner(storage, 'one');
        const token = aToken(owner.id, { id: 'token_1', expiresAt: NOW - 1 });
        await storage.insertToken(token);
        await storage.insertToken(aToken(owner.id, { id: 'token_2', createdAt: 0 }));
        await storage.revokeToken('token_1', NOW);
        expect(await storage.findToken('token_1')).toEqual({ ...token, revokedAt: NOW, ownerName: 'one' });
        for (const unknown of ['token_3', '', token.hash, '$ne'])
          expect(await storage.findToken(unknown)).toBeNull();
      },
    },
    {
      name: "a token's name is returned as given",
      async run({ storage }) {
        const owner = await seedOwner(storage, 'one');
        const names = ["Laptop 😀 'é'", 'laptop', '$set', 'null', null];
        for (const [index, name] of names.entries())
          await storage.insertToken(aToken(owner.id, { hash: hash(String(index)), name, createdAt: index }));
        expect((await storage.listTokens()).map(({ name }) => name)).toEqual(names);
        expect((await storage.findTokenByHash(hash('0')))?.name).toBe(names[0]);
      },
    },
    {
      name: "only the used token's last use is stored",
      async run({ storage }) {
        const owner = await seedOwner(storage);
        const [one, two] = [aToken(owner.id, { hash: hash('a') }), aToken(owner.id, { hash: hash('b') })];
        for (const token of [one, two]) await storage.insertToken(token);
        await storage.saveTokenUses([], MINUTE);
        expect((await storage.findTokenByHash(one.hash))?.lastUsedAt).toBeNull();
        const unknown = { tokenId: 'token_unknown', usedAt: NOW };
        await storage.saveTokenUses([unknown, { tokenId: one.id, usedAt: NOW + 5 }], MINUTE);
        const used = { ...one, ownerName: owner.name, lastUsedAt: NOW + 5 };
        expect(await storage.findTokenByHash(one.hash)).toEqual(used);
        expect((await storage.findTokenByHash(two.hash))?.lastUsedAt).toBeNull();
        expect(await storage.listTokens()).toHaveLength(2);
      },
    },
    {
      name: 'a use within the interval of the stored one, or before it, changes nothing',
      async run({ storage }) {
        const owner = await seedOwner(storage);
        const token = aToken(owner.id, { lastUsedAt: NOW });
        await storage.insertToken(token);
        const useAt = async (usedAt: number, intervalMs: number) => {
          await storage.saveTokenUses([{ tokenId: token.id, usedAt }], intervalMs);
          return (await storage.findTokenByHash(token.hash))!.lastUsedAt! - NOW;
        };
        for (const time of [NOW - DAY, NOW, NOW + 1, NOW + MINUTE - 1])
          expect(await useAt(time, MINUTE)).toBe(0);
        expect(await useAt(NOW + MINUTE, MINUTE)).toBe(MINUTE);
        expect(await useAt(NOW + MINUTE + 1, MINUTE)).toBe(MINUTE);
        expect(await useAt(NOW + MINUTE + 1, 0)).toBe(MINUTE + 1);
        expect(await useAt(NOW + MINUTE, 0)).toBe(MINUTE + 1);
      },
    },
    {
      name: 'two tokens with one hash cannot both be stored',
      async run({ storage }) {
        const owner = await seedOwner(storage);
        const first = aToken(owner.id, { hash: hash('a') });
        await storage.insertToken(first);
        const twin = storage.insertToken(aToken(owner.id, { hash: hash('a') }));
        await expect(twin).rejects.toBeDefined();
        expect(idsOf(await storage.listTokens())).toEqual([first.id]);
      },
    },
  ],
};
