/** Each write of a client or command is a call of its own in the history. */

import type { Actor } from '../../domain/actor.ts';
import { isSameActor } from '../../domain/actor.ts';
import { isHistoryId, newHistoryId, timeOfHistoryId } from '../../domain/ids.ts';
import type { MapRecord } from '../../domain/map.ts';
import { ServiceError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import type { WriteAudit } from '../audit/audit.ts';
import type { Caller } from '../caller.ts';
import type { Scope } from '../scope.ts';
import { DerivedScope } from '../scope.ts';
import type { HistoryRetention } from './retention.ts';
import { DAY_MS } from './retention.ts';

/** The audit, whose writes get a scope with a call. A scope that has one keeps it: a command of many writes is one call. */
export function withCalls(audit: WriteAudit, retention: HistoryRetention, clock: () => number): WriteAudit {
  if (!isKept(retention)) return audit;
  return {
    run: (scope, audited, write) =>
      audit.run(scope, audited, () =>
        write(scopeOfCall(scope, audited.operation, retention, newHistoryId(clock()))),
      ),
    runOperator: (...args) => audit.runOperator(...args),
    runSignIn: (...args) => audit.runSignIn(...args),
  };
}

/**
 * The scope of the writes of one call; unchanged if it has one, or no history is kept.
 *
 * @param id of the call, if it goes on with an earlier one
 */
export function scopeOfCall(scope: Scope, operation: string, retention: HistoryRetention, id: string): Scope {
  const { caller, call } = scope;
  if (caller === null || call !== undefined || !isKept(retention)) return scope;
  const { days, maxVersions, trashDays } = retention;
  const mostVersions = days === 0 ? 0 : maxVersions;
  const actor = actorOf(caller);
  return new DerivedScope(scope, {
    call: { id, actor, operation, mostVersions, keepsTrash: trashDays > 0 },
  });
}

function isKept({ days, trashDays }: HistoryRetention): boolean {
  return days > 0 || trashDays > 0;
}

/** Whom the history names for the caller's changes. */
export function actorOf({ kind, ownerId, tokenId }: Caller): Actor {
  switch (kind) {
    case 'operator':
      return { kind: 'operator' };
    case 'token':
    case 'link':
      return { kind, id: tokenId };
    case 'session':
    case 'jwt':
      return { kind: 'account', id: ownerId };
  }
}

/** An import may consist of calls of both. */
const CONTINUED = ['createLocations', 'upsertLocations'];

/**
 * The scope that goes on with an earlier call of the same caller that created or upserted locations.
 *
 * @param id from the client; null for a call of its own
 * @throws ServiceError HISTORY_NOT_FOUND
 */
export async function continueCall(
  storage: Storage,
  scope: Scope,
  mapId: string,
  id: string | null,
): Promise<Scope> {
  const { call } = scope;
  if (id === null) return scope;
  const [record = null] = isHistoryId(id) ? await storage.findHistory(mapId, [id], scope) : [];
  const isContinued =
    call !== undefined &&
    record !== null &&
    CONTINUED.includes(record.operation) &&
    isSameActor(record.actor, call.actor) &&
    timeOfHistoryId(id) > timeOfHistoryId(call.id) - DAY_MS;
  if (!isContinued) {
    throw new ServiceError(
      'HISTORY_NOT_FOUND',
      'historyId must be that of createLocations or upsertLocations on this map, by the same caller, within the last day.',
    );
  }
  return new DerivedScope(scope, { call: { ...call, id } });
}

/** A map after a write. */
export interface WrittenMap {
  readonly map: MapRecord;
  /** The write in the map's history; null if it changed nothing, or no former states are kept. */
  readonly historyId: string | null;
}

/** The id of the scope's call, for a client; null if it changed nothing, or no former states are kept. */
export function historyIdOf({ call }: Pick<Scope, 'call'>, hasChanged: boolean): string | null {
  return hasChanged && call !== undefined && call.mostVersions > 0 ? call.id : null;
}
