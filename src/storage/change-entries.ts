/** The change log as both stores keep it. An entry is a letter for the kind of change, then the location's id. */

import { randomBytes } from 'node:crypto';

import type { ChangeKind, LocationChanged } from '../domain/change.ts';

const LETTERS = { created: 'c', updated: 'u', moved: 'm', deleted: 'd' } as const satisfies Record<
  ChangeKind,
  string
>;
const KINDS: ReadonlyMap<string, ChangeKind> = new Map(
  Object.entries(LETTERS).map(([kind, letter]) => [letter, kind as ChangeKind]),
);

/** Entries stored in one row or document. */
export const MOST_TOGETHER = 1_000;

/** Identifies a log: 12 lower-case hexadecimal digits. */
export function newLogId(): string {
  return randomBytes(6).toString('hex');
}

export function toEntry(mapId: string, { kind, id }: LocationChanged): string {
  // Ids begin with the id of their map (decision 2), which is left out here.
  return LETTERS[kind] + (id.startsWith(`${mapId}_`) ? id.slice(mapId.length) : id);
}

export function fromEntry(mapId: string, entry: string): LocationChanged {
  const kind = KINDS.get(entry.charAt(0));
  if (kind === undefined) throw new TypeError('A change log entry must start with c, u, m or d.');
  const id = entry.slice(1);
  return { kind, id: id.startsWith('_') ? mapId + id : id };
}

/** Parts of at most {@link MOST_TOGETHER} items, each with the index of its first item. */
export function inParts<T>(
  all: readonly T[],
): readonly { readonly start: number; readonly part: readonly T[] }[] {
  return Array.from({ length: Math.ceil(all.length / MOST_TOGETHER) }, (_, index) => {
    const start = index * MOST_TOGETHER;
    return { start, part: all.slice(start, start + MOST_TOGETHER) };
  });
}
