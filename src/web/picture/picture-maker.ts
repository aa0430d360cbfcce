/** Draws pictures in a worker thread. */

import { IdleWorker } from '../../lib/idle-worker.ts';
import type { PictureRequest } from './picture-thread.ts';
import type { Frame, Mark } from './picture-svg.ts';

const TIME_LIMIT_MS = 10_000;
const MAX_WAITING = 16;

export class PictureMaker {
  readonly #worker: IdleWorker<PictureRequest, Uint8Array>;

  /** @param timeLimitMs maximum time for a picture, including the start of the thread */
  constructor(timeLimitMs = TIME_LIMIT_MS) {
    const program = 'web/picture/picture-thread';
    this.#worker = new IdleWorker({ program, name: 'pictures', maxWaiting: MAX_WAITING, timeLimitMs });
  }

  /**
   * @param accent color of the dots; by default that of all pages
   * @returns a PNG
   * @throws WorkerBusyError; Error if drawing fails or takes too long
   */
  draw(frame: Frame, marks: readonly Mark[], accent?: string): Promise<Uint8Array> {
    return this.#worker.run({ frame, marks, accent });
  }

  close(): Promise<void> {
    return this.#worker.close();
  }
}
