/** Mutants with wrong moves. */

import type { LocationRecord } from '../../../src/domain/location.ts';
import type { MovePosition } from '../../../src/domain/list/move-plan.ts';
import type { LocationMove, Storage } from '../../../src/storage/storage.ts';
import type { Mutant } from './mutant.ts';
import { pause, wholeList } from './mutant.ts';

type Moving = Storage['moveLocations'];

/** Changes a move before the good store gets it. */
function changingMoves(
  good: Storage,
  change: (move: LocationMove, mapId: string) => LocationMove | Promise<LocationMove>,
): Pick<Storage, 'moveLocations'> {
  return {
    moveLocations: async (mapId, move, now) => good.moveLocations(mapId, await change(move, mapId), now),
  };
}

/** Changes the outcome of a successful move. */
function changingMoved(
  good: Storage,
  change: (locations: readonly LocationRecord[]) => readonly LocationRecord[],
): Pick<Storage, 'moveLocations'> {
  return {
    moveLocations: async (mapId, move, now) => {
      const outcome = await good.moveLocations(mapId, move, now);
      return outcome.kind === 'moved' ? { ...outcome, locations: change(outcome.locations) } : outcome;
    },
  };
}

/** Gives locations new orders by separate updates. */
async function reorder(
  good: Storage,
  mapId: string,
  locations: readonly LocationRecord[],
  now: number,
  orderOf: (location: LocationRecord, index: number) => string | null,
): Promise<void> {
  const updates = locations.map((location, index) => ({
    id: location.id,
    version: location.version,
    updatedAt: now,
    order: orderOf(location, index),
    values: location,
  }));
  await good.updateLocations(mapId, updates);
}

/** Lets the good store move, and changes the result afterwards. */
function afterwards(
  good: Storage,
  change: (
    mapId: string,
    before: readonly LocationRecord[],
    now: number,
    move: LocationMove,
  ) => Promise<void>,
): Pick<Storage, 'moveLocations'> {
  const moveLocations: Moving = async (mapId, move, now) => {
    const before = await wholeList(good, mapId);
    const outcome = await good.moveLocations(mapId, move, now);
    if (outcome.kind !== 'moved') return outcome;
    await change(mapId, before, now, move);
    const ids = outcome.locations.map(({ id }) => id);
    const found = await good.getLocations(mapId, ids);
    return { kind: 'moved', locations: found.filter((location) => location !== null) };
  };
  return { moveLocations };
}

const OPPOSITES: Readonly<Record<MovePosition['kind'], MovePosition['kind']>> = {
  before: 'after',
  after: 'before',
  start: 'end',
  end: 'start',
};

function otherPosition(position: MovePosition): MovePosition {
  return { ...position, kind: OPPOSITES[position.kind] } as MovePosition;
}

