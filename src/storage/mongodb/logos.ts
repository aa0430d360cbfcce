/**
 * Logos of maps. They have their own collection, so that reading maps does not read them. A map may have several documents for
 * a while: the one that it names, and those of other updates.
 */

import type { LogoRecord, LogoStorage } from '../storage.ts';
import type { Database } from './database.ts';
import type { Collections, LogoDocument } from './schema.ts';

type Logos = Pick<Collections, 'logos'>;

export function logoStore(database: Database): LogoStorage {
  return {
    getLogo: (mapId, hash, scope) => database.run((collections) => getLogo(collections, mapId, hash), scope),
  };
}

export async function getLogo({ logos }: Logos, mapId: string, hash: string): Promise<LogoRecord | null> {
  const document = await logos.findOne({ _id: { $eq: logoId(mapId, hash) } });
  return document === null ? null : toLogo(document);
}

export async function putLogo({ logos }: Logos, logo: LogoRecord): Promise<void> {
  const { _id, ...rest } = toLogoDocument(logo);
  await logos.replaceOne({ _id: { $eq: _id } }, rest, { upsert: true });
}

/**
 * After a map was given another logo or none: makes sure that the file is stored, and removes the others. Other updates may run
 * meanwhile, so each looks again at what the map names after it has removed a file.
 *
 * @param logo null for none
 */
export async function settleLogos(
  { logos, maps }: Pick<Collections, 'logos' | 'maps'>,
  mapId: string,
  logo: LogoRecord | null,
): Promise<void> {
  const stored = await logos
    .find({ _id: { $gte: logoId(mapId, ''), $lt: logoId(mapId, AFTER_HASHES) } })
    .project<Pick<LogoDocument, '_id' | 'hash'>>({ hash: 1 })
    .toArray();
  if (logo !== null && !stored.some(({ hash }) => hash === logo.hash)) await putLogo({ logos }, logo);
  for (const { _id, hash } of stored) {
    if (hash === logo?.hash) continue;
    const removed = await logos.findOneAndDelete({ _id: { $eq: _id } });
    if (removed === null) continue;
    const named = await maps.findOne({ _id: { $eq: mapId }, 'logo.hash': hash }, { projection: { _id: 1 } });
    if (named !== null) await putLogo({ logos }, toLogo(removed));
  }
}

/** Sorts after all hexadecimal digits. */
const AFTER_HASHES = 'g';

export function logoId(mapId: string, hash: string): string {
  return `${mapId}/${hash}`;
}

function toLogo({ _id, ...rest }: LogoDocument): LogoRecord {
  return rest;
}

export function toLogoDocument(logo: LogoRecord): LogoDocument {
  return { _id: logoId(logo.mapId, logo.hash), ...logo };
}
