/**
 * Connection cursors. To clients they are opaque. They hold only sort keys, so they stay good when the item they came
 * from is deleted. Each cursor names its connection; a cursor of another connection is refused.
 */

import { badUserInput } from '../../errors.ts';
import { canonicalDigest } from '../json/canonical-digest.ts';
import { isOrderKey } from '../list/order.ts';
import type { SortKey } from '../list/sort-key.ts';
import { compareCodePoints } from '../text.ts';

/** What a map is listed by among its owner's maps: time of creation, then id. */
export interface MapSortKey {
  readonly createdAt: number;
  readonly id: string;
}

export function compareMaps(a: MapSortKey, b: MapSortKey): number {
  // Often it is the very same.
  return a === b ? 0 : a.createdAt - b.createdAt || compareCodePoints(a.id, b.id);
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

/** Where a reader of a map's log of changes stands. */
export interface LogOffset {
  readonly number: number;
  /** Tells whether it is the same log still: letters and digits. */
  readonly stamp: string;
}

const CHANGE_CURSOR = /^c:([^:]*):([0-9A-Za-z]+):(0|[1-9][0-9]{0,15})$/;

export function encodeChangeCursor(mapId: string, { number, stamp }: LogOffset): string {
  return toBase64Url(`c:${mapId}:${stamp}:${number}`);
}

/** @throws ServiceError BAD_USER_INPUT when it is not a cursor of that map's changes */
export function decodeChangeCursor(mapId: string, cursor: string, label: string): LogOffset {
  const [, cursorMapId, stamp, digits] = CHANGE_CURSOR.exec(fromBase64Url(cursor)) ?? [];
  const number = Number(digits);
  if (cursorMapId !== mapId || stamp === undefined || !Number.isSafeInteger(number)) {
    throw badUserInput(`${label} must be a cursor that this map's locationChanges gave.`);
  }
  return { number, stamp };
}

const DIGEST_LENGTH = 12;

/**
 * Stands for a connection with its filter and its order, and so for which cursors are its own.
 *
 * @param connection JSON of bounded depth; dates are allowed. A member that is null counts as absent
 */
export function digestOf(...connection: readonly unknown[]): string {
  const plain = JSON.parse(JSON.stringify(connection, withoutNullMembers)) as unknown;
  return canonicalDigest(plain).slice(0, DIGEST_LENGTH);
}

function withoutNullMembers(this: unknown, _key: string, value: unknown): unknown {
  return value === null && !Array.isArray(this) ? undefined : value;
}

/** What a filtered or ordered connection goes on from: the values that it is sorted by, the last of them the sort key. */
export type SortValue = string | number | null;

/** @param digest of the connection, by {@link digestOf} */
export function encodeSortValuesCursor(digest: string, place: readonly SortValue[]): string {
  return toBase64Url(JSON.stringify([digest, ...place]));
}

/**
 * @param read the place that the values stand for; null where they cannot be one's
 * @param connection how the message names it
 * @throws ServiceError BAD_USER_INPUT when it is a cursor of another connection, filter or order
 */
export function decodeSortValuesCursor<P>(
  digest: string,
  cursor: string,
  label: string,
  read: (values: readonly unknown[]) => P | null,
  connection: string,
): P {
  const [itsDigest, ...values] = partsOf(fromBase64Url(cursor));
  const place = itsDigest === digest ? read(values) : null;
  if (place === null) throw foreignCursor(label, `${connection} with this filter and order`);
  return place;
}

/** Empty for a text that `JSON.stringify` cannot have made of a list. */
function partsOf(text: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(text);
    return Array.isArray(parts) && JSON.stringify(parts) === text ? parts : [];
  } catch {
    return [];
  }
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
