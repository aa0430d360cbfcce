/** Mutants with wrong owners, tokens, store values or a wrong close. */

import type { TokenWithOwner } from '../../../src/storage/storage.ts';
import type { Mutant } from './mutant.ts';

export const store: readonly Mutant[] = [
  {
    name: 'every owner is reported as new',
    topic: 'owners and tokens',
    breaks: (good) => ({
      findOrCreateOwner: async (owner) => ({ ...(await good.findOrCreateOwner(owner)), created: true }),
    }),
  },
  {
    name: 'an existing owner is returned with the offered id',
    topic: 'owners and tokens',
    breaks: (good) => ({
      findOrCreateOwner: async (made) => {
        const { owner, created } = await good.findOrCreateOwner(made);
        return { owner: { ...owner, id: made.id }, created };
      },
    }),
  },
  {
    name: 'owner names ignore case',
    topic: 'owners and tokens',
    breaks: (good) => ({
      findOrCreateOwner: (owner) => good.findOrCreateOwner({ ...owner, name: owner.name.toLowerCase() }),
      findOwnerByName: (name) => good.findOwnerByName(name.toLowerCase()),
    }),
  },
  {
    name: 'a display name is a name',
    topic: 'owners and tokens',
    breaks: (good) => ({
      setDisplayName: async (ownerId, displayName) => {
        if (displayName !== null) await good.renameOwner(ownerId, displayName);
      },
    }),
  },
  {
    name: 'a display name cannot be removed',
    topic: 'owners and tokens',
    breaks: (good) => ({
      setDisplayName: async (ownerId, displayName) => {
        if (displayName !== null) await good.setDisplayName(ownerId, displayName);
      },
    }),
  },
  {
    name: 'owners are listed in order of id',
    topic: 'owners and tokens',
    breaks: (good) => ({
      listOwners: async () => (await good.listOwners()).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    }),
  },
  {
    name: 'a repeated revocation overwrites the time',
    topic: 'owners and tokens',
    breaks: (good) => {
      const times = new Map<string, number>();
      const overlay = <T extends TokenWithOwner | null>(token: T): T =>
        token && times.has(token.id) ? { ...token, revokedAt: times.get(token.id)! } : token;
      return {
        revokeToken: async (id, revokedAt) => {
          times.set(id, revokedAt);
          return good.revokeToken(id, revokedAt);
        },
        findTokenByHash: async (hash) => overlay(await good.findTokenByHash(hash)),
        listTokens: async () => (await good.listTokens()).map(overlay),
      };
    },
  },
  {
    name: 'a repeated revocation does not find the token',
    topic: 'owners and tokens',
    breaks: (good) => ({
      revokeToken: async (id, revokedAt) => {
        const token = (await good.listTokens()).find((item) => item.id === id);
        return token?.revokedAt === null && good.revokeToken(id, revokedAt);
      },
    }),
  },
  {
    name: 'a revocation does nothing',
    topic: 'owners and tokens',
    breaks: (good) => ({
      revokeToken: async (id) => (await good.listTokens()).some((token) => token.id === id),
    }),
  },
  {
    name: 'an unknown token is reported as revoked',
    topic: 'owners and tokens',
    breaks: (good) => ({
      revokeToken: async (id, revokedAt) => {
        await good.revokeToken(id, revokedAt);
        return true;
      },
    }),
  },
  {
    name: 'expired tokens are not found',
    topic: 'owners and tokens',
    breaks: (good) => ({
      findTokenByHash: async (hash) => {
        const token = await good.findTokenByHash(hash);
        return (token?.expiresAt ?? Infinity) < Date.now() ? null : token;
      },
    }),
  },
  {
    name: 'revoked tokens are not listed',
    topic: 'owners and tokens',
    breaks: (good) => ({
      listTokens: async () => (await good.listTokens()).filter(({ revokedAt }) => revokedAt === null),
    }),
  },
  {
    name: 'tokens are listed in order of id',
    topic: 'owners and tokens',
    breaks: (good) => ({
      listTokens: async () => (await good.listTokens()).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    }),
  },
  {
    name: 'a token loses its map limit',
    topic: 'owners and tokens',
    breaks: (good) => ({ insertToken: (token) => good.insertToken({ ...token, mapId: null }) }),
  },
  {
    name: 'a token loses its name',
    topic: 'owners and tokens',
    breaks: (good) => ({ insertToken: (token) => good.insertToken({ ...token, name: null }) }),
  },
  {
    name: 'each owner’s list has the tokens of all owners',
    topic: 'owners and tokens',
    breaks: (good) => ({ listTokens: () => good.listTokens() }),
  },
  {
    name: 'a page of tokens repeats the last token of the previous page',
    topic: 'owners and tokens',
    breaks: (good) => ({
      listTokens: (ownerId, page) =>
        good.listTokens(
          ownerId,
          page?.after ? { ...page, after: { ...page.after, createdAt: page.after.createdAt - 1 } } : page,
        ),
    }),
  },
  {
    name: 'revoked tokens are not found by id',
    topic: 'owners and tokens',
    breaks: (good) => ({
      findToken: async (id) => {
        const token = await good.findToken(id);
        return token?.revokedAt === null ? token : null;
      },
    }),
  },
  {
    name: 'the last use is not stored',
    topic: 'owners and tokens',
    breaks: () => ({ saveTokenUses: () => Promise.resolve() }),
  },
  {
    name: 'the last use is stored within the interval',
    topic: 'owners and tokens',
    breaks: (good) => ({ saveTokenUses: (uses) => good.saveTokenUses(uses, 0) }),
  },
  {
    name: 'only the first of several uses is stored',
    topic: 'owners and tokens',
    breaks: (good) => ({
      saveTokenUses: (uses, intervalMs) => good.saveTokenUses(uses.slice(0, 1), intervalMs),
    }),
  },
  {
    name: 'a token hash ignores case',
    topic: 'owners and tokens',
    breaks: (good) => ({ findTokenByHash: (hash) => good.findTokenByHash(hash.toLowerCase()) }),
  },
  {
    name: 'a store value is overwritten',
    topic: 'store',
    breaks: (good) => {
      const values = new Map<string, string>();
      return {
        setMetaIfAbsent: async (key, value) => {
          values.set(key, value);
          return good.setMetaIfAbsent(key, value);
        },
        getMeta: async (key) => values.get(key) ?? good.getMeta(key),
      };
    },
  },
  {
    name: 'a store value is always reported as stored',
    topic: 'store',
    breaks: (good) => ({
      setMetaIfAbsent: async (key, value) => {
        await good.setMetaIfAbsent(key, value);
        return true;
      },
    }),
  },
  {
    name: 'a store with only owners is reported as empty',
    topic: 'store',
    breaks: (good) => ({
      isEmpty: async () => (await good.isEmpty()) || (await good.listTokens()).length === 0,
    }),
  },
  {
    name: 'a new store is not reported as empty',
    topic: 'store',
    breaks: () => ({ isEmpty: async () => false }),
  },
  {
    name: 'a closed store still serves calls',
    topic: 'store',
    breaks: () => ({ close: async () => {} }),
  },
  {
    name: 'a closed store fails with another error',
    topic: 'store',
    breaks: (good) => ({
      getMaps: async (ids) => {
        try {
          return await good.getMaps(ids);
        } catch {
          throw new Error('database is not open');
        }
      },
    }),
  },
  {
    name: 'a second close fails',
    topic: 'store',
    breaks: (good) => {
      let isClosed = false;
      return {
        close: async () => {
          if (isClosed) throw new Error('closed already');
          isClosed = true;
          await good.close();
        },
      };
    },
  },
  {
    name: 'a deleted value stays',
    topic: 'store',
    breaks: () => ({ removeMeta: async () => {} }),
  },
  {
    name: 'a deleted value becomes empty',
    topic: 'store',
    breaks: (good) => ({ removeMeta: (key) => good.setMeta(key, '') }),
  },
  {
    name: 'a replaced value keeps its first text',
    topic: 'store',
    breaks: (good) => ({ setMeta: async (key, value) => void (await good.setMetaIfAbsent(key, value)) }),
  },
  {
    name: 'a dump leaves out idempotency records',
    topic: 'copies',
    breaks: (good) => ({
      async *dump(expiringAfter) {
        for await (const item of good.dump(expiringAfter)) if (item.kind !== 'idempotency') yield item;
      },
    }),
  },
  {
    name: 'a dump leaves out logos',
    topic: 'copies',
    breaks: (good) => ({
      async *dump(expiringAfter) {
        for await (const item of good.dump(expiringAfter)) if (item.kind !== 'logo') yield item;
      },
    }),
  },
  {
    name: 'a dump includes expired records',
    topic: 'copies',
    breaks: (good) => ({ dump: () => good.dump(0) }),
  },
  {
    name: 'a load loses a map’s largest number',
    topic: 'copies',
    breaks: (good) => ({
      load: (items) =>
        good.load(
          items.map((item) =>
            item.kind === 'map' ? { ...item, end: { lastSequence: 0, largestNumber: null } } : item,
          ),
        ),
    }),
  },
  {
    name: 'removing everything removes the values to keep',
    topic: 'copies',
    breaks: (good) => ({ removeAll: () => good.removeAll([]) }),
  },
  {
    name: 'removing everything keeps every value',
    topic: 'copies',
    breaks: (good) => ({ removeAll: () => good.removeAll(['a', 'z', 'key']) }),
  },
];
