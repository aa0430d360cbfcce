/** Cursors of a map's locations. */

interface SortKey {
  readonly orderKey: string;
  readonly sequence: number;
}

const CURSOR = /^l:([^:]*):(0|[1-9][0-9]{0,14}):(.*)$/s;

export function encodeCursor(mapId: string, { orderKey, sequence }: SortKey): string {
  return Buffer.from(`l:${mapId}:${sequence}:${orderKey}`).toString('base64url');
}

/** @returns null for a cursor of another connection */
export function decodeCursor(mapId: string, cursor: string): SortKey | null {
  const [, ofMap, sequence, orderKey] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return ofMap === mapId && orderKey !== undefined ? { orderKey, sequence: Number(sequence) } : null;
}
