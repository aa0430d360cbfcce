/** Logos of maps. They have their own table, so that reading maps does not read them. */

import type { LogoType } from '../../domain/logo.ts';
import type { LogoRecord, LogoStorage } from '../storage.ts';
import type { Database } from './database.ts';
import type { Reader, Writer } from './engine/statements.ts';
import { textOf } from './engine/statements.ts';

export function logoStore(database: Database): LogoStorage {
  return { getLogo: async (mapId, hash) => database.read(() => getLogo(database, mapId, hash)) };
}

export function getLogo(reader: Pick<Reader, 'get'>, mapId: string, hash: string): LogoRecord | null {
  const row = reader.get('SELECT * FROM logos WHERE map_id = ? AND hash = ?', mapId, hash);
  if (row === undefined) return null;
  const type = textOf(row, 'type') as LogoType;
  return { mapId, type, hash, content: textOf(row, 'content') };
}

export function putLogo(writer: Writer, { mapId, type, hash, content }: LogoRecord): void {
  writer.run('INSERT OR REPLACE INTO logos VALUES (?, ?, ?, ?)', mapId, type, hash, content);
}

export function removeLogo(writer: Writer, mapId: string): void {
  writer.run('DELETE FROM logos WHERE map_id = ?', mapId);
}
