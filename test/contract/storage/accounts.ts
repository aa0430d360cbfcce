/** Accounts, sessions, one-time secrets and attempts to sign in. */

import type { OneTimeSecret, SessionRecord } from '../../../src/storage/accounts.ts';
import type { AccountRecord, Storage } from '../../../src/storage/storage.ts';
import { aToken, collect, DAY, NOW, seedOwner } from './fixtures.ts';
import type { StorageTopic } from './harness.ts';

const MINUTE = 60_000;

export function anAccount(ownerId: string, overrides: Partial<AccountRecord> = {}): AccountRecord {
  return { ownerId, passwordHash: '$scrypt$1', isDisabled: false, createdAt: NOW, ...overrides };
}

export function aSession(ownerId: string, id: string, overrides: Partial<SessionRecord> = {}): SessionRecord {
  return {
    id,
    hash: `hash of ${id}`,
    ownerId,
    createdAt: NOW,
    lastUsedAt: NOW,
    expiresAt: NOW + DAY,
    userAgent: 'Mozilla/5.0 ("x")',
    idToken: null,
    ...overrides,
  };
}

export function aSecret(hash: string, overrides: Partial<OneTimeSecret> = {}): OneTimeSecret {
  return { hash, purpose: 'setup', ownerId: null, data: null, expiresAt: NOW + DAY, ...overrides };
}

const LIMIT = { most: 3, now: NOW, expiresAt: NOW + 15 * MINUTE };

async function seedSession(storage: Storage, ownerId: string, id: string, createdAt = NOW) {
  const session = aSession(ownerId, id, { createdAt });
  await storage.insertSession(session);
  return session;
}

