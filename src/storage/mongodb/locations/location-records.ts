/**
 * How a location is stored. {@link FIELDS} lists its fields once: inserts, updates, JSON pages, exports and backups derive
 * from it. A new field is a line in {@link LocationDocument}, in FIELDS and in {@link toLocation}, and a getter in
 * raw-location.ts.
 */

import { cellOf } from '../../../domain/filter/cell.ts';
import type { GeocodingGroup } from '../../../domain/filter/geocoding-test.ts';
import { presenceOf } from '../../../domain/filter/property-presence.ts';
import { termsOf } from '../../../domain/filter/terms.ts';
import type { JsonObject } from '../../../domain/json/json.ts';
import type { LocationValue } from '../../../domain/location-template.ts';
import { LOCATION_VALUES } from '../../../domain/location-template.ts';
import type { LocationRecord } from '../../../domain/location.ts';
import { encodeOrder } from '../../../domain/list/order.ts';
import type { SortKey } from '../../../domain/list/sort-key.ts';
import { yieldWhenLong } from '../../../lib/cooperative-scheduler.ts';
import type { LocationUpdate, WriteCall } from '../../storage.ts';

export interface LocationDocument {
  readonly _id: string;
  readonly mapId: string;
  /** The stored sort key; see {@link toStoredSortKey}. Absent in a tombstone. */
  readonly place: string;
  /** The sequence number of the sort key, for its index. Absent in a tombstone. */
  readonly sequence: number;
  readonly order: string;
  readonly name: string;
  readonly placeId: string;
  readonly latitude: number;
  readonly longitude: number;
  /** JSON text: no key can act as an operator, and every byte comes back. */
  readonly properties: string;
  readonly createdAt: Date;
  readonly provider: string;
  readonly precision: string;
  readonly label?: string;
  /** Absent: false. */
  readonly isAmbiguous?: true;
  readonly isChecked?: true;
  readonly externalId?: string;
  /** Absent in version 1. */
  readonly version?: number;
  /** Absent in version 1: equal to `createdAt`. */
  readonly updatedAt?: Date;
  /** When the idempotency key that created it expires. */
  readonly claimedUntil?: Date;
  /** The number of its last change in the map's log. Absent if that change is older than the log. */
  readonly change?: number;
  /** Changes up to this number must not be written any more (writes/recovery.ts). */
  readonly fence?: number;
  /**
   * The id of the call that made this version; empty for a write without one. Absent if the location was created or
   * loaded with this version.
   */
  readonly call?: string;
}

/** What search indexes of a location. Idempotency locks do not hold it, and reads leave it out. */
export interface IndexedLocation {
  /** domain/filter/cell.ts */
  readonly cell: number;
  /** domain/filter/terms.ts; up to some thousands. */
  readonly terms: readonly string[];
  /** domain/filter/property-presence.ts */
  readonly shape: string;
}

/** Keeps the id of a deleted location taken while a retry under its idempotency key could insert it again. */
export interface TombstoneDocument {
  readonly _id: string;
  readonly mapId: string;
  readonly removeAfter: Date;
  /** The number of the change that was to create the location, if it was never inserted. */
  readonly fence?: number;
}

/**
 * How long a tombstone outlives its key and its creation: longer than any request that has read the key, and than gateways'
 * clocks may differ from each other and from the server's, which removes it.
 */
export const TOMBSTONE_GRACE_MS = 60 * 60 * 1000;

/** A location in the trash: one statement deletes it, and one restores it. */
export interface TrashDocument {
  readonly _id: string;
  readonly mapId: string;
  readonly trash: {
    /** The id of the call that deleted it, a space, and the location's id: an index lists the trash by it. */
    readonly key: string;
    readonly location: LocationDocument;
  };
  /** Restores up to this number must not be written any more. */
  readonly fence?: number;
}

/** Any document of the collection. Reads leave out what is indexed. */
export type StoredLocation =
  (LocationDocument & Partial<IndexedLocation>) | TombstoneDocument | TrashDocument;

/** What a version keeps of a location. */
export type LocationState = Omit<Pick<LocationDocument, LocationField>, '_id' | 'mapId'>;

/** `call` of a location that a write without a call has changed. */
export const NO_CALL = '';

interface Field<T> {
  readonly encode: (location: LocationRecord) => T;
  /** The template values that need the field. */
  readonly values: readonly LocationValue[];
  /** Whether an update may change it. */
  readonly isContent: boolean;
}

/** Set by the store. */
function own<T>(encode: (location: LocationRecord) => T, ...values: readonly LocationValue[]): Field<T> {
  return { encode, values, isContent: false };
}

