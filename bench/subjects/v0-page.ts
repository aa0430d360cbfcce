/** The page of /v0, for all stores. */

import { toPlainDecimal } from './decimal.ts';
import { encodeOrder } from './order-key.ts';

export interface PageQuery {
  readonly limit?: string;
  readonly offset?: string;
  readonly offsetAfter?: string;
}

export interface PageStart {
  readonly limit: number;
  readonly orderKey: string;
  readonly sequence: number;
}

export interface ListPosition {
  readonly order: string;
  readonly orderKey: string;
  readonly sequence: number;
}

interface V0Fields {
  readonly id: string;
  readonly name: string;
  readonly placeId: string;
  readonly latitude: number;
  readonly longitude: number;
}

const DIGITS = /^[0-9]{1,15}$/;

/** @returns null for an invalid query */
export function readPageStart({ limit = '100', offset, offsetAfter = '0' }: PageQuery): PageStart | null {
  const size = DIGITS.test(limit) ? Number(limit) : 0;
  if (size < 1 || size > 100 || !DIGITS.test(offsetAfter)) return null;
  if (offset === undefined) return { limit: size, orderKey: '', sequence: 0 };
  return { limit: size, orderKey: encodeOrder(offset), sequence: Number(offsetAfter) };
}

export function toV0Location(location: V0Fields, properties: object) {
  return {
    name: location.name,
    id: location.id,
    placeId: location.placeId,
    latLngLiteral: { lat: toPlainDecimal(location.latitude), lng: toPlainDecimal(location.longitude) },
    properties,
  };
}

/** The `Link` header: the next page starts with `next`, after `last`. */
export function linkTo(
  next: ListPosition,
  last: ListPosition,
  baseUrl: string,
  mapId: string,
  limit: number,
): string {
  const query = new URLSearchParams({ limit: String(limit), offset: next.order });
  if (next.orderKey === last.orderKey) query.set('offsetAfter', String(last.sequence));
  return `<${baseUrl}/v0/map/${mapId}/locations?${query.toString()}>; rel="next"`;
}
