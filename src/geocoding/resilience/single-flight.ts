/** Coalesces concurrent calls: equal work runs once for all its callers. */

import type { Bounds, Time } from './time.ts';
import { abortReason, ExtensibleDeadline, deadlineExceeded } from './time.ts';

/** Milliseconds after a caller's deadline in which the work can still fail with its own, more specific error. */
const GRACE_MS = 50;

interface Flight<T> {
  readonly result: Promise<T>;
  readonly deadline: ExtensibleDeadline;
  readonly controller: AbortController;
  callers: number;
  isSettled: boolean;
}

export interface JoinedFlight<T> {
  /** True for the caller that started the work. */
  readonly isFirst: boolean;
  readonly result: Promise<T>;
}

export class SingleFlight<T> {
  readonly #time: Time;
  readonly #flights = new Map<string, Flight<T>>();

  constructor(time: Time) {
    this.#time = time;
  }

  get size(): number {
    return this.#flights.size;
  }

  /**
   * Joins the running work of the key, or starts it. The work has until the latest deadline of its callers, and is
   * aborted once all of them have left.
   *
   * @returns a result that rejects with {@link abortReason} of the caller's signal, with a timeout after the caller's
   *   deadline, or with the error of the work
   */
  join(key: string, bounds: Bounds, work: (bounds: Bounds) => Promise<T>): JoinedFlight<T> {
    const running = this.#flights.get(key);
    const flight = running ?? this.#start(key, bounds, work);
    flight.deadline.extendTo(bounds.deadline.remaining());
    flight.callers += 1;
    return { isFirst: running === undefined, result: this.#wait(key, flight, bounds) };
  }

  #start(key: string, bounds: Bounds, work: (bounds: Bounds) => Promise<T>): Flight<T> {
    const controller = new AbortController();
    const deadline = new ExtensibleDeadline(this.#time, bounds.deadline.remaining());
    // Runs in a microtask, after the flight is registered.
    const result = Promise.resolve().then(() => work({ deadline, signal: controller.signal }));
    const flight: Flight<T> = { result, deadline, controller, callers: 0, isSettled: false };
    this.#flights.set(key, flight);
    const settle = () => {
      flight.isSettled = true;
      this.#remove(key, flight);
    };
    result.then(settle, settle);
    return flight;
  }

  async #wait(key: string, flight: Flight<T>, { deadline, signal }: Bounds): Promise<T> {
    const over = new AbortController();
    const late = this.#time
      .sleep(deadline.remaining() + GRACE_MS, AbortSignal.any([signal, over.signal]))
      .then((): never => {
        throw deadlineExceeded();
      });
    try {
      return await Promise.race([flight.result, late]);
    } catch (error) {
      throw signal.aborted ? abortReason(signal) : error;
    } finally {
      over.abort();
      flight.callers -= 1;
      if (flight.callers === 0 && !flight.isSettled) {
        // All callers have left; the next one starts the work again.
        this.#remove(key, flight);
        flight.controller.abort();
      }
    }
  }

  #remove(key: string, flight: Flight<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
