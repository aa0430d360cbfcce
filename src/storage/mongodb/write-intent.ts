/** A write from its announcement in the map's document until it is done: list-count.ts and map-log.ts say what that is for. */

import { ObjectId } from 'mongodb';

import { storageUnavailable } from '../../errors.ts';
import type { OpenWrite } from './list-count.ts';
import type { SequenceRange } from './sequence-ranges.ts';
import type { Unchanged } from './store-changes.ts';

/**
 * A writer begins no statement later than this after its announcement. It is far longer than any request may take, and
 * far shorter than {@link ABANDONED_AFTER_MS}.
 */
const WRITE_WITHIN_MS = 30 * 60 * 1000;
/** A write that is still announced by then was cut short by a crash: anybody settles it. Clocks may differ by an hour. */
const ABANDONED_AFTER_MS = 3 * 60 * 60 * 1000;

export interface WriteIntent {
  /**
   * To be called before each statement.
   *
   * @throws ServiceError STORAGE_UNAVAILABLE where so much time has gone by that others may take the write for abandoned
   */
  assertWithinLimit(): void;
  /**
   * To be called when no statement of the write is under way any more, nor will be; not where that is unknown.
   *
   * @param unchanged locations that were announced and are as they were
   */
  done(unchanged?: Iterable<string>): void;
}

/** A new write's name in the map's document, and its time. */
export function newWrite(): Pick<OpenWrite, 'id' | 'since'> {
  return { id: new ObjectId().toHexString(), since: new Date() };
}

/** The entry that announces a write of these sequence numbers. */
export function openWrite({ from, to }: SequenceRange): OpenWrite {
  return { ...newWrite(), from, to };
}

export function isAbandoned({ since }: OpenWrite): boolean {
  return since.getTime() < Date.now() - ABANDONED_AFTER_MS;
}

/**
 * @param parts the number of callers that share the write, each of which says that it is done
 * @param onDone told once, when all of them have
 */
export function writeIntent(
  { since }: Pick<OpenWrite, 'since'>,
  parts: number,
  onDone: (unchanged: Unchanged) => void,
): WriteIntent {
  let left = parts;
  const all = new Set<string>();
  return {
    assertWithinLimit() {
      if (Date.now() - since.getTime() > WRITE_WITHIN_MS) throw storageUnavailable();
    },
    done(unchanged = []) {
      for (const id of unchanged) all.add(id);
      left -= 1;
      if (left === 0) onDone(all);
    },
  };
}