export const accounts: StorageTopic = {
  name: 'accounts',
  cases: [
    {
      name: 'an account is stored once for an owner',
      async run({ storage }) {
        const [one, two] = [await seedOwner(storage, 'one'), await seedOwner(storage, 'two')];
        const account = anAccount(one.id);
        expect(await storage.findAccount(one.id)).toBeNull();
        expect(await storage.insertAccount(account)).toBe(true);
        expect(await storage.insertAccount(anAccount(one.id, { passwordHash: 'other' }))).toBe(false);
        const disabled = anAccount(two.id, { passwordHash: null, isDisabled: true, createdAt: 7 });
        expect(await storage.insertAccount(disabled)).toBe(true);
        expect(await storage.findAccount(one.id)).toEqual(account);
        expect(await storage.findAccount(two.id)).toEqual(disabled);
        expect(await storage.findAccount('owner_unknown')).toBeNull();
        const byId = [account, disabled].toSorted((a, b) => (a.ownerId < b.ownerId ? -1 : 1));
        expect(await storage.listAccounts()).toEqual(byId);
      },
    },
    {
      name: 'of concurrent accounts of an owner, one is stored',
      async run({ storage }) {
        const { id } = await seedOwner(storage);
        const stored = await Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            storage.insertAccount(anAccount(id, { passwordHash: `hash ${index}` })),
          ),
        );
        expect(stored.filter(Boolean)).toHaveLength(1);
        expect((await storage.findAccount(id))?.passwordHash).toBe(`hash ${stored.indexOf(true)}`);
      },
    },
    {
      name: 'a patch of an account replaces the named members',
      async run({ storage }) {
        const { id } = await seedOwner(storage);
        const account = anAccount(id);
        await storage.insertAccount(account);
        expect(await storage.updateAccount(id, { isDisabled: true })).toBe(true);
        expect(await storage.findAccount(id)).toEqual({ ...account, isDisabled: true });
        expect(await storage.updateAccount(id, { passwordHash: 'new' })).toBe(true);
        expect(await storage.findAccount(id)).toEqual({ ...account, isDisabled: true, passwordHash: 'new' });
        expect(await storage.updateAccount(id, { passwordHash: null, isDisabled: false })).toBe(true);
        expect(await storage.findAccount(id)).toEqual({ ...account, passwordHash: null });
        expect(await storage.updateAccount('owner_unknown', { isDisabled: true })).toBe(false);
      },
    },
    {
      name: 'an account is changed only if it has the given password hash',
      async run({ storage }) {
        const { id } = await seedOwner(storage);
        await storage.insertAccount(anAccount(id, { passwordHash: 'a' }));
        expect(await storage.updateAccount(id, { passwordHash: 'c' }, 'b')).toBe(false);
        expect((await storage.findAccount(id))?.passwordHash).toBe('a');
        const changed = await Promise.all(
          ['x', 'y', 'z'].map((passwordHash) => storage.updateAccount(id, { passwordHash }, 'a')),
        );
        expect(changed.filter(Boolean)).toHaveLength(1);
        expect((await storage.findAccount(id))?.passwordHash).toBe(['x', 'y', 'z'][changed.indexOf(true)]);
      },
    },
    {
      name: 'an owner gets another name, which its tokens and sessions show',
      async run({ storage }) {
        const [one, two] = [await seedOwner(storage, 'one'), await seedOwner(storage, 'two')];
        const token = aToken(one.id);
        await storage.insertToken(token);
        await seedSession(storage, one.id, 'session');
        expect(await storage.renameOwner(one.id, 'two')).toBe(false);
        expect(await storage.renameOwner('owner_unknown', 'three')).toBe(false);
        expect(await storage.renameOwner(one.id, "Ä '1")).toBe(true);
        expect(await storage.findOwner(one.id)).toEqual({ ...one, name: "Ä '1" });
        expect(await storage.findOwnerByName("Ä '1")).toEqual({ ...one, name: "Ä '1" });
        expect(await storage.findOwnerByName('one')).toBeNull();
        expect(await storage.findOwner(two.id)).toEqual(two);
        expect((await storage.findTokenByHash(token.hash))?.ownerName).toBe("Ä '1");
        expect((await storage.findSessionByHash('hash of session'))?.ownerName).toBe("Ä '1");
      },
    },
    {
      name: 'a one-time secret is taken once',
      async run({ storage }) {
        const { id } = await seedOwner(storage);
        const secret = aSecret('a', { purpose: 'reset', ownerId: id, data: '{"x": "ü"}' });
        await storage.insertOneTimeSecret(secret);
        await storage.insertOneTimeSecret(aSecret('b'));
        expect(await storage.findOneTimeSecret('a', NOW)).toEqual(secret);
        expect(await storage.findOneTimeSecret('c', NOW)).toBeNull();
        const taken = await Promise.all(
          Array.from({ length: 10 }, () => storage.takeOneTimeSecret('a', NOW)),
        );
        expect(taken.filter((each) => each !== null)).toEqual([secret]);
        expect(await storage.findOneTimeSecret('a', NOW)).toBeNull();
        expect(await storage.takeOneTimeSecret('b', NOW)).toEqual(aSecret('b'));
      },
    },
    {
      name: 'an expired one-time secret is neither found nor taken',
      async run({ storage }) {
        await storage.insertOneTimeSecret(aSecret('a', { expiresAt: NOW + 1 }));
        expect(await storage.findOneTimeSecret('a', NOW + 1)).toBeNull();
        expect(await storage.takeOneTimeSecret('a', NOW + 1)).toBeNull();
        expect(await storage.takeOneTimeSecret('a', NOW)).not.toBeNull();
      },
    },
    {
      name: 'the one-time secrets of an owner are removed, and no others',
      async run({ storage }) {
        const [one, two] = [await seedOwner(storage, 'one'), await seedOwner(storage, 'two')];
        for (const [hash, ownerId] of [
          ['a', one.id],
          ['b', one.id],
          ['c', two.id],
          ['d', null],
        ] as const)
          await storage.insertOneTimeSecret(aSecret(hash, { ownerId }));
        await storage.removeOneTimeSecrets(one.id);
        const left = [];
        for (const hash of ['a', 'b', 'c', 'd'])
          left.push((await storage.findOneTimeSecret(hash, NOW))?.hash);
        expect(left).toEqual([undefined, undefined, 'c', 'd']);
      },
    },
    {
      name: 'a session is found by its hash, with the name of its owner, also when it has expired',
      async run({ storage }) {
        const { id } = await seedOwner(storage, 'one');
        const session = aSession(id, 'session_1', { idToken: 'plain:x.y.z', lastUsedAt: 5, expiresAt: 6 });
        const bare = aSession(id, 'session_2', { userAgent: null });
        await storage.insertSession(session);
        await storage.insertSession(bare);
        expect(await storage.findSessionByHash(session.hash)).toEqual({ ...session, ownerName: 'one' });
        expect(await storage.findSessionByHash(bare.hash)).toEqual({ ...bare, ownerName: 'one' });
        for (const unknown of ['', 'session_1', 'Hash of session_1'])
          expect(await storage.findSessionByHash(unknown)).toBeNull();
      },
    },
    {
      name: 'an owner lists its sessions by creation',
      async run({ storage }) {
        const [one, two] = [await seedOwner(storage, 'one'), await seedOwner(storage, 'two')];
        expect(await storage.listSessions(one.id)).toEqual([]);
        const late = await seedSession(storage, one.id, 'a', NOW + 2);
        const second = await seedSession(storage, one.id, 'c', NOW + 1);
        const first = await seedSession(storage, one.id, 'b', NOW + 1);
        await seedSession(storage, two.id, 'd');
        expect(await storage.listSessions(one.id)).toEqual([first, second, late]);
      },
    },
    {
      name: 'sessions of an owner are removed by id, or all but one',
      async run({ storage }) {
        const [one, two] = [await seedOwner(storage, 'one'), await seedOwner(storage, 'two')];
        for (const id of ['a', 'b', 'c', 'd']) await seedSession(storage, one.id, id);
        await seedSession(storage, two.id, 'e');
        expect(await storage.removeSessions(one.id, ['a', 'e', 'x', 'a'])).toEqual(['a']);
        expect(await storage.findSessionByHash('hash of a')).toBeNull();
        expect(await storage.findSessionByHash('hash of e')).not.toBeNull();
        expect([...(await storage.removeSessions(one.id, { except: 'b' }))].sort()).toEqual(['c', 'd']);
        expect((await storage.listSessions(one.id)).map(({ id }) => id)).toEqual(['b']);
        expect(await storage.removeSessions(one.id, { except: 'e' })).toEqual(['b']);
        expect(await storage.removeSessions(one.id, { except: null })).toEqual([]);
        expect(await storage.removeSessions(two.id, { except: null })).toEqual(['e']);
      },
    },
    {
      name: 'a use of a session is stored once in an interval, with the new expiry',
      async run({ storage }) {
        const { id } = await seedOwner(storage);
        await seedSession(storage, id, 'a');
        const read = async () => {
          const found = await storage.findSessionByHash('hash of a');
          return [found?.lastUsedAt, found?.expiresAt];
        };
        const use = (usedAt: number, sessionId = 'a') =>
          storage.saveSessionUses([{ sessionId, usedAt, expiresAt: usedAt + 2 * DAY }], MINUTE);
        await storage.saveSessionUses([], MINUTE);
        await use(NOW + MINUTE - 1);
        expect(await read()).toEqual([NOW, NOW + DAY]);
        await use(NOW + MINUTE, 'unknown');
        await use(NOW + MINUTE);
        expect(await read()).toEqual([NOW + MINUTE, NOW + MINUTE + 2 * DAY]);
        await use(NOW);
        expect(await read()).toEqual([NOW + MINUTE, NOW + MINUTE + 2 * DAY]);
      },
    },
    {
      name: 'attempts count up to the limit of each name',
      async run({ storage }) {
        const take = async (...names: string[]) => (await storage.takeAttempts(names, LIMIT)).kind;
        expect([await take('a', 'b'), await take('a'), await take('a')]).toEqual(['taken', 'taken', 'taken']);
        expect(await take('a')).toBe('full');
        expect([await take('b'), await take('b'), await take('b')]).toEqual(['taken', 'taken', 'full']);
        expect(await take('A')).toBe('taken');
      },
    },
    {
      name: 'an attempt counts under all of its names or under none',
      async run({ storage }) {
        const take = async (...names: string[]) => (await storage.takeAttempts(names, LIMIT)).kind;
        for (let count = 0; count < LIMIT.most; count += 1) await take('full');
        for (let count = 0; count < LIMIT.most; count += 1) {
          expect(await take('a', 'full')).toBe('full');
          expect(await take('full', 'a')).toBe('full');
        }
        expect([await take('a'), await take('a'), await take('a')]).toEqual(['taken', 'taken', 'taken']);
        expect(await take('a')).toBe('full');
      },
    },
    {
      name: 'attempts stop counting when they expire, each by itself',
      async run({ storage }) {
        const takeAt = (now: number) =>
          storage.takeAttempts(['a'], { ...LIMIT, now, expiresAt: now + 15 * MINUTE });
        for (const minutes of [0, 5, 10]) expect((await takeAt(NOW + minutes * MINUTE)).kind).toBe('taken');
        expect(await takeAt(NOW + 14 * MINUTE)).toEqual({ kind: 'full', until: NOW + 15 * MINUTE });
        expect((await takeAt(NOW + 15 * MINUTE)).kind).toBe('taken');
        expect(await takeAt(NOW + 15 * MINUTE)).toEqual({ kind: 'full', until: NOW + 20 * MINUTE });
        expect(await takeAt(NOW + 20 * MINUTE - 1)).toEqual({ kind: 'full', until: NOW + 20 * MINUTE });
        expect((await takeAt(NOW + 20 * MINUTE)).kind).toBe('taken');
      },
    },
    {
      name: 'returned attempts do not count',
      async run({ storage }) {
        const first = await storage.takeAttempts(['a', 'b'], LIMIT);
        for (const _ of [1, 2]) await storage.takeAttempts(['a', 'b'], LIMIT);
        if (first.kind !== 'taken') throw new Error('The first attempt was refused.');
        expect(first.attempts.map(({ name }) => name)).toEqual(['a', 'b']);
        await storage.returnAttempts(first.attempts);
        await storage.returnAttempts(first.attempts);
        expect((await storage.takeAttempts(['a', 'b'], LIMIT)).kind).toBe('taken');
        expect((await storage.takeAttempts(['a', 'b'], LIMIT)).kind).toBe('full');
      },
    },
    {
      name: 'concurrent attempts never exceed the limit together',
      async run({ storage }) {
        const outcomes = await Promise.all(
          Array.from({ length: 20 }, () => storage.takeAttempts(['a', 'b'], LIMIT)),
        );
        const taken = outcomes.filter(({ kind }) => kind === 'taken');
        expect(taken.length).toBeLessThanOrEqual(LIMIT.most);
        expect(taken.length).toBeGreaterThan(0);
        expect(outcomes).toContainEqual({ kind: 'full', until: LIMIT.expiresAt });
      },
    },
    {
      name: 'expired sessions, secrets and attempts are removed, and accounts stay',
      async run({ storage }) {
        const { id } = await seedOwner(storage);
        await storage.insertAccount(anAccount(id));
        await storage.insertSession(aSession(id, 'old', { expiresAt: NOW }));
        await storage.insertSession(aSession(id, 'new', { expiresAt: NOW + 1 }));
        await storage.insertOneTimeSecret(aSecret('old', { expiresAt: NOW }));
        await storage.insertOneTimeSecret(aSecret('new', { expiresAt: NOW + 1 }));
        await storage.takeAttempts(['old'], { ...LIMIT, expiresAt: NOW });
        await storage.takeAttempts(['new'], { ...LIMIT, expiresAt: NOW + 1 });
        expect(await storage.removeExpired(NOW)).toBe(3);
        expect((await storage.listSessions(id)).map((session) => session.id)).toEqual(['new']);
        expect(await storage.findOneTimeSecret('old', 0)).toBeNull();
        expect(await storage.findOneTimeSecret('new', 0)).not.toBeNull();
        expect(await storage.findAccount(id)).not.toBeNull();
        expect(await storage.removeExpired(NOW + 1)).toBe(3);
      },
    },
    {
      name: 'a dump has accounts, and neither sessions nor secrets nor attempts',
      async run({ storage }) {
        const owners = [await seedOwner(storage, 'one'), await seedOwner(storage, 'two')];
        const byId = owners.toSorted((a, b) => (a.id < b.id ? -1 : 1));
        for (const { id } of byId.toReversed()) await storage.insertAccount(anAccount(id));
        await storage.updateAccount(byId[1]!.id, { passwordHash: null, isDisabled: true });
        await storage.setDisplayName(byId[0]!.id, 'Anna');
        await seedSession(storage, byId[0]!.id, 'a');
        await storage.insertOneTimeSecret(aSecret('a', { ownerId: byId[0]!.id }));
        await storage.takeAttempts(['a'], LIMIT);
        const expected = [
          { kind: 'owner', owner: { ...byId[0]!, displayName: 'Anna' } },
          { kind: 'owner', owner: byId[1]! },
          { kind: 'account', account: anAccount(byId[0]!.id) },
          { kind: 'account', account: anAccount(byId[1]!.id, { passwordHash: null, isDisabled: true }) },
        ];
        const items = await collect(storage.dump(NOW));
        expect(items).toEqual(expected);
        expect(await collect(storage.snapshot(NOW))).toEqual(expected);
        await storage.removeAll([]);
        expect(await storage.listAccounts()).toEqual([]);
        expect(await storage.findSessionByHash('hash of a')).toBeNull();
        expect(await storage.findOneTimeSecret('a', NOW)).toBeNull();
        expect(await storage.removeExpired(NOW + DAY)).toBe(0);
        await storage.load(items);
        expect(await collect(storage.dump(NOW))).toEqual(expected);
      },
    },
  ],
};
