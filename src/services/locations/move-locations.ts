/** Moves locations within their map's list (capabilities §9). */

import { isLocationIdOf } from '../../domain/ids.ts';
import type { LocationRecord } from '../../domain/location.ts';
import type { MovePosition } from '../../domain/list/move-plan.ts';
import { MOST_RENUMBERED } from '../../domain/list/move-plan.ts';
import { badUserInput, ServiceError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import { mapUnavailableError } from '../caller.ts';
import type { AuthorizedRequest } from './authorized-request.ts';

/** Where locations are moved to. Exactly one member is required; null means omitted. */
export interface MovePositionInput {
  /** Id of the location to move in front of; it must not be moved itself. */
  readonly before?: string | null;
  readonly after?: string | null;
  /** Must be true if present. */
  readonly toStart?: boolean | null;
  readonly toEnd?: boolean | null;
}

/**
 * @param move.ids all different, in their new sequence
 * @param move.now milliseconds since the epoch
 */
export async function moveLocations(
  storage: Storage,
  { map: { id: mapId }, scope, assertHeld }: AuthorizedRequest,
  move: { readonly ids: readonly string[]; readonly position: MovePositionInput; readonly now: number },
): Promise<readonly LocationRecord[]> {
  const { ids, now } = move;
  assertDistinct(ids);
  const position = readPosition(move.position, ids);
  const named = new Map(ids.map((id, index) => [id, `ids[${index}]`]));
  if ('id' in position) named.set(position.id, position.kind);
  for (const [id, name] of named) if (!isLocationIdOf(mapId, id)) throw notFound(name);
  assertHeld?.();
  const outcome = await storage.moveLocations(mapId, { ids, position }, now, scope);
  if (outcome.kind === 'moved') return outcome.locations;
  if (outcome.kind === 'missing') throw notFound(named.get(outcome.id));
  if (outcome.kind !== 'too-many-neighbours') throw mapUnavailableError(outcome);
  throw badUserInput(
    `There is no room for ids: more than ${MOST_RENUMBERED} locations of equal order would have to be renumbered. ` +
      'Give them other orders first.',
  );
}

function assertDistinct(ids: readonly string[]): void {
  const first = new Map<string, number>();
  for (const [index, id] of ids.entries()) {
    const earlier = first.get(id);
    if (earlier !== undefined)
      throw badUserInput(`ids[${index}] repeats ids[${earlier}]; ids must be unique.`);
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
    throw badUserInput(`${position[0]} must be true if it is present.`);
  return { kind: toStart === true ? 'start' : 'end' };
}

function notFound(name = 'ids'): ServiceError {
  return new ServiceError('LOCATION_NOT_FOUND', `There is no such location in this map: ${name}.`);
}
