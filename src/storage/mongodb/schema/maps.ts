/** Maps, with the state of their lists, their members and invitations; their logos. */

import type { ServerSessionId } from 'mongodb';

import type { Actor } from '../../../domain/actor.ts';
import type { CategoryStyle } from '../../../domain/category-style.ts';
import type { GeocodingCount } from '../../../domain/filter/geocoding-groups.ts';
import type { GeocodingArea } from '../../../domain/geocoding-area.ts';
import type { LogoInfo, LogoType } from '../../../domain/logo.ts';
import type { FieldDefinition } from '../../../domain/map.ts';
import type { PageLanguage } from '../../../domain/page-languages.ts';
import type { PageTheme } from '../../../domain/page-theme.ts';
import type { MapRole } from '../../../domain/role.ts';
import type { ChangeOffset } from '../../changes.ts';

/** The end of a map's list (domain/list/list-end.ts). */
export interface ListEndDocument {
  /**
   * Changes with every write to `end`, `count` and `log`, which compare it first. A string that never repeats; the first
   * release stored a number.
   */
  readonly version: string | number;
  /** The last sequence number assigned. */
  readonly sequence: number;
  /** The largest number ever used as an order. */
  readonly largestNumber: string | null;
  /** Whether a text was ever used as an order. If not, an append need not read the last location. */
  readonly hasTexts: boolean;
}

/** A write in progress, with the sequence numbers that it may insert, delete or regroup, both ends included. */
export interface OpenWrite {
  readonly id: string;
  readonly since: Date;
  readonly from: number;
  readonly to: number;
}

/** See writes/count.ts. */
export interface ListCount {
  /** By how the locations were geocoded. Before version 9, one number. */
  readonly settled: readonly GeocodingCount[];
  readonly open: readonly OpenWrite[];
}

/** The changes of one write, or of several writes of one batch, that are not yet in `changes`. */
export interface OpenChanges {
  /** The write's id. */
  readonly id: string;
  /** The number of the first change. */
  readonly first: number;
  /** In the format of change-entries.ts. */
  readonly entries: readonly string[];
  readonly since: Date;
  /** For created locations: when the last of their idempotency keys expires. */
  readonly claimedUntil?: Date;
  /** The session of the transaction that writes them, if there is one. */
  readonly session?: ServerSessionId;
  /** Absent if none of the changes has a call. */
  readonly calls?: readonly OpenCalls[];
}

/** The calls of changes that share an actor and an operation: a batch of creates has many of them. */
export interface OpenCalls {
  readonly actor: Actor;
  readonly operation: string;
  /** For each call: the index of its first change in `entries`, the number of its changes, and its id. */
  readonly runs: readonly string[];
}

/** See writes/map-log.ts. */
export interface MapLog {
  /** Differs in every copy of a map. */
  readonly id: string;
  /** The last number assigned. */
  readonly last: number;
  /** The write that `last` was assigned to; empty before the first. */
  readonly lastWrite: string;
  /** When `last` was assigned; absent before the first change, and until the next one in a map of an earlier release. */
  readonly lastAt?: Date;
  /** The offset of the change before the first of `open`; null when `open` is empty. */
  readonly before: ChangeOffset | null;
  readonly open: readonly OpenChanges[];
}

export interface MoverDocument {
  /** Identifies the call that holds the lease. */
  readonly id: string;
  /** By the server's clock. */
  readonly until: Date;
}

export interface MemberDocument {
  readonly ownerId: string;
  readonly role: MapRole;
  readonly since: Date;
}

export interface InvitationDocument {
  readonly id: string;
  readonly hash: string;
  readonly role: MapRole;
  readonly note?: string;
  readonly maxUses: number;
  readonly uses: number;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface MapDocument {
  readonly _id: string;
  readonly ownerId: string;
  readonly members: readonly MemberDocument[];
  /** In the document, so that one statement counts a use and adds the member. */
  readonly invitations?: readonly InvitationDocument[];
  /** Time of creation and id: a member's maps are one range of one index. */
  readonly place: string;
  readonly name: string;
  readonly isDeleted: boolean;
  readonly isPublished: boolean;
  readonly createdAt: Date;
  /** Absent in a map of version 2 or older that has not changed since. */
  readonly updatedAt?: Date;
  readonly providerMapApiKey?: string;
  readonly geocodingApiKey?: string;
  /** Absent: the whole world. */
  readonly geocoding?: GeocodingArea;
  readonly fields: readonly FieldDefinition[];
  /** Absent: the reader's. */
  readonly language?: PageLanguage;
  readonly timeZone?: string;
  /** Absent: the look of all pages. */
  readonly theme?: PageTheme;
  readonly logo?: LogoInfo;
  /** Absent: none. */
  readonly categories?: readonly CategoryStyle[];
  readonly end: ListEndDocument;
  readonly count: ListCount;
  /** Absent before the first change. */
  readonly log?: MapLog;
  /** The lease of a move in progress (writes/move-lease.ts). */
  readonly mover?: MoverDocument;
}

/** The file of a logo. */
export interface LogoDocument {
  /** `mapId/hash` */
  readonly _id: string;
  readonly mapId: string;
  readonly type: LogoType;
  readonly hash: string;
  /** Base64. */
  readonly content: string;
}
