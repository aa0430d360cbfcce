/** What was just done, which can be undone for 30 seconds in a bar, and later in the history of the map. */

import { messageOf } from '../common/messages.ts';
import type { HistoryClient, Undone } from './history-client.ts';

export const OFFER_MS = 30_000;
/** Of a result with nothing to read. */
const RESULT_MS = 6_000;

export interface UndoOffer {
  readonly mapId: string;
  /** What was done, such as `12 deleted`. */
  readonly text: string;
  readonly client: HistoryClient;
  readonly undo: () => Promise<Undone>;
  /** A location to show again. */
  readonly locationId?: string | undefined;
}

interface UndoResult extends Undone {
  readonly reasons: readonly string[];
}

export class UndoBar {
  offer = $state.raw<UndoOffer | null>(null);
  isUndoing = $state(false);
  /** Why undoing failed. */
  problem = $state('');
  result = $state.raw<UndoResult | null>(null);
  /** The last offer that was undone, so that what shows the map reads it again. */
  undone = $state.raw<UndoOffer | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #resultTimer: ReturnType<typeof setTimeout> | undefined;

  /** Replaces the former offer, which stays in the history. */
  show(offer: UndoOffer): void {
    this.offer = offer;
    this.problem = '';
    this.closeResult();
    this.wait();
  }

  /** Starts the 30 seconds, from their beginning. */
  wait(): void {
    clearTimeout(this.#timer);
    if (this.offer !== null && !this.isUndoing) this.#timer = setTimeout(() => this.close(), OFFER_MS);
  }

  /** Stops the clock while the pointer or the focus is on the bar. */
  hold(): void {
    clearTimeout(this.#timer);
  }

  close(): void {
    this.hold();
    this.offer = null;
  }

  closeResult(): void {
    clearTimeout(this.#resultTimer);
    this.result = null;
  }

  readonly undo = async (): Promise<void> => {
    const { offer } = this;
    if (offer === null || this.isUndoing) return;
    this.hold();
    this.isUndoing = true;
    this.problem = '';
    try {
      const undone = await offer.undo();
      this.undone = offer;
      if (this.offer === offer) this.offer = null;
      this.#report({ ...undone, reasons: await offer.client.explain(undone.left) });
    } catch (error) {
      this.problem = messageOf(error);
    } finally {
      this.isUndoing = false;
      this.wait();
    }
  };

  #report(result: UndoResult): void {
    this.closeResult();
    this.result = result;
    if (result.leftCount === 0) this.#resultTimer = setTimeout(() => this.closeResult(), RESULT_MS);
  }
}
