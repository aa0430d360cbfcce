/** The change log, and the history with former states of locations. */

import type { Actor } from '../../../domain/actor.ts';
import type { ChangeKind } from '../../../domain/change.ts';
import type { LocationState } from '../locations/location-records.ts';

/** Settled changes of one write, in order. A large write has several of these documents. */
export interface ChangesDocument {
  readonly mapId: string;
  /** The number of the last change in `entries`. */
  readonly last: number;
  readonly write: string;
  readonly changedAt: Date;
  /** In the format of change-entries.ts; empty for a number that was assigned and not used. */
  readonly entries: readonly string[];
}

/** A part of a call's history record: consecutive changes of one write (history/calls.ts). */
export interface HistoryDocument {
  /** The map's id, the call's id, and the number of the first change. */
  readonly _id: string;
  readonly mapId: string;
  readonly actor: Actor;
  readonly operation: string;
  /** Kinds without changes are absent. */
  readonly counts: Partial<Readonly<Record<ChangeKind, number>>>;
  /** Numbers in the map's log. */
  readonly first: number;
  readonly last: number;
  /** In a copy: the whole record, whose changes are not consecutive. Parts without counts have them. */
  readonly isSummary?: true;
}

/** The state of a location before a change (history/versions.ts). */
export interface VersionDocument {
  /** The location's id, the version, and the id of the call that replaced it. */
  readonly _id: string;
  readonly mapId: string;
  /** Absent: the location was deleted then. */
  readonly state?: LocationState;
  /** `call` of the location in this state. */
  readonly madeBy?: string;
}
