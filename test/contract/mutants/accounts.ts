/** Mutants that let in whom they should not: secrets that work twice, sessions that stay, attempts that do not count. */

import type { Storage } from '../../../src/storage/storage.ts';
import type { Mutant } from './mutant.ts';
import { pause } from './mutant.ts';

function broken(name: string, breaks: (good: Storage) => Partial<Storage>): Mutant {
  return { name, topic: 'accounts', breaks };
}

export const accountMutants: readonly Mutant[] = [
  broken('a second account of an owner replaces the first', (good) => ({
    insertAccount: async (account) => {
      const isNew = await good.insertAccount(account);
      if (!isNew) await good.updateAccount(account.ownerId, account);
      return isNew;
    },
  })),
  broken('accounts are listed in descending order', (good) => ({
    listAccounts: async () => (await good.listAccounts()).toReversed(),
  })),
  broken('a patch enables the account', (good) => ({
    updateAccount: (ownerId, patch, hash) =>
      good.updateAccount(ownerId, { isDisabled: false, ...patch }, hash),
  })),
  broken('a password cannot be removed', (good) => ({
    updateAccount: (ownerId, { passwordHash, ...patch }, hash) =>
      good.updateAccount(ownerId, { ...patch, passwordHash: passwordHash ?? undefined }, hash),
  })),
  broken('the former password hash is not compared', (good) => ({
    updateAccount: (ownerId, patch) => good.updateAccount(ownerId, patch),
  })),
  broken('the former password hash is compared before the write', (good) => ({
    updateAccount: async (ownerId, patch, hash) => {
      const account = await good.findAccount(ownerId);
      await pause();
      return (hash === undefined || account?.passwordHash === hash) && good.updateAccount(ownerId, patch);
    },
  })),
  broken('a new name is not unique', (good) => ({
    renameOwner: async (id, name) => {
      await good.renameOwner(id, name);
      return (await good.findOwner(id)) !== null;
    },
  })),
  broken('a session keeps the former name of its owner', (good) => {
    const names = new Map<string, string>();
    return {
      findSessionByHash: async (hash) => {
        const found = await good.findSessionByHash(hash);
        return found && { ...found, ownerName: names.get(found.ownerId) ?? found.ownerName };
      },
      renameOwner: async (id, name) => {
        const owner = await good.findOwner(id);
        if (owner !== null) names.set(id, owner.name);
        return good.renameOwner(id, name);
      },
    };
  }),
  broken('a one-time secret works twice', (good) => ({
    takeOneTimeSecret: (hash, now) => good.findOneTimeSecret(hash, now),
  })),
  broken('concurrent calls share a one-time secret', (good) => ({
    takeOneTimeSecret: async (hash, now) => {
      const found = await good.findOneTimeSecret(hash, now);
      await pause();
      await good.takeOneTimeSecret(hash, now);
      return found;
    },
  })),
  broken('an expired one-time secret works', (good) => ({
    takeOneTimeSecret: (hash) => good.takeOneTimeSecret(hash, 0),
  })),
  broken('the secrets of an owner stay', () => ({ removeOneTimeSecrets: () => Promise.resolve() })),
  broken('an expired session is not found', (good) => ({
    findSessionByHash: async (hash) => {
      const found = await good.findSessionByHash(hash);
      return found !== null && found.expiresAt > Date.UTC(2026, 0, 1) ? found : null;
    },
  })),
  broken('sessions are listed by id', (good) => ({
    listSessions: async (ownerId) =>
      (await good.listSessions(ownerId)).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  })),
  broken('all sessions are removed without exception', (good) => ({
    removeSessions: (ownerId, which) =>
      good.removeSessions(ownerId, 'except' in which ? { except: null } : which),
  })),
  broken('unknown sessions are reported as removed', (good) => ({
    removeSessions: async (ownerId, which) => {
      const removed = await good.removeSessions(ownerId, which);
      return 'except' in which ? removed : which;
    },
  })),
  broken('the interval between two uses of a session is ignored', (good) => ({
    saveSessionUses: (uses) => good.saveSessionUses(uses, 0),
  })),
  broken('the expiry of a session is not extended', (good) => ({
    saveSessionUses: async (uses, intervalMs) => {
      const found = await good.findSessionByHash('hash of a');
      const expiresAt = found?.expiresAt ?? 0;
      await good.saveSessionUses(
        uses.map((use) => ({ ...use, expiresAt })),
        intervalMs,
      );
    },
  })),
  broken('attempts are not counted', (good) => ({
    takeAttempts: async (names, limit) => {
      const outcome = await good.takeAttempts(names, limit);
      if (outcome.kind === 'taken') await good.returnAttempts(outcome.attempts);
      return outcome;
    },
  })),
  broken('a refused attempt counts under its first name', (good) => ({
    takeAttempts: async (names, limit) => {
      const [first = ''] = names;
      const outcome = await good.takeAttempts(names, limit);
      if (outcome.kind === 'full' && names.length > 1) await good.takeAttempts([first], limit);
      return outcome;
    },
  })),
  broken('attempts expire together with the last one', (good) => ({
    takeAttempts: async (names, limit) => {
      const outcome = await good.takeAttempts(names, limit);
      return outcome.kind === 'full' ? { ...outcome, until: limit.expiresAt } : outcome;
    },
  })),
  broken('returned attempts still count', () => ({ returnAttempts: () => Promise.resolve() })),
  broken('expired attempts count', (good) => ({
    takeAttempts: (names, limit) => good.takeAttempts(names, { ...limit, now: 0 }),
  })),
  broken('a dump has no accounts', (good) => ({
    async *dump(expiringAfter) {
      for await (const item of good.dump(expiringAfter)) if (item.kind !== 'account') yield item;
    },
  })),
];
