/**
 * Identifiers: random, lower-case, URL-safe. A location's id is its map's id, an underscore and a random part, so an id
 * shows whether it is a map's or a location's, and of which map.
 */

import { hash, randomBytes } from 'node:crypto';

// Crockford's base 32 has no letters that look like digits. 32 divides 256, so the low bits of a random byte are unbiased.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const MAP_ID = /^[0-9a-hjkmnp-tv-z]{16}$/;
const LOCATION_ID = /^([0-9a-hjkmnp-tv-z]{16})_[0-9a-hjkmnp-tv-z]{12}$/;

const TOKEN_ID = /^token_[0-9a-hjkmnp-tv-z]{16}$/;
/** Of a name in a JWT or random. */
const OWNER_ID = /^owner_(?:[0-9a-hjkmnp-tv-z]{16}|[0-9a-hjkmnp-tv-z]{32})$/;
const SESSION_ID = /^session_[0-9a-hjkmnp-tv-z]{16}$/;
const INVITATION_ID = /^invitation_[0-9a-hjkmnp-tv-z]{16}$/;
const WEBHOOK_ID = /^webhook_[0-9a-hjkmnp-tv-z]{16}$/;
const HISTORY_ID = /^history_([0-9a-hjkmnp-tv-z]{10})[0-9a-hjkmnp-tv-z]{12}$/;

export type NodeId =
  | { readonly kind: 'map'; readonly mapId: string }
  | { readonly kind: 'location'; readonly mapId: string; readonly locationId: string };

function toText(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += ALPHABET.charAt(byte & 31);
  return text;
}

/** Requesting random bytes in bulk is much faster than one by one. */
const POOL_BYTES = 4096;
let pool = new Uint8Array();

function randomText(length: number): string {
  if (pool.length < length) pool = randomBytes(POOL_BYTES);
  const text = toText(pool.subarray(0, length));
  pool = pool.subarray(length);
  return text;
}

/** 80 random bits. */
export function newMapId(): string {
  return randomText(16);
}

/** The same id for the same seed. */
export function derivedMapId(seed: string): string {
  return toText(hash('sha256', seed, 'buffer').subarray(0, 16));
}

/** 60 random bits within the map. */
export function newLocationId(mapId: string): string {
  return `${mapId}_${randomText(12)}`;
}

/** The same id for the same seed. As unique as a random id if the seed is used for nothing else. */
export function derivedLocationId(mapId: string, seed: string): string {
  return `${mapId}_${toText(hash('sha256', seed, 'buffer').subarray(0, 12))}`;
}

/** 53 of the 60 random bits of a location's id, as a safe integer. */
export function numericLocationId(id: string): number {
  let number = ALPHABET.indexOf(id.charAt(id.length - 11)) & 7;
  for (const digit of id.slice(-10)) number = number * ALPHABET.length + ALPHABET.indexOf(digit);
  return number;
}

/** 80 random bits. */
export function newImportId(): string {
  return `import_${randomText(16)}`;
}

export function newOwnerId(): string {
  return `owner_${randomText(16)}`;
}

/** The id of an owner named by JWTs. All requests derive the same id before the owner's first write stores it. */
export function derivedOwnerId(name: string): string {
  return `owner_${toText(hash('sha256', name, 'buffer').subarray(0, 32))}`;
}

export function newTokenId(): string {
  return `token_${randomText(16)}`;
}

export function newSessionId(): string {
  return `session_${randomText(16)}`;
}

export function newInvitationId(): string {
  return `invitation_${randomText(16)}`;
}

export function newWebhookId(): string {
  return `webhook_${randomText(16)}`;
}

/** The last id's time, and how many ids had it before. */
let historyTime = -1;
let historyCount = 0;

/**
 * Ids sort by time as text, those of one process and millisecond by order of creation: ten digits of the time, two of a
 * counter, and 50 random bits.
 *
 * @param time milliseconds since the epoch
 */
export function newHistoryId(time: number): string {
  historyCount = time === historyTime ? historyCount + 1 : 0;
  historyTime = time;
  const count = toDigits(Math.min(historyCount, ALPHABET.length ** 2 - 1), 2);
  return `${firstHistoryId(time)}${count}${randomText(10)}`;
}

/** Sorts before every id of this time and later, and after every earlier one. */
export function firstHistoryId(time: number): string {
  return `history_${toDigits(time, 10)}`;
}

/** Milliseconds since the epoch. @param id well-formed */
export function timeOfHistoryId(id: string): number {
  let time = 0;
  for (const digit of HISTORY_ID.exec(id)?.[1] ?? '') time = time * ALPHABET.length + ALPHABET.indexOf(digit);
  return time;
}

export function isHistoryId(id: string): boolean {
  return HISTORY_ID.test(id);
}

function toDigits(number: number, length: number): string {
  let digits = '';
  for (
    let rest = Math.max(0, Math.floor(number));
    digits.length < length;
    rest = Math.floor(rest / ALPHABET.length)
  ) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
  }
  return digits;
}

/** Parses an id from a client; null if it cannot be a map's or a location's. */
export function parseNodeId(id: string): NodeId | null {
  if (MAP_ID.test(id)) return { kind: 'map', mapId: id };
  const mapId = LOCATION_ID.exec(id)?.[1];
  return mapId === undefined ? null : { kind: 'location', mapId, locationId: id };
}

export function isMapId(id: string): boolean {
  return MAP_ID.test(id);
}

export function isTokenId(id: string): boolean {
  return TOKEN_ID.test(id);
}

export function isOwnerId(id: string): boolean {
  return OWNER_ID.test(id);
}

export function isSessionId(id: string): boolean {
  return SESSION_ID.test(id);
}

export function isInvitationId(id: string): boolean {
  return INVITATION_ID.test(id);
}

export function isWebhookId(id: string): boolean {
  return WEBHOOK_ID.test(id);
}

/** Whether the id has the form of a location id of that map. */
export function isLocationIdOf(mapId: string, id: string): boolean {
  return LOCATION_ID.exec(id)?.[1] === mapId;
}
