/** Logos of maps. They have their own collection, so that reading maps does not read them. */

import type { LogoRecord, Storage } from '../storage.ts';
import type { Database } from './database.ts';
import type { Collections, LogoDocument } from './schema.ts';

type Logos = Pick<Collections, 'logos'>;

export function logoStore(database: Database): Pick<Storage, 'getLogo'> {
  return {
    getLogo: (mapId, scope) => database.run((collections) => getLogo(collections, mapId), scope),
  };
}

export async function getLogo({ logos }: Logos, mapId: string): Promise<LogoRecord | null> {
  const document = await logos.findOne({ _id: { $eq: mapId } });
  return document === null ? null : toLogo(document);
}

export async function putLogo({ logos }: Logos, logo: LogoRecord): Promise<void> {
  const { _id, ...rest } = toLogoDocument(logo);
  await logos.replaceOne({ _id: { $eq: _id } }, rest, { upsert: true });
}

export async function removeLogo({ logos }: Logos, mapId: string): Promise<void> {
  await logos.deleteOne({ _id: { $eq: mapId } });
}

function toLogo({ _id, ...rest }: LogoDocument): LogoRecord {
  return { mapId: _id, ...rest };
}

export function toLogoDocument({ mapId, ...rest }: LogoRecord): LogoDocument {
  return { _id: mapId, ...rest };
}
