/** A write, from its entry in the map's document until it is done (count.ts, map-log.ts). */

import { ObjectId } from 'mongodb';

import { storageUnavailable } from '../../../errors.ts';
import type { OpenWrite } from '../schema.ts';
import type { Unchanged } from './map-log.ts';
import type { SequenceRange } from './sequence-ranges.ts';

/**
 * A writer starts no statement later than this after its intent. Far longer than any request may take, and far shorter than
 * {@link ABANDONED_AFTER_MS}.
 */
const WRITE_WITHIN_MS = 30 * 60 * 1000;
/** After this, anyone may close the entry: its process has crashed. Clocks may differ by an hour. */
const ABANDONED_AFTER_MS = 3 * 60 * 60 * 1000;

export interface WriteIntent {
  /**
   * To be called before each statement.
   *
   * @throws ServiceError STORAGE_UNAVAILABLE if others may soon take the write for abandoned
   */
  assertWithinLimit(): void;
  /**
   * To be called when no statement of the write is or will be in progress; never if that is unknown.
   *
   * @param unchanged the locations of the intent that the write did not change
   */
  done(unchanged?: Iterable<string>): void;
}

export function newWrite(): Pick<OpenWrite, 'id' | 'since'> {
  return { id: new ObjectId().toHexString(), since: new Date() };
}

/** The entry in `count.open` of a write of these sequence numbers. */
export function openWrite({ from, to }: SequenceRange): OpenWrite {
  return { ...newWrite(), from, to };
}

export function isAbandoned({ since }: OpenWrite): boolean {
  return since.getTime() < Date.now() - ABANDONED_AFTER_MS;
}

/**
 * @param parts the number of callers that share the write; each calls `done`
 * @param onDone called once, after the last `done`
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
