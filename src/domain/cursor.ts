/**
 * Connection cursors: opaque to clients, and nothing but positions, so that they outlive what they point at. Each
 * names its connection; one that came from another is refused.
 */

import { badUserInput } from '../errors.ts';
import { isOrderKey } from './order.ts';
import type { SortKey } from './sort-key.ts';

/** Where a map stands in its owner's list: by time of creation, then by id. */
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

/** Empty for what {@link toBase64Url} cannot have made, so that each position has one cursor. */
function fromBase64Url(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  return toBase64Url(text) === cursor ? text : '';
}
