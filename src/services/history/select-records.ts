/** Filters calls by what the store cannot filter by: several operations, and names, which are resolved when read. */

import type { Actor } from '../../domain/actor.ts';
import { badUserInput } from '../../errors.ts';
import type { HistoryRecord } from '../../storage/storage.ts';
import type { ShownActor } from './actors.ts';

interface RecordsPage {
  readonly limit: number;
  readonly after: string | null;
}

export type ReadRecords = (page: RecordsPage) => Promise<readonly HistoryRecord[]>;

interface Selection {
  /** Null for all. */
  readonly operations: readonly string[] | null;
  /** The name or the owner of an actor; null for all. */
  readonly by: string | null;
  readonly shownActors: (actors: readonly Actor[]) => Promise<readonly ShownActor[]>;
}

/** Records that are read at once, most of which may not match. */
const BATCH = 500;
const MAX_OPERATIONS = 100;

/** @throws ServiceError BAD_USER_INPUT */
export function assertOperations(operations: readonly string[] | null): void {
  if (operations === null || (operations.length >= 1 && operations.length <= MAX_OPERATIONS)) return;
  throw badUserInput(`filter.operations has ${operations.length} items; 1 to ${MAX_OPERATIONS} are allowed.`);
}

export async function selectRecords(
  read: ReadRecords,
  { limit, after }: RecordsPage,
  { operations, by, shownActors }: Selection,
): Promise<readonly HistoryRecord[]> {
  const found: HistoryRecord[] = [];
  for (let last = after; ;) {
    const records = await read({ limit: BATCH, after: last });
    const wanted = records.filter(({ operation }) => operations?.includes(operation) ?? true);
    const actors = by === null ? [] : await shownActors(wanted.map(({ actor }) => actor));
    for (const [index, record] of wanted.entries()) {
      const actor = actors[index];
      const isMeant = by === null || actor?.name === by || actor?.owner === by;
      if (isMeant && found.push(record) === limit) return found;
    }
    if (records.length < BATCH) return found;
    last = records.at(-1)?.id ?? null;
  }
}
