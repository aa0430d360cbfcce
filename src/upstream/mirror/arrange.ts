/** After a whole list was read: deletes locations that it does not have, and puts the rest into its order. */

import { longestInOrder } from '../../domain/list/longest-in-order.ts';
import type { SortKey } from '../../domain/list/sort-key.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Scope } from '../../services/scope.ts';
import type { Services } from '../../services/services.ts';

export interface Arranging {
  readonly services: Pick<Services, 'locations'>;
  readonly scope: Scope;
  readonly mapId: string;
  /** Locations that one call may move or delete. */
  readonly maxBulk: number;
}

/** A mirrored location. */
export interface Mirrored {
  readonly id: string;
  readonly externalId: string;
}

export interface MirroredList {
  /** Number of locations without an external id, which were created here. */
  readonly own: number;
  /** Locations that the upstream's list does not have. */
  readonly unlisted: readonly Mirrored[];
  /** The others, in our list order. */
  readonly kept: readonly Mirrored[];
}

/** Locations per read. */
const BATCH = 500;

/** @param listed the ids of the upstream's list */
export async function readMirrored(
  storage: Pick<Storage, 'listLocations'>,
  mapId: string,
  listed: ReadonlySet<string>,
): Promise<MirroredList> {
  const unlisted: Mirrored[] = [];
  const kept: Mirrored[] = [];
  let own = 0;
  let after: SortKey | null = null;
  do {
    const page: Awaited<ReturnType<Storage['listLocations']>> = await storage.listLocations(mapId, {
      limit: BATCH,
      fromEnd: false,
      after,
      before: null,
    });
    for (const { id, externalId } of page) {
      if (externalId === null) own += 1;
      else if (listed.has(externalId)) kept.push({ id, externalId });
      else unlisted.push({ id, externalId });
    }
    after = page.length < BATCH ? null : (page.at(-1) ?? null);
  } while (after !== null);
  return { own, unlisted, kept };
}

export async function deleteMissing(
  { services, scope, mapId, maxBulk }: Arranging,
  ids: readonly string[],
): Promise<void> {
  for (const some of chunksOf(ids, maxBulk)) await services.locations.deleteLocations(scope, mapId, some);
}

/**
 * Moves as few locations as possible. Locations that were created here do not move.
 *
 * @param listed the ids of the upstream's list, in its order
 * @returns the number of moved locations
 */
export async function putInOrder(
  { services, scope, mapId, maxBulk }: Arranging,
  kept: readonly Mirrored[],
  listed: ReadonlySet<string>,
): Promise<number> {
  const rankOf = new Map([...listed].map((externalId, rank) => [externalId, rank]));
  const ranked = kept.map(({ id, externalId }) => ({ id, rank: rankOf.get(externalId) ?? 0 }));
  const staying = new Set(longestInOrder(ranked.map(({ rank }) => rank)).map((index) => ranked[index]?.id));
  const wanted = ranked.toSorted((a, b) => a.rank - b.rank);
  let moved = 0;
  let last: string | null = null;
  let run: string[] = [];
  const move = async () => {
    for (const ids of chunksOf(run, maxBulk)) {
      const position = last === null ? { toStart: true } : { after: last };
      await services.locations.moveLocations(scope, mapId, ids, position);
      last = ids.at(-1) ?? last;
      moved += ids.length;
    }
    run = [];
  };
  for (const { id } of wanted) {
    if (!staying.has(id)) {
      run.push(id);
      continue;
    }
    await move();
    last = id;
  }
  await move();
  return moved;
}

export function chunksOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
