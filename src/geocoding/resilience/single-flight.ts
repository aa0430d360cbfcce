/** Does a piece of work once for all callers who ask for the same thing at the same time. */

import type { Bounds, Time } from './time.ts';
import { abortReason, ExtensibleDeadline, deadlineExceeded } from './time.ts';

/** The work ends at the latest deadline. It gets so many milliseconds more to give its own error. */
const GRACE_MS = 50;

interface Flight<T> {
  readonly result: Promise<T>;
  readonly deadline: ExtensibleDeadline;
  readonly controller: AbortController;
  callers: number;
  isSettled: boolean;
}

export interface JoinedFlight<T> {
  /** True for the caller that began the work. */
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
   * Joins the work under way for the key, or begins it. The work has until the latest deadline of all callers, and is
   * aborted only when all of them have gone.
   *
   * @returns a result that rejects with {@link abortReason} of the caller's own signal, with a timeout when the
   *   caller's own deadline passes, or with what the work throws
   */
  join(key: string, bounds: Bounds, work: (bounds: Bounds) => Promise<T>): JoinedFlight<T> {
    const underWay = this.#flights.get(key);
    const flight = underWay ?? this.#begin(key, bounds, work);
    flight.deadline.extendTo(bounds.deadline.remaining());
    flight.callers += 1;
    return { isFirst: underWay === undefined, result: this.#wait(key, flight, bounds) };
  }

  #begin(key: string, bounds: Bounds, work: (bounds: Bounds) => Promise<T>): Flight<T> {
    const controller = new AbortController();
    const deadline = new ExtensibleDeadline(this.#time, bounds.deadline.remaining());
    // Begins a step later, so that the flight is registered before the work runs.
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
        // All callers have gone. Whoever comes now begins anew.
        this.#remove(key, flight);
        flight.controller.abort();
      }
    }
  }

  #remove(key: string, flight: Flight<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
