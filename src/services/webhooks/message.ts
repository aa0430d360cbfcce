/** The messages that webhooks receive: their bodies and ids. */

import { hash, randomBytes } from 'node:crypto';

import { encodeChangeCursor } from '../../domain/paging/cursor.ts';
import type { LocationRecord } from '../../domain/location.ts';
import type { ChangeOffset, LoggedChange } from '../../storage/changes.ts';

export interface WebhookMessage {
  /** The same for every attempt, also after a crash. */
  readonly id: string;
  /** JSON. */
  readonly body: string;
}

interface Recipient {
  readonly id: string;
  readonly mapId: string;
}

/** @param location its current state; null if it was deleted */
export function changeMessage(
  { id, mapId }: Recipient,
  change: LoggedChange,
  location: LocationRecord | null,
): WebhookMessage {
  const { kind, locationId, changedAt } = change;
  const cursor = encodeChangeCursor(mapId, change);
  const shown = location === null ? null : shownLocation(location);
  return {
    id: idOf(id, change.stamp, change.number),
    body: bodyOf(`location.${kind}`, changedAt, { mapId, kind, cursor, locationId, location: shown }),
  };
}

/**
 * Tells the receiver to read the whole map again: changes between `from` and `to` are not sent.
 *
 * @param from the webhook's offset. Both offsets are part of the message id
 * @param now milliseconds since the epoch
 */
export function resyncMessage(
  { id, mapId }: Recipient,
  from: ChangeOffset,
  to: ChangeOffset,
  now: number,
): WebhookMessage {
  const cursor = encodeChangeCursor(mapId, to);
  return {
    id: idOf(id, 'resync', from.stamp, from.number, to.stamp, to.number),
    body: bodyOf('location.resync', now, {
      mapId,
      kind: 'resync',
      cursor,
      locationId: null,
      location: null,
    }),
  };
}

export function testMessage({ mapId }: Recipient, now: number): WebhookMessage {
  return { id: `msg_${randomBytes(16).toString('hex')}`, body: bodyOf('webhook.test', now, { mapId }) };
}

function bodyOf(type: string, at: number, data: unknown): string {
  return JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
}

function idOf(...parts: readonly (string | number)[]): string {
  return `msg_${hash('sha256', parts.join(' '), 'hex').slice(0, 32)}`;
}

/** The members of a location as GraphQL names them. */
function shownLocation({
  id,
  name,
  placeId,
  latitude,
  longitude,
  properties,
  order,
  externalId,
  version,
  createdAt,
  updatedAt,
  geocoding: { provider, precision, label, isAmbiguous, isChecked },
}: LocationRecord) {
  return {
    ...{ id, name, placeId, latitude, longitude, properties, order, externalId, version },
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    geocoding: { provider, precision, label, isAmbiguous, isChecked },
  };
}
