/** How a whole map is written. */

import type { PageRequest } from '../../domain/paging.ts';
import type { SortKey } from '../../domain/sort-key.ts';
import type { Storage } from '../../storage/storage.ts';
import type { WalkedBatch } from './walk.ts';

export interface MapWriter {
  /** What stands before the first location, between two batches, and after the last location. */
  readonly head: string;
  readonly separator: string;
  readonly tail: string;
  /** The locations of one page, as text. */
  readonly read: (storage: Storage, mapId: string, page: PageRequest<SortKey>) => Promise<WalkedBatch>;
}
