/** Links to maps, among the tokens. */

import type { Filter } from 'mongodb';

import { MAX_MAP_LINKS } from '../../domain/map-link.ts';
import { memberRole } from '../../domain/members.ts';
import type { MapLinkOutcome, MapLinkRecord, MapLinkStorage, NewMapLink } from '../storage.ts';
import type { Database } from './database.ts';
import { WITHOUT_LIST } from './maps.ts';
import { oneByOne } from './members.ts';
import type { Collections, TokenDocument } from './schema.ts';
import { insertToken, toToken } from './tokens.ts';

export function mapLinkStore(database: Database): MapLinkStorage {
  return {
    insertMapLink: (link, scope) =>
      database.run((collections) => oneByOne([link.mapId], () => insertIfAllowed(collections, link)), scope),

    listMapLinks: (mapId, now, scope) =>
      database.run(async ({ tokens }) => {
        const found = tokens.find(openLinks(mapId, now)).hint('links_by_map').sort({ createdAt: 1, _id: 1 });
        return (await found.toArray()).map(toMapLink);
      }, scope),

    replaceMapLink: (mapId, id, hash, now, scope) =>
      database.run(async ({ tokens }) => {
        const replaced = await tokens.findOneAndUpdate(
          { _id: { $eq: id }, ...openLinks(mapId, now) },
          { $set: { hash }, $unset: { lastUsedAt: '' } },
          { returnDocument: 'after' },
        );
        return replaced === null ? null : toMapLink(replaced);
      }, scope),

    revokeMapLink: (mapId, id, now, scope) =>
      database.run(async ({ tokens }) => {
        const { modifiedCount } = await tokens.updateOne(
          { _id: { $eq: id }, ...openLinks(mapId, now) },
          { $set: { revokedAt: new Date(now) } },
        );
        return modifiedCount === 1;
      }, scope),
  };
}

function openLinks(mapId: string, now: number): Filter<TokenDocument> {
  return {
    mapId: { $eq: mapId },
    kind: 'link',
    revokedAt: { $exists: false },
    $or: [{ expiresAt: { $exists: false } }, { expiresAt: { $gt: new Date(now) } }],
  };
}

async function insertIfAllowed(collections: Collections, link: NewMapLink): Promise<MapLinkOutcome> {
  const { maps, tokens } = collections;
  const { id, mapId, ownerId, createdAt } = link;
  const document = await maps.findOne({ _id: { $eq: mapId } }, WITHOUT_LIST);
  if (document === null) return { kind: 'map-missing' };
  if (document.isDeleted) return { kind: 'map-deleted' };
  if (memberRole(document.members, ownerId) !== 'owner') return { kind: 'not-an-owner' };
  const countOpen = () => tokens.countDocuments(openLinks(mapId, createdAt), { hint: 'links_by_map' });
  if ((await countOpen()) >= MAX_MAP_LINKS) return { kind: 'too-many-links' };
  await insertToken(collections, link);
  // Another process may have inserted one, too. Until this call returns, nobody has the secret.
  if ((await countOpen()) <= MAX_MAP_LINKS) return { kind: 'inserted' };
  await tokens.deleteOne({ _id: { $eq: id } });
  return { kind: 'too-many-links' };
}

function toMapLink(document: TokenDocument): MapLinkRecord {
  return toToken(document) as MapLinkRecord;
}
