/** Mutants with wrong changes of members. */

import { memberRole } from '../../../src/domain/members.ts';
import type { Mutant } from './mutant.ts';

export const memberMutants: readonly Mutant[] = [
  {
    name: 'a member has joined when its role changed last',
    topic: 'members',
    breaks: (good) => ({
      changeMembers: async (mapId, change, now, scope) => {
        if (change.kind === 'set') {
          await good.changeMembers(mapId, { kind: 'remove', ownerId: change.ownerId }, now, scope);
        }
        return good.changeMembers(mapId, change, now, scope);
      },
    }),
  },
  {
    name: 'an unchanged role counts as changed',
    topic: 'members',
    breaks: (good) => ({
      changeMembers: async (...args) => {
        const outcome = await good.changeMembers(...args);
        return outcome.kind === 'unchanged' ? { ...outcome, kind: 'changed' } : outcome;
      },
    }),
  },
  {
    name: 'raising a role lowers it',
    topic: 'members',
    breaks: (good) => ({
      changeMembers: (mapId, change, now, scope) =>
        good.changeMembers(mapId, change.kind === 'raise' ? { ...change, kind: 'set' } : change, now, scope),
    }),
  },
  {
    name: 'changing somebody who is no member adds a member',
    topic: 'members',
    breaks: (good) => ({
      changeMembers: (mapId, change, now, scope) =>
        good.changeMembers(
          mapId,
          change.kind === 'update' ? { ...change, kind: 'set', since: now } : change,
          now,
          scope,
        ),
    }),
  },
  {
    name: 'the creator owns the map for ever',
    topic: 'members',
    breaks: (good) => {
      const creators = new Map<string, string>();
      return {
        insertMap: (map, scope) => {
          creators.set(map.id, map.ownerId);
          return good.insertMap(map, scope);
        },
        getMaps: async (ids, scope) =>
          (await good.getMaps(ids, scope)).map(
            (map) => map && { ...map, ownerId: creators.get(map.id) ?? map.ownerId },
          ),
      };
    },
  },
  {
    name: 'deleted maps get members',
    topic: 'members',
    breaks: (good) => ({
      changeMembers: async (mapId, change, now, scope) => {
        const outcome = await good.changeMembers(mapId, change, now, scope);
        if (outcome.kind !== 'map-deleted') return outcome;
        await good.updateMap(mapId, { isDeleted: false }, { evenIfDeleted: true });
        const changed = await good.changeMembers(mapId, change, now, scope);
        await good.updateMap(mapId, { isDeleted: true }, { evenIfDeleted: true });
        return changed;
      },
    }),
  },
  {
    name: 'maps are listed for their owner only',
    topic: 'members',
    breaks: (good) => ({
      listMaps: async (query, scope) =>
        (await good.listMaps(query, scope)).filter(({ ownerId }) => ownerId === query.ownerId),
    }),
  },
  {
    name: 'maps are listed for owners only',
    topic: 'members',
    breaks: (good) => ({
      listMaps: async (query, scope) =>
        (await good.listMaps(query, scope)).filter(
          ({ members }) => memberRole(members, query.ownerId) === 'owner',
        ),
    }),
  },
  {
    name: 'former members still count',
    topic: 'members',
    breaks: (good) => {
      const former = new Map<string, number>();
      return {
        changeMembers: async (mapId, change, now, scope) => {
          const outcome = await good.changeMembers(mapId, change, now, scope);
          if (change.kind === 'remove' && outcome.kind === 'changed') {
            former.set(change.ownerId, (former.get(change.ownerId) ?? 0) + 1);
          }
          return outcome;
        },
        countMaps: async (query, scope) =>
          (await good.countMaps(query, scope)) + (former.get(query.ownerId) ?? 0),
      };
    },
  },
  {
    name: 'a removed member’s tokens are not revoked',
    topic: 'members',
    breaks: (good) => {
      let kept: readonly string[] = [];
      return {
        changeMembers: async (mapId, change, now, scope) => {
          if (change.kind === 'remove') {
            const tokens = await good.listTokens(change.ownerId);
            kept = tokens.filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id);
          }
          return good.changeMembers(mapId, change, now, scope);
        },
        findToken: async (id, scope) => {
          const token = await good.findToken(id, scope);
          return token !== null && kept.includes(id) ? { ...token, revokedAt: null } : token;
        },
      };
    },
  },
  {
    name: 'all tokens of a removed member are revoked',
    topic: 'members',
    breaks: (good) => ({
      changeMembers: async (mapId, change, now, scope) => {
        const outcome = await good.changeMembers(mapId, change, now, scope);
        if (change.kind === 'remove') {
          for (const { id } of await good.listTokens(change.ownerId)) await good.revokeToken(id, now);
        }
        return outcome;
      },
    }),
  },
  {
    name: 'another role revokes tokens',
    topic: 'members',
    breaks: (good) => ({
      changeMembers: async (mapId, change, now, scope) => {
        const outcome = await good.changeMembers(mapId, change, now, scope);
        for (const { id, mapId: only } of await good.listTokens(change.ownerId)) {
          if (only === mapId) await good.revokeToken(id, now);
        }
        return outcome;
      },
    }),
  },
  {
    name: 'owners are found in the order of their ids',
    topic: 'members',
    breaks: (good) => ({
      findOwners: async (ids, scope) => good.findOwners(ids.toSorted(), scope),
    }),
  },
];
