/** A write from its announcement in the map's document until it is done; list-count.ts says what that is for. */

import { ObjectId } from 'mongodb';

import { storageUnavailable } from '../../errors.ts';
import type { OpenWrite } from './list-count.ts';
import type { SequenceRange } from './sequence-ranges.ts';

/**
 * A writer begins no statement later than this after its announcement. It is far longer than any request may take, and
 * far shorter than {@link ABANDONED_AFTER_MS}.
 */
const WRITE_WITHIN_MS = 30 * 60 * 1000;
/** A write that is still announced by then was cut short by a crash: anybody settles it. Clocks may differ by an hour. */
const ABANDONED_AFTER_MS = 3 * 60 * 60 * 1000;

export interface AnnouncedWrite {
  /**
   * To be called before each statement.
   *
   * @throws ServiceError STORAGE_UNAVAILABLE where so much time has gone by that others may take the write for abandoned
   */
  assertTimely(): void;
  /** To be called when no statement of the write is under way any more, nor will be; not where that is unknown. */
  done(): void;
}

/** The entry that announces a write of these sequence numbers. */
export function openWrite({ from, to }: SequenceRange): OpenWrite {
  return { id: new ObjectId().toHexString(), from, to, since: new Date() };
}

export function isAbandoned({ since }: OpenWrite): boolean {
  return since.getTime() < Date.now() - ABANDONED_AFTER_MS;
}

/**
 * @param parts the number of callers that share the write, each of which says that it is done
 * @param onDone told once, when all of them have
 */
export function announcedWrite({ since }: OpenWrite, parts: number, onDone: () => void): AnnouncedWrite {
  let left = parts;
  return {
    assertTimely() {
      if (Date.now() - since.getTime() > WRITE_WITHIN_MS) throw storageUnavailable();
    },
    done() {
      left -= 1;
      if (left === 0) onDone();
    },
  };
}
