/** Encodes tiles: small ones at once, large ones in a worker thread. */

import { overloaded } from '../../errors.ts';
import { IdleWorker, WorkerBusyError } from '../../lib/idle-worker.ts';
import type { EncodedTile, TileContent } from './encode-tile.ts';
import { encodeTile } from './encode-tile.ts';

/** Bytes of columns that are encoded in a few milliseconds: most tiles of 500 locations. */
const SMALL_BYTES = 128 * 1024;
const TIME_LIMIT_MS = 10_000;
const MAX_WAITING = 64;

export class TileEncoder {
  readonly #worker = new IdleWorker<TileContent, EncodedTile | null>({
    program: 'services/tiles/tile-thread',
    name: 'tiles',
    maxWaiting: MAX_WAITING,
    timeLimitMs: TIME_LIMIT_MS,
  });

  /**
   * @returns null where the tile is too large even without fields
   * @throws ServiceError OVERLOADED
   */
  async encode(content: TileContent): Promise<EncodedTile | null> {
    if (content.columns.byteLength <= SMALL_BYTES) return encodeTile(content);
    try {
      return await this.#worker.run(content);
    } catch (error) {
      if (error instanceof WorkerBusyError) throw overloaded();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#worker.close();
  }
}
