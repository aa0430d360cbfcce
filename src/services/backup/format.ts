/**
 * The backup format: gzipped lines of JSON. The first line is the header; the last one, the end, has the SHA-256 of all
 * lines before it. Every other line is a stored item of the storage port.
 */

import * as z from 'zod';

import { CHANGE_KINDS } from '../../domain/change.ts';
import type { JsonObject } from '../../domain/json/json.ts';
import { isJsonObject } from '../../domain/json/json.ts';
import { LOGO_TYPES } from '../../domain/logo.ts';
import { PAGE_LANGUAGES } from '../../domain/page-languages.ts';
import { PAGE_APPEARANCES, PAGE_FONTS } from '../../domain/page-theme.ts';
import { FIELD_TYPES } from '../../domain/map.ts';
import { creatorOf } from '../../domain/members.ts';
import { MAP_ROLES } from '../../domain/role.ts';
import type { StoredItem } from '../../storage/storage.ts';

export const FORMAT = 'map-locations-backup';
/**
 * Increased when earlier releases could not read the lines. Version 1 had no webhooks; version 2 no areas of maps, labels and
 * marks; version 3 no members, invitations, accounts, history and settings of pages.
 */
export const FORMAT_VERSION = 4;

/** No item is longer: properties of a location have 64 KiB by default, and MongoDB stores at most 16 MiB. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024;

/** Everything but caches. */
export type BackupItem = Exclude<StoredItem, { kind: 'geocode' }>;

const text = z.string();
const time = z.int();
const timeOrNull = time.nullable();

const HEADER = z.strictObject({
  kind: z.literal('header'),
  format: z.literal(FORMAT),
  version: z.literal([1, 2, 3, FORMAT_VERSION]),
  /** Name and version of the program that wrote it. */
  program: text,
  /** Start of the backup, ISO 8601. */
  createdAt: z.iso.datetime(),
  withoutSecrets: z.boolean(),
});

