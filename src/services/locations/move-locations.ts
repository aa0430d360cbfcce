/** Moves locations within their map's list (capabilities §9). */

import { isLocationIdOf } from '../../domain/ids.ts';
import type { LocationRecord } from '../../domain/location.ts';
import type { MapRecord } from '../../domain/map.ts';
import type { MovePosition } from '../../domain/list/move-plan.ts';
import { MOST_RENUMBERED } from '../../domain/list/move-plan.ts';
import { badUserInput, ServiceError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import { authorize } from '../authorization.ts';
import { mapUnavailableError } from '../maps/map-service.ts';
import type { Scope } from '../scope.ts';

/** Where locations are moved to: exactly one of these. Null is as if absent. */
export interface MovePositionInput {
  /** The id of a location that is not moved, to stand before. */
  readonly before?: string | null;
  readonly after?: string | null;
  /** True where given. */
  readonly toStart?: boolean | null;
  readonly toEnd?: boolean | null;
}

export interface LocationMoving {
  /**
   * @param ids all different, in their new sequence
   * @returns the locations as they are now, in that sequence
   * @throws ServiceError BAD_USER_INPUT; LOCATION_NOT_FOUND where any id is unknown, and then nothing moves
   */
  moveLocations(
    scope: Scope,
    mapId: string,
    ids: readonly string[],
    position: MovePositionInput,
  ): Promise<{ map: MapRecord; locations: readonly LocationRecord[] }>;
}

export interface LocationMovingOptions {
  readonly storage: Storage;
  readonly clock: () => number;
  readonly maxBulk: number;
}

export function createLocationMoving({ storage, clock, maxBulk }: LocationMovingOptions): LocationMoving {
  return {
    async moveLocations(scope, mapId, ids, given) {
      const { map } = await authorize(storage, scope, mapId, { scope: 'write' });
      assertIds(ids, maxBulk);
      const position = readPosition(given, ids);
      const named = new Map(ids.map((id, index) => [id, `ids[${index}]`]));
      if ('id' in position) named.set(position.id, position.kind);
      for (const [id, name] of named) if (!isLocationIdOf(mapId, id)) throw notFound(name);
      const outcome = await storage.moveLocations(mapId, { ids, position }, clock(), scope);
      if (outcome.kind === 'moved') return { map, locations: outcome.locations };
      if (outcome.kind === 'missing') throw notFound(named.get(outcome.id));
      if (outcome.kind !== 'too-many-neighbours') throw mapUnavailableError(outcome);
      throw badUserInput(
        `More than ${MOST_RENUMBERED} locations of equal order would have to be renumbered to make room for ids; ` +
          'give them other orders first.',
      );
    },
  };
}

function assertIds(ids: readonly string[], maxBulk: number): void {
  if (ids.length < 1 || ids.length > maxBulk) {
    throw badUserInput(`ids has ${ids.length} items; 1 to ${maxBulk} are allowed.`);
  }
  const first = new Map<string, number>();
  for (const [index, id] of ids.entries()) {
    const earlier = first.get(id);
    if (earlier !== undefined)
      throw badUserInput(`ids[${index}] is ids[${earlier}] again; each can stand once.`);
    first.set(id, index);
  }
}

function readPosition(given: MovePositionInput, ids: readonly string[]): MovePosition {
  const positions = Object.entries({
    before: given.before,
    after: given.after,
    toStart: given.toStart,
    toEnd: given.toEnd,
  }).filter(([, value]) => value !== null && value !== undefined);
  const [position, another] = positions;
  if (position === undefined) throw badUserInput('One of before, after, toStart and toEnd is required.');
  if (another !== undefined) {
    throw badUserInput(`${position[0]} and ${another[0]} exclude each other; give one of them.`);
  }
  const { before, after, toStart, toEnd } = given;
  const target = before ?? after;
  if (typeof target === 'string') {
    const kind = typeof before === 'string' ? 'before' : 'after';
    if (ids.includes(target)) throw badUserInput(`${kind} must not be among ids.`);
    return { kind, id: target };
  }
  if (toStart === false || toEnd === false)
    throw badUserInput(`${position[0]} must be true where it is given.`);
  return { kind: toStart === true ? 'start' : 'end' };
}

function notFound(name = 'ids'): ServiceError {
  return new ServiceError('LOCATION_NOT_FOUND', `There is no such location in this map: ${name}.`);
}