/** Set by the caller, in creates and in updates. */
function content<T>(
  encode: (location: LocationUpdate['values']) => T,
  ...values: readonly LocationValue[]
): Field<T> & { readonly encode: (location: LocationUpdate['values']) => T } {
  return { encode, values, isContent: true };
}

/** In the order in which documents hold them: raw-location.ts expects the next field first. */
const FIELDS = {
  _id: own(({ id }) => id, 'id'),
  mapId: own(({ mapId }) => mapId),
  place: own(toStoredSortKey),
  sequence: own(({ sequence }) => sequence),
  order: own(({ order }) => order, 'order'),
  name: content(({ name }) => name, 'name'),
  placeId: content(({ placeId }) => placeId, 'placeId'),
  latitude: content(({ latitude }) => latitude, 'lat', 'latitude'),
  longitude: content(({ longitude }) => longitude, 'lng', 'longitude'),
  properties: content(({ properties }) => JSON.stringify(properties), 'properties'),
  createdAt: own(({ createdAt }) => new Date(createdAt), 'createdAt', 'updatedAt'),
  provider: content(({ geocoding }) => geocoding.provider, 'provider'),
  precision: content(({ geocoding }) => geocoding.precision, 'precision'),
  label: content(({ geocoding }) => geocoding.label ?? undefined, 'label'),
  isAmbiguous: content(({ geocoding }) => geocoding.isAmbiguous || undefined, 'isAmbiguous'),
  isChecked: content(({ geocoding }) => geocoding.isChecked || undefined, 'isChecked'),
  externalId: content(({ externalId }) => externalId ?? undefined, 'externalId'),
  version: own(({ version }) => (version === 1 ? undefined : version), 'version'),
  updatedAt: own(({ version, updatedAt }) => (version === 1 ? undefined : new Date(updatedAt)), 'updatedAt'),
} as const satisfies { readonly [K in keyof LocationDocument]?: Field<LocationDocument[K]> };

export type LocationField = keyof typeof FIELDS;

/** Every stored field of {@link FIELDS}, in order. */
export const LOCATION_FIELDS = Object.keys(FIELDS) as readonly LocationField[];
const ALL = Object.entries(FIELDS) as readonly [LocationField, Field<unknown>][];
/** The fields of {@link LocationState}. */
const STATE_FIELDS = LOCATION_FIELDS.filter((field) => field !== '_id' && field !== 'mapId');
const CONTENT = ALL.filter(([, { isContent }]) => isContent) as unknown as readonly [
  LocationField,
  { readonly encode: (location: LocationUpdate['values']) => unknown },
][];

const FIELDS_OF_VALUE = new Map(
  LOCATION_VALUES.map((value) => [
    value,
    ALL.flatMap(([field, { values }]) => (values.includes(value) ? [field] : [])),
  ]),
);

export interface StoredWith {
  /** When the idempotency key of the create expires, in milliseconds since the epoch. */
  readonly claimedUntil?: number | undefined;
  /** The number of the change that creates it; undefined in a copy. */
  readonly change?: number;
}

export function toDocument(
  location: LocationRecord,
  { claimedUntil, change }: StoredWith = {},
): LocationDocument {
  const fields = Object.fromEntries(ALL.map(([field, { encode }]) => [field, encode(location)]));
  return {
    ...(fields as Pick<LocationDocument, LocationField>),
    claimedUntil: claimedUntil === undefined ? undefined : new Date(claimedUntil),
    change,
  };
}

/** The update operators of an update, with its change number. */
export function toUpdateOperators(
  { version, updatedAt, order, values }: LocationUpdate,
  { place }: LocationDocument,
  { change, call }: { readonly change: number; readonly call: WriteCall | undefined },
) {
  const content = CONTENT.map(([field, { encode }]) => [field, encode(values)] as const);
  const removed = content.filter(([, value]) => value === undefined);
  const $set: Partial<LocationDocument & IndexedLocation> = {
    ...(order !== null && {
      order,
      place: toStoredSortKey({ orderKey: encodeOrder(order), sequence: sequenceOf(place) }),
    }),
    ...Object.fromEntries(content),
    version: version + 1,
    updatedAt: new Date(updatedAt),
    ...indexedOf(values),
    change,
    call: call?.id ?? NO_CALL,
  };
  if (removed.length === 0) return { $set };
  return { $set, $unset: Object.fromEntries(removed.map(([field]) => [field, '' as const])) };
}

/** The part of a document that a version keeps. */
export function toState(document: LocationDocument): LocationState {
  const state = Object.fromEntries(STATE_FIELDS.map((field) => [field, document[field]]));
  return state as unknown as LocationState;
}

