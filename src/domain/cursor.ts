/**
 * Connection cursors. To clients they are opaque. They hold only sort keys, so they stay good when the item they came
 * from is deleted. Each cursor names its connection; a cursor of another connection is refused.
 */

import { badUserInput } from '../errors.ts';
import { isOrderKey } from './order.ts';
import type { SortKey } from './sort-key.ts';

/** What a map is listed by among its owner's maps: time of creation, then id. */
export interface MapSortKey {
  readonly createdAt: number;
  readonly id: string;
}

const LOCATION_CURSOR = /^l:([^:]*):(0|[1-9][0-9]{0,14}):(.*)$/s;
const MAP_CURSOR = /^m:([^:]*):(0|[1-9][0-9]{0,14}):([0-9a-z]+)$/;

export function encodeLocationCursor(mapId: string, { orderKey, sequence }: SortKey): string {
  return toBase64Url(`l:${mapId}:${sequence}:${orderKey}`);
}

/**
 * @param label the argument's name, for the message
 * @throws ServiceError BAD_USER_INPUT when it is not a cursor of that map's `locations`
 */
export function decodeLocationCursor(mapId: string, cursor: string, label: string): SortKey {
  const [, cursorMapId, sequence, orderKey] = LOCATION_CURSOR.exec(fromBase64Url(cursor)) ?? [];
  if (cursorMapId !== mapId || orderKey === undefined || !isOrderKey(orderKey)) {
    throw foreignCursor(label, "this map's locations");
  }
  return { orderKey, sequence: Number(sequence) };
}

export function encodeMapCursor(ownerId: string, { createdAt, id }: MapSortKey): string {
  return toBase64Url(`m:${ownerId}:${createdAt}:${id}`);
}

export function decodeMapCursor(ownerId: string, cursor: string, label: string): MapSortKey {
  const [, cursorOwnerId, createdAt, id] = MAP_CURSOR.exec(fromBase64Url(cursor)) ?? [];
  if (cursorOwnerId !== ownerId || id === undefined) throw foreignCursor(label, "the viewer's maps");
  return { createdAt: Number(createdAt), id };
}

function foreignCursor(label: string, connection: string) {
  return badUserInput(`${label} must be a cursor that the connection of ${connection} gave.`);
}

function toBase64Url(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/** Empty for a text that {@link toBase64Url} cannot have made. So each sort key has exactly one cursor. */
function fromBase64Url(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  return toBase64Url(text) === cursor ? text : '';
}
