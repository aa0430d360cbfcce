/**
 * Connection cursors, opaque to clients. They contain sort keys only, so they stay valid when their item is deleted. Each
 * cursor names its connection; cursors of other connections are refused.
 */

import { badUserInput } from '../../errors.ts';
import type { ChangeOffset } from '../change.ts';
import { canonicalDigest } from '../json/canonical-digest.ts';
import { isOrderKey } from '../list/order.ts';
import type { SortKey } from '../list/sort-key.ts';
import { compareCodePoints } from '../text.ts';

/** Sort key of a map among its owner's maps: time of creation, then id. */
export interface MapSortKey {
  readonly createdAt: number;
  readonly id: string;
}

export function compareMaps(a: MapSortKey, b: MapSortKey): number {
  // Often both are the same object.
  return a === b ? 0 : a.createdAt - b.createdAt || compareCodePoints(a.id, b.id);
}

const LOCATION_CURSOR = /^l:([^:]*):(0|[1-9][0-9]{0,14}):(.*)$/s;
const MAP_CURSOR = /^m:([^:]*):(0|[1-9][0-9]{0,14}):([0-9a-z]+)$/;

export function encodeLocationCursor(mapId: string, { orderKey, sequence }: SortKey): string {
  return toBase64Url(`l:${mapId}:${sequence}:${orderKey}`);
}

/**
 * @param label the argument's name in the error message
 * @throws ServiceError BAD_USER_INPUT if it is not a cursor of that map's `locations`
 */
export function decodeLocationCursor(mapId: string, cursor: string, label: string): SortKey {
  const [, cursorMapId, sequence, orderKey] = LOCATION_CURSOR.exec(fromBase64Url(cursor)) ?? [];
  if (cursorMapId !== mapId || orderKey === undefined || !isOrderKey(orderKey)) {
    throw foreignCursor(label, "this map's locations");
  }
  return { orderKey, sequence: Number(sequence) };
}

const SEQUENCE_CURSOR = /^s:([^:]*):(0|[1-9][0-9]{0,14})$/;

/** Of a map's locations in order of creation. */
export function encodeSequenceCursor(mapId: string, sequence: number): string {
  return toBase64Url(`s:${mapId}:${sequence}`);
}

/** Null if it is not a cursor of that map's locations in order of creation. */
export function decodeSequenceCursor(mapId: string, cursor: string): number | null {
  const [, cursorMapId, sequence] = SEQUENCE_CURSOR.exec(fromBase64Url(cursor)) ?? [];
  return cursorMapId === mapId ? Number(sequence) : null;
}

export function encodeMapCursor(ownerId: string, { createdAt, id }: MapSortKey): string {
  return toBase64Url(`m:${ownerId}:${createdAt}:${id}`);
}

export function decodeMapCursor(ownerId: string, cursor: string, label: string): MapSortKey {
  const [, cursorOwnerId, createdAt, id] = MAP_CURSOR.exec(fromBase64Url(cursor)) ?? [];
  if (cursorOwnerId !== ownerId || id === undefined) throw foreignCursor(label, "the viewer's maps");
  return { createdAt: Number(createdAt), id };
}

const CHANGE_CURSOR = /^c:([^:]*):([0-9A-Za-z]+):(0|[1-9][0-9]{0,15})$/;

export function encodeChangeCursor(mapId: string, { number, stamp }: ChangeOffset): string {
  return toBase64Url(`c:${mapId}:${stamp}:${number}`);
}

/** @throws ServiceError BAD_USER_INPUT if it is not a cursor of that map's changes */
export function decodeChangeCursor(mapId: string, cursor: string, label: string): ChangeOffset {
  const [, cursorMapId, stamp, digits] = CHANGE_CURSOR.exec(fromBase64Url(cursor)) ?? [];
  const number = Number(digits);
  if (cursorMapId !== mapId || stamp === undefined || !Number.isSafeInteger(number)) {
    throw badUserInput(`${label} must be a cursor that this map's locationChanges returned.`);
  }
  return { number, stamp };
}

const DIGEST_LENGTH = 12;

/**
 * Identifies a connection with its filter and order.
 *
 * @param connection JSON of bounded depth; may have Dates. Null members count as absent
 */
export function digestOf(...connection: readonly unknown[]): string {
  const plain = JSON.parse(JSON.stringify(connection, withoutNullMembers)) as unknown;
  return canonicalDigest(plain).slice(0, DIGEST_LENGTH);
}

function withoutNullMembers(this: unknown, _key: string, value: unknown): unknown {
  return value === null && !Array.isArray(this) ? undefined : value;
}

/** Cursors of filtered or ordered connections contain the values that they are sorted by; the last ones are the sort key. */
export type SortValue = string | number | null;

/** @param digest of the connection, by {@link digestOf} */
export function encodeSortValuesCursor(digest: string, values: readonly SortValue[]): string {
  return toBase64Url(JSON.stringify([digest, ...values]));
}

/**
 * @param read turns the values into a position; null if they are invalid
 * @param connection name in the error message
 * @throws ServiceError BAD_USER_INPUT if it is a cursor of another connection, filter or order
 */
export function decodeSortValuesCursor<P>(
  digest: string,
  cursor: string,
  label: string,
  read: (values: readonly unknown[]) => P | null,
  connection: string,
): P {
  const [ownDigest, ...values] = partsOf(fromBase64Url(cursor));
  const position = ownDigest === digest ? read(values) : null;
  if (position === null) throw foreignCursor(label, `${connection} with this filter and order`);
  return position;
}

/** Empty if `JSON.stringify` cannot have made the text from an array. */
function partsOf(text: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(text);
    return Array.isArray(parts) && JSON.stringify(parts) === text ? parts : [];
  } catch {
    return [];
  }
}

function foreignCursor(label: string, connection: string) {
  return badUserInput(`${label} must be a cursor that the connection of ${connection} returned.`);
}

function toBase64Url(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/** Empty if {@link toBase64Url} cannot have made the text, so each sort key has exactly one cursor. */
function fromBase64Url(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  return toBase64Url(text) === cursor ? text : '';
}