export function toLocation(document: Pick<LocationDocument, LocationField>): LocationRecord {
  return {
    id: document._id,
    mapId: document.mapId,
    name: document.name,
    placeId: document.placeId,
    latitude: document.latitude,
    longitude: document.longitude,
    properties: JSON.parse(document.properties) as JsonObject,
    externalId: document.externalId ?? null,
    version: document.version ?? 1,
    createdAt: document.createdAt.getTime(),
    updatedAt: (document.updatedAt ?? document.createdAt).getTime(),
    geocoding: { ...toGeocodingGroup(document), label: document.label ?? null },
    order: document.order,
    ...fromStoredSortKey(document.place),
  };
}

/** Documents have no flag that is false; indexes hold null for it. */
export function toGeocodingGroup({
  provider,
  precision,
  isAmbiguous,
  isChecked,
}: Pick<LocationDocument, 'provider' | 'precision'> & {
  readonly isAmbiguous?: boolean | null;
  readonly isChecked?: boolean | null;
}): GeocodingGroup {
  return { provider, precision, isAmbiguous: isAmbiguous ?? false, isChecked: isChecked ?? false };
}

/** A projection to the fields that these values need, and to the sort key. */
export function projectionOf(values: readonly LocationValue[]): Record<string, 0 | 1> {
  const fields = values.flatMap((value) => FIELDS_OF_VALUE.get(value) ?? []);
  return { _id: 0, place: 1, order: 1, ...Object.fromEntries(fields.map((field) => [field, 1 as const])) };
}

export function isLive(document: StoredLocation): document is LocationDocument {
  return 'place' in document;
}

export function isTrash(document: StoredLocation): document is TrashDocument {
  return 'trash' in document;
}

/** Whether it blocks the id of a location that was never inserted. */
export function isFence(document: StoredLocation): boolean {
  return !isLive(document) && !isTrash(document) && document.fence !== undefined;
}

/** `trash.key` of a location in the trash: newer calls sort last, as text. */
export function trashKey(callId: string, locationId: string): string {
  return `${callId} ${locationId}`;
}

/** The id of the call that deleted a location in the trash. */
export function deletedBy({ trash: { key } }: Pick<TrashDocument, 'trash'>): string {
  return key.slice(0, key.indexOf(' '));
}

/** Version 1 is not stored. */
export function versionFilter(version: number) {
  return version === 1 ? { $exists: false } : { $eq: version };
}

const SEPARATOR = '\u0001';
const SEQUENCE_DIGITS = 15;

/**
 * A sort key as one string, in the field `place`: the order key, U+0001 and the sequence number in 15 digits. An order has
 * no control character, so U+0001 sorts before whatever a longer order key continues with. MongoDB compares strings by
 * their UTF-8 bytes: one field and one index list the locations in order.
 */
export function toStoredSortKey({ orderKey, sequence }: SortKey): string {
  return orderKey + SEPARATOR + String(sequence).padStart(SEQUENCE_DIGITS, '0');
}

export function fromStoredSortKey(stored: string): SortKey {
  return {
    orderKey: stored.slice(0, stored.length - SEQUENCE_DIGITS - SEPARATOR.length),
    sequence: sequenceOf(stored),
  };
}

export function sequenceOf(stored: string): number {
  return Number(stored.slice(-SEQUENCE_DIGITS));
}

export function indexedOf(
  location: Pick<LocationRecord, 'name' | 'properties' | 'latitude' | 'longitude'>,
): IndexedLocation {
  return { cell: cellOf(location), terms: termsOf(location), shape: presenceOf(location.properties) };
}

/** Locations as they are inserted. Yields to the event loop, since a location may have thousands of terms. */
export async function withIndexed(
  documents: readonly LocationDocument[],
): Promise<readonly (LocationDocument & IndexedLocation)[]> {
  const yieldIfDue = yieldWhenLong();
  const indexed: (LocationDocument & IndexedLocation)[] = [];
  for (const document of documents) {
    indexed.push({ ...document, ...indexedOf(toIndexed(document)) });
    const pause = yieldIfDue();
    if (pause !== undefined) await pause;
  }
  return indexed;
}

/** The stored fields that {@link indexedOf} reads. */
export type Unindexed = Pick<LocationDocument, 'name' | 'properties' | 'latitude' | 'longitude'>;

export function toIndexed({ name, properties, latitude, longitude }: Unindexed) {
  return { name, properties: JSON.parse(properties) as JsonObject, latitude, longitude };
}

/** The fields of {@link IndexedLocation}. */
export const INDEXED_FIELDS = [
  'cell',
  'terms',
  'shape',
] as const satisfies readonly (keyof IndexedLocation)[];

/** A projection: the indexed values are most of a document's bytes, and only queries use them. */
export const WITHOUT_INDEXED = { cell: 0, terms: 0, shape: 0 } as const;