const END = z.strictObject({
  kind: z.literal('end'),
  maps: z.int(),
  locations: z.int(),
  /** Over all earlier lines with their line ends; lower-case hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const FIELD = z.strictObject({ name: text, type: z.enum(FIELD_TYPES), isPublic: z.boolean().optional() });

const AREA = z.strictObject({
  countries: z.array(text),
  bounds: z
    .strictObject({ south: z.number(), west: z.number(), north: z.number(), east: z.number() })
    .nullable(),
  language: text.nullable(),
});

const THEME = z.strictObject({
  accent: text.nullable(),
  font: z.enum(PAGE_FONTS),
  appearance: z.enum(PAGE_APPEARANCES),
  poweredBy: z.boolean(),
});

const LOGO_INFO = z.strictObject({ type: z.enum(LOGO_TYPES), hash: text, bytes: z.int() });

const CATEGORY = z.strictObject({
  value: text,
  label: text.nullable(),
  color: text.nullable(),
  icon: text.nullable(),
});

const MEMBER = z.strictObject({ ownerId: text, role: z.enum(MAP_ROLES), since: time });

const MAP = z
  .strictObject({
    id: text,
    ownerId: text,
    members: z.array(MEMBER).optional(),
    name: text,
    isDeleted: z.boolean(),
    isPublished: z.boolean(),
    createdAt: time,
    updatedAt: time,
    providerMapApiKey: text.nullable(),
    geocodingApiKey: text.nullable(),
    geocoding: AREA.nullable().default(null),
    fields: z.array(FIELD),
    language: z.enum(PAGE_LANGUAGES).nullable().default(null),
    timeZone: text.nullable().default(null),
    theme: THEME.nullable().default(null),
    logo: LOGO_INFO.nullable().default(null),
    categories: z.array(CATEGORY).default([]),
  })
  .transform(({ members, ...map }) => ({
    ...map,
    members: members ?? [creatorOf(map.ownerId, map.createdAt)],
  }));

const LOCATION = z.strictObject({
  id: text,
  mapId: text,
  name: text,
  placeId: text,
  latitude: z.number(),
  longitude: z.number(),
  properties: z.custom<JsonObject>(isJsonObject, 'must be an object'),
  externalId: text.nullable(),
  version: z.int(),
  createdAt: time,
  updatedAt: time,
  // Version 2 has only the first two.
  geocoding: z.strictObject({
    provider: text,
    precision: text,
    label: text.nullable().default(null),
    isAmbiguous: z.boolean().default(false),
    isChecked: z.boolean().default(false),
  }),
  order: text,
  orderKey: text,
  sequence: z.int(),
});

const HISTORY = z.strictObject({
  id: text,
  mapId: text,
  actor: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('account'), id: text }),
    z.strictObject({ kind: z.literal('token'), id: text }),
    z.strictObject({ kind: z.literal('link'), id: text }),
    z.strictObject({ kind: z.literal('operator') }),
  ]),
  operation: text,
  counts: z.strictObject({ created: z.int(), updated: z.int(), moved: z.int(), deleted: z.int() }),
  firstChange: z.int(),
  lastChange: z.int(),
});

const LINE = z.discriminatedUnion('kind', [
  HEADER,
  z.strictObject({ kind: z.literal('meta'), key: text, value: text }),
  z.strictObject({
    kind: z.literal('owner'),
    owner: z.strictObject({
      id: text,
      name: text,
      displayName: text.nullable().default(null),
      createdAt: time,
    }),
  }),
  z.strictObject({
    kind: z.literal('account'),
    account: z.strictObject({
      ownerId: text,
      passwordHash: text.nullable(),
      isDisabled: z.boolean(),
      createdAt: time,
    }),
  }),
  z.strictObject({
    kind: z.literal('map'),
    map: MAP,
    end: z.strictObject({ lastSequence: z.int(), largestNumber: text.nullable() }),
  }),
  z.strictObject({
    kind: z.literal('logo'),
    logo: z.strictObject({ mapId: text, type: z.enum(LOGO_TYPES), hash: text, content: z.base64() }),
  }),
  z.strictObject({ kind: z.literal('location'), location: LOCATION }),
  z.strictObject({
    kind: z.literal('idempotency'),
    scope: z.strictObject({ tokenId: text, mapId: text }),
    key: text,
    record: z.strictObject({ digest: text, location: LOCATION }),
    expiresAt: time,
  }),
  z.strictObject({
    kind: z.literal('webhook'),
    webhook: z.strictObject({
      id: text,
      mapId: text,
      url: text,
      events: z.array(z.enum(CHANGE_KINDS)),
      isEnabled: z.boolean(),
      secret: text.nullable(),
      formerSecret: z.strictObject({ secret: text, until: time }).nullable(),
      createdAt: time,
      version: z.int(),
      delivery: z.strictObject({
        place: z.strictObject({ number: z.int(), stamp: text }),
        failures: z.int(),
        failingSince: timeOrNull,
        nextAttemptAt: timeOrNull,
        lastAttemptAt: timeOrNull,
        lastStatus: z.int().nullable(),
        lastError: text.nullable(),
      }),
    }),
  }),
  z.strictObject({ kind: z.literal('history'), history: HISTORY }),
  z.strictObject({
    kind: z.literal('changes'),
    mapId: text,
    historyId: text,
    changes: z.array(z.strictObject({ number: z.int(), kind: z.enum(CHANGE_KINDS), locationId: text })),
  }),
  z.strictObject({
    kind: z.literal('version'),
    mapId: text,
    version: z.strictObject({
      locationId: text,
      version: z.int(),
      location: LOCATION.nullable(),
      replacedBy: text,
      isInTrash: z.boolean(),
    }),
  }),
  z.strictObject({
    kind: z.literal('invitation'),
    invitation: z.strictObject({
      id: text,
      mapId: text,
      hash: text,
      role: z.enum(MAP_ROLES),
      note: text.nullable(),
      maxUses: z.int(),
      uses: z.int(),
      createdBy: text,
      createdAt: time,
      expiresAt: time,
    }),
  }),
  z.strictObject({
    kind: z.literal('token'),
    token: z.strictObject({
      id: text,
      kind: z.enum(['token', 'link']).default('token'),
      ownerId: text,
      hash: text,
      name: text.nullable(),
      scope: z.enum(['read', 'write']),
      mapId: text.nullable(),
      createdAt: time,
      expiresAt: timeOrNull,
      revokedAt: timeOrNull,
      lastUsedAt: timeOrNull,
    }),
  }),
  END,
]);

export type BackupHeader = z.infer<typeof HEADER>;
export type BackupEnd = z.infer<typeof END>;
export type BackupLine = BackupHeader | BackupItem | BackupEnd;

/** The file cannot be restored. The message completes the sentence `<file> …`. */
export class BackupFileError extends Error {}

export function textOfLine(line: BackupLine): string {
  return `${JSON.stringify(line)}\n`;
}

/**
 * @param number line number, from 1
 * @throws BackupFileError for an invalid line
 */
export function parseLine(json: string, number: number): BackupLine {
  const value = parseJson(json);
  if (number === 1) assertOurs(value);
  const { data, error } = LINE.safeParse(value);
  // With the defaults of members that earlier versions lack.
  if (error === undefined) return data;
  const [issue] = error.issues;
  // Do not quote the value: it may be a secret.
  throw new BackupFileError(
    `is damaged: line ${number}, ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`,
  );
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function assertOurs(value: unknown): void {
  const { format, version } = isJsonObject(value) ? value : {};
  if (format !== FORMAT) throw new BackupFileError('is not a backup of map-locations.');
  if (typeof version === 'number' && version > FORMAT_VERSION) {
    throw new BackupFileError(
      `was written by a newer release: its format is ${version}, and this release knows formats up to ${FORMAT_VERSION}.`,
    );
  }
}
