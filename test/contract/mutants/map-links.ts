/** Mutants with wrong links to maps. */

import { MAX_MAP_LINKS } from '../../../src/domain/map-link.ts';
import type { Mutant } from './mutant.ts';

const LATER = 1;

export const mapLinkMutants: readonly Mutant[] = [
  {
    name: 'expired links are listed',
    topic: 'map links',
    breaks: (good) => ({
      listMapLinks: (mapId, now, scope) => good.listMapLinks(mapId, now - LATER, scope),
    }),
  },
  {
    name: 'links are listed by id',
    topic: 'map links',
    breaks: (good) => ({
      listMapLinks: async (...args) =>
        (await good.listMapLinks(...args)).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    }),
  },
  {
    name: 'a link is a token',
    topic: 'map links',
    breaks: (good) => ({
      findTokenByHash: async (...args) => {
        const found = await good.findTokenByHash(...args);
        return found && { ...found, kind: 'token' };
      },
    }),
  },
  {
    name: 'a replaced link keeps its use',
    topic: 'map links',
    breaks: (good) => ({
      replaceMapLink: async (mapId, id, ...args) => {
        const before = await good.findToken(id);
        const replaced = await good.replaceMapLink(mapId, id, ...args);
        return replaced && { ...replaced, lastUsedAt: before?.lastUsedAt ?? null };
      },
    }),
  },
  {
    name: 'a revoked link can be replaced',
    topic: 'map links',
    breaks: (good) => ({
      replaceMapLink: async (mapId, id, hash, ...args) => {
        const found = await good.findToken(id);
        return (
          (await good.replaceMapLink(mapId, id, hash, ...args)) ??
          (found?.kind === 'link' && found.mapId === mapId
            ? { ...found, kind: 'link', name: found.name ?? '', mapId, hash }
            : null)
        );
      },
    }),
  },
  {
    name: 'a link is revoked on any map',
    topic: 'map links',
    breaks: (good) => ({
      revokeMapLink: async (mapId, id, now, scope) => {
        const link = await good.findToken(id);
        return good.revokeMapLink(link?.mapId ?? mapId, id, now, scope);
      },
    }),
  },
  {
    name: 'tokens are revoked as links',
    topic: 'map links',
    breaks: (good) => ({
      revokeMapLink: async (mapId, id, now, scope) =>
        (await good.revokeMapLink(mapId, id, now, scope)) ||
        ((await good.findToken(id))?.kind === 'token' && good.revokeToken(id, now)),
    }),
  },
  {
    name: 'concurrent links exceed the limit',
    topic: 'map links',
    breaks: (good) => ({
      insertMapLink: async (link, scope) => {
        const before = await good.listMapLinks(link.mapId, link.createdAt);
        const outcome = await good.insertMapLink(link, scope);
        const isAllowed = outcome.kind !== 'too-many-links' || before.length >= MAX_MAP_LINKS;
        return isAllowed ? outcome : { kind: 'inserted' };
      },
    }),
  },
  {
    name: 'editors make links',
    topic: 'map links',
    breaks: (good) => ({
      insertMapLink: async (link, scope) => {
        const outcome = await good.insertMapLink(link, scope);
        const [map] = await good.getMaps([link.mapId]);
        const creator = map?.members.find(({ ownerId }) => ownerId === link.ownerId);
        return outcome.kind === 'not-an-owner' && creator?.role === 'editor' ? { kind: 'inserted' } : outcome;
      },
    }),
  },
  {
    name: 'links outlive a lower role of their owner',
    topic: 'map links',
    breaks: (good) => ({
      listMapLinks: async (mapId, now, scope) => {
        const links = [...(await good.listMapLinks(mapId, now, scope))];
        for (const token of await good.listTokens()) {
          if (token.kind !== 'link' || token.mapId !== mapId || token.revokedAt === null) continue;
          links.push({ ...token, kind: 'link', name: token.name ?? '', mapId });
        }
        return links;
      },
    }),
  },
];