export const moveMutants: readonly Mutant[] = [
  {
    name: 'a move goes to the other side',
    topic: 'moves',
    breaks: (good) => changingMoves(good, (move) => ({ ...move, position: otherPosition(move.position) })),
  },
  {
    name: 'moved locations keep their former sequence',
    topic: 'moves',
    breaks: (good) =>
      changingMoves(good, async (move, mapId) => {
        const list = (await wholeList(good, mapId)).map(({ id }) => id);
        return { ...move, ids: move.ids.toSorted((a, b) => list.indexOf(a) - list.indexOf(b)) };
      }),
  },
  {
    name: 'only the first of several locations moves',
    topic: 'moves',
    breaks: (good) => changingMoves(good, (move) => ({ ...move, ids: move.ids.slice(0, 1) })),
  },
  {
    name: 'unknown ids are skipped',
    topic: 'moves',
    breaks: (good) =>
      changingMoves(good, async (move, mapId) => {
        const found = await good.getLocations(mapId, move.ids);
        const ids = move.ids.filter((_, index) => found[index] !== null);
        return ids.length === 0 ? move : { ...move, ids };
      }),
  },
  {
    name: 'an unknown target is the end',
    topic: 'moves',
    breaks: (good) =>
      changingMoves(good, async (move, mapId) => {
        if (!('id' in move.position)) return move;
        const [target] = await good.getLocations(mapId, [move.position.id]);
        return target === null ? { ...move, position: { kind: 'end' } } : move;
      }),
  },
  {
    name: 'a move returns the locations in another sequence',
    topic: 'moves',
    breaks: (good) => changingMoved(good, (locations) => locations.toReversed()),
  },
  {
    name: 'a move returns the former locations',
    topic: 'moves',
    breaks: (good) => ({
      moveLocations: async (mapId, move, now) => {
        const found = await good.getLocations(mapId, move.ids);
        const outcome = await good.moveLocations(mapId, move, now);
        if (outcome.kind !== 'moved') return outcome;
        return { kind: 'moved', locations: found.filter((location) => location !== null) };
      },
    }),
  },
  {
    name: 'a move returns moved and stores nothing',
    topic: 'moves',
    breaks: (good) => ({
      moveLocations: async (mapId, { ids }) => {
        const found = (await good.getLocations(mapId, ids)).filter((location) => location !== null);
        return { kind: 'moved', locations: found };
      },
    }),
  },
  {
    name: 'a move without effect is written',
    topic: 'moves',
    breaks: (good) =>
      afterwards(good, async (mapId, before, now, { ids }) => {
        const list = await wholeList(good, mapId);
        if (JSON.stringify(list) !== JSON.stringify(before)) return;
        const moved = list.filter(({ id }) => ids.includes(id));
        await reorder(good, mapId, moved, now, () => null);
      }),
  },
  {
    name: 'a move writes the neighbours',
    topic: 'moves',
    breaks: (good) =>
      afterwards(good, async (mapId, _before, now, { ids }) => {
        const list = await wholeList(good, mapId);
        const others = list.filter(({ id }) => !ids.includes(id));
        await reorder(good, mapId, others.slice(0, 3), now, () => null);
      }),
  },
  {
    name: 'a move renumbers the whole list',
    topic: 'moves',
    breaks: (good) =>
      afterwards(good, async (mapId, before, now) => {
        const list = await wholeList(good, mapId);
        if (JSON.stringify(list) === JSON.stringify(before)) return;
        await reorder(good, mapId, list, now, (_, index) => String(index + 1));
      }),
  },
  {
    name: 'a move assigns ever longer orders',
    topic: 'moves',
    breaks: (good) =>
      afterwards(good, async (mapId, _before, now, { ids }) => {
        const moved = (await wholeList(good, mapId)).filter(({ id }) => ids.includes(id));
        // The same value, or the same position among texts.
        await reorder(good, mapId, moved, now, ({ order }) =>
          order.includes('.') ? order.padEnd(100, '0') : null,
        );
      }),
  },
  {
    name: 'the orders of moves do not count as used',
    topic: 'moves',
    breaks: (good) => {
      const assigned = new Map<string, number>();
      return {
        insertLocations: async (mapId, inserts, now) => {
          const result = await good.insertLocations(mapId, inserts, now);
          if (result.kind !== 'done') return result;
          for (const outcome of result.outcomes) {
            if (outcome.kind === 'inserted') {
              assigned.set(mapId, Math.max(assigned.get(mapId) ?? 0, Number(outcome.location.order) || 0));
            }
          }
          return result;
        },
        moveLocations: async (mapId, move, now) => {
          const largest = assigned.get(mapId) ?? 0;
          const outcome = await good.moveLocations(mapId, move, now);
          if (outcome.kind !== 'moved' || move.position.kind !== 'end') return outcome;
          // Always the same numbers after the created locations.
          await reorder(good, mapId, outcome.locations, now, ({ order }, index) =>
            Number.isNaN(Number(order)) ? null : String(Math.floor(largest) + 1 + index),
          );
          const found = await good.getLocations(
            mapId,
            outcome.locations.map(({ id }) => id),
          );
          return { kind: 'moved', locations: found.filter((location) => location !== null) };
        },
      };
    },
  },
  {
    name: 'a move in a deleted map is applied',
    topic: 'moves',
    breaks: (good) => ({
      moveLocations: async (mapId, move, now) => {
        const outcome = await good.moveLocations(mapId, move, now);
        if (outcome.kind !== 'map-deleted') return outcome;
        await good.updateMap(mapId, { isDeleted: false }, { evenIfDeleted: true });
        const made = await good.moveLocations(mapId, move, now);
        await good.updateMap(mapId, { isDeleted: true }, { evenIfDeleted: true });
        return made;
      },
    }),
  },
  {
    name: 'locations move one by one, visibly to pages',
    topic: 'moves',
    breaks: (good) => ({
      moveLocations: async (mapId, move, now) => {
        let position = move.position;
        for (const id of move.ids) {
          const outcome = await good.moveLocations(mapId, { ids: [id], position }, now);
          if (outcome.kind !== 'moved') return outcome;
          position = { kind: 'after', id };
          await pause();
        }
        return good.moveLocations(mapId, move, now);
      },
    }),
  },
];
